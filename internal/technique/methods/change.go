package methods

import (
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/table"
	"winnow/internal/technique"
)

// A change is what differs between two tables of a class.
type change struct {
	id        uint32
	scope     *scope
	old, now  *table.Table // nil if one of them is not to be had
	world     string       // world name of the class
	undecided string       // why the two cannot be compared (S7.5)
	link      string       // what linking can notice (S7.2), "" if nothing
	reflect   bool
	frame     bool
	methods   []changedMethod
	// declared says that the two have different lists of methods, by signature or flags. Narrowed are the methods that fewer may call now.
	declared bool
	narrowed []*table.Method
}

type changedMethod struct {
	entry uint32
	why   string
}

// compare finds what differs between two tables of a class with the same canonical name. Raw tells what is named by its name in the file from another place.
func compare(old, now *table.Table, raw func(string) bool) *change {
	c := &change{old: old, now: now, world: table.WorldName(old.Name), reflect: !old.Reflect.Same(now.Reflect), frame: !old.Frame.Same(now.Frame)}
	if old.Opaque != "" || now.Opaque != "" {
		c.undecided = "class " + old.Name + " has parts of unknown meaning"
		return c
	}
	if old.File != now.File && raw(old.File) {
		c.undecided = "class " + old.Name + " has another number, and its old one is named elsewhere"
		return c
	}
	switch {
	case !old.Link.Same(now.Link):
		c.link = linkDifference(old, now)
	case (hasInitializer(old) || hasInitializer(now)) && initializes(old) != initializes(now): // with a class that implements it (JVMS 5.5)
		c.link = "whether interface " + old.Name + " has a method with a body"
	}
	c.compareMethods(raw)
	return c
}

func hasInitializer(t *table.Table) bool {
	return slices.ContainsFunc(t.Methods, func(m table.Method) bool { return m.Name == "<clinit>" })
}

// initializes tells whether a class is an interface that is initialized with the classes that implement it.
func initializes(t *table.Table) bool {
	return t.Access&classfile.Interface != 0 && slices.ContainsFunc(t.Methods, func(m table.Method) bool {
		return m.Access&(classfile.Abstract|classfile.Static) == 0
	})
}

// linkDifference names what linking can notice.
func linkDifference(old, now *table.Table) string {
	switch {
	case old.Super != now.Super || !slices.Equal(old.Interfaces, now.Interfaces):
		return "supertypes of " + old.Name
	case old.Access != now.Access:
		return "flags of " + old.Name
	case old.Major != now.Major:
		return "class file version of " + old.Name
	case !slices.Equal(old.Fields, now.Fields):
		return "fields of " + old.Name
	case !slices.Equal(old.Permitted, now.Permitted):
		return "permitted subclasses of " + old.Name
	case old.NestHost != now.NestHost:
		return "nest of " + old.Name
	}
	return "declaration of " + old.Name // for example the constant value of a field
}

// compareMethods walks the two lists, which are sorted.
func (c *change) compareMethods(raw func(string) bool) {
	old, now := c.old.Methods, c.now.Methods
	if twice(old) || twice(now) {
		c.undecided = "class " + c.old.Name + " has a method twice"
		return
	}
	i, k := 0, 0
	for i < len(old) || k < len(now) {
		order := -1
		switch {
		case i == len(old):
			order = 1
		case k < len(now):
			order = old[i].Compare(&now[k])
		}
		switch {
		case order < 0:
			c.note(i, " is gone")
			c.declared = true
			i++
		case order > 0:
			c.added(&now[k])
			k++
		default:
			c.both(i, &now[k], raw)
			i, k = i+1, k+1
		}
	}
}

func twice(methods []table.Method) bool {
	for i := 1; i < len(methods); i++ {
		if methods[i-1].Compare(&methods[i]) == 0 {
			return true
		}
	}
	return false
}

// note adds a method of the old table that differs.
func (c *change) note(i int, how string) {
	c.methods = append(c.methods, changedMethod{table.FirstMethod + uint32(i), "method " + c.old.Name + "." + c.old.Methods[i].String() + how})
}

// added notes a method that only the new table has. An initializer runs without being called, for whoever touches the class.
func (c *change) added(m *table.Method) {
	c.declared = true
	if m.Name == "<clinit>" && c.link == "" {
		c.link = "initializer of " + c.old.Name
	}
}

// both compares two versions of a method.
func (c *change) both(i int, now *table.Method, raw func(string) bool) {
	old := &c.old.Methods[i]
	if old.FileName != now.FileName && raw("."+old.FileName) {
		c.undecided = "method " + c.old.Name + "." + old.String() + " has another number, and its old one is named elsewhere"
	}
	switch {
	case !same(old.Body, now.Body):
		c.note(i, "")
	case old.Access != now.Access:
		c.note(i, " has other flags")
	case !same(old.Test, now.Test):
		c.note(i, " is declared otherwise")
	}
	if old.Access != now.Access {
		c.declared = true
		if visibility(now.Access) < visibility(old.Access) {
			c.narrowed = append(c.narrowed, old)
		}
	}
}

// same tells whether two bodies are the same; that neither has code is the same, too.
func same(a, b digest.Digest) bool { return a.Same(b) }

// visibility orders methods by how many may call them.
func visibility(f classfile.Flags) int {
	switch {
	case f&classfile.Public != 0:
		return 3
	case f&classfile.Protected != 0:
		return 2
	case f&classfile.Private != 0:
		return 0
	}
	return 1
}

// harmless says why the change does not matter to a use.
func (c *change) harmless(s technique.Stale) string {
	switch {
	case c.old == nil:
		return "nothing is known of the difference"
	case len(c.methods) > 0 && c.declared:
		return "no changed method was entered, and every call finds the method that it found"
	case len(c.methods) > 0:
		return "no changed method was entered"
	case c.declared:
		return "every call finds the method that it found"
	case c.old.File != c.now.File:
		return "only its number differs, which is now in " + c.now.File
	case c.reflect && !covers(s.Use, table.Reflected):
		return "only reflection shows the difference, and it was not looked at"
	}
	return "only numbers of lambdas or accessors differ"
}
