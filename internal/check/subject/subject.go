package subject

import (
	"context"
	"fmt"

	"winnow/internal/check/rule"
)

// A Description says what a subject is.
type Description struct {
	Name   string
	Title  string
	Role   rule.Role
	Family string
}

// A Subject is a tool under check.
type Subject interface {
	Describe() Description
	// Begin starts with an evolving program about which the subject knows nothing.
	Begin(ctx context.Context, lab *Lab) (Session, error)
}

// A Session is a subject on one evolving program.
type Session interface {
	// Step goes to the next revision.
	Step(ctx context.Context, r int) (rule.Step, error)
	Close() error
}

// A Lab is an evolving program with what its subjects share.
type Lab struct {
	Name string
	// Same tells for each revision whether it equals the one before.
	Same []bool
	// Material has the revisions as they are in this process.
	Material []*Material
}

// Try runs subjects on an evolving program, one after the other. The baseline is the first of them.
func Try(ctx context.Context, lab *Lab, subjects []Subject) (*rule.Trial, error) {
	trial := &rule.Trial{Program: lab.Name, Same: lab.Same}
	for _, s := range subjects {
		h, err := history(ctx, lab, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", lab.Name, s.Describe().Name, err)
		}
		trial.Histories = append(trial.Histories, h)
	}
	return trial, nil
}

func history(ctx context.Context, lab *Lab, s Subject) (h rule.History, err error) {
	d := s.Describe()
	h = rule.History{Subject: d.Name, Role: d.Role, Family: d.Family}
	session, err := s.Begin(ctx, lab)
	if err != nil {
		return h, err
	}
	defer func() {
		if e := session.Close(); err == nil {
			err = e
		}
	}()
	for r := range lab.Same {
		step, err := session.Step(ctx, r)
		if err != nil {
			return h, fmt.Errorf("revision %d: %w", r, err)
		}
		h.Steps = append(h.Steps, step)
	}
	return h, nil
}
