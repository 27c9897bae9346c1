package canon

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"winnow/internal/jvm/classfile"
)

// A Change is one difference between two versions of a program. Its printed form is "method p/A.m(I)V", "method+ p/A.n()V", "method- p/A.o()V",
// "link p/A", "reflect p/A", "class+ p/B" or "class- p/B".
type Change struct {
	Kind               string
	Class              string   // canonical name
	Name, Descriptor   string   // of a method, canonical
	Parts              []string // of link and reflect: the parts that differ
	OldClass, NewClass string   // names in the files; "" if absent
	OldName, NewName   string   // of a method: names in the files
}

// The kinds of changes.
const (
	MethodChanged  = "method"
	MethodAdded    = "method+"
	MethodRemoved  = "method-"
	LinkChanged    = "link"
	ReflectChanged = "reflect"
	ClassAdded     = "class+"
	ClassRemoved   = "class-"
)

// String is the printed form.
func (c Change) String() string {
	s := c.Kind + " " + classfile.Text(c.Class)
	if c.Name != "" {
		s += "." + classfile.Text(c.Name+c.Descriptor)
	}
	return s
}

// Diff lists the differences between two sets, sorted by class and then kind. Classes are matched by canonical name.
func Diff(old, new *Set) ([]Change, error) {
	before, err := old.byCanonicalName()
	if err != nil {
		return nil, err
	}
	after, err := new.byCanonicalName()
	if err != nil {
		return nil, err
	}
	var out []Change
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if after[name] == nil {
			out = append(out, Change{Kind: ClassRemoved, Class: name, OldClass: before[name].File})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if before[name] == nil {
			out = append(out, Change{Kind: ClassAdded, Class: name, NewClass: after[name].File})
			continue
		}
		out = append(out, DiffClass(before[name], after[name])...)
	}
	slices.SortStableFunc(out, func(a, b Change) int { return cmp.Compare(a.Class, b.Class) })
	return out, nil
}

func (s *Set) byCanonicalName() (map[string]*Class, error) {
	out := map[string]*Class{}
	for name := range s.units {
		c, err := s.Class(name)
		if err != nil {
			return nil, err
		}
		out[c.Name] = c
	}
	return out, nil
}

// DiffClass lists the differences between two versions of a class.
func DiffClass(old, new *Class) []Change {
	base := Change{Class: new.Name, OldClass: old.File, NewClass: new.File}
	var out []Change
	if !old.Link.Same(new.Link) {
		out = append(out, partsChange(base, old, new, Link))
	}
	if !old.Reflect.Same(new.Reflect) {
		out = append(out, partsChange(base, old, new, Reflect))
	}
	return append(out, diffMethods(base, old.Methods, new.Methods)...)
}

func partsChange(base Change, old, new *Class, kind Meaning) Change {
	base.Kind = string(kind)
	before := old.Parts()
	for i, p := range new.Parts() {
		if p.Kind == kind && !p.Digest.Same(before[i].Digest) {
			base.Parts = append(base.Parts, p.Name)
		}
	}
	return base
}

// diffMethods walks two sorted lists.
func diffMethods(base Change, old, new []Method) []Change {
	var out []Change
	note := func(kind string, o, n *Method) {
		c := base
		c.Kind = kind
		if o != nil {
			c.Name, c.Descriptor, c.OldName = o.Name, o.Descriptor, o.FileName
		}
		if n != nil {
			c.Name, c.Descriptor, c.NewName = n.Name, n.Descriptor, n.FileName
		}
		out = append(out, c)
	}
	for len(old) > 0 || len(new) > 0 {
		order := 0
		switch {
		case len(new) == 0:
			order = -1
		case len(old) == 0:
			order = 1
		default:
			order = compareMethods(old[0], new[0])
		}
		switch {
		case order < 0:
			note(MethodRemoved, &old[0], nil)
			old = old[1:]
		case order > 0:
			note(MethodAdded, nil, &new[0])
			new = new[1:]
		default:
			if !old[0].Body.Same(new[0].Body) {
				note(MethodChanged, &old[0], &new[0])
			}
			old, new = old[1:], new[1:]
		}
	}
	return out
}

func compareMethods(a, b Method) int {
	return byNameAndType(a.Name, a.Descriptor, b.Name, b.Descriptor)
}

// ReadAll reads class files, by any key, into a set.
func ReadAll(files map[string][]byte) (*Set, error) {
	var units []*Unit
	for _, key := range slices.Sorted(maps.Keys(files)) {
		u, err := Read(files[key])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		units = append(units, u)
	}
	return NewSet(units...), nil
}
