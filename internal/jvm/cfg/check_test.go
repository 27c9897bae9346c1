package cfg

import (
	"slices"
	"testing"

	"winnow/internal/jvm/bytecode"
)

// clone copies a graph so that it can be broken.
func (g *Graph) clone() *Graph {
	out := *g
	out.Blocks, out.Edges, out.handlers = slices.Clone(g.Blocks), slices.Clone(g.Edges), slices.Clone(g.handlers)
	for i := range out.Blocks {
		out.Blocks[i].Succ, out.Blocks[i].Pred = slices.Clone(out.Blocks[i].Succ), slices.Clone(out.Blocks[i].Pred)
	}
	return &out
}

// relist makes the lists of the blocks fit the edges, so that a broken edge is found for its own sake.
func (g *Graph) relist() {
	for i := range g.Blocks {
		g.Blocks[i].Succ, g.Blocks[i].Pred = nil, nil
	}
	for i, e := range g.Edges {
		if e.From >= 0 {
			g.Blocks[e.From].Succ = append(g.Blocks[e.From].Succ, i)
		}
		if e.To >= 0 {
			g.Blocks[e.To].Pred = append(g.Blocks[e.To].Pred, i)
		}
	}
}

// TestCheckNotices breaks each graph of bodies in every way at every place: Check must see each.
func TestCheckNotices(t *testing.T) {
	n := 0
	expect := func(name, what string, at int, g *Graph) {
		n++
		if g.Check() == nil {
			t.Errorf("%s: %s at %d goes unnoticed", name, what, at)
		}
	}
	for _, b := range bodies {
		good := graphOf(t, b.major, b.build)
		for i := range good.Edges {
			for what, change := range brokenEdges {
				g := good.clone()
				if change(g, i) {
					expect(b.name, what, i, g)
				}
			}
		}
		for i := range good.Blocks {
			for what, change := range brokenBlocks {
				g := good.clone()
				if change(g, i) {
					expect(b.name, what, i, g)
				}
			}
		}
	}
	if n < 500 {
		t.Errorf("only %d broken graphs", n)
	}
}

// brokenEdges change a graph at an edge; false if that is not possible there.
var brokenEdges = map[string]func(g *Graph, i int) bool{
	"removed edge": func(g *Graph, i int) bool {
		g.Edges = slices.Delete(g.Edges, i, i+1)
		g.relist()
		return true
	},
	"doubled edge": func(g *Graph, i int) bool {
		g.Edges = slices.Insert(g.Edges, i, g.Edges[i])
		g.relist()
		return true
	},
	"other target": func(g *Graph, i int) bool {
		if g.Edges[i].To < 0 || len(g.Blocks) == 1 {
			return false
		}
		g.Edges[i].To = (g.Edges[i].To + 1) % len(g.Blocks)
		g.relist()
		return true
	},
	"target that is none": func(g *Graph, i int) bool {
		g.Edges[i].To = len(g.Blocks)
		return true
	},
	"source that is none": func(g *Graph, i int) bool {
		g.Edges[i].From = -2
		return true
	},
	"other kind": func(g *Graph, i int) bool {
		g.Edges[i].Kind = (g.Edges[i].Kind + 1) % (Exception + 1)
		return true
	},
	"other label": func(g *Graph, i int) bool {
		g.Edges[i].Label += "x"
		return true
	},
	"not listed": func(g *Graph, i int) bool {
		if g.Edges[i].From < 0 {
			return false
		}
		b := &g.Blocks[g.Edges[i].From]
		b.Succ = b.Succ[1:]
		return true
	},
}

// brokenBlocks change a graph at a block.
var brokenBlocks = map[string]func(g *Graph, i int) bool{
	"longer block":  func(g *Graph, i int) bool { g.Blocks[i].End++; return true },
	"later block":   func(g *Graph, i int) bool { g.Blocks[i].Start++; return true },
	"removed block": func(g *Graph, i int) bool { g.Blocks = slices.Delete(g.Blocks, i, i+1); return true },
	"other last":    func(g *Graph, i int) bool { g.Blocks[i].Last = bytecode.Wide; return true },
	"other place":   func(g *Graph, i int) bool { g.Blocks[i].LastPC--; return true },
	"joined with the next": func(g *Graph, i int) bool {
		if i+1 == len(g.Blocks) {
			return false
		}
		g.Blocks[i].End, g.Blocks[i].Last, g.Blocks[i].LastPC = g.Blocks[i+1].End, g.Blocks[i+1].Last, g.Blocks[i+1].LastPC
		g.Blocks = slices.Delete(g.Blocks, i+1, i+2)
		edges := slices.DeleteFunc(g.Edges, func(e Edge) bool { return e.From == i && (e.Kind == Fall || e.To == i+1) })
		for k := range edges {
			edges[k].From, edges[k].To = above(edges[k].From, i), above(edges[k].To, i)
		}
		g.Edges = edges
		g.relist()
		return true
	},
}

// above is the number of a block when the one behind i has become part of it.
func above(n, i int) int {
	if n > i {
		return n - 1
	}
	return n
}

// TestCheckSeesHandlers: a row of the exception table more or less is noticed wherever it makes a difference.
func TestCheckSeesHandlers(t *testing.T) {
	good := graphOf(t, 52, bodies[8].build)
	for i := range 2 { // the third row is the second again
		g := good.clone()
		g.handlers = slices.Delete(g.handlers, i, i+1)
		if i == 1 {
			g.handlers = g.handlers[:1]
		}
		if g.Check() == nil {
			t.Errorf("without row %d it is the same", i)
		}
	}
	g := good.clone()
	g.handlers = append(g.handlers, handler{4, 6, 4, "E"})
	if g.Check() == nil {
		t.Error("an uncovered row goes unnoticed")
	}
}
