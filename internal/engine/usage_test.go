package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"winnow/internal/rts"
	"winnow/internal/technique"
)

// TestUsesOfEntity: what a judge is told of one entity is what is among all uses, with shared footprints in several layers, with and without entries, and also when it asks for more entities than are kept.
func TestUsesOfEntity(t *testing.T) {
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 0))
		w := newWorld("a", "b", "c")
		var all []rts.Entity
		for i := range mostUsages + 20 {
			e := file(fmt.Sprint(i))
			all, w.now[e] = append(all, e), "1"
		}
		some := func() (uses []rts.Use) {
			for range 1 + rng.IntN(60) {
				u := w.use(all[rng.IntN(len(all))])
				if rng.IntN(2) == 0 {
					u.Entries = []uint32{uint32(rng.IntN(3)), uint32(3 + rng.IntN(3))}
				}
				uses = append(uses, u)
			}
			return rts.SortUses(uses)
		}
		w.runner = func(_ context.Context, tests []rts.TestID, sink Sink) error {
			var shared []int
			for i := range 6 {
				f := rts.Footprint{Uses: some()}
				if i > 1 {
					f.Includes = []int{shared[rng.IntN(len(shared))]}
				}
				shared = append(shared, sink.Shared(f))
			}
			for _, id := range tests {
				own := rts.Footprint{Uses: append(some(), w.use(definition(id))), Includes: []int{shared[rng.IntN(3)], shared[3+rng.IntN(3)]}}
				sink.Done(Result{Record: rts.Record{Test: id, Outcome: rts.Passed}, Own: own})
			}
			return nil
		}
		for _, x := range w.tests {
			w.now[definition(x.ID)] = "1"
		}
		asked := 0
		e := judged(t, w, &fakeJudge{answer: func(tr technique.Trace) ([]rts.Reason, []rts.Difference, error) {
			uses, err := tr.All()
			for _, entity := range all {
				got, failed := tr.Of(entity)
				if want := rts.UsesOf(uses, entity); err != nil || failed != nil || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
					t.Errorf("seed %d, %s: %v, %v; want %v, %v", seed, entity.Name, got, failed, want, err)
				}
				asked += len(got)
			}
			return nil, nil, err
		}})
		for _, x := range w.tests {
			w.now[definition(x.ID)] = "2"
		}
		wantCodes(t, e, "- - -")
		if asked == 0 {
			t.Errorf("seed %d: nobody uses anything", seed)
		}
	}
}
