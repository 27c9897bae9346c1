package callgraph

import (
	"slices"
	"strings"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/observed"
)

// Callbacks are, by internal class, the internal methods that external code can call on its objects: those that override a method of an external supertype. Sorted; classes without are left out.
func (g *Graph) Callbacks() map[string][]observed.Method {
	out := map[string][]observed.Method{}
	for _, name := range g.now.Names() {
		if list := g.callbacks(name); len(list) > 0 {
			out[name] = list
		}
	}
	return out
}

func (g *Graph) callbacks(name string) []observed.Method {
	above, err := g.linker.world.Supertypes(name)
	if err != nil {
		return nil // no JVM can load it
	}
	var out []observed.Method
	for _, m := range g.inherited(append([]string{name}, above...)) {
		for _, external := range above {
			if g.now.Internal(external) {
				continue
			}
			s := site{Op: bytecode.Invokevirtual, Ref: classfile.Ref{Tag: classfile.TagMethodref, Class: external, Name: m.Name, Descriptor: m.Descriptor}}
			if g.linker.isInterface(external) {
				s.Op, s.Ref.Tag = bytecode.Invokeinterface, classfile.TagInterfaceMethodref
			}
			r := g.linker.world.Link(at(s))
			if r.Err != nil {
				continue
			}
			if target := g.linker.selected(s, r, g.now.Class(name)); g.now.Internal(target) {
				out = append(out, named(target, s)[0])
			}
		}
	}
	return sorted(out)
}

// inherited are the instance methods that internal classes of a lineage declare.
func (g *Graph) inherited(lineage []string) []observed.Method {
	var out []observed.Method
	for _, class := range lineage {
		c := g.now.Class(class)
		if c == nil {
			continue
		}
		for i := range c.File.Methods {
			m := &c.File.Methods[i]
			name, descriptor := c.File.MemberName(m)
			if m.Access&(classfile.Static|classfile.Private) == 0 && !strings.HasPrefix(name, "<") {
				out = append(out, observed.Method{Name: name, Descriptor: descriptor})
			}
		}
	}
	return sorted(out)
}

// isInterface tells whether a class is one: a reference to a method of a class is then an error.
func (l *linker) isInterface(class string) bool {
	r := l.world.ResolveInterfaceMethod(classfile.Ref{Tag: classfile.TagInterfaceMethodref, Class: class, Name: "hashCode", Descriptor: "()I"}, class)
	return r.Err == nil
}

// A Rapid is the part of a call graph that rapid type analysis finds from some roots.
type Rapid struct {
	// Made are the classes that reached bodies make, and those of the roots: who calls these has made an instance.
	Made map[string]bool
	// Reached are the roots, the call-backs of classes made, and what these can call.
	Reached map[observed.Method]bool

	graph     *Graph
	callbacks map[string][]observed.Method
	waiting   map[string][]edge // by class that is not made yet
	out       map[observed.Method][]observed.Method
}

type edge struct{ from, to observed.Method }

// Rapid does rapid type analysis. Classes that external code makes, by reflection or otherwise, are not seen.
func (g *Graph) Rapid(roots ...observed.Method) *Rapid {
	r := &Rapid{Made: map[string]bool{}, Reached: map[observed.Method]bool{}, graph: g, callbacks: g.Callbacks(), waiting: map[string][]edge{}, out: map[observed.Method][]observed.Method{}}
	for _, m := range roots {
		r.reach(append(r.makes(m.Class), m))
	}
	for m, out := range r.out {
		r.out[m] = sorted(out)
	}
	return r
}

// Out are the methods that a reached method can call, sorted.
func (r *Rapid) Out(m observed.Method) []observed.Method { return r.out[m] }

// reach goes from methods to all that they call. The work is a list: ways can be long.
func (r *Rapid) reach(work []observed.Method) {
	for len(work) > 0 {
		m := work[len(work)-1]
		work = work[:len(work)-1]
		if r.Reached[m] {
			continue
		}
		r.Reached[m] = true
		if b := r.graph.body(m); b != nil {
			for _, s := range b.sites {
				work = append(work, r.site(m, s)...)
			}
		}
	}
}

// site adds the edges of a site and returns what is reached by it.
func (r *Rapid) site(from observed.Method, s site) (next []observed.Method) {
	c := r.graph.links[s]
	if s.Op == bytecode.New || s.Op == bytecode.Invokedynamic {
		next = r.makes(s.Ref.Class)
	}
	to := slices.Clone(c.inits)
	for _, m := range c.resolved {
		if s.Op == bytecode.Invokestatic || s.Op == bytecode.Invokespecial || !r.graph.now.Internal(m.Class) {
			to = append(to, m)
		}
	}
	for _, on := range c.receivers {
		if r.Made[on.class] {
			to = append(to, on.target)
		} else {
			r.waiting[on.class] = append(r.waiting[on.class], edge{from, on.target})
		}
	}
	r.out[from] = append(r.out[from], to...)
	return append(next, to...)
}

// makes notes that there are objects of a class, and returns what is reached by it: its call-backs, and the methods that calls wait to run on it.
func (r *Rapid) makes(class string) []observed.Method {
	if r.Made[class] {
		return nil
	}
	r.Made[class] = true
	next := slices.Clone(r.callbacks[class])
	for _, e := range r.waiting[class] {
		r.out[e.from] = append(r.out[e.from], e.to)
		next = append(next, e.to)
	}
	delete(r.waiting, class)
	return next
}

func (g *Graph) body(m observed.Method) *body {
	c := g.classes[m.Class]
	if c == nil {
		return nil
	}
	i := slices.IndexFunc(c.bodies, func(b body) bool { return b.method == m })
	if i < 0 {
		return nil
	}
	return &c.bodies[i]
}
