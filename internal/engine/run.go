package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/store"
)

// A Report tells what a run did.
type Report struct {
	Selection *rts.Selection
	// Results are the tests that ended, in the order in which they did.
	Results []Result
	// NotRun are selected tests that were kept from running, with the front end's explanation. They stay selected.
	NotRun map[rts.TestID]string
	// Missing are selected tests of which nothing was heard, Extra tests that ran without being selected. Either fails the run.
	Missing, Extra []rts.TestID
	// Interrupted means that the run was cut short.
	Interrupted bool
	// RunErr is the front end's own failure, RecordErr the failure to record. Neither hides results.
	RunErr, RecordErr error
	// Troubles are what went wrong besides; none of it concerns the results or whether they are recorded.
	Troubles []error
	// Took is the time of the execution, Saved the recorded duration of the tests left out.
	Took, Saved time.Duration
}

// Count returns the number of tests that ended with the given outcome.
func (r *Report) Count(o rts.Outcome) int {
	n := 0
	for i := range r.Results {
		if r.Results[i].Record.Outcome == o {
			n++
		}
	}
	return n
}

// Bad returns the number of tests that ended in any other way than passing or being skipped.
func (r *Report) Bad() int { return len(r.Results) - r.Count(rts.Passed) - r.Count(rts.Skipped) }

// Run executes what a selection selects and records it under meta. The error is about the engine's own work; failures
// of tests, of the front end and of recording are in the report.
func (e *Engine) Run(ctx context.Context, sel *rts.Selection, meta rts.Meta, watch func(Result)) (*Report, error) {
	rep := &Report{Selection: sel, NotRun: map[rts.TestID]string{}}
	start := e.now()
	if meta.When.IsZero() {
		meta.When = start.UTC().Truncate(time.Millisecond)
	}
	finder, _ := e.Project.(Discoverer)
	due := e.due(sel)
	if len(due) > 0 || finder != nil && finder.Unlisted() != "" {
		rec := (&recorder{ctx: context.WithoutCancel(ctx), store: e.Store, meta: meta, report: rep, watch: watch, now: e.now, every: cmp.Or(e.Config.StoreEvery, time.Second), settled: e.settled, unkept: e.unkept(sel)}).start()
		rep.RunErr = e.Project.Run(ctx, due, rec)
		rep.RecordErr = errors.Join(rep.RecordErr, rec.finish())
		if ctx.Err() != nil {
			rep.Interrupted = true
			if errors.Is(rep.RunErr, ctx.Err()) {
				rep.RunErr = nil
			}
		}
	}
	rep.Took = e.now().Sub(start)
	if finder != nil {
		e.welcome(rep, finder)
	}
	e.reconcile(rep, e.due(sel))
	if e.Config.Shadow {
		return rep, nil // nothing was saved
	}
	var err error
	if rep.Saved, err = e.Saved(ctx, rep.Selection); err != nil {
		rep.Troubles = append(rep.Troubles, err)
	}
	return rep, nil
}

// due returns the tests to run.
func (e *Engine) due(sel *rts.Selection) []rts.TestID {
	if !e.Config.Shadow {
		return sel.Selected()
	}
	var all []rts.TestID
	for i := range sel.Decisions {
		if sel.Decisions[i].Obsolete == "" {
			all = append(all, sel.Decisions[i].Test.ID)
		}
	}
	return all
}

// unkept returns the tests that run and are not recorded.
func (e *Engine) unkept(sel *rts.Selection) map[rts.TestID]bool {
	out := map[rts.TestID]bool{}
	for i := range sel.Decisions {
		if d := &sel.Decisions[i]; e.Config.KeepSelected && !d.Selected() {
			out[d.Test.ID] = true
		}
	}
	return out
}

// welcome adds the tests that the run met and nobody knew: they had to run, because they have no record (S1.1).
func (e *Engine) welcome(rep *Report, finder Discoverer) {
	known := map[rts.TestID]bool{}
	for i := range rep.Selection.Decisions {
		known[rep.Selection.Decisions[i].Test.ID] = true
	}
	for i := range rep.Results {
		if id := rep.Results[i].Record.Test; !known[id] {
			known[id] = true
			rep.Selection.Decisions = append(rep.Selection.Decisions, rts.Decision{Test: finder.Found(id), Reasons: because(rts.NoRecord, "")})
		}
	}
	rep.Selection.Modules = verdicts(e.Project.Modules(), rep.Selection.Decisions)
}

func (e *Engine) now() time.Time {
	if e.Config.Now != nil {
		return e.Config.Now()
	}
	return time.Now()
}

// settled returns what the project is now, if its digests were not taken at the moment of reading (S1.9).
func (e *Engine) settled() (rts.Snapshot, error) {
	p, ok := e.Project.(Rechecker)
	if !ok || !e.Config.Rules.Hold(safety.SettledInputs) {
		return nil, nil
	}
	return p.Recheck()
}

// reconcile checks that selected = executed, skipped by the framework, or kept from running with an explanation (S3.1).
func (e *Engine) reconcile(rep *Report, selected []rts.TestID) {
	if !e.Config.Rules.Hold(safety.ReconcileRuns) {
		return
	}
	heard := map[rts.TestID]bool{}
	for id := range rep.NotRun {
		heard[id] = true
	}
	chosen := map[rts.TestID]bool{}
	for _, id := range selected {
		chosen[id] = true
	}
	for i := range rep.Results {
		id := rep.Results[i].Record.Test
		heard[id] = true
		if !chosen[id] && rep.Results[i].Unasked == "" {
			rep.Extra = append(rep.Extra, id)
		}
	}
	for _, id := range selected {
		// A run that was cut short, or failed as a whole, has said so already.
		if !heard[id] && !rep.Interrupted && rep.RunErr == nil {
			rep.Missing = append(rep.Missing, id)
		}
	}
	slices.Sort(rep.Extra)
	rep.Extra = slices.Compact(rep.Extra)
}

// Saved adds up the recorded durations of the tests that a selection leaves out.
func (e *Engine) Saved(ctx context.Context, sel *rts.Selection) (sum time.Duration, err error) {
	v, err := e.Store.View(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return 0, nil
		}
		return 0, fmt.Errorf("adding up what was saved: %w", err)
	}
	durations := v.Durations()
	for i := range sel.Decisions {
		if d := &sel.Decisions[i]; d.Proof != nil {
			sum += durations[d.Test.ID]
		}
	}
	return sum, v.Close()
}

// Summary returns the run summary for the store's history.
func (r *Report) Summary(meta rts.Meta) store.Run {
	run := store.Run{
		When: meta.When, Revision: meta.Revision, Tests: len(r.Selection.Decisions), Selected: len(r.Selection.Selected()),
		Executed: len(r.Results), Passed: r.Count(rts.Passed), Failed: r.Bad(), Took: r.Took, Saved: r.Saved, Interrupted: r.Interrupted,
	}
	rank := map[rts.Verdict]int{rts.NoTests: 1, rts.ProvenEmpty: 2, rts.Exact: 3, rts.Full: 4}
	for _, m := range r.Selection.Modules {
		if rank[m.Verdict] > rank[rts.Verdict(run.Verdict)] {
			run.Verdict = string(m.Verdict)
		}
	}
	return run
}
