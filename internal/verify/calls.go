package verify

import (
	"fmt"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
)

// The argument about calls. A class C of the trace declares a method s otherwise than it did: s was added, is gone, or has other flags. The link parts of all classes of
// the trace are what they were, so the supertypes are. A call of s can end elsewhere than before only if the class R of its receiver, or the class
// that it names, is C or below C. All of these are in the trace, with their supertypes. For each such R, in the world that was recorded:
//
//   - The first class from R upwards that declares s, with code, not static, and visibly to all supertypes of R, is D. If D was not entered no call of s on R was made.
//   - If there is no such D, and no supertype of R declares s, a call did not link; recording made that a use of C by reflection. If one single supertype
//     declares it, with code that was not entered, no call was made.
//   - If D was entered, s was added to C as a plain public method, and D is below C (or C is an interface, over which classes win), the call still ends in D.
//
// In every other case the argument does not reach. Two more things are excluded: a final method, before or now, that a class below declares too, because that class does not load, and a default
// method of the same signature in another interface that was entered, because a class that is made at run time may implement both.
//
// Constructors and initializers are not inherited. Lambdas and accessors, whose canonical names have a dot, are called by their own class, and with it.

// A world is the classes of a trace in one scope, by canonical name, as they were recorded.
type world struct {
	program *program
	classes map[string]*member
}

// A member is a class of a trace.
type member struct {
	table   *table.Table
	entered map[uint32]bool
	whole   bool
}

// worldOf collects the classes of a trace. A class that was recorded in two versions is an argument against it.
func (c *checker) worldOf(scope string, uses []rts.Use) (*world, string) {
	w := &world{program: c.programs[scope], classes: map[string]*member{}}
	for _, u := range uses {
		if s, _ := splitName(u.Entity.Name); u.Entity.Kind != kindClass || s != scope || u.Digest == digest.Absent {
			continue
		}
		t, broken := c.table(u.Digest)
		if broken != "" {
			return nil, u.Entity.Name + ": " + broken
		}
		m := w.classes[t.Name]
		if m == nil {
			m = &member{table: t, entered: map[uint32]bool{}}
			w.classes[t.Name] = m
		}
		if m.table != t {
			return nil, u.Entity.Name + " was recorded in two versions"
		}
		m.whole = m.whole || u.Entries == nil
		for _, e := range u.Entries {
			m.entered[e] = true
		}
	}
	return w, ""
}

// argue returns why a declaration may matter, "" if the argument reaches.
func (w *world) argue(c *comparison, d declaration) (string, error) {
	if d.name == constructor || d.name == initializer || strings.Contains(d.name, ".") {
		return "", nil
	}
	below, err := w.program.below(c.old.Name)
	if err != nil {
		return "", err
	}
	for _, r := range below {
		if w.classes[r] == nil {
			continue
		}
		why, err := w.receiver(r, c, d)
		if err != nil || why != "" {
			return why, err
		}
	}
	if c.isInterface() && d.added {
		for _, name := range sortedKeys(w.classes) {
			m := w.classes[name]
			if of, entered := m.method(d.signature); of != nil && entered && name != c.old.Name && m.table.Access&classfile.Interface != 0 {
				return "interface " + name + ", whose method of this signature was entered, may meet it in a class made at run time", nil
			}
		}
	}
	return "", nil
}

// method finds a method of a class and tells whether it was entered.
func (m *member) method(s signature) (*table.Method, bool) {
	of, entry, ok := m.table.Method(s.name, s.descriptor)
	if !ok {
		return nil, false
	}
	return of, m.whole || m.entered[entry]
}

// receiver argues about calls on one class at or below the changed one.
func (w *world) receiver(r string, c *comparison, d declaration) (string, error) {
	if why, err := w.finals(r, c, d); err != nil || why != "" {
		return why, err
	}
	below := r != c.old.Name
	for name := r; ; {
		m := w.classes[name]
		if m == nil {
			break
		}
		below = below && name != c.old.Name
		if of, entered := m.method(d.signature); of != nil {
			seen, err := w.visible(r, name, of)
			switch {
			case err != nil:
				return "", err
			case !seen || of.Body == digest.Absent:
				return w.single(r, d)
			case !entered:
				return "", nil
			case d.added && d.plain() && (below || c.isInterface()):
				return "", nil
			}
			return fmt.Sprintf("a call on %s ended in %s, which was entered", r, name), nil
		}
		name = m.table.Super
	}
	return w.single(r, d)
}

func (c *comparison) isInterface() bool { return c.old.Access&classfile.Interface != 0 }

// visible tells whether a method of a class is one that all supertypes of a receiver would override or be overridden by. One that only its package sees is, if all of them are in that
// package. A static method never is: calls through an interface pass it by.
func (w *world) visible(r, owner string, m *table.Method) (bool, error) {
	if m.Access&(classfile.Private|classfile.Static) != 0 {
		return false, nil
	}
	if m.Access&(classfile.Public|classfile.Protected) != 0 {
		return true, nil
	}
	above, err := w.program.above(r)
	if err != nil {
		return false, err
	}
	for _, name := range above {
		if w.classes[name] != nil && packageOf(name) != packageOf(owner) {
			return false, nil
		}
	}
	return true, nil
}

// packageOf is the package in a canonical name; what is numbered is in the package of its top-level class.
func packageOf(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name[:max(strings.LastIndexByte(name, '/'), 0)]
}

// plain tells whether the new method is one that classes below override without further ado.
func (d declaration) plain() bool {
	return d.now.Access&classfile.Public != 0 && d.now.Access&(classfile.Static|classfile.Final|classfile.Private) == 0
}

// single argues about a receiver without a visible method with code among its superclasses.
func (w *world) single(r string, d declaration) (string, error) {
	above, err := w.program.above(r)
	if err != nil {
		return "", err
	}
	found := 0
	for _, name := range above {
		m := w.classes[name]
		if m == nil {
			jdk, err := w.program.platformClass(name)
			if err != nil {
				return "", err
			}
			if jdk == nil {
				return fmt.Sprintf("%s, a supertype of %s, is not in the record", name, r), nil
			}
			flags, declares, err := w.program.platformFlags(name, d.signature)
			if err != nil {
				return "", err
			}
			if declares && flags&classfile.Private == 0 {
				return fmt.Sprintf("a call on %s may have ended in %s of the JDK", r, name), nil
			}
			continue
		}
		of, entered := m.method(d.signature)
		if of == nil {
			continue
		}
		if found++; found > 1 || entered || of.Body == digest.Absent {
			return fmt.Sprintf("a call on %s may have ended in or at %s", r, name), nil
		}
	}
	return "", nil
}

// finals finds a final method, before or now, that another class at or above the receiver declares too.
func (w *world) finals(r string, c *comparison, d declaration) (string, error) {
	above, err := w.program.above(r)
	if err != nil {
		return "", err
	}
	final, declarers := "", 0
	for _, name := range above {
		var flags classfile.Flags
		declares := false
		if m := w.classes[name]; m != nil {
			if of, _ := m.method(d.signature); of != nil {
				flags, declares = of.Access, true
			}
		} else if flags, declares, err = w.program.platformFlags(name, d.signature); err != nil {
			return "", err
		}
		if name == c.old.Name && d.now != nil {
			flags, declares = flags|d.now.Access, true
		}
		if declares {
			declarers++
		}
		if flags&classfile.Final != 0 {
			final = name
		}
	}
	if final == "" || declarers < 2 {
		return "", nil
	}
	return fmt.Sprintf("it is or was final in %s, and another class at or above %s declares it too", final, r), nil
}

// platformFlags returns the flags of a method that a class of the JDK declares.
func (p *program) platformFlags(name string, s signature) (classfile.Flags, bool, error) {
	c, err := p.platformClass(name)
	if c == nil || err != nil {
		return 0, false, err
	}
	for i := range c.Methods {
		if n, desc := c.MemberName(&c.Methods[i]); n == s.name && desc == s.descriptor {
			return c.Methods[i].Access, true, nil
		}
	}
	return 0, false, nil
}

// know learns the supertypes of a class whose link parts are what they were: they are the same in every trace.
func (p *program) know(t *table.Table) {
	if _, ok := p.supers[t.Name]; ok {
		return
	}
	var list []string
	if t.Super != "" {
		list = append(list, t.Super)
	}
	p.supers[t.Name] = append(list, t.Interfaces...)
}

// above lists a class with all its supertypes.
func (p *program) above(name string) ([]string, error) {
	if list, ok := p.ancestors[name]; ok {
		return list, nil
	}
	direct, ok := p.supers[name]
	if !ok {
		c, err := p.platformClass(name)
		if err != nil {
			return nil, err
		}
		if c != nil {
			if super := c.SuperName(); super != "" {
				direct = append(direct, super)
			}
			direct = append(direct, c.InterfaceNames()...)
		}
	}
	p.ancestors[name] = []string{name} // until it is known: a class that is its own supertype does not load
	list, seen := []string{name}, map[string]bool{name: true}
	for _, s := range direct {
		more, err := p.above(s)
		if err != nil {
			return nil, err
		}
		for _, n := range more {
			if !seen[n] {
				seen[n] = true
				list = append(list, n)
			}
		}
	}
	p.ancestors[name] = list
	return list, nil
}

// below lists a class and the known classes that have it as a supertype.
func (p *program) below(name string) ([]string, error) {
	if p.subtypes == nil {
		if err := p.relate(); err != nil {
			return nil, err
		}
	}
	return p.subtypes[name], nil
}

// relate finds the subtypes of all known classes.
func (p *program) relate() error {
	out := map[string][]string{}
	for _, name := range sortedKeys(p.supers) {
		above, err := p.above(name)
		if err != nil {
			return err
		}
		for _, a := range above {
			out[a] = append(out[a], name)
		}
	}
	p.subtypes = out
	return nil
}
