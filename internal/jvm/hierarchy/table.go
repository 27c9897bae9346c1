package hierarchy

import (
	"slices"

	"winnow/internal/jvm/classfile"
)

// A method is a method with the class that declares it; or, if throws is set, the method that a JVM makes up in a class that inherits no
// unambiguous default method, so that calls of it throw.
type method struct {
	owner  *node
	member *Member
	throws Kind
}

func (m *method) is(f classfile.Flags) bool {
	if m.throws != None {
		return f&classfile.Public != 0
	}
	return m.member.is(f)
}

// packagePrivate tells whether only the package may use the method.
func (m *method) packagePrivate() bool {
	return !m.is(classfile.Public | classfile.Protected | classfile.Private)
}

// virtual tells whether the method takes part in overriding.
func (m *method) virtual() bool { return m != nil && !m.is(classfile.Static|classfile.Private) }

// A table is what a class makes of one signature: a method table restricted to it.
//
// Each slot is a root of overriding: the methods that a call through the root's declaration may run. A class starts with the slots of its
// superclass and puts its own method into every slot whose present method it overrides; a method that overrides none, and every package-private
// one, opens a slot of its own. There is more than one slot only if package-private or private methods are involved.
type table struct {
	own   *method // declared by the class
	error *method // made up by the JVM: the defaults conflict or are all abstract
	dflt  *method // the default method that the class inherits
	slots []*method
	// The slots through which calls that resolve to own, error and dflt go; none for own if it is static or final and overrides nothing.
	ownSlot, errorSlot, dfltSlot int
}

const noSlot = -1

// table computes the table of a class for a signature.
func (w *World) table(n *node, s signature) *table {
	if t, ok := n.tables[s]; ok {
		return t
	}
	t := &table{own: n.declared(s), ownSlot: noSlot, errorSlot: noSlot, dfltSlot: noSlot}
	if n.defaults {
		w.inheritDefault(n, s, t)
	}
	if !n.is(classfile.Interface) {
		w.fill(n, s, t)
	}
	if n.tables == nil {
		n.tables = map[signature]*table{}
	}
	n.tables[s] = t
	return t
}

// fill makes the slots.
func (w *World) fill(n *node, s signature, t *table) {
	if n.super != nil {
		t.slots = slices.Clone(w.table(n.super, s).slots)
	}
	inherited := len(t.slots)
	if t.own != nil && !t.own.is(classfile.Static) && s.name != "<init>" {
		t.ownSlot = w.place(n, s, t, inherited, t.own, false)
	}
	if t.error != nil {
		t.errorSlot = w.place(n, s, t, inherited, t.error, false)
	}
	if t.dflt != nil {
		t.dfltSlot = w.place(n, s, t, inherited, t.dflt, true)
	}
	if m := w.unimplemented(n, s, t); m != nil && (n.super == nil || w.firstInterfaceMethod(n.super, s) == nil) {
		t.slots = append(t.slots, m)
	}
}

// place puts a method into the inherited slots that it overrides, or into a new one. It returns the slot for calls of the method.
func (w *World) place(n *node, s signature, t *table, inherited int, m *method, dflt bool) int {
	slot := noSlot
	open := dflt || m.throws != None || !m.is(classfile.Final) && !n.is(classfile.Final)
	if !m.is(classfile.Private) {
		for i := range inherited {
			old := t.slots[i]
			if old.is(classfile.Private) || !dflt && !w.overrides(n, s, i, old, m) {
				continue
			}
			t.slots[i] = m
			slot = i
			open = open && m.packagePrivate()
		}
	}
	if open {
		slot = len(t.slots)
		t.slots = append(t.slots, m)
	}
	return slot
}

// transitiveVersion is the class file version from which a method also overrides what the methods in between override.
const transitiveVersion = 51

// overrides tells whether a method of n overrides the method in a slot (JVMS 5.4.5).
func (w *World) overrides(n *node, s signature, slot int, old, m *method) bool {
	pkg := packageOf(m.owner.Name)
	if overridable(old, pkg) {
		return true
	}
	if n.Major < transitiveVersion {
		return false
	}
	for k := old.owner; k.super != nil; k = k.super {
		above := w.table(k.super, s).slots
		if slot >= len(above) {
			return false
		}
		if overridable(above[slot], pkg) {
			return true
		}
	}
	return false
}

// overridable tells whether a method may be overridden by methods of a package.
func overridable(old *method, pkg string) bool {
	return !old.is(classfile.Private) && (old.is(classfile.Public|classfile.Protected) || packageOf(old.owner.Name) == pkg)
}

// unimplemented is the superinterface method that no class implements and no default replaces, nil if there is none.
func (w *World) unimplemented(n *node, s signature, t *table) *method {
	if t.own.virtual() || t.error != nil || t.dflt != nil || w.implemented(n, s) {
		return nil
	}
	for _, i := range n.interfaces {
		for _, above := range append([]*node{i}, i.all...) {
			if m := w.table(above, s).own; m.virtual() {
				return m
			}
		}
	}
	return nil
}

// implemented tells whether a superclass has an instance method that is not private.
func (w *World) implemented(n *node, s signature) bool {
	for c := n.super; c != nil; c = c.super {
		t := w.table(c, s)
		if t.error != nil || t.own.virtual() && !hiddenFrom(n, t.own) {
			return true
		}
	}
	return false
}

// hiddenFrom tells whether a method is one of java/lang/Object that interfaces do not have: those that are not public.
func hiddenFrom(n *node, m *method) bool {
	return n.is(classfile.Interface) && m.owner.Name == object && !m.is(classfile.Public)
}

// firstInterfaceMethod is the first public instance method of the superinterfaces, in their order.
func (w *World) firstInterfaceMethod(n *node, s signature) *method {
	for _, i := range n.all {
		if m := w.first(i, s, false); m != nil && m.is(classfile.Public) && !m.is(classfile.Static) {
			return m
		}
	}
	return nil
}

// first is the method that a class or its closest superclass declares. The made-up methods of superclasses do not count.
func (w *World) first(n *node, s signature, skipPrivate bool) *method {
	for c := n; c != nil; c = c.super {
		t := w.table(c, s)
		if t.own != nil && !(skipPrivate && t.own.is(classfile.Private)) {
			return t.own
		}
		if c == n && t.error != nil {
			return t.error
		}
	}
	return nil
}

// firstInstance is first without static methods, and then the default method that the class inherits.
func (w *World) firstInstance(n *node, s signature, skipPrivate bool) *method {
	m := w.first(n, s, skipPrivate)
	for m != nil && m.is(classfile.Static) && m.owner.super != nil {
		if made := w.table(m.owner, s).error; made != nil && m.owner == n {
			return made
		}
		m = w.first(m.owner.super, s, skipPrivate)
	}
	if m == nil && !n.array {
		m = w.table(n, s).dflt
	}
	return m
}
