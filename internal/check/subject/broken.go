package subject

import (
	"context"
	"slices"

	"winnow/internal/check/rule"
)

// A Broken subject is another one with a fault put in, to see that rules fire.
type Broken struct {
	Description
	Of Subject
	// Spoil changes what the subject did; all is the baseline's step.
	Spoil func(r int, same bool, step *rule.Step, all map[string]rule.Outcome)
}

// Describe says what it is.
func (b *Broken) Describe() Description { return b.Description }

// Begin begins with the other subject.
func (b *Broken) Begin(ctx context.Context, lab *Lab) (Session, error) {
	inner, err := b.Of.Begin(ctx, lab)
	if err != nil {
		return nil, err
	}
	return &brokenSession{b, lab, inner}, nil
}

type brokenSession struct {
	broken *Broken
	lab    *Lab
	Session
}

func (s *brokenSession) Step(ctx context.Context, r int) (rule.Step, error) {
	step, err := s.Session.Step(ctx, r)
	if err != nil || !step.Done() || s.lab.Material == nil {
		return step, err
	}
	s.broken.Spoil(r, s.lab.Same[r], &step, outcomes(s.lab.Material[r].Plain))
	return step, nil
}

// leave takes a test out of a step.
func leave(step *rule.Step, test string) {
	step.Selected = slices.DeleteFunc(step.Selected, func(s string) bool { return s == test })
	delete(step.Outcomes, test)
}

// take puts a test into a step.
func take(step *rule.Step, test string, o rule.Outcome) {
	if !slices.Contains(step.Selected, test) {
		step.Selected = append(step.Selected, test)
	}
	step.Outcomes[test] = o
}

// BrokenOnes are deliberately wrong variants of the default technique. Each rule is violated by one of them wherever it can be.
func BrokenOnes() []*Broken {
	of := Techniques[0]
	make := func(name, title, family string, spoil func(r int, same bool, step *rule.Step, all map[string]rule.Outcome)) *Broken {
		return &Broken{Description{name, title, rule.Broken, family}, of, spoil}
	}
	return []*Broken{
		make("broken-lazy", "selects nothing after a change: R1, R2, I1, I2, I6", "", func(r int, _ bool, step *rule.Step, _ map[string]rule.Outcome) {
			if r > 0 {
				step.Selected, step.Outcomes = nil, map[string]rule.Outcome{}
			}
		}),
		make("broken-eager", "selects everything after a change: R3, R4", "", func(r int, same bool, step *rule.Step, all map[string]rule.Outcome) {
			for test, o := range all {
				if r > 0 && !same {
					take(step, test, o)
				}
			}
		}),
		make("broken-restless", "selects everything without a change: R5, I8", "", func(r int, same bool, step *rule.Step, all map[string]rule.Outcome) {
			for test, o := range all {
				if same {
					take(step, test, o)
				}
			}
		}),
		make("broken-shy", "leaves out a test at first: R6, I7", "", func(r int, _ bool, step *rule.Step, _ map[string]rule.Outcome) {
			if tests := step.Executed(); r == 0 && len(tests) > 0 {
				leave(step, tests[0])
			}
		}),
		make("broken-harmful", "makes tests fail: R7, I3", "", func(_ int, _ bool, step *rule.Step, _ map[string]rule.Outcome) {
			for test, o := range step.Outcomes {
				o.Failed = true
				step.Outcomes[test] = o
			}
		}),
		make("broken-liar", "says that it runs what it does not: I4", "", func(_ int, _ bool, step *rule.Step, _ map[string]rule.Outcome) {
			if tests := step.Executed(); len(tests) > 0 {
				delete(step.Outcomes, tests[0])
			}
		}),
		make("broken-moody", "selects otherwise when it runs in another order: I5", of.Family, func(r int, _ bool, step *rule.Step, all map[string]rule.Outcome) {
			for test, o := range all {
				if r > 0 {
					take(step, test, o)
				}
			}
		}),
	}
}
