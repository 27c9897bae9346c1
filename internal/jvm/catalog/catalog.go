package catalog

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
)

// A File is the class file that a program uses for a class.
type File struct {
	Class  string        // internal name, as the place of the file has it
	Digest digest.Digest // of the SHA-256 of its content, as package classpath gives it
	Read   func() ([]byte, error)
}

// A Book remembers groups. The zero value is empty. A book is for one program and one goroutine.
type Book struct {
	groups map[string]*group
}

// A group is a top-level class and all that is inside it, with what its digests were computed from.
type group struct {
	files   []file // by class
	foreign []string

	// The digests: encoded as they were stored, until someone asks for them.
	stored  []byte
	classes map[string]*canon.Class
	broken  map[string]string // classes without digests, and why
}

type file struct {
	class   string
	content digest.Digest
}

// A Catalog has the digests of all classes at one moment. Like its book it is for one goroutine.
type Catalog struct {
	groups map[string]*group
	// Computed is the number of classes whose digests were computed and not remembered, Read the number of class files read for that.
	Computed, Read int
}

// ErrUnreadable is wrapped by the error about a class that has no digests.
var ErrUnreadable = errors.New("class file cannot be used")

// Class returns the digests of a class by its name in the file. A class that is not in the program has none, and no error.
func (c *Catalog) Class(name string) (*canon.Class, error) {
	g := c.groups[canon.Group(name)]
	if g == nil {
		return nil, nil
	}
	if err := g.open(); err != nil {
		return nil, err
	}
	if why, ok := g.broken[name]; ok {
		return nil, fmt.Errorf("%w: %s", ErrUnreadable, why)
	}
	return g.classes[name], nil
}

// Names lists all classes, those without digests too, sorted.
func (c *Catalog) Names() []string {
	var out []string
	for _, g := range c.groups {
		for _, f := range g.files {
			out = append(out, f.class)
		}
	}
	slices.Sort(out)
	return out
}

// Update makes the catalog of a program and remembers it. Of two files for one class the first counts. An error is about a file that could not be
// read, or changed since its digest was taken: look again.
func (b *Book) Update(files []File) (*Catalog, error) {
	u := update{book: b, now: map[string][]File{}, same: map[string]bool{}, read: map[string][]*canon.Unit{}, broken: map[string]map[string]string{}}
	u.sort(files)
	c := &Catalog{groups: make(map[string]*group, len(u.now))}
	var stale []string
	for name := range u.now {
		if g := b.groups[name]; u.unchanged(name) && !slices.ContainsFunc(g.foreign, func(f string) bool { return !u.unchanged(f) }) {
			c.groups[name] = g
		} else {
			stale = append(stale, name)
		}
	}
	slices.Sort(stale)
	if err := u.compute(stale, c); err != nil {
		return nil, err
	}
	b.groups = c.groups
	return c, nil
}

// An update is one call of Update.
type update struct {
	book   *Book
	now    map[string][]File // by group
	same   map[string]bool   // groups about which unchanged has an answer
	read   map[string][]*canon.Unit
	broken map[string]map[string]string
	files  int
}

func (u *update) sort(files []File) {
	for _, f := range files {
		g := canon.Group(f.Class)
		u.now[g] = append(u.now[g], f)
	}
	for name, fs := range u.now {
		if len(fs) == 1 {
			continue
		}
		slices.SortStableFunc(fs, func(a, b File) int { return cmp.Compare(a.Class, b.Class) })
		u.now[name] = slices.CompactFunc(fs, func(a, b File) bool { return a.Class == b.Class })
	}
}

// unchanged tells whether a group has the files that the book remembers, also if that is none.
func (u *update) unchanged(name string) bool {
	same, ok := u.same[name]
	if !ok {
		var old []file
		if g := u.book.groups[name]; g != nil {
			old = g.files
		}
		same = slices.EqualFunc(old, u.now[name], func(o file, n File) bool { return o.class == n.Class && o.content.Same(n.Digest) })
		u.same[name] = same
	}
	return same
}

// compute digests the classes of groups.
func (u *update) compute(names []string, c *Catalog) error {
	fresh := map[string]*group{}
	for _, name := range names {
		if err := u.load(name); err != nil {
			return err
		}
		g := &group{classes: map[string]*canon.Class{}, broken: maps.Clone(u.broken[name])}
		for _, f := range u.now[name] {
			g.files = append(g.files, file{f.Class, f.Digest})
		}
		foreign := map[string]bool{}
		for _, unit := range u.read[name] {
			for _, f := range unit.Foreign() {
				foreign[f] = true
			}
			for _, class := range unit.ForeignMethods() {
				if err := u.follow(class, foreign); err != nil {
					return err
				}
			}
		}
		g.foreign = slices.Sorted(maps.Keys(foreign))
		fresh[name] = g
	}
	for _, g := range fresh {
		for _, f := range g.foreign {
			if err := u.load(f); err != nil {
				return err
			}
		}
	}
	var units []*canon.Unit
	for _, name := range slices.Sorted(maps.Keys(u.read)) {
		units = append(units, u.read[name]...)
	}
	set := canon.NewSet(units...)
	for _, name := range names {
		g := fresh[name]
		for _, unit := range u.read[name] {
			c.Computed++
			class, err := set.Class(unit.Name)
			if err != nil {
				g.note(unit.Name, err)
				continue
			}
			g.classes[unit.Name] = class.Plain()
		}
		c.groups[name] = g
	}
	c.Read = u.files
	return nil
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
		i := slices.IndexFunc(u.read[g], func(unit *canon.Unit) bool { return unit.Name == class })
		if i < 0 {
			return nil
		}
		class = u.read[g][i].Super()
	}
	return nil
}

func (g *group) note(class string, err error) {
	if g.broken == nil {
		g.broken = map[string]string{}
	}
	g.broken[class] = err.Error()
}

// load reads the class files of a group, once.
func (u *update) load(name string) error {
	if _, ok := u.read[name]; ok {
		return nil
	}
	u.read[name] = nil
	for _, f := range u.now[name] {
		unit, broken, err := u.unit(f)
		if err != nil {
			return err
		}
		if broken != nil {
			if u.broken[name] == nil {
				u.broken[name] = map[string]string{}
			}
			u.broken[name][f.Class] = broken.Error()
			continue
		}
		u.read[name] = append(u.read[name], unit)
	}
	return nil
}

// ErrChanged is wrapped by the error about a class file that is not the one whose digest was given.
var ErrChanged = errors.New("changed while it was looked at")

// unit reads one class file. What is broken is so whenever the file has this content; err says that the content was not to be had.
func (u *update) unit(f File) (unit *canon.Unit, broken, err error) {
	if f.Digest == digest.Unknown {
		return nil, errors.New("its content is not known"), nil
	}
	data, err := f.Read()
	if err != nil {
		return nil, nil, fmt.Errorf("class %s: %w", classfile.Text(f.Class), err)
	}
	u.files++
	sum := sha256.Sum256(data)
	if !digest.Of(sum[:]).Same(f.Digest) {
		return nil, nil, fmt.Errorf("class %s: %w", classfile.Text(f.Class), ErrChanged)
	}
	unit, broken = canon.Read(data)
	if broken == nil && unit.Name != f.Class {
		broken = fmt.Errorf("the file holds class %s", classfile.Text(unit.Name))
	}
	return unit, broken, nil
}
