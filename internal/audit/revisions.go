package audit

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Revision is one of a project's history.
type Revision struct {
	ID    string `json:"revision"`
	Title string `json:"title"`
}

// A Replayed is a project that can be taken to its revisions, and keeps records from one to the next.
type Replayed interface {
	// Try goes to a revision, makes the selection, runs all tests and records them.
	Try(ctx context.Context, revision string) (*Trial, error)
}

// A Step is a revision that was tried.
type Step struct {
	Revision
	Comparison
	// Unbuildable says why the revision could not be tried, "" if it could.
	Unbuildable string `json:"unbuildable,omitempty"`
	// Before is the last revision before that could be tried.
	Before string `json:"before,omitempty"`
	Took   int64  `json:"took_ms"`
}

// Replay tries revisions in the given order. When the context ends it returns what was tried.
func Replay(ctx context.Context, p Replayed, revisions []Revision, watch func(s *Step, done, total int, left time.Duration)) ([]Step, error) {
	var steps []Step
	start, before := time.Now(), ""
	for i, r := range revisions {
		s := Step{Revision: r, Before: before}
		began := time.Now()
		t, err := p.Try(ctx, r.ID)
		switch {
		case ctx.Err() != nil:
			return steps, ctx.Err()
		case errors.Is(err, ErrBuild):
			s.Unbuildable, s.Missed = err.Error(), []Miss{}
		case err != nil:
			return steps, fmt.Errorf("revision %s: %w", r.ID, err)
		default:
			s.Comparison, before = t.Compare(), r.ID
		}
		s.Took = time.Since(began).Milliseconds()
		steps = append(steps, s)
		if watch != nil {
			watch(&s, i+1, len(revisions), time.Since(start)/time.Duration(i+1)*time.Duration(len(revisions)-i-1))
		}
	}
	return steps, nil
}
