package testtube

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/engine"
	"winnow/internal/graph"
	"winnow/internal/rts"
	"winnow/internal/safespace"
	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/technique"
)

var (
	cases = flag.Int("testtube.cases", 400, "number of random programs")
	first = flag.Uint64("testtube.seed", 1, "seed of the first program")
)

// entities is the number of entities of a program.
const entities = 6

func entity(i int) rts.Entity { return rts.Entity{Kind: "func", Name: fmt.Sprint("f", i)} }

// A version gives each entity its digest.
type version [entities]digest.Digest

func randomVersion(r *rand.Rand) (v version) {
	choices := []digest.Digest{digest.OfString("1"), digest.OfString("2"), digest.OfString("3"), digest.Absent, digest.Unknown}
	for i := range v {
		v[i] = choices[r.IntN(len(choices))]
		if i%2 == 0 {
			v[i] = choices[0] // so that there are traces in which nothing differs
		}
	}
	return v
}

// A program has tests that use entities.
type program struct {
	traces [][]int
	now    version
}

func (p *program) Modules() []string { return []string{"m"} }

func (p *program) Tests() []rts.Test {
	tests := make([]rts.Test, len(p.traces))
	for i := range tests {
		tests[i] = rts.Test{ID: rts.TestID(fmt.Sprint("m#", i)), Module: "m"}
	}
	return tests
}

func (p *program) Digest(e rts.Entity) digest.Digest { return p.now[e.Name[1]-'0'] }

func (p *program) Run(_ context.Context, _ []rts.TestID, sink engine.Sink) error {
	for i, t := range p.Tests() {
		var own rts.Footprint
		for _, n := range p.traces[i] {
			own.Uses = append(own.Uses, rts.Use{Entity: entity(n), Digest: p.now[n]})
		}
		sink.Done(engine.Result{Record: rts.Record{Test: t.ID, Outcome: rts.Passed}, Own: own})
	}
	return nil
}

// byJudge returns for each test the entities that select it, as the engine with the judge finds them.
func byJudge(t *testing.T, traces [][]int, old, now version) [][]string {
	t.Helper()
	ctx := context.Background()
	p := &program{traces: traces, now: old}
	e := &engine.Engine{Project: p, Store: store.New(&memory.Backend{})}
	e.Config.NewJudge = func(technique.Bodies) technique.Judge { return Judge{} }
	sel, err := e.Select(ctx)
	if err == nil {
		_, err = e.Run(ctx, sel, rts.Meta{}, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.now = now
	if sel, err = e.Select(ctx); err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for i := range sel.Decisions {
		var names []string
		for _, r := range sel.Decisions[i].Reasons {
			names = append(names, r.Entity.Name)
		}
		slices.Sort(names)
		all = append(all, names)
	}
	return all
}

// byGraph compares the explicit graphs: the word omega, which every trace contains, with an edge to each entity.
func byGraph(t *testing.T, traces [][]int, old, now version) [][]string {
	t.Helper()
	star := func() *graph.Static[string] {
		var b graph.Builder[string]
		omega := b.Node()
		for i := range entities {
			b.Edge(omega, entity(i).Name, b.Node())
		}
		g, err := b.Build(omega)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	g := star()
	res := safespace.Compare[string](g, star(), safespace.Options[string]{
		Equal: func(a, b int32) bool { return a == 0 && b == 0 || a > 0 && b > 0 && old[a-1].Same(now[b-1]) },
	})
	var all [][]string
	for _, trace := range traces {
		var names []string
		for _, e := range res.Dangerous() {
			if name := g.Out(e.Node)[e.Index].Label; slices.Contains(trace, int(name[1]-'0')) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		all = append(all, names)
	}
	return all
}

// TestEqualsSafeSpace checks that the judge's answers are those of SafeSpace on the graph that the package comment describes.
func TestEqualsSafeSpace(t *testing.T) {
	selected, leftOut := 0, 0
	for seed := *first; seed < *first+uint64(*cases); seed++ {
		r := rand.New(rand.NewPCG(seed, 1))
		traces := make([][]int, 3)
		for i := range traces {
			traces[i] = r.Perm(entities)[:r.IntN(4)]
		}
		old, now := randomVersion(r), randomVersion(r)
		got, want := byJudge(t, traces, old, now), byGraph(t, traces, old, now)
		for i := range traces {
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("repeat with -testtube.seed=%d -testtube.cases=1: trace %v from %v to %v is selected by %v, want %v",
					seed, traces[i], old, now, got[i], want[i])
			}
			if len(got[i]) > 0 {
				selected++
			} else {
				leftOut++
			}
		}
	}
	if *cases >= 100 && (selected < *cases/2 || leftOut < *cases/2) {
		t.Errorf("%d selected, %d left out: too one-sided to judge anything", selected, leftOut)
	}
}

func TestOneReasonForEachDifference(t *testing.T) {
	stale := []technique.Stale{
		{Use: rts.Use{Entity: entity(1), Digest: digest.OfString("1")}, Now: digest.Absent},
		{Use: rts.Use{Entity: entity(2), Digest: digest.OfString("1"), Entries: []uint32{1}}, Now: digest.OfString("2"), Through: "init shop"},
	}
	reasons, harmless, err := Judge{}.Judge(technique.Trace{Stale: stale})
	if err != nil || len(harmless) != 0 {
		t.Fatalf("harmless %v, %v", harmless, err)
	}
	var got []string
	for _, r := range reasons {
		got = append(got, fmt.Sprint(r, r.Path))
	}
	if want := []string{"input-removed func f1 []", "input-changed func f2 [init shop f2]"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestDescription(t *testing.T) {
	if Technique.Name != "testtube" || !strings.Contains(Technique.Citation, "1994") || !Technique.Bias.Includes(rts.Bias{rts.ReferencesKnown}) {
		t.Errorf("%+v", Technique)
	}
}
