package graph

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestBuilder(t *testing.T) {
	var b Builder[string]
	first := b.Nodes(2)
	last := b.Node()
	b.Edge(first, "T", 1)
	b.Edge(1, "*", last)
	b.Edge(first, "F", last)
	b.Edge(1, "no plain label", first)
	g, err := b.Build(first)
	if err != nil {
		t.Fatal(err)
	}
	want := "start 0\n0: F->2 T->1\n1: *->2 \"no plain label\"->0\n2:\n"
	if got := g.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if g.NumNodes() != 3 || g.NumEdges() != 4 {
		t.Errorf("%d nodes and %d edges, want 3 and 4", g.NumNodes(), g.NumEdges())
	}
}

func TestBuilderGoesOnAfterBuild(t *testing.T) {
	var b Builder[int]
	b.Node()
	before, err := b.Build(0)
	if err != nil {
		t.Fatal(err)
	}
	b.Edge(0, 7, b.Node())
	after, err := b.Build(0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := before.String(), "start 0\n0:\n"; got != want {
		t.Errorf("the first graph became\n%swant\n%s", got, want)
	}
	if got, want := after.String(), "start 0\n0: 7->1\n1:\n"; got != want {
		t.Errorf("the second graph is\n%swant\n%s", got, want)
	}
}

func TestBuildRejects(t *testing.T) {
	for _, c := range []struct {
		name  string
		nodes int
		edges [][3]int32
		start int32
		want  string
	}{
		{"no node", 0, nil, 0, "start node 0 of 0"},
		{"start beyond", 2, nil, 2, "start node 2 of 2"},
		{"negative start", 2, nil, -1, "start node -1"},
		{"source beyond", 1, [][3]int32{{1, 5, 0}}, 0, "leaves node 1 of 1"},
		{"target beyond", 1, [][3]int32{{0, 5, 1}}, 0, "leads to node 1 of 1"},
		{"negative target", 1, [][3]int32{{0, 5, -1}}, 0, "leads to node -1"},
		{"label twice", 2, [][3]int32{{0, 5, 1}, {0, 5, 0}}, 0, "label 5 does not come after label 5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b Builder[int32]
			b.Nodes(c.nodes)
			for _, e := range c.edges {
				b.Edge(e[0], e[1], e[2])
			}
			g, err := b.Build(c.start)
			if g != nil || !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, %v; want an error with %q", g, err, c.want)
			}
		})
	}
}

// unsorted is a graph that breaks the order of labels.
type unsorted struct{}

func (unsorted) NumNodes() int            { return 1 }
func (unsorted) Start() int32             { return 0 }
func (unsorted) Out(int32) []Edge[string] { return []Edge[string]{{"b", 0}, {"a", 0}} }

func TestCheckSeesUnsortedLabels(t *testing.T) {
	if err := Check[string](unsorted{}); !errors.Is(err, ErrMalformed) {
		t.Errorf("Check = %v, want ErrMalformed", err)
	}
}

func TestParseRejects(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "no start line",
		"0:\n":                         "line 1: want \"start \"",
		"start x\n0:\n":                "line 1: node number",
		"start 0\n":                    "start node 0 of 0",
		"start 0\n1:\n":                "line 2: node 1 where node 0 is due",
		"start 0\n0\n":                 "line 2: no colon",
		"start 0\n0: T\n":              "no arrow after label \"T\"",
		"start 0\n0: T->\n":            "node number",
		"start 0\n0: T->1\n":           "leads to node 1 of 1",
		"start 0\n0: T->99999999999\n": "value out of range",
		"start 0\n0: \"T->0\n":         "label at",
		"start 0\n0: ->0\n":            "no label at",
		"start 0\n0: T->0 T->0\n":      "does not come after",
		"start 0\n\n0: -1->0\n":        "line 3: no label",
	} {
		g, err := Parse(text)
		if g != nil || !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, %v; want an error with %q", text, g, err, want)
		}
	}
}

func TestParseIsTolerantOfLayout(t *testing.T) {
	g, err := Parse("\n start  1 \n\n0:\tT->1   F->0\r\n1:")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := g.String(), "start 1\n0: F->0 T->1\n1:\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestRandomRoundTrip(t *testing.T) {
	labels := []string{"", "a", "b.c", "*", " ", "->", "\"", "\xff", "ä", "1", "a b", "\n"}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 0))
		var b Builder[string]
		n := 1 + r.IntN(8)
		b.Nodes(n)
		for v := range n {
			for _, l := range r.Perm(len(labels))[:r.IntN(4)] {
				b.Edge(int32(v), labels[l], int32(r.IntN(n)))
			}
		}
		g, err := b.Build(int32(r.IntN(n)))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		back, err := Parse(g.String())
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, g)
		}
		if !equal(g, back) {
			t.Fatalf("seed %d: printed\n%sread back\n%s", seed, g, back)
		}
	}
}

func equal(g, h *Static[string]) bool {
	return g.start == h.start && slices.Equal(g.offsets, h.offsets) && slices.Equal(g.edges, h.edges)
}

func FuzzParse(f *testing.F) {
	f.Add("start 0\n0: F->2 T->1\n1: *->2\n2:\n")
	f.Add("start 1\n0:\n1: \"a b\"->0 \"\\xff\"->1\n")
	f.Add("start 0\n0: T->1\n")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := Parse(text)
		if err != nil {
			if g != nil || !errors.Is(err, ErrMalformed) {
				t.Fatalf("got %v, %v", g, err)
			}
			return
		}
		if err := Check[string](g); err != nil {
			t.Fatal(err)
		}
		back, err := Parse(g.String())
		if err != nil || !equal(g, back) {
			t.Fatalf("printed\n%sread back\n%v, %v", g, back, err)
		}
	})
}
