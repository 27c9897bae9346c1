package jig

import (
	"maps"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/hierarchy"
	"winnow/internal/jvm/observed"
)

// types is what linking asks about classes.
type types struct {
	program *observed.Program
	world   *hierarchy.World
	names   map[string]string            // internal classes → canonical names
	consts  map[string]map[string]string // internal classes → constants
	below   map[string][]string
	above   map[string][]string           // internal classes → internal supertypes, themselves first, then superclasses upwards, then interfaces
	borders map[string][]string           // internal classes → external types that they or internal supertypes name directly
	partial map[string]bool               // internal classes of which an external supertype is not known
	virtual map[string][]hierarchy.Member // internal classes → methods that they declare and that can override
	globals map[string]string             // globally qualified names
	absent  map[string]bool
	found   map[fieldKey]hierarchy.Resolution
}

type fieldKey struct {
	ref  classfile.Ref
	from string
}

func newTypes(p *observed.Program, parts []*part) *types {
	t := &types{program: p, world: p.World(), names: map[string]string{}, consts: map[string]map[string]string{}, below: map[string][]string{}, above: map[string][]string{}, borders: map[string][]string{},
		partial: map[string]bool{}, virtual: map[string][]hierarchy.Member{}, globals: map[string]string{}, absent: map[string]bool{}, found: map[fieldKey]hierarchy.Resolution{}}
	for _, c := range parts {
		t.names[c.file] = c.name
		t.consts[c.file] = c.consts
		t.declare(c.file)
	}
	for _, name := range p.Names() {
		t.climb(name)
	}
	for _, subs := range t.below {
		slices.Sort(subs)
	}
	return t
}

func (t *types) declare(name string) {
	file := t.program.Class(name).File
	for i := range file.Methods {
		m := &file.Methods[i]
		if n, desc := file.MemberName(m); m.Access&(classfile.Static|classfile.Private) == 0 && n[0] != '<' {
			t.virtual[name] = append(t.virtual[name], hierarchy.Member{Name: n, Descriptor: desc, Access: m.Access})
		}
	}
}

// climb finds the supertypes of an internal class by their names: it must not fail where a library is missing.
func (t *types) climb(name string) {
	all, inside, border := map[string]bool{}, []string{}, map[string]bool{}
	var interfaces []string
	visit := func(c string) bool {
		if c == "" || all[c] {
			return false
		}
		all[c] = true
		if t.program.Internal(c) {
			return true
		}
		border[c] = true
		up, err := t.world.Supertypes(c)
		if err != nil {
			t.partial[name] = true
		}
		for _, e := range up {
			all[e] = true
		}
		return false
	}
	for c := name; visit(c); c = t.program.Class(c).File.SuperName() {
		inside = append(inside, c)
		interfaces = append(interfaces, t.program.Class(c).File.InterfaceNames()...)
	}
	for i := 0; i < len(interfaces); i++ {
		if c := interfaces[i]; visit(c) {
			inside = append(inside, c)
			interfaces = append(interfaces, t.program.Class(c).File.InterfaceNames()...)
		}
	}
	t.above[name] = inside
	t.borders[name] = slices.Sorted(maps.Keys(border))
	for c := range all {
		t.below[c] = append(t.below[c], name)
	}
}

// inside are a class and its internal supertypes.
func (t *types) inside(class string) []string { return t.above[class] }

// canonical is the name of a class that does not depend on numbers that compilers give.
func (t *types) canonical(class string) string {
	if name, ok := t.names[class]; ok {
		return name
	}
	return class
}

// qualified is the globally qualified name of a class: superclasses from the top, in front of each the interfaces that it declares, then itself.
func (t *types) qualified(class string) string {
	if !t.program.Internal(class) {
		if class != "" && t.missing(class) {
			return class + "?"
		}
		return class
	}
	if name, ok := t.globals[class]; ok {
		return name
	}
	file := t.program.Class(class).File
	var parts []string
	if super := file.SuperName(); super != "" && super != class {
		t.globals[class] = class // ends the recursion of a class that is its own superclass
		parts = append(parts, t.qualified(super))
	}
	interfaces := file.InterfaceNames()
	slices.Sort(interfaces)
	for _, i := range interfaces {
		parts = append(parts, t.qualified(i))
	}
	parts = append(parts, t.canonical(class))
	name := strings.Join(parts, ":")
	if file.Access&classfile.Interface != 0 {
		name = "(" + strings.TrimPrefix(name, "java/lang/Object:") + ")"
		if len(parts) == 2 {
			name = name[1 : len(name)-1]
		}
	}
	t.globals[class] = name
	return name
}

// missing tells whether there is no such class at all.
func (t *types) missing(class string) bool {
	if class == "" || t.program.Internal(class) {
		return false
	}
	gone, ok := t.absent[class]
	if !ok {
		gone = t.program.Checksum(class) == digest.Absent
		t.absent[class] = gone
	}
	return gone
}

func (t *types) resolveField(ref classfile.Ref, from string) hierarchy.Resolution {
	k := fieldKey{ref, from}
	r, ok := t.found[k]
	if !ok {
		r = t.world.ResolveField(ref, from)
		t.found[k] = r
	}
	return r
}

// overrides tells whether external code can call a method on objects of an internal class, and which class then provides it. Where an external supertype is not known, it can call every method.
func (t *types) overrides(class, declares string, m hierarchy.Member) (owner string, ok bool) {
	if t.partial[class] {
		return declares, m.Access&classfile.Abstract == 0
	}
	interfaces := t.program.Class(class).File.Access&classfile.Interface != 0
	for _, border := range t.borders[class] {
		ref := hierarchy.Ref{Tag: classfile.TagMethodref, Class: border, Name: m.Name, Descriptor: m.Descriptor}
		r := t.world.ResolveMethod(ref, class)
		if r.Err != nil && r.Err.Kind == hierarchy.IncompatibleClassChange {
			ref.Tag = classfile.TagInterfaceMethodref
			r = t.world.ResolveInterfaceMethod(ref, class)
		}
		if r.Err != nil || r.Member.Access&(classfile.Static|classfile.Private|classfile.Final) != 0 {
			continue
		}
		if interfaces {
			return declares, m.Access&classfile.Abstract == 0
		}
		if got := t.world.Select(class, r); got.Err == nil && t.program.Internal(got.Owner) {
			return got.Owner, true
		}
	}
	return "", false
}
