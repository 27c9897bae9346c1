package hierarchy

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/jvm/classfile"
)

// A Class is what linking needs to know about a class or interface. It must not change once a World has seen it.
type Class struct {
	Name        string // internal name
	Major       uint16 // class file version
	Access      classfile.Flags
	Super       string // "" for java/lang/Object
	Interfaces  []string
	NestHost    string // as the class claims it; "" if it does not
	NestMembers []string
	Permitted   []string // PermittedSubclasses; nil unless Sealed
	Sealed      bool
	Fields      []Member
	Methods     []Member
}

// A Member is a field or method.
type Member struct {
	Name, Descriptor string
	Access           classfile.Flags
}

func (m *Member) is(f classfile.Flags) bool { return m.Access&f != 0 }

func (c *Class) is(f classfile.Flags) bool { return c.Access&f != 0 }

// Of takes from a class file what linking needs. The result shares no memory with it.
func Of(c *classfile.Class) (*Class, error) {
	out := &Class{Name: strings.Clone(c.Name()), Super: strings.Clone(c.SuperName()), Major: c.Major, Access: c.Access}
	for _, name := range c.InterfaceNames() {
		out.Interfaces = append(out.Interfaces, strings.Clone(name))
	}
	out.Fields, out.Methods = members(c, c.Fields), members(c, c.Methods)
	for i := range c.Attributes {
		if err := out.attribute(c, &c.Attributes[i]); err != nil {
			return nil, fmt.Errorf("class %s: %w", classfile.Text(out.Name), err)
		}
	}
	return out, nil
}

func members(c *classfile.Class, list []classfile.Member) []Member {
	out := make([]Member, len(list))
	for i := range list {
		name, descriptor := c.MemberName(&list[i])
		out[i] = Member{Name: strings.Clone(name), Descriptor: strings.Clone(descriptor), Access: list[i].Access}
	}
	return out
}

// The versions from which a JVM heeds the attributes; in older classes they have no meaning.
const (
	nestVersion   = 55
	sealedVersion = 61
)

func (c *Class) attribute(file *classfile.Class, a *classfile.Attribute) error {
	name, _ := file.Pool.UTF8(a.Name)
	switch {
	case (name == "NestHost" || name == "NestMembers") && c.Major >= nestVersion:
	case name == "PermittedSubclasses" && c.Major >= sealedVersion:
	default:
		return nil
	}
	v, err := a.Value(&file.Pool, classfile.InClass)
	if err != nil {
		return err
	}
	switch v := v.(type) {
	case *classfile.NestHost:
		host, err := names(file, []uint16{v.Class})
		if err != nil {
			return err
		}
		c.NestHost = host[0]
	case *classfile.NestMembers:
		c.NestMembers, err = names(file, v.Classes)
	case *classfile.PermittedSubclasses:
		c.Sealed = true
		c.Permitted, err = names(file, v.Classes)
	}
	return err
}

func names(c *classfile.Class, indices []uint16) ([]string, error) {
	out := make([]string, len(indices))
	for i, index := range indices {
		name, ok := c.Pool.Class(index)
		if !ok {
			return nil, fmt.Errorf("constant %d is not a class", index)
		}
		out[i] = strings.Clone(name)
	}
	return out, nil
}

// sameHeader tells whether two classes say the same about themselves, members aside.
func sameHeader(a, b *Class) bool {
	return a.Access == b.Access && a.Super == b.Super && a.Major == b.Major && a.NestHost == b.NestHost && a.Sealed == b.Sealed &&
		slices.Equal(a.Interfaces, b.Interfaces) && slices.Equal(a.NestMembers, b.NestMembers) && slices.Equal(a.Permitted, b.Permitted)
}

// packageOf is the package of a class name: what precedes the last slash.
func packageOf(name string) string {
	i := strings.LastIndexByte(name, '/')
	return name[:max(i, 0)]
}
