package table

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/classpath"
)

// A row is what a shelf knows of one class.
type row struct {
	name      string        // in the file
	file      digest.Digest // of the class file, as package classpath gives it
	content   digest.Digest // of the bytes of the class file
	canonical string
	supers    []string // direct supertypes, superclass first, canonical
	raw       []string // see rawNames
	broken    string   // why the class has no table; "" if it has

	link, reflect digest.Digest // as in the table
	table         digest.Digest
	refsSum       digest.Digest
	// The encodings of table and refs: here, or where they are in the file of the shelf.
	tableData, refsData []byte
	tableAt, refsAt     span
}

type span struct{ off, len int }

// A group is a top-level class and all that is inside it, with the other groups on whose names its tables depend.
type group struct {
	name    string
	rows    []row // by name
	foreign []string
}

// An input is a class file of a place.
type input struct {
	class  string
	digest digest.Digest // as package classpath gives it
	entry  classpath.Entry
	read   func(classpath.Entry) ([]byte, error)
}

// ErrChanged is wrapped by the error about a file that is not the one whose digest was taken.
var ErrChanged = errors.New("changed while it was looked at")

// An update makes the groups of a place anew, as far as their files changed.
type update struct {
	old  []group  // by name
	now  []bundle // by name
	read map[string][]loaded
}

// A bundle is the class files of a group.
type bundle struct {
	name   string
	files  []input // by class
	before *group  // nil if there was none
	same   bool    // the files are those of before
}

// A loaded is a class file that was read.
type loaded struct {
	input
	content digest.Digest
	unit    *canon.Unit
	file    *classfile.Class
	broken  error // the file is so; units and files are nil
}

// groups returns the groups of a place, and how many of them are new. The old ones are sorted by name; the inputs are put in order.
func groups(old []group, inputs []input) (out []group, fresh int, err error) {
	u := update{old: old, now: bundles(inputs), read: map[string][]loaded{}}
	u.match()
	var names []string
	for i := range u.now {
		if !u.keeps(&u.now[i]) {
			names = append(names, u.now[i].name)
		}
	}
	made, err := u.make(names)
	if err != nil {
		return nil, 0, err
	}
	if len(u.now) > 0 {
		out = make([]group, len(u.now))
	}
	for i := range u.now {
		if g, ok := made[u.now[i].name]; ok {
			out[i] = *g
		} else {
			out[i] = *u.now[i].before
		}
	}
	return out, len(made), nil
}

// bundles puts inputs together by group.
func bundles(inputs []input) []bundle {
	slices.SortFunc(inputs, func(a, b input) int {
		return cmp.Or(strings.Compare(canon.Group(a.class), canon.Group(b.class)), strings.Compare(a.class, b.class))
	})
	out := make([]bundle, 0, len(inputs))
	for i := range inputs {
		name := canon.Group(inputs[i].class)
		if n := len(out); n == 0 || out[n-1].name != name {
			out = append(out, bundle{name: name, files: inputs[i:i]})
		}
		last := &out[len(out)-1]
		last.files = last.files[:len(last.files)+1]
	}
	return out
}

// match finds the old groups of the present ones: both are sorted.
func (u *update) match() {
	k := 0
	for i := range u.now {
		b := &u.now[i]
		for k < len(u.old) && u.old[k].name < b.name {
			k++
		}
		if k < len(u.old) && u.old[k].name == b.name {
			b.before = &u.old[k]
			b.same = b.sameFiles(u.old[k].rows)
		}
	}
}

// sameFiles tells whether the files are those of rows.
func (b *bundle) sameFiles(rows []row) bool {
	if len(rows) != len(b.files) {
		return false
	}
	for i := range rows {
		if rows[i].name != b.files[i].class || !rows[i].file.Same(b.files[i].digest) {
			return false
		}
	}
	return true
}

// keeps tells whether the old tables of a group are still right.
func (u *update) keeps(b *bundle) bool {
	return b.same && !slices.ContainsFunc(b.before.foreign, func(f string) bool { return !u.unchanged(f) })
}

// unchanged tells whether a group has the files that it had, also if that is none.
func (u *update) unchanged(name string) bool {
	if b := u.bundle(name); b != nil {
		return b.same
	}
	_, was := slices.BinarySearchFunc(u.old, name, func(g group, name string) int { return strings.Compare(g.name, name) })
	return !was
}

// bundle finds the files of a group, nil if there are none.
func (u *update) bundle(name string) *bundle {
	i, ok := slices.BinarySearchFunc(u.now, name, func(b bundle, name string) int { return strings.Compare(b.name, name) })
	if !ok {
		return nil
	}
	return &u.now[i]
}

// files are the class files of a group, by class.
func (u *update) files(name string) []input {
	if b := u.bundle(name); b != nil {
		return b.files
	}
	return nil
}

// make describes the classes of groups.
func (u *update) make(names []string) (map[string]*group, error) {
	if err := u.load(names...); err != nil {
		return nil, err
	}
	out := map[string]*group{}
	var others []string
	for _, name := range names {
		foreign, err := u.foreign(name)
		if err != nil {
			return nil, err
		}
		out[name] = &group{name: name, foreign: foreign, rows: make([]row, len(u.read[name]))}
		others = append(others, foreign...)
	}
	if err := u.load(others...); err != nil {
		return nil, err
	}
	set := u.set()
	var work []func() error
	for _, name := range names {
		for i := range u.read[name] {
			work = append(work, func() error { return u.describe(set, &u.read[name][i], &out[name].rows[i]) })
		}
	}
	return out, parallel(work)
}

func (u *update) set() *canon.Set {
	var units []*canon.Unit
	for _, name := range slices.Sorted(maps.Keys(u.read)) {
		for i := range u.read[name] {
			if unit := u.read[name][i].unit; unit != nil {
				units = append(units, unit)
			}
		}
	}
	return canon.NewSet(units...)
}

// foreign lists the other groups on whose names the tables of a group depend.
func (u *update) foreign(name string) ([]string, error) {
	all := map[string]bool{}
	for i := range u.read[name] {
		unit := u.read[name][i].unit
		if unit == nil {
			continue
		}
		for _, f := range unit.Foreign() {
			all[f] = true
		}
		host := nestHost(u.read[name][i].file)
		if g := canon.Group(host); host != "" && g != name {
			all[g] = true // whether it agrees is in the table of the member
		}
		for _, class := range unit.ForeignMethods() {
			if err := u.follow(class, all); err != nil {
				return nil, err
			}
		}
	}
	return slices.Sorted(maps.Keys(all)), nil
}

// nestHost is the class that a class says to be its nest host, "" if it says none. If it does so in a way that cannot be read, its table is not to be had.
func nestHost(c *classfile.Class) string {
	v, err := classfile.ValueOf[*classfile.NestHost](c, c.Attributes, "NestHost", classfile.InClass)
	if v == nil || err != nil {
		return ""
	}
	name, _ := c.Pool.Class(v.Class)
	return name
}

// follow adds the groups of a class and its superclasses.
func (u *update) follow(class string, groups map[string]bool) error {
	for seen := map[string]bool{}; class != "" && !seen[class]; {
		seen[class] = true
		g := canon.Group(class)
		groups[g] = true
		if err := u.load(g); err != nil {
			return err
		}
		i := slices.IndexFunc(u.read[g], func(l loaded) bool { return l.class == class && l.unit != nil })
		if i < 0 {
			return nil
		}
		class = u.read[g][i].unit.Super()
	}
	return nil
}

// load reads the class files of groups, each once.
func (u *update) load(names ...string) error {
	var work []func() error
	for _, name := range names {
		if _, ok := u.read[name]; ok {
			continue
		}
		inputs := u.files(name)
		files := make([]loaded, len(inputs))
		u.read[name] = files
		for i, in := range inputs {
			files[i].input = in
			work = append(work, files[i].load)
		}
	}
	return parallel(work)
}

// load reads one class file. What is broken is so whenever the file has this content; an error says that the content was not to be had.
func (l *loaded) load() error {
	if l.digest == digest.Unknown {
		l.broken = errors.New("its content is not known")
		return nil
	}
	data, err := l.input.read(l.entry)
	if err != nil {
		return fmt.Errorf("class %s: %w", classfile.Text(l.class), err)
	}
	sum := sha256.Sum256(data)
	if !digest.Of(sum[:]).Same(l.digest) {
		return fmt.Errorf("class %s: %w", classfile.Text(l.class), ErrChanged)
	}
	l.content = digest.Of(data)
	unit, err := canon.Read(data)
	if err != nil {
		l.broken = err
		return nil
	}
	if unit.Name != l.class {
		l.broken = fmt.Errorf("the file holds class %s", classfile.Text(unit.Name))
		return nil
	}
	if l.file, l.broken = classfile.Read(data); l.broken == nil {
		l.unit = unit
	}
	return nil
}

// describe fills the row of a class.
func (u *update) describe(set *canon.Set, l *loaded, r *row) error {
	*r = row{name: l.class, file: l.digest, content: l.content, canonical: l.class}
	if l.broken == nil {
		l.broken = u.fill(set, l, r)
	}
	if l.broken != nil {
		r.broken = l.broken.Error()
	}
	return nil
}

func (u *update) fill(set *canon.Set, l *loaded, r *row) error {
	t, err := describe(set, l.file)
	if err != nil {
		return err
	}
	refs, err := collect(l.file)
	if err != nil {
		return err
	}
	r.canonical = strings.Clone(t.Name)
	r.supers = append([]string{t.Super}, t.Interfaces...)
	r.raw = cloneAll(rawNames(set, l.file, u.has))
	r.link, r.reflect = t.Link, t.Reflect
	r.tableData, r.refsData = t.Append(nil), refs.Append(nil)
	r.table, r.refsSum = digest.Of(r.tableData), digest.Of(r.refsData)
	r.supers = cloneAll(r.supers)
	return nil
}

// cloneAll frees texts from the class file that they were cut from.
func cloneAll(list []string) []string {
	for i := range list {
		list[i] = strings.Clone(list[i])
	}
	return list
}

// has tells whether the place has a class.
func (u *update) has(class string) bool {
	_, ok := slices.BinarySearchFunc(u.files(canon.Group(class)), class, func(in input, class string) int { return strings.Compare(in.class, class) })
	return ok
}

// parallel does work that does not depend on its order. The error is the first in the order of the work.
func parallel(work []func() error) error {
	errs := make([]error, len(work))
	next := make(chan int, 64)
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(work)) {
		wait.Go(func() {
			for i := range next {
				errs[i] = work[i]()
			}
		})
	}
	for i := range work {
		next <- i
	}
	close(next)
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
