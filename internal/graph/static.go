package graph

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Static is an immutable graph in compressed sparse row form: all edges in one
// slice, ordered by node and label, and for each node the place where its
// edges begin. A node costs 4 bytes, an edge the size of [Edge].
type Static[L cmp.Ordered] struct {
	start   int32
	offsets []int32 // one more than there are nodes
	edges   []Edge[L]
}

var _ Graph[string] = (*Static[string])(nil)

// NumNodes returns the number of nodes.
func (g *Static[L]) NumNodes() int { return len(g.offsets) - 1 }

// NumEdges returns the number of edges.
func (g *Static[L]) NumEdges() int { return len(g.edges) }

// Start returns the start node.
func (g *Static[L]) Start() int32 { return g.start }

// Out returns the edges that leave n, sorted by label.
func (g *Static[L]) Out(n int32) []Edge[L] {
	from, to := g.offsets[n], g.offsets[n+1]
	return g.edges[from:to:to]
}

// A Builder collects nodes and edges in any order. Its zero value is ready to
// use and holds no node.
type Builder[L cmp.Ordered] struct {
	nodes   int
	sources []int32
	edges   []Edge[L]
}

// Node adds a node and returns its number: 0, 1, 2, …
func (b *Builder[L]) Node() int32 {
	b.nodes++
	return int32(b.nodes - 1)
}

// Nodes adds n nodes and returns the number of the first.
func (b *Builder[L]) Nodes(n int) int32 {
	first := b.nodes
	b.nodes += n
	return int32(first)
}

// Edge adds an edge. Its ends need not exist yet; Build checks them.
func (b *Builder[L]) Edge(from int32, label L, to int32) {
	b.sources = append(b.sources, from)
	b.edges = append(b.edges, Edge[L]{label, to})
}

// Build returns the graph of what was added so far. It fails if an end of an
// edge or the start is no node, or if two edges of a node share a label.
func (b *Builder[L]) Build(start int32) (*Static[L], error) {
	if b.nodes >= math.MaxInt32 || len(b.edges) > math.MaxInt32 {
		return nil, fmt.Errorf("%w: %d nodes and %d edges are more than the format holds", ErrMalformed, b.nodes, len(b.edges))
	}
	for i, from := range b.sources {
		if !inRange(from, b.nodes) {
			return nil, fmt.Errorf("%w: edge %v leaves node %d of %d nodes", ErrMalformed, b.edges[i].Label, from, b.nodes)
		}
	}
	g := b.arrange(start)
	if err := Check(g); err != nil {
		return nil, err
	}
	return g, nil
}

// arrange sorts the edges by source with one counting pass, because sorting
// two million of them by comparison would dominate the making of a graph, and
// then sorts each node's few edges by label.
func (b *Builder[L]) arrange(start int32) *Static[L] {
	g := &Static[L]{start: start, offsets: make([]int32, b.nodes+1), edges: make([]Edge[L], len(b.edges))}
	for _, from := range b.sources {
		g.offsets[from+1]++
	}
	for v := range b.nodes {
		g.offsets[v+1] += g.offsets[v]
	}
	next := slices.Clone(g.offsets)
	for i, from := range b.sources {
		g.edges[next[from]] = b.edges[i]
		next[from]++
	}
	for v := range b.nodes {
		slices.SortFunc(g.Out(int32(v)), func(x, y Edge[L]) int { return cmp.Compare(x.Label, y.Label) })
	}
	return g
}
