package callgraph

import (
	"slices"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/hierarchy"
	"winnow/internal/jvm/observed"
)

// callees are the methods that a site can make run.
type callees struct {
	resolved  []observed.Method // at most one
	receivers []receiver        // of calls that choose by the receiver, sorted by class
	inits     []observed.Method
}

// A receiver is an internal class with the method that a call runs on its objects.
type receiver struct {
	class  string
	target observed.Method
}

func (c *callees) equal(o *callees) bool {
	return slices.Equal(c.resolved, o.resolved) && slices.Equal(c.receivers, o.receivers) && slices.Equal(c.inits, o.inits)
}

// A linker finds callees in one revision.
type linker struct {
	now   *observed.Program
	world *hierarchy.World
	inits map[string][]observed.Method
	below map[string][]*observed.Class
}

func newLinker(now *observed.Program) *linker {
	l := &linker{now: now, world: now.World(), inits: map[string][]observed.Method{}, below: map[string][]*observed.Class{}}
	for _, name := range now.Names() {
		l.know(name)
	}
	return l
}

// know lets the world find a class below its supertypes.
func (l *linker) know(name string) {
	l.world.Know(name)
	above, err := l.world.Supertypes(name)
	if err == nil {
		l.world.Know(above...)
	}
}

// link finds the callees of a site.
func (l *linker) link(s site) *callees {
	c := &callees{}
	switch s.Op {
	case bytecode.New:
		c.inits = l.initializers(s.Ref.Class)
	case bytecode.Invokedynamic:
	case bytecode.Getstatic, bytecode.Putstatic:
		c.inits = l.initializers(l.owner(s))
	case bytecode.Invokestatic:
		owner := l.owner(s)
		c.resolved, c.inits = named(owner, s), l.initializers(owner)
	case bytecode.Invokespecial:
		c.resolved = named(l.special(s), s)
	default:
		l.virtual(s, c)
	}
	return c
}

func named(owner string, s site) []observed.Method {
	return []observed.Method{{Class: owner, Name: s.Ref.Name, Descriptor: s.Ref.Descriptor}}
}

// at is the site as an instruction of the class that it names: whether the calling class may use the member does not matter to the graph.
func at(s site) hierarchy.Site {
	return hierarchy.Site{Op: s.Op, Ref: s.Ref, From: s.Ref.Class, In: "<clinit>"}
}

// owner is the class that declares what a site refers to, or the class that it names if there is no such member.
func (l *linker) owner(s site) string {
	if r := l.world.Link(at(s)); r.Owner != "" {
		return r.Owner
	}
	return s.Ref.Class
}

// special is the class whose method an invokespecial runs: that of the superclass if it is a call with super.
func (l *linker) special(s site) string {
	of := at(s)
	of.From = s.From
	if t := l.world.Invoke(of, s.From); s.Ref.Name != "<init>" && t.Owner != "" {
		return t.Owner
	}
	return l.owner(s)
}

// virtual finds what a call runs that chooses by the receiver.
func (l *linker) virtual(s site, c *callees) {
	r := l.world.Link(at(s))
	owner := r.Owner
	if owner == "" {
		owner = s.Ref.Class
	}
	c.resolved = named(owner, s)
	for _, of := range l.subtypes(s.Ref.Class) {
		if target := l.selected(s, r, of); target != "" {
			c.receivers = append(c.receivers, receiver{of.Name, named(target, s)[0]})
		}
	}
}

// subtypes are a class and its subtypes as far as they are internal, by name.
func (l *linker) subtypes(class string) []*observed.Class {
	if known, ok := l.below[class]; ok {
		return known
	}
	var out []*observed.Class
	for _, name := range l.world.Subtypes(class) {
		if c := l.now.Class(name); c != nil {
			out = append(out, c)
		}
	}
	l.below[class] = out
	return out
}

// selected is the class whose method a call runs on objects of a class, "" if it runs none. A class without objects of its own stands for classes that extend just it.
func (l *linker) selected(s site, r hierarchy.Resolution, of *observed.Class) string {
	switch {
	case r.Err != nil:
		// The call throws, unless the JVM omits the check that failed: then every method of this name may run.
		if declares(of, s.Ref.Name, s.Ref.Descriptor) && l.world.Load(of.Name) == nil {
			return of.Name
		}
		return ""
	case of.File.Access&(classfile.Abstract|classfile.Interface) == 0:
		return l.world.Select(of.Name, r).Owner
	case of.File.Access&classfile.Interface != 0:
		s.Op, s.Ref.Tag = bytecode.Invokeinterface, classfile.TagInterfaceMethodref
	default:
		s.Op, s.Ref.Tag = bytecode.Invokevirtual, classfile.TagMethodref
	}
	s.Ref.Class = of.Name
	if r = l.world.Link(at(s)); r.Throws != hierarchy.None {
		return "" // its method would be one that the JVM makes up in order to throw
	}
	return r.Owner
}

func declares(c *observed.Class, name, descriptor string) bool {
	for i := range c.File.Methods {
		if n, d := c.File.MemberName(&c.File.Methods[i]); n == name && d == descriptor {
			return true
		}
	}
	return false
}

// initializers are those that a JVM may run before an instance or a static member of a class is used, sorted.
func (l *linker) initializers(class string) []observed.Method {
	if known, ok := l.inits[class]; ok {
		return known
	}
	names := []string{class}
	if above, err := l.world.Supertypes(class); err == nil {
		names = append(names, above...)
	}
	var out []observed.Method
	for i, name := range names {
		c := l.now.Class(name)
		if c != nil && declares(c, "<clinit>", "()V") && (i == 0 || initializedFromBelow(c)) {
			out = append(out, observed.Method{Class: name, Name: "<clinit>", Descriptor: "()V"})
		}
	}
	slices.SortFunc(out, observed.Method.Compare)
	l.inits[class] = out
	return out
}

// initializedFromBelow tells whether the initialization of a subtype initializes a class: an interface must have a default method.
func initializedFromBelow(c *observed.Class) bool {
	if c.File.Access&classfile.Interface == 0 {
		return true
	}
	return slices.ContainsFunc(c.File.Methods, func(m classfile.Member) bool { return m.Access&(classfile.Abstract|classfile.Static) == 0 })
}
