package agent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestReflection: whoever looks at a class is seen to do so, the first time and every other time, and whoever does not is not.
func TestReflection(t *testing.T) {
	for _, feature := range allFeatures {
		t.Run(fmt.Sprint(feature), func(t *testing.T) {
			p := newProject(t, feature, "junit-3.8")
			plan := p.plan()
			trace := p.trace(plan, "junit.textui.TestRunner", "Mirror")
			for _, test := range trace.Tests {
				checkLook(t, test)
			}
			if len(trace.Tests) < 100 || trace.Incomplete != "" || len(plan.Problems) > 0 {
				t.Errorf("%d tests, incomplete %q, problems %q", len(trace.Tests), trace.Incomplete, plan.Problems)
			}
		})
	}
}

// checkLook compares the events of a test with its name: what was looked at, or behind an @ what was asked for by name, and how.
func checkLook(t *testing.T, test *TestTrace) {
	t.Helper()
	kind := ClassReflected
	what, _, _ := strings.Cut(test.Method, " ")
	if name, ok := strings.CutPrefix(what, "@"); ok {
		kind, what = ClassFound, name
	}
	var got []string
	for _, e := range test.Own.Events {
		if e.Kind == kind && e.Text != "Mirror" && !strings.HasPrefix(e.Text, "junit.") {
			got = append(got, e.Text)
		}
	}
	if what == "-" && len(got) > 0 {
		t.Errorf("%s: saw %q", test.Key, got)
	}
	for name := range strings.SplitSeq(what, ",") {
		if name != "-" && !slices.Contains(got, name) {
			t.Errorf("%s: saw %q, not %s", test.Key, got, name)
		}
	}
}

// BenchmarkReflection reports what a reflective call costs with and without the agent.
func BenchmarkReflection(b *testing.B) {
	for _, feature := range features {
		for _, agent := range []bool{false, true} {
			b.Run(fmt.Sprintf("jdk-%d/agent-%v", feature, agent), func(b *testing.B) {
				p := newProject(b, feature, "junit-3.8")
				var plan *Plan
				if agent {
					plan = p.plan()
				}
				total := 0
				for b.Loop() {
					r := p.run(plan, nil, "Mirror$Loop", "100000")
					n, err := strconv.Atoi(strings.TrimSpace(r.out))
					if err != nil {
						b.Fatalf("%v\n%s", err, r.out)
					}
					total += n
				}
				b.ReportMetric(float64(total)/float64(b.N), "ns/call")
			})
		}
	}
}
