package observed

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/hierarchy"
)

// A Class is an internal class of a revision.
type Class struct {
	Name  string // internal, such as p/A
	Bytes []byte
	// Checksum covers the whole class without debug information.
	Checksum digest.Digest
	// Canon has the digests of its bodies and of the parts of its shape.
	Canon *canon.Class
	// File is the decoded class file.
	File *classfile.Class
}

// An External tells what is known of classes that are not internal.
type External interface {
	// Lookup is what linking needs to know of a class; hierarchy.ErrNotFound if there is none.
	Lookup(name string) (*hierarchy.Class, error)
	// Checksum is the digest of a library's class, Absent if there is none. Those of the JDK have one for all.
	Checksum(name string) digest.Digest
}

// A Program is one revision. It may be asked by several goroutines at once, but for World.
type Program struct {
	classes  map[string]*Class
	names    []string
	external External
	world    func() *hierarchy.World
}

// NewProgram makes a program of class files, by internal name. A class that cannot be decoded is an error: these techniques have no answer to it.
func NewProgram(files map[string][]byte, external External) (*Program, error) {
	set, err := canon.ReadAll(files)
	if err != nil {
		return nil, err
	}
	p := &Program{classes: map[string]*Class{}, names: slices.Sorted(maps.Keys(files)), external: external}
	for _, name := range p.names {
		c := &Class{Name: name, Bytes: files[name]}
		if c.Canon, err = set.Class(name); err != nil {
			return nil, err
		}
		if c.File, err = classfile.Decode(files[name]); err != nil {
			return nil, fmt.Errorf("class %s: %w", name, err)
		}
		c.Checksum = checksum(c.Canon)
		p.classes[name] = c
	}
	p.world = sync.OnceValue(func() *hierarchy.World { return hierarchy.New(p.lookup) })
	return p, nil
}

// checksum covers shape and bodies, with the names that the class has in its file: a dependency is found by that name.
func checksum(c *canon.Class) digest.Digest {
	var b digest.Builder
	b.AddString(c.File).Add(c.Shape[:])
	for i := range c.Methods {
		m := &c.Methods[i]
		b.AddString(m.Name).AddString(m.Descriptor).Add(m.Body[:])
	}
	return b.Sum()
}

// Names are the internal classes, sorted.
func (p *Program) Names() []string { return p.names }

// Class finds an internal class; nil if there is none of this name.
func (p *Program) Class(name string) *Class { return p.classes[name] }

// Internal tells whether the project has a class.
func (p *Program) Internal(name string) bool { return p.classes[name] != nil }

// Checksum is the checksum of a class, internal or of a library; Absent if there is none.
func (p *Program) Checksum(name string) digest.Digest {
	if c := p.classes[name]; c != nil {
		return c.Checksum
	}
	return p.external.Checksum(name)
}

// World links the classes, external ones included.
func (p *Program) World() *hierarchy.World { return p.world() }

func (p *Program) lookup(name string) (*hierarchy.Class, error) {
	if c := p.classes[name]; c != nil {
		return hierarchy.Of(c.File)
	}
	return p.external.Lookup(name)
}

// Body is the digest of a method's body; Absent if there is no such method, or it has no code.
func (p *Program) Body(m Method) digest.Digest {
	c := p.classes[m.Class]
	if c == nil {
		return digest.Absent
	}
	for i := range c.Canon.Methods {
		of := &c.Canon.Methods[i]
		if of.FileName == m.Name && of.FileDescriptor == m.Descriptor {
			return of.Body
		}
	}
	return digest.Absent
}
