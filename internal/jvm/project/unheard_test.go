package project

import (
	"errors"
	"strings"
	"testing"

	"winnow/internal/jvm/agent"
)

// TestUnheard: a class of Surefire's reports of which the agent knows no test is an error of its own type; nested classes and names without a package are known by their top-level class.
func TestUnheard(t *testing.T) {
	for _, test := range []struct {
		heard, reported, file string
		problems              []string
		want                  string
	}{
		{heard: "p.A", reported: "p.A"},
		{heard: "p.A$Inner", reported: "A"},
		{heard: "p.A", reported: "p.B", want: "Surefire ran tests of p.B"},
		{heard: "p.A", reported: "p.B", file: "p.A", want: "Surefire ran tests of p.B"},
		{heard: "p.A", reported: "The A", file: "p.A"},
		{heard: "p.A$Inner", reported: "Inside of A", file: "p.A$Inner"},
		{heard: "p.A", reported: "The B", file: "p.B", want: "Surefire ran tests of The B"},
		{heard: "p.A", reported: "The A", file: "p.Suite"},
		{heard: "p.A", reported: "p.A", problems: []string{"1.log: cut"}, want: "1.log: cut"},
	} {
		c := &collected{whole: true, problems: test.problems, runs: map[string][]*testRun{"k": {{traces: []*agent.TestTrace{{Node: agent.Node{Class: test.heard, Key: "[engine:junit-platform-suite]/[suite:p.Suite]/[engine:junit-jupiter]"}}}}}}}
		r := newReports()
		r.passed[mention{test.reported, test.file}], r.isClass = true, func(name string) bool { return strings.HasPrefix(name, "p.") }
		err := new(Module).unheard(c, r)
		if test.want == "" {
			if err != nil || !c.whole {
				t.Errorf("%+v: %v, whole %v", test, err, c.whole)
			}
			continue
		}
		var unheard *UnheardError
		if !errors.As(err, &unheard) || !strings.Contains(err.Error(), test.want) || c.whole {
			t.Errorf("%+v: %v, whole %v", test, err, c.whole)
		}
	}
}
