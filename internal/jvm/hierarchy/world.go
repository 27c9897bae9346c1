package hierarchy

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"winnow/internal/jvm/classfile"
)

// ErrNotFound is what a Lookup returns for a class that does not exist.
var ErrNotFound = errors.New("class not found")

// A Lookup finds a class by its internal name, never an array. A class that does not exist is ErrNotFound, possibly wrapped; every other error
// means that nothing is known about the class. A Lookup must always give the same answer.
type Lookup func(name string) (*Class, error)

// A World is a set of classes that see each other by name: what one class loader and its parents define. It is not safe for concurrent use.
type World struct {
	lookup  Lookup
	found   map[string]declaration
	nodes   map[string]*node
	loading map[string]bool // classes whose supertypes are being loaded
	index   index
	before  *World            // of With: what has not changed is there
	changed map[string]*Class // of With: what has; nil for classes that no longer exist
}

// New makes a world of the classes that lookup finds.
func New(lookup Lookup) *World {
	return &World{lookup: lookup, found: map[string]declaration{}, nodes: map[string]*node{}, loading: map[string]bool{}, index: newIndex()}
}

// With makes the world in which some classes are declared otherwise, are added, or with nil do not exist. What the old world knows is shared, so the
// cost follows the number of changed classes; the old world stays in memory and in use.
func (w *World) With(changed map[string]*Class) *World {
	out := New(nil)
	out.before, out.changed = w, changed
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if changed[name] != nil {
			out.Know(name)
		}
	}
	return out
}

// A declaration is the answer of a Lookup.
type declaration struct {
	class *Class
	err   error
}

// find looks a class up, once.
func (w *World) find(name string) (*Class, error) {
	if c, ok := w.changed[name]; ok {
		if c == nil {
			return nil, ErrNotFound
		}
		return c, nil
	}
	if w.before != nil {
		return w.before.find(name)
	}
	d, ok := w.found[name]
	if !ok {
		d.class, d.err = w.lookup(name)
		w.found[name] = d
	}
	return d.class, d.err
}

// A node is a loaded class, or the reason why it cannot be loaded.
type node struct {
	*Class
	err        *Linkage
	super      *node
	interfaces []*node // direct
	all        []*node // all superinterfaces
	defaults   bool    // the class or a supertype is an interface with instance methods that are not abstract
	array      bool
	methods    map[signature]*Member
	tables     map[signature]*table
}

// A signature names a method within a class.
type signature struct{ name, descriptor string }

func (m *Member) signature() signature { return signature{m.Name, m.Descriptor} }

const object = "java/lang/Object"

// load finds a class and its supertypes. The answer has an err if a JVM could not define the class.
func (w *World) load(name string) *node {
	if n, ok := w.nodes[name]; ok {
		return n
	}
	if w.loading[name] {
		return &node{err: fail(ClassCircularity, name, "is its own supertype")}
	}
	w.loading[name] = true
	n := &node{}
	if strings.HasPrefix(name, "[") {
		w.array(n, name)
	} else {
		w.define(n, name)
	}
	delete(w.loading, name)
	// Where a circle closes depends on where it was entered, so that the answer is not kept for those who enter elsewhere.
	if n.err.kind() != ClassCircularity {
		w.nodes[name] = n
	}
	return n
}

// array makes the class of an array, which exists if its element class does (JVMS 5.3.3).
func (w *World) array(n *node, name string) {
	element := strings.TrimLeft(name, "[")
	access := classfile.Public
	class, isClass := strings.CutPrefix(element, "L")
	if isClass {
		e := w.load(strings.TrimSuffix(class, ";"))
		if n.err = e.err; n.err != nil {
			return
		}
		access = e.Access & classfile.Public
	}
	n.array = true
	n.Class = &Class{Name: name, Access: access | classfile.Final | classfile.Abstract, Super: object, Interfaces: []string{"java/lang/Cloneable", "java/io/Serializable"}}
	w.supertypes(n)
}

// element is the class whose access and package an array class has; a class is its own.
func element(name string) string {
	if class, ok := strings.CutPrefix(strings.TrimLeft(name, "["), "L"); ok && name[0] == '[' {
		return strings.TrimSuffix(class, ";")
	}
	return name
}

// define makes a class from its declaration and checks what a JVM checks when it defines it (JVMS 5.3.5).
func (w *World) define(n *node, name string) {
	c, err := w.find(name)
	switch {
	case errors.Is(err, ErrNotFound):
		n.err = fail(NoClassDefFound, name, "does not exist")
		return
	case err != nil:
		n.err = &Linkage{Kind: Unreadable, Class: name, Cause: err}
		return
	case c.Name != name:
		n.err = fail(NoClassDefFound, name, "its file defines "+c.Name)
		return
	}
	n.Class = c
	n.methods = make(map[signature]*Member, len(c.Methods))
	for i := range c.Methods {
		n.methods[c.Methods[i].signature()] = &c.Methods[i]
	}
	if len(n.methods) < len(c.Methods) {
		n.err = fail(ClassFormat, name, "declares a method twice")
	}
	if n.err == nil {
		w.supertypes(n)
	}
	if n.err == nil {
		n.err = w.check(n)
	}
}

// supertypes loads the direct supertypes, interfaces first as HotSpot does, and collects all superinterfaces.
func (w *World) supertypes(n *node) {
	for _, name := range n.Interfaces {
		i := w.load(name)
		if n.err = i.err; n.err != nil {
			return
		}
		if !i.is(classfile.Interface) {
			n.err = fail(IncompatibleClassChange, n.Name, "implements the class "+name)
			return
		}
		n.interfaces = append(n.interfaces, i)
	}
	if n.Super != "" {
		n.super = w.load(n.Super)
		if n.err = n.super.err; n.err != nil {
			return
		}
	}
	n.collect()
}

// collect notes what is known once the direct supertypes are.
func (n *node) collect() {
	n.all = n.collectInterfaces()
	n.defaults = n.super != nil && n.super.defaults
	for _, i := range n.interfaces {
		n.defaults = n.defaults || i.defaults
	}
	if n.is(classfile.Interface) {
		for i := range n.Methods {
			n.defaults = n.defaults || !n.Methods[i].is(classfile.Static|classfile.Abstract)
		}
	}
}

// collectInterfaces orders the superinterfaces: the superclass's, then those of the direct ones, then these.
func (n *node) collectInterfaces() []*node {
	var out []*node
	if n.super != nil {
		out = n.super.all
	}
	if len(n.interfaces) == 0 {
		return out
	}
	out = slices.Clone(out)
	seen := map[*node]bool{}
	for _, i := range out {
		seen[i] = true
	}
	add := func(list []*node) {
		for _, i := range list {
			if !seen[i] {
				seen[i] = true
				out = append(out, i)
			}
		}
	}
	for _, i := range n.interfaces {
		add(i.all)
	}
	add(n.interfaces)
	return out
}

// check applies the rules between a class and its supertypes, in HotSpot's order.
func (w *World) check(n *node) *Linkage {
	if s := n.super; s != nil {
		switch {
		case s.is(classfile.Interface):
			return fail(IncompatibleClassChange, n.Name, "extends the interface "+s.Name)
		case s.is(classfile.Final):
			return fail(IncompatibleClassChange, n.Name, "extends the final class "+s.Name)
		}
	}
	var above []*node
	if n.super != nil {
		above = append(above, n.super)
	}
	for _, i := range slices.Backward(n.interfaces) {
		above = append(above, i)
	}
	for _, s := range above {
		if s.Sealed && !s.permits(n) {
			return fail(IncompatibleClassChange, n.Name, "is not permitted by "+s.Name)
		}
		if !canSee(n.Name, s) {
			return fail(IllegalAccess, n.Name, "cannot access its supertype "+s.Name)
		}
	}
	return w.checkFinal(n)
}

// permits tells whether a sealed class has another among its direct subtypes: by name, and in the same package unless that is public.
func (n *node) permits(sub *node) bool {
	return slices.Contains(n.Permitted, sub.Name) && (sub.is(classfile.Public) || packageOf(n.Name) == packageOf(sub.Name))
}

// checkFinal finds methods that override a final one.
func (w *World) checkFinal(n *node) *Linkage {
	for i := range n.Methods {
		m := &n.Methods[i]
		if m.is(classfile.Private|classfile.Static) || m.Name == "<init>" {
			continue
		}
		for s := n.super; s != nil; s = s.super {
			f := s.methods[m.signature()]
			if f == nil || !f.is(classfile.Final) || f.is(classfile.Static|classfile.Private) {
				continue
			}
			if w.accessible(n, s, s, f.Access) {
				return fail(IncompatibleClassChange, n.Name, "overrides the final method "+m.Name+m.Descriptor+" of "+s.Name)
			}
		}
	}
	return nil
}

// Load tells whether a JVM could define a class and its supertypes; nil means that it could.
func (w *World) Load(name string) *Linkage { return w.load(name).err }

// Supertypes lists the superclasses of a class upwards, then its superinterfaces, those of superclasses first. It is an error if one of them cannot be loaded.
func (w *World) Supertypes(name string) ([]string, *Linkage) {
	n := w.load(name)
	if n.err != nil {
		return nil, n.err
	}
	var out []string
	for _, s := range n.lineage()[1:] {
		out = append(out, s.Name)
	}
	return out, nil
}

// subclass tells whether a class is another or has it as a superclass. An interface has the superclass java/lang/Object.
func (n *node) subclass(of *node) bool {
	for s := n; s != nil; s = s.super {
		if s == of {
			return true
		}
	}
	return false
}

// subtype tells whether objects of n are instances of a class or interface.
func (n *node) subtype(of *node) bool { return n.subclass(of) || slices.Contains(n.all, of) }
