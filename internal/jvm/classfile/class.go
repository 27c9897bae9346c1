package classfile

import "fmt"

// Magic starts every class file.
const Magic = 0xCAFEBABE

// Newest is the major version of the newest class files whose structures this package knows: Java 25.
const Newest = 69

// A Class is one class file (JVMS 4.1).
type Class struct {
	Minor, Major uint16
	Pool         Pool
	Access       Flags
	This, Super  uint16 // Class constants; Super is 0 for java/lang/Object and modules
	Interfaces   []uint16
	Fields       []Member
	Methods      []Member
	Attributes   []Attribute
}

// A Member is a field or a method (JVMS 4.5, 4.6).
type Member struct {
	Access           Flags
	Name, Descriptor uint16 // Utf8 constants
	Attributes       []Attribute
}

// Read reads the outer structure of a class file; attributes are found, not decoded.
func Read(data []byte) (*Class, error) {
	r := &reader{data: data, what: "ClassFile"}
	if magic := r.u4(); r.err == nil && magic != Magic {
		r.failAt(0, "magic is %#x", magic)
	}
	c := &Class{Minor: r.u2(), Major: r.u2()}
	if r.err == nil {
		c.Pool = readPool(r)
	}
	c.Pool.reader = r
	c.readNames(r)
	c.Fields = readMembers(r, &c.Pool, "field_info")
	c.Methods = readMembers(r, &c.Pool, "method_info")
	r.what = "ClassFile"
	c.Attributes = readAttributes(r, &c.Pool)
	r.end()
	if r.err != nil {
		return nil, r.err
	}
	return c, nil
}

// readNames reads the flags, the class and its supertypes.
func (c *Class) readNames(r *reader) {
	r.what = "ClassFile"
	c.Access, c.This, c.Super = Flags(r.u2()), r.u2(), r.u2()
	if r.err == nil && c.Pool.Tag(c.This) != TagClass {
		r.failAt(r.pos-4, "this_class is not a class")
	}
	if r.err == nil && c.Super != 0 && c.Pool.Tag(c.Super) != TagClass {
		r.failAt(r.pos-2, "super_class is not a class")
	}
	r.what = "interfaces"
	c.Interfaces = r.u2s()
	for i, index := range c.Interfaces {
		if r.err == nil && c.Pool.Tag(index) != TagClass {
			r.failAt(r.pos-2*(len(c.Interfaces)-i), "constant %d is not a class", index)
		}
	}
}

func readMembers(r *reader, p *Pool, what string) []Member {
	r.what = what
	out := make([]Member, r.table(int(r.u2()), 8))
	for i := range out {
		m := &out[i]
		m.Access, m.Name, m.Descriptor = Flags(r.u2()), r.u2(), r.u2()
		if r.err == nil && (p.Tag(m.Name) != TagUtf8 || p.Tag(m.Descriptor) != TagUtf8) {
			r.failAt(r.pos-4, "name or descriptor is not a Utf8")
		}
		m.Attributes = readAttributes(r, p)
	}
	return out
}

func readAttributes(r *reader, p *Pool) []Attribute {
	n := int(r.u2())
	if n == 0 {
		return nil
	}
	outer := r.what
	r.what = "attribute_info"
	out := r.slabs.attributes.take(r.table(n, 6))
	for i := range out {
		a := &out[i]
		a.Name = r.u2()
		if r.err == nil && p.Tag(a.Name) != TagUtf8 {
			r.failAt(r.pos-2, "name is not a Utf8")
		}
		size := r.u4()
		if int64(size) > int64(r.left()) {
			r.fail("length is %d, %d bytes are left", size, r.left())
			return nil
		}
		a.Offset = r.base + r.pos
		a.Info = r.bytes(int(size))
	}
	if r.err == nil {
		r.what = outer
	}
	return out
}

// Decode reads a class file and decodes every attribute, also those inside attributes.
func Decode(data []byte) (*Class, error) {
	c, err := Read(data)
	if err != nil {
		return nil, err
	}
	if err := c.decode(); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Class) decode() error {
	if err := decodeAll(c.Attributes, &c.Pool, InClass); err != nil {
		return err
	}
	for i := range c.Fields {
		if err := decodeAll(c.Fields[i].Attributes, &c.Pool, InField); err != nil {
			return err
		}
	}
	for i := range c.Methods {
		if err := decodeAll(c.Methods[i].Attributes, &c.Pool, InMethod); err != nil {
			return err
		}
	}
	return nil
}

// Append writes the class file. Attributes that were decoded are encoded anew, the others copied.
func (c *Class) Append(dst []byte) []byte {
	dst = put4(dst, Magic)
	dst = put2(put2(dst, c.Minor), c.Major)
	dst = c.Pool.Append(dst)
	dst = put2(put2(put2(dst, uint16(c.Access)), c.This), c.Super)
	dst = put2s(dst, c.Interfaces)
	for _, members := range [2][]Member{c.Fields, c.Methods} {
		dst = put2(dst, uint16(len(members)))
		for i := range members {
			m := &members[i]
			dst = put2(put2(put2(dst, uint16(m.Access)), m.Name), m.Descriptor)
			dst = appendAttributes(dst, m.Attributes)
		}
	}
	return appendAttributes(dst, c.Attributes)
}

// Name is the internal name of the class.
func (c *Class) Name() string {
	name, _ := c.Pool.Class(c.This)
	return name
}

// SuperName is the internal name of the superclass, "" if there is none.
func (c *Class) SuperName() string {
	name, _ := c.Pool.Class(c.Super)
	return name
}

// InterfaceNames are the direct superinterfaces, in the order of the file.
func (c *Class) InterfaceNames() []string {
	out := make([]string, len(c.Interfaces))
	for i, index := range c.Interfaces {
		out[i], _ = c.Pool.Class(index)
	}
	return out
}

// MemberName gives name and descriptor of a member of the class.
func (c *Class) MemberName(m *Member) (name, descriptor string) {
	name, _ = c.Pool.UTF8(m.Name)
	descriptor, _ = c.Pool.UTF8(m.Descriptor)
	return name, descriptor
}

// Find returns the first attribute with a name, nil if there is none.
func (c *Class) Find(attributes []Attribute, name string) *Attribute {
	for i := range attributes {
		if n, _ := c.Pool.UTF8(attributes[i].Name); n == name {
			return &attributes[i]
		}
	}
	return nil
}

// Code decodes the code of a method, nil if it has none.
func (c *Class) Code(m *Member) (*Code, error) {
	a := c.Find(m.Attributes, "Code")
	if a == nil {
		return nil, nil
	}
	v, err := a.Value(&c.Pool, InMethod)
	if err != nil {
		return nil, err
	}
	code, ok := v.(*Code)
	if !ok {
		return nil, fmt.Errorf("class file: Code of a method was replaced by %T", v)
	}
	return code, nil
}
