package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/internal/rts"
)

// parseTrial makes a trial of a line for each test: its name, "selected" or how its proof ends, and how it ended now; "-" if it was not heard of.
func parseTrial(t *testing.T, text string) *Trial {
	t.Helper()
	tr := &Trial{Selection: &rts.Selection{}, Proven: map[rts.TestID]rts.Outcome{}, Ends: map[rts.TestID]End{}, Whole: true}
	tr.GroupOf = func(id rts.TestID) string { class, _, _ := strings.Cut(string(id), "#"); return class }
	for line := range strings.Lines(strings.TrimSpace(text)) {
		f := strings.Fields(line)
		if len(f) != 3 {
			t.Fatalf("%q", line)
		}
		id := rts.TestID(f[0])
		d := rts.Decision{Test: rts.Test{ID: id}}
		switch f[1] {
		case "selected":
			d.Reasons = []rts.Reason{{Code: rts.InputChanged}}
		case "obsolete":
			d.Obsolete = "its method is gone"
		default:
			d.Proof = &rts.Proof{Inputs: 3}
			tr.Proven[id] = outcome(t, f[1])
		}
		tr.Selection.Decisions = append(tr.Selection.Decisions, d)
		if f[2] != "-" {
			tr.Ends[id] = End{Outcome: outcome(t, f[2]), Message: "says " + f[0]}
		}
	}
	return tr
}

func outcome(t *testing.T, word string) rts.Outcome {
	t.Helper()
	for o := range rts.Outcomes {
		if o.String() == word {
			return o
		}
	}
	t.Fatalf("no outcome %q", word)
	return 0
}

// printed is a comparison on one line.
func printed(c Comparison) string {
	s := fmt.Sprintf("%d tests %d selected %d left out %d failed", c.Tests, c.Selected, c.LeftOut, c.Failed)
	if c.NotCompared > 0 {
		s += fmt.Sprintf(" %d not compared", c.NotCompared)
	}
	for _, m := range c.Missed {
		s += fmt.Sprintf(" [%s %s -> %s]", m.Test, m.Proven, m.Outcome)
	}
	for _, g := range c.Unexplained {
		s += " ?" + g
	}
	return s
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name, trial string
		cut         bool
		groups      []string
		want        string
	}{
		{"as proven", "A#a passed passed\nA#b skipped skipped\nA#c selected failed", false, nil, "3 tests 1 selected 2 left out 1 failed"},
		{"failed", "A#a passed failed\nA#b passed passed", false, nil, "2 tests 0 selected 2 left out 1 failed [A#a passed -> failed]"},
		{"killed", "A#a passed killed", false, nil, "1 tests 0 selected 1 left out 1 failed [A#a passed -> killed]"},
		{"runs now", "A#a skipped passed", false, nil, "1 tests 0 selected 1 left out 0 failed [A#a skipped -> passed]"},
		{"skipped now", "A#a passed skipped", false, nil, "1 tests 0 selected 1 left out 0 failed [A#a passed -> skipped]"},
		{"not heard of", "A#a passed -\nA#b selected -", false, nil, "2 tests 1 selected 1 left out 0 failed [A#a passed -> not run]"},
		{"cut short", "A#a passed -\nA#b passed interrupted\nA#c passed failed", true, nil, "3 tests 0 selected 3 left out 1 failed 2 not compared [A#c passed -> failed]"},
		{"obsolete", "A#a obsolete -", false, nil, "1 tests 0 selected 0 left out 0 failed"},
		{"class seen by both", "A#a passed failed\nA#b passed passed", false, []string{"A"}, "2 tests 0 selected 2 left out 1 failed [A#a passed -> failed]"},
		{"class seen by the build only", "A#a passed passed\nB#b passed passed", false, []string{"B"}, "2 tests 0 selected 2 left out 0 failed [B#b passed -> failed]"},
		{"class with a selected test", "A#a selected failed\nA#b passed passed", false, []string{"A"}, "2 tests 1 selected 1 left out 1 failed"},
		{"class of no test", "A#a passed passed", false, []string{"Z", "Y"}, "1 tests 0 selected 1 left out 0 failed ?Y ?Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := parseTrial(t, c.trial)
			tr.Whole = !c.cut
			tr.Groups = map[string]string{}
			for _, g := range c.groups {
				tr.Groups[g] = "x"
			}
			if got := printed(tr.Compare()); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestMissHasTheProof(t *testing.T) {
	tr := parseTrial(t, "A#a passed failed")
	tr.Selection.Decisions[0].Proof.Differences = []rts.Difference{{Entity: rts.Entity{Kind: "class", Name: "p/A"}, Why: "not entered"}}
	tr.Selection.Decisions[0].Proof.Meta.Revision = "abc"
	m := tr.Compare().Missed[0]
	if m.Inputs != 3 || m.Recorded.Revision != "abc" || len(m.Differences) != 1 || m.Message != "says A#a" {
		t.Errorf("%+v", m)
	}
}

func TestKillingAndRunning(t *testing.T) {
	before := parseTrial(t, "A#a passed failed\nA#b passed passed\nA#c passed passed")
	now := parseTrial(t, "A#a selected failed\nA#b selected error\nA#c passed interrupted\nA#d selected interrupted\nA#e obsolete -")
	if got, want := now.killing(before), []rts.TestID{"A#b"}; !slices.Equal(got, want) {
		t.Errorf("killing %v, want %v", got, want)
	}
	if got := now.running(); len(got) != 1 || got[0].Test.ID != "A#c" {
		t.Errorf("running %v", got)
	}
	if got, want := now.leftOut(), []rts.TestID{"A#c"}; !slices.Equal(got, want) {
		t.Errorf("left out %v, want %v", got, want)
	}
}
