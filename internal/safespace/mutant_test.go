package safespace

import (
	"slices"
	"testing"

	"winnow/internal/graph"
)

// A mutant is a comparison with one rule broken. The oracles must notice.
type mutant struct {
	name    string
	in      []instance
	compare func(instance, versions) *Result[string]
}

// without returns a comparison that takes edges with one kind of difference
// for safe. It forgets them in the list by which tests are selected.
func without(kind Kind) func(instance, versions) *Result[string] {
	return func(x instance, v versions) *Result[string] {
		r := x.compare(v)
		r.c.dangers = slices.DeleteFunc(r.c.dangers, func(d danger) bool { return d.kind == kind })
		return r
	}
}

// believing returns a comparison with another equivalence machine.
func believing(equal func(v versions, n, m int32) bool) func(instance, versions) *Result[string] {
	return func(x instance, v versions) *Result[string] {
		o := x.options(v)
		o.Equal = func(n, m int32) bool { return equal(v, n, m) }
		return Compare(v.old.graph(), v.new.graph(), o)
	}
}

// blind is a graph without the edges that carry one label.
type blind struct {
	graph.Graph[string]
	label string
}

func (b blind) Out(n int32) []graph.Edge[string] {
	return slices.DeleteFunc(slices.Clone(b.Graph.Out(n)), func(e graph.Edge[string]) bool { return e.Label == b.label })
}

func mutants() []mutant {
	all := instances(0)
	filter := func(xs []instance, keep func(instance) bool) []instance {
		return slices.DeleteFunc(slices.Clone(xs), func(x instance) bool { return !keep(x) })
	}
	is := func(r Reentrant) func(instance) bool { return func(x instance) bool { return x.reentrant == r } }
	return []mutant{
		{name: "all words are equal", in: all, compare: believing(func(versions, int32, int32) bool { return true })},
		{name: "b equals c", in: all, compare: believing(func(v versions, n, m int32) bool {
			return (v.old.words[n] == "a") == (v.new.words[m] == "a")
		})},
		{name: "(C1) the start is always equal", in: all, compare: func(x instance, v versions) *Result[string] {
			r := x.compare(v)
			if r.RerunAll {
				r = Compare(v.old.graph(), v.old.graph(), x.options(versions{v.old, v.old}))
			}
			return r
		}},
		{name: "(C2) different words are safe", in: all, compare: without(WordDiffers)},
		{name: "(C3) a missing label is safe", in: all, compare: without(LabelMissing)},
		{name: "(C4, C6) new labels are safe", in: all, compare: without(NewEdge)},
		{name: "(C4) the label z is not seen in the new graph", in: filter(all, func(x instance) bool { return x.newLabel == Redirect }),
			compare: func(x instance, v versions) *Result[string] {
				return Compare(v.old.graph(), graph.Graph[string](blind{v.new.graph(), "z"}), x.options(v))
			}},
		{name: "(C5) new labels do not concern the default edge", in: filter(all, func(x instance) bool { return x.newLabel == Default }),
			compare: func(x instance, v versions) *Result[string] {
				o := x.options(v)
				o.Default = "no such label"
				return Compare(v.old.graph(), v.new.graph(), o)
			}},
		{name: "(C7) reentry is safe", in: filter(all, is(Select)), compare: without(Reentry)},
		{name: "(C8) a split default edge is safe", in: []instance{{Select, Default, 0}, {CrossSafeSpace, Default, 0}}, compare: without(SplitDefault)},
		{name: "(C9) what lies beyond the bound is safe", in: instances(1, 2), compare: without(Truncated)},
	}
}

// unsafe reports whether the mutant leaves out a test that oracle (1) shows to
// behave differently. The other checks of the random tests do not count here:
// a mutant must be caught for what it loses.
func (m mutant) unsafe(x instance, v versions) bool {
	r := m.compare(x, v)
	return slices.ContainsFunc(observe(v), func(o observation) bool {
		_, inSet := r.SelectSet(o.run.covers)
		_, inWalk := r.SelectWalk(slices.Values(o.run.trace))
		return o.differs && !(inSet && inWalk) && !(x.newLabel == Default && o.run.uncovered)
	})
}

func TestMutantsAreCaught(t *testing.T) {
	for _, m := range mutants() {
		t.Run(m.name, func(t *testing.T) {
			for _, x := range m.in {
				m.hunt(t, x)
			}
		})
	}
}

// hunt looks for a pair that shows the mutant to be unsafe, and shrinks it:
// a defect must not only be found but be small enough to read.
func (m mutant) hunt(t *testing.T, x instance) {
	const enough = 20000
	for seed := range uint64(enough) {
		v := newGenerator(seed).pair()
		if !m.unsafe(x, v) {
			continue
		}
		small := v.shrink(func(w versions) bool { return m.unsafe(x, w) })
		if small.old.len() > 4 || small.new.len() > 5 {
			t.Errorf("%v: shrunk only to\n%v", x, small)
		}
		t.Logf("%v: pair %d, shrunk to\n%v", x, seed, small)
		return
	}
	t.Errorf("%v: not caught by %d pairs", x, enough)
}

// TestAssumptionA4IsNeeded shows that Default is not safe for runs that end
// because their value has no edge.
func TestAssumptionA4IsNeeded(t *testing.T) {
	v := versions{
		mustParse(t, "s | a | x->t\nt | b |\n"),
		mustParse(t, "s | a | x->t y->t\nt | b |\n"),
	}
	for _, r := range []Reentrant{Select, CrossSafeSpace, DangerousEdges} {
		unsafe := 0
		res := instance{r, Default, 0}.compare(v)
		for _, o := range observe(v) {
			if _, in := res.SelectWalk(slices.Values(o.run.trace)); o.differs && !in {
				unsafe++
				if !o.run.uncovered {
					t.Errorf("%v: test %d lies within (A4), differs and is left out", r, o.testCase)
				}
			}
		}
		if unsafe == 0 {
			t.Errorf("%v: no test outside (A4) is lost", r)
		}
	}
}
