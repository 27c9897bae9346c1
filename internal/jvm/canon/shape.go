package canon

import (
	"fmt"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
)

// A Part is a named piece of the shape of a class.
type Part struct {
	Name   string
	Kind   Meaning // Link or Reflect
	Digest digest.Digest
}

// The parts, in the order in which a class has them. docs/safety.md says what each contains.
var parts = []struct {
	name string
	kind Meaning
	form func(*Unit, *form) error
}{
	{"version", Link, (*Unit).versionPart},
	{"flags", Link, (*Unit).flagsPart},
	{"supertypes", Link, (*Unit).supertypesPart},
	{"permitted", Link, (*Unit).permittedPart},
	{"nest", Link, (*Unit).nestPart},
	{"fields", Link, (*Unit).fieldsPart},
	{"methods", Link, (*Unit).methodsPart},
	{"module", Link, (*Unit).modulePart},
	{"name", Reflect, (*Unit).namePart},
	{"order", Reflect, (*Unit).orderPart},
	{"inner classes", Reflect, (*Unit).innerPart},
	{"declarations", Reflect, (*Unit).declarationsPart},
	{"field declarations", Reflect, (*Unit).fieldDeclarationsPart},
	{"method declarations", Reflect, (*Unit).methodDeclarationsPart},
}

func (u *Unit) versionPart(f *form) error {
	f.num(uint64(u.class.Major))
	f.num(uint64(u.class.Minor))
	return nil
}

// flags are access flags; the old Synthetic attribute means the flag.
func (u *Unit) flags(f *form, access classfile.Flags, attributes []classfile.Attribute) uint64 {
	if !u.marked {
		return uint64(access) // the attribute is rare since there is the flag
	}
	for i := range attributes {
		if u.attribute(f, attributes[i].Name).use == synthetic {
			access |= classfile.Synthetic
		}
	}
	return uint64(access)
}

func (u *Unit) flagsPart(f *form) error {
	f.num(u.flags(f, u.class.Access, u.class.Attributes))
	return nil
}

func (u *Unit) supertypesPart(f *form) error {
	f.class(u.class.SuperName())
	for _, name := range u.class.InterfaceNames() {
		f.class(name)
	}
	return nil
}

func (u *Unit) permittedPart(f *form) error {
	v, err := value[*classfile.PermittedSubclasses](u.class, "PermittedSubclasses")
	if v == nil || err != nil {
		return err
	}
	return u.classSet(f, v.Classes)
}

// classSet writes class names without regard to their order.
func (u *Unit) classSet(f *form, classes []uint16) error {
	names, err := u.classNames(classes)
	if err != nil {
		return err
	}
	for i := range names {
		names[i] = f.className(names[i])
	}
	slices.Sort(names)
	f.num(uint64(len(names)))
	for _, name := range names {
		f.word(name)
	}
	return nil
}

// classList writes class names in their order.
func (u *Unit) classList(f *form, classes []uint16) error {
	names, err := u.classNames(classes)
	if err != nil {
		return err
	}
	f.num(uint64(len(names)))
	for _, name := range names {
		f.class(name)
	}
	return nil
}

func (u *Unit) classNames(classes []uint16) ([]string, error) {
	names := make([]string, len(classes))
	for i, c := range classes {
		name, ok := u.class.Pool.Class(c)
		if !ok {
			return nil, fmt.Errorf("constant %d is not a class", c)
		}
		names[i] = name
	}
	return names, nil
}

// nestPart writes the nest host and whether the host agrees: only then may the class use private members of its nest. A class that
// is added to a nest changes nothing for the others, so the host's own list is a matter of reflection.
func (u *Unit) nestPart(f *form) error {
	v, err := value[*classfile.NestHost](u.class, "NestHost")
	if v == nil || err != nil {
		return err
	}
	host, ok := u.class.Pool.Class(v.Class)
	if !ok {
		return fmt.Errorf("nest host: constant %d is not a class", v.Class)
	}
	f.class(host)
	f.word(f.names.nestAgrees(host, u.Name))
	return nil
}

func (s *Set) nestAgrees(host, member string) string {
	h, ok := s.Unit(host)
	switch {
	case !ok:
		return "unknown"
	case slices.Contains(h.nest, member):
		return "yes"
	}
	return "no"
}

// fieldsPart writes what running code can notice of the fields: without regard to order, which only reflection shows.
func (u *Unit) fieldsPart(f *form) error {
	var room [32]*classfile.Member // most classes have fewer
	fields := room[:0]
	for i := range u.class.Fields {
		fields = append(fields, &u.class.Fields[i])
	}
	slices.SortStableFunc(fields, u.byName)
	f.num(uint64(len(fields)))
	for _, m := range fields {
		name, desc := u.class.MemberName(m)
		f.word(name)
		f.types(desc)
		f.num(u.flags(f, m.Access, m.Attributes))
		v, err := classfile.ValueOf[*classfile.ConstantValue](u.class, m.Attributes, "ConstantValue", classfile.InField)
		if err != nil {
			return err
		}
		if v == nil {
			f.tag(0)
			continue
		}
		if err := u.loadable(f, v.Value); err != nil {
			return err
		}
	}
	return nil
}

func (u *Unit) byName(a, b *classfile.Member) int {
	an, ad := u.class.MemberName(a)
	bn, bd := u.class.MemberName(b)
	return byNameAndType(an, ad, bn, bd)
}

// methodsPart writes what running code can notice of the methods but their bodies. Lambdas and accessors are left out: who
// uses them names them.
func (u *Unit) methodsPart(f *form) error {
	for _, i := range u.order {
		m := &u.methods[i]
		if numberedMethod(m.name) && f.names.MethodName(u.Name, m.name, m.desc) != m.name {
			continue
		}
		f.word(m.name)
		f.types(m.desc)
		f.num(u.flags(f, m.member.Access, m.member.Attributes))
	}
	return nil
}

// namePart is the name in the file where that is not the canonical one.
func (u *Unit) namePart(f *form) error {
	if f.names.ClassName(u.Name) != u.Name {
		f.word(u.Name)
	}
	return nil
}

// orderPart writes the order of the members in the file: fields by name, methods by their places among the names, and the names of those that methodsPart
// leaves out.
func (u *Unit) orderPart(f *form) error {
	f.num(uint64(len(u.class.Fields)))
	for i := range u.class.Fields {
		name, desc := u.class.MemberName(&u.class.Fields[i])
		f.word(name)
		f.types(desc)
	}
	rank := resize(f.starts, len(u.order))
	f.starts = rank
	for k, i := range u.order {
		rank[i] = uint32(k)
	}
	for i := range u.methods {
		f.num(uint64(rank[i]))
		if m := &u.methods[i]; numberedMethod(m.name) {
			f.word(m.name)
			f.types(m.desc)
		}
	}
	return nil
}

// innerPart writes what reflection shows of the classes around and inside, and the order in which it shows them: of the table only the entries about this class and its members.
func (u *Unit) innerPart(f *form) error {
	c := u.class
	inner, err := value[*classfile.InnerClasses](c, "InnerClasses")
	if err != nil {
		return err
	}
	if inner != nil {
		if err := u.innerEntries(f, inner); err != nil {
			return err
		}
	}
	f.tag(0)
	enclosing, err := value[*classfile.EnclosingMethod](c, "EnclosingMethod")
	if err != nil {
		return err
	}
	if enclosing != nil {
		class, name, desc, err := u.enclosing(enclosing)
		if err != nil {
			return err
		}
		f.class(class)
		f.method(class, name, desc)
	}
	f.tag(0)
	members, err := value[*classfile.NestMembers](c, "NestMembers")
	if err != nil {
		return err
	}
	if members != nil {
		if err := u.classList(f, members.Classes); err != nil {
			return err
		}
	}
	f.tag(0)
	permitted, err := value[*classfile.PermittedSubclasses](c, "PermittedSubclasses")
	if err != nil || permitted == nil {
		return err
	}
	return u.classList(f, permitted.Classes)
}

func (u *Unit) innerEntries(f *form, inner *classfile.InnerClasses) error {
	p := &u.class.Pool
	for _, e := range inner.Classes {
		in, ok := p.Class(e.Inner)
		if !ok {
			return fmt.Errorf("inner classes: constant %d is not a class", e.Inner)
		}
		outer, ok := p.Class(e.Outer)
		if !ok && e.Outer != 0 {
			return fmt.Errorf("inner classes: constant %d is not a class", e.Outer)
		}
		if in != u.Name && outer != u.Name {
			continue
		}
		name, err := u.text(e.Name)
		if err != nil {
			return err
		}
		f.tag(1)
		f.class(in)
		f.class(outer)
		f.word(name)
		f.num(uint64(e.Access))
	}
	return nil
}

// enclosing gives the class and method that enclose a local class; without a method, name and descriptor are empty.
func (u *Unit) enclosing(v *classfile.EnclosingMethod) (class, name, desc string, err error) {
	class, ok := u.class.Pool.Class(v.Class)
	if !ok {
		return "", "", "", fmt.Errorf("enclosing method: constant %d is not a class", v.Class)
	}
	if v.Method == 0 {
		return class, "", "", nil
	}
	if name, desc, ok = u.class.Pool.NameAndType(v.Method); !ok {
		return "", "", "", fmt.Errorf("enclosing method: constant %d is not a name with a type", v.Method)
	}
	return class, name, desc, nil
}

// text is the text at an index; 0 stands for none.
func (u *Unit) text(i uint16) (string, error) {
	s, ok := u.class.Pool.UTF8(i)
	if !ok && i != 0 {
		return "", fmt.Errorf("constant %d is not a text", i)
	}
	return s, nil
}
