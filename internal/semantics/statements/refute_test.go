package statements

import (
	"context"
	"strings"
	"testing"

	"winnow/internal/semantics/minijvm"
)

// TestRandom checks that a random check gives the same counts on any number of cores, and other counts with another seed.
func TestRandom(t *testing.T) {
	for _, strength := range []minijvm.Strength{minijvm.Paper, minijvm.Missing} {
		var tallies []Tally
		for _, r := range []Random{{Seed: 1, Workers: 1}, {Seed: 1, Workers: 3}, {Seed: 5, Workers: 2}} {
			r.Batches, r.Strength = 4, strength
			out, err := r.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if f := out.Failure; f != nil {
				t.Fatalf("%s: %s: %s (seed %d)\n%s", strength, descriptions[f.Claim].claims, f.Detail, out.FailedSeed, f.Pair)
			}
			tallies = append(tallies, out.Tally)
		}
		if tallies[0] != tallies[1] {
			t.Errorf("%s: the number of cores matters:\n%+v\n%+v", strength, tallies[0], tallies[1])
		}
		if tallies[0] == tallies[2] {
			t.Errorf("%s: the seed does not matter", strength)
		}
	}
}

// TestPublishedIsRefuted checks statement 5 for several seeds: a relative of Figure 1 is found, and it is small.
func TestPublishedIsRefuted(t *testing.T) {
	for seed := range uint64(5) {
		found, tried := Published().Refute(context.Background(), seed, 200_000, func(all []Counterexample) bool { return relative(all) != nil })
		like := relative(found)
		if like == nil {
			t.Errorf("seed %d: no relative of Figure 1 among %d counterexamples in %d pairs", seed, len(found), tried)
			continue
		}
		if n := strings.Count(like.Shrunk.Before.String(), "class "); n != 3 {
			t.Errorf("seed %d: the shrunk program has %d classes, want Test, the class and its superclass\n%s", seed, n, like.Shrunk)
		}
	}
}

// TestFigure1 checks that the paper's own program is a counterexample and a relative of itself.
func TestFigure1(t *testing.T) {
	pair := readExample(t, "figure1.lab")
	x := Published()
	if !x.refuted(pair.Before, pair.After) || !x.likeFigure1(pair) {
		t.Error("Figure 1 does not refute Ekstazi as published")
	}
	for _, f := range []*minijvm.Function{minijvm.Naive(), minijvm.Smart(), minijvm.Ekstazi()} {
		if (Suspect{Function: f}).refuted(pair.Before, pair.After) {
			t.Errorf("Figure 1 refutes %s", f.Name())
		}
	}
}

// TestSuspectsAreRefuted checks statement 7, and that the right functions are not refuted by the same search.
func TestSuspectsAreRefuted(t *testing.T) {
	one := func([]Counterexample) bool { return true }
	for _, x := range Suspects() {
		found, tried := x.Refute(context.Background(), 1, 300_000, one)
		if len(found) == 0 {
			t.Errorf("%s: not refuted by %d pairs", x.Function.Name(), tried)
		}
	}
	for _, f := range []*minijvm.Function{minijvm.Naive(), minijvm.Smart(), minijvm.Ekstazi()} {
		for _, steps := range []bool{false, true}[:1+map[string]int{"naive": 1}[f.Name()]] {
			if found, _ := (Suspect{Function: f, Steps: steps}).Refute(context.Background(), 1, 3000, one); len(found) > 0 {
				t.Errorf("%s is refuted:\n%s", f.Name(), found[0].Shrunk)
			}
		}
	}
}

// TestShrunkIsMinimal checks that no candidate of a shrunk pair refutes, and that it is well-formed.
func TestShrunkIsMinimal(t *testing.T) {
	x := Published()
	found, _ := x.Refute(context.Background(), 3, 100_000, func(all []Counterexample) bool { return len(all) == 3 })
	var v minijvm.Verifier
	for _, c := range found {
		for _, p := range []*minijvm.Program{c.Shrunk.Before, c.Shrunk.After} {
			if err := v.Check(p, x.Strength); err != nil {
				t.Error(err)
			}
		}
		for _, smaller := range candidates(c.Shrunk) {
			if v.Check(smaller.Before, x.Strength) == nil && v.Check(smaller.After, x.Strength) == nil && x.refuted(smaller.Before, smaller.After) {
				t.Errorf("not minimal:\n%s\nbut\n%s", c.Shrunk, smaller)
			}
		}
	}
}
