package engine

import (
	"context"
	"testing"

	"winnow/internal/rts"
)

// TestGCKeepsDisagreement checks that forgetting does not turn an unstable test into a proven one (S4.3).
func TestGCKeepsDisagreement(t *testing.T) {
	w := newWorld("a")
	e := w.engine()
	stored(t, e, ran{at: 1, outcome: rts.Failed, on: "1"}, ran{at: 2, outcome: rts.Failed, on: "1", incomplete: true}, ran{at: 3, outcome: rts.Passed, on: "1"})
	wantCodes(t, e, "unstable")
	if _, err := e.Store.GC(context.Background(), 100, nil); err != nil {
		t.Fatal(err)
	}
	wantCodes(t, e, "unstable")
}

// TestGCKeepsDisagreementUnderBase is the same with --base: forgetting keeps the newest record of each statement, wherever it was made.
func TestGCKeepsDisagreementUnderBase(t *testing.T) {
	w := newWorld("a")
	e := w.engine()
	e.Config.Admit = func(m rts.Meta) bool { return m.Revision == "base" }
	stored(t, e, ran{at: 1, outcome: rts.Failed, on: "1", revision: "base"}, ran{at: 2, outcome: rts.Passed, on: "1", revision: "base"}, ran{at: 3, outcome: rts.Failed, on: "1", revision: "other"})
	wantCodes(t, e, "unstable")
	if _, err := e.Store.GC(context.Background(), 100, nil); err != nil {
		t.Fatal(err)
	}
	wantCodes(t, e, "unstable")
}

// TestFailureElsewhereCounts checks that --base does not hide a failure on equal inputs (S1.5).
func TestFailureElsewhereCounts(t *testing.T) {
	w := newWorld("a")
	e := w.engine()
	e.Config.Admit = func(m rts.Meta) bool { return m.Revision == "base" }
	stored(t, e, ran{at: 1, outcome: rts.Passed, on: "1", revision: "base"}, ran{at: 2, outcome: rts.Failed, on: "1", revision: "other"})
	wantCodes(t, e, "unstable")
}

// TestChangesCountTests checks that a test with two ways to a change counts once.
func TestChangesCountTests(t *testing.T) {
	w := newWorld("a")
	w.now[file("inner")], w.now[file("outer")] = "1", "1"
	w.reads["m#a"] = append(w.reads["m#a"], file("inner"))
	w.runner = layered(w)
	e := w.engine()
	runs(t, e, minute(0))
	w.now[file("inner")] = "2"
	sel := selects(t, e)
	if sel.Changes[0].Tests != 1 {
		t.Errorf("one test, but Tests = %d: %v", sel.Changes[0].Tests, sel.Decisions[0].Reasons)
	}
}

func TestSummaryVerdict(t *testing.T) {
	r := Report{Selection: &rts.Selection{Modules: []rts.ModuleVerdict{{Verdict: rts.NoTests}, {Verdict: rts.ProvenEmpty}}}}
	if v := r.Summary(rts.Meta{}).Verdict; v != "proven-empty" {
		t.Errorf("verdict %q", v)
	}
}

func TestCommonReason(t *testing.T) {
	env, tool := rts.Reason{Code: rts.EnvChanged, Entity: rts.Entity{Kind: rts.KindEnv, Name: "X"}}, rts.Reason{Code: rts.ToolchainChanged, Entity: rts.Entity{Kind: rts.KindTool, Name: "go"}}
	m := verdicts([]string{"m"}, []rts.Decision{{Test: rts.Test{Module: "m"}, Reasons: []rts.Reason{env, tool}}, {Test: rts.Test{Module: "m"}, Reasons: []rts.Reason{tool}}})
	if m[0].Verdict != rts.Full {
		t.Errorf("%+v", m[0])
	}
}

func TestModuleThatIsNotListed(t *testing.T) {
	m := verdicts([]string{"m"}, []rts.Decision{{Test: rts.Test{Module: "x"}}})
	if len(m) != 2 || m[1].Module != "x" || m[1].Selected != 1 || m[0].Tests != 0 {
		t.Errorf("%+v", m)
	}
}
