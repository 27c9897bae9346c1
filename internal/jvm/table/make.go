package table

import (
	"cmp"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/hierarchy"
)

// methodsPart is the part of a shape that lists the methods. Whether a change of it matters is asked signature by signature, so it is no part of Link.
const methodsPart = "methods"

// describe makes the table of a class of a set.
func describe(set *canon.Set, file *classfile.Class) (*Table, error) {
	c, err := set.Class(file.Name())
	if err != nil {
		return nil, err
	}
	h, err := hierarchy.Of(file)
	if err != nil {
		return nil, err
	}
	t := &Table{Name: c.Name, File: c.File, Opaque: c.Opaque, Major: h.Major, Access: h.Access, Sealed: h.Sealed}
	t.Link, t.Reflect = shapes(c.Parts())
	n := namer{set}
	t.Super, t.Interfaces = n.class(h.Super), n.classes(h.Interfaces)
	t.NestHost, t.NestMembers, t.Permitted = n.class(h.NestHost), n.classes(h.NestMembers), n.classes(h.Permitted)
	for _, f := range h.Fields {
		t.Fields = append(t.Fields, hierarchy.Member{Name: f.Name, Descriptor: n.types(f.Descriptor), Access: f.Access})
	}
	slices.SortStableFunc(t.Fields, func(a, b hierarchy.Member) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Descriptor, b.Descriptor))
	})
	frame, err := c.Frame()
	if err != nil {
		return nil, err
	}
	t.Frame = t.Reflect
	if frame != nil {
		t.Frame = frame.Rest
	}
	for _, m := range c.Methods {
		to := Method{Name: m.Name, Descriptor: m.Descriptor, FileName: m.FileName, FileDescriptor: m.FileDescriptor, Access: m.Access, Body: m.Body, Test: digest.Absent}
		if frame != nil {
			if d, ok := frame.Tests[m.FileName+m.FileDescriptor]; ok {
				to.Test = d
			}
		}
		t.Methods = append(t.Methods, to)
	}
	return t, nil
}

// shapes digests the parts of a shape by what can notice a change of them.
func shapes(parts []canon.Part) (link, reflect digest.Digest) {
	var l, r digest.Builder
	for _, p := range parts {
		b := &r
		if p.Kind == canon.Link && p.Name != methodsPart {
			b = &l
		}
		b.AddString(p.Name).Add(p.Digest[:])
	}
	return l.Sum(), r.Sum()
}

// A namer gives canonical names.
type namer struct{ set *canon.Set }

func (n namer) class(name string) string { return n.set.ClassName(name) }

func (n namer) classes(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = n.class(name)
	}
	return out
}

// types replaces the class names in a descriptor.
func (n namer) types(desc string) string {
	if !numbered(desc) {
		return desc
	}
	var out strings.Builder
	last := 0
	for start, end := range classesIn(desc) {
		out.WriteString(desc[last:start])
		out.WriteString(n.class(desc[start:end]))
		last = end
	}
	return out.String() + desc[last:]
}

// DescriptorClasses lists the classes that a descriptor names.
func DescriptorClasses(descriptor string) []string {
	var out []string
	for start, end := range classesIn(descriptor) {
		out = append(out, descriptor[start:end])
	}
	return out
}

// classesIn gives the bounds of the class names in a descriptor or generic signature.
func classesIn(desc string) func(yield func(start, end int) bool) {
	return func(yield func(start, end int) bool) {
		for at := 0; at < len(desc); at++ {
			if desc[at] != 'L' {
				continue
			}
			end := strings.IndexAny(desc[at:], ";<")
			if end < 0 || !yield(at+1, at+end) {
				return
			}
			at += end
		}
	}
}

// numbered tells whether a text contains a dollar sign before a digit, as every numbered class name does.
func numbered(s string) bool {
	for i := strings.IndexByte(s, '$'); i >= 0 && i+1 < len(s); {
		if c := s[i+1]; c >= '0' && c <= '9' {
			return true
		}
		next := strings.IndexByte(s[i+1:], '$')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// rawMethod marks the name of a method in a list of raw names.
const rawMethod = "."

// rawNames lists what a class names by its name in the file although it may be numbered: classes that its place does not have, and methods that
// have no canonical name in it. A text that only looks like a name does no harm here.
func rawNames(set *canon.Set, file *classfile.Class, has func(class string) bool) []string {
	var out []string
	add := func(class string) {
		if numbered(class) && classpath.ValidClass(class) && !strings.HasPrefix(class, "java/") && !has(class) {
			out = append(out, class)
		}
	}
	p := &file.Pool
	for i := range uint16(p.Len()) {
		if s, ok := p.UTF8(i); ok && p.Tag(i) == classfile.TagUtf8 && numbered(s) {
			add(s)
			for start, end := range classesIn(s) {
				add(s[start:end])
			}
		}
		if ref, ok := p.Ref(i); ok && ref.Tag != classfile.TagFieldref && numberedMethod(ref.Name) && set.MethodName(ref.Class, ref.Name, ref.Descriptor) == ref.Name {
			out = append(out, rawMethod+ref.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// numberedMethod tells whether a method may have been numbered by a compiler.
func numberedMethod(name string) bool {
	return strings.HasPrefix(name, "lambda$") || strings.HasPrefix(name, "access$")
}
