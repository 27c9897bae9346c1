package jig

import (
	"testing"

	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/observed"
)

// testStudy: one method is dangerous on all paths, one on some, and one for some receivers only.
func testStudy(t *testing.T) {
	old := map[string]string{
		"A.java": "class A { int m() { return 1; } }",
		"B.java": "class B extends A { }",
		"S.java": "class S { static int all(int n) { if (n > 1) n--; return n; } static int some(int n) { if (n > 1) n--; return n; } static int both(int n) { if (n > 1) return n - 1; return n + 1; } static int call(A a) { return a.m(); } " +
			"static int same(int n) { return n; } }",
	}
	before, after := revisions(t, nil, old, with(old,
		"B.java", "class B extends A { int m() { return 2; } }",
		"S.java", "class S { static int all(int n) { if (n > 1) n--; return n + 7; } static int some(int n) { if (n > 1) n -= 2; return n; } static int both(int n) { if (n > 1) return n - 2; return n + 2; } static int call(A a) { return a.m(); } "+
			"static int same(int n) { return n; } }"))
	c, _ := dangers(t, &Builder{}, before, after)
	got, err := c.Study()
	if err != nil {
		t.Fatal(err)
	}
	// all, some, both and call; in both, no path avoids the two edges together.
	if want := (Study{Methods: 4, OnAllPaths: 2, Edges: len(c.Dangers)}); got != want || got.Share() != 0.5 {
		t.Errorf("study %+v, want %+v", got, want)
	}
}

// TestAvoids: for single edges, Avoids agrees with package cfg.
func TestAvoids(t *testing.T) {
	p, err := observed.NewProgram(classesOf(t, jvmtest.Jar(t, "commons-codec")), libraries(t))
	if err != nil {
		t.Fatal(err)
	}
	g, err := (&Builder{}).Build(p)
	if err != nil {
		t.Fatal(err)
	}
	flow, edges := NewFlow(g), 0
	for _, m := range g.Methods() {
		f, err := flow.Graph(m)
		if err != nil {
			t.Fatal(err)
		}
		for e := range f.Edges {
			edges++
			if got, want := !Avoids(f, []int{e}), f.OnAllPaths(e); got != want && Avoids(f, nil) && f.Edges[e].Kind.String() != "exception" {
				t.Fatalf("%s: edge %s is on all paths: %v, want %v", m, f.Edges[e], got, want)
			}
		}
	}
	if edges < 5000 {
		t.Errorf("only %d edges", edges)
	}
}

// TestCovers: every edge and node of every body has a cover, and it is in the method.
func TestCovers(t *testing.T) {
	p, err := observed.NewProgram(classesOf(t, jvmtest.Jar(t, "commons-codec")), libraries(t))
	if err != nil {
		t.Fatal(err)
	}
	g, err := (&Builder{}).Build(p)
	if err != nil {
		t.Fatal(err)
	}
	flow := NewFlow(g)
	for _, m := range g.Methods() {
		from, to, _ := g.Body(m)
		f, err := flow.Graph(m)
		if err != nil {
			t.Fatal(err)
		}
		for n := from; n < to; n++ {
			for _, e := range g.Out(n) {
				c, err := flow.Edge(n, e.Label)
				if err != nil || c.Method != m {
					t.Fatalf("%s -%s->: %v, %v", g.Name(n), e.Label, c, err)
				}
				for _, k := range c.Edges {
					if k < 0 || k >= len(f.Edges) {
						t.Fatalf("%s -%s->: edge %d of %d", g.Name(n), e.Label, k, len(f.Edges))
					}
				}
				switch e.Label { // a branch has an edge of its own
				case True, False:
					if len(c.Edges) != 1 {
						t.Errorf("%s -%s->: covers %v", g.Name(n), e.Label, c.Edges)
					}
				}
			}
		}
	}
}
