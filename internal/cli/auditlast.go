package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"winnow/internal/audit"
	"winnow/internal/report"
	"winnow/internal/vcs"
)

// A replayed is a clone that goes from revision to revision.
type replayed struct {
	*auditor
	clone string
	patch map[string]string // by revision: local changes to apply
}

// Try goes to a revision and runs all tests there, after a selection.
func (r *replayed) Try(ctx context.Context, revision string) (*audit.Trial, error) {
	if err := vcs.Checkout(ctx, r.clone, revision); err != nil {
		return nil, err
	}
	if patch := r.patch[revision]; patch != "" {
		if err := vcs.Apply(ctx, r.clone, patch); err != nil {
			return nil, fmt.Errorf("local changes of the case: %w", err)
		}
	}
	if _, err := os.Stat(filepath.Join(r.inner.Dir, "pom.xml")); err != nil {
		return nil, fmt.Errorf("%w: there is no pom.xml", audit.ErrBuild)
	}
	h, outcome, err := r.build(ctx, &shadow{onward: true})
	if err != nil {
		return nil, err
	}
	return tryIt(h, outcome), nil
}

// cloned makes the scratch clone.
func (au *auditor) cloned(ctx context.Context) (*replayed, error) {
	clone := filepath.Join(au.scratch, filepath.Base(au.w.root))
	root, err := vcs.Clone(ctx, au.w.root, clone)
	if err != nil {
		return nil, &fault{ExitUsage, fmt.Errorf("%s: %w", au.w.shown, err)}
	}
	au.inside(root)
	return &replayed{auditor: au, clone: clone, patch: map[string]string{}}, nil
}

// replay goes through the last commits. The one before them is recorded first.
func (au *auditor) replay(ctx context.Context, n int) error {
	commits, err := vcs.Log(ctx, au.w.root, n+1)
	if err != nil {
		return &fault{ExitUsage, fmt.Errorf("%s: %w", au.w.shown, err)}
	}
	if len(commits) < 2 {
		return usage("%s has no two commits to go through", au.w.shown)
	}
	revisions := make([]audit.Revision, len(commits))
	for i, c := range commits {
		revisions[i] = audit.Revision{ID: c.Revision, Title: c.Title}
	}
	p, err := au.cloned(ctx)
	if err != nil {
		return err
	}
	steps, err := audit.Replay(ctx, p, revisions, func(s *audit.Step, done, total int, left time.Duration) {
		au.tellStep(s, done, total, left)
		if len(s.Missed) > 0 {
			au.missedStep(ctx, s)
		}
	})
	au.result.fillSteps(steps, len(revisions)-1)
	return err
}

func short(revision string) string { return revision[:min(9, len(revision))] }

func (au *auditor) tellStep(s *audit.Step, done, total int, left time.Duration) {
	line := fmt.Sprintf("%d/%d %s %s", done-1, total-1, short(s.ID), stepSays(s))
	if done < total {
		line += fmt.Sprintf(" · about %s left", report.Duration(left))
	}
	fmt.Fprintln(au.Err, line)
}

func stepSays(s *audit.Step) string {
	if s.Unbuildable != "" {
		return s.Unbuildable
	}
	return fmt.Sprintf("%d tests · %d selected · %d left out · %d failed · %d missed", s.Tests, s.Selected, s.LeftOut, s.Failed, len(s.Missed))
}

// missedStep writes the case of a revision at which tests were missed.
func (au *auditor) missedStep(ctx context.Context, s *audit.Step) {
	from := s.Missed[0].Recorded.Revision
	if from == "" {
		from = s.Before
	}
	au.keep(ctx, &audit.Case{From: from, To: s.ID, Arguments: au.args, Missed: s.Missed}, nil)
	for _, miss := range s.Missed {
		au.tellMiss(miss, "at "+s.ID)
	}
}

// repeat repeats a case.
func (au *auditor) repeat(ctx context.Context, file string) error {
	c, err := audit.ReadCase(au.path(file))
	if err != nil {
		return usage("--repeat: %v", err)
	}
	if len(au.args) == 0 {
		au.args = c.Arguments
	}
	if au.flags.technique == "" {
		au.flags.technique = c.Technique
	}
	if c.Mutant != "" {
		return au.repeatMutant(ctx, c)
	}
	return au.repeatStep(ctx, c, filepath.Join(filepath.Dir(au.path(file)), audit.PatchFile))
}

func (au *auditor) repeatMutant(ctx context.Context, c *audit.Case) error {
	if rev, _ := vcs.Head(ctx, au.w.root); rev != c.To {
		au.result.Notices = append(au.result.Notices, fmt.Sprintf("the case was found at %s, which is not checked out", short(c.To)))
	}
	m, err := au.recorded(ctx)
	if err != nil {
		return err
	}
	if _, err := m.ownClasses(); err != nil {
		return err
	}
	return au.tryMutants(ctx, m, []string{c.Mutant})
}

func (au *auditor) repeatStep(ctx context.Context, c *audit.Case, patch string) error {
	if c.FromDirty {
		au.result.Notices = append(au.result.Notices, "the record was made with local changes, which are not in the case")
	}
	p, err := au.cloned(ctx)
	if err != nil {
		return err
	}
	to := audit.Revision{ID: c.To}
	if c.ToDirty {
		p.patch[c.To] = patch
	}
	steps, err := audit.Replay(ctx, p, []audit.Revision{{ID: c.From}, to}, func(s *audit.Step, done, total int, left time.Duration) {
		au.tellStep(s, done, total, left)
		for _, miss := range s.Missed {
			au.tellMiss(miss, "at "+s.ID)
		}
	})
	au.result.fillSteps(steps, 1)
	return err
}
