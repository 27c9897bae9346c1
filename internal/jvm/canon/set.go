package canon

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
)

// A Set is the classes of one version of a program, as far as canonical names depend on them: at least all classes of the groups that are asked about. What is
// referred to from outside keeps its name.
//
// A Set may be used by several goroutines at once if no two ask about the same class.
type Set struct {
	groups map[string][]*Unit
	units  map[string]*Unit

	mu      sync.RWMutex
	namings map[string]*naming
}

// NewSet makes a set of units. Of two with the same name the first counts, as on a class path.
func NewSet(units ...*Unit) *Set {
	s := &Set{groups: map[string][]*Unit{}, units: map[string]*Unit{}, namings: map[string]*naming{}}
	for _, u := range units {
		if _, ok := s.units[u.Name]; ok {
			continue
		}
		s.units[u.Name] = u
		key := Group(u.Name)
		s.groups[key] = append(s.groups[key], u)
	}
	return s
}

// Unit finds a unit by its name in the file.
func (s *Set) Unit(name string) (*Unit, bool) {
	u, ok := s.units[name]
	return u, ok
}

// Names are the names of all classes as they are in their files, sorted.
func (s *Set) Names() []string { return slices.Sorted(maps.Keys(s.units)) }

// A Class has the digests of one class.
type Class struct {
	Name    string // canonical
	File    string // name in the file
	Shape   digest.Digest
	Link    digest.Digest // of the link parts
	Reflect digest.Digest // of the reflect parts
	Methods []Method      // sorted by name and descriptor
	Opaque  string        // attribute on no list because of which every digest covers the whole file; or ""

	set  *Set
	unit *Unit
}

// A Method has the digest of one method's body.
type Method struct {
	Name, Descriptor         string // canonical
	FileName, FileDescriptor string // in the file
	Access                   classfile.Flags
	Body                     digest.Digest // Absent if it has no code
}

// Class digests one class, which must be in the set.
func (s *Set) Class(name string) (*Class, error) {
	u, ok := s.units[name]
	if !ok {
		return nil, fmt.Errorf("class %s is not in the set", classfile.Text(name))
	}
	c := &Class{Name: s.ClassName(name), File: name, Opaque: u.opaque, set: s, unit: u}
	if c.Opaque == "" && u.file != digest.Unknown {
		c.Opaque = fmt.Sprintf("class file version %d", u.class.Major)
	}
	f := newForm(u, s)
	defer f.done()
	if err := c.shape(u, f); err != nil {
		return nil, fmt.Errorf("class %s: %w", classfile.Text(name), err)
	}
	if err := c.bodies(u, f); err != nil {
		return nil, fmt.Errorf("class %s: %w", classfile.Text(name), err)
	}
	return c, nil
}

func (c *Class) shape(u *Unit, f *form) (err error) {
	if c.Link, err = u.parts(f, Link); err != nil {
		return err
	}
	if c.Reflect, err = u.parts(f, Reflect); err != nil {
		return err
	}
	c.Shape = digest.Of(append(c.Link[:], c.Reflect[:]...))
	return nil
}

// parts digests all parts of a kind together. The length behind each part tells where it starts.
func (u *Unit) parts(f *form, kind Meaning) (digest.Digest, error) {
	f.reset()
	for _, p := range parts {
		if p.kind != kind {
			continue
		}
		start := len(f.b)
		if err := p.form(u, f); err != nil {
			return digest.Unknown, fmt.Errorf("%s: %w", p.name, err)
		}
		f.b = binary.BigEndian.AppendUint32(f.b, uint32(len(f.b)-start))
	}
	u.cover(f)
	return f.digest(), nil
}

// Parts digests the parts of the shape one by one. A class that was not made by Set.Class has none.
func (c *Class) Parts() []Part {
	if c.unit == nil {
		return nil
	}
	f := newForm(c.unit, c.set)
	defer f.done()
	out := make([]Part, len(parts))
	for i, p := range parts {
		f.reset()
		if err := p.form(c.unit, f); err != nil {
			panic(fmt.Sprintf("canon: part %s of %s was written before: %v", p.name, c.File, err))
		}
		c.unit.cover(f)
		out[i] = Part{Name: p.name, Kind: p.kind, Digest: f.digest()}
	}
	return out
}

// cover adds the digest of the whole file to a form of an opaque class (S6.2).
func (u *Unit) cover(f *form) {
	if u.file != digest.Unknown {
		f.add(u.file[:])
	}
}

func (c *Class) bodies(u *Unit, f *form) error {
	c.Methods = make([]Method, len(u.methods))
	renamed := false
	for k, i := range u.order {
		m := &u.methods[i]
		body, err := u.bodyDigest(m, f)
		if err != nil {
			return err
		}
		name, desc := f.names.MethodName(u.Name, m.name, m.desc), f.names.types(m.desc)
		renamed = renamed || name != m.name || desc != m.desc
		c.Methods[k] = Method{Name: name, Descriptor: desc, FileName: m.name, FileDescriptor: m.desc, Access: m.member.Access, Body: body}
	}
	if renamed {
		slices.SortStableFunc(c.Methods, compareMethods)
	}
	return nil
}

func (u *Unit) bodyDigest(m *methodUnit, f *form) (digest.Digest, error) {
	opaque := u.file != digest.Unknown
	if m.code == nil || len(m.refs) == 0 && !opaque {
		return m.body, nil
	}
	f.reset()
	if err := u.methodBody(f, m); err != nil {
		return digest.Unknown, err
	}
	u.cover(f)
	return f.digest(), nil
}

// Plain returns the class without its ties to the class file, so that it does not keep that in memory. It has no parts any more.
func (c *Class) Plain() *Class {
	p := *c
	p.set, p.unit = nil, nil
	p.Name, p.File = strings.Clone(c.Name), strings.Clone(c.File)
	p.Methods = slices.Clone(c.Methods)
	for i := range p.Methods {
		m := &p.Methods[i]
		m.FileName, m.FileDescriptor = strings.Clone(m.FileName), strings.Clone(m.FileDescriptor)
		m.Name, m.Descriptor = strings.Clone(m.Name), strings.Clone(m.Descriptor)
	}
	return &p
}
