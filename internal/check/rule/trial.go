package rule

import (
	"fmt"
	"maps"
	"slices"
)

// A Role is the part that a subject plays in a comparison.
type Role string

// The roles.
const (
	// Baseline runs every test.
	Baseline Role = "baseline"
	// Selecting subjects are tools; each is one of the others for R2, R4 and I6.
	Selecting Role = "selecting"
	// Broken subjects are deliberately wrong. They are judged, and no rule compares others with them.
	Broken Role = "broken"
)

// An Outcome is how a test ended.
type Outcome struct {
	Failed bool `json:"failed,omitempty"`
	// State is what the test left, as far as it was captured; "" if it was not.
	State string `json:"state,omitempty"`
}

// A Step is what a subject did at one revision.
type Step struct {
	// NotApplicable says why the subject cannot work here; Crash how it broke down. With either of them nothing else counts.
	NotApplicable string `json:"not_applicable,omitempty"`
	Crash         string `json:"crash,omitempty"`

	// Selected are the tests that the subject chose, Outcomes those that ran.
	Selected []string           `json:"selected,omitempty"`
	Outcomes map[string]Outcome `json:"outcomes,omitempty"`
	// Excepted are selected tests that run at every revision for a reason that the subject gives: what they use cannot be tracked.
	Excepted map[string]string `json:"excepted,omitempty"`
	// Causes says for selected tests why, in the subject's own words. For people and for grouping only.
	Causes map[string]string `json:"causes,omitempty"`
}

// Done tells whether the step was carried out.
func (s *Step) Done() bool { return s.NotApplicable == "" && s.Crash == "" }

// Executed are the tests that ran, in order.
func (s *Step) Executed() []string { return slices.Sorted(maps.Keys(s.Outcomes)) }

func (s *Step) ran(test string) bool {
	_, ok := s.Outcomes[test]
	return ok
}

func (s *Step) failures() int {
	n := 0
	for _, o := range s.Outcomes {
		if o.Failed {
			n++
		}
	}
	return n
}

// A History is what a subject did on all revisions.
type History struct {
	Subject string `json:"subject"`
	Role    Role   `json:"role"`
	// Family joins subjects that must select the same: one tool, run in other orders or more often.
	Family string `json:"family,omitempty"`
	Steps  []Step `json:"steps"`
}

// A Trial is what all subjects did on one evolving program.
type Trial struct {
	Program string `json:"program"`
	// Same tells for each revision whether it equals the one before.
	Same []bool `json:"same"`
	// Histories has the baseline first.
	Histories []History `json:"histories"`
	// Touched has for each revision the tests that executed a method that differs from the revision before, each with one such method; nil where that was not looked at. Tests
	// that executed methods differing by the numbers that compilers give only are not among them, but in Renumbered.
	Touched    []map[string]string `json:"touched,omitempty"`
	Paper      []map[string]string `json:"paper,omitempty"` // as Touched, by the narrower definition that looks at the new revision only
	Renumbered []map[string]string `json:"renumbered,omitempty"`
}

// Check tells whether a trial can be judged: a baseline that was carried out at every revision, and histories of equal length.
func (t *Trial) Check() error {
	if len(t.Histories) == 0 || t.Histories[0].Role != Baseline {
		return fmt.Errorf("%s: no baseline", t.Program)
	}
	for _, h := range t.Histories {
		if len(h.Steps) != len(t.Same) {
			return fmt.Errorf("%s: %s has %d steps for %d revisions", t.Program, h.Subject, len(h.Steps), len(t.Same))
		}
	}
	for r := range t.Same {
		if !t.Histories[0].Steps[r].Done() {
			return fmt.Errorf("%s: the baseline has no results at revision %d", t.Program, r)
		}
	}
	return nil
}

// all is the baseline's step.
func (t *Trial) all(r int) *Step { return &t.Histories[0].Steps[r] }

// judged calls a function for every step of a subject that was carried out.
func (t *Trial) judged(do func(h *History, r int, s *Step)) {
	for i := range t.Histories[1:] {
		h := &t.Histories[i+1]
		for r := range h.Steps {
			if h.Steps[r].Done() {
				do(h, r, &h.Steps[r])
			}
		}
	}
}

// others are the steps of the other selecting subjects at a revision, nil unless there are two that were carried out, of families other than the subject's.
func (t *Trial) others(h *History, r int) []*Step {
	var out []*Step
	families := map[string]bool{}
	for i := range t.Histories {
		o := &t.Histories[i]
		if o.Role != Selecting || o == h || o.Family != "" && (o.Family == h.Family || families[o.Family]) || !o.Steps[r].Done() {
			continue
		}
		families[o.Family] = true
		out = append(out, &o.Steps[r])
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// newlyFailed are the tests that fail at a revision with the baseline and passed at the one before.
func (t *Trial) newlyFailed(r int) []string {
	if r == 0 {
		return nil
	}
	var out []string
	for test, o := range t.all(r).Outcomes {
		if before, ok := t.all(r - 1).Outcomes[test]; ok && o.Failed && !before.Failed {
			out = append(out, test)
		}
	}
	slices.Sort(out)
	return out
}
