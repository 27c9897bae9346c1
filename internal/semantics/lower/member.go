package lower

import (
	"winnow/internal/jvm/assemble"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/semantics/minijvm"
)

// raises tells whether an instruction names a member that is missing or of the other kind, or calls a method of null: it never ends normally.
func (b *body) raises(pc int) bool {
	in := &b.m.Code[pc]
	switch in.Op {
	case minijvm.Getfield, minijvm.Putfield:
		f, _ := b.p.SeesField(in.C, in.F)
		return f == nil || f.Static
	case minijvm.Getstatic, minijvm.Putstatic:
		f, _ := b.p.SeesField(in.C, in.F)
		return f == nil || !f.Static
	case minijvm.Invokestatic:
		m, _ := b.p.SeesMethod(in.C, in.F)
		return m == nil || !m.Static
	case minijvm.Invoke:
		m := b.called(pc)
		return m == nil || m.Static
	}
	return false
}

// called returns the method that the type of a call's object sees; nil if it is missing, or the object is null.
func (b *body) called(pc int) *minijvm.Method {
	c, ok := b.stack(pc, int(b.m.Code[pc].N)).Class()
	if !ok {
		return nil
	}
	m, _ := b.p.SeesMethod(c, b.m.Code[pc].F)
	return m
}

var fieldOps = map[minijvm.Op]bytecode.Op{
	minijvm.Getfield: bytecode.Getfield, minijvm.Putfield: bytecode.Putfield, minijvm.Getstatic: bytecode.Getstatic, minijvm.Putstatic: bytecode.Putstatic,
}

// field writes an access to a field. A value that is assigned to a field that cannot be used may have any type; one that fits takes its place.
func (b *body) field(in *minijvm.Instr) {
	t := minijvm.Int // of a missing field
	f, _ := b.p.SeesField(in.C, in.F)
	if f != nil {
		t = f.Type
	}
	instance, puts := in.Op == minijvm.Getfield || in.Op == minijvm.Putfield, in.Op == minijvm.Putfield || in.Op == minijvm.Putstatic
	usable := f != nil && f.Static != instance
	if puts && !usable {
		b.k.Op(bytecode.Pop)
	}
	switch {
	case instance && puts && usable:
		b.guardBelow([]minijvm.Type{t})
	case instance:
		b.guard()
	}
	if puts && !usable {
		b.push(t.Default())
	}
	b.k.Field(fieldOps[in.Op], b.class(in.C), b.member(in.F), b.descriptor(t))
}

// call writes a call. Arguments of a call that cannot succeed may have any types and number; others that fit take their place.
func (b *body) call(pc int, in *minijvm.Instr) {
	n := int(in.N)
	target, op := "", bytecode.Invokestatic
	var m *minijvm.Method
	if in.Op == minijvm.Invokestatic {
		m, _ = b.p.SeesMethod(in.C, in.F)
		target = b.class(in.C)
	} else {
		op, m = bytecode.Invokevirtual, b.called(pc)
		c, ok := b.stack(pc, n).Class()
		if !ok {
			c = b.of.Name // null: any class will do
		}
		target = b.class(c)
	}
	known := m
	if known == nil {
		known = &minijvm.Method{Result: minijvm.Void}
	}
	if b.raises(pc) {
		b.replaceArguments(n, known, op == bytecode.Invokevirtual)
	} else if op == bytecode.Invokevirtual {
		b.guardBelow(known.Params)
	}
	b.k.Invoke(op, method(target, b.member(in.F), b.signature(known)))
	if known.Result == minijvm.Void {
		b.k.Push(0)
	}
}

func (b *body) replaceArguments(n int, m *minijvm.Method, virtual bool) {
	for range n {
		b.k.Op(bytecode.Pop)
	}
	if virtual {
		b.guard()
	}
	for _, t := range m.Params {
		b.push(t.Default())
	}
}

// table writes the exception table: for each instruction the rows that cover it, in their order.
func (b *body) table() {
	for pc := range b.m.Code {
		if !b.types[pc].Reached {
			continue
		}
		for _, h := range b.m.Handlers {
			if h.From > int32(pc) || int32(pc) >= h.To {
				continue
			}
			if h.Catch == minijvm.IncompatibleClassChangeError && !b.bare {
				b.spare(pc, minijvm.NoSuchFieldError)
				b.spare(pc, minijvm.NoSuchMethodError)
			}
			b.row(pc, b.labels[h.At], h.Catch)
		}
	}
}

func (b *body) row(pc int, to assemble.Label, catch minijvm.ClassID) {
	name := "" // everything
	if catch != minijvm.Object {
		name = b.class(catch)
	}
	b.k.Try(b.labels[pc], b.ends[pc], to, name)
}

// spare sends an error that is a subclass in java.lang, and not in the small JVM, where it belongs.
func (b *body) spare(pc int, x minijvm.ClassID) {
	for _, h := range b.m.Handlers {
		if h.From <= int32(pc) && int32(pc) < h.To && b.p.Subclass(x, h.Catch) {
			b.row(pc, b.labels[h.At], x)
			return
		}
	}
	b.thrown = true
	b.row(pc, b.again, x)
}
