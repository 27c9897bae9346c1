package assemble

import (
	"encoding/binary"
	"fmt"
	"math"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// finish writes branch offsets, handlers and frames, and computes what was not given.
func (k *Code) finish(access classfile.Flags, descriptor string) (*classfile.Code, error) {
	if k.err != nil {
		return nil, k.err
	}
	if n := len(k.bytes); n == 0 || n > math.MaxUint16 {
		return nil, fmt.Errorf("%d bytes of code", n)
	}
	if err := k.link(); err != nil {
		return nil, err
	}
	body := &classfile.Code{Bytes: k.bytes}
	if err := k.size(body, access, descriptor); err != nil {
		return nil, err
	}
	for _, h := range k.handlers {
		e, err := k.handler(h)
		if err != nil {
			return nil, err
		}
		body.Exceptions = append(body.Exceptions, e)
	}
	if len(k.frames) > 0 {
		table, err := k.stackMap()
		if err != nil {
			return nil, err
		}
		body.Attributes = append(body.Attributes, k.class.Attribute("StackMapTable", table))
	}
	return body, nil
}

func (k *Code) link() error {
	for _, f := range k.fixups {
		to, err := k.place(f.to)
		if err != nil {
			return err
		}
		offset := to - f.pc
		if f.size == 4 {
			binary.BigEndian.PutUint32(k.bytes[f.at:], uint32(offset))
			continue
		}
		if offset < math.MinInt16 || offset > math.MaxInt16 {
			return fmt.Errorf("code at %d: a branch over %d bytes", f.pc, offset)
		}
		binary.BigEndian.PutUint16(k.bytes[f.at:], uint16(offset))
	}
	return nil
}

func (k *Code) handler(h handler) (classfile.Exception, error) {
	e := classfile.Exception{Catch: h.catch}
	for _, part := range []struct {
		label Label
		to    *uint16
	}{{h.start, &e.Start}, {h.end, &e.End}, {h.target, &e.Handler}} {
		pc, err := k.place(part.label)
		if err != nil {
			return e, err
		}
		*part.to = uint16(pc)
	}
	return e, nil
}

// size gives the body its max_stack and max_locals.
func (k *Code) size(body *classfile.Code, access classfile.Flags, descriptor string) error {
	arguments, _, err := signature(descriptor)
	if err != nil {
		return err
	}
	if access&classfile.Static == 0 {
		arguments++
	}
	locals, stack := k.MaxLocals, k.MaxStack
	if locals == 0 {
		locals = max(k.locals, arguments)
	}
	if stack == 0 {
		if stack, err = k.depth(); err != nil {
			return err
		}
	}
	if locals > math.MaxUint16 || stack > math.MaxUint16 {
		return fmt.Errorf("%d local variables and a stack of %d, at most 65535 fit", locals, stack)
	}
	body.MaxLocals, body.MaxStack = uint16(locals), uint16(stack)
	return nil
}

// depth is the greatest depth of the stack on the paths from the start and from the handlers. Unreachable code counts for nothing.
func (k *Code) depth() (int, error) {
	p := &paths{code: k, at: map[int]int{}, depths: make([]int, len(k.steps))}
	for i, s := range k.steps {
		p.at[s.pc], p.depths[i] = i, unvisited
	}
	p.visit(0, 0)
	for _, h := range k.handlers {
		if err := p.branch(h.target, 1); err != nil {
			return 0, err
		}
	}
	for len(p.work) > 0 {
		i := p.work[len(p.work)-1]
		p.work = p.work[:len(p.work)-1]
		if err := p.step(i); err != nil {
			return 0, err
		}
	}
	return p.greatest, nil
}

// paths is a walk through code.
type paths struct {
	code     *Code
	at       map[int]int // offset to position in steps
	depths   []int       // by position: depth before the instruction
	work     []int
	greatest int
}

const unvisited = -1

func (p *paths) visit(i, depth int) {
	p.greatest = max(p.greatest, depth)
	if p.depths[i] == unvisited {
		p.depths[i] = depth
		p.work = append(p.work, i)
	}
}

// branch visits the instruction at a label.
func (p *paths) branch(to Label, depth int) error {
	pc, err := p.code.place(to)
	if err != nil {
		return err
	}
	i, ok := p.at[pc]
	if !ok {
		return fmt.Errorf("no instruction at label %d", to)
	}
	p.visit(i, depth)
	return nil
}

// step visits what follows an instruction.
func (p *paths) step(i int) error {
	s := p.code.steps[i]
	depth := p.depths[i] + s.effect
	if depth < 0 {
		return fmt.Errorf("code at %d: %s takes more than the stack has", s.pc, s.op)
	}
	p.greatest = max(p.greatest, depth)
	for _, l := range s.targets {
		if err := p.branch(l, depth); err != nil {
			return err
		}
	}
	switch {
	case s.op.Ends():
		return nil
	case i+1 == len(p.code.steps):
		return fmt.Errorf("code at %d: control leaves the code", s.pc)
	case s.op == bytecode.Jsr || s.op == bytecode.JsrW:
		depth-- // the subroutine has stored its return address
	}
	p.visit(i+1, depth)
	return nil
}
