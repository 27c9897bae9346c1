package subject

import (
	"context"
	"fmt"

	"winnow/internal/check/pool"
	"winnow/internal/check/rule"
	"winnow/internal/jvm/observed"
)

// A Paper is a technique as its paper has it, inside this process. It keeps its own history: of a test that it left out it knows what the test did when it last selected it.
type Paper struct {
	Description
	New func() observed.Selector
}

// Describe says what it is.
func (p Paper) Describe() Description { return p.Description }

// Begin starts a history.
func (p Paper) Begin(_ context.Context, lab *Lab) (Session, error) {
	if lab.Material == nil {
		return notApplicable("it works on programs inside this process only"), nil
	}
	return &paperSession{selector: p.New(), lab: lab}, nil
}

type paperSession struct {
	selector observed.Selector
	lab      *Lab
}

// Step selects, and tells the technique what the selected tests did.
func (s *paperSession) Step(_ context.Context, r int) (rule.Step, error) {
	m := s.lab.Material[r]
	seen, err := m.observed()
	if err != nil {
		return rule.Step{}, err
	}
	var tests []observed.Test
	for _, id := range m.Tests {
		tests = append(tests, observedTest(id))
	}
	selected, err := s.selector.Select(seen.program, tests)
	if err != nil {
		return rule.Step{Crash: "selecting: " + err.Error()}, nil
	}
	step := rule.Step{Outcomes: map[string]rule.Outcome{}, Causes: map[string]string{}}
	for _, t := range tests {
		if reason, ok := selected[t.ID]; ok {
			step.Selected = append(step.Selected, t.ID)
			step.Causes[t.ID] = reason
		}
	}
	var ran []observed.Run
	for i := range seen.runs {
		if _, ok := selected[seen.runs[i].Test.ID]; ok {
			ran = append(ran, seen.runs[i])
		}
	}
	for _, o := range m.Recorded.Outcomes {
		if _, ok := selected[o.Test.String()]; ok && o.Result != pool.NotRun {
			step.Outcomes[o.Test.String()] = rule.Outcome{Failed: failed(o.Result), State: o.State}
		}
	}
	if err := s.selector.Ran(seen.program, ran); err != nil {
		return rule.Step{Crash: "recording: " + err.Error()}, nil
	}
	return step, nil
}

func (s *paperSession) Close() error { return nil }

// seen is a revision in the words of the papers' techniques, made once for all of them.
type seen struct {
	program *observed.Program
	runs    []observed.Run
}

func (m *Material) observed() (*seen, error) {
	if m.seen != nil {
		return m.seen, nil
	}
	program, err := jdks.Program(&observed.Unit{Classes: m.files, JDK: m.jdk, Feature: m.program.Feature()})
	if err != nil {
		return nil, fmt.Errorf("a revision: %w", err)
	}
	m.seen = &seen{program, Observe(m.Recorded, m.Detailed, program)}
	return m.seen, nil
}

// jdks are the JDKs in use. They stay open as long as the process lives.
var jdks observed.Shelf
