package agent

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestWatch: a static field has changed in the test that changed what it leads to, however far away, and in no other. Of what cannot be looked at as a whole nothing is said.
func TestWatch(t *testing.T) {
	for _, feature := range allFeatures {
		t.Run(fmt.Sprint(feature), func(t *testing.T) {
			p := newProject(t, feature, "junit-3.8")
			trace := p.trace(p.plan(), "junit.textui.TestRunner", "Watched")
			const class = "Watched$Fields."
			unknown := []string{"strange", "thread", "forever"} // an iterator of the program's, a thread, a lock that a thread has for a long time
			for _, name := range unknown {
				if trace.Watched[class+name] {
					t.Errorf("%s counts as watched", name)
				}
			}
			for _, test := range trace.Tests {
				if test.Outcome != Passed {
					t.Errorf("%s: %v %s", test.Key, test.Outcome, test.Why)
				}
				var want []string
				switch name := test.Method; {
				case strings.HasPrefix(name, "keeps") || name == "starts":
				case name == "unlocks":
					want = []string{class + "lock"}
				case name == "strange" || name == "clears": // there is too much until it is cleared
					want = []string{class + "large"}
				case name == "forever" || name == "waits":
					want = []string{class + "forever"}
				case name == "views": // two names for one thing
					want = []string{class + "below", class + "views"}
				case name == "made": // the thread has a map now, without content
					want = []string{class + "local?"}
				case name == "constant":
					want = []string{"Watched$Constant.$VALUES", "Watched$Constant.ONE", class + name}
				default:
					want = []string{class + name}
					if !trace.Watched[class+name] {
						t.Errorf("%s is not watched", name)
					}
				}
				if !slices.Equal(test.Own.Changed, want) {
					t.Errorf("%s changed %v, want %v", test.Method, test.Own.Changed, want)
				}
			}
			if len(trace.Tests) != 53 || trace.Incomplete != "" || len(trace.Problems) > 0 {
				t.Errorf("%d tests, incomplete: %q, problems: %v", len(trace.Tests), trace.Incomplete, trace.Problems)
			}
		})
	}
}
