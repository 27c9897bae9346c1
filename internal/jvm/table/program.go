package table

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/hierarchy"
)

// Options says what program to look at.
type Options struct {
	JDK       string   // home of the JVM that runs the program
	ClassPath []string // directories and jars, in order; manifests are followed
	// Seen recognises unchanged files; none if nil.
	Seen *classpath.Seen
	// Cache is where shelves are kept; nowhere if nil.
	Cache *Cache
}

// A Program is the classes of a class path with the JDK in front, as they were when it was opened. It is for one goroutine at a time, but for JDK.
type Program struct {
	own    *Cache // nil if it is somebody else's
	shop   *shop
	places []*place
	jdk    *platform

	packages map[string][]*place // that have a class of a package
	classes  map[string]found    // answers of find
	tables   map[string]*Table
	// last are the refs that were asked for last, and of which class: who asks for one method of a class asks for the next.
	last   *Refs
	lastOf string
	raw    map[string]bool
	below  map[*place]map[string][]string // world name → world names of direct subtypes in a place
	world  *hierarchy.World
}

// A found is a class and the place that defines it. Without a place there is no such class on the class path; with an error nothing is known.
type found struct {
	row   *row // nil without a place, or if that cannot be read
	place *place
	err   error
}

// InJDK is the digest of every class of the JDK: which JDK it is belongs to the fingerprint of a run.
var InJDK = digest.OfString("winnow: a class of the JDK")

// Open looks at a program. Classes that cannot be read are part of it; a place that cannot be listed is an error.
func Open(ctx context.Context, o Options) (*Program, error) {
	if o.Seen == nil {
		o.Seen = new(classpath.Seen)
	}
	var own *Cache
	if o.Cache == nil {
		own = NewCache("")
		o.Cache = own
	}
	jdk, err := o.Cache.platform(o.JDK)
	if err != nil {
		return nil, err
	}
	p := &Program{own: own, jdk: jdk, shop: &shop{seen: o.Seen, cache: o.Cache, feature: jdk.feature}}
	p.packages, p.tables = map[string][]*place{}, map[string]*Table{}
	p.raw, p.below = map[string]bool{}, map[*place]map[string][]string{}
	p.world = hierarchy.New(p.lookup)
	if err := p.open(ctx, o.ClassPath); err != nil {
		return nil, errors.Join(err, own.Close())
	}
	p.index()
	return p, nil
}

// Close releases what no cache keeps.
func (p *Program) Close() error { return p.own.Close() }

// Problems are what could not be kept for the next time, and does no harm else.
func (p *Program) Problems() []error {
	var out []error
	for _, place := range p.places {
		if place.problem != nil {
			out = append(out, place.problem)
		}
	}
	return out
}

func (p *Program) open(ctx context.Context, elements []string) error {
	seen := map[string]bool{}
	for _, element := range elements {
		if element == "" || filepath.Base(element) == "*" {
			return fmt.Errorf("tables: class path element %q: empty elements and wildcards must be expanded", element)
		}
		place, err := p.add(ctx, element, seen)
		if err != nil {
			return err
		}
		if place == nil || !place.classPath {
			continue
		}
		more, err := p.followed(place.path)
		if err != nil {
			return err
		}
		for _, path := range more {
			if _, err := p.add(ctx, path, seen); err != nil {
				return err
			}
		}
	}
	return nil
}

// add opens a place, unless it is already there: then it is nil.
func (p *Program) add(ctx context.Context, path string, seen map[string]bool) (*place, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("tables: %w", err)
	}
	if seen[path] {
		return nil, nil
	}
	seen[path] = true
	place, err := p.shop.open(path)
	if err == nil {
		p.places = append(p.places, place)
	}
	return place, err
}

// followed lists the places to which the manifest of a jar leads, directly or not, in the order in which they are searched.
func (p *Program) followed(jar string) ([]string, error) {
	path, err := classpath.OpenPath(p.shop.feature, jar)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, place := range path.Places()[1:] {
		out = append(out, place.Path)
	}
	return out, path.Close()
}

// index notes which places have which packages.
func (p *Program) index() {
	here := 0 // classes of directories: all of them will be asked for
	for _, place := range p.places {
		if place.dir {
			here += len(place.groups)
		}
		for _, name := range place.packages {
			p.packages[name] = append(p.packages[name], place)
		}
		for _, name := range place.raw {
			p.raw[name] = true
		}
	}
	p.classes = make(map[string]found, here)
}

// find returns the class of the class path that a JVM would define.
func (p *Program) find(class string) found {
	f, ok := p.classes[class]
	if !ok {
		f = p.search(class)
		p.classes[class] = f
	}
	return f
}

func (p *Program) search(class string) found {
	if p.jdk.hides(class) {
		return found{}
	}
	for _, place := range p.packages[packageOf(class)] {
		if err := place.load(p.shop); err != nil {
			return found{place: place, err: err}
		}
		if r := place.row(class); r != nil {
			f := found{row: r, place: place}
			if r.broken != "" {
				f.err = fmt.Errorf("%w: %s in %s: %s", ErrUnreadable, class, place.path, r.broken)
			}
			return f
		}
	}
	return found{}
}

// JDK tells whether a class is one of the JDK.
func (p *Program) JDK(class string) bool { return p.jdk.has(class) }

// Digest is the digest of the table of a class, by its name in the file: Absent if there is no such class, Unknown if it cannot be read, InJDK if it is one of
// the JDK.
func (p *Program) Digest(class string) digest.Digest {
	f := p.find(class)
	switch {
	case f.err != nil:
		return digest.Unknown
	case f.place != nil:
		return f.row.table
	case p.JDK(class):
		return InJDK
	}
	return digest.Absent
}

// Content is the digest of the class file that a JVM would define, Absent if the class path has none.
func (p *Program) Content(class string) digest.Digest {
	f := p.find(class)
	switch {
	case f.place == nil:
		return digest.Absent
	case f.row == nil:
		return digest.Unknown
	}
	return f.row.content
}

// ErrUnreadable is wrapped by the error about a class that has no table.
var ErrUnreadable = errors.New("class file cannot be used")

// Table returns the table of a class, by its name in the file. A class that the class path does not have, has none, and no error.
func (p *Program) Table(class string) (*Table, error) {
	if t, ok := p.tables[class]; ok {
		return t, nil
	}
	data, err := p.Body(class)
	if data == nil || err != nil {
		return nil, err
	}
	t, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("class %s: %w", class, err)
	}
	p.tables[class] = t
	return t, nil
}

// Body returns the encoding of the table of a class, which is what is stored with a record; nil if the class path does not have the class. It must not be changed.
func (p *Program) Body(class string) ([]byte, error) {
	f := p.find(class)
	if f.place == nil || f.err != nil {
		return nil, f.err
	}
	data, err := f.place.table(p.shop, class)
	if err != nil {
		return nil, fmt.Errorf("class %s: %w", class, err)
	}
	return data, nil
}

// Refs returns what the bodies of a class name. A class that the class path does not have, has none, and no error.
func (p *Program) Refs(class string) (*Refs, error) {
	if p.last != nil && p.lastOf == class {
		return p.last, nil
	}
	f := p.find(class)
	if f.place == nil || f.err != nil {
		return nil, f.err
	}
	r, err := f.place.refs(p.shop, class)
	if err != nil {
		return nil, fmt.Errorf("class %s: %w", class, err)
	}
	p.last, p.lastOf = r, class
	return r, nil
}

// Place is the directory or jar that defines a class, "" if none does.
func (p *Program) Place(class string) string {
	f := p.find(class)
	if f.place == nil {
		return ""
	}
	return f.place.path
}

// Names lists all classes of the class path that a JVM would define or try to, sorted.
func (p *Program) Names() ([]string, error) {
	return p.names(p.places)
}

// NamesInDirs lists those of them that a directory defines. Jars are not looked into, but for those that have a class of the same package and come first.
func (p *Program) NamesInDirs() ([]string, error) {
	all, err := p.names(slices.DeleteFunc(slices.Clone(p.places), func(place *place) bool { return !place.dir }))
	if err != nil {
		return nil, err
	}
	out := all[:0]
	for _, class := range all {
		f := p.find(class)
		if f.row == nil { // a jar that comes first cannot be read
			return nil, f.err
		}
		if f.place.dir {
			out = append(out, class)
		}
	}
	return out, nil
}

// names lists the classes of some places that the JDK does not hide.
func (p *Program) names(places []*place) ([]string, error) {
	var all []string
	for _, place := range places {
		if err := place.load(p.shop); err != nil {
			return nil, err
		}
		for r := range place.rows() {
			if !p.jdk.hides(r.name) {
				all = append(all, r.name)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// Feature is the feature version of the JVM that runs the program, such as 17.
func (p *Program) Feature() int { return p.shop.feature }
