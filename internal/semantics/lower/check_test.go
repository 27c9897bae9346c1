package lower

import (
	"flag"
	"slices"
	"testing"

	"winnow/internal/jvm/table"
	"winnow/internal/safety"
	"winnow/internal/semantics/minijvm"
)

var (
	programs = flag.Int("lower.programs", 300, "random programs that run, many in a JVM")
	aloneFor = flag.Int("lower.alone", 4, "random programs that each run in a JVM of their own")
	seed     = flag.Uint64("lower.seed", 1, "what random programs are made from")
)

func check(t *testing.T, l *Lab, cfg Config) *Report {
	t.Helper()
	cfg.Progress = func(r *Report) { t.Logf("seed %d: %s", cfg.Seed, r) }
	r, err := l.Check(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRandom: random programs end as the semantics says, and the product's records hold the smart sets.
func TestRandom(t *testing.T) {
	for i, feature := range features {
		l := open(t, feature)
		r := check(t, l, Config{Seed: *seed, Programs: *programs / len(features), First: i * 1_000_000})
		alone := check(t, l, Config{Seed: *seed, Programs: max(1, *aloneFor/len(features)), First: (i*2 + 1) * 10_000_000, Alone: true})
		for _, d := range slices.Concat(r.Disagreements, alone.Disagreements) {
			t.Errorf("JDK %d, %s", feature, d.String())
		}
		if r.Smart == 0 || r.Raised == 0 || r.Runs == r.Programs || r.Collected >= r.Classes {
			t.Errorf("nothing is shown: %s", r)
		}
	}
}

// withoutSupertypes drops classes that are there only because a subclass is.
func withoutSupertypes(p *minijvm.Program, collected map[string][]uint32) {
	var gone []string
	for _, id := range own(p).All() {
		super := p.Names.Class(p.Class(id).Super)
		entries, ok := collected[super]
		if _, below := collected[p.Names.Class(id)]; ok && below && !slices.ContainsFunc(entries, func(e uint32) bool { return e != table.Touched }) {
			gone = append(gone, super)
		}
	}
	for _, name := range gone {
		delete(collected, name)
	}
}

// TestWrongCollections shows that a collection that forgets something is noticed.
func TestWrongCollections(t *testing.T) {
	wrong := []struct {
		name  string
		rules safety.Rules
		alter func(*minijvm.Program, map[string][]uint32)
	}{
		{name: "superclasses", alter: withoutSupertypes},
		{name: "initializers", rules: safety.Without(safety.InitializersCount)},
		{name: "classes that code names", rules: safety.Without(safety.NamedCounts)},
	}
	for _, w := range wrong {
		l := open(t, 17)
		l.rules, l.wrong = w.rules, w.alter
		r := check(t, l, Config{Seed: 1, Programs: 100})
		if len(r.Disagreements) == 0 {
			t.Errorf("a collection without %s is not noticed in %s", w.name, r)
			continue
		}
		t.Logf("without %s: %d of %d programs, the first is %s", w.name, len(r.Disagreements), r.Programs, r.Disagreements[0].String())
	}
}

// TestShrink: a program on which a wrong collection was noticed becomes small.
func TestShrink(t *testing.T) {
	l := open(t, 17)
	l.wrong = withoutSupertypes
	r := check(t, l, Config{Seed: 1, Programs: 1, First: 56})
	if len(r.Disagreements) == 0 {
		t.Fatalf("nothing to shrink: %s", r)
	}
	small, err := l.Shrink(t.Context(), r.Disagreements[0], false)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("size %d, was %d: %s", size(small.Program), size(r.Disagreements[0].Program), small.String())
	if size(small.Program) > 40 || len(small.What) == 0 {
		t.Errorf("the program is not small, or nothing is wrong with it")
	}
}
