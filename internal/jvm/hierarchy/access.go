package hierarchy

import (
	"slices"

	"winnow/internal/jvm/classfile"
)

// canSee tells whether a class may refer to another (JVMS 5.4.4): it is public or in the same package. Modules are not considered.
func canSee(from string, n *node) bool {
	return n.is(classfile.Public) || packageOf(from) == packageOf(element(n.Name))
}

// resolveClass resolves a reference to a class (JVMS 5.4.3.1).
func (w *World) resolveClass(name string, from *node) (*node, *Linkage) {
	n := w.load(name)
	if n.err != nil {
		return nil, n.err
	}
	if n != from && !canSee(from.Name, n) {
		return n, fail(IllegalAccess, name, "not accessible to "+from.Name)
	}
	return n, nil
}

// accessible tells whether from may use a member with these flags, declared in owner and referred to in class ref (JVMS 5.4.4).
func (w *World) accessible(from, ref, owner *node, access classfile.Flags) bool {
	switch {
	case from == owner || access&classfile.Public != 0:
		return true
	case access&classfile.Private != 0:
		return w.host(from) == w.host(owner)
	case access&classfile.Protected != 0 && from.subclass(owner) && !from.is(classfile.Interface):
		// An interface is no subclass, so it may not use what java/lang/Object protects.
		if access&classfile.Static != 0 || from.subclass(ref) || ref.subclass(from) {
			return true
		}
	}
	return packageOf(from.Name) == packageOf(owner.Name)
}

// host is the nest host of a class: the claimed one if that exists, lists the class and is in its package, else the class itself (JVMS 5.4.4).
func (w *World) host(n *node) *node {
	if n.NestHost == "" {
		return n
	}
	h, err := w.resolveClass(n.NestHost, n)
	if err != nil || h.array || packageOf(h.Name) != packageOf(n.Name) || !slices.Contains(h.NestMembers, n.Name) {
		return n
	}
	return h
}
