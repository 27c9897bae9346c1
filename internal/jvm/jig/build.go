package jig

import (
	"fmt"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/observed"
)

// A Builder makes graphs of the revisions of a program. What it makes of a class it keeps, so that only classes that changed are read for the next revision; calls and names are linked anew, because they depend on
// all classes. Its zero value is ready to use. It must not be used by several goroutines at once.
type Builder struct {
	// Roots says which methods can be entered from outside. Without it all can: test runners enter by reflection, and recording does not say who called.
	Roots func(observed.Method) bool

	// literal leaves out what the paper's words do not have, so that a test can show what they miss.
	literal bool
	units   map[digest.Digest]*canon.Unit
	parts   map[key]*part
	read    int
}

// A key names the content of a class. The checksum alone would not do: that of a class stays the same when numbered names that it uses in other classes change, but references must be linked by the names of the
// files. Nor would the bytes: canonical names depend on other classes of the group.
type key struct{ bytes, checksum digest.Digest }

// A part is what a class contributes to a graph, apart from linking.
type part struct {
	name   string // canonical
	file   string
	bodies []*body
	consts map[string]string // constant values of static fields, by name and type
}

// Main tells whether a method is one that the JVM starts. With it as Roots a graph has the roots of the paper.
func Main(m observed.Method) bool {
	return m.Name == "main" && m.Descriptor == "([Ljava/lang/String;)V"
}

// Read is the number of classes that were read so far and not reused.
func (b *Builder) Read() int { return b.read }

// Keep forgets the classes that none of some programs has.
func (b *Builder) Keep(programs ...*observed.Program) {
	units, parts := map[digest.Digest]*canon.Unit{}, map[key]*part{}
	for _, p := range programs {
		for _, name := range p.Names() {
			k := keyOf(p.Class(name))
			if u := b.units[k.bytes]; u != nil {
				units[k.bytes] = u
			}
			if c := b.parts[k]; c != nil {
				parts[k] = c
			}
		}
	}
	b.units, b.parts = units, parts
}

func keyOf(c *observed.Class) key { return key{digest.Of(c.Bytes), c.Checksum} }

// Build makes the graph of a program.
func (b *Builder) Build(p *observed.Program) (*Graph, error) {
	parts, err := b.classes(p)
	if err != nil {
		return nil, err
	}
	return link(p, parts, b.Roots, b.literal)
}

// classes makes the parts of all classes, in the order of their names.
func (b *Builder) classes(p *observed.Program) ([]*part, error) {
	if b.parts == nil {
		b.units, b.parts = map[digest.Digest]*canon.Unit{}, map[key]*part{}
	}
	names := p.Names()
	keys := make([]key, len(names))
	fresh := false
	for i, name := range names {
		keys[i] = keyOf(p.Class(name))
		fresh = fresh || b.parts[keys[i]] == nil
	}
	var set *canon.Set
	if fresh {
		var err error
		if set, err = b.set(p, keys); err != nil {
			return nil, err
		}
	}
	parts := make([]*part, len(names))
	for i, name := range names {
		c := b.parts[keys[i]]
		if c == nil {
			var err error
			if c, err = partOf(set, p.Class(name), b.literal); err != nil {
				return nil, err
			}
			b.parts[keys[i]] = c
			b.read++
		}
		parts[i] = c
	}
	return parts, nil
}

// set is the classes of a program as far as canonical names depend on them.
func (b *Builder) set(p *observed.Program, keys []key) (*canon.Set, error) {
	units := make([]*canon.Unit, len(keys))
	for i, name := range p.Names() {
		u := b.units[keys[i].bytes]
		if u == nil {
			var err error
			if u, err = canon.Read(p.Class(name).Bytes); err != nil {
				return nil, fmt.Errorf("class %s: %w", name, err)
			}
			b.units[keys[i].bytes] = u
		}
		units[i] = u
	}
	return canon.NewSet(units...), nil
}

func partOf(set *canon.Set, c *observed.Class, literal bool) (*part, error) {
	out := &part{name: c.Canon.Name, file: c.Name, consts: map[string]string{}}
	named := map[[2]string]*canon.Method{}
	for i := range c.Canon.Methods {
		m := &c.Canon.Methods[i]
		named[[2]string{m.FileName, m.FileDescriptor}] = m
	}
	for i := range c.File.Methods {
		m := &c.File.Methods[i]
		if m.Access&classfile.Abstract != 0 {
			continue // nothing enters it
		}
		name, desc := c.File.MemberName(m)
		as := named[[2]string{name, desc}]
		if as == nil {
			return nil, fmt.Errorf("class %s: method %s%s has no canonical name", c.Name, name, desc)
		}
		code, err := c.File.Code(m)
		if err != nil {
			return nil, fmt.Errorf("class %s: %w", c.Name, err)
		}
		list, err := set.List(c.Name, name, desc)
		if err != nil {
			return nil, err
		}
		b := newBody(observed.Method{Class: c.Name, Name: name, Descriptor: desc}, c.Canon.Name+"."+as.Name+as.Descriptor, m.Access)
		if err := b.fill(c.File, code, list, literal); err != nil {
			return nil, err
		}
		out.bodies = append(out.bodies, b)
	}
	return out, out.constants(c.File)
}

// constants collects the values that fields have before any code runs.
func (p *part) constants(file *classfile.Class) error {
	for i := range file.Fields {
		f := &file.Fields[i]
		v, err := classfile.ValueOf[*classfile.ConstantValue](file, f.Attributes, "ConstantValue", classfile.InField)
		if err != nil {
			return fmt.Errorf("class %s: %w", p.file, err)
		}
		if v == nil {
			continue
		}
		name, desc := file.MemberName(f)
		k := file.Pool.At(v.Value)
		text, _ := file.Pool.String(v.Value) // "" for a number, which has its bits
		p.consts[name+":"+desc] = fmt.Sprintf("%d %d %q", k.Tag, k.Bits, text)
	}
	return nil
}
