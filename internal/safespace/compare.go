package safespace

import (
	"cmp"
	"slices"

	"winnow/internal/graph"
)

// Compare walks the two graphs together and returns what it proved. Both must
// pass graph.Check; they are read, never changed, also by the Result.
func Compare[L cmp.Ordered](old, new graph.Graph[L], opt Options[L]) *Result[L] {
	c := &comparison[L]{old: old, new: new, opt: opt, pairs: newPairs(old.NumNodes())}
	c.limit = opt.MaxPairs
	if c.limit <= 0 {
		c.limit = old.NumNodes() + 1<<22
	}
	c.limit = min(c.limit, c.pairs.limit())
	r := &Result[L]{c: c}
	if kind := c.begin(); kind != 0 {
		r.RerunAll = true
		r.start = kind
	}
	c.run()
	c.stack = nil // the Result keeps c
	c.tidy()
	r.Truncated = c.truncated
	r.Pairs = c.count
	return r
}

// comparison is the state of the walk.
type comparison[L cmp.Ordered] struct {
	old, new graph.Graph[L]
	opt      Options[L]

	pairs     pairs
	count     int // of pairs
	limit     int // of count
	truncated bool

	// condemned remembers pairs that (C4) rejects: without it each of the many
	// edges into a node would go through all the node's labels again.
	condemned pairSet

	stack   []frame
	dangers []danger
	tidied  int // length of dangers after the last tidy
}

// frame is a pair whose out-edges are being followed; next is the first that
// was not. Where aligned is set, edges match by index.
type frame struct {
	old, new, id, next int32
	aligned            bool
}

// danger says why an edge is dangerous: seen from which pair, and the new node
// of the pair at which the difference shows.
type danger struct {
	Edge
	pair, new int32
	kind      Kind
}

// begin pairs the start nodes (C1).
func (c *comparison[L]) begin() Kind {
	old, new := c.old.Start(), c.new.Start()
	v := c.admit(old, new)
	if v.kind == 0 {
		c.push(old, new, link{none, 0}, v.aligned)
	}
	return v.kind
}

// run follows the edges of all pairs depth first.
func (c *comparison[L]) run() {
walk:
	for len(c.stack) > 0 {
		f := &c.stack[len(c.stack)-1]
		out, outNew := c.old.Out(f.old), c.new.Out(f.new)
		for i := int(f.next); i < len(out); i++ {
			// Most edges of nearly equal graphs lead to a pair that is known, so
			// this is decided before anything else is looked at (C7).
			if f.aligned && c.pairs.first[out[i].To].partner == outNew[i].To {
				continue
			}
			f.next = int32(i) + 1
			if c.follow(*f, out, outNew, i) {
				continue walk
			}
		}
		c.stack = c.stack[:len(c.stack)-1]
	}
}

// follow decides old edge i of the frame's pair and reports whether it pushed
// a new pair.
func (c *comparison[L]) follow(f frame, out, outNew []graph.Edge[L], i int) bool {
	if f.aligned {
		return c.enter(f, i, out[i].To, outNew[i].To)
	}
	j := c.match(out, outNew, i)
	if j < 0 {
		c.condemn(danger{Edge{f.old, int32(i)}, f.id, f.new, LabelMissing})
		return false
	}
	if c.takesNewLabels(out, i) {
		return c.followDefault(f, out, outNew, i, outNew[j].To)
	}
	return c.enter(f, i, out[i].To, outNew[j].To)
}

// enter decides an edge that has one target in the new graph.
func (c *comparison[L]) enter(f frame, i int, old, new int32) bool {
	v := c.admit(old, new)
	switch {
	case v.kind != 0:
		c.condemn(danger{Edge{f.old, int32(i)}, f.id, new, v.kind})
		return false
	case v.known:
		return false
	}
	c.push(old, new, link{f.id, int32(i)}, v.aligned)
	return true
}

// followDefault decides a default edge whose values may go to several targets
// in the new graph. All of them are judged before one is entered: beyond a
// dangerous edge there is nothing to learn.
func (c *comparison[L]) followDefault(f frame, out, outNew []graph.Edge[L], i int, target int32) bool {
	if new, kind := c.judgeDefault(out, outNew, i, target); kind != 0 {
		c.condemn(danger{Edge{f.old, int32(i)}, f.id, new, kind})
		return false
	}
	depth := len(c.stack)
	for at, j := nextOnlyIn(out, outNew, 0, 0); j < len(outNew); at, j = nextOnlyIn(out, outNew, at, j+1) {
		c.enter(f, i, out[i].To, outNew[j].To)
	}
	c.enter(f, i, out[i].To, target)
	return len(c.stack) > depth
}

// judgeDefault returns the first difference among the targets of default edge
// i of the old node, of which the given one is the default edge's own, and the
// new node where it shows.
func (c *comparison[L]) judgeDefault(out, outNew []graph.Edge[L], i int, target int32) (int32, Kind) {
	if v := c.admit(out[i].To, target); v.kind != 0 {
		return target, v.kind
	}
	for at, j := nextOnlyIn(out, outNew, 0, 0); j < len(outNew); at, j = nextOnlyIn(out, outNew, at, j+1) {
		new := outNew[j].To
		if v := c.admit(out[i].To, new); v.kind != 0 {
			return new, v.kind
		}
		// (C8) A node of a signature graph has one successor for an edge.
		if new != target && c.opt.Reentrant != DangerousEdges {
			return new, SplitDefault
		}
	}
	return none, 0
}

// verdict is the answer to whether a pair may be entered. Zero means yes.
type verdict struct {
	kind    Kind
	known   bool // compared already
	aligned bool // the nodes have the same labels; only for a new pair
}

// admit judges a pair. It changes nothing, so that a Result may ask it too.
func (c *comparison[L]) admit(old, new int32) verdict {
	if c.pairs.find(old, new) != none {
		return verdict{known: true} // (C7)
	}
	if c.opt.Equal == nil || !c.opt.Equal(old, new) {
		return verdict{kind: WordDiffers} // (C2)
	}
	if c.reenters(old) { // before the labels are read, which costs more
		return verdict{kind: Reentry}
	}
	aligned, kind := c.relate(old, new)
	if kind == 0 && c.count >= c.limit {
		kind = Truncated // (C9)
	}
	return verdict{kind: kind, aligned: aligned}
}

// relate compares the labels of two nodes.
func (c *comparison[L]) relate(old, new int32) (aligned bool, kind Kind) {
	if c.condemned.find(pairKey(old, new)) >= 0 {
		return false, NewEdge
	}
	out, outNew := c.old.Out(old), c.new.Out(new)
	if sameLabels(out, outNew) {
		return true, 0
	}
	if c.condemns(out, outNew) {
		return false, NewEdge
	}
	return false, 0
}

// reenters reports whether an old node that is not paired with the new node at
// hand may not be paired with it any more (C7).
func (c *comparison[L]) reenters(old int32) bool {
	if c.opt.Reentrant == CrossSafeSpace || c.opt.Reentrant == DangerousEdges {
		return false
	}
	return c.pairs.first[old].partner != none
}

func (c *comparison[L]) push(old, new int32, l link, aligned bool) {
	c.count++
	id := c.pairs.add(old, new, l)
	c.stack = append(c.stack, frame{old, new, id, 0, aligned})
}

// condemn notes a dangerous edge. The same edge may be noted once for each
// pair of its node, so the list is tidied whenever it has doubled.
func (c *comparison[L]) condemn(d danger) {
	switch d.kind {
	case Truncated:
		c.truncated = true
	case NewEdge:
		c.remember(c.old.Out(d.Node)[d.Index].To, d.new)
	}
	c.dangers = append(c.dangers, d)
	if len(c.dangers) > 2*c.tidied+1024 {
		c.tidy()
	}
}

// remember keeps a pair that its labels condemn, as far as memory is granted.
func (c *comparison[L]) remember(old, new int32) {
	key := pairKey(old, new)
	if len(c.condemned.keys) < c.limit && c.condemned.find(key) < 0 {
		c.condemned.add(key)
	}
}

// tidy sorts the dangerous edges and keeps the first reason for each.
func (c *comparison[L]) tidy() {
	slices.SortStableFunc(c.dangers, func(x, y danger) int { return x.compare(y.Edge) })
	c.dangers = slices.CompactFunc(c.dangers, func(x, y danger) bool { return x.Edge == y.Edge })
	c.tidied = len(c.dangers)
}
