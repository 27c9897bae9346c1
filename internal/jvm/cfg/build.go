package cfg

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// maxEdges bounds the edges of a graph. Only the exception table can bring so many, and no compiler makes such a one.
const maxEdges = 1 << 20

// A handler is a row of the exception table that has been checked.
type handler struct {
	start, end, at int
	label          string
}

// Of makes the graph of a method body of a class.
func Of(file *classfile.Class, code *classfile.Code) (*Graph, error) {
	b := builder{g: &Graph{code: code.Bytes}, leads: make([]uint8, len(code.Bytes)+1)}
	if err := b.readInstructions(); err != nil {
		return nil, err
	}
	if err := b.readHandlers(file, code.Exceptions); err != nil {
		return nil, err
	}
	if err := b.cut(); err != nil {
		return nil, err
	}
	if err := b.connect(); err != nil {
		return nil, err
	}
	return b.g, nil
}

// A builder makes one graph.
type builder struct {
	g     *Graph
	leads []uint8 // for each offset, and the end of the code
	jumps []bytecode.Instruction
	calls bool // there is a jsr
}

// What is known about an offset.
const (
	instruction uint8 = 1 << iota
	leader            // a block must begin here
)

// readInstructions finds where instructions are, and which of them must begin a block because of jumps.
func (b *builder) readInstructions() error {
	code := b.g.code
	if len(code) == 0 {
		return &bytecode.Error{PC: 0, Problem: "there is no code"}
	}
	b.leads[0] |= leader
	b.leads[len(code)] |= instruction
	var in bytecode.Instruction
	for pc := 0; pc < len(code); pc += in.Len {
		if err := in.Decode(code, pc); err != nil {
			return err
		}
		b.leads[pc] |= instruction
		if !transfers(in.Op) {
			continue
		}
		b.jumps = append(b.jumps, in)
		b.leads[pc+in.Len] |= leader
		b.calls = b.calls || in.Op == bytecode.Jsr || in.Op == bytecode.JsrW
		if err := b.markTargets(&in); err != nil {
			return err
		}
	}
	if !in.Op.Ends() && !isCall(in.Op) {
		return &bytecode.Error{PC: in.PC, Problem: "control falls off the end of the code"}
	}
	return nil
}

// transfers tells whether an operation can be followed by another than the next.
func transfers(op bytecode.Op) bool {
	switch op.Format() {
	case bytecode.Branch2, bytecode.Branch4, bytecode.TableSwitch, bytecode.LookupSwitch:
		return true
	}
	return op.Ends()
}

func isCall(op bytecode.Op) bool { return op == bytecode.Jsr || op == bytecode.JsrW }

// markTargets marks where an instruction jumps to.
func (b *builder) markTargets(in *bytecode.Instruction) error {
	mark := func(target int) error {
		if target < 0 || target >= len(b.g.code) {
			return &bytecode.Error{PC: in.PC, Problem: fmt.Sprintf("jump to %d, outside the code", target)}
		}
		b.leads[target] |= leader
		return nil
	}
	switch in.Op.Format() {
	case bytecode.Branch2, bytecode.Branch4:
		return mark(in.Target)
	case bytecode.TableSwitch, bytecode.LookupSwitch:
		for i := range in.Cases {
			if _, target := in.Case(i); mark(target) != nil {
				return mark(target)
			}
		}
		return mark(in.Target)
	}
	return nil
}

// readHandlers checks the exception table.
func (b *builder) readHandlers(file *classfile.Class, rows []classfile.Exception) error {
	for i, row := range rows {
		h := handler{int(row.Start), int(row.End), int(row.Handler), Any}
		if h.start >= h.end || h.end > len(b.g.code) || h.at >= len(b.g.code) {
			return fmt.Errorf("exception table: row %d is from %d to %d with a handler at %d, in %d bytes of code", i, h.start, h.end, h.at, len(b.g.code))
		}
		if row.Catch != 0 {
			var ok bool
			if h.label, ok = file.Pool.Class(row.Catch); !ok {
				return fmt.Errorf("exception table: row %d catches constant %d, which is no class", i, row.Catch)
			}
		}
		for _, pc := range []int{h.start, h.end, h.at} {
			b.leads[pc] |= leader
		}
		b.g.handlers = append(b.g.handlers, h)
	}
	return nil
}

// cut makes the blocks.
func (b *builder) cut() error {
	code := b.g.code
	last, next := 0, 0 // offset of the instruction before, and of the next jump
	for pc := 0; pc <= len(code); pc++ {
		if b.leads[pc]&leader != 0 && b.leads[pc]&instruction == 0 {
			return &bytecode.Error{PC: pc, Problem: "a jump or a row of the exception table leads into the middle of an instruction"}
		}
		if pc == len(code) || b.leads[pc]&leader != 0 {
			if n := len(b.g.Blocks); n > 0 {
				b.g.Blocks[n-1].End, b.g.Blocks[n-1].LastPC = pc, last
			}
			if pc < len(code) {
				b.g.Blocks = append(b.g.Blocks, Block{Start: pc})
			}
		}
		if b.leads[pc]&instruction != 0 {
			last = pc
		}
	}
	for i := range b.g.Blocks {
		block := &b.g.Blocks[i]
		block.Last = bytecode.Op(code[block.LastPC])
		if next < len(b.jumps) && b.jumps[next].PC == block.LastPC {
			block.Last = b.jumps[next].Op // the one behind wide
			next++
		}
		if block.Last == bytecode.Wide {
			block.Last = bytecode.Op(code[block.LastPC+1])
		}
	}
	return nil
}

// connect makes the edges.
func (b *builder) connect() error {
	b.add(Edge{Entry, 0, Begin, ""})
	next := 0
	var backs [][]int
	if b.calls {
		var err error
		if backs, err = b.backs(); err != nil {
			return err
		}
	}
	for i := range b.g.Blocks {
		block := &b.g.Blocks[i]
		if next < len(b.jumps) && b.jumps[next].PC == block.LastPC {
			b.leave(i, &b.jumps[next])
			next++
		} else {
			b.add(Edge{i, i + 1, Fall, ""})
		}
		if backs != nil {
			for _, to := range backs[i] {
				b.add(Edge{i, to, Back, ""})
			}
		}
		b.end(i)
		b.cover(i)
		if len(b.g.Edges) > maxEdges {
			return fmt.Errorf("the control flow has more than %d edges", maxEdges)
		}
	}
	for i, e := range b.g.Edges {
		if e.From >= 0 {
			b.g.Blocks[e.From].Succ = append(b.g.Blocks[e.From].Succ, i)
		}
		if e.To >= 0 {
			b.g.Blocks[e.To].Pred = append(b.g.Blocks[e.To].Pred, i)
		}
	}
	return nil
}

func (b *builder) add(e Edge) { b.g.Edges = append(b.g.Edges, e) }

// leave adds the edges of the instruction that ends a block, but for those of ret, returns and athrow.
func (b *builder) leave(from int, in *bytecode.Instruction) {
	switch in.Op.Format() {
	case bytecode.Branch2, bytecode.Branch4:
		kind := Taken
		if isCall(in.Op) {
			kind = Call
		} else if !in.Op.Ends() {
			b.add(Edge{from, from + 1, Fall, ""})
		}
		b.add(Edge{from, b.g.starts(in.Target), kind, ""})
	case bytecode.TableSwitch, bytecode.LookupSwitch:
		b.add(Edge{from, b.g.starts(in.Target), Case, Default})
		b.cases(from, in)
	}
}

// cases adds the arms of a switch by their keys. The keys of a lookupswitch ascend unless the class is broken.
func (b *builder) cases(from int, in *bytecode.Instruction) {
	type arm struct{ key, target int }
	var arms []arm
	for k := range in.Cases {
		if key, target := in.Case(k); target != in.Target {
			arms = append(arms, arm{key, target})
		}
	}
	slices.SortStableFunc(arms, func(x, y arm) int { return cmp.Compare(x.key, y.key) })
	for _, a := range arms {
		b.add(Edge{from, b.g.starts(a.target), Case, strconv.Itoa(a.key)})
	}
}

// end adds the edge to an exit.
func (b *builder) end(from int) {
	block := &b.g.Blocks[from]
	switch {
	case block.Last.IsReturn():
		b.add(Edge{from, Exit, Return, ""})
	case block.Last == bytecode.Athrow && !b.caught(block):
		b.add(Edge{from, ThrowExit, Throw, ""})
	}
}

// caught tells whether a handler catches whatever a block throws.
func (b *builder) caught(block *Block) bool {
	return slices.ContainsFunc(b.g.handlers, func(h handler) bool {
		return h.covers(block) && (h.label == Any || h.label == "java/lang/Throwable")
	})
}

func (h handler) covers(b *Block) bool { return h.start <= b.Start && b.Start < h.end }

// cover adds the edges to the handlers that cover a block, each once.
func (b *builder) cover(from int) {
	first := len(b.g.Edges)
	for _, h := range b.g.handlers {
		if !h.covers(&b.g.Blocks[from]) {
			continue
		}
		e := Edge{from, b.g.starts(h.at), Exception, h.label}
		if !slices.Contains(b.g.Edges[first:], e) {
			b.add(e)
		}
	}
}
