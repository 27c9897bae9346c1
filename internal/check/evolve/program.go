package evolve

import (
	"slices"
	"strings"
)

// A Program is the code of a revision.
type Program struct {
	Classes   []*Class          // top-level classes in the order of their files
	Resources map[string]string // by path
}

// A Kind is what a class is declared as.
type Kind string

// The kinds.
const (
	ClassKind      Kind = "class"
	InterfaceKind  Kind = "interface"
	EnumKind       Kind = "enum"
	RecordKind     Kind = "record"
	AnnotationKind Kind = "@interface"
)

// A Class is a declaration of a class. Types are texts.
type Class struct {
	Package     string   // "" for nested classes and the unnamed package
	Imports     []string // "java.util.List", "static p.A.*"; of a top-level class
	Annotations []string // each with its at sign
	Modifiers   []string
	Kind        Kind
	Name        string
	TypeParams  string   // "<T extends Comparable<T>>"
	Components  []Param  // of a record
	Extends     string   // of a class
	Implements  []string // of an interface: what it extends
	Permits     []string
	Constants   []string // of an enum: "RED", "GREEN(2) { … }"
	Members     []*Member
}

// A MemberKind is what a member is.
type MemberKind uint8

// The kinds of members.
const (
	FieldMember       MemberKind = iota
	MethodMember                 // also an element of an annotation
	ConstructorMember            // without parentheses: a compact one of a record
	InitMember                   // a block, static or not
	ClassMember
)

// A Member is a member of a class. Which fields count depends on its kind.
type Member struct {
	Kind        MemberKind
	Annotations []string
	Modifiers   []string
	TypeParams  string
	Type        string // of a field, or what a method returns
	Name        string
	Compact     bool // of a constructor
	Params      []Param
	Throws      []string
	Init        string // of a field: its first value; of an element: its default
	HasBody     bool
	Body        []string // statements
	Class       *Class
}

// A Param is a parameter or component: "final int" "a".
type Param struct{ Type, Name string }

// Full is the name with the package.
func (c *Class) Full() string {
	if c.Package == "" {
		return c.Name
	}
	return c.Package + "." + c.Name
}

// Clone copies a program. Everything in the copy can be changed.
func (p *Program) Clone() *Program {
	out := &Program{}
	for _, c := range p.Classes {
		out.Classes = append(out.Classes, c.Clone())
	}
	if p.Resources != nil {
		out.Resources = make(map[string]string, len(p.Resources))
		for path, text := range p.Resources {
			out.Resources[path] = text
		}
	}
	return out
}

// Clone copies a class with all that is in it.
func (c *Class) Clone() *Class {
	out := *c
	for _, list := range []*[]string{&out.Imports, &out.Annotations, &out.Modifiers, &out.Implements, &out.Permits, &out.Constants} {
		*list = slices.Clone(*list)
	}
	out.Components = slices.Clone(c.Components)
	out.Members = nil
	for _, m := range c.Members {
		out.Members = append(out.Members, m.Clone())
	}
	return &out
}

// Clone copies a member.
func (m *Member) Clone() *Member {
	out := *m
	for _, list := range []*[]string{&out.Annotations, &out.Modifiers, &out.Throws, &out.Body} {
		*list = slices.Clone(*list)
	}
	out.Params = slices.Clone(m.Params)
	if m.Class != nil {
		out.Class = m.Class.Clone()
	}
	return &out
}

// is tells whether a list of modifiers has one.
func is(modifiers []string, name string) bool { return slices.Contains(modifiers, name) }

// signature names a member among those of its class: methods by their parameter types, too.
func (m *Member) signature() string {
	s := string(rune('0'+m.Kind)) + m.Name
	if m.Kind == MethodMember || m.Kind == ConstructorMember {
		s += "("
		for _, p := range m.Params {
			s += p.Type + ","
		}
	}
	if m.Kind == ClassMember {
		s += m.Class.Name
	}
	return s
}

// has tells whether a class declares a member with the signature of another.
func (c *Class) has(m *Member) bool {
	return slices.ContainsFunc(c.Members, func(o *Member) bool { return o.signature() == m.signature() })
}

// sorted puts the classes in the order of their files and the members of each in the order of their signatures, so that programs that differ in nothing else are equal.
func (p *Program) sorted() *Program {
	slices.SortStableFunc(p.Classes, func(a, b *Class) int { return strings.Compare(a.path(), b.path()) })
	for _, c := range p.Classes {
		slices.SortStableFunc(c.Members, func(a, b *Member) int { return strings.Compare(a.signature(), b.signature()) })
	}
	return p
}

// all lists the classes of a program, each before those inside of it.
func (p *Program) all() []*Class {
	var out []*Class
	var visit func(c *Class)
	visit = func(c *Class) {
		out = append(out, c)
		for _, m := range c.Members {
			if m.Kind == ClassMember {
				visit(m.Class)
			}
		}
	}
	for _, c := range p.Classes {
		visit(c)
	}
	return out
}
