package inspect

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
)

// A Fact is one statement about a part of a class's shape.
//
// Printed form: "interface java.lang.Runnable", "superclass: p.Base", "field total: private long".
type Fact struct {
	Part  string `json:"part"`
	What  string `json:"what"`
	Value string `json:"value,omitempty"`

	owner string // the field or method that it is about; "" if it is about the class
}

// String is the printed form.
func (f Fact) String() string {
	if f.Value == "" {
		return f.What
	}
	return f.What + ": " + f.Value
}

// A teller collects the facts of one class.
type teller struct {
	f     *file
	c     *classfile.Class
	part  string
	owner string
	facts []Fact

	texts      map[uint16]string // readable texts by constant
	fieldNames map[string]int    // how many fields have a name; made when asked for
}

// sections give the facts of each part of package canon.
var sections = map[string]func(*teller) error{
	"version":             (*teller).version,
	"flags":               (*teller).flags,
	"supertypes":          (*teller).supertypes,
	"permitted":           (*teller).permitted,
	"nest":                (*teller).nest,
	"fields":              (*teller).fields,
	"methods":             (*teller).methods,
	"module":              (*teller).module,
	"name":                (*teller).name,
	"order":               (*teller).order,
	"inner classes":       (*teller).inner,
	"declarations":        (*teller).declarations,
	"field declarations":  (*teller).fieldDeclarations,
	"method declarations": (*teller).methodDeclarations,
}

// facts lists what there is to say about a part of the class.
func (f *file) facts(part string) ([]Fact, error) {
	section, ok := sections[part]
	if !ok {
		return nil, nil
	}
	c, err := f.class()
	if err != nil {
		return nil, err
	}
	t := &teller{f: f, c: c, part: part}
	if err := section(t); err != nil {
		return nil, fmt.Errorf("%s: %w", part, err)
	}
	return t.facts, nil
}

func (t *teller) tell(what, value string) {
	t.facts = append(t.facts, Fact{t.part, what, value, t.owner})
}

// className is the readable canonical name of a class.
func (t *teller) className(index uint16) string {
	name, ok := t.c.Pool.Class(index)
	if !ok {
		return fmt.Sprintf("constant %d, which is no class", index)
	}
	return t.once(index, func() string { return dotted(classfile.Text(t.f.set.ClassName(name))) })
}

// once returns the text of a constant, made readable and brief only once: a file can name a long text thousands of times.
func (t *teller) once(index uint16, text func() string) string {
	s, ok := t.texts[index]
	if !ok {
		s = brief(text())
		if t.texts == nil {
			t.texts = map[uint16]string{}
		}
		t.texts[index] = s
	}
	return s
}

// longText is the length from which a text is cut; its digest keeps it apart from others.
const longText = 256

func brief(s string) string {
	if len(s) <= longText {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes, digest %s)", strings.ToValidUTF8(s[:longText/2], ""), len(s), digest.OfString(s))
}

func (t *teller) classNames(indices []uint16) []string {
	out := make([]string, len(indices))
	for i, index := range indices {
		out[i] = t.className(index)
	}
	return out
}

func (t *teller) text(index uint16) string {
	s, _ := t.c.Pool.UTF8(index)
	return t.once(index, func() string { return classfile.Text(s) })
}

func (t *teller) version() error {
	t.tell("class file version", javaVersion(int(t.c.Major), int(t.c.Minor)))
	return nil
}

func (t *teller) flags() error {
	t.tell("class flags", t.flagsOf(t.c.Access, t.c.Attributes).ClassText())
	return nil
}

// flagsOf are flags as canon sees them: the old Synthetic attribute means the flag.
func (t *teller) flagsOf(f classfile.Flags, attributes []classfile.Attribute) classfile.Flags {
	if t.c.Find(attributes, "Synthetic") != nil {
		f |= classfile.Synthetic
	}
	return f
}

func (t *teller) supertypes() error {
	if t.c.Super != 0 {
		t.tell("superclass", t.className(t.c.Super))
	}
	names := t.classNames(t.c.Interfaces)
	for _, name := range names {
		t.tell("interface "+name, "")
	}
	t.orderOf("interfaces", names)
	return nil
}

// orderOf tells the order of things whose own facts have been told, if there is more than one order.
func (t *teller) orderOf(things string, names []string) {
	if len(names) > 1 {
		t.tell(orderPrefix+things, strings.Join(names, ", "))
	}
}

// orderPrefix starts facts about an order: they are worth a word only if the things themselves are the same.
const orderPrefix = "order of "

// flagsPrefix starts facts about the flags of methods.
const flagsPrefix = "flags of "

func (t *teller) permitted() error { return t.permittedIn("") }

// permittedIn tells the permitted subclasses, and their order if it is to be told under a name.
func (t *teller) permittedIn(order string) error {
	v, err := classfile.ValueOf[*classfile.PermittedSubclasses](t.c, t.c.Attributes, "PermittedSubclasses", classfile.InClass)
	if v == nil || err != nil {
		return err
	}
	t.tell("sealed", "")
	names := t.classNames(v.Classes)
	for _, name := range names {
		t.tell("permitted subclass "+name, "")
	}
	if order != "" {
		t.orderOf(order, names)
	}
	return nil
}

func (t *teller) nest() error {
	v, err := classfile.ValueOf[*classfile.NestHost](t.c, t.c.Attributes, "NestHost", classfile.InClass)
	if v == nil || err != nil {
		return err
	}
	t.tell("nest host", t.className(v.Class))
	host, _ := t.c.Pool.Class(v.Class)
	listed, err := t.f.listedBy(host)
	t.tell("listed by its nest host", listed)
	return err
}

// listedBy tells whether the class that is said to be the nest host says so too.
func (f *file) listedBy(host string) (string, error) {
	i := slices.IndexFunc(f.in.files, func(x *file) bool { return x.id() == f.root+host && x.set == f.set })
	if i < 0 {
		return "unknown", nil
	}
	c, err := f.in.files[i].class()
	if err != nil {
		return "", err
	}
	v, err := classfile.ValueOf[*classfile.NestMembers](c, c.Attributes, "NestMembers", classfile.InClass)
	if v == nil || err != nil {
		return "no", err
	}
	for _, member := range v.Classes {
		if name, _ := c.Pool.Class(member); name == f.name {
			return "yes", nil
		}
	}
	return "no", nil
}

func (t *teller) fields() error {
	for i := range t.c.Fields {
		m := &t.c.Fields[i]
		text, err := t.fieldText(m)
		if err != nil {
			return err
		}
		t.tell("field "+t.fieldKey(m), text)
	}
	return nil
}

// fieldKey names a field: by its name alone, unless another has the same.
func (t *teller) fieldKey(m *classfile.Member) string {
	if t.fieldNames == nil {
		t.fieldNames = map[string]int{}
		for i := range t.c.Fields {
			t.fieldNames[t.text(t.c.Fields[i].Name)]++
		}
	}
	name := t.text(m.Name)
	if t.fieldNames[name] > 1 {
		return name + ":" + t.text(m.Descriptor)
	}
	return name
}

func (t *teller) fieldText(m *classfile.Member) (string, error) {
	_, desc := t.c.MemberName(m)
	text := join(t.flagsOf(m.Access, m.Attributes).FieldText(), typeName(brief(classfile.Text(t.types(desc)))))
	v, err := classfile.ValueOf[*classfile.ConstantValue](t.c, m.Attributes, "ConstantValue", classfile.InField)
	if v != nil {
		text += " = " + t.constantText(v.Value, desc)
	}
	return text, err
}

// types is a field descriptor with the canonical name of its class.
func (t *teller) types(desc string) string {
	i := strings.IndexByte(desc, 'L')
	if class, ok := strings.CutSuffix(desc[i+1:], ";"); ok && i >= 0 {
		return desc[:i+1] + t.f.set.ClassName(class) + ";"
	}
	return desc
}

// canonicalMethod finds the method of package canon for a member; canon has every method of the file.
func (t *teller) canonicalMethod(m *classfile.Member) *canon.Method {
	name, desc := t.c.MemberName(m)
	return t.f.methods()[name+"\x00"+desc]
}

// owners are the fields and methods of a class, as facts name them.
func (f *file) owners() map[string]bool {
	if f.members == nil {
		f.members = map[string]bool{}
		for i := range f.digest.Methods {
			f.members[f.digest.Methods[i].Name+f.digest.Methods[i].Descriptor] = true
		}
		if c, err := f.class(); err == nil { // facts were told before, so it was parsed
			t := &teller{f: f, c: c}
			for i := range c.Fields {
				f.members["field "+t.fieldKey(&c.Fields[i])] = true
			}
		}
	}
	return f.members
}

// methods tells flags of methods, but not of numbered ones: who uses those names them.
func (t *teller) methods() error {
	for i := range t.c.Methods {
		m := &t.c.Methods[i]
		c := t.canonicalMethod(m)
		if c.Name == c.FileName {
			t.owner = c.Name + c.Descriptor
			t.tell(flagsPrefix+methodText(classfile.Text(c.Name), classfile.Text(c.Descriptor)), t.flagsOf(m.Access, m.Attributes).MethodText())
		}
	}
	return nil
}

func (t *teller) name() error {
	if t.f.digest.Name != t.f.name {
		t.tell("name in the file", dotted(classfile.Text(t.f.name)))
	}
	return nil
}

func (t *teller) order() error {
	var fields, methods []string
	for i := range t.c.Fields {
		fields = append(fields, t.fieldKey(&t.c.Fields[i]))
	}
	for i := range t.c.Methods {
		name, desc := t.c.MemberName(&t.c.Methods[i])
		methods = append(methods, classfile.Text(name+desc))
	}
	t.orderOf("fields", fields)
	t.orderOf("methods", methods)
	return nil
}

func (t *teller) inner() error {
	if err := t.innerClasses(); err != nil {
		return err
	}
	enclosing, err := classfile.ValueOf[*classfile.EnclosingMethod](t.c, t.c.Attributes, "EnclosingMethod", classfile.InClass)
	if err != nil {
		return err
	}
	if enclosing != nil {
		t.tell("declared in", t.enclosing(enclosing))
	}
	members, err := classfile.ValueOf[*classfile.NestMembers](t.c, t.c.Attributes, "NestMembers", classfile.InClass)
	if err != nil {
		return err
	}
	if members != nil {
		names := t.classNames(members.Classes)
		for _, name := range names {
			t.tell("nest member "+name, "")
		}
		t.orderOf("nest members", names)
	}
	return t.permittedIn("permitted subclasses")
}

func (t *teller) enclosing(e *classfile.EnclosingMethod) string {
	class := t.className(e.Class)
	name, desc, ok := t.c.Pool.NameAndType(e.Method)
	if !ok {
		return "an initializer of " + class
	}
	return methodText(classfile.Text(name), classfile.Text(desc)) + " of " + class
}

// innerClasses tells the entries about this class and its members.
func (t *teller) innerClasses() error {
	v, err := classfile.ValueOf[*classfile.InnerClasses](t.c, t.c.Attributes, "InnerClasses", classfile.InClass)
	if v == nil || err != nil {
		return err
	}
	var entries []string
	for _, e := range v.Classes {
		inner, _ := t.c.Pool.Class(e.Inner)
		outer, _ := t.c.Pool.Class(e.Outer)
		simple := t.text(e.Name)
		if inner == t.f.name || outer == t.f.name {
			entries = append(entries, t.className(e.Inner))
		}
		switch {
		case inner == t.f.name && e.Outer != 0:
			t.tell("declared as", join(e.Access.ClassText(), simple, "of", t.className(e.Outer)))
		case inner == t.f.name && simple == "":
			t.tell("declared as", join(e.Access.ClassText(), "anonymous class"))
		case inner == t.f.name:
			t.tell("declared as", join(e.Access.ClassText(), "local class", simple))
		case outer == t.f.name:
			t.tell("member class "+t.className(e.Inner), join(e.Access.ClassText(), simple))
		}
	}
	t.orderOf("entries about itself and its members", entries)
	return nil
}
