package lower

import (
	"fmt"
	"math"

	"winnow/internal/jvm/assemble"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/semantics/minijvm"
)

// A body is the code of one method in the making.
type body struct {
	*lowering
	file   *assemble.Class
	k      *assemble.Code
	of     *minijvm.Class
	m      *minijvm.Method
	types  []minijvm.Types
	labels []assemble.Label // by pc: where the instruction begins
	ends   []assemble.Label // by pc: where it ends
	framed []bool           // by pc: it is jumped to, or nothing falls into it
	again  assemble.Label   // throws an exception on, for rows of the exception table that must not catch it
	thrown bool             // again is in use
}

// code writes the code of a method. Instructions that no run reaches are left out.
func (l *lowering) code(c *assemble.Class, of *minijvm.Class, m *minijvm.Method) (*assemble.Code, error) {
	b := &body{lowering: l, file: c, k: c.Code(), of: of, m: m, types: l.typing.At(of.Name, m.Name)}
	if len(b.types) != len(m.Code) {
		return nil, fmt.Errorf("%s.%s: the verifier has no types", l.p.Names.Class(of.Name), l.p.Names.Member(m.Name))
	}
	for range m.Code {
		b.labels, b.ends = append(b.labels, b.k.Label()), append(b.ends, b.k.Label())
	}
	b.again = b.k.Label()
	b.findFrames()
	for pc := range m.Code {
		if b.types[pc].Reached {
			b.instruction(pc)
		}
	}
	b.table()
	if b.thrown {
		b.k.Mark(b.again)
		b.k.Frame(nil, []assemble.Type{assemble.Object(objectType)})
		b.k.Op(bytecode.Athrow)
	}
	return b.k, nil
}

// findFrames finds the instructions at which a JVM wants to be told the types.
func (b *body) findFrames() {
	b.framed = make([]bool, len(b.m.Code))
	falls := true
	for pc := range b.m.Code {
		if !b.types[pc].Reached {
			continue
		}
		in := &b.m.Code[pc]
		b.framed[pc] = b.framed[pc] || !falls
		falls = in.Op != minijvm.Goto && in.Op != minijvm.Return && in.Op != minijvm.Throw && !b.raises(pc)
		if in.Op == minijvm.Goto || in.Op == minijvm.IfFalse {
			b.framed[pc+int(in.N)] = true
		}
	}
	for _, h := range b.m.Handlers {
		b.framed[h.At] = true
	}
}

func (b *body) instruction(pc int) {
	b.k.Mark(b.labels[pc])
	if b.framed[pc] {
		b.k.Frame(b.verification(b.types[pc].Locals), b.verification(b.types[pc].Stack))
	}
	b.write(pc, &b.m.Code[pc])
	if b.raises(pc) { // nothing follows, which only we know
		b.k.Op(bytecode.AconstNull, bytecode.Athrow)
	}
	b.k.Mark(b.ends[pc])
}

// verification translates what the small verifier knows for the real one.
func (b *body) verification(types []minijvm.Type) []assemble.Type {
	var out []assemble.Type
	for _, t := range types {
		out = append(out, b.verificationType(t))
	}
	for len(out) > 0 && out[len(out)-1] == assemble.Top { // of locals that are never used
		out = out[:len(out)-1]
	}
	return out
}

func (b *body) verificationType(t minijvm.Type) assemble.Type {
	switch t {
	case minijvm.Unusable:
		return assemble.Top
	case minijvm.NullType:
		return assemble.Null
	case minijvm.Void, minijvm.Boolean, minijvm.Int:
		return assemble.Integer
	}
	c, _ := t.Class()
	return assemble.Object(b.class(c))
}

func isRef(t minijvm.Type) bool { return t == minijvm.NullType || t >= 0 }

// stack returns the type of the value that is n below the top.
func (b *body) stack(pc, n int) minijvm.Type {
	s := b.types[pc].Stack
	return s[len(s)-1-n]
}

func (b *body) write(pc int, in *minijvm.Instr) {
	k := b.k
	switch in.Op {
	case minijvm.Load:
		b.local(b.types[pc].Locals[in.N], in.N, bytecode.Iload, bytecode.Aload)
	case minijvm.Store:
		b.local(b.stack(pc, 0), in.N, bytecode.Istore, bytecode.Astore)
	case minijvm.Push:
		b.push(in.V)
	case minijvm.New:
		k.Class(bytecode.New, b.created(in.C))
		k.Op(bytecode.Dup)
		k.Invoke(bytecode.Invokespecial, method(b.created(in.C), "<init>", "()V"))
	case minijvm.Getfield, minijvm.Putfield, minijvm.Getstatic, minijvm.Putstatic:
		b.field(in)
	case minijvm.Checkcast:
		b.cast(in.C)
	case minijvm.Invoke, minijvm.Invokestatic:
		b.call(pc, in)
	case minijvm.Return:
		b.leave()
	case minijvm.Pop:
		k.Op(bytecode.Pop)
	case minijvm.IAdd:
		k.Op(bytecode.Iadd)
	case minijvm.Goto:
		k.Branch(bytecode.Goto, b.labels[pc+int(in.N)])
	case minijvm.CmpEq:
		b.compare(b.stack(pc, 0))
	case minijvm.IfFalse:
		k.Branch(bytecode.Ifeq, b.labels[pc+int(in.N)])
	case minijvm.Throw:
		b.guard()
		k.Op(bytecode.Athrow)
	}
}

func (b *body) local(t minijvm.Type, n int32, number, reference bytecode.Op) {
	if isRef(t) {
		b.k.Local(reference, uint16(n))
		return
	}
	b.k.Local(number, uint16(n))
}

func (b *body) push(v minijvm.Value) {
	i, isInt := v.Int()
	switch {
	case v == minijvm.Null:
		b.k.Op(bytecode.AconstNull)
	case v == minijvm.True:
		b.k.Push(1)
	case isInt && i >= math.MinInt16 && i <= math.MaxInt16:
		b.k.Push(int16(i))
	case isInt:
		b.k.Constant(b.file.Int(i), false)
	default: // false, and unit
		b.k.Push(0)
	}
}

// compare leaves the jump to a method, because a jump needs frames.
func (b *body) compare(t minijvm.Type) {
	descriptor := "(II)Z"
	if isRef(t) {
		descriptor = "(L" + objectType + ";L" + objectType + ";)Z"
	}
	b.k.Invoke(bytecode.Invokestatic, method(guardClass, "same", descriptor))
}

func (b *body) leave() {
	switch {
	case b.m.Result == minijvm.Void:
		b.k.Op(bytecode.Pop, bytecode.Return)
	case isRef(b.m.Result):
		b.k.Op(bytecode.Areturn)
	default:
		b.k.Op(bytecode.Ireturn)
	}
}

// guard throws NullPointer if the top is null, as the small JVM does before anything else. The stack stays as it is.
func (b *body) guard() {
	if b.bare {
		return
	}
	b.k.Op(bytecode.Dup)
	b.k.Invoke(bytecode.Invokestatic, method(guardClass, "present", "(L"+objectType+";)V"))
}

// guardBelow does the same for the value under others of these types, which wait in locals.
func (b *body) guardBelow(types []minijvm.Type) {
	if b.bare {
		return
	}
	first := int32(len(b.types[0].Locals))
	for i := len(types) - 1; i >= 0; i-- {
		b.local(types[i], first+int32(i), bytecode.Istore, bytecode.Astore)
	}
	b.guard()
	for i, t := range types {
		b.local(t, first+int32(i), bytecode.Iload, bytecode.Aload)
	}
}

func (b *body) cast(c minijvm.ClassID) {
	if c == minijvm.Object {
		return // everything is one
	}
	if !b.bare {
		b.k.Op(bytecode.Dup, bytecode.Dup)
		b.k.Class(bytecode.Instanceof, b.class(c))
		b.k.Invoke(bytecode.Invokestatic, method(guardClass, "cast", "(L"+objectType+";Z)V"))
	}
	b.k.Class(bytecode.Checkcast, b.class(c))
}
