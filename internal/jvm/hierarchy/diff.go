package hierarchy

import (
	"cmp"
	"maps"
	"slices"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// A Dispatch is a difference between two worlds: what a call of a method through class Via runs on objects of class Receiver. The call is thought of as
// one that Via itself makes. A Target without Owner and Err means that there is no such method, or that Via is no supertype.
type Dispatch struct {
	Receiver         string
	Via              string
	Name, Descriptor string // "" if every method is concerned, because Receiver cannot be loaded in one world
	Old, New         Target
	// Open says that Receiver is abstract or an interface in one of the worlds. It then stands for classes that nobody knows because they are made
	// at run time, and that extend or implement just Receiver without methods of their own, as the class of a lambda does.
	Open bool
}

// Diff tells for which receivers and methods dispatch differs between two worlds, given the classes whose declarations may differ; a class that
// exists in one world only is among them. Receivers are those classes and their known subtypes in either world. The order is by receiver, name,
// descriptor and Via; of several classes Via with the same difference the first is given.
//
// Methods that only java/lang/Object declares are left out where just supertypes changed: they run the same for every receiver.
// A changed body is no difference: a target is the class that declares the method. What cannot be read differs from everything, also from itself.
func Diff(before, after *World, changed ...string) []Dispatch {
	d := &differ{worlds: [2]*World{before, after}, edits: map[string]edit{}}
	receivers := map[string]bool{}
	for _, name := range changed {
		d.edits[name] = d.edit(name)
	}
	for _, w := range d.worlds {
		w.below(changed, receivers)
		if len(changed) > 0 {
			for _, name := range w.unread() {
				receivers[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(receivers)) {
		d.receiver(name)
	}
	return d.out
}

type differ struct {
	worlds [2]*World
	edits  map[string]edit
	out    []Dispatch
}

// An edit is what differs in the declaration of a class.
type edit struct {
	header  bool
	methods []signature
}

func (d *differ) edit(name string) edit {
	old, oldErr := d.worlds[0].find(name)
	now, nowErr := d.worlds[1].find(name)
	if oldErr != nil || nowErr != nil || !sameHeader(old, now) {
		return edit{header: true}
	}
	flags := map[signature]classfile.Flags{}
	for i := range old.Methods {
		flags[old.Methods[i].signature()] = old.Methods[i].Access
	}
	var e edit
	for i := range now.Methods {
		m := &now.Methods[i]
		if was, ok := flags[m.signature()]; !ok || was != m.Access {
			e.methods = append(e.methods, m.signature())
		}
		delete(flags, m.signature())
	}
	for s := range flags {
		e.methods = append(e.methods, s)
	}
	return e
}

// receiver compares everything about one receiver.
func (d *differ) receiver(name string) {
	var on [2]*node
	open := false
	for i, w := range d.worlds {
		on[i] = w.load(name)
		if on[i].err == nil && on[i].is(classfile.Abstract|classfile.Interface) {
			on[i] = w.standIn(on[i])
			open = true
		}
	}
	if on[0].err != nil || on[1].err != nil {
		d.add(Dispatch{Receiver: name, Open: open, Old: Target{Err: on[0].err}, New: Target{Err: on[1].err}})
		return
	}
	via := d.supertypes(on)
	for _, s := range d.signatures(on, via) {
		d.method(name, open, on, via, s)
	}
}

// standIn is a class that extends or implements just n.
func (w *World) standIn(n *node) *node {
	c := &Class{Name: n.Name, Major: n.Major, Super: n.Name, Access: classfile.Super}
	if n.is(classfile.Interface) {
		c.Super, c.Interfaces = object, []string{n.Name}
	}
	out := &node{Class: c}
	w.supertypes(out)
	return out
}

// lineage is a class with its superclasses and superinterfaces.
func (n *node) lineage() []*node {
	var out []*node
	for s := n; s != nil; s = s.super {
		out = append(out, s)
	}
	return append(out, n.all...)
}

// supertypes are the classes through which a receiver's methods can be called in one of the worlds.
func (d *differ) supertypes(on [2]*node) []string {
	all := map[string]bool{}
	for _, n := range on {
		for _, s := range n.lineage() {
			all[s.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// signatures are the methods that can have changed for a receiver: those that changed in a supertype; all, if more than methods changed there.
func (d *differ) signatures(on [2]*node, supertypes []string) []signature {
	all := map[signature]bool{}
	for _, name := range supertypes {
		e, ok := d.edits[name]
		if !ok {
			continue
		}
		if e.header {
			return d.all(on)
		}
		for _, s := range e.methods {
			all[s] = true
		}
	}
	return sorted(all)
}

// all are the methods that the supertypes declare. Those of java/lang/Object alone are the same for every receiver.
func (d *differ) all(on [2]*node) []signature {
	all := map[signature]bool{}
	for _, n := range on {
		for _, s := range n.lineage() {
			if _, changed := d.edits[s.Name]; s.Name == object && !changed {
				continue
			}
			for i := range s.Methods {
				all[s.Methods[i].signature()] = true
			}
		}
	}
	return sorted(all)
}

// sorted orders signatures and leaves initializers out: they are never dispatched.
func sorted(set map[signature]bool) []signature {
	delete(set, signature{"<clinit>", "()V"})
	out := slices.DeleteFunc(slices.Collect(maps.Keys(set)), func(s signature) bool { return s.name == "<init>" })
	slices.SortFunc(out, func(a, b signature) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.descriptor, b.descriptor))
	})
	return out
}

// method compares one method of a receiver through every supertype.
func (d *differ) method(name string, open bool, on [2]*node, via []string, s signature) {
	first := len(d.out)
	for _, class := range via {
		e := Dispatch{Receiver: name, Via: class, Name: s.name, Descriptor: s.descriptor, Open: open,
			Old: d.worlds[0].called(class, s, on[0]), New: d.worlds[1].called(class, s, on[1])}
		same := func(o Dispatch) bool { return sameTarget(o.Old, e.Old) && sameTarget(o.New, e.New) }
		if !slices.ContainsFunc(d.out[first:], same) {
			d.add(e)
		}
	}
}

func (d *differ) add(e Dispatch) {
	if e.Old.Kind() == Unreadable || e.New.Kind() == Unreadable || !sameTarget(e.Old, e.New) {
		d.out = append(d.out, e)
	}
}

func sameTarget(a, b Target) bool { return a.Owner == b.Owner && a.Kind() == b.Kind() }

// called is what a call of a method through a class, made by that class, runs on a receiver.
func (w *World) called(via string, s signature, on *node) Target {
	n := w.load(via)
	if n.err != nil || !on.subtype(n) {
		return Target{}
	}
	site := Site{Op: bytecode.Invokevirtual, From: via, Ref: Ref{Tag: classfile.TagMethodref, Class: via, Name: s.name, Descriptor: s.descriptor}}
	if n.is(classfile.Interface) {
		site.Op, site.Ref.Tag = bytecode.Invokeinterface, classfile.TagInterfaceMethodref
	}
	r := w.Link(site)
	switch {
	case r.Err.kind() == NoSuchMethod:
		return Target{}
	case r.Err != nil:
		return Target{Owner: r.Owner, Err: r.Err}
	}
	return w.run(site.Op, r, n, on)
}

// A Relink is a use that links otherwise in another world.
type Relink struct {
	Site     Site
	Old, New Resolution
}

// ResolutionDiff tells which uses link to another member, to one with other flags, or fail otherwise. The order is that of the sites. What cannot be
// read differs from everything.
func ResolutionDiff(before, after *World, sites ...Site) []Relink {
	var out []Relink
	for _, s := range sites {
		old, now := before.Link(s), after.Link(s)
		if old.Err.kind() == Unreadable || now.Err.kind() == Unreadable || !sameResolution(old, now) {
			out = append(out, Relink{Site: s, Old: old, New: now})
		}
	}
	return out
}

// linkFlags are the flags of members that linking looks at.
const linkFlags = classfile.Public | classfile.Private | classfile.Protected | classfile.Static | classfile.Final | classfile.Abstract

func sameResolution(a, b Resolution) bool {
	return a.Owner == b.Owner && a.Throws == b.Throws && a.Err.kind() == b.Err.kind() && a.Member.Access&linkFlags == b.Member.Access&linkFlags
}
