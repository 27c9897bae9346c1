package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/store/segment"
)

func TestRunRecords(t *testing.T) {
	w := newWorld("a", "b")
	w.outcome["m#b"] = rts.Failed
	e := w.engine()
	var watched []Result
	rep, err := e.Run(context.Background(), selects(t, e), rts.Meta{Revision: "r"}, func(r Result) { watched = append(watched, r) })
	if err != nil {
		t.Fatal(err)
	}
	if want := []rts.TestID{"m#a", "m#b"}; !slices.Equal(sortedIDs(rep.Results), want) || !slices.Equal(sortedIDs(watched), want) {
		t.Errorf("results %v, watched %v", rep.Results, watched)
	}
	if rep.RunErr != nil || rep.RecordErr != nil || rep.Interrupted || len(rep.Missing)+len(rep.Extra)+len(rep.NotRun) != 0 {
		t.Errorf("report %+v", rep)
	}
	if rep.Bad() != 1 || rep.Count(rts.Passed) != 1 || rep.Count(rts.Failed) != 1 {
		t.Errorf("%d bad, %d passed", rep.Bad(), rep.Count(rts.Passed))
	}
	wantCodes(t, e, "- failed-last")
}

// TestRunStampsTheTime checks that an origin without a time gets the time of the run, in UTC, to the millisecond.
func TestRunStampsTheTime(t *testing.T) {
	w := newWorld("a")
	e := w.engine()
	start := time.Date(2024, 5, 6, 9, 0, 0, 123456789, time.FixedZone("", 7200))
	now := start
	e.Config.Now = func() time.Time { return now }
	w.runner = func(_ context.Context, tests []rts.TestID, sink Sink) error {
		now = start.Add(1500 * time.Millisecond)
		sink.Done(w.result(tests[0]))
		return nil
	}
	rep := runs(t, e, rts.Meta{})
	if rep.Took != 1500*time.Millisecond {
		t.Errorf("took %v", rep.Took)
	}
	sel := wantCodes(t, e, "-")
	if got, want := sel.Decisions[0].Proof.Meta.When, time.Date(2024, 5, 6, 7, 0, 0, 123e6, time.UTC); got != want {
		t.Errorf("recorded at %v, want %v", got, want)
	}
}

func TestNothingSelectedRunsNothing(t *testing.T) {
	w := newWorld("a")
	e := w.engine()
	runs(t, e, minute(0))
	w.runner = func(context.Context, []rts.TestID, Sink) error { return errors.New("must not be called") }
	if rep := runs(t, e, minute(1)); rep.RunErr != nil || len(rep.Results) != 0 {
		t.Errorf("report %+v", rep)
	}
}

// TestNotRunStaysSelected covers (S3.3).
func TestNotRunStaysSelected(t *testing.T) {
	w := newWorld("a", "b")
	w.runner = func(_ context.Context, tests []rts.TestID, sink Sink) error {
		sink.Done(w.result(tests[0]))
		sink.NotRun(tests[1], "not in the filter")
		return nil
	}
	e := w.engine()
	rep := runs(t, e, minute(0))
	if rep.NotRun["m#b"] != "not in the filter" || len(rep.Missing) != 0 {
		t.Errorf("not run %v, missing %v", rep.NotRun, rep.Missing)
	}
	wantCodes(t, e, "- no-record")
}

// TestMissingAndExtra covers (S3.1).
func TestMissingAndExtra(t *testing.T) {
	w := newWorld("a", "b", "c", "d")
	e := w.engine()
	runs(t, e, minute(0))
	w.now[file("a")], w.now[file("b")] = "2", "2"
	w.runner = func(_ context.Context, _ []rts.TestID, sink Sink) error {
		for _, id := range []rts.TestID{"m#d", "m#c", "m#a", "m#d"} {
			sink.Done(w.result(id))
		}
		return nil
	}
	rep := runs(t, e, minute(1))
	if !slices.Equal(rep.Missing, []rts.TestID{"m#b"}) || !slices.Equal(rep.Extra, []rts.TestID{"m#c", "m#d"}) {
		t.Errorf("missing %v, extra %v", rep.Missing, rep.Extra)
	}
	wantCodes(t, e, "- input-changed - -")
}

// TestCancelledRunKeepsWhatEnded covers an interrupt in the middle: what has ended is recorded, the rest stays selected.
func TestCancelledRunKeepsWhatEnded(t *testing.T) {
	w := newWorld("a", "b")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w.runner = func(ctx context.Context, tests []rts.TestID, sink Sink) error {
		sink.Done(w.result(tests[0]))
		cancel()
		return ctx.Err()
	}
	e := &Engine{Project: w, Store: store.New(strict{&memory.Backend{}})}
	rep, err := e.Run(ctx, selects(t, e), minute(0), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !rep.Interrupted || rep.RunErr != nil || rep.RecordErr != nil || len(rep.Results) != 1 {
		t.Errorf("report %+v", rep)
	}
	wantCodes(t, e, "- no-record")
}

// A strict backend refuses to work for a context that is done, as a database does.
type strict struct{ store.Backend }

func (s strict) Replace(ctx context.Context, add []*segment.Encoded, drop []digest.Digest) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.Backend.Replace(ctx, add, drop)
}

func (s strict) View(ctx context.Context) (store.BackendView, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.Backend.View(ctx)
}

// TestFrontEndError keeps a failure of the front end apart from an interrupt, and keeps the results.
func TestFrontEndError(t *testing.T) {
	broken := errors.New("runner broke")
	w := newWorld("a", "b")
	w.runner = func(_ context.Context, tests []rts.TestID, sink Sink) error {
		sink.Done(w.result(tests[0]))
		return broken
	}
	e := w.engine()
	rep := runs(t, e, minute(0))
	if !errors.Is(rep.RunErr, broken) || rep.Interrupted || len(rep.Results) != 1 {
		t.Errorf("report %+v", rep)
	}
	if len(rep.Missing) > 0 {
		t.Errorf("missing %v: that the run failed was said already", rep.Missing)
	}
	wantCodes(t, e, "- no-record")
}

// TestFrontEndErrorDuringInterrupt: an error of its own is not hidden by the interrupt.
func TestFrontEndErrorDuringInterrupt(t *testing.T) {
	broken := errors.New("runner broke")
	w := newWorld("a")
	ctx, cancel := context.WithCancel(context.Background())
	w.runner = func(context.Context, []rts.TestID, Sink) error {
		cancel()
		return broken
	}
	e := w.engine()
	rep, err := e.Run(ctx, selects(t, e), minute(0), nil)
	if err != nil || !rep.Interrupted || !errors.Is(rep.RunErr, broken) {
		t.Errorf("report %+v, %v", rep, err)
	}
}

// A full backend cannot be written; it counts the attempts.
type full struct {
	store.Backend
	tries int
}

var errFull = errors.New("disk full")

func (f *full) Replace(context.Context, []*segment.Encoded, []digest.Digest) error {
	f.tries++
	return errFull
}

// TestRecordErrorIsReported covers (S4.4): results that could not be recorded are reported, and the tests stay selected.
func TestRecordErrorIsReported(t *testing.T) {
	w := newWorld("a", "b")
	now := epoch
	w.runner = func(_ context.Context, tests []rts.TestID, sink Sink) error {
		for _, id := range tests {
			now = now.Add(time.Second)
			sink.Done(w.result(id))
		}
		return nil
	}
	back := &full{Backend: &memory.Backend{}}
	e := &Engine{Project: w, Store: store.New(back), Config: Config{Now: func() time.Time { return now }}}
	rep := runs(t, e, minute(0))
	if !errors.Is(rep.RecordErr, errFull) || len(rep.Results) != 2 || rep.Count(rts.Passed) != 2 {
		t.Errorf("report %+v", rep)
	}
	if back.tries != 1 {
		t.Errorf("%d attempts to record, want 1: after a failure nothing more is tried", back.tries)
	}
	wantCodes(t, e, "no-record no-record")
}

// TestSaved adds up the recorded durations of the tests left out, of each test the newest.
func TestSaved(t *testing.T) {
	w := newWorld("a", "b", "c")
	e := w.engine()
	took := map[rts.TestID]time.Duration{"m#a": time.Second, "m#b": 2 * time.Second, "m#c": 4 * time.Second}
	w.runner = func(_ context.Context, tests []rts.TestID, sink Sink) error {
		for _, id := range tests {
			res := w.result(id)
			res.Record.Duration = took[id]
			sink.Done(res)
		}
		return nil
	}
	if rep := runs(t, e, minute(0)); rep.Saved != 0 {
		t.Errorf("the first run saved %v", rep.Saved)
	}
	w.now[file("a")], took["m#a"] = "2", 8*time.Second
	if rep := runs(t, e, minute(1)); rep.Saved != 6*time.Second {
		t.Errorf("saved %v, want 6s", rep.Saved)
	}
	w.now[file("b")] = "2"
	if rep := runs(t, e, minute(2)); rep.Saved != 12*time.Second {
		t.Errorf("saved %v, want 12s", rep.Saved)
	}
}

// TestSavedError: that the savings cannot be added up is reported, not taken for zero.
func TestSavedError(t *testing.T) {
	w := newWorld("a")
	back := &brittle{Backend: &memory.Backend{}}
	e := &Engine{Project: w, Store: store.New(back)}
	sel := selects(t, e)
	back.view = errors.New("broken")
	w.runner = func(context.Context, []rts.TestID, Sink) error { return nil }
	rep, err := e.Run(context.Background(), sel, minute(0), nil)
	if err != nil || rep.RecordErr != nil || len(rep.Troubles) != 1 || !errors.Is(rep.Troubles[0], back.view) || !strings.Contains(rep.Troubles[0].Error(), "adding up") {
		t.Errorf("%v, %v, %v", rep.RecordErr, rep.Troubles, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if rep, err := e.Run(ctx, sel, minute(0), nil); err != nil || rep.RecordErr != nil || len(rep.Troubles) > 0 {
		t.Errorf("after an interrupt: %v, %v, %v", rep.RecordErr, rep.Troubles, err)
	}
}

// A finding project learns of its tests by running them.
type finding struct {
	*world
	unlisted string
}

func (f finding) Unlisted() string             { return f.unlisted }
func (f finding) Owns(id rts.TestID) bool      { return strings.HasPrefix(string(id), "m#") }
func (f finding) Found(id rts.TestID) rts.Test { return rts.Test{ID: id, Module: "m"} }

// TestDiscovery: tests that a run meets are new, they count for the verdict, and they are not a mismatch; known ones that are not selected are (S3.1).
func TestDiscovery(t *testing.T) {
	w := newWorld("a", "b")
	all := w.tests
	w.runner = func(_ context.Context, _ []rts.TestID, sink Sink) error {
		sink.Done(w.result("m#a"))
		sink.Done(w.result("m#b"))
		return nil
	}
	e := w.engine()
	w.tests = nil
	e.Project = finding{w, "nothing ran yet"}
	rep := runs(t, e, minute(0))
	if len(rep.Extra) > 0 || len(rep.Selection.Decisions) != 2 || rep.Selection.Modules[0].Verdict != rts.Full || rep.Selection.Decisions[0].Reasons[0].Code != rts.NoRecord {
		t.Errorf("%+v %+v", rep, rep.Selection)
	}
	w.tests = all
	wantCodes(t, e, "- -")
	if rep := runs(t, e, minute(1)); len(rep.Extra) != 2 {
		t.Errorf("extra %v", rep.Extra)
	}
	stored(t, e, ran{at: 1, outcome: rts.Passed, on: "1"})
	e.Project = finding{w, ""}
	both := w.runner
	w.runner = func(context.Context, []rts.TestID, Sink) error { return errors.New("must not be called") }
	if rep := runs(t, e, minute(2)); rep.RunErr != nil {
		t.Error(rep.RunErr)
	}
	w.tests, w.runner = all[:1], both // a filter of the project's own may let a test pass that it kept back until now
	w.now[file("a")] = "2"
	if rep := runs(t, e, minute(3)); len(rep.Extra) > 0 || len(rep.Selection.Decisions) != 2 || rep.Selection.Decisions[1].Reasons[0].Code != rts.NoRecord {
		t.Errorf("one that nobody knew: extra %v, %+v", rep.Extra, rep.Selection.Decisions)
	}
}
