package hyrts

import (
	"maps"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/observed"
)

// A shape is what is compared of a class. Classes with equal checksums share one.
type shape struct {
	checksum   digest.Digest
	header     digest.Digest
	super      string
	interfaces []string
	methods    map[string]method // by canonical name and descriptor
	names      map[string]string // from the name and descriptor in the file to the canonical ones, where they differ
}

// A method is what is compared of a method.
type method struct {
	name, descriptor string
	content          digest.Digest
	static           bool
}

// instance tells whether it is found by lookup on an object.
func (m method) instance() bool { return !m.static && m.name != "<init>" }

// same tells whether two versions of a class are equal; nil is one that does not exist.
func same(a, b *shape) bool {
	return a == b || a != nil && b != nil && a.checksum.Same(b.checksum)
}

// shapeOf takes what is compared from a class.
func shapeOf(c *observed.Class) *shape {
	s := &shape{checksum: c.Checksum, super: c.File.SuperName(), interfaces: c.File.InterfaceNames(), methods: map[string]method{}, names: map[string]string{}}
	s.header = header(c.Canon)
	for i := range c.Canon.Methods {
		m := &c.Canon.Methods[i]
		var b digest.Builder
		b.Add(m.Body[:]).Add([]byte{byte(m.Access >> 8), byte(m.Access)})
		key := m.Name + m.Descriptor
		s.methods[key] = method{m.Name, m.Descriptor, b.Sum(), m.Access&classfile.Static != 0}
		if file := m.FileName + m.FileDescriptor; file != key {
			s.names[file] = key
		}
	}
	return s
}

// headerParts are the parts of a shape that the tool prints for a class without its members.
var headerParts = map[string]bool{"version": true, "flags": true, "supertypes": true, "permitted": true, "nest": true, "inner classes": true, "declarations": true}

func header(c *canon.Class) digest.Digest {
	var b digest.Builder
	for _, part := range c.Parts() {
		if headerParts[part.Name] {
			b.AddString(part.Name).Add(part.Digest[:])
		}
	}
	return b.Sum()
}

// A revision is what is kept of a program.
type revision struct {
	program  *observed.Program // only of the newest; nil otherwise
	shapes   map[string]*shape
	children map[string][]string // subclasses by superclass, sorted
}

// A history has the revisions that test classes ran at.
type history struct {
	files   bool
	shapes  map[string]*shape // the newest of each class
	last    *revision
	diffs   map[*revision]*difference // from each to the last
	numbers map[observed.Method]uint32
}

// number gives a method a number that is its own for the whole history.
func (h *history) number(m observed.Method) uint32 {
	n, ok := h.numbers[m]
	if !ok {
		n = uint32(len(h.numbers))
		h.numbers[m] = n
	}
	return n
}

// revision finds or makes what is kept of a program.
func (h *history) revision(p *observed.Program) *revision {
	if h.last != nil && h.last.program == p {
		return h.last
	}
	if h.last != nil {
		h.last.program = nil // its class files are not needed any more
	}
	r := &revision{program: p, shapes: map[string]*shape{}, children: map[string][]string{}}
	for _, name := range p.Names() {
		c := p.Class(name)
		s := h.shapes[name]
		if s == nil || !s.checksum.Same(c.Checksum) {
			s = shapeOf(c)
			h.shapes[name] = s
		}
		r.shapes[name] = s
		r.children[s.super] = append(r.children[s.super], name)
	}
	h.last, h.diffs = r, map[*revision]*difference{}
	return r
}

// canonical gives a method its canonical name.
func (r *revision) canonical(m observed.Method) observed.Method {
	s := r.shapes[m.Class]
	if s == nil {
		return m
	}
	if key, ok := s.names[m.Name+m.Descriptor]; ok {
		of := s.methods[key]
		m.Name, m.Descriptor = of.name, of.descriptor
	}
	return m
}

// instance tells whether a method, by its name in the file, is one of objects.
func (r *revision) instance(m observed.Method) bool {
	s := r.shapes[m.Class]
	c := r.canonical(m)
	return s != nil && s.methods[c.Name+c.Descriptor].instance()
}

// below tells whether an internal class is a subtype of another, or the same.
func (r *revision) below(class, of string) bool {
	seen := map[string]bool{class: true} // a class file can name itself as its supertype
	for todo := []string{class}; len(todo) > 0; {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if name == of {
			return true
		}
		s := r.shapes[name]
		if s == nil {
			continue
		}
		for _, above := range append(slices.Clip(s.interfaces), s.super) {
			if !seen[above] {
				seen[above] = true
				todo = append(todo, above)
			}
		}
	}
	return false
}

// A difference is what differs between two revisions.
type difference struct {
	classes []string
	methods []observed.Method // changed or removed
	lookups []observed.Method // the class is that of receivers
}

// difference compares an older revision with the last one, once.
func (h *history) difference(old, now *revision) *difference {
	if d, ok := h.diffs[old]; ok {
		return d
	}
	d := &difference{}
	for _, name := range slices.Sorted(maps.Keys(old.shapes)) {
		before, after := old.shapes[name], now.shapes[name]
		switch {
		case same(before, after):
		case after == nil || !before.header.Same(after.header) || h.files && lookupDiffers(before, after):
			d.classes = append(d.classes, name)
		default:
			d.compare(old, name, before, after)
		}
	}
	h.diffs[old] = d
	return d
}

// lookupDiffers tells whether instance methods were added or removed.
func lookupDiffers(before, after *shape) bool {
	lacks := func(a, b *shape) bool {
		for key, m := range a.methods {
			if _, ok := b.methods[key]; !ok && m.instance() {
				return true
			}
		}
		return false
	}
	return lacks(before, after) || lacks(after, before)
}

// compare compares the methods of a class whose header is the same.
func (d *difference) compare(old *revision, class string, before, after *shape) {
	for _, key := range slices.Sorted(maps.Keys(before.methods)) {
		was := before.methods[key]
		is, ok := after.methods[key]
		switch {
		case ok && !is.content.Same(was.content), !ok && !was.instance():
			d.methods = append(d.methods, observed.Method{Class: class, Name: was.name, Descriptor: was.descriptor})
		case !ok:
			d.lookup(old, class, was)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(after.methods)) {
		if is := after.methods[key]; is.instance() && !has(before, key) {
			d.lookup(old, class, is)
		}
	}
}

func has(s *shape, key string) bool {
	_, ok := s.methods[key]
	return ok
}

// lookup notes the receivers that find another method: the class, and subclasses that do not declare it. Implementors of an interface are no subclasses here, as in the tool.
func (d *difference) lookup(old *revision, class string, m method) {
	seen := map[string]bool{class: true}
	for todo := []string{class}; len(todo) > 0; todo = todo[1:] {
		d.lookups = append(d.lookups, observed.Method{Class: todo[0], Name: m.name, Descriptor: m.descriptor})
		for _, sub := range old.children[todo[0]] {
			if !seen[sub] && !has(old.shapes[sub], m.name+m.descriptor) {
				seen[sub] = true
				todo = append(todo, sub)
			}
		}
	}
}
