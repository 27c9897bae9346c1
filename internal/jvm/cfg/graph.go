package cfg

import (
	"fmt"
	"sort"

	"winnow/internal/jvm/bytecode"
)

// A Graph is the control flow of one method body. It must not be changed.
type Graph struct {
	Blocks []Block // by Start; the first is where the method begins
	Edges  []Edge  // the first is the entry's

	code     []byte
	handlers []handler
}

// A Block is a run of instructions without a way in or out between them.
type Block struct {
	Start, End int         // offsets in the code; End is behind the last instruction
	LastPC     int         // offset of the last instruction
	Last       bytecode.Op // the last instruction
	Succ, Pred []int       // indices of the edges that leave and that come in, ascending
}

// The ends of edges that are no blocks.
const (
	Entry     = -1
	Exit      = -2
	ThrowExit = -3
)

// An Edge is a way that control can go.
type Edge struct {
	From, To int // blocks, or Entry as From and Exit or ThrowExit as To
	Kind     Kind
	Label    string // of a Case its key or "default", of an Exception the internal name of the caught type or "any"; else ""
}

// A Kind is how control takes an edge.
type Kind uint8

// The kinds.
const (
	Begin     Kind = iota // the method is entered
	Fall                  // control goes on with the next instruction
	Taken                 // a jump, or a branch whose condition holds
	Case                  // an arm of a switch
	Call                  // jsr
	Back                  // ret, to behind a jsr
	Return                // to Exit
	Throw                 // athrow to ThrowExit
	Exception             // from anywhere in a block to a handler
)

// The labels that are neither keys nor types.
const (
	Default = "default"
	Any     = "any"
)

var kinds = [...]string{"begin", "fall", "taken", "case", "call", "back", "return", "throw", "exception"}

// String is the name that reports use.
func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return fmt.Sprintf("unknown (%d)", uint8(k))
}

// String shows an edge by the numbers of its ends, as in "3 -case 7-> 5".
func (e Edge) String() string {
	label := e.Kind.String()
	if e.Label != "" {
		label += " " + e.Label
	}
	return fmt.Sprintf("%s -%s-> %s", end(e.From), label, end(e.To))
}

func end(n int) string {
	switch n {
	case Entry:
		return "entry"
	case Exit:
		return "exit"
	case ThrowExit:
		return "throw exit"
	}
	return fmt.Sprint(n)
}

// Block is the index of the block with the instruction at, or around, an offset; -1 if the offset is outside the code.
func (g *Graph) Block(pc int) int {
	if pc < 0 || pc >= len(g.code) {
		return -1
	}
	return sort.Search(len(g.Blocks), func(i int) bool { return g.Blocks[i].End > pc })
}

// starts is the index of the block that begins at an offset; -1 if none does.
func (g *Graph) starts(pc int) int {
	if b := g.Block(pc); b >= 0 && g.Blocks[b].Start == pc {
		return b
	}
	return -1
}

// Reachable tells for each block whether some path leads there from the entry, exceptional edges included.
func (g *Graph) Reachable() []bool {
	return g.reach(func(int) bool { return true })
}

// reach tells which blocks can be reached from the entry by edges that may be used.
func (g *Graph) reach(usable func(edge int) bool) []bool {
	seen := make([]bool, len(g.Blocks))
	if !usable(0) {
		return seen
	}
	seen[0] = true
	for work := []int{0}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range g.Blocks[b].Succ {
			if to := g.Edges[e].To; to >= 0 && !seen[to] && usable(e) {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	return seen
}

// OnAllPaths tells whether every path from the entry to an exit takes the edge, and there is one. Exceptional edges are left out: a path ends where the method returns or
// where athrow leaves it. An exceptional edge, and any edge of a method that has no such path, is not on all of them; the entry's edge always is.
func (g *Graph) OnAllPaths(edge int) bool {
	if edge < 0 || edge >= len(g.Edges) || g.Edges[edge].Kind == Exception {
		return false
	}
	return edge == 0 || g.leaves(-1) && !g.leaves(edge)
}

// leaves tells whether some path without exceptional edges and without one other edge ends in an exit.
func (g *Graph) leaves(without int) bool {
	seen := g.reach(func(e int) bool { return e != without && g.Edges[e].Kind != Exception })
	for i, e := range g.Edges {
		if e.To < 0 && i != without && seen[e.From] {
			return true
		}
	}
	return false
}
