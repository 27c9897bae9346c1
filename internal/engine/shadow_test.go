package engine

import (
	"context"
	"slices"
	"testing"

	"winnow/internal/rts"
)

// TestShadowRunsWhatIsLeftOut checks that the selection stays as it is while everything runs and is recorded.
func TestShadowRunsWhatIsLeftOut(t *testing.T) {
	w := newWorld("a", "b")
	e := w.engine()
	runs(t, e, minute(0))
	w.now[file("b")] = "2"
	w.outcome["m#a"] = rts.Failed
	e.Config.Shadow = true
	rep := runs(t, e, minute(1))
	if want := []rts.TestID{"m#a", "m#b"}; !slices.Equal(sortedIDs(rep.Results), want) {
		t.Errorf("ran %v, want %v", rep.Results, want)
	}
	if want := []rts.TestID{"m#b"}; !slices.Equal(rep.Selection.Selected(), want) {
		t.Errorf("selected %v, want %v", rep.Selection.Selected(), want)
	}
	if len(rep.Missing)+len(rep.Extra) != 0 || rep.Saved != 0 {
		t.Errorf("report %+v", rep)
	}
	wantCodes(t, e, "unstable -")
}

// TestShadowMissing checks that a test of which nothing is heard is missing although it was left out.
func TestShadowMissing(t *testing.T) {
	w := newWorld("a", "b")
	e := w.engine()
	runs(t, e, minute(0))
	e.Config.Shadow = true
	w.runner = func(_ context.Context, _ []rts.TestID, sink Sink) error {
		sink.Done(w.result("m#a"))
		return nil
	}
	if rep := runs(t, e, minute(1)); !slices.Equal(rep.Missing, []rts.TestID{"m#b"}) {
		t.Errorf("missing %v", rep.Missing)
	}
}

// TestShadowKeepsSelected checks that a shadow can run what is left out without recording it: a failure there is seen and not remembered.
func TestShadowKeepsSelected(t *testing.T) {
	w := newWorld("a", "b")
	e := w.engine()
	runs(t, e, minute(0))
	w.now[file("b")] = "2"
	w.outcome["m#a"] = rts.Failed
	e.Config.Shadow, e.Config.KeepSelected = true, true
	if rep := runs(t, e, minute(1)); len(rep.Results) != 2 {
		t.Errorf("ran %v", rep.Results)
	}
	wantCodes(t, e, "- -")
}
