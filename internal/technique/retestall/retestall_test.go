package retestall

import (
	"context"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/engine"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/memory"
)

// proven has one test that uses nothing and passes.
type proven struct{}

func (proven) Digest(rts.Entity) digest.Digest { return digest.Absent }
func (proven) Modules() []string               { return []string{"m"} }
func (proven) Tests() []rts.Test               { return []rts.Test{{ID: "m#t", Module: "m"}} }
func (proven) Run(_ context.Context, tests []rts.TestID, sink engine.Sink) error {
	for _, t := range tests {
		sink.Done(engine.Result{Record: rts.Record{Test: t, Outcome: rts.Passed}})
	}
	return nil
}

// TestSelectsWhatIsProven wires the reason as the command line does: a test with a proof is selected all the same.
func TestSelectsWhatIsProven(t *testing.T) {
	ctx := context.Background()
	e := &engine.Engine{Project: proven{}, Store: store.New(&memory.Backend{})}
	choose := func() *rts.Selection {
		sel, err := e.Select(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return sel
	}
	if _, err := e.Run(ctx, choose(), rts.Meta{}, nil); err != nil {
		t.Fatal(err)
	}
	if sel := choose(); sel.Modules[0].Verdict != rts.ProvenEmpty {
		t.Fatalf("without the technique: %+v", sel.Modules)
	}
	e.Config.All, e.Config.AllWhy = true, Reason
	sel := choose()
	if m := sel.Modules[0]; m.Verdict != rts.Full || m.Why.Code != rts.TechniqueAll || m.Why.Detail == "" {
		t.Errorf("%+v", m)
	}
}

func TestAssumesNothing(t *testing.T) {
	if Technique.Name != "retest-all" || len(Technique.Bias) != 0 || Technique.Bias.String() != "none" {
		t.Errorf("%+v", Technique)
	}
}
