package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/store"
)

type panicError struct{ value any }

func (p panicError) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// Select decides about every test of the project. It runs nothing and records nothing.
func (e *Engine) Select(ctx context.Context) (sel *rts.Selection, err error) {
	v, err := e.Store.View(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err = errors.Join(err, v.Close()); err != nil {
			sel = nil
		}
	}()
	c, err := e.compare(ctx, v)
	if err != nil {
		return nil, err
	}
	return c.selection()
}

func (c *comparison) selection() (*rts.Selection, error) {
	records := map[rts.TestID][]store.Stored{}
	finder, finds := c.engine.Project.(Discoverer)
	c.view.Records(func(r store.Stored) {
		if !finds || finder.Owns(r.Test) {
			records[r.Test] = append(records[r.Test], r)
		}
	})
	tests := c.engine.Project.Tests()
	if err := c.prepare(tests, records); err != nil {
		return nil, err
	}
	sel := &rts.Selection{Decisions: make([]rts.Decision, 0, len(tests))}
	for _, t := range tests {
		d, err := c.decision(t, records[t.ID])
		if err != nil {
			return nil, err
		}
		sel.Decisions = append(sel.Decisions, d)
	}
	c.countInputs()
	sel.Obsolete = obsolete(tests, records)
	sel.Changes = changes(sel.Decisions)
	sel.Modules = verdicts(c.engine.Project.Modules(), sel.Decisions)
	return sel, nil
}

// prepare decides about the footprints of all records that will be weighed, in the order in which they are stored. Tests come by name, and would have the same blocks read again and again.
func (c *comparison) prepare(tests []rts.Test, records map[rts.TestID][]store.Stored) error {
	var refs []store.FootprintRef
	for i := range tests {
		of := records[tests[i].ID]
		for k := range of {
			if r := &of[k]; tests[i].Gone == "" && c.hit.Has(r.Ref) && c.admits(r) {
				refs = append(refs, r.Ref)
			}
		}
	}
	slices.SortFunc(refs, store.FootprintRef.Compare)
	for _, ref := range refs {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if _, err := c.holds(ref); err != nil {
			return err
		}
	}
	return nil
}

// admits tells whether a record counts. Where a pass was made may matter to the user; a record that is no pass speaks against a proof wherever it was made (S1.5).
func (c *comparison) admits(r *store.Stored) bool {
	admit := c.engine.Config.Admit
	return admit == nil || !r.Outcome.Proves() || admit(r.Meta)
}

// obsolete returns the tests that have records but do not exist any more (S3.4).
func obsolete(tests []rts.Test, records map[rts.TestID][]store.Stored) []rts.TestID {
	exists := make(map[rts.TestID]bool, len(tests))
	for _, t := range tests {
		exists[t.ID] = true
	}
	var gone []rts.TestID
	for id := range records {
		if !exists[id] {
			gone = append(gone, id)
		}
	}
	slices.Sort(gone)
	return gone
}

// evidence sorts a test's records by what they say about the present state.
type evidence struct {
	passes, bad []*store.Stored
	// nearest is the record to compare with when none holds: among complete passes, else among all, the one with the fewest differences that matter, of
	// several the newest. Its reasons are the shortest way to say what happened to the test.
	nearest *store.Stored
	apart   int // the number of its differences
	// judged are the judgements of the records that hold only because differences do not matter.
	judged map[store.FootprintRef]*judgement
	// shut out by Admit
	notAdmitted int
}

func (c *comparison) decision(t rts.Test, records []store.Stored) (rts.Decision, error) {
	d := rts.Decision{Test: t}
	cfg := &c.engine.Config
	if t.Gone != "" && slices.ContainsFunc(records, func(r store.Stored) bool { return r.Outcome.Proves() }) { // (S3.4)
		d.Obsolete = t.Gone
		return d, nil
	}
	if cfg.All {
		d.Reasons = append(d.Reasons, cfg.AllWhy)
	}
	if t.Always != "" && cfg.Rules.Hold(safety.AlwaysSelected) { // (S1.10)
		d.Reasons = append(d.Reasons, rts.Reason{Code: t.Always, Detail: t.AlwaysWhy})
	}
	ev, err := c.weigh(records, c.required(t.ID))
	if err != nil {
		return d, err
	}
	reasons, proof, err := c.verdict(ev)
	if err != nil {
		return d, err
	}
	d.Reasons = append(d.Reasons, reasons...)
	if len(d.Reasons) == 0 {
		d.Proof = proof
	}
	return d, nil
}

// required returns the inputs that a record of the test must have (S1.14).
func (c *comparison) required(test rts.TestID) []rts.Entity {
	if p, ok := c.engine.Project.(Requirer); ok && c.engine.Config.Rules.Hold(safety.DeclaredCounts) {
		return p.Required(test)
	}
	return nil
}

// lacks tells whether a footprint has no use of one of the entities.
func (c *comparison) lacks(ref store.FootprintRef, required []rts.Entity) (bool, error) {
	if len(required) == 0 {
		return false, nil
	}
	uses, err := c.view.Uses(ref)
	if err != nil {
		return false, err
	}
	for _, e := range required {
		if !slices.ContainsFunc(uses, func(u rts.Use) bool { return u.Entity == e }) {
			return true, nil
		}
	}
	return false, nil
}

func (c *comparison) weigh(records []store.Stored, required []rts.Entity) (*evidence, error) {
	ev := &evidence{}
	for i := range records {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		r := &records[i]
		if !c.admits(r) {
			ev.notAdmitted++
			continue
		}
		lacks, err := c.lacks(r.Ref, required)
		if err != nil {
			return nil, err
		}
		r.Incomplete = r.Incomplete || lacks
		j, err := c.holds(r.Ref)
		if err != nil {
			return nil, err
		}
		ev.consider(r, len(j.reasons))
		if slices.ContainsFunc(j.reasons, func(reason rts.Reason) bool { return len(required) == 0 || !outside(reason.Code) }) {
			continue
		}
		if len(j.harmless) > 0 {
			if ev.judged == nil {
				ev.judged = map[store.FootprintRef]*judgement{}
			}
			ev.judged[r.Ref] = j
		}
		c.file(ev, r)
	}
	ev.dropAnswered()
	return ev, nil
}

// outside tells whether a reason is that something cannot be tracked. Inputs that are declared stand for it (S1.14).
func outside(c rts.Code) bool { return c == rts.External || c == rts.Opaque }

// file puts a record whose inputs hold where it belongs: with the proofs, with what speaks against them, or nowhere.
func (c *comparison) file(ev *evidence, r *store.Stored) {
	rules := c.engine.Config.Rules
	switch {
	case r.Outcome == rts.OutcomeNone && rules.Hold(safety.OnlyPassProves):
		// Its end was not seen: it says nothing.
	case !r.Outcome.Proves() && rules.Hold(safety.OnlyPassProves): // (S1.2)
		ev.bad = append(ev.bad, r)
	case r.Incomplete && rules.Hold(safety.CompleteOnly): // (S1.7)
		// It may lack what has changed.
	default:
		ev.passes = append(ev.passes, r)
	}
}

// consider remembers the record that a selected test is compared with.
func (ev *evidence) consider(r *store.Stored, apart int) {
	if ev.nearest == nil || nearer(r, apart, ev.nearest, ev.apart) {
		ev.nearest, ev.apart = r, apart
	}
}

func nearer(a *store.Stored, apart int, b *store.Stored, than int) bool {
	good := func(s *store.Stored) bool { return s.Outcome.Proves() && !s.Incomplete }
	switch {
	case good(a) != good(b):
		return good(a)
	case apart != than:
		return apart < than
	}
	return !a.Meta.When.Before(b.Meta.When)
}

// dropAnswered removes incomplete bad records that a later complete pass has answered. What such a record used is not known, so it
// cannot be said to have had the inputs of the pass; only one that came after the pass speaks against it.
func (ev *evidence) dropAnswered() {
	last := newestOf(ev.passes)
	if last == nil {
		return
	}
	ev.bad = slices.DeleteFunc(ev.bad, func(r *store.Stored) bool {
		return r.Incomplete && r.Meta.When.Before(last.Meta.When)
	})
}

func newestOf(records []*store.Stored) *store.Stored {
	var last *store.Stored
	for _, r := range records {
		if last == nil || !r.Meta.When.Before(last.Meta.When) {
			last = r
		}
	}
	return last
}

// verdict turns evidence into reasons or a proof.
func (c *comparison) verdict(ev *evidence) ([]rts.Reason, *rts.Proof, error) {
	pass, bad := newestOf(ev.passes), newestOf(ev.bad)
	switch {
	case pass != nil && (bad == nil || !c.engine.Config.Rules.Hold(safety.AgreementNeeded)):
		return nil, c.proof(pass, ev), nil
	case pass != nil: // (S1.5)
		return because(rts.Unstable, fmt.Sprintf("%s %s, %s %s", pass.Outcome, when(pass), bad.Outcome, when(bad))), nil, nil
	case bad != nil:
		return because(rts.FailedLast, fmt.Sprintf("%s %s", bad.Outcome, when(bad))), nil, nil
	case ev.nearest != nil:
		return c.whyNot(ev)
	case ev.notAdmitted > 0:
		return because(rts.NotAtBase, fmt.Sprintf("%d records elsewhere", ev.notAdmitted)), nil, nil
	case !c.engine.Config.Rules.Hold(safety.NoRecordSelects):
		return nil, &rts.Proof{}, nil
	}
	return because(rts.NoRecord, ""), nil, nil // (S1.1)
}

// whyNot says why the nearest record is no proof: what differs from it, or what it lacks itself.
func (c *comparison) whyNot(ev *evidence) ([]rts.Reason, *rts.Proof, error) {
	j, err := c.holds(ev.nearest.Ref)
	switch {
	case err != nil:
		return nil, nil, err
	case len(j.reasons) > 0:
		return j.reasons, nil, nil
	case ev.nearest.Outcome == rts.OutcomeNone:
		return because(rts.Interrupted, ""), nil, nil
	}
	return because(rts.Incomplete, ""), nil, nil
}

func because(code rts.Code, detail string) []rts.Reason {
	return []rts.Reason{{Code: code, Detail: detail}}
}

func when(r *store.Stored) string {
	at := r.Meta.When.Format("2006-01-02 15:04")
	if r.Meta.Revision != "" {
		at += " at " + shortRevision(r.Meta.Revision)
	}
	return at
}

func shortRevision(rev string) string { return rev[:min(len(rev), 9)] }

func (c *comparison) proof(pass *store.Stored, ev *evidence) *rts.Proof {
	proof := &rts.Proof{Meta: pass.Meta}
	c.proofs = append(c.proofs, proven{proof, pass.Ref})
	j := ev.judged[pass.Ref]
	if j == nil {
		return proof
	}
	for _, d := range j.harmless {
		if !slices.Contains(proof.Differences, d) {
			proof.Differences = append(proof.Differences, d)
		}
	}
	return proof
}

// A proven is a proof and the footprint that it is about.
type proven struct {
	*rts.Proof
	ref store.FootprintRef
}

// countInputs notes in the proofs how many inputs they are about, in the order in which these are stored.
func (c *comparison) countInputs() {
	slices.SortFunc(c.proofs, func(a, b proven) int { return a.ref.Compare(b.ref) })
	for _, p := range c.proofs {
		p.Inputs = c.view.CountUses(p.ref)
	}
}

// KnownTests returns the tests that have records, sorted.
func (e *Engine) KnownTests(ctx context.Context) ([]rts.TestID, error) {
	v, err := e.Store.View(ctx)
	if err != nil {
		return nil, err
	}
	return v.Tests(), v.Close()
}

// Known returns the tests that have records, each with the origin of its newest one.
func (e *Engine) Known(ctx context.Context) (map[rts.TestID]rts.Meta, error) {
	v, err := e.Store.View(ctx)
	if err != nil {
		return nil, err
	}
	known := map[rts.TestID]rts.Meta{}
	v.Records(func(r store.Stored) {
		if m, ok := known[r.Test]; !ok || !r.Meta.When.Before(m.When) {
			known[r.Test] = r.Meta
		}
	})
	return known, v.Close()
}
