package inspect

import (
	"maps"
	"slices"
	"strings"

	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
)

// A Class is the view of one class.
type Class struct {
	Name       string           `json:"name"`                // internal name in the file
	Canonical  string           `json:"canonical,omitempty"` // if it is another
	Input      string           `json:"input"`
	Entry      string           `json:"entry,omitempty"`
	Bytes      int              `json:"bytes"`
	Major      int              `json:"major"`
	Minor      int              `json:"minor"`
	Kind       string           `json:"kind"`
	Flags      string           `json:"flags"`
	Super      string           `json:"super,omitempty"`
	Interfaces []string         `json:"interfaces"`
	Source     string           `json:"source,omitempty"`
	Opaque     string           `json:"opaque,omitempty"`
	Notes      []string         `json:"notes,omitempty"`
	Facts      []Fact           `json:"facts"`
	Attributes []AttributeCount `json:"attributes"`
	Shape      string           `json:"shape"`
	Link       string           `json:"link"`
	Reflect    string           `json:"reflect"`
	Parts      []Part           `json:"parts"`
	Fields     []Field          `json:"fields"`
	Methods    []MethodLine     `json:"methods"`
	Unreadable []Unreadable     `json:"unreadable,omitempty"`

	modifiers string
}

// A Part is the digest of a part of the shape.
type Part struct {
	Part   string `json:"part"`
	Kind   string `json:"kind"`
	Digest string `json:"digest"`
}

// An AttributeCount says how often an attribute occurs in a class file and what becomes of it.
type AttributeCount struct {
	Name    string `json:"name"`
	Meaning string `json:"meaning"` // as in package canon; "unknown" makes the class opaque
	Count   int    `json:"count"`
}

// A Field is a field of a class.
type Field struct {
	Name       string `json:"name"`
	Descriptor string `json:"descriptor"`
	Flags      string `json:"flags"`
	Constant   string `json:"constant,omitempty"`
}

// A MethodLine is a method of a class without its code.
type MethodLine struct {
	Name       string `json:"name"`
	Descriptor string `json:"descriptor"`
	Canonical  string `json:"canonical,omitempty"` // name and descriptor, if they are others
	Flags      string `json:"flags"`
	Body       string `json:"body"` // digest; "absent" without code
}

// Class returns the view of a class by a name as users write it; "" is the class of a class file.
func (in *Input) Class(name string) (*Class, error) {
	settle(in)
	f, err := in.pick(name)
	if err != nil {
		return nil, err
	}
	return in.view(f)
}

// pick finds a class; of a class file there is only the one.
func (in *Input) pick(name string) (*file, error) {
	switch {
	case in.Kind != KindClass:
		f, err := in.find(name)
		if err == nil {
			return f, nil
		}
		for _, u := range in.unreadable {
			if slices.Contains(spellings(name), u.class) {
				return nil, &UnreadableError{[]Unreadable{u}}
			}
		}
		return nil, err
	case in.single == nil:
		return nil, &UnreadableError{in.unreadable}
	}
	return in.single, nil
}

// An UnreadableError says that the class asked for cannot be read.
type UnreadableError struct{ List []Unreadable }

// Error gives the place and the cause of the first.
func (e *UnreadableError) Error() string { return e.List[0].String() }

// String gives place and cause.
func (u Unreadable) String() string {
	if u.Entry != "" {
		return u.Input + ": " + u.Entry + ": " + u.Error
	}
	return u.Input + ": " + u.Error
}

// Unreadable lists the class files that cannot be read.
func (in *Input) Unreadable() []Unreadable { return in.unreadable }

func (in *Input) view(f *file) (*Class, error) {
	c, err := f.class()
	if err != nil {
		return nil, err
	}
	d := f.digest
	v := &Class{
		Name: classfile.Text(f.name), Canonical: unless(classfile.Text(d.Name), classfile.Text(f.name)), Input: in.Path, Bytes: len(f.data), Major: int(c.Major),
		Minor: int(c.Minor), Flags: c.Access.ClassText(), Opaque: classfile.Text(d.Opaque), Notes: in.notes(f), Unreadable: in.related(f), Facts: []Fact{},
		Shape: d.Shape.String(), Link: d.Link.String(), Reflect: d.Reflect.String(), modifiers: modifiers(c.Access), Super: classfile.Text(c.SuperName()), Interfaces: []string{},
		Kind: classKind(c.Access, c.Find(c.Attributes, "Record") != nil), Fields: []Field{}, Methods: []MethodLine{},
	}
	if in.Kind != KindClass {
		v.Entry = f.place.name()
	}
	for _, name := range c.InterfaceNames() {
		v.Interfaces = append(v.Interfaces, classfile.Text(name))
	}
	for _, p := range d.Parts() {
		v.Parts = append(v.Parts, Part{p.Name, string(p.Kind), p.Digest.String()})
	}
	if err := v.fill(f, c); err != nil {
		return nil, err
	}
	return v, nil
}

// unless is a, or "" if it is b.
func unless(a, b string) string {
	if a == b {
		return ""
	}
	return a
}

func (v *Class) fill(f *file, c *classfile.Class) error {
	t := &teller{f: f, c: c}
	source, err := classfile.ValueOf[*classfile.SourceFile](c, c.Attributes, "SourceFile", classfile.InClass)
	switch {
	case err != nil: // no digest depends on it
		v.Notes = append(v.Notes, err.Error())
	case source != nil:
		v.Source = t.text(source.Name)
	}
	for i := range c.Fields {
		if err := v.addField(t, &c.Fields[i]); err != nil {
			return err
		}
	}
	for i := range c.Methods {
		v.Methods = append(v.Methods, methodLine(t.canonicalMethod(&c.Methods[i])))
	}
	if v.Attributes, err = countAttributes(c); err != nil {
		return err
	}
	return v.addFacts(f)
}

func methodLine(m *canon.Method) MethodLine {
	file := classfile.Text(m.FileName + m.FileDescriptor)
	return MethodLine{
		Name: classfile.Text(m.FileName), Descriptor: classfile.Text(m.FileDescriptor), Canonical: unless(classfile.Text(m.Name+m.Descriptor), file),
		Flags: m.Access.MethodText(), Body: m.Body.String(),
	}
}

func (v *Class) addField(t *teller, m *classfile.Member) error {
	_, desc := t.c.MemberName(m)
	field := Field{Name: t.text(m.Name), Descriptor: classfile.Text(desc), Flags: m.Access.FieldText()}
	constant, err := classfile.ValueOf[*classfile.ConstantValue](t.c, m.Attributes, "ConstantValue", classfile.InField)
	if constant != nil {
		field.Constant = t.constantText(constant.Value, desc)
	}
	v.Fields = append(v.Fields, field)
	return err
}

// addFacts adds the facts of the parts that the view does not show otherwise.
func (v *Class) addFacts(f *file) error {
	for _, part := range []string{"nest", "module", "inner classes", "declarations", "field declarations", "method declarations"} {
		facts, err := f.facts(part)
		if err != nil {
			return err
		}
		for _, fact := range facts {
			if !strings.HasPrefix(fact.What, flagsPrefix) { // those stand with the methods
				v.Facts = append(v.Facts, fact)
			}
		}
	}
	return nil
}

// countAttributes counts the attributes of a class, its members and their code.
func countAttributes(c *classfile.Class) ([]AttributeCount, error) {
	n := map[string]int{}
	err := eachAttribute(c, func(a *classfile.Attribute, _ string) {
		name, _ := c.Pool.UTF8(a.Name)
		n[classfile.Text(name)]++
	})
	if err != nil {
		return nil, err
	}
	out := []AttributeCount{}
	for _, name := range slices.Sorted(maps.Keys(n)) {
		meaning := "unknown"
		if m, ok := canon.Attributes[name]; ok {
			meaning = string(m)
		}
		out = append(out, AttributeCount{name, meaning, n[name]})
	}
	return out, nil
}

// eachAttribute calls f with the attributes of a class, its members and their code, and with where each stands.
func eachAttribute(c *classfile.Class, f func(a *classfile.Attribute, where string)) error {
	each := func(where string, attributes []classfile.Attribute) {
		for i := range attributes {
			f(&attributes[i], where)
		}
	}
	each("class", c.Attributes)
	for i := range c.Fields {
		name, desc := c.MemberName(&c.Fields[i])
		each("field "+name+desc, c.Fields[i].Attributes)
	}
	for i := range c.Methods {
		m := &c.Methods[i]
		name, desc := c.MemberName(m)
		each("method "+name+desc, m.Attributes)
		code, err := c.Code(m)
		if err != nil {
			return err
		}
		if code != nil {
			each("code of "+name+desc, code.Attributes)
		}
	}
	return nil
}
