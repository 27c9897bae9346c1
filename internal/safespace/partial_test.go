package safespace

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"
)

// Data dependence graphs: acyclic, an edge leads from a node to one whose value
// it reads. Here a test asks for the value of the start node; its trace is the
// set of edges that were read, in whatever order.

// evaluation is the evaluation of one program for one test.
type evaluation struct {
	p      *program
	t      testCase
	values map[int]uint64
	used   []Edge // in the order in which the evaluation by demand finished them
}

// formula computes the value of a node: which labels it reads depends on its
// word and on the values read so far, and so does the value.
func (t testCase) formula(word string, read func(label string) uint64) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, uint64(t), word)
	for range 3 {
		choice := h.Sum64() >> 9 % uint64(len(genLabels)+1)
		if choice == uint64(len(genLabels)) {
			break
		}
		fmt.Fprint(h, choice, read(genLabels[choice]))
	}
	return h.Sum64()
}

// absent is the value of a label that a node does not have.
const absent = 0

// demand evaluates a node and what it reads.
func (e *evaluation) demand(n int) uint64 {
	if v, ok := e.values[n]; ok {
		return v
	}
	var used []Edge
	v := e.t.formula(e.p.words[n], func(label string) uint64 {
		i := e.p.arcIndex(n, label)
		if i < 0 {
			return absent
		}
		used = append(used, Edge{int32(n), int32(i)})
		return e.demand(e.p.out[n][i].to)
	})
	e.values[n] = v
	e.used = append(e.used, used...)
	return v
}

func evaluate(p *program, t testCase) *evaluation {
	e := &evaluation{p: p, t: t, values: map[int]uint64{}}
	e.demand(0)
	slices.SortFunc(e.used, Edge.compare)
	e.used = slices.Compact(e.used)
	return e
}

// reorder evaluates the nodes of the trace one after the other in a random
// order that the reads permit, and returns the edges in that order.
func (e *evaluation) reorder(g generator) ([]Edge, error) {
	done := map[int]uint64{}
	var order []Edge
	for len(done) < len(e.values) {
		ready := e.ready(done)
		if len(ready) == 0 {
			return nil, fmt.Errorf("no node can be evaluated after %v", done)
		}
		n := ready[g.IntN(len(ready))]
		done[n] = e.t.formula(e.p.words[n], func(label string) uint64 {
			if i := e.p.arcIndex(n, label); i >= 0 {
				order = append(order, Edge{int32(n), int32(i)})
				return done[e.p.out[n][i].to]
			}
			return absent
		})
		if done[n] != e.values[n] {
			return nil, fmt.Errorf("node %d has another value in another order", n)
		}
	}
	return order, nil
}

func (e *evaluation) ready(done map[int]uint64) []int {
	var ready []int
	for n := range e.p.words {
		_, isDone := done[n]
		if _, wanted := e.values[n]; !wanted || isDone {
			continue
		}
		waits := slices.ContainsFunc(e.used, func(u Edge) bool {
			if int(u.Node) != n {
				return false
			}
			_, ok := done[e.p.out[n][u.Index].to]
			return !ok
		})
		if !waits {
			ready = append(ready, n)
		}
	}
	return ready
}

// paths calls visit with each path of used edges from the start.
func (e *evaluation) paths(at int, path []int, visit func([]int)) {
	visit(path)
	for _, u := range e.used {
		if int(u.Node) == at {
			e.paths(e.p.out[at][u.Index].to, append(slices.Clip(path), int(u.Index)), visit)
		}
	}
}

// acyclicPair returns two acyclic programs, the second an edited copy.
func (g generator) acyclicPair() versions {
	old := &program{}
	for range 2 + g.IntN(5) {
		old.add(old.freshName(), g.word())
	}
	for n := range old.len() - 1 {
		for range 1 + g.IntN(4) {
			old.set(n, g.label(), n+1+g.IntN(old.len()-n-1))
		}
	}
	for {
		new := old.clone()
		for range 1 + g.IntN(3) {
			g.edit(new)
		}
		if acyclic(new) {
			return versions{old, new}
		}
	}
}

func acyclic(p *program) bool {
	removed := make([]bool, p.len())
	for range p.words {
		for n, out := range p.out {
			removed[n] = removed[n] || !slices.ContainsFunc(out, func(a arc) bool { return !removed[a.to] })
		}
	}
	return !slices.Contains(removed, false)
}

// spelled returns a copy in which the word of a node tells its labels, as a
// formula tells the cells it refers to.
func spelled(p *program) *program {
	q := p.clone()
	for n := range q.words {
		q.words[n] += "(" + strings.Join(q.labels(n), ",") + ")"
	}
	return q
}

// ordinary is the comparison of acyclic programs: no label is a default.
func (x instance) ordinary(v versions) *Result[string] {
	o := x.options(v)
	o.HasDefault = false
	return Compare(v.old.graph(), v.new.graph(), o)
}

// partialTally counts what the tests of partial orders saw.
type partialTally struct{ tests, differ, left int }

// judgePartial checks the decisions for one test on an acyclic pair.
func judgePartial(r *Result[string], v versions, t testCase, g generator, n *partialTally) error {
	e := evaluate(v.old, t)
	differs := e.values[0] != evaluate(v.new, t).values[0]
	w, inSet := r.SelectSet(func(u Edge) bool { return slices.Contains(e.used, u) })
	n.tests++
	if differs {
		n.differ++
	}
	if !inSet {
		n.left++
	}
	if differs && !inSet {
		return fmt.Errorf("the value differs and the test is left out")
	}
	for range 2 {
		order, err := e.reorder(g)
		if err != nil {
			return err
		}
		w2, again := r.SelectSet(func(u Edge) bool { return slices.Contains(order, u) })
		if again != inSet || w2.String() != w.String() {
			return fmt.Errorf("selected %v by %v, in order %v %v by %v", inSet, w, order, again, w2)
		}
	}
	return judgePaths(r, e, differs, inSet)
}

// judgePaths checks that walking every path of the trace is as safe as the
// decision for the set.
func judgePaths(r *Result[string], e *evaluation, differs, inSet bool) error {
	byPath := false
	e.paths(0, nil, func(path []int) {
		_, in := r.SelectWalk(slices.Values(path))
		byPath = byPath || in
	})
	switch {
	case differs && !byPath:
		return fmt.Errorf("the value differs and every path is left out")
	case byPath && !inSet:
		return fmt.Errorf("a path is selected and the set is left out")
	case inSet && !byPath && r.c.opt.Reentrant != CrossSafeSpace:
		return fmt.Errorf("the set is selected and every path is left out")
	}
	return nil
}

// partialFault returns what judgePartial finds. New labels are met with
// redirect for any words, and with default where a word tells its labels.
func partialFault(x instance, v versions, compare func(instance, versions) *Result[string], seed uint64, n *partialTally) error {
	if x.newLabel == Default {
		v = versions{spelled(v.old), spelled(v.new)}
	}
	r := compare(x, v)
	for t := range testCase(8) {
		if err := judgePartial(r, v, t, newGenerator(seed), n); err != nil {
			return fmt.Errorf("%v: test %d: %w", x, t, err)
		}
	}
	return nil
}

func TestPartialOrders(t *testing.T) {
	pairs := max(1, *graphsFlag/4)
	t.Logf("seed %d, %d acyclic pairs", *seedFlag, pairs)
	var n partialTally
	for i := range uint64(pairs) {
		seed := *seedFlag + i
		v := newGenerator(seed).acyclicPair()
		for _, x := range instances(0) {
			fault := func(w versions) error { return partialFault(x, w, instance.ordinary, seed, &n) }
			if fault(v) != nil {
				small := v.shrink(func(w versions) bool { return fault(w) != nil })
				t.Fatalf("%v\n%vto repeat: go test ./internal/safespace -run '^%s$' -seed %d -graphs 1", fault(small), small, t.Name(), seed)
			}
		}
	}
	t.Logf("%d decisions: %d values differ, %d tests left out", n.tests, n.differ, n.left)
	if pairs >= 500 && (n.differ < n.tests/10 || n.left < n.tests/10) {
		t.Errorf("%+v: the random programs exercise too little", n)
	}
}

// TestPartialOrderMutantsAreCaught shows that the oracle notices a kind of
// difference that is taken for none.
func TestPartialOrderMutantsAreCaught(t *testing.T) {
	for kind, x := range map[Kind]instance{
		WordDiffers:  {DangerousEdges, Default, 0},
		LabelMissing: {DangerousEdges, Redirect, 0},
		NewEdge:      {DangerousEdges, Redirect, 0},
		Reentry:      {Select, Redirect, 0},
	} {
		mutant := func(x instance, v versions) *Result[string] {
			r := x.ordinary(v)
			r.c.dangers = slices.DeleteFunc(r.c.dangers, func(d danger) bool { return d.kind == kind })
			return r
		}
		caught := false
		for seed := uint64(0); seed < 5000 && !caught; seed++ {
			caught = partialFault(x, newGenerator(seed).acyclicPair(), mutant, seed, &partialTally{}) != nil
		}
		if !caught {
			t.Errorf("%v: taking %q for safe is not noticed", x, kind)
		}
	}
}
