package hierarchy

import (
	"fmt"
	"slices"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// A Target is what a call runs, or a field access uses.
type Target struct {
	Owner string // the class that declares it; known also if only access was refused
	Err   *Linkage
}

// Kind is the kind of error, None if there is a target.
func (t Target) Kind() Kind { return t.Err.kind() }

// String is "owner", or the error with what is known.
func (t Target) String() string {
	switch {
	case t.Err == nil:
		return t.Owner
	case t.Owner != "":
		return fmt.Sprintf("%s (%s)", t.Err.Kind, t.Owner)
	}
	return t.Err.Kind.String()
}

// Link resolves what an instruction refers to and applies the rules of the instruction that do not depend on objects (JVMS 6.5).
func (w *World) Link(s Site) Resolution {
	switch s.Op {
	case bytecode.Getstatic, bytecode.Putstatic, bytecode.Getfield, bytecode.Putfield:
		return w.linkField(s)
	}
	r := w.resolveMethod(s.Ref, s.From, s.Ref.Tag == classfile.TagInterfaceMethodref)
	if s.Op == bytecode.Invokespecial && r.Err == nil {
		r = w.linkSpecial(r, s)
	}
	if r.method == nil {
		return r
	}
	switch static := r.Member.is(classfile.Static); {
	case static && s.Op != bytecode.Invokestatic:
		r = r.fail(IncompatibleClassChange, r.Owner, s.Ref.Name+s.Ref.Descriptor+" is static")
	case !static && s.Op == bytecode.Invokestatic:
		r = r.fail(IncompatibleClassChange, r.Owner, s.Ref.Name+s.Ref.Descriptor+" is not static")
	}
	return r
}

// linkSpecial applies the rules of invokespecial: a constructor is that of the named class, an interface is the class itself or a direct superinterface.
func (w *World) linkSpecial(r Resolution, s Site) Resolution {
	if s.Ref.Name == "<init>" && r.Owner != s.Ref.Class {
		return r.fail(NoSuchMethod, s.Ref.Class, "has no constructor "+s.Ref.Descriptor)
	}
	from := w.load(s.From)
	if r.class.is(classfile.Interface) && r.class != from && !slices.Contains(from.interfaces, r.class) {
		return r.fail(IncompatibleClassChange, s.Ref.Class, "is no direct superinterface of "+s.From)
	}
	return r
}

// finalVersion is the class file version from which final fields can be set in initializers only.
const finalVersion = 53

func (w *World) linkField(s Site) Resolution {
	r := w.ResolveField(s.Ref, s.From)
	if r.Owner == "" {
		return r
	}
	static := s.Op == bytecode.Getstatic || s.Op == bytecode.Putstatic
	if r.Member.is(classfile.Static) != static {
		return r.fail(IncompatibleClassChange, r.Owner, fmt.Sprintf("%s for the field %s", s.Op, s.Ref.Name))
	}
	if put := s.Op == bytecode.Putstatic || s.Op == bytecode.Putfield; !put || !r.Member.is(classfile.Final) {
		return r
	}
	initializer := map[bool]string{true: "<clinit>", false: "<init>"}[static]
	if r.Owner != s.From || w.load(s.From).Major >= finalVersion && s.In != initializer {
		return r.fail(IllegalAccess, s.From, "may not set the final field "+s.Ref.Name)
	}
	return r
}

// Invoke tells what a call instruction runs on an object of class receiver, which is ignored by invokestatic. The object must be one that a
// verified program can have there: for class references an instance of the named class, for invokespecial of the calling class.
func (w *World) Invoke(s Site, receiver string) Target {
	r := w.Link(s)
	if r.Err != nil {
		return Target{Owner: r.Owner, Err: r.Err}
	}
	if s.Op == bytecode.Invokestatic {
		return Target{Owner: r.Owner}
	}
	n, err := w.loadReceiver(receiver)
	if err != nil {
		return Target{Err: err}
	}
	return w.run(s.Op, r, w.load(s.From), n)
}

// loadReceiver loads the class of an object. An interface has none.
func (w *World) loadReceiver(name string) (*node, *Linkage) {
	n := w.load(name)
	if n.err == nil && n.is(classfile.Interface) {
		return nil, fail(Verify, name, "is an interface, so nothing is an object of just this class")
	}
	return n, n.err
}

// run selects for an instruction that has linked.
func (w *World) run(op bytecode.Op, r Resolution, from, n *node) Target {
	switch op {
	case bytecode.Invokespecial:
		return w.special(r, from, n)
	case bytecode.Invokeinterface:
		return w.selectInterface(r, n)
	}
	return w.selectVirtual(r, n)
}

// Select tells which method a call runs on an object of class receiver, given what the reference of the call resolved to (JVMS 5.4.6).
func (w *World) Select(receiver string, r Resolution) Target {
	n, err := w.loadReceiver(receiver)
	switch {
	case err != nil:
		return Target{Err: err}
	case r.method == nil || r.Err != nil:
		return Target{Owner: r.Owner, Err: r.Err}
	case r.class.is(classfile.Interface):
		return w.selectInterface(r, n)
	}
	return w.selectVirtual(r, n)
}

func (w *World) selectVirtual(r Resolution, n *node) Target {
	if !n.subtype(r.class) {
		return Target{Err: fail(Verify, n.Name, "is no "+r.class.Name)}
	}
	s := signature{r.Member.Name, r.Member.Descriptor}
	slot := w.slot(r, s)
	if slot == noSlot {
		return end(r.method, n)
	}
	return end(w.table(n, s).slots[slot], n)
}

// slot is the slot through which a call goes that resolved to a method of a class, or to an interface method inherited by one.
func (w *World) slot(r Resolution, s signature) int {
	m := r.method
	if m.throws != None {
		return w.table(m.owner, s).errorSlot
	}
	if m.is(classfile.Final) {
		return noSlot // called directly: the slots it is in are those of older methods, and a method that overrides these need not override this one
	}
	if !m.owner.is(classfile.Interface) {
		return w.table(m.owner, s).ownSlot
	}
	t := w.table(r.class, s)
	if t.dflt != nil && !m.is(classfile.Abstract) {
		return t.dfltSlot
	}
	for i := len(t.slots) - 1; i >= 0; i-- {
		if t.slots[i].owner.is(classfile.Interface) {
			return i
		}
	}
	return noSlot
}

// ambiguous is the reason if superinterfaces have several default methods or only abstract ones.
const ambiguous = "inherits no unambiguous default method"

// end is the target if a method is selected.
func end(m *method, receiver *node) Target {
	switch {
	case m.throws != None:
		return Target{Err: fail(m.throws, receiver.Name, ambiguous)}
	case m.is(classfile.Abstract):
		return Target{Err: fail(AbstractMethod, receiver.Name, "does not implement "+m.owner.Name+"."+m.member.Name+m.member.Descriptor)}
	}
	return Target{Owner: m.owner.Name}
}

func (w *World) selectInterface(r Resolution, n *node) Target {
	if !n.subtype(r.class) {
		return Target{Err: fail(IncompatibleClassChange, n.Name, "does not implement "+r.class.Name)}
	}
	if r.Member.is(classfile.Private) {
		return end(r.method, n)
	}
	s := signature{r.Member.Name, r.Member.Descriptor}
	m := w.firstInstance(n, s, true)
	switch {
	case m == nil:
		return Target{Err: fail(AbstractMethod, n.Name, "has no method "+s.name+s.descriptor)}
	case !m.is(classfile.Public):
		return Target{Owner: m.owner.Name, Err: fail(IllegalAccess, n.Name, "implements an interface method by one that is not public")}
	}
	return end(m, n)
}

// special selects for invokespecial. The flag ACC_SUPER is taken as set in every class, as every JVM since Java 8 does.
func (w *World) special(r Resolution, from, n *node) Target {
	if !n.subtype(from) {
		kind := Verify
		if from.is(classfile.Interface) {
			kind = IllegalAccess
		}
		return Target{Err: fail(kind, n.Name, "is no "+from.Name)}
	}
	m := r.method
	if r.Member.Name != "<init>" && from != r.class && !r.class.is(classfile.Interface) {
		s := signature{r.Member.Name, r.Member.Descriptor}
		if m = w.firstInstance(from.super, s, false); m == nil {
			return Target{Err: fail(AbstractMethod, from.Name, "inherits no method "+s.name+s.descriptor)}
		}
		if m.is(classfile.Static) {
			return Target{Owner: m.owner.Name, Err: fail(IncompatibleClassChange, m.owner.Name, s.name+s.descriptor+" is static")}
		}
	}
	return end(m, n)
}
