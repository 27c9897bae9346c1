package state

import (
	"slices"
	"strings"
)

// What a function has captured outlives a test like a field of an object: a lambda expression that keeps a value in an array, a holder or a map is a memoizing object without a class. So a method that makes such functions counts as the
// constructor of a class of its own, and each type of what they have captured and that can change as a field, which the bodies of the functions read, and fill if they may change such a thing.

// captures makes the classes and cells of what functions have captured, and lists what each method makes by being entered.
func (c *cells) captures() error {
	c.constructs = make([][]int32, len(c.methods))
	for n := range c.methods {
		if c.builds(int32(n)) {
			c.constructs[n] = []int32{c.methods[n].class}
		}
		if err := c.capture(int32(n)); err != nil {
			return err
		}
	}
	return nil
}

// capture makes the class of the functions that a method makes, if they have captured something that can change.
func (c *cells) capture(n int32) error {
	b, of := c.methods[n].body, c.types[c.methods[n].class]
	if b == nil || of.frame {
		return nil
	}
	class, known := int32(-1), map[string]int{}
	for i := range b.Functions {
		f := &b.Functions[i]
		bodies, err := c.runs(f)
		if err != nil {
			return err
		}
		for _, t := range f.Captures {
			if !holdsMore(t) || len(bodies) == 0 {
				continue
			}
			if class < 0 {
				class = int32(len(c.types))
				c.types = append(c.types, &typeNode{name: of.name + "." + b.Name, ours: of.ours, captured: true, above: []int32{class}, under: map[int32]bool{}, own: map[string]int32{}})
				c.constructs[n] = append(c.constructs[n], class)
			}
			at, ok := known[t]
			if !ok {
				at = len(c.all)
				known[t] = at
				c.all = append(c.all, &cell{label: of.name + "." + b.Name + "()", descriptor: t, owner: class})
			}
			c.readBy(at, bodies)
		}
	}
	return nil
}

// readBy notes that methods read a cell.
func (c *cells) readBy(at int, methods []int32) {
	for _, m := range methods {
		if !slices.Contains(c.all[at].readers, m) {
			c.all[at].readers, c.reads[m] = append(c.all[at].readers, m), append(c.reads[m], at)
		}
	}
}

// callable lists the methods of interfaces of the JDK that a call of the JDK may run on an argument which the body did not make itself: a function that it was given, or found in a field. It is asked for bodies that fill
// something: in others, functions of one type of the JDK would be taken for one another too often.
func (c *cells) callable(b *Body, m Member) ([]Member, error) {
	if !c.inJDK(m) {
		return nil, nil
	}
	var out []Member
	for _, t := range parameterTypes(m.Descriptor) {
		if t[0] != 'L' || !platform(fieldClass(t)) || !b.finds(t) {
			continue
		}
		class, err := c.typeOf(fieldClass(t))
		if err != nil {
			return nil, err
		}
		of := c.types[class]
		if of.class == nil || !c.functional(of.name) || of.name == "java/lang/Object" {
			continue
		}
		for i := range of.class.Methods {
			if to := &of.class.Methods[i]; !to.Static && !strings.HasPrefix(to.Name, "<") {
				out = append(out, Member{Class: of.name, Name: to.Name, Descriptor: to.Descriptor})
			}
		}
	}
	return out, nil
}

// finds tells whether a body may get hold of an object of a type that it does not make: as a parameter, from a field or from a call.
func (b *Body) finds(t string) bool {
	return strings.Contains(parameters(b.Descriptor), t) || slices.ContainsFunc(b.Reads, func(m Member) bool { return m.Descriptor == t }) ||
		slices.ContainsFunc(b.Calls, func(m Member) bool { return returned(m.Descriptor) == t })
}
