package canon

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
)

// A Unit is one class file, read but not yet named: digests of bodies without numbered names in them are final, the others wait for the names
// of a Set. It aliases the bytes it was read from.
type Unit struct {
	Name string // in the file

	class   *classfile.Class
	file    digest.Digest // of the whole file
	opaque  string        // name of an attribute on no list, or ""
	marked  bool          // has a Synthetic attribute somewhere
	bare    bool          // without test methods; see Frame
	methods []methodUnit
	order   []uint16 // the methods by name and descriptor
	hints   []string // string constants that may contain a numbered name
	place   place
	nest    []string // classes that it accepts as members of its nest

	boot   []classfile.BootstrapMethod
	equals map[uint16]int // of dynamic constants: how many equal ones stand in front in the pool
}

// A methodUnit is a method of a unit.
type methodUnit struct {
	member     *classfile.Member
	name, desc string
	code       *classfile.Code // nil: abstract or native
	body       digest.Digest   // final if refs is empty
	refs       []ref           // numbered names in the body, in the order of the code
}

// byNameAndType orders members.
func byNameAndType(aName, aDesc, bName, bDesc string) int {
	if c := strings.Compare(aName, bName); c != 0 {
		return c
	}
	return strings.Compare(aDesc, bDesc)
}

// A place is where a class is declared, as far as its canonical name depends on it.
type place struct {
	local           bool   // a local or anonymous class
	simple          string // simple name; "" if anonymous
	outer           string // class that it is a member of, or that encloses it
	method          string // name and descriptor of the enclosing method; "" in an initializer
	switchMap, mark bool   // classes that javac adds: the tables of enum switches, and the type that marks access constructors
}

// Read normalizes one class file. What cannot be read to the last instruction is an error (S6.1).
func Read(data []byte) (*Unit, error) {
	c, err := classfile.Read(data)
	if err != nil {
		return nil, err
	}
	u := &Unit{Name: c.Name(), class: c}
	if err := u.read(); err != nil {
		return nil, fmt.Errorf("class %s: %w", classfile.Text(u.Name), err)
	}
	if u.opaque != "" || c.Major > classfile.Newest {
		u.file = digest.Of(data)
	}
	return u, nil
}

func (u *Unit) read() error {
	c := u.class
	f := newForm(u, nil)
	defer f.done()
	u.checkAttributes(f, c.Attributes, classfile.InClass)
	if err := u.checkComponents(f); err != nil {
		return err
	}
	for i := range c.Fields {
		u.checkAttributes(f, c.Fields[i].Attributes, classfile.InField)
	}
	if u.readConstants() {
		if err := u.readDynamic(); err != nil {
			return err
		}
	}
	u.methods = make([]methodUnit, len(c.Methods))
	for i := range c.Methods {
		m := &u.methods[i]
		m.member = &c.Methods[i]
		m.name, m.desc = c.MemberName(m.member)
		if err := u.readMethod(m, f); err != nil {
			return fmt.Errorf("method %s%s: %w", classfile.Text(m.name), classfile.Text(m.desc), err)
		}
	}
	u.order = make([]uint16, len(u.methods))
	for i := range u.order {
		u.order[i] = uint16(i)
	}
	slices.SortStableFunc(u.order, func(i, j uint16) int {
		a, b := &u.methods[i], &u.methods[j]
		return byNameAndType(a.name, a.desc, b.name, b.desc)
	})
	if err := u.readPlace(); err != nil {
		return err
	}
	return u.readNest()
}

func (u *Unit) readNest() error {
	v, err := value[*classfile.NestMembers](u.class, "NestMembers")
	if v == nil || err != nil {
		return err
	}
	u.nest, err = u.classNames(v.Classes)
	return err
}

func (u *Unit) readMethod(m *methodUnit, f *form) error {
	u.checkAttributes(f, m.member.Attributes, classfile.InMethod)
	code, err := u.class.Code(m.member)
	if err != nil {
		return err
	}
	if code == nil {
		m.body = digest.Absent
		return nil
	}
	u.checkAttributes(f, code.Attributes, classfile.InCode)
	m.code = code
	f.reset()
	if err := u.methodBody(f, m); err != nil {
		return err
	}
	m.body, m.refs = f.digest(), f.refs
	return nil
}

// methodBody writes the body of a method; of one whose declaration is in no link part, because its name is numbered, the flags too.
func (u *Unit) methodBody(f *form, m *methodUnit) error {
	if err := u.body(f, m.code); err != nil {
		return err
	}
	if numberedMethod(m.name) {
		f.num(u.flags(f, m.member.Access, m.member.Attributes))
	}
	return nil
}

// checkAttributes makes the class opaque if an attribute is on no list, or stands where its meaning is not the listed one (S6.2).
func (u *Unit) checkAttributes(f *form, attributes []classfile.Attribute, place classfile.Place) {
	for i := range attributes {
		a := u.attribute(f, attributes[i].Name)
		u.marked = u.marked || a.use == synthetic
		switch {
		case a.use == leftOut:
		case a.use == unlisted || a.places&place == 0 || u.twice(attributes, i):
			u.opaque, _ = u.class.Pool.UTF8(attributes[i].Name)
		}
	}
}

// twice tells whether an attribute stands in front with the same name: a JVM refuses that, or takes one of the two.
func (u *Unit) twice(attributes []classfile.Attribute, i int) bool {
	name, _ := u.class.Pool.UTF8(attributes[i].Name)
	for j := range i {
		if other, _ := u.class.Pool.UTF8(attributes[j].Name); other == name {
			return true
		}
	}
	return false
}

// checkComponents checks the attributes of record components.
func (u *Unit) checkComponents(f *form) error {
	v, err := value[*classfile.Record](u.class, "Record")
	if v == nil || err != nil {
		return err
	}
	for i := range v.Components {
		u.checkAttributes(f, v.Components[i].Attributes, classfile.InRecord)
	}
	return nil
}

// readPlace finds out where the class was declared, if its name could be numbered.
func (u *Unit) readPlace() error {
	if !numbered(u.Name) {
		return nil
	}
	c := u.class
	inner, err := value[*classfile.InnerClasses](c, "InnerClasses")
	if err != nil || inner == nil {
		return err
	}
	var self *classfile.InnerClass
	for i := range inner.Classes {
		if name, _ := c.Pool.Class(inner.Classes[i].Inner); name == u.Name {
			self = &inner.Classes[i]
		}
	}
	if self == nil {
		return nil
	}
	if u.place.simple, err = u.text(self.Name); err != nil {
		return err
	}
	if self.Outer != 0 {
		u.place.outer, _ = c.Pool.Class(self.Outer)
		return nil
	}
	enclosing, err := value[*classfile.EnclosingMethod](c, "EnclosingMethod")
	if err != nil || enclosing == nil {
		return err
	}
	class, name, desc, err := u.enclosing(enclosing)
	if err != nil {
		return err
	}
	u.place.outer, u.place.method = class, name+desc
	u.place.local = true
	u.place.switchMap = c.Access&classfile.Synthetic != 0 && u.hasSwitchMap()
	u.place.mark = c.Access&classfile.Synthetic != 0 && len(c.Fields) == 0 && len(c.Methods) == 0
	return nil
}

func (u *Unit) hasSwitchMap() bool {
	for i := range u.class.Fields {
		if name, _ := u.class.MemberName(&u.class.Fields[i]); strings.HasPrefix(name, "$SwitchMap$") {
			return true
		}
	}
	return false
}

// since gives the class file version from which on a kind of constant is legal: a JVM refuses a class that has one before.
var since = [...]uint16{classfile.TagMethodHandle: 51, classfile.TagMethodType: 51, classfile.TagInvokeDynamic: 51, classfile.TagModule: 53, classfile.TagPackage: 53, classfile.TagDynamic: 55}

// readConstants keeps the string constants in which a numbered name may stand, makes a class with constants that its version must not have
// opaque, and tells whether there is a dynamic constant.
func (u *Unit) readConstants() (dynamic bool) {
	p := &u.class.Pool
	for i := range uint16(p.Len()) {
		tag := p.Tag(i)
		if since[tag] > u.class.Major {
			u.opaque = "a constant of kind " + tag.String()
		}
		dynamic = dynamic || tag == classfile.TagDynamic
		if tag != classfile.TagString {
			continue
		}
		s, _ := p.String(i)
		if strings.IndexByte(s, '$') >= 0 && (numbered(s) || strings.Contains(s, "lambda$") || strings.Contains(s, "access$")) {
			u.hints = append(u.hints, s)
		}
	}
	return dynamic
}

// value decodes an attribute of the class; the zero value if there is none.
func value[V classfile.Value](c *classfile.Class, name string) (V, error) {
	return classfile.ValueOf[V](c, c.Attributes, name, classfile.InClass)
}

// Foreign lists the groups of other top-level classes on whose numbered names the digests of this class may depend, sorted.
func (u *Unit) Foreign() []string {
	own := Group(u.Name)
	seen := map[string]bool{}
	add := func(name string) {
		if g := Group(name); g != own && numbered(name) {
			seen[g] = true
		}
	}
	p := &u.class.Pool
	for i := range uint16(p.Len()) {
		s, ok := p.UTF8(i)
		if !ok || !numbered(s) {
			continue
		}
		add(s)
		eachClass(s, func(start, end int) { add(s[start:end]) })
	}
	return slices.Sorted(maps.Keys(seen))
}

// ForeignMethods lists classes of other groups of which the class names a numbered method, sorted: whose method that is depends on those
// classes and their superclasses.
func (u *Unit) ForeignMethods() []string {
	seen := map[string]bool{}
	for i := range u.methods {
		for _, r := range u.methods[i].refs {
			if r.name != "" && Group(r.class) != Group(u.Name) {
				seen[r.class] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// Super is the name of the superclass, "" if there is none.
func (u *Unit) Super() string { return u.class.SuperName() }
