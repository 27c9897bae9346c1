package minijvm

import "slices"

// Types is what is known at an instruction before it runs: the types of the operand stack, its top last, and of the locals. An instruction that no run reaches has a
// nil Locals and Stack and Reached false.
type Types struct {
	Reached       bool
	Stack, Locals []Type
}

type typedMethod struct {
	class  ClassID
	method MemberID
}

// A Typing holds the types at every instruction of a verified program.
type Typing struct{ methods map[typedMethod][]Types }

// At returns the types at every instruction of a method that the class declares; nil for a built-in class.
func (t *Typing) At(c ClassID, m MemberID) []Types { return t.methods[typedMethod{c, m}] }

func (t *Typing) add(c ClassID, m MemberID, types []Types) { t.methods[typedMethod{c, m}] = types }

// A flow is the data flow analysis of one method. cells has, for every instruction, the locals and then the stack; depth is the height of the stack, -1 where nothing
// is known yet.
type flow struct {
	v      *Verifier
	class  *Class
	m      *Method
	locals int
	width  int
	cells  []Type
	depth  []int16
	dirty  []bool
	now    []Type // the state behind the instruction in hand: locals and stack
}

func (x *flow) fault(pc int, reason string) error {
	return &VerifyError{x.v.p.Names, x.class.Name, x.m.Name, int32(pc), reason}
}

func (x *flow) verify(v *Verifier, c *Class, m *Method) error {
	x.v, x.class, x.m = v, c, m
	x.locals = m.inputs() + int(m.Locals)
	x.width = x.locals + int(m.Stack)
	x.cells = resize(x.cells, len(m.Code)*x.width)
	x.depth, x.dirty = resize(x.depth, len(m.Code)), resize(x.dirty, len(m.Code))
	for i := range x.depth {
		x.depth[i], x.dirty[i] = -1, false
	}
	if err := x.table(); err != nil {
		return err
	}
	x.start()
	if err := x.merge(-1, 0); err != nil {
		return err
	}
	return x.run()
}

func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// start makes now the state at the beginning of the method.
func (x *flow) start() {
	x.now = x.now[:0]
	if !x.m.Static {
		x.now = append(x.now, ClassType(x.class.Name))
	}
	x.now = append(x.now, x.m.Params...)
	for range x.m.Locals {
		x.now = append(x.now, Unusable)
	}
}

// table checks the exception table apart from types.
func (x *flow) table() error {
	n := int32(len(x.m.Code))
	for _, h := range x.m.Handlers {
		switch {
		case x.v.p.Class(h.Catch) == nil:
			return x.fault(-1, "catches a class that does not exist")
		case h.From < 0 || h.From >= h.To || h.To > n || h.At < 0 || h.At >= n:
			return x.fault(-1, "has a row of its exception table that is outside the code")
		case h.Depth < 0 || h.Depth >= x.m.Stack:
			return x.fault(-1, "has a row of its exception table that is deeper than the stack")
		}
	}
	return nil
}

// run follows all paths until nothing new is known.
func (x *flow) run() error {
	for again := true; again; {
		again = false
		for pc := range x.m.Code {
			if !x.dirty[pc] {
				continue
			}
			x.dirty[pc], again = false, true
			if err := x.step(pc); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *flow) load(pc, depth int) {
	x.now = append(x.now[:0], x.cells[pc*x.width:pc*x.width+x.locals+depth]...)
}

// step follows one instruction to its successors.
func (x *flow) step(pc int) error {
	for _, h := range x.m.Handlers {
		if int(h.From) > pc || pc >= int(h.To) {
			continue
		}
		if int(x.depth[pc]) < int(h.Depth) {
			return x.fault(pc, "has a stack that is lower than its exception handler expects")
		}
		x.load(pc, int(h.Depth))
		x.now = append(x.now, ClassType(h.Catch))
		if err := x.merge(pc, int(h.At)); err != nil {
			return err
		}
	}
	x.load(pc, int(x.depth[pc]))
	in := &x.m.Code[pc]
	next, reason := x.effect(in)
	if reason != "" {
		return x.fault(pc, reason)
	}
	if next&jumps != 0 {
		if err := x.merge(pc, pc+int(in.N)); err != nil {
			return err
		}
	}
	if next&falls != 0 {
		return x.merge(pc, pc+1)
	}
	return nil
}

// merge brings the state now to the instruction to.
func (x *flow) merge(pc, to int) error {
	if to < 0 || to >= len(x.m.Code) {
		return x.fault(pc, "leads outside the code")
	}
	depth := len(x.now) - x.locals
	if depth > int(x.m.Stack) {
		return x.fault(pc, "needs a larger stack")
	}
	known := x.cells[to*x.width : to*x.width+len(x.now)]
	if x.depth[to] < 0 {
		x.depth[to], x.dirty[to] = int16(depth), true
		copy(known, x.now)
		return nil
	}
	if int(x.depth[to]) != depth {
		return x.fault(to, "is reached with stacks of different heights")
	}
	for i, t := range x.now {
		u := x.v.join(known[i], t)
		if u == Unusable && i >= x.locals {
			return x.fault(to, "is reached with stacks of different types")
		}
		if u != known[i] {
			known[i], x.dirty[to] = u, true
		}
	}
	return nil
}

// types returns what the analysis found.
func (x *flow) types() []Types {
	out := make([]Types, len(x.m.Code))
	for pc := range out {
		if x.depth[pc] >= 0 {
			x.load(pc, int(x.depth[pc]))
			out[pc] = Types{true, slices.Clone(x.now[x.locals:]), slices.Clone(x.now[:x.locals])}
		}
	}
	return out
}

// join returns the smallest type that has the values of both.
func (v *Verifier) join(a, b Type) Type {
	switch {
	case v.subtype(a, b):
		return b
	case v.subtype(b, a):
		return a
	}
	c, isClass := a.Class()
	if d, both := b.Class(); isClass && both {
		for !v.p.Above(d).Has(c) {
			c = v.p.classes[c].Super
		}
		return ClassType(c)
	}
	return Unusable
}

// subtype tells whether a value of type a is one of type b.
func (v *Verifier) subtype(a, b Type) bool {
	if a == b {
		return true
	}
	d, ok := b.Class()
	if !ok {
		return false
	}
	c, ok := a.Class()
	return a == NullType || ok && v.p.Subclass(c, d)
}

func isRef(t Type) bool { return t == NullType || t >= 0 }
