package callgraph

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/internal/jvm/observed"
)

var (
	cases = flag.Int("callgraph.cases", 150, "number of random histories")
	first = flag.Uint64("callgraph.seed", 1, "seed of the first history")
)

// A history is the revisions that a seed gives.
func history(seed uint64, edits int) []*revision {
	g := generator{rand.New(rand.NewPCG(seed, 1))}
	out := []*revision{g.revision()}
	for range edits {
		next := out[len(out)-1].clone()
		g.edit(next)
		out = append(out, next)
	}
	return out
}

// An updater makes the next graph.
type updater func(*Graph, *observed.Program) (*Graph, error)

// differs finds the first revision at which the graph made step by step is not the one made from scratch, -1 if there is none.
func differs(t *testing.T, revisions []*revision, update updater, tally *Work) (at int, got, want string) {
	t.Helper()
	var g *Graph
	for i, r := range revisions {
		p := r.program(t)
		whole, err := Build(p)
		if err != nil {
			t.Fatal(err)
		}
		if g == nil {
			g = whole
			continue
		}
		if g, err = update(g, r.program(t)); err != nil {
			t.Fatal(err)
		}
		tally.Read += g.Done.Read
		tally.Linked += g.Done.Linked
		tally.Rejoined += g.Done.Rejoined
		if got, want := g.String(), whole.String(); got != want {
			return i, got, want
		}
	}
	return -1, "", ""
}

// shrink leaves out revisions, then classes, as long as the graphs still differ.
func shrink(t *testing.T, revisions []*revision, update updater) []*revision {
	fails := func(r []*revision) bool { at, _, _ := differs(t, r, update, &Work{}); return at >= 0 }
	for i := 0; i < len(revisions); {
		if less := slices.Delete(slices.Clone(revisions), i, i+1); fails(less) {
			revisions = less
		} else {
			i++
		}
	}
	for i := range interfaces + classes {
		less := make([]*revision, len(revisions))
		for j, r := range revisions {
			less[j] = r.clone()
			delete(less[j].specs, className(i))
		}
		if fails(less) {
			revisions = less
		}
	}
	return revisions
}

// TestUpdateIsBuild: over random histories the graph that is kept up to date is the one made from scratch, for less work.
func TestUpdateIsBuild(t *testing.T) {
	var done, all Work
	for seed := *first; seed < *first+uint64(*cases); seed++ {
		revisions := history(seed, 6)
		if at, _, _ := differs(t, revisions, Update, &done); at >= 0 {
			small := shrink(t, revisions, Update)
			at, got, want := differs(t, small, Update, &Work{})
			t.Fatalf("repeat with -callgraph.seed=%d -callgraph.cases=1\nfrom\n%v\nto\n%v\ngives\n%s\nwant\n%s", seed, small[at-1], small[at], got, want)
		}
		differs(t, revisions, func(_ *Graph, now *observed.Program) (*Graph, error) { return Build(now) }, &all)
	}
	t.Logf("%d histories of 6 edits: %+v, from scratch %+v", *cases, done, all)
	if done.Read*4 > all.Read || done.Linked*3 > all.Linked*2 || done.Rejoined*3 > all.Rejoined*2 {
		t.Errorf("work %+v, from scratch %+v: too much", done, all)
	}
}

// TestBrokenUpdates: the histories show it if sites are linked again only where the class that they name changed itself, or only where one below did.
func TestBrokenUpdates(t *testing.T) {
	none := func(_, _ *Graph) func(site) bool { return func(site) bool { return false } }
	itself := func(before, after *Graph) func(site) bool {
		names := changed(before, after)
		return func(s site) bool { return slices.Contains(names, s.Ref.Class) || slices.Contains(names, s.From) }
	}
	below := func(before, after *Graph) func(site) bool {
		names := map[string]bool{}
		for _, name := range changed(before, after) {
			for _, g := range []*Graph{before, after} {
				for _, sub := range g.linker.world.Subtypes(name) {
					names[sub] = true
				}
			}
		}
		return func(s site) bool { return names[s.Ref.Class] || names[s.From] }
	}
	for name, danger := range map[string]func(_, _ *Graph) func(site) bool{"none": none, "itself": itself, "below": below} {
		found := false
		for seed := uint64(1); seed <= 40 && !found; seed++ {
			broken := func(old *Graph, now *observed.Program) (*Graph, error) { return update(old, now, danger) }
			at, _, _ := differs(t, history(seed, 6), broken, &Work{})
			found = at >= 0
		}
		if !found {
			t.Errorf("%s: no history shows that it is wrong", name)
		}
	}
}

// TestRapidWithinCHA: rapid type analysis reaches no more, and by no other edges, than class hierarchy analysis from the same roots and call-backs.
func TestRapidWithinCHA(t *testing.T) {
	rapid, whole := 0, 0
	for seed := *first; seed < *first+uint64(*cases); seed++ {
		r := history(seed, 0)[0]
		g, err := Build(r.program(t))
		if err != nil {
			t.Fatal(err)
		}
		roots := g.Methods(g.now.Names()[len(g.now.Names())-1])
		got := g.Rapid(roots...)
		for _, list := range g.Callbacks() {
			roots = append(roots, list...)
		}
		want := g.Reachable(roots...)
		rapid, whole = rapid+len(got.Reached), whole+len(want)
		for m := range got.Reached {
			if !want[m] {
				t.Errorf("seed %d: %s is reached\n%v", seed, m, r)
			}
			for _, to := range got.Out(m) {
				if _, ok := slices.BinarySearchFunc(g.Out(m), to, observed.Method.Compare); !ok || !got.Reached[to] {
					t.Errorf("seed %d: edge from %s to %s\n%v", seed, m, to, r)
				}
			}
		}
	}
	t.Logf("%d programs: %d reached by RTA, %d by CHA", *cases, rapid, whole)
	if *cases >= 100 && (rapid == 0 || rapid*10 > whole*9) {
		t.Errorf("%d reached by RTA, %d by CHA: no difference to speak of", rapid, whole)
	}
}
