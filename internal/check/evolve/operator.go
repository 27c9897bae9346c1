package evolve

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An Operator changes a program.
type Operator struct {
	ID, Summary string
	apply       func(e *editor)
}

// A Variant is a program as an operator changed it, and where.
type Variant struct {
	Operator string
	Place    string // "p1.A.m(int) to p1.B"; names the variant among those of its operator
	Program  *Program
}

// Apply changes a program at every place where the operator applies, in the order of the program. The next program of the walk is for E6; it may be nil.
func (o Operator) Apply(p, next *Program) []Variant {
	e := &editor{program: p, next: next, operator: o.ID}
	o.apply(e)
	return e.variants
}

// Operators lists E1 to E9 of the paper, then those for the features.
func Operators() []Operator {
	return slices.Concat(paperOperators(), featureOperators())
}

// OperatorNamed finds an operator by its ID.
func OperatorNamed(id string) (Operator, bool) {
	all := Operators()
	i := slices.IndexFunc(all, func(o Operator) bool { return o.ID == id })
	if i < 0 {
		return Operator{}, false
	}
	return all[i], true
}

func paperOperators() []Operator {
	return []Operator{
		{"E1", "add extends", addExtends},
		{"E2", "copy a field to another class", func(e *editor) { e.copyMembers(FieldMember, false) }},
		{"E3", "copy a field and change its value", func(e *editor) { e.copyMembers(FieldMember, true) }},
		{"E4", "copy a method to another class", func(e *editor) { e.copyMembers(MethodMember, false) }},
		{"E5", "copy a method and change a constant in it", func(e *editor) { e.copyMembers(MethodMember, true) }},
		{"E6", "evolve to the next program", nextProgram},
		{"E7", "increase a constant", increaseConstants},
		{"E8", "remove extends", removeExtends},
		{"E9", "remove a method", removeMethods},
	}
}

// An editor collects the variants of one program.
type editor struct {
	program, next *Program
	operator      string
	variants      []Variant
}

// add makes a variant: edit gets a copy of the program, and of the class with a number in the order of Program.all.
func (e *editor) add(place string, class int, edit func(p *Program, c *Class)) {
	p := e.program.Clone()
	edit(p, p.all()[class])
	p.normalize()
	e.variants = append(e.variants, Variant{e.operator, place, p})
}

// normalize makes an edited program equal to what its text parses to.
func (p *Program) normalize() {
	slices.SortStableFunc(p.Classes, func(a, b *Class) int { return strings.Compare(a.path(), b.path()) })
	for _, c := range p.all() {
		if len(c.Members) == 0 {
			c.Members = nil
		}
	}
}

// classes calls do for each class, with its number and name.
func (e *editor) classes(do func(i int, c *Class, name string)) {
	for i, c := range e.program.all() {
		do(i, c, c.Full())
	}
}

// members calls do for each member of a kind, with the numbers of class and member and a name for people.
func (e *editor) members(kind MemberKind, do func(i, j int, c *Class, m *Member, name string)) {
	e.classes(func(i int, c *Class, name string) {
		for j, m := range c.Members {
			if m.Kind == kind {
				do(i, j, c, m, name+"."+m.label())
			}
		}
	})
}

// label names a member for people.
func (m *Member) label() string {
	switch m.Kind {
	case InitMember:
		return "{}"
	case ClassMember:
		return m.Class.Name
	case FieldMember:
		return m.Name
	}
	types := make([]string, len(m.Params))
	for i, p := range m.Params {
		types[i] = p.Type
	}
	return m.Name + "(" + strings.Join(types, ",") + ")"
}

func addExtends(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		if c.Kind != ClassKind || c.Extends != "" || c.Package == "" {
			return
		}
		for _, to := range e.program.Classes {
			if to.Kind == ClassKind && to.Full() != name {
				e.add(name+" to "+to.Full(), i, func(_ *Program, c *Class) { c.Extends = to.Full() })
			}
		}
	})
}

func removeExtends(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		if c.Extends != "" {
			e.add(name, i, func(_ *Program, c *Class) { c.Extends = "" })
		}
	})
}

// copyMembers copies each member of a kind to each other top-level class that may have one, and increases its first constant if asked to.
func (e *editor) copyMembers(kind MemberKind, change bool) {
	e.members(kind, func(i, j int, c *Class, m *Member, name string) {
		copied := m.Clone()
		if change && !copied.increase(0) {
			return
		}
		for k, to := range e.program.all() {
			if k != i && to.Package != "" && to.Kind == ClassKind {
				e.add(name+" to "+to.Full(), k, func(_ *Program, c *Class) { c.Members = append(c.Members, copied.Clone()) })
			}
		}
	})
}

func nextProgram(e *editor) {
	if e.next != nil && e.next.text() != e.program.text() {
		e.variants = append(e.variants, Variant{e.operator, "next", e.next.Clone()})
	}
}

func removeMethods(e *editor) {
	e.members(MethodMember, func(i, j int, c *Class, m *Member, name string) {
		e.add(name, i, func(_ *Program, c *Class) { c.Members = slices.Delete(c.Members, j, j+1) })
	})
}

// increaseConstants increases each whole number in an initializer or body by one.
func increaseConstants(e *editor) {
	e.classes(func(i int, c *Class, name string) {
		for j, m := range c.Members {
			for n := range m.constants() {
				e.add(fmt.Sprintf("%s.%s#%d", name, m.label(), n), i, func(_ *Program, c *Class) { c.Members[j].increase(n) })
			}
		}
	})
}

// texts are the parts of a member in which constants are counted.
func (m *Member) texts() []*string {
	out := []*string{&m.Init}
	for i := range m.Body {
		out = append(out, &m.Body[i])
	}
	return out
}

// constants is how many whole numbers a member has.
func (m *Member) constants() int {
	n := 0
	for _, text := range m.texts() {
		for _, t := range mustLex(*text) {
			if _, ok := increased(t); ok {
				n++
			}
		}
	}
	return n
}

// increase increases the constant with a number by one; false if there is none.
func (m *Member) increase(n int) bool {
	for _, text := range m.texts() {
		tokens := mustLex(*text)
		for i, t := range tokens {
			more, ok := increased(t)
			if !ok {
				continue
			}
			if n == 0 {
				tokens[i].text = more
				*text = join(tokens)
				return true
			}
			n--
		}
	}
	return false
}

// increased is a decimal whole number plus one.
func increased(t token) (string, bool) {
	if t.kind != number {
		return "", false
	}
	digits := strings.TrimRight(t.text, "lL")
	v, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || len(digits) > 1 && digits[0] == '0' || v == 1<<31-1 || v == 1<<63-1 {
		return "", false
	}
	return strconv.FormatInt(v+1, 10) + t.text[len(digits):], true
}
