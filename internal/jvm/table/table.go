package table

import (
	"cmp"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/hierarchy"
)

// The entries of a table: what a test can have covered of a class.
const (
	// Touched: code that the test ran names the class or a subtype of it, or is in it.
	Touched uint32 = 0
	// Reflected: the test looked at the class by reflection or the like.
	Reflected uint32 = 1
	// Framed: a test framework looked at the class, to run one of its test methods.
	Framed uint32 = 2
	// FirstMethod is the entry of Methods[0]; the others follow.
	FirstMethod uint32 = 3
)

// A Table is what a class is, as far as a test can depend on it. Names are canonical but for those that say otherwise. It must not be changed.
type Table struct {
	Name   string
	File   string // name in the file
	Opaque string // see canon.Class

	Link    digest.Digest // link parts but for the list of methods
	Reflect digest.Digest // reflect parts, and the list of methods
	Frame   digest.Digest // see canon.Frame; that of Reflect if the class has no test methods

	Major       uint16
	Access      classfile.Flags
	Super       string
	Interfaces  []string
	NestHost    string
	NestMembers []string
	Sealed      bool
	Permitted   []string
	Fields      []hierarchy.Member // by name and descriptor
	Methods     []Method           // by name and descriptor
}

// A Method is a method of a class.
type Method struct {
	Name, Descriptor         string // canonical
	FileName, FileDescriptor string // in the file
	Access                   classfile.Flags
	Body                     digest.Digest // Absent if it has no code
	Test                     digest.Digest // what reflection shows of a test method; Absent if it is none
}

// String is name and descriptor.
func (m *Method) String() string { return m.Name + m.Descriptor }

// IsTest tells whether it is a test method; see canon.Frame.
func (m *Method) IsTest() bool { return m.Test != digest.Absent && m.Test != digest.Unknown }

// Compare orders methods by canonical name and descriptor.
func (m *Method) Compare(n *Method) int {
	return cmp.Or(strings.Compare(m.Name, n.Name), strings.Compare(m.Descriptor, n.Descriptor))
}

// Digest names the table: it is the digest of its encoding.
func (t *Table) Digest() digest.Digest { return digest.Of(t.Append(nil)) }

// Entry is the entry of a method, by its name and descriptor in the file.
func (t *Table) Entry(fileName, fileDescriptor string) (uint32, bool) {
	i := slices.IndexFunc(t.Methods, func(m Method) bool { return m.FileName == fileName && m.FileDescriptor == fileDescriptor })
	return FirstMethod + uint32(max(i, 0)), i >= 0
}

// Has tells whether there is a method of a name in the file.
func (t *Table) Has(fileName string) bool {
	for i := range t.Methods {
		if t.Methods[i].FileName == fileName {
			return true
		}
	}
	return false
}

// HasStatic tells whether there is a static field of a name.
func (t *Table) HasStatic(name string) bool {
	return slices.ContainsFunc(t.Fields, func(f hierarchy.Member) bool { return f.Name == name && f.Access&classfile.Static != 0 })
}

// IsAbstract tells whether there are no objects of exactly this class.
func (t *Table) IsAbstract() bool { return t.Access&(classfile.Abstract|classfile.Interface) != 0 }

// Method finds a method by its canonical name and descriptor and tells its entry.
func (t *Table) Method(name, descriptor string) (*Method, uint32, bool) {
	want := Method{Name: name, Descriptor: descriptor}
	i, ok := slices.BinarySearchFunc(t.Methods, &want, func(m Method, want *Method) int { return m.Compare(want) })
	if !ok {
		return nil, 0, false
	}
	return &t.Methods[i], FirstMethod + uint32(i), true
}

// Hierarchy is what linking needs to know of the class, in a world of canonical names; see WorldName.
func (t *Table) Hierarchy() *hierarchy.Class {
	c := &hierarchy.Class{
		Name: WorldName(t.Name), Major: t.Major, Access: t.Access, Super: WorldName(t.Super), Interfaces: worldNames(t.Interfaces),
		NestHost: WorldName(t.NestHost), NestMembers: worldNames(t.NestMembers), Sealed: t.Sealed, Permitted: worldNames(t.Permitted), Fields: t.Fields,
		Methods: make([]hierarchy.Member, len(t.Methods)),
	}
	for i := range t.Methods {
		m := &t.Methods[i]
		c.Methods[i] = hierarchy.Member{Name: m.Name, Descriptor: m.Descriptor, Access: m.Access}
	}
	return c
}

// WorldName is the name of a class in a world of canonical names. It is the canonical name with another sign for the slashes behind the
// simple name of its top-level class: what stands before the last slash of a name is its package.
func WorldName(canonical string) string {
	dot := strings.IndexByte(canonical, '.')
	if dot < 0 {
		return canonical
	}
	return canonical[:dot] + strings.ReplaceAll(canonical[dot:], "/", "\\")
}

func worldNames(names []string) []string {
	if !slices.ContainsFunc(names, func(name string) bool { return strings.IndexByte(name, '.') >= 0 }) {
		return names
	}
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = WorldName(name)
	}
	return out
}
