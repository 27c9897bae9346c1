package table

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/hierarchy"
)

// Canonical returns the name in the file of the class that has a canonical name now.
func (p *Program) Canonical(name string) (file string, ok bool) {
	if strings.IndexByte(name, '.') >= 0 {
		file = p.numbered()[WorldName(name)]
		return file, file != ""
	}
	f, ok := p.find(name)
	return name, ok && f.canonical == name
}

// indexNumbered finds the classes whose canonical name is not the one in the file. Two places can give two classes the same one; then it is nobody's.
func (p *Program) indexNumbered() map[string]string {
	out := map[string]string{}
	for name, f := range p.classes {
		if f.canonical == name || p.jdk.hides(name) {
			continue
		}
		world := WorldName(f.canonical)
		if _, twice := out[world]; twice {
			name = ""
		}
		out[world] = name
	}
	return out
}

// Raw tells whether some class of the program names a numbered class of another place by its name in the file, or, with a dot in front, a numbered method. What
// is named so has not kept its identity if its number changed.
func (p *Program) Raw(name string) bool { return p.raw()[name] }

func (p *Program) indexRaw() map[string]bool {
	out := map[string]bool{}
	for _, f := range p.classes {
		for _, name := range f.raw {
			out[name] = true
		}
	}
	return out
}

// Subtypes lists the classes of the class path that are, or are below, one of some classes, by world name (see WorldName), sorted.
func (p *Program) Subtypes(names ...string) []string {
	below := p.below()
	all := map[string]bool{}
	for work := slices.Clone(names); len(work) > 0; {
		name := work[len(work)-1]
		work = work[:len(work)-1]
		if !all[name] {
			all[name] = true
			work = append(work, below[name]...)
		}
	}
	return sortedKeys(all)
}

func (p *Program) indexBelow() map[string][]string {
	out := map[string][]string{}
	for name, f := range p.classes {
		if p.jdk.hides(name) {
			continue
		}
		world := WorldName(f.canonical)
		for _, above := range f.supers {
			above = WorldName(above)
			out[above] = append(out[above], world)
		}
	}
	return out
}

// World is the world of the program's classes under their world names, with those of the JDK.
func (p *Program) World() *hierarchy.World { return p.world }

func (p *Program) lookup(world string) (*hierarchy.Class, error) {
	if p.jdk.has(world) {
		return p.jdk.class(world)
	}
	file := world
	if strings.IndexByte(world, '.') >= 0 {
		var known bool
		if file, known = p.numbered()[world]; known && file == "" {
			return nil, fmt.Errorf("several classes have the name %s", world)
		}
	}
	t, err := p.Table(file)
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return nil, hierarchy.ErrNotFound
	case WorldName(t.Name) != world:
		return nil, fmt.Errorf("class %s has a number that is not its name", file)
	}
	return t.Hierarchy(), nil
}

// Unresolved lists the classes, by their names in the file, in which a method names a field or method that does not link: calling or using it is an error. If one of them or of their
// supertypes gets such a member, the method behaves differently, though nothing that it reached changed. So a test that entered the method depends on their
// lists of members, as one that reflects upon them does.
func (p *Program) Unresolved(class, name, descriptor string) ([]string, error) {
	r, err := p.Refs(class)
	if r == nil || err != nil {
		return nil, err
	}
	m, ok := r.Method(name, descriptor)
	if !ok {
		return nil, fmt.Errorf("class %s has no method %s%s", class, name, descriptor)
	}
	out := map[string]bool{}
	for _, f := range m.Fields {
		ref := hierarchy.Ref{Tag: classfile.TagFieldref, Class: f.Owner, Name: f.Name, Descriptor: f.Descriptor}
		if !p.links(hierarchy.Site{Op: f.op(), Ref: ref, From: class, In: name}) {
			out[f.Owner] = true
		}
	}
	for _, c := range m.Calls {
		ref := hierarchy.Ref{Tag: classfile.TagMethodref, Class: c.Owner, Name: c.Name, Descriptor: c.Descriptor}
		if c.Interface {
			ref.Tag = classfile.TagInterfaceMethodref
		}
		if !p.links(hierarchy.Site{Op: c.Op, Ref: ref, From: class, In: name}) {
			out[c.Owner] = true
		}
	}
	return sortedKeys(out), nil
}

// links tells whether a use links. Arrays and what compilers number need no answer: their members are their compiler's.
func (p *Program) links(s hierarchy.Site) bool {
	if strings.HasPrefix(s.Ref.Class, "[") || numberedMethod(s.Ref.Name) {
		return true
	}
	s.From, s.Ref.Class = p.worldName(s.From), p.worldName(s.Ref.Class)
	s.Ref.Descriptor = p.canonicalTypes(s.Ref.Descriptor)
	return p.world.Link(s).Err == nil
}

func (p *Program) worldName(file string) string { return WorldName(p.canonicalName(file)) }

func (p *Program) canonicalName(file string) string {
	if f, ok := p.find(file); ok {
		return f.canonical
	}
	return file
}

func (p *Program) canonicalTypes(desc string) string {
	if !numbered(desc) {
		return desc
	}
	var out strings.Builder
	last := 0
	for start, end := range classesIn(desc) {
		out.WriteString(desc[last:start] + p.canonicalName(desc[start:end]))
		last = end
	}
	return out.String() + desc[last:]
}

func sortedKeys(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
