package safespace

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// An Edge of the old graph: the edge Out(Node)[Index]. Printed form: 4/1.
type Edge struct{ Node, Index int32 }

func (e Edge) String() string { return fmt.Sprintf("%d/%d", e.Node, e.Index) }

// compare orders edges by node, then by index.
func (e Edge) compare(f Edge) int {
	return cmp.Or(cmp.Compare(e.Node, f.Node), cmp.Compare(e.Index, f.Index))
}

// A Witness shows why a test must be rerun: a path in the old graph to the
// first difference. Its printed form gives the path and the difference:
//
//	0/0 1/1 4/1: word differs: old 5, new 11
//	start: word differs: old 0, new 0
type Witness struct {
	// Path leads from the start node to the difference; its last edge is the
	// dangerous one, and it is empty if already the start nodes differ.
	Path []Edge
	Kind Kind
	// Old and New are the nodes at which the difference shows: for
	// LabelMissing the nodes that the last edge leaves, else those it leads
	// to. For NotInGraph New is -1 and Old is the node where the trace left.
	Old, New int32
}

func (w Witness) String() string {
	var b strings.Builder
	for i, e := range w.Path {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(e.String())
	}
	if len(w.Path) == 0 {
		b.WriteString("start")
	}
	fmt.Fprintf(&b, ": %s: old %d", w.Kind, w.Old)
	if w.New != none {
		fmt.Fprintf(&b, ", new %d", w.New)
	}
	return b.String()
}

// A Result is what Compare proved. It is immutable and may be used by several
// goroutines at once, as far as the graphs may.
type Result[L cmp.Ordered] struct {
	// RerunAll is set if already the start nodes differ: no edge was compared,
	// Dangerous is empty, and every test must be rerun whatever it covers.
	RerunAll bool
	// Truncated is set if Options.MaxPairs cut the comparison short. The
	// answers are safe all the same, and less precise.
	Truncated bool
	// Pairs is the number of pairs that were compared.
	Pairs int

	start Kind // with RerunAll
	c     *comparison[L]
}

// Dangerous returns the edges of the old graph that lead to SELECT from at
// least one pair, sorted. Look at RerunAll first.
func (r *Result[L]) Dangerous() []Edge {
	edges := make([]Edge, len(r.c.dangers))
	for i, d := range r.c.dangers {
		edges[i] = d.Edge
	}
	return edges
}

// Witness returns the witness of a dangerous edge; false if it is not
// dangerous.
func (r *Result[L]) Witness(e Edge) (Witness, bool) {
	i, ok := r.find(e)
	if !ok {
		return Witness{}, false
	}
	return r.witness(r.c.dangers[i]), true
}

// SelectSet decides for a test of which only the set of covered edges is known
// (C10). It reports whether the test must be rerun and, if so, the witness of
// its first dangerous edge. covered must hold for each edge that the test took.
func (r *Result[L]) SelectSet(covered func(Edge) bool) (Witness, bool) {
	if r.RerunAll {
		return r.startWitness(), true
	}
	for _, d := range r.c.dangers {
		if covered(d.Edge) {
			return r.witness(d), true
		}
	}
	return Witness{}, false
}

// SelectWalk decides for a test whose whole trace is known: the indices of the
// edges it took, in order, from the start node of the old graph (C11). It
// stops reading the trace when the decision to rerun is made.
func (r *Result[L]) SelectWalk(trace iter.Seq[int]) (Witness, bool) {
	if r.RerunAll {
		return r.startWitness(), true
	}
	if r.c.opt.Reentrant == CrossSafeSpace {
		return r.walkPairs(trace)
	}
	return r.walkEdges(trace)
}

// walkEdges walks a trace in a space whose nodes are old nodes: an edge is
// dangerous or not, wherever the trace comes from.
func (r *Result[L]) walkEdges(trace iter.Seq[int]) (Witness, bool) {
	at := r.c.old.Start()
	for i := range trace {
		out := r.c.old.Out(at)
		if i < 0 || i >= len(out) {
			return r.strayWitness(r.c.pairs.path(at), at), true
		}
		if w, ok := r.Witness(Edge{at, int32(i)}); ok {
			return w, true
		}
		at = out[i].To
	}
	return Witness{}, false
}

// walkPairs walks a trace in the cross safe space. Its edges are not stored:
// the target of an edge is computed again, and the edge stays inside exactly
// if that pair was compared.
func (r *Result[L]) walkPairs(trace iter.Seq[int]) (Witness, bool) {
	id := r.c.pairs.find(r.c.old.Start(), r.c.new.Start())
	for i := range trace {
		old, _ := r.c.pairs.nodes(id)
		if i < 0 || i >= len(r.c.old.Out(old)) {
			return r.strayWitness(r.c.pairs.path(id), old), true
		}
		next, d := r.step(id, i)
		if d.kind != 0 {
			return r.witness(d), true
		}
		id = next
	}
	return Witness{}, false
}

// step follows old edge i of a pair to the next pair, or to a difference.
func (r *Result[L]) step(id int32, i int) (int32, danger) {
	c := r.c
	old, new := c.pairs.nodes(id)
	out, outNew := c.old.Out(old), c.new.Out(new)
	d := danger{Edge: Edge{old, int32(i)}, pair: id}
	j := c.match(out, outNew, i)
	if j < 0 {
		d.new, d.kind = new, LabelMissing
		return none, d
	}
	target := outNew[j].To
	if c.takesNewLabels(out, i) {
		if d.new, d.kind = c.judgeDefault(out, outNew, i, target); d.kind != 0 {
			return none, d
		}
	}
	next := c.pairs.find(out[i].To, target)
	if next == none {
		d.new, d.kind = target, c.admit(out[i].To, target).kind
	}
	return next, d
}

func (r *Result[L]) find(e Edge) (int, bool) {
	return slices.BinarySearchFunc(r.c.dangers, e, func(d danger, e Edge) int { return d.compare(e) })
}

func (r *Result[L]) witness(d danger) Witness {
	w := Witness{Path: append(r.c.pairs.path(d.pair), d.Edge), Kind: d.kind, Old: d.Node, New: d.new}
	if d.kind != LabelMissing {
		w.Old = r.c.old.Out(d.Node)[d.Index].To
	}
	return w
}

func (r *Result[L]) startWitness() Witness {
	return Witness{Kind: r.start, Old: r.c.old.Start(), New: r.c.new.Start()}
}

func (r *Result[L]) strayWitness(path []Edge, at int32) Witness {
	return Witness{Path: path, Kind: NotInGraph, Old: at, New: none}
}
