// Package graph holds labelled rooted graphs: the form in which two versions
// of a program are handed to a comparison.
//
// A graph has nodes, numbered densely from 0, one of which is the start node.
// An edge leads from one node to another and carries a label; the labels of
// the edges that leave one node are distinct, so a node and a label name at
// most one edge. An edge is written as its node and its index in Out(node).
//
// What a node stands for (a statement, a method, a cell) is not part of the
// graph: whoever builds it keeps that beside it, indexed by node number.
//
// The package guarantees that a graph made by [Builder.Build] or [Parse]
// passes [Check], and that equal graphs print equally.
//
// It is not a library of graph algorithms, and it does not merge parallel
// edges: two edges with one label from one node are an error, because a reader
// who follows labels could then take either.
package graph

import (
	"cmp"
	"errors"
	"fmt"
)

// ErrMalformed is wrapped by every error of this package: the input breaks the
// contract of [Graph] or the grammar of the printed form.
var ErrMalformed = errors.New("malformed graph")

// An Edge leads to node To under Label. Printed form: T->4.
type Edge[L cmp.Ordered] struct {
	Label L
	To    int32
}

// A Graph is a labelled rooted graph. Implementations are immutable while they
// are read and answer the same question always in the same way.
type Graph[L cmp.Ordered] interface {
	// NumNodes returns the number of nodes; they are numbered from 0.
	NumNodes() int
	// Start returns the start node.
	Start() int32
	// Out returns the edges that leave n, sorted by label, labels distinct.
	// The caller must not modify the slice.
	Out(n int32) []Edge[L]
}

// Check reports the first breach of the contract of [Graph] in g, or nil. A
// comparison relies on the contract without testing it; every test that makes
// graphs in its own way should call Check.
func Check[L cmp.Ordered](g Graph[L]) error {
	n := g.NumNodes()
	if start := g.Start(); !inRange(start, n) {
		return fmt.Errorf("%w: start node %d of %d nodes", ErrMalformed, start, n)
	}
	for v := range int32(n) {
		if err := checkOut(v, g.Out(v), n); err != nil {
			return err
		}
	}
	return nil
}

func checkOut[L cmp.Ordered](v int32, out []Edge[L], nodes int) error {
	for i, e := range out {
		if !inRange(e.To, nodes) {
			return fmt.Errorf("%w: node %d: edge %v leads to node %d of %d nodes", ErrMalformed, v, e.Label, e.To, nodes)
		}
		if i > 0 && !(out[i-1].Label < e.Label) {
			return fmt.Errorf("%w: node %d: label %v does not come after label %v", ErrMalformed, v, e.Label, out[i-1].Label)
		}
	}
	return nil
}

func inRange(v int32, nodes int) bool { return v >= 0 && int(v) < nodes }
