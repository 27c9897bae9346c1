package assemble

import (
	"fmt"

	"winnow/internal/jvm/classfile"
)

// A Header is what a class says about itself before its members.
type Header struct {
	Major, Minor uint16 // version; Major 0 means 52 (Java 8)
	Access       classfile.Flags
	Name         string // internal name
	Super        string // "" means none
	Interfaces   []string
}

// A Class is a class file being built. Create it with New.
type Class struct {
	file      classfile.Class
	index     map[classfile.Constant]uint16
	bootstrap []classfile.BootstrapMethod
	err       error
}

// New starts a class.
func New(h Header) *Class {
	c := &Class{index: map[classfile.Constant]uint16{}}
	if h.Major == 0 {
		h.Major = 52
	}
	c.file.Major, c.file.Minor, c.file.Access = h.Major, h.Minor, h.Access
	c.file.This = c.ClassRef(h.Name)
	if h.Super != "" {
		c.file.Super = c.ClassRef(h.Super)
	}
	for _, name := range h.Interfaces {
		c.file.Interfaces = append(c.file.Interfaces, c.ClassRef(name))
	}
	return c
}

func (c *Class) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("assemble %s: "+format, append([]any{c.file.Name()}, args...)...)
	}
}

// AddField adds a field; a ConstantValue is one of its attributes.
func (c *Class) AddField(access classfile.Flags, name, descriptor string, attributes ...classfile.Attribute) {
	c.file.Fields = append(c.file.Fields, c.member(access, name, descriptor, attributes))
}

// AddMethod adds a method; code is nil if it has none.
func (c *Class) AddMethod(access classfile.Flags, name, descriptor string, code *Code, attributes ...classfile.Attribute) {
	if code != nil {
		body, err := code.finish(access, descriptor)
		if err != nil {
			c.fail("method %s%s: %w", name, descriptor, err)
			return
		}
		attributes = append([]classfile.Attribute{c.Attribute("Code", body)}, attributes...)
	}
	c.file.Methods = append(c.file.Methods, c.member(access, name, descriptor, attributes))
}

func (c *Class) member(access classfile.Flags, name, descriptor string, attributes []classfile.Attribute) classfile.Member {
	return classfile.Member{Access: access, Name: c.UTF8(name), Descriptor: c.UTF8(descriptor), Attributes: attributes}
}

// Attribute makes an attribute for a member or for AddAttribute. classfile.Unknown holds arbitrary bytes.
func (c *Class) Attribute(name string, value classfile.Value) classfile.Attribute {
	a := classfile.Attribute{Name: c.UTF8(name)}
	a.Set(value)
	return a
}

// AddAttribute adds an attribute to the class.
func (c *Class) AddAttribute(name string, value classfile.Value) {
	c.file.Attributes = append(c.file.Attributes, c.Attribute(name, value))
}

// Bytes writes the class file, or returns the first mistake. The class must not be added to afterwards.
func (c *Class) Bytes() ([]byte, error) {
	if c.bootstrap != nil {
		c.AddAttribute("BootstrapMethods", &classfile.BootstrapMethods{Methods: c.bootstrap})
		c.bootstrap = nil
	}
	for what, n := range map[string]int{"interfaces": len(c.file.Interfaces), "fields": len(c.file.Fields), "methods": len(c.file.Methods), "attributes": len(c.file.Attributes)} {
		if n > 65535 {
			c.fail("%d %s, at most 65535 fit", n, what)
		}
	}
	if c.err != nil {
		return nil, c.err
	}
	return c.file.Append(nil), nil
}
