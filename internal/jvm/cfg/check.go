package cfg

import (
	"fmt"
	"slices"
	"strconv"

	"winnow/internal/jvm/bytecode"
)

// Check looks whether the graph is one of its code, by rules that do not use how it was made. It finds a missing, doubled or wrong edge, block or number, and says where.
func (g *Graph) Check() error {
	for _, check := range []func() error{g.checkBlocks, g.checkEnds, g.checkLists, g.checkLeaving, g.checkHandlers, g.checkBacks, g.checkReachable} {
		if err := check(); err != nil {
			return fmt.Errorf("control-flow graph: %w", err)
		}
	}
	return nil
}

// checkBlocks: the blocks fill the code, begin and end with instructions, and only the last instruction of a block transfers control.
func (g *Graph) checkBlocks() error {
	pc := 0
	var in bytecode.Instruction
	for i, b := range g.Blocks {
		if b.Start != pc || b.End <= pc || b.End > len(g.code) {
			return fmt.Errorf("block %d is from %d to %d, and the one before ends at %d", i, b.Start, b.End, pc)
		}
		for ; pc < b.End; pc += in.Len {
			if err := in.Decode(g.code, pc); err != nil {
				return err
			}
			if transfers(in.Op) && pc+in.Len < b.End {
				return fmt.Errorf("block %d: %s at %d is in the middle", i, in.Op, pc)
			}
		}
		if pc != b.End || in.PC != b.LastPC || in.Op != b.Last {
			return fmt.Errorf("block %d: the last instruction is %s at %d and ends at %d; it should be %s at %d up to %d", i, in.Op, in.PC, pc, b.Last, b.LastPC, b.End)
		}
	}
	if pc != len(g.code) || pc == 0 {
		return fmt.Errorf("the blocks end at %d, the code at %d", pc, len(g.code))
	}
	return nil
}

// checkEnds: the ends of every edge exist and fit its kind, and no label is missing or too many.
func (g *Graph) checkEnds() error {
	for i, e := range g.Edges {
		from, to := e.From >= 0 && e.From < len(g.Blocks), e.To >= 0 && e.To < len(g.Blocks)
		switch e.Kind {
		case Begin:
			from, to = e.From == Entry, e.To == 0 && i == 0
		case Return:
			to = e.To == Exit
		case Throw:
			to = e.To == ThrowExit
		}
		if !from || !to || e.Kind > Exception || (e.Label != "") != (e.Kind == Case || e.Kind == Exception) {
			return fmt.Errorf("edge %d is %s", i, e)
		}
	}
	if len(g.Edges) == 0 || g.Edges[0].Kind != Begin {
		return fmt.Errorf("the first edge is not the entry's")
	}
	return nil
}

// checkLists: each block lists its own edges, all of them, ascending, and the edges are in the order of their sources.
func (g *Graph) checkLists() error {
	succ, pred := make([][]int, len(g.Blocks)), make([][]int, len(g.Blocks))
	for i, e := range g.Edges {
		if i > 0 && e.From < g.Edges[i-1].From {
			return fmt.Errorf("edge %d, %s, is out of order", i, e)
		}
		if e.From >= 0 {
			succ[e.From] = append(succ[e.From], i)
		}
		if e.To >= 0 {
			pred[e.To] = append(pred[e.To], i)
		}
	}
	for i, b := range g.Blocks {
		if !slices.Equal(b.Succ, succ[i]) || !slices.Equal(b.Pred, pred[i]) {
			return fmt.Errorf("block %d lists the edges %v and %v, and has %v and %v", i, b.Succ, b.Pred, succ[i], pred[i])
		}
	}
	return nil
}

// checkLeaving: the last instruction of every block has exactly the edges that it can take, ret aside.
func (g *Graph) checkLeaving() error {
	starts := map[int]int{}
	for i, b := range g.Blocks {
		starts[b.Start] = i
	}
	var in bytecode.Instruction
	for i, b := range g.Blocks {
		if err := in.Decode(g.code, b.LastPC); err != nil {
			return err
		}
		want, err := g.expected(i, &in, starts)
		if err != nil {
			return err
		}
		have := map[Edge]int{}
		for _, e := range b.Succ {
			if k := g.Edges[e].Kind; k != Exception && k != Back {
				have[g.Edges[e]]++
			}
		}
		for e := range have {
			if have[e] != want[e] {
				return fmt.Errorf("block %d: %s at %d: %d edges %s, should be %d", i, in.Op, in.PC, have[e], e, want[e])
			}
		}
		if len(have) != len(want) {
			return fmt.Errorf("block %d: %s at %d has %d edges, should have %d", i, in.Op, in.PC, len(have), len(want))
		}
	}
	return nil
}

// expected is what can follow an instruction, in edges with their number.
func (g *Graph) expected(block int, in *bytecode.Instruction, starts map[int]int) (map[Edge]int, error) {
	want := map[Edge]int{}
	var bad error
	to := func(pc int, kind Kind, label string) {
		b, ok := starts[pc]
		if !ok {
			bad = fmt.Errorf("block %d: %s at %d leads to %d, where no block begins", block, in.Op, in.PC, pc)
		}
		want[Edge{block, b, kind, label}]++
	}
	switch {
	case in.Op.IsReturn():
		want[Edge{block, Exit, Return, ""}]++
	case in.Op == bytecode.Athrow:
		if !g.everything(in.PC) {
			want[Edge{block, ThrowExit, Throw, ""}]++
		}
	case in.Op == bytecode.Ret:
	case in.Op == bytecode.Jsr, in.Op == bytecode.JsrW:
		to(in.Target, Call, "")
	case in.Op == bytecode.Goto, in.Op == bytecode.GotoW:
		to(in.Target, Taken, "")
	case in.Op == bytecode.Tableswitch, in.Op == bytecode.Lookupswitch:
		to(in.Target, Case, Default)
		for i := range in.Cases {
			if key, target := in.Case(i); target != in.Target {
				to(target, Case, strconv.Itoa(key))
			}
		}
	default:
		to(in.PC+in.Len, Fall, "")
		if in.Op.Format() == bytecode.Branch2 {
			to(in.Target, Taken, "")
		}
	}
	return want, bad
}

// everything tells whether a handler catches all that the instruction at an offset throws.
func (g *Graph) everything(pc int) bool {
	for _, h := range g.handlers {
		if pc >= h.start && pc < h.end && (h.label == Any || h.label == "java/lang/Throwable") {
			return true
		}
	}
	return false
}

// checkHandlers: every instruction of a block is covered by the same rows, and the block has an edge for each of them and no other.
func (g *Graph) checkHandlers() error {
	for i, b := range g.Blocks {
		want := map[Edge]bool{}
		for _, h := range g.handlers {
			first, last := b.Start >= h.start && b.Start < h.end, b.LastPC >= h.start && b.LastPC < h.end
			if first != last || h.start > b.Start && h.start < b.End || h.end > b.Start && h.end < b.End || h.at > b.Start && h.at < b.End {
				return fmt.Errorf("block %d: the handler from %d to %d at %d begins or ends in the middle", i, h.start, h.end, h.at)
			}
			if first {
				want[Edge{i, g.Block(h.at), Exception, h.label}] = true
			}
		}
		n := 0
		for _, e := range b.Succ {
			if g.Edges[e].Kind != Exception {
				continue
			}
			n++
			if !want[g.Edges[e]] {
				return fmt.Errorf("block %d: no handler for %s", i, g.Edges[e])
			}
		}
		if n != len(want) {
			return fmt.Errorf("block %d: %d edges for %d handlers", i, n, len(want))
		}
	}
	return nil
}

// checkBacks: only ret goes back, and only to behind a jsr, once.
func (g *Graph) checkBacks() error {
	behind := map[int]bool{}
	for i, b := range g.Blocks {
		if isCall(b.Last) && i+1 < len(g.Blocks) {
			behind[i+1] = true
		}
	}
	for i, b := range g.Blocks {
		seen := map[int]bool{}
		for _, e := range b.Succ {
			if g.Edges[e].Kind != Back {
				continue
			}
			to := g.Edges[e].To
			if b.Last != bytecode.Ret || !behind[to] || seen[to] {
				return fmt.Errorf("block %d: edge %s, whose ends are no ret and jsr, or which is there twice", i, g.Edges[e])
			}
			seen[to] = true
		}
	}
	return g.checkCalls()
}

// checkCalls: where a jsr calls code from which a ret of the variable stored first can be reached, that ret leads behind the jsr.
func (g *Graph) checkCalls() error {
	for i, b := range g.Blocks {
		if !isCall(b.Last) || i+1 == len(g.Blocks) {
			continue
		}
		for end := range g.called(g.Edges[b.Succ[0]].To) {
			if !slices.ContainsFunc(g.Blocks[end].Succ, func(e int) bool { return g.Edges[e].To == i+1 }) {
				return fmt.Errorf("block %d: the ret of the subroutine that block %d calls does not lead to block %d", end, i, i+1)
			}
		}
	}
	return nil
}

// called gives the blocks with a ret that ends the subroutine. It is found by edges; going over Back edges covers what lies behind inner calls.
func (g *Graph) called(start int) map[int]bool {
	variable := (&builder{g: g}).stores(g.Blocks[start].Start)
	seen, out := map[int]bool{start: true}, map[int]bool{}
	var in bytecode.Instruction
	for work := []int{start}; len(work) > 0; {
		b := work[0]
		work = work[1:]
		ends := g.Blocks[b].Last == bytecode.Ret && in.Decode(g.code, g.Blocks[b].LastPC) == nil && (variable < 0 || in.Index == variable)
		if ends {
			out[b] = true
			continue // what follows is outside
		}
		for _, e := range g.Blocks[b].Succ {
			if to := g.Edges[e].To; to >= 0 && !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	return out
}

// checkReachable: the blocks that a walk along the lists reaches are those that have an edge from the entry or from another such block.
func (g *Graph) checkReachable() error {
	walked, closed := g.Reachable(), make([]bool, len(g.Blocks))
	for more := true; more; {
		more = false
		for _, e := range g.Edges {
			if e.To >= 0 && !closed[e.To] && (e.From == Entry || closed[e.From]) {
				closed[e.To], more = true, true
			}
		}
	}
	if !slices.Equal(walked, closed) {
		return fmt.Errorf("reachable are %v by the lists of blocks, %v by the edges", walked, closed)
	}
	return nil
}
