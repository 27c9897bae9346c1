package table

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/hierarchy"
)

// Canonical returns the name in the file of the class that has a canonical name, or world name, now.
func (p *Program) Canonical(name string) (file string, ok bool) {
	file, err := p.canonical(WorldName(name))
	return file, err == nil
}

// canonical finds the class with a world name. Two places can give two classes the same one; then it is nobody's.
func (p *Program) canonical(world string) (file string, err error) {
	top, _, numbered := strings.Cut(world, ".")
	if !numbered {
		f := p.find(world)
		switch {
		case f.err != nil:
			return "", f.err
		case f.place == nil:
			return "", hierarchy.ErrNotFound
		case f.row.canonical != world:
			return "", fmt.Errorf("class %s has a number that is not its name", world)
		}
		return world, nil
	}
	for _, place := range p.packages[packageOf(top)] {
		if err := place.load(p.shop); err != nil {
			return "", err
		}
		for _, r := range place.groupOf(top) {
			if WorldName(r.canonical) != world || p.find(r.name).place != place {
				continue
			}
			if file != "" {
				return "", fmt.Errorf("several classes have the name %s", world)
			}
			file = r.name
		}
	}
	if file == "" {
		return "", hierarchy.ErrNotFound
	}
	return file, nil
}

// Raw tells whether some class of the program names a numbered class of another place by its name in the file, or, with a dot in front, a numbered method. What
// is named so has not kept its identity if its number changed.
func (p *Program) Raw(name string) bool { return p.raw[name] }

// Subtypes lists the classes of the class path that are, or are below, one of some classes that are not of the JDK, by world name (see WorldName), sorted.
func (p *Program) Subtypes(names ...string) ([]string, error) {
	all := map[string]bool{}
	for work := slices.Clone(names); len(work) > 0; {
		name := work[len(work)-1]
		work = work[:len(work)-1]
		if all[name] {
			continue
		}
		all[name] = true
		for _, place := range p.places {
			if !place.mayExtend(name) {
				continue
			}
			below, err := p.belowIn(place)
			if err != nil {
				return nil, err
			}
			work = append(work, below[name]...)
		}
	}
	return sortedKeys(all), nil
}

// mayExtend tells whether a place can have a subtype of a class: its own are subtypes of its own, or of what the summary names.
func (p *place) mayExtend(world string) bool {
	top, _, numbered := strings.Cut(world, ".")
	if _, ok := slices.BinarySearch(p.packages, packageOf(top)); ok {
		return true
	}
	if !numbered {
		_, ok := slices.BinarySearch(p.above, world)
		return ok
	}
	return slices.ContainsFunc(p.above, func(name string) bool { return WorldName(name) == world })
}

// belowIn finds the direct subtypes that a place defines.
func (p *Program) belowIn(place *place) (map[string][]string, error) {
	if out, ok := p.below[place]; ok {
		return out, nil
	}
	if err := place.load(p.shop); err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for r := range place.rows() {
		if p.find(r.name).place != place {
			continue
		}
		world := WorldName(r.canonical)
		for _, above := range r.supers {
			above = WorldName(above)
			out[above] = append(out[above], world)
		}
	}
	p.below[place] = out
	return out, nil
}

// World is the world of the program's classes under their world names, with those of the JDK.
func (p *Program) World() *hierarchy.World { return p.world }

func (p *Program) lookup(world string) (*hierarchy.Class, error) {
	if p.jdk.has(world) {
		return p.jdk.class(world)
	}
	file, err := p.canonical(world)
	if err != nil {
		return nil, err
	}
	t, err := p.Table(file)
	if err != nil {
		return nil, err
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
	if f := p.find(file); f.place != nil && f.err == nil {
		return f.row.canonical
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
