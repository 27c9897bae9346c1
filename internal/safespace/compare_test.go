package safespace

import (
	"math"
	"slices"
	"strings"
	"testing"

	"winnow/internal/graph"
)

// TestCompare shows each rule on a small pair of programs. Where the three
// solutions agree, one wanted text stands for all.
func TestCompare(t *testing.T) {
	const same = "pairs 2, truncated false\n"
	for _, c := range []struct {
		name     string
		old, new string
		newLabel NewLabel
		want     map[Reentrant]string
	}{
		{
			"(C1) different start", "s | a |", "s | b |", Redirect,
			one("pairs 0, truncated false\nstart: word differs: old 0, new 0\n"),
		}, {
			"(C1) new label at the start", "s | a |", "s | a | x->s", Redirect,
			one("pairs 0, truncated false\nstart: new label in the new node: old 0, new 0\n"),
		}, {
			"(C2) different word", "s | a | x->t\nt | b |", "s | a | x->t\nt | c |", Redirect,
			one("pairs 1, truncated false\n0/0 by 0/0: word differs: old 1, new 1\n"),
		}, {
			"(C3) missing label", "s | a | x->s y->s", "s | a | x->s", Redirect,
			one("pairs 1, truncated false\n0/1 by 0/1: label missing in the new node: old 0, new 0\n"),
		}, {
			"(C3) missing label falls to the default", "s | a | *->t x->t\nt | b |", "s | a | *->t\nt | b |", Redirect,
			one(same),
		}, {
			"(C3) missing default", "s | a | *->t x->t\nt | b |", "s | a | x->t\nt | b |", Redirect,
			one("pairs 2, truncated false\n0/0 by 0/0: label missing in the new node: old 0, new 0\n"),
		}, {
			"(C4) new label condemns the edges into the node", "s | a | x->t y->t\nt | b | x->t", "s | a | x->t y->t\nt | b | x->t z->s", Redirect,
			one("pairs 1, truncated false\n0/0 by 0/0: new label in the new node: old 1, new 1\n0/1 by 0/1: new label in the new node: old 1, new 1\n"),
		}, {
			"(C4) the default is a label", "s | a | x->t\nt | b | x->t", "s | a | x->t\nt | b | *->t x->t", Redirect,
			one("pairs 1, truncated false\n0/0 by 0/0: new label in the new node: old 1, new 1\n"),
		}, {
			"(C5) new label without a default", "s | a | x->t\nt | b | x->t", "s | a | x->t\nt | b | x->t z->s", Default,
			one(same),
		}, {
			"(C5) new label falls to the same target", "s | a | *->t\nt | b |", "s | a | *->t z->t\nt | b |", Default,
			one(same),
		}, {
			"(C5) new label with another word", "s | a | *->t x->t\nt | b |", "s | a | *->t x->t z->s\nt | b |", Default,
			one("pairs 2, truncated false\n0/0 by 0/0: word differs: old 1, new 0\n"),
		}, {
			"(C5) new label where the new node lost its default", "s | a | *->t\nt | b |", "s | a | z->t\nt | b |", Default,
			one("pairs 1, truncated false\n0/0 by 0/0: label missing in the new node: old 0, new 0\n"),
		}, {
			"(C6) the new node goes on where the old one ends", "s | a | x->t\nt | b |", "s | a | x->t\nt | b | x->t", Default,
			one("pairs 1, truncated false\n0/0 by 0/0: new label in the new node: old 1, new 1\n"),
		}, {
			"(C7) reentry", "s | a | x->t y->t\nt | b |", "s | a | x->t y->u\nt | b |\nu | b |", Redirect,
			map[Reentrant]string{
				Select:         "pairs 2, truncated false\n0/1 by 0/1: old node reentered with another new node: old 1, new 2\n",
				CrossSafeSpace: "pairs 3, truncated false\n",
				DangerousEdges: "pairs 3, truncated false\n",
			},
		}, {
			"(C8) split default", "s | a | *->t\nt | b | x->t", "s | a | *->t z->u\nt | b | x->t\nu | b | x->t", Default,
			map[Reentrant]string{
				Select:         "pairs 1, truncated false\n0/0 by 0/0: new label splits the default edge: old 1, new 2\n",
				CrossSafeSpace: "pairs 1, truncated false\n0/0 by 0/0: new label splits the default edge: old 1, new 2\n",
				DangerousEdges: "pairs 3, truncated false\n",
			},
		}, {
			"(C8) difference behind a split default", "s | a | *->t\nt | b | x->t", "s | a | *->t z->u\nt | b | x->t\nu | b | x->s", Default,
			map[Reentrant]string{
				Select:         "pairs 1, truncated false\n0/0 by 0/0: new label splits the default edge: old 1, new 2\n",
				CrossSafeSpace: "pairs 1, truncated false\n0/0 by 0/0: new label splits the default edge: old 1, new 2\n",
				DangerousEdges: "pairs 3, truncated false\n1/0 by 0/0 1/0: word differs: old 1, new 0\n",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := versions{mustParse(t, c.old), mustParse(t, c.new)}
			for r, want := range c.want {
				if got := describe(instance{r, c.newLabel, 0}.compare(v)); got != want {
					t.Errorf("%v: got\n%swant\n%s", r, got, want)
				}
			}
		})
	}
}

func one(want string) map[Reentrant]string {
	return map[Reentrant]string{Select: want, CrossSafeSpace: want, DangerousEdges: want}
}

func TestZeroOptionsSelectAll(t *testing.T) {
	g := mustParse(t, "s | a |").graph()
	r := Compare(g, g, Options[string]{})
	if _, ok := r.SelectWalk(slices.Values([]int(nil))); !ok || !r.RerunAll {
		t.Error("a comparison that knows of no equal words must select a test that takes no edge")
	}
}

// TestUnknownOptionsAreTheSafestOnes: a value that is none of the constants
// means the first.
func TestUnknownOptionsAreTheSafestOnes(t *testing.T) {
	for seed := range uint64(500) {
		v := newGenerator(seed).pair()
		got, want := describe(instance{99, 99, 0}.compare(v)), describe(instance{Select, Redirect, 0}.compare(v))
		if got != want {
			t.Fatalf("got\n%swant\n%s%v", got, want, v)
		}
	}
}

// TestStarIsOrdinaryWithoutHasDefault: the label "*" has no meaning of its own.
func TestStarIsOrdinaryWithoutHasDefault(t *testing.T) {
	v := versions{mustParse(t, "s | a | *->s x->s"), mustParse(t, "s | a | *->s")}
	o := options(v.old, v.new, Select, Redirect)
	o.HasDefault = false
	r := Compare(v.old.graph(), v.new.graph(), o)
	if got := r.Dangerous(); !slices.Equal(got, []Edge{{0, 1}}) {
		t.Errorf("dangerous edges %v, want 0/1", got)
	}
}

// TestDangerousEdgesCanBeWorseThanSelect: dangerous edges blames edge (t, u)
// for every test, though only those that come by y meet the difference.
func TestDangerousEdgesCanBeWorseThanSelect(t *testing.T) {
	v := versions{
		mustParse(t, "s | a | x->t y->t\nt | b | x->u\nu | c |"),
		mustParse(t, "s | a | x->t y->v\nt | b | x->u\nu | c |\nv | b | x->s"),
	}
	trace := []int{0, 0}
	for r, want := range map[Reentrant]bool{Select: false, CrossSafeSpace: false, DangerousEdges: true} {
		if _, got := (instance{r, Redirect, 0}).compare(v).SelectWalk(slices.Values(trace)); got != want {
			t.Errorf("%v: selected %v, want %v", r, got, want)
		}
	}
}

func TestTraceOutsideTheGraphIsSelected(t *testing.T) {
	p := mustParse(t, "s | a | x->t\nt | b | x->s")
	for _, x := range instances(0) {
		r := x.compare(versions{p, p})
		for _, trace := range [][]int{{0, 1}, {0, -1}, {0, math.MaxInt}} {
			w, ok := r.SelectWalk(slices.Values(trace))
			if want := "0/0: trace leaves the old graph: old 1"; !ok || w.String() != want {
				t.Errorf("%v: trace %v: %v, %q; want %q", x, trace, ok, w, want)
			}
		}
	}
}

func TestWalkStopsAtTheDecision(t *testing.T) {
	v := versions{mustParse(t, "s | a | x->t\nt | b | x->t"), mustParse(t, "s | a | x->t\nt | c | x->t")}
	for _, x := range instances(0) {
		read := 0
		endless := func(yield func(int) bool) {
			for read = 1; yield(0); read++ {
			}
		}
		if _, ok := x.compare(v).SelectWalk(endless); !ok || read != 1 {
			t.Errorf("%v: selected %v after %d edges, want true after 1", x, ok, read)
		}
	}
}

func TestTruncated(t *testing.T) {
	text := "n0 | a | x->n1\nn1 | a | x->n2\nn2 | a | x->n3\nn3 | a |"
	v := versions{mustParse(t, text), mustParse(t, text)}
	for _, x := range instances(2) {
		want := "pairs 2, truncated true\n1/0 by 0/0 1/0: beyond the bound on pairs: old 2, new 2\n"
		if got := describe(x.compare(v)); got != want {
			t.Errorf("%v: got\n%swant\n%s", x, got, want)
		}
	}
	for _, x := range instances(4) {
		if r := x.compare(v); r.Truncated || r.Pairs != 4 {
			t.Errorf("%v: truncated %v with %d pairs, though all fit", x, r.Truncated, r.Pairs)
		}
	}
}

// TestDeepAndWide: neither depth nor the number of edges of a node may make a
// comparison slow or overflow a stack.
func TestDeepAndWide(t *testing.T) {
	const n = 200_000
	var deep, wide graph.Builder[int]
	deep.Nodes(n)
	wide.Nodes(n)
	for i := range int32(n - 1) {
		deep.Edge(i, 0, i+1)
		wide.Edge(0, int(i), i+1)
		wide.Edge(i+1, 0, 0)
	}
	for name, b := range map[string]*graph.Builder[int]{"deep": &deep, "wide": &wide} {
		g, err := b.Build(0)
		if err != nil {
			t.Fatal(err)
		}
		for _, reentrant := range []Reentrant{Select, CrossSafeSpace, DangerousEdges} {
			r := Compare[int](g, g, Options[int]{Reentrant: reentrant, Equal: func(n, m int32) bool { return n == m }})
			if r.Pairs != n || len(r.Dangerous()) > 0 {
				t.Errorf("%s, %v: %d pairs, %d dangerous edges", name, reentrant, r.Pairs, len(r.Dangerous()))
			}
		}
	}
}

// TestManyEdgesIntoACondemnedNode: a node with many labels into which many
// edges lead gets one new label; each label is looked at once, not once for
// each edge.
func TestManyEdgesIntoACondemnedNode(t *testing.T) {
	const n = 100_000
	build := func(labels int) graph.Graph[int] {
		var b graph.Builder[int]
		b.Nodes(n + 2)
		hub := int32(n + 1)
		for i := range int32(n) {
			b.Edge(0, int(i), i+1)
			b.Edge(i+1, 0, hub)
		}
		for l := range labels {
			b.Edge(hub, l, 0)
		}
		g, err := b.Build(0)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	counted := &counting{Graph: build(n + 1)}
	r := Compare[int](build(n), counted, Options[int]{Equal: func(n, m int32) bool { return n == m }})
	if len(r.Dangerous()) != n {
		t.Errorf("%d dangerous edges, want the %d into the hub", len(r.Dangerous()), n)
	}
	if counted.hub != 1 {
		t.Errorf("the labels of the condemned node were read %d times, want once", counted.hub)
	}
}

// counting counts how often the edges of the last node are read.
type counting struct {
	graph.Graph[int]
	hub int
}

func (c *counting) Out(n int32) []graph.Edge[int] {
	if int(n) == c.NumNodes()-1 {
		c.hub++
	}
	return c.Graph.Out(n)
}

// TestManyPairs drives the table of further pairs: rings of relatively prime
// lengths pair each node with each.
func TestManyPairs(t *testing.T) {
	ring := func(n int32) graph.Graph[string] {
		var b graph.Builder[string]
		b.Nodes(int(n))
		for i := range n {
			b.Edge(i, "next", (i+1)%n)
		}
		g, err := b.Build(0)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	const p, q = 211, 223
	for _, c := range []struct {
		reentrant       Reentrant
		max, pairs      int
		dangerous, safe int // safe: length of the longest trace that is left out, at most 2pq
	}{
		{Select, 0, p, 1, p - 1},
		{CrossSafeSpace, 0, p * q, 0, 2 * p * q},
		{DangerousEdges, 0, p * q, 0, 2 * p * q},
		{CrossSafeSpace, 1000, 1000, 1, 999},
		{DangerousEdges, 1000, 1000, 1, 999 % p},
	} {
		r := Compare(ring(p), ring(q), Options[string]{Reentrant: c.reentrant, MaxPairs: c.max, Equal: func(n, m int32) bool { return true }})
		if r.Pairs != c.pairs || len(r.Dangerous()) != c.dangerous || r.Truncated != (c.max > 0) {
			t.Errorf("%v, at most %d: %d pairs, %d dangerous edges, truncated %v", c.reentrant, c.max, r.Pairs, len(r.Dangerous()), r.Truncated)
		}
		safe := 0
		trace := func(yield func(int) bool) {
			for safe = 0; safe < 2*p*q && yield(0); safe++ {
			}
		}
		r.SelectWalk(trace)
		if safe != c.safe {
			t.Errorf("%v, at most %d: %d edges walked, want %d", c.reentrant, c.max, safe, c.safe)
		}
	}
}

func TestNames(t *testing.T) {
	var names []string
	for k := Kind(0); k <= NotInGraph; k++ {
		names = append(names, k.String())
	}
	for r := Select; r <= DangerousEdges; r++ {
		names = append(names, r.String())
	}
	names = append(names, Redirect.String(), Default.String())
	slices.Sort(names)
	if n := len(slices.Compact(slices.Clone(names))); n != len(names) || strings.TrimSpace(names[0]) == "" {
		t.Errorf("names are not distinct: %q", names)
	}
}
