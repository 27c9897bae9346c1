package state

import (
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// other does what jumps, returns, fields, calls and operations on objects do.
func (r *flowReader) other(in *bytecode.Instruction) {
	switch op := in.Op; op {
	case bytecode.Ifeq, bytecode.Ifne, bytecode.Iflt, bytecode.Ifge, bytecode.Ifgt, bytecode.Ifle, bytecode.Ifnull, bytecode.Ifnonnull, bytecode.Tableswitch, bytecode.Lookupswitch,
		bytecode.Monitorenter, bytecode.Monitorexit, bytecode.Athrow:
		r.pop()
	case bytecode.IfAcmpeq, bytecode.IfAcmpne:
		r.observe(r.pop())
		r.observe(r.pop())
	case bytecode.IfIcmpeq, bytecode.IfIcmpne, bytecode.IfIcmplt, bytecode.IfIcmpge, bytecode.IfIcmpgt, bytecode.IfIcmple:
		r.drop(2)
	case bytecode.Jsr, bytecode.JsrW:
		r.push(Value{})
	case bytecode.Areturn:
		if v := r.pop(); !v.none() {
			r.step(Step{Kind: Returns, Values: []Value{v}, Result: -1})
		}
	case bytecode.Getstatic, bytecode.Putstatic, bytecode.Getfield, bytecode.Putfield:
		r.field(in)
	case bytecode.Invokevirtual, bytecode.Invokespecial, bytecode.Invokestatic, bytecode.Invokeinterface:
		r.call(in)
	case bytecode.Invokedynamic:
		r.dynamic(in)
	case bytecode.New:
		name, _ := r.class.Pool.Class(uint16(in.Index))
		r.push(r.freshOf(in.PC, name))
	case bytecode.Newarray, bytecode.Anewarray:
		r.pop()
		r.push(r.fresh(in.PC))
	case bytecode.Multianewarray:
		r.drop(in.Value)
		r.push(r.fresh(in.PC))
	case bytecode.Arraylength, bytecode.Instanceof:
		r.observe(r.pop())
		r.push(Value{})
	case bytecode.Checkcast:
		if len(r.stack) > 0 {
			r.observe(r.stack[len(r.stack)-1])
		}
		if name, _ := r.class.Pool.Class(uint16(in.Index)); name != "" && name[0] != '[' && !followed("L"+name+";") {
			r.pop()
			r.push(Value{Odd: true})
		}
	}
}

// observe notes that something is taken for an object whose class matters, or which one it is.
func (r *flowReader) observe(v Value) {
	v.Is.each(func(i int) {
		for _, m := range r.flow.Sources[i].Static {
			r.into.Observes = r.into.Observes || standardStream(m.Class, m.Name)
		}
	})
}

// fresh is something that the body makes at a place.
func (r *flowReader) fresh(pc int) Value { return r.freshOf(pc, "") }

// freshOf is an object of a class that the body makes at a place.
func (r *flowReader) freshOf(pc int, class string) Value {
	var v Value
	v.Is.add(r.source(flowSite{pc: pc}, Source{New: true, Class: class}))
	return v
}

func (r *flowReader) field(in *bytecode.Instruction) {
	m := r.member(uint16(in.Index), in.Op)
	if m.Descriptor == "" {
		return
	}
	wide := m.Descriptor == "J" || m.Descriptor == "D"
	switch in.Op {
	case bytecode.Getstatic:
		var v Value
		if followed(m.Descriptor) {
			v.Is.add(r.source(flowSite{field: m}, Source{Static: []Member{m}}))
		}
		r.pushType(m.Descriptor, v)
	case bytecode.Getfield:
		r.pushType(m.Descriptor, r.pop().part(m.Class))
	default:
		v := r.pop()
		if wide {
			r.pop()
		}
		if in.Op == bytecode.Putfield {
			r.change(r.pop(), v, m.Class)
		} else if !v.none() {
			r.step(Step{Kind: Keeps, Member: m, Values: []Value{v}, Result: -1})
		}
	}
}

// arguments takes the arguments of a call from the stack.
func (r *flowReader) arguments(descriptor string, receiver bool) []Value {
	types := parameterTypes(descriptor)
	if receiver {
		types = append([]string{"L;"}, types...)
	}
	out := make([]Value, len(types))
	for i := len(types) - 1; i >= 0; i-- {
		out[i] = r.pop()
		if types[i] == "J" || types[i] == "D" {
			r.pop()
		}
	}
	return out
}

func (r *flowReader) call(in *bytecode.Instruction) {
	m := r.member(uint16(in.Index), in.Op)
	values := r.arguments(m.Descriptor, !m.Static)
	types, given := m.parameters(values)
	for i, t := range types {
		if t == "Ljava/lang/Object;" {
			r.observe(given[i])
		}
	}
	if m.Name == "size" && !m.Static && m.Descriptor == "()I" && !values[0].none() && !r.compares() {
		r.step(Step{Kind: Sizes, Values: values[:1], Result: -1})
	}
	r.result(Step{Kind: Calls, Member: m, Values: values, Result: -1}, in.PC)
}

// compares tells whether a number that an instruction pushes is only compared: with 0, or with what the next instruction pushes.
func (r *flowReader) compares() bool {
	var in bytecode.Instruction
	pc := r.next
	for range 2 {
		if pc >= len(r.code) || in.Decode(r.code, pc) != nil {
			return false
		}
		if in.Op >= bytecode.Ifeq && in.Op <= bytecode.IfIcmple {
			return true
		}
		if !pushesConstant(in.Op) && in.Op != bytecode.Getstatic && (in.Op < bytecode.Iload || in.Op > bytecode.Aload3) {
			return false
		}
		pc += in.Len
	}
	return false
}

// result pushes what a call returns.
func (r *flowReader) result(s Step, pc int) {
	var v Value
	t := returned(s.Member.Descriptor)
	if t != "" && followed(t) {
		s.Result = r.source(flowSite{pc: pc}, Source{Result: true})
		v.Is.add(s.Result)
		if !s.Member.Static && platform(s.Member.Class) { // what an object of the JDK holds belongs to the field that holds the object
			v.From = s.Values[0].From
		}
	}
	r.step(s)
	if t != "" {
		r.pushType(t, v)
	}
}

// dynamic makes a function of what it captures, or computes something from its arguments.
func (r *flowReader) dynamic(in *bytecode.Instruction) {
	c := r.class.Pool.At(uint16(in.Index))
	_, descriptor, ok := r.class.Pool.NameAndType(c.B)
	if !ok {
		return
	}
	values := r.arguments(descriptor, false)
	if r.record {
		r.receives(uint16(in.Index), c, values)
	}
	t := returned(descriptor)
	if t == "" {
		return
	}
	var v Value
	if followed(t) {
		v = r.fresh(in.PC)
		s := Step{Kind: Makes, Values: values, Result: r.number[flowSite{pc: in.PC}]}
		if target := r.target(c); target != nil {
			s.Member = *target
		}
		r.step(s)
	}
	r.pushType(t, v)
}

// receivers are the objects that a function has captured first, all those of one constant taken together.
type receivers struct {
	classes []string
	unknown bool
}

// receives notes what a function has captured first, which LambdaMetafactory makes the receiver. Only of an object that the body itself makes is the class known.
func (r *flowReader) receives(at uint16, c classfile.Constant, captured []Value) {
	on := r.on[at]
	if !r.byMetafactory(c) || len(captured) == 0 || captured[0].Odd || captured[0].Is.empty() || !captured[0].In.empty() {
		on.unknown = true
	} else {
		captured[0].Is.each(func(i int) {
			s := &r.flow.Sources[i]
			on.unknown = on.unknown || s.Class == ""
			on.classes = append(on.classes, s.Class)
		})
	}
	r.on[at] = on
}

// byMetafactory tells whether a call site is made by the bootstrap method for functions.
func (r *flowReader) byMetafactory(c classfile.Constant) bool {
	if int(c.A) >= len(r.methods) {
		return false
	}
	h := r.loadedHandle(r.methods[c.A].Handle)
	return h != nil && h.Class == "java/lang/invoke/LambdaMetafactory"
}

// target is the method of a function that a call site makes; nil if there is none.
func (r *flowReader) target(c classfile.Constant) *Member {
	if int(c.A) >= len(r.methods) {
		return nil
	}
	for _, a := range r.methods[c.A].Arguments {
		if h := r.loadedHandle(a); h != nil {
			return h
		}
	}
	return nil
}
