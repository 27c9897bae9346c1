package hierarchy

import (
	"strings"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// A Ref is a symbolic reference to a field or method. Its Tag tells a reference to an interface method from one to a class method.
type Ref = classfile.Ref

// A Resolution is what a symbolic reference means.
type Resolution struct {
	Owner  string // the class that declares the member; "" if there is none
	Member Member
	// Throws is the error of calling a method of which the JVM knows at once that it inherits no unambiguous default: the reference resolves to a
	// method that the JVM makes up in Owner.
	Throws Kind
	// Err is why the reference does not link; nil if it does. Owner and Member are known even so if only an access or kind check failed, because
	// a JVM can be told to omit access checks.
	Err *Linkage

	class  *node // that the reference names
	method *method
}

// A Site is an instruction that uses a member.
type Site struct {
	Op   bytecode.Op // one of get, put and invoke except invokedynamic
	Ref  Ref
	From string // the class that has the instruction
	In   string // the name of its method; matters only for puts to final fields
}

// ResolveField resolves a reference to a field (JVMS 5.4.3.2), with the access check.
func (w *World) ResolveField(ref Ref, from string) Resolution {
	f, err := w.loadFrom(from)
	if err != nil {
		return Resolution{Err: err}
	}
	class, err := w.resolveClass(ref.Class, f)
	r := Resolution{class: class, Err: err}
	if class == nil {
		return r
	}
	owner, field := class.field(ref.Name, ref.Descriptor, map[*node]bool{})
	if field == nil {
		return r.fail(NoSuchField, ref.Class, "has no field "+ref.Name+" "+ref.Descriptor)
	}
	r.Owner, r.Member = owner.Name, *field
	if !w.accessible(f, class, owner, field.Access) {
		r = r.fail(IllegalAccess, from, "may not use "+owner.Name+"."+ref.Name)
	}
	return r
}

// loadFrom loads the class that has an instruction.
func (w *World) loadFrom(name string) (*node, *Linkage) {
	n := w.load(name)
	return n, n.err
}

// fail adds an error unless there is one.
func (r Resolution) fail(kind Kind, class, why string) Resolution {
	if r.Err == nil {
		r.Err = fail(kind, class, why)
	}
	return r
}

// field looks in the class, then in its superinterfaces, then in its superclass, but nowhere twice.
func (n *node) field(name, descriptor string, seen map[*node]bool) (*node, *Member) {
	if seen[n] {
		return nil, nil
	}
	seen[n] = true
	for i := range n.Fields {
		if f := &n.Fields[i]; f.Name == name && f.Descriptor == descriptor {
			return n, f
		}
	}
	for _, i := range n.interfaces {
		if owner, f := i.field(name, descriptor, seen); f != nil {
			return owner, f
		}
	}
	if n.super != nil {
		return n.super.field(name, descriptor, seen)
	}
	return nil, nil
}

// ResolveMethod resolves a reference to a method of a class (JVMS 5.4.3.3), with the access check.
func (w *World) ResolveMethod(ref Ref, from string) Resolution {
	return w.resolveMethod(ref, from, false)
}

// ResolveInterfaceMethod resolves a reference to a method of an interface (JVMS 5.4.3.4), with the access check.
func (w *World) ResolveInterfaceMethod(ref Ref, from string) Resolution {
	return w.resolveMethod(ref, from, true)
}

func (w *World) resolveMethod(ref Ref, from string, ofInterface bool) Resolution {
	f, err := w.loadFrom(from)
	if err != nil {
		return Resolution{Err: err}
	}
	class, err := w.resolveClass(ref.Class, f)
	r := Resolution{class: class, Err: err}
	if class == nil {
		return r
	}
	if class.is(classfile.Interface) != ofInterface {
		r = r.fail(IncompatibleClassChange, ref.Class, map[bool]string{true: "is a class", false: "is an interface"}[ofInterface])
	}
	m := w.findMethod(class, signature{ref.Name, ref.Descriptor}, ofInterface)
	if m == nil && !ofInterface {
		m = class.polymorphic(ref.Name)
	}
	if m == nil {
		return r.fail(NoSuchMethod, ref.Class, "has no method "+ref.Name+ref.Descriptor)
	}
	r.method, r.Owner, r.Throws = m, m.owner.Name, m.throws
	access := classfile.Public
	if m.throws == None {
		r.Member, access = *m.member, m.member.Access
	} else {
		r.Member = Member{Name: ref.Name, Descriptor: ref.Descriptor, Access: access}
	}
	if class.array && m.owner.Name == object && ref.Name == "clone" {
		access = classfile.Public // every array class has a public clone (JVMS 5.4.4, JLS 10.7)
	}
	if !w.accessible(f, class, m.owner, access) {
		r = r.fail(IllegalAccess, from, "may not use "+m.owner.Name+"."+ref.Name+ref.Descriptor)
	}
	return r
}

// findMethod finds the method that a reference means: in the class and its superclasses, then the inherited default, then in the superinterfaces.
func (w *World) findMethod(n *node, s signature, ofInterface bool) *method {
	m := n.firstDeclared(s)
	if m != nil && ofInterface && m.owner.Name == object && (m.is(classfile.Static) || !m.is(classfile.Public)) {
		m = nil
	}
	if m != nil || n.array {
		return m
	}
	t := w.table(n, s)
	switch {
	case t.error != nil:
		return t.error
	case t.dflt != nil:
		return t.dflt
	}
	return w.firstInterfaceMethod(n, s)
}

// polymorphic is the signature polymorphic method with a name (JVMS 2.9.3): it accepts every descriptor. The classes in the descriptor are not looked at.
func (n *node) polymorphic(name string) *method {
	for c := n; c != nil; c = c.super {
		if c.Name != "java/lang/invoke/MethodHandle" && c.Name != "java/lang/invoke/VarHandle" {
			continue
		}
		for i := range c.Methods {
			m := &c.Methods[i]
			if m.Name == name && strings.HasPrefix(m.Descriptor, "([Ljava/lang/Object;)") && m.is(classfile.Native) && m.is(classfile.Varargs) {
				return &method{owner: c, member: m}
			}
		}
	}
	return nil
}
