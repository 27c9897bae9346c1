package audit

import (
	"slices"
	"time"

	"winnow/internal/rts"
)

// An End is how a test ended.
type End struct {
	Outcome rts.Outcome
	Message string
}

// bad tells whether the test ran to an end that is a failure.
func (e End) bad() bool {
	return e.Outcome == rts.Failed || e.Outcome == rts.Errored || e.Outcome == rts.Killed
}

// A Trial is a selection, and what all tests did after it was made.
type Trial struct {
	Selection *rts.Selection
	// Proven says of each test left out how the record ended that is its proof.
	Proven map[rts.TestID]rts.Outcome
	Ends   map[rts.TestID]End
	// Whole means that the run came to its end, so that a test that was not heard of did not run.
	Whole bool
	// Groups are failures that another witness reports, by group of tests: the reports of the build tool, by class. GroupOf says which group a
	// test belongs to. Both may be nil.
	Groups  map[string]string
	GroupOf func(rts.TestID) string
	// Late means that the time limit ended the run.
	Late bool
	// Took is how long it took, for people.
	Took time.Duration
}

// NotRun is the outcome of a test that was not heard of in a run that came to its end.
const NotRun = "not run"

// A Miss is a test that was left out and did not end as proven.
type Miss struct {
	Test rts.TestID `json:"test"`
	// Proven is the outcome that the proof has, Outcome the one that it had now.
	Proven  string `json:"proven"`
	Outcome string `json:"outcome"`
	Message string `json:"message,omitempty"`
	// Inputs is the number of uses that the proof compared, Differences are those it calls harmless.
	Inputs      int          `json:"inputs"`
	Differences []Difference `json:"differences,omitempty"`
	// Recorded says where the record comes from.
	Recorded Origin `json:"recorded"`
}

// A Difference is a use that a proof calls harmless although its entity changed.
type Difference struct {
	Kind rts.Kind `json:"kind"`
	Name string   `json:"name"`
	Why  string   `json:"why"`
}

// An Origin is where a record comes from.
type Origin struct {
	When     time.Time `json:"when"`
	Revision string    `json:"revision,omitempty"`
	Dirty    bool      `json:"dirty,omitempty"`
}

// A Comparison is what a trial shows.
type Comparison struct {
	Tests    int `json:"tests"`
	Selected int `json:"selected"`
	LeftOut  int `json:"left_out"`
	// NotCompared is the number of tests that were left out and of which nothing can be said, because the run did not come to its end.
	NotCompared int    `json:"not_compared,omitempty"`
	Failed      int    `json:"failed"`
	Missed      []Miss `json:"missed"`
	// Unexplained are groups of tests with failures that belong to no test that is known to have failed.
	Unexplained []string `json:"unexplained,omitempty"`
}

// Compare compares every test that was left out.
func (t *Trial) Compare() Comparison {
	c := Comparison{Tests: len(t.Selection.Decisions), Selected: len(t.Selection.Selected()), Missed: []Miss{}}
	for _, end := range t.Ends {
		if end.bad() {
			c.Failed++
		}
	}
	for i := range t.Selection.Decisions {
		d := &t.Selection.Decisions[i]
		if d.Selected() || d.Obsolete != "" {
			continue
		}
		c.LeftOut++
		end, heard := t.Ends[d.Test.ID]
		switch {
		case !heard && t.Whole:
			c.Missed = append(c.Missed, t.miss(d, NotRun, ""))
		case !heard, end.Outcome == rts.OutcomeNone:
			c.NotCompared++
		case end.Outcome != t.Proven[d.Test.ID]:
			c.Missed = append(c.Missed, t.miss(d, end.Outcome.String(), end.Message))
		}
	}
	t.groups(&c)
	return c
}

func (t *Trial) miss(d *rts.Decision, outcome, message string) Miss {
	m := Miss{Test: d.Test.ID, Proven: t.Proven[d.Test.ID].String(), Outcome: outcome, Message: message}
	if p := d.Proof; p != nil {
		m.Inputs, m.Recorded = p.Inputs, Origin{p.Meta.When, p.Meta.Revision, p.Meta.Dirty}
		for _, diff := range p.Differences {
			m.Differences = append(m.Differences, Difference{diff.Entity.Kind, diff.Entity.Name, diff.Why})
		}
	}
	return m
}

// groups holds the comparison against the other witness: a failure in a group of which all tests were left out is a miss whoever saw it.
func (t *Trial) groups(c *Comparison) {
	for _, group := range sortedKeys(t.Groups) {
		var left []*rts.Decision
		known, explained := false, false
		for i := range t.Selection.Decisions {
			d := &t.Selection.Decisions[i]
			if t.GroupOf(d.Test.ID) != group {
				continue
			}
			known = true
			end := t.Ends[d.Test.ID]
			explained = explained || end.bad() || d.Selected()
			left = append(left, d)
		}
		switch {
		case explained, slices.ContainsFunc(c.Missed, func(m Miss) bool { return t.GroupOf(m.Test) == group }):
		case known:
			for _, d := range left {
				c.Missed = append(c.Missed, t.miss(d, rts.Failed.String(), "told by the build tool only, of its class: "+t.Groups[group]))
			}
		default:
			c.Unexplained = append(c.Unexplained, group)
		}
	}
}

// killing returns the tests that failed and did not fail before.
func (t *Trial) killing(before *Trial) []rts.TestID {
	var out []rts.TestID
	for id, end := range t.Ends {
		if end.bad() && !before.Ends[id].bad() {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// running returns the tests that had been left out and were running when the run was stopped.
func (t *Trial) running() []*rts.Decision {
	var out []*rts.Decision
	for i := range t.Selection.Decisions {
		d := &t.Selection.Decisions[i]
		if end, heard := t.Ends[d.Test.ID]; heard && end.Outcome == rts.OutcomeNone && !d.Selected() {
			out = append(out, d)
		}
	}
	return out
}

// leftOut returns the tests that were left out.
func (t *Trial) leftOut() []rts.TestID {
	var out []rts.TestID
	for i := range t.Selection.Decisions {
		if d := &t.Selection.Decisions[i]; !d.Selected() && d.Obsolete == "" {
			out = append(out, d.Test.ID)
		}
	}
	return out
}
