package table

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"sync"

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
	// Cache is the directory of shelves; "" keeps nothing.
	Cache string
}

// A Program is the classes of a class path with the JDK in front, as they were when it was opened. It is for one goroutine at a time.
type Program struct {
	shop   *shop
	places []*place
	jdk    *platform

	classes map[string]found // by name in the file: the winner of the class path
	tables  map[string]*Table

	numbered func() map[string]string   // world name of a numbered class → name in the file, "" if there are several
	raw      func() map[string]bool     // see Raw
	below    func() map[string][]string // world name → world names of direct subtypes
	world    *hierarchy.World
}

// A found is a class and where it was found.
type found struct {
	*row
	place *place
}

// InJDK is the digest of every class of the JDK: which JDK it is belongs to the fingerprint of a run.
var InJDK = digest.OfString("winnow: a class of the JDK")

// Open looks at a program. Classes that cannot be read are part of it; a place that cannot be listed is an error.
func Open(ctx context.Context, o Options) (*Program, error) {
	jdk, err := openPlatform(o.JDK)
	if err != nil {
		return nil, err
	}
	if o.Seen == nil {
		o.Seen = new(classpath.Seen)
	}
	p := &Program{jdk: jdk, shop: &shop{seen: o.Seen, cache: cache(o.Cache), feature: jdk.feature}, tables: map[string]*Table{}}
	if err := p.open(ctx, o.ClassPath); err != nil {
		return nil, errors.Join(err, jdk.Close())
	}
	p.index()
	return p, nil
}

// Close releases the JDK's file.
func (p *Program) Close() error { return p.jdk.Close() }

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

func (p *Program) index() {
	n := 0
	for _, place := range p.places {
		for i := range place.groups {
			n += len(place.groups[i].rows)
		}
	}
	p.classes = make(map[string]found, n)
	for _, place := range p.places {
		for r := range place.rows() {
			if _, ok := p.classes[r.name]; !ok {
				p.classes[r.name] = found{r, place}
			}
		}
	}
	p.numbered = sync.OnceValue(p.indexNumbered)
	p.raw = sync.OnceValue(p.indexRaw)
	p.below = sync.OnceValue(p.indexBelow)
	p.world = hierarchy.New(p.lookup)
}

// find returns the class of the class path that a JVM would define.
func (p *Program) find(class string) (found, bool) {
	f, ok := p.classes[class]
	if !ok || p.jdk.hides(class) {
		return found{}, false
	}
	return f, true
}

// JDK tells whether a class is one of the JDK.
func (p *Program) JDK(class string) bool { return p.jdk.has(class) }

// Digest is the digest of the table of a class, by its name in the file: Absent if there is no such class, Unknown if it cannot be read, InJDK if it is one of
// the JDK.
func (p *Program) Digest(class string) digest.Digest {
	f, ok := p.find(class)
	switch {
	case !ok && p.JDK(class):
		return InJDK
	case !ok:
		return digest.Absent
	case f.broken != "":
		return digest.Unknown
	}
	return f.row.table
}

// Content is the digest of the class file that a JVM would define, Absent if the class path has none.
func (p *Program) Content(class string) digest.Digest {
	f, ok := p.find(class)
	if !ok {
		return digest.Absent
	}
	return f.content
}

// ErrUnreadable is wrapped by the error about a class that has no table.
var ErrUnreadable = errors.New("class file cannot be used")

// Table returns the table of a class, by its name in the file. A class that the class path does not have, has none, and no error.
func (p *Program) Table(class string) (*Table, error) {
	if t, ok := p.tables[class]; ok {
		return t, nil
	}
	f, ok, err := p.readable(class)
	if !ok || err != nil {
		return nil, err
	}
	t, err := f.place.table(p.shop, f.row)
	if err != nil {
		return nil, fmt.Errorf("class %s: %w", class, err)
	}
	p.tables[class] = t
	return t, nil
}

// Body is the encoding of the table of a class: what is stored with a record.
func (p *Program) Body(class string) ([]byte, error) {
	t, err := p.Table(class)
	if t == nil || err != nil {
		return nil, err
	}
	return t.Append(nil), nil
}

// Refs returns what the bodies of a class name. A class that the class path does not have, has none, and no error.
func (p *Program) Refs(class string) (*Refs, error) {
	f, ok, err := p.readable(class)
	if !ok || err != nil {
		return nil, err
	}
	r, err := f.place.refs(p.shop, f.row)
	if err != nil {
		return nil, fmt.Errorf("class %s: %w", class, err)
	}
	return r, nil
}

func (p *Program) readable(class string) (found, bool, error) {
	f, ok := p.find(class)
	if ok && f.broken != "" {
		return found{}, false, fmt.Errorf("%w: %s in %s: %s", ErrUnreadable, class, f.place.path, f.broken)
	}
	return f, ok, nil
}

// Place is the directory or jar that defines a class, "" if none does.
func (p *Program) Place(class string) string {
	f, ok := p.find(class)
	if !ok {
		return ""
	}
	return f.place.path
}

// Names gives all classes of the class path that a JVM would define, sorted.
func (p *Program) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, name := range slices.Sorted(maps.Keys(p.classes)) {
			if !p.jdk.hides(name) && !yield(name) {
				return
			}
		}
	}
}
