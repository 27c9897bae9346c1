package inspect

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
)

// DiffOptions chooses what a Diff shows. The zero value compares everything and shows no code.
type DiffOptions struct {
	// Class restricts the comparison to one class, Method to the methods of one name in it.
	Class, Method string
	// Code shows how bodies differ, instruction by instruction.
	Code bool
	// All shows long differences in full, and names the classes that have the same meaning in other bytes.
	All bool
}

// A Diff is the view of what differs between two inputs.
type Diff struct {
	Old         Side         `json:"old"`
	New         Side         `json:"new"`
	Notes       []string     `json:"notes,omitempty"`
	Totals      Totals       `json:"totals"`
	Changed     []ClassDiff  `json:"changed"`
	Added       []ClassName  `json:"added"`
	Removed     []ClassName  `json:"removed"`
	SameMeaning []Reencoded  `json:"same_meaning,omitempty"` // with All
	Others      *OthersDiff  `json:"others,omitempty"`
	Unreadable  []Unreadable `json:"unreadable"`
}

// A Side is one of the inputs that were compared.
type Side struct {
	Input   string `json:"input"`
	Kind    string `json:"kind"`
	Classes int    `json:"classes"` // that could be read and were compared
	// Problems are entries that are not compared, or not as one would expect.
	Problems []Problem `json:"problems,omitempty"`
}

// Totals count classes. Every class that was compared is the same, changed, added, removed or unreadable.
type Totals struct {
	Same        int `json:"same"`       // byte for byte or in meaning
	SameBytes   int `json:"same_bytes"` // of those, byte for byte
	SameMeaning int `json:"same_meaning"`
	Changed     int `json:"changed"`
	Added       int `json:"added"`
	Removed     int `json:"removed"`
	Unreadable  int `json:"unreadable"` // on one side at least
}

// A ClassName names a class of one side.
type ClassName struct {
	Name      string `json:"name"`
	Canonical string `json:"canonical,omitempty"`
}

// A ClassDiff is how two versions of a class differ.
type ClassDiff struct {
	Class      string       `json:"class"` // canonical name
	Old        string       `json:"old"`   // names in the files
	New        string       `json:"new"`
	SameBytes  bool         `json:"same_bytes,omitempty"` // the file is the same; what it refers to is named anew
	Opaque     string       `json:"opaque,omitempty"`
	Parts      []PartDiff   `json:"parts"`
	Methods    []MethodDiff `json:"methods"`
	Renumbered []Renumbered `json:"renumbered,omitempty"`
}

// A PartDiff is how a part of the shape differs.
type PartDiff struct {
	Part string `json:"part"`
	Kind string `json:"kind"` // link or reflect
	// Details are the facts that differ. If there are none, Says tells why.
	Details []Detail `json:"details,omitempty"`
	Says    string   `json:"says,omitempty"`
}

// A Detail is one fact that only one side has (Op "+" or "-") or that has another value ("~").
type Detail struct {
	Op   string `json:"op"`
	What string `json:"what"`
	Old  string `json:"old,omitempty"`
	New  string `json:"new,omitempty"`
}

// A MethodDiff is a method with another body ("~"), that only one side has ("+" and "-"), or, if it was asked for by name, that is the same ("=").
type MethodDiff struct {
	Op         string     `json:"op"`
	Name       string     `json:"name"` // in the new file, or in the old one if it was removed
	Descriptor string     `json:"descriptor"`
	Canonical  string     `json:"canonical,omitempty"`
	OldName    string     `json:"old_name,omitempty"` // if it is another
	OldBody    string     `json:"old_body,omitempty"`
	NewBody    string     `json:"new_body,omitempty"`
	Code       []CodeLine `json:"code,omitempty"`
	Says       string     `json:"says,omitempty"` // if there is no code to show
}

// Renumbered is a method that a compiler gave another number.
type Renumbered struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// Reencoded is a class whose file differs and whose meaning does not.
type Reencoded struct {
	Class string   `json:"class"`
	What  []string `json:"what"`
}

// A comparison is a Diff under construction.
type comparison struct {
	ctx context.Context
	DiffOptions
	old, new *Input
	diff     *Diff
}

// Compare compares two inputs: two class files, or two places with classes.
func Compare(ctx context.Context, old, new *Input, o DiffOptions) (*Diff, error) {
	settle(old, new)
	c := &comparison{ctx, o, old, new, &Diff{
		Old: Side{Input: old.Path, Kind: old.Kind, Problems: old.problems}, New: Side{Input: new.Path, Kind: new.Kind, Problems: new.problems}, Changed: []ClassDiff{}, Added: []ClassName{}, Removed: []ClassName{},
		Unreadable: []Unreadable{},
	}}
	if err := c.run(); err != nil {
		return nil, err
	}
	return c.diff, nil
}

func (c *comparison) run() error {
	for _, in := range []*Input{c.old, c.new} {
		if n := len(in.hidden); n > 0 {
			c.diff.Notes = append(c.diff.Notes, fmt.Sprintf("%s: %s that Java %d does not see are not compared", in.Path, count(n, "class file"), in.release))
		}
	}
	switch {
	case c.old.Kind == KindClass:
		return c.single()
	case c.Class != "":
		return c.named()
	}
	return c.everything()
}

// single compares two class files, whatever their names.
func (c *comparison) single() error {
	o, n := c.old.single, c.new.single
	c.unreadable(c.old.unreadable)
	c.unreadable(c.new.unreadable)
	if o == nil || n == nil {
		c.diff.Totals.Unreadable = 1
		return nil
	}
	if o.name != n.name {
		c.diff.Notes = append(c.diff.Notes, fmt.Sprintf("the classes have different names: %s and %s", dotted(classfile.Text(o.name)), dotted(classfile.Text(n.name))))
	}
	return c.pair(o, n)
}

// named compares the classes of one name.
func (c *comparison) named() error {
	o, oldErr := c.old.pick(c.Class)
	n, newErr := c.new.pick(c.Class)
	for _, err := range []error{newErr, oldErr} {
		if _, unreadable := err.(*UnreadableError); unreadable || oldErr != nil && newErr != nil && err != nil {
			return err
		}
	}
	switch {
	case o == nil:
		// The name may be that of a numbered class, which has another number on the other side.
		o = c.old.exact(n.canonical())
	case n == nil:
		n = c.new.exact(o.canonical())
	}
	switch {
	case o == nil:
		c.added(n)
	case n == nil:
		c.removed(o)
	default:
		c.unreadable(c.old.related(o))
		c.unreadable(c.new.related(n))
		return c.pair(o, n)
	}
	return nil
}

// everything compares all classes and all other files.
func (c *comparison) everything() error {
	before, after := byCanonical(c.old), byCanonical(c.new)
	unknown := map[string]bool{}
	for _, in := range []*Input{c.old, c.new} {
		for _, u := range in.unreadable {
			unknown[u.class] = true
		}
	}
	c.unreadable(c.old.unreadable)
	c.unreadable(c.new.unreadable)
	c.diff.Totals.Unreadable = len(unknown)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if after[name] == nil && !unknown[before[name].id()] {
			c.removed(before[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		o, n := before[name], after[name]
		switch {
		case unknown[n.id()] || o != nil && unknown[o.id()]:
		case o == nil:
			c.added(n)
		default:
			if err := c.pair(o, n); err != nil {
				return err
			}
		}
	}
	return c.others()
}

func byCanonical(in *Input) map[string]*file {
	out := map[string]*file{}
	for _, f := range in.files {
		out[f.canonical()] = f
	}
	return out
}

func (c *comparison) added(f *file) {
	c.diff.New.Classes++
	c.diff.Totals.Added++
	c.diff.Added = append(c.diff.Added, nameOf(f))
}

func (c *comparison) removed(f *file) {
	c.diff.Old.Classes++
	c.diff.Totals.Removed++
	c.diff.Removed = append(c.diff.Removed, nameOf(f))
}

func nameOf(f *file) ClassName {
	return ClassName{classfile.Text(f.id()), unless(classfile.Text(f.canonical()), classfile.Text(f.id()))}
}

func (c *comparison) unreadable(list []Unreadable) {
	c.diff.Unreadable = append(c.diff.Unreadable, list...)
}

// pair compares two versions of a class.
func (c *comparison) pair(o, n *file) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	c.diff.Old.Classes++
	c.diff.New.Classes++
	for _, f := range []*file{o, n} {
		for _, note := range f.in.notes(f) {
			c.diff.Notes = append(c.diff.Notes, f.in.Path+": "+dotted(classfile.Text(f.id()))+": "+note)
		}
	}
	changes := canon.DiffClass(o.digest, n.digest)
	sameBytes := bytes.Equal(o.data, n.data)
	if len(changes) > 0 || c.Method != "" {
		return c.changed(o, n, changes, sameBytes)
	}
	c.diff.Totals.Same++
	if sameBytes {
		c.diff.Totals.SameBytes++
		return nil
	}
	c.diff.Totals.SameMeaning++
	if !c.All {
		return nil
	}
	what, err := encodingDiff(o, n)
	if err != nil {
		return err
	}
	c.diff.SameMeaning = append(c.diff.SameMeaning, Reencoded{classfile.Text(n.id()), what})
	return nil
}

func (c *comparison) changed(o, n *file, changes []canon.Change, sameBytes bool) error {
	d := ClassDiff{
		Class: classfile.Text(n.canonical()), Old: classfile.Text(o.id()), New: classfile.Text(n.id()), SameBytes: sameBytes,
		Opaque: classfile.Text(n.digest.Opaque), Parts: []PartDiff{}, Methods: []MethodDiff{},
	}
	if d.Opaque == "" {
		d.Opaque = classfile.Text(o.digest.Opaque)
	}
	if len(changes) > 0 {
		c.diff.Totals.Changed++
	} else {
		c.diff.Totals.Same++
		if sameBytes {
			c.diff.Totals.SameBytes++
		} else {
			c.diff.Totals.SameMeaning++
		}
	}
	if c.Method != "" {
		if err := c.asked(&d, o, n); err != nil {
			return err
		}
		c.diff.Changed = append(c.diff.Changed, d)
		return nil
	}
	for i := range changes {
		if err := c.change(&d, o, n, &changes[i]); err != nil {
			return err
		}
	}
	d.Renumbered = renumbered(o, n)
	c.diff.Changed = append(c.diff.Changed, d)
	return nil
}

func (c *comparison) change(d *ClassDiff, o, n *file, change *canon.Change) error {
	switch change.Kind {
	case canon.LinkChanged, canon.ReflectChanged:
		for _, part := range change.Parts {
			p, err := partDiff(o, n, part, change.Kind, d.Opaque)
			if err != nil {
				return err
			}
			p.dropKnown(d.Parts)
			d.Parts = append(d.Parts, *p)
		}
		return nil
	}
	m, err := c.method(o, n, methodOf(o, change), methodOf(n, change))
	if err != nil {
		return err
	}
	d.Methods = append(d.Methods, *m)
	return nil
}

// methodOf finds the method that a change is about; nil if the class has it not.
func methodOf(f *file, change *canon.Change) *canon.Method {
	list := f.digest.Methods // sorted
	i, ok := slices.BinarySearchFunc(list, change, func(m canon.Method, c *canon.Change) int {
		return cmp.Or(cmp.Compare(m.Name, c.Name), cmp.Compare(m.Descriptor, c.Descriptor))
	})
	if !ok {
		return nil
	}
	return &list[i]
}

// asked compares the methods of the name that was asked for.
func (c *comparison) asked(d *ClassDiff, o, n *file) error {
	before, oldErr := o.findMethods(c.Method)
	after, newErr := n.findMethods(c.Method)
	if oldErr != nil && newErr != nil {
		return newErr
	}
	seen := map[string]bool{}
	for _, m := range append(after, before...) {
		if seen[m.Name+m.Descriptor] {
			continue
		}
		seen[m.Name+m.Descriptor] = true
		key := &canon.Change{Name: m.Name, Descriptor: m.Descriptor}
		md, err := c.method(o, n, methodOf(o, key), methodOf(n, key))
		if err != nil {
			return err
		}
		d.Methods = append(d.Methods, *md)
	}
	return nil
}

// method compares two versions of a method, one of which may be nil.
func (c *comparison) method(o, n *file, before, after *canon.Method) (*MethodDiff, error) {
	if before == nil {
		l := methodLine(after)
		return &MethodDiff{Op: "+", Name: l.Name, Descriptor: l.Descriptor, Canonical: l.Canonical, NewBody: l.Body}, nil
	}
	if after == nil {
		l := methodLine(before)
		return &MethodDiff{Op: "-", Name: l.Name, Descriptor: l.Descriptor, Canonical: l.Canonical, OldBody: l.Body}, nil
	}
	x, y := methodLine(before), methodLine(after)
	d := &MethodDiff{Op: "~", Name: y.Name, Descriptor: y.Descriptor, Canonical: y.Canonical, OldName: unless(x.Name, y.Name), OldBody: x.Body, NewBody: y.Body}
	switch {
	case before.Body.Same(after.Body):
		d.Op = "="
	case x.Body == "absent":
		d.Says = "it has code now"
	case y.Body == "absent":
		d.Says = "it has no code any more"
	case c.Code || c.Method != "":
		return d, c.code(d, o, n, before, after)
	}
	return d, nil
}

func (c *comparison) code(d *MethodDiff, o, n *file, before, after *canon.Method) error {
	x, err := o.set.List(o.name, before.FileName, before.FileDescriptor)
	if err != nil {
		return err
	}
	y, err := n.set.List(n.name, after.FileName, after.FileDescriptor)
	if err != nil {
		return err
	}
	if d.Code = codeDiff(x, y, c.All); len(d.Code) == 0 {
		d.Says = "the instructions are the same; the digest covers more than this view shows"
	}
	return nil
}

// renumbered lists the methods with one canonical name and two names in the files.
func renumbered(o, n *file) []Renumbered {
	var out []Renumbered
	for i := range n.digest.Methods {
		m := &n.digest.Methods[i]
		was := methodOf(o, &canon.Change{Name: m.Name, Descriptor: m.Descriptor})
		if was != nil && was.FileName != m.FileName {
			out = append(out, Renumbered{classfile.Text(was.FileName), classfile.Text(m.FileName)})
		}
	}
	return out
}
