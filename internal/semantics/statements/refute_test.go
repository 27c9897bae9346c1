package statements

import (
	"context"
	"testing"
	"time"

	"winnow/internal/semantics/minijvm"
)

// TestRandom checks all claims on a few random programs in both strengths.
func TestRandom(t *testing.T) {
	for _, strength := range []minijvm.Strength{minijvm.Paper, minijvm.Missing} {
		start := time.Now()
		out, err := Random{Seed: 1, Batches: 10, Workers: 2, Strength: strength}.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if f := out.Failure; f != nil {
			t.Fatalf("%s: %v: %s (seed %d)\n%s", strength, descriptions[f.Claim], f.Detail, out.FailedSeed, f.Pair)
		}
		t.Logf("%s: %v %+v", strength, time.Since(start), out)
	}
}

// TestPublishedIsRefuted checks statement 5.
func TestPublishedIsRefuted(t *testing.T) {
	start := time.Now()
	found, tried := Published().Refute(context.Background(), 1, 1_000_000, func(all []Counterexample) bool { return all[len(all)-1].Figure1 })
	t.Logf("%d counterexamples in %d pairs, %v", len(found), tried, time.Since(start))
	if len(found) == 0 || !found[len(found)-1].Figure1 {
		t.Fatal("no relative of Figure 1")
	}
	t.Logf("%v\n%s", found[len(found)-1].Kinds, found[len(found)-1].Shrunk)
}

// TestSuspectsAreRefuted checks statement 7.
func TestSuspectsAreRefuted(t *testing.T) {
	for _, x := range Suspects() {
		start := time.Now()
		found, tried := x.Refute(context.Background(), 1, 300_000, func(all []Counterexample) bool { return true })
		if len(found) == 0 {
			t.Errorf("%s: not refuted by %d pairs, %v", x.Function.Name(), tried, time.Since(start))
			continue
		}
		t.Logf("%s: refuted by pair %d, %v, %v", x.Function.Name(), tried, found[0].Kinds, time.Since(start))
	}
}
