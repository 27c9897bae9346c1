package inspect

import (
	"maps"
	"slices"

	"winnow/internal/jvm/classfile"
)

// A Listing is the view of an input with many classes.
type Listing struct {
	Input        string         `json:"input"`
	Kind         string         `json:"kind"`
	Release      int            `json:"release"` // for which a multi-release jar is read
	MultiRelease bool           `json:"multi_release"`
	Classes      int            `json:"classes"`
	Methods      int            `json:"methods"`
	Others       int            `json:"others"` // files that are no classes
	Versions     []VersionCount `json:"versions"`
	Roots        []RootCount    `json:"roots"`
	Hidden       []Hidden       `json:"hidden"`
	Opaque       []Opaque       `json:"opaque"`
	Problems     []Problem      `json:"problems"`
	Unreadable   []Unreadable   `json:"unreadable"`
	// All has a line for each class, if asked for.
	All []ClassLine `json:"all,omitempty"`
}

// A VersionCount says how many classes have a class file version.
type VersionCount struct {
	Major   int `json:"major"`
	Classes int `json:"classes"`
}

// A RootCount says how many classes stand below a root; see the package comment.
type RootCount struct {
	Root    string `json:"root"`
	Classes int    `json:"classes"`
}

// Opaque is a class every digest of which covers the whole file, and why.
type Opaque struct {
	Class string `json:"class"`
	Why   string `json:"why"`
}

// A ClassLine has the digests of one class.
type ClassLine struct {
	Name      string `json:"name"`
	Canonical string `json:"canonical,omitempty"`
	Entry     string `json:"entry"`
	Major     int    `json:"major"`
	Methods   int    `json:"methods"`
	Shape     string `json:"shape"`
	Link      string `json:"link"`
	Reflect   string `json:"reflect"`
}

// List returns the view of the input; with all, a line for each class too.
func (in *Input) List(all bool) *Listing {
	settle(in)
	v := &Listing{
		Input: in.Path, Kind: in.Kind, Release: in.release, MultiRelease: in.multiRelease, Classes: len(in.files), Others: len(in.others), Versions: []VersionCount{},
		Roots: []RootCount{}, Hidden: append([]Hidden{}, in.hidden...), Opaque: []Opaque{}, Problems: append([]Problem{}, in.problems...),
		Unreadable: append([]Unreadable{}, in.unreadable...),
	}
	versions, roots := map[int]int{}, map[string]int{}
	for _, f := range in.files {
		versions[f.major()]++
		roots[f.root]++
		v.Methods += len(f.digest.Methods)
		if f.digest.Opaque != "" {
			v.Opaque = append(v.Opaque, Opaque{classfile.Text(f.id()), classfile.Text(f.digest.Opaque)})
		}
		if all {
			v.All = append(v.All, f.line())
		}
	}
	for _, major := range slices.Sorted(maps.Keys(versions)) {
		v.Versions = append(v.Versions, VersionCount{major, versions[major]})
	}
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		v.Roots = append(v.Roots, RootCount{classfile.Text(root), roots[root]})
	}
	return v
}

func (f *file) line() ClassLine {
	d := f.digest
	return ClassLine{
		Name: classfile.Text(f.id()), Canonical: unless(classfile.Text(f.canonical()), classfile.Text(f.id())), Entry: f.place.name(), Major: f.major(), Methods: len(d.Methods),
		Shape: d.Shape.String(), Link: d.Link.String(), Reflect: d.Reflect.String(),
	}
}
