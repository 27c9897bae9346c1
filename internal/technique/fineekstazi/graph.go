package fineekstazi

import (
	"slices"
	"strings"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/observed"
	"winnow/internal/technique/collected"
)

// A node is a method, by its name and parameters, or a field, by its name.
type node struct{ class, member string }

// String is "p/A.m(I)".
func (n node) String() string { return n.class + "." + n.member }

// A graph says which methods and fields each method uses, as far as the tool knows. A field uses the initializers of its class that write it.
type graph struct {
	has      map[string]map[string]bool // methods by class
	parents  map[string][]string        // superclass and interfaces, but no class of java/ or org/junit/ as superclass
	children map[string][]string
	uses     map[node]map[node]bool
	classes  map[string][]node // the methods of each class that the walk begins with
}

// graphOf makes the graph of a program.
func graphOf(r *collected.Reader) (*graph, error) {
	g := &graph{map[string]map[string]bool{}, map[string][]string{}, map[string][]string{}, map[node]map[node]bool{}, map[string][]node{}}
	p := r.Program()
	for _, name := range p.Names() {
		g.declare(p.Class(name))
	}
	for _, name := range p.Names() {
		if err := g.bodies(r, p.Class(name)); err != nil {
			return nil, err
		}
	}
	g.inheritTests()
	return g, nil
}

// ignored tells whether the tool leaves out calls to a class.
func ignored(class string) bool {
	return strings.HasPrefix(class, "java/") || strings.HasPrefix(class, "org/junit/")
}

// declare notes methods and supertypes of a class.
func (g *graph) declare(c *observed.Class) {
	g.has[c.Name] = map[string]bool{}
	for i := range c.File.Methods {
		name, descriptor := c.File.MemberName(&c.File.Methods[i])
		g.has[c.Name][withoutResult(name+descriptor)] = true
	}
	parents := c.File.InterfaceNames()
	if super := c.File.SuperName(); super != "" && !ignored(super) {
		parents = append(parents, super)
	}
	g.parents[c.Name] = parents
	for _, parent := range parents {
		g.children[parent] = append(g.children[parent], c.Name)
	}
}

// bodies adds what the methods of a class use.
func (g *graph) bodies(r *collected.Reader, c *observed.Class) error {
	all := &observed.Trace{} // nothing is known of what was run
	for i := range c.File.Methods {
		name, descriptor := c.File.MemberName(&c.File.Methods[i])
		from := node{c.Name, withoutResult(name + descriptor)}
		g.add(from)
		uses, err := r.Uses(all, observed.Method{Class: c.Name, Name: name, Descriptor: descriptor})
		if err != nil {
			return err
		}
		for _, u := range uses {
			if !ignored(u.Class) {
				g.use(from, name, u)
			}
		}
	}
	return nil
}

// add notes a method, and what it uses.
func (g *graph) add(from node, to ...node) {
	if g.uses[from] == nil {
		g.uses[from] = map[node]bool{}
		g.classes[from.class] = append(g.classes[from.class], from)
	}
	for _, n := range to {
		g.uses[from][n] = true
	}
}

// use adds what one instruction uses.
func (g *graph) use(from node, method string, u collected.Use) {
	switch u.Op {
	case bytecode.Getfield, bytecode.Putfield, bytecode.Getstatic, bytecode.Putstatic:
		field := node{u.Class, u.Ref.Name}
		initializes := u.Op == bytecode.Putstatic && method == "<clinit>" || u.Op == bytecode.Putfield && method == "<init>"
		if initializes && u.Class == from.class {
			g.add(field, from)
		}
		g.add(from, field)
	case bytecode.Invokevirtual, bytecode.Invokespecial, bytecode.Invokestatic, bytecode.Invokeinterface:
		g.call(from, u.Class, withoutResult(u.Ref.Name+u.Ref.Descriptor))
	}
}

// call adds the methods that a call may run: that of the class named, or of its first parent that has one, and those of its direct subtypes.
func (g *graph) call(from node, class, member string) {
	if owner := g.first(class, member, map[string]bool{}); owner != "" {
		g.add(from, node{owner, member})
	}
	if strings.HasPrefix(member, "<init>") {
		return
	}
	for _, sub := range g.children[class] {
		if g.has[sub][member] {
			g.add(from, node{sub, member})
		}
	}
}

// first finds the first class upwards that has a method.
func (g *graph) first(class, member string, seen map[string]bool) string {
	if g.has[class][member] || seen[class] {
		if seen[class] {
			return ""
		}
		return class
	}
	seen[class] = true
	for _, parent := range g.parents[class] {
		if owner := g.first(parent, member, seen); owner != "" {
			return owner
		}
	}
	return ""
}

// inheritTests gives subclasses of classes named like tests the methods of these.
func (g *graph) inheritTests() {
	for super, subs := range g.children {
		if !likeTest(super) {
			continue
		}
		for member := range g.has[super] {
			for _, sub := range subs {
				g.add(node{sub, member}, node{super, member})
			}
		}
	}
}

// from walks from the methods of a test class, and returns what it meets and the classes of that.
func (g *graph) from(class string) (map[node]bool, map[string]bool) {
	reached, classes := map[node]bool{}, map[string]bool{}
	todo := slices.Clone(g.classes[class])
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if reached[n] {
			continue
		}
		reached[n], classes[n.class] = true, true
		for next := range g.uses[n] {
			if !reached[next] {
				todo = append(todo, next)
			}
		}
	}
	return reached, classes
}
