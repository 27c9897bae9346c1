package inspect

import (
	"context"
	"fmt"

	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
)

// related are the unreadable class files on which the names in a class depend.
func (in *Input) related(f *file) []Unreadable {
	if in.Kind == KindClass {
		return in.unreadable
	}
	var out []Unreadable
	for _, u := range in.unreadable {
		if canon.Group(u.class) == canon.Group(f.id()) {
			out = append(out, u)
		}
	}
	return out
}

// notes are what a reader should know about how a class was read.
func (in *Input) notes(f *file) []string {
	const own = "so numbered names are those of the file"
	switch {
	case in.unlisted != nil:
		return []string{fmt.Sprintf("the files beside it cannot be listed, %s: %v", own, in.unlisted)}
	case len(in.related(f)) > 0:
		return []string{"a class file of the same top-level class cannot be read, " + own}
	}
	return nil
}

// settle gives the classes of inputs their names and digests. A top-level class of which a class file cannot be read, in any of the inputs, is left with the names of
// the files in all of them: canonical names depend on all of its class files.
func settle(inputs ...*Input) {
	broken := map[string]bool{}
	for _, in := range inputs {
		for _, u := range in.unreadable {
			broken[canon.Group(u.class)] = true
		}
	}
	for again := true; again; {
		again = false
		for _, in := range inputs {
			in.link(broken)
			for _, group := range in.digest() {
				broken[group] = true
				again = true
			}
		}
	}
}

// link chooses the names that apply to each class: those of all classes below its root, or its own if its top-level class is broken.
func (in *Input) link(broken map[string]bool) {
	units := map[string][]*canon.Unit{}
	alone := func(f *file) bool { return broken[canon.Group(f.id())] || in.single != nil && len(in.unreadable) > 0 }
	for _, f := range in.files {
		if !alone(f) {
			units[f.root] = append(units[f.root], f.unit)
		}
	}
	sets := map[string]*canon.Set{}
	for root, list := range units {
		sets[root] = canon.NewSet(list...)
	}
	for _, f := range in.files {
		f.in, f.set = in, sets[f.root]
		f.byFile, f.members = nil, nil
		if alone(f) {
			f.set = canon.NewSet(f.unit)
		}
	}
}

// digest digests the classes. Those for which that fails become unreadable; the result names their top-level classes.
func (in *Input) digest() (failed []string) {
	errs := make([]error, len(in.files))
	inParallel(context.Background(), len(in.files), func(i int) {
		f := in.files[i]
		f.digest, errs[i] = f.set.Class(f.name)
	}, nil)
	var good []*file
	for i, f := range in.files {
		if errs[i] == nil {
			good = append(good, f)
			continue
		}
		failed = append(failed, canon.Group(f.id()))
		in.unreadable = append(in.unreadable, Unreadable{in.Path, f.place.name(), errs[i].Error(), f.id()})
		if in.single == f {
			in.single = nil
		}
	}
	in.files = good
	return failed
}

// methods are the methods by name and descriptor in the file.
func (f *file) methods() map[string]*canon.Method {
	if f.byFile == nil {
		f.byFile = map[string]*canon.Method{}
		for i := range f.digest.Methods {
			m := &f.digest.Methods[i]
			f.byFile[m.FileName+"\x00"+m.FileDescriptor] = m
		}
	}
	return f.byFile
}

// class parses the class file once more, for people.
func (f *file) class() (*classfile.Class, error) {
	if f.parsed == nil {
		c, err := classfile.Read(f.data)
		if err != nil {
			return nil, err
		}
		f.parsed = c
	}
	return f.parsed, nil
}
