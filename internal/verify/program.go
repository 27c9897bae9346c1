package verify

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/classpath"
)

// A class is what a JVM of the setting would define under a name, now.
type class struct {
	canonical     string
	file          string // name in the file
	opaque        string
	link, reflect digest.Digest // as a recorded table has them
	frame         *canon.Frame  // nil if it has no test methods
	methods       map[signature]canon.Method
	place         string
	data          []byte // of the class file
	twice         bool   // it has two methods of one signature
}

// A signature names a method in its class, canonically.
type signature struct{ name, descriptor string }

// A program is the classes and resources of one setting, read now.
type program struct {
	setting  *Setting
	path     *classpath.Path
	platform map[string]bool // places of the JDK
	places   map[string]*place
	classes  map[string]*class // by name in the file; what was read
	broken   map[string]error
	digested int
	jdk      map[string]*classfile.Class
	namers   map[string][]string // see others

	// By canonical name: direct supertypes of classes whose link parts are what they were, all supertypes of a class, and all that are at or below it.
	supers, ancestors, subtypes map[string][]string
}

// A place is a directory or jar of the class path.
type place struct {
	classpath.Place
	groups map[string][]string // names of classes by the name of their top-level class
	units  map[string]*canon.Unit
	data   map[string][]byte
	failed map[string]error
	loaded map[string]bool // groups

	resources func() (*resources, error)
}

func openProgram(s *Setting) (*program, error) {
	feature, err := featureOf(s.JDK)
	if err != nil {
		return nil, err
	}
	jdk, err := classpath.Platform(s.JDK)
	if err != nil {
		return nil, err
	}
	p := &program{
		setting: s, platform: map[string]bool{}, places: map[string]*place{}, classes: map[string]*class{}, broken: map[string]error{}, jdk: map[string]*classfile.Class{},
		namers: map[string][]string{}, supers: map[string][]string{}, ancestors: map[string][]string{},
	}
	for _, file := range jdk {
		p.platform[file] = true
	}
	p.path, err = classpath.OpenPath(feature, append([]string{s.JDK}, s.ClassPath...)...)
	if err != nil {
		return nil, err
	}
	for _, at := range p.path.Places() {
		if at.State == classpath.Present && !p.platform[at.Path] {
			pl := &place{Place: at, units: map[string]*canon.Unit{}, data: map[string][]byte{}, failed: map[string]error{}, loaded: map[string]bool{}}
			pl.resources = sync.OnceValues(func() (*resources, error) { return listResources(at, feature) })
			p.places[at.Path] = pl
		}
	}
	return p, nil
}

func (p *program) close() error { return p.path.Close() }

// featureOf reads the feature version from the description of a JDK.
func featureOf(home string) (int, error) {
	f, err := os.Open(filepath.Join(home, "release"))
	if err != nil {
		return 0, err
	}
	defer f.Close() // it was only read
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if v, ok := strings.CutPrefix(lines.Text(), "JAVA_VERSION="); ok {
			parts := strings.FieldsFunc(v, func(r rune) bool { return r < '0' || r > '9' })
			if len(parts) > 1 && parts[0] == "1" {
				parts = parts[1:]
			}
			if len(parts) > 0 {
				return strconv.Atoi(parts[0])
			}
		}
	}
	return 0, fmt.Errorf("%s does not tell the version", f.Name())
}

// read digests classes by their names in the file, each once: afterwards find answers for them. The classes of their groups are digested with them, since a
// canonical name may lead to any of these.
func (p *program) read(names []string) error {
	asked := map[*place]map[string]bool{}
	for _, name := range names {
		pl, err := p.placeOf(name)
		if err != nil {
			return err
		}
		if pl == nil {
			continue
		}
		if asked[pl] == nil {
			asked[pl] = map[string]bool{}
		}
		asked[pl][canon.Group(name)] = true
	}
	for pl, groups := range asked {
		if err := p.readIn(pl, groups); err != nil {
			return fmt.Errorf("%s: %w", pl.Path, err)
		}
	}
	return nil
}

// placeOf is where the class path defines a class, nil if it does not. A class that is not there any more may have got another number: then its top-level class tells.
func (p *program) placeOf(name string) (*place, error) {
	for _, n := range []string{name, canon.Group(name)} {
		f, ok, err := p.path.Find(n)
		if err != nil {
			return nil, err
		}
		if ok {
			return p.places[f.Place.Path], nil
		}
	}
	return nil, nil
}

// readIn digests all classes of some groups of a place.
func (p *program) readIn(pl *place, groups map[string]bool) error {
	list := sortedKeys(groups)
	if err := p.load(pl, list); err != nil {
		return err
	}
	if err := p.loadForeign(pl, list); err != nil {
		return err
	}
	var units []*canon.Unit
	for _, name := range sortedKeys(pl.units) {
		units = append(units, pl.units[name])
	}
	set := canon.NewSet(units...)
	var names []string
	for _, g := range list {
		names = append(names, pl.groups[g]...)
	}
	out := make([]*class, len(names))
	parallel(len(names), func(i int) {
		if pl.units[names[i]] == nil {
			return
		}
		c, err := set.Class(names[i])
		if err != nil {
			out[i] = &class{file: names[i], opaque: err.Error()}
			return
		}
		if out[i], err = describe(c, pl.Path, pl.data[names[i]]); err != nil {
			out[i] = &class{file: names[i], opaque: err.Error()}
		}
	})
	for i, name := range names {
		switch c := out[i]; {
		case c == nil:
			p.note(pl, name, nil, pl.failed[name])
		case c.canonical == "":
			p.note(pl, name, nil, errors.New(c.opaque))
		default:
			p.note(pl, name, c, nil)
		}
	}
	return nil
}

// note keeps a class if it is the one that a JVM would define.
func (p *program) note(pl *place, name string, c *class, err error) {
	f, ok, finding := p.path.Find(name)
	if finding == nil && (!ok || f.Place.Path != pl.Path) {
		return
	}
	p.digested++
	if err = errors.Join(err, finding); err != nil {
		p.broken[name] = err
		return
	}
	p.classes[name] = c
}

func describe(c *canon.Class, place string, data []byte) (*class, error) {
	out := &class{canonical: c.Name, file: c.File, opaque: c.Opaque, place: place, data: data, methods: make(map[signature]canon.Method, len(c.Methods))}
	out.link, out.reflect = shapes(c.Parts())
	var err error
	if out.frame, err = c.Frame(); err != nil {
		return nil, err
	}
	for _, m := range c.Methods {
		out.methods[signature{m.Name, m.Descriptor}] = m
	}
	out.twice = len(out.methods) != len(c.Methods)
	return out, nil
}

// test is what reflection shows of a method that is a test.
func (c *class) test(m *canon.Method) digest.Digest {
	if c.frame != nil {
		if d, ok := c.frame.Tests[m.FileName+m.FileDescriptor]; ok {
			return d
		}
	}
	return digest.Absent
}

// shapes digests the parts of a class but for its bodies, as recorded tables do: names and digests of all link parts without the list of methods, and of the rest.
func shapes(parts []canon.Part) (link, reflect digest.Digest) {
	var l, r digest.Builder
	for _, part := range parts {
		if part.Kind == canon.Link && part.Name != "methods" {
			l.AddString(part.Name).Add(part.Digest[:])
		} else {
			r.AddString(part.Name).Add(part.Digest[:])
		}
	}
	return l.Sum(), r.Sum()
}

// load reads the class files of groups.
func (p *program) load(pl *place, groups []string) error {
	if pl.groups == nil {
		entries, err := pl.Source.Entries()
		if err != nil {
			return err
		}
		pl.groups = map[string][]string{}
		for _, e := range entries {
			if name, ok := e.Class(); ok {
				g := canon.Group(name)
				pl.groups[g] = append(pl.groups[g], name)
			}
		}
	}
	var names []string
	for _, g := range groups {
		if !pl.loaded[g] {
			pl.loaded[g] = true
			slices.Sort(pl.groups[g])
			pl.groups[g] = slices.Compact(pl.groups[g])
			names = append(names, pl.groups[g]...)
		}
	}
	units, data, failed := make([]*canon.Unit, len(names)), make([][]byte, len(names)), make([]error, len(names))
	parallel(len(names), func(i int) { units[i], data[i], failed[i] = p.readClass(pl, names[i]) })
	for i, name := range names {
		if failed[i] != nil {
			pl.failed[name] = failed[i]
		} else if units[i] != nil {
			pl.units[name], pl.data[name] = units[i], data[i]
		}
	}
	return nil
}

// readClass reads the class file that a place has for a class, also if another place is in front of it: names are given place by place.
func (p *program) readClass(pl *place, name string) (*canon.Unit, []byte, error) {
	f, ok, err := p.path.Find(name)
	if err != nil {
		return nil, nil, err
	}
	all := f.Shadows
	if ok {
		all = append([]classpath.Location{f.Location}, all...)
	}
	i := slices.IndexFunc(all, func(l classpath.Location) bool { return l.Place.Path == pl.Path })
	if i < 0 {
		return nil, nil, nil // a version for newer JVMs
	}
	data, err := all[i].Read()
	if err != nil {
		return nil, nil, err
	}
	unit, err := canon.Read(data)
	if err == nil && unit.Name != name {
		err = fmt.Errorf("the file holds class %s", classfile.Text(unit.Name))
	}
	if err != nil {
		return nil, nil, err
	}
	return unit, data, nil
}

// loadForeign reads the other groups on whose names the digests of some groups depend.
func (p *program) loadForeign(pl *place, groups []string) error {
	var more []string
	for _, g := range groups {
		for _, name := range pl.groups[g] {
			unit := pl.units[name]
			if unit == nil {
				continue
			}
			more = append(more, unit.Foreign()...)
			for _, class := range unit.ForeignMethods() {
				if err := p.loadAbove(pl, class); err != nil {
					return err
				}
			}
		}
	}
	return p.load(pl, more)
}

// loadAbove reads a class and its superclasses, as far as the place has them.
func (p *program) loadAbove(pl *place, class string) error {
	for seen := map[string]bool{}; class != "" && !seen[class]; {
		seen[class] = true
		if err := p.load(pl, []string{canon.Group(class)}); err != nil {
			return err
		}
		unit := pl.units[class]
		if unit == nil {
			return nil
		}
		class = unit.Super()
	}
	return nil
}

// find returns a class by its name in the file: nil if the class path has none. It must have been read.
func (p *program) find(name string) (*class, error) {
	if err := p.broken[name]; err != nil {
		return nil, err
	}
	return p.classes[name], nil
}

// hidden tells whether a class is one of the JDK, or its package is.
func (p *program) hidden(name string) (bool, error) {
	f, ok, err := p.path.Find(name)
	if err != nil {
		return false, err
	}
	return ok && p.platform[f.Place.Path], nil
}

// renamed finds the class with a canonical name whose number may be another one now: a class of the same group in the place of the group.
func (p *program) renamed(file, canonical string) (*class, error) {
	pl, err := p.placeOf(file)
	if pl == nil || err != nil {
		return nil, err
	}
	for _, name := range pl.groups[canon.Group(file)] {
		if c := p.classes[name]; c != nil && c.canonical == canonical {
			return c, nil
		}
	}
	return nil, nil
}

// platformClass returns a class of the JDK, nil if it has no such class.
func (p *program) platformClass(name string) (*classfile.Class, error) {
	if c, ok := p.jdk[name]; ok {
		return c, nil
	}
	f, ok, err := p.path.Find(name)
	if err != nil {
		return nil, err
	}
	var c *classfile.Class
	if ok && p.platform[f.Place.Path] {
		data, err := f.Read()
		if err != nil {
			return nil, err
		}
		if c, err = classfile.Read(data); err != nil {
			return nil, err
		}
	}
	p.jdk[name] = c
	return c, nil
}

// parallel calls f with 0 to n-1.
func parallel(n int, f func(i int)) {
	next := make(chan int, 64)
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wait.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}
