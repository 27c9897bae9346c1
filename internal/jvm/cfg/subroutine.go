package cfg

import (
	"fmt"
	"slices"

	"winnow/internal/jvm/bytecode"
)

// maxSubroutines bounds the subroutines of a method, each of which is walked; old compilers made one for each finally.
const maxSubroutines = 1000

// backs gives for each block that ends with ret the blocks that it can go back to: those behind the jsr of each subroutine that can reach it. If a subroutine begins by storing
// its return address, as all compiled ones do, only a ret that uses this variable ends it.
func (b *builder) backs() ([][]int, error) {
	behind := map[int][]int{} // by the block where a subroutine begins: the blocks behind its calls
	var order []int
	for i := range b.jumps {
		in := &b.jumps[i]
		if !isCall(in.Op) {
			continue
		}
		to, next := b.g.starts(in.Target), b.g.starts(in.PC+in.Len)
		if behind[to] == nil {
			order = append(order, to)
		}
		behind[to] = append(behind[to], next)
	}
	if len(order) > maxSubroutines {
		return nil, fmt.Errorf("the code has more than %d subroutines", maxSubroutines)
	}
	out := make([][]int, len(b.g.Blocks))
	jumps := b.jumpOf()
	for _, start := range order {
		for _, end := range b.retsOf(start, jumps) {
			for _, to := range behind[start] {
				if to >= 0 && !slices.Contains(out[end], to) {
					out[end] = append(out[end], to)
				}
			}
		}
	}
	for _, to := range out {
		slices.Sort(to)
	}
	return out, nil
}

// jumpOf gives for each block the instruction that ends it, nil if control just goes on.
func (b *builder) jumpOf() []*bytecode.Instruction {
	out := make([]*bytecode.Instruction, len(b.g.Blocks))
	for i := range b.jumps {
		out[b.g.Block(b.jumps[i].PC)] = &b.jumps[i]
	}
	return out
}

// retsOf walks a subroutine, through the ones that it calls and behind their calls, and lists the blocks with its ret.
func (b *builder) retsOf(start int, jumps []*bytecode.Instruction) []int {
	variable := b.stores(b.g.Blocks[start].Start)
	var out []int
	seen := make([]bool, len(b.g.Blocks))
	seen[start] = true
	for work := []int{start}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if in := jumps[i]; in != nil && in.Op == bytecode.Ret && (variable < 0 || in.Index == variable) {
			out = append(out, i)
		}
		for _, to := range b.walk(i, jumps[i]) {
			if to >= 0 && !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	slices.Sort(out)
	return out
}

// walk lists the blocks where control can be next in a subroutine; behind a jsr, too.
func (b *builder) walk(from int, in *bytecode.Instruction) []int {
	var out []int
	if in == nil || !in.Op.Ends() {
		out = append(out, b.g.starts(b.g.Blocks[from].End))
	}
	if in != nil {
		switch in.Op.Format() {
		case bytecode.Branch2, bytecode.Branch4, bytecode.TableSwitch, bytecode.LookupSwitch:
			out = append(out, b.g.starts(in.Target))
		}
		for k := range in.Cases {
			_, target := in.Case(k)
			out = append(out, b.g.starts(target))
		}
	}
	for _, h := range b.g.handlers {
		if h.covers(&b.g.Blocks[from]) {
			out = append(out, b.g.starts(h.at))
		}
	}
	return out
}

// stores is the variable that the instruction at an offset stores a reference to, -1 if it is no such instruction.
func (b *builder) stores(pc int) int {
	var in bytecode.Instruction
	if in.Decode(b.g.code, pc) != nil {
		return -1
	}
	switch {
	case in.Op == bytecode.Astore:
		return in.Index
	case in.Op >= bytecode.Astore0 && in.Op <= bytecode.Astore3:
		return int(in.Op - bytecode.Astore0)
	}
	return -1
}
