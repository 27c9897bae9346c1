package inspect

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
)

// A NameError says that a name stands for nothing in an input, or for more than one thing.
type NameError struct {
	What, Name, Where string
	// Matches are the things that the name may stand for, if there are several.
	Matches []string
	// Known are all names that there are, for a suggestion.
	Known []string
}

// Error says what was looked for and where.
func (e *NameError) Error() string {
	if len(e.Matches) > 0 {
		return fmt.Sprintf("%s may be any of %d: %s", e.Name, len(e.Matches), strings.Join(e.Matches[:min(5, len(e.Matches))], ", "))
	}
	return fmt.Sprintf("%s has no %s %s", e.Where, e.What, e.Name)
}

// find looks for a class by a name as a user writes it: with dots or slashes, a nested class after a dot or a dollar sign, the canonical
// name, or the last part of a name that only one class has.
func (in *Input) find(name string) (*file, error) {
	if f := in.exact(name); f != nil {
		return f, nil
	}
	for _, candidate := range spellings(name) {
		if f := in.exact(candidate); f != nil {
			return f, nil
		}
	}
	var matches []*file
	suffix := spellings(name)
	for _, f := range in.files {
		if slices.ContainsFunc(suffix, func(s string) bool {
			return strings.HasSuffix(f.id(), "/"+s) || strings.HasSuffix(f.id(), "$"+s)
		}) {
			matches = append(matches, f)
		}
	}
	if len(matches) == 1 {
		return matches[0], nil
	}
	e := &NameError{What: "class", Name: name, Where: in.Path}
	for _, f := range matches {
		e.Matches = append(e.Matches, dotted(classfile.Text(f.id())))
	}
	for _, f := range in.files {
		full := dotted(classfile.Text(f.id()))
		e.Known = append(e.Known, full, dotted(simpleName(classfile.Text(f.name))))
	}
	return nil, e
}

// exact looks for a class by its name in the file or its canonical name, with its root or, if it has none, without.
func (in *Input) exact(name string) *file {
	for _, f := range in.files {
		if f.id() == name || f.canonical() == name {
			return f
		}
	}
	return nil
}

// spellings are the internal names that a name may stand for: each dot from the end on may be that of a nested class.
func spellings(name string) []string {
	s := strings.ReplaceAll(strings.TrimSuffix(name, ".class"), ".", "/")
	out := []string{s}
	for {
		i := strings.LastIndexByte(s, '/')
		if i < 0 {
			return out
		}
		s = s[:i] + "$" + s[i+1:]
		out = append(out, s)
	}
}

// findMethods looks for methods by name, with or without descriptor, as in the file or canonical.
func (f *file) findMethods(name string) ([]canon.Method, error) {
	var out []canon.Method
	var known []string
	for _, m := range f.digest.Methods {
		if name == m.FileName || name == m.FileName+m.FileDescriptor || name == m.Name || name == m.Name+m.Descriptor {
			out = append(out, m)
		}
		known = append(known, classfile.Text(m.FileName), classfile.Text(m.FileName+m.FileDescriptor))
	}
	if len(out) == 0 {
		return nil, &NameError{What: "method", Name: name, Where: dotted(classfile.Text(f.name)), Known: known}
	}
	return out, nil
}
