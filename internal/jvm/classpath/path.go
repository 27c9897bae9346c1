package classpath

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A State says what is at a place of a path.
type State uint8

const (
	// Present: there is a source.
	Present State = iota
	// Absent: there is nothing. A JVM goes on without a word; if something appears, classes may be found elsewhere than before.
	Absent
	// NotArchive: there is a file that is no jar at all. A JVM goes on without a word.
	NotArchive
)

// String returns the state in words.
func (s State) String() string { return [...]string{"present", "absent", "not a jar"}[s] }

// A Place is one element of a path.
type Place struct {
	// Path is the directory or file.
	Path string
	// From is the jar whose manifest names the place, or "" if the caller did.
	From  string
	State State
	// Source is nil unless the state is Present.
	Source Source
}

// A Location is an entry and where it is.
type Location struct {
	Place Place
	Entry Entry
}

// Read returns the content of the entry.
func (l Location) Read() ([]byte, error) { return l.Place.Source.Read(l.Entry) }

// A Found is a class and where it was found.
type Found struct {
	// Class is the internal name.
	Class string
	// Location is the entry that wins.
	Location
	// Shadows are the other entries of that name which would win without those in front of them, in this order: lower versions of
	// the same jar, then later places.
	Shadows []Location
}

// A Path is an ordered list of places, seen by a JVM of one feature version.
type Path struct {
	feature  int
	places   []Place
	problems []Problem
}

// OpenPath opens all places of a path for a JVM of a feature version such as 17. A JDK's home stands for the JDK's own classes and belongs
// in front. The Class-Path of each jar is followed.
func OpenPath(feature int, paths ...string) (*Path, error) {
	return Options{}.OpenPath(feature, paths...)
}

// OpenPath is the function OpenPath with limits.
func (o Options) OpenPath(feature int, paths ...string) (*Path, error) {
	x := expansion{opts: o, path: &Path{feature: feature}, seen: map[string]bool{}}
	for _, p := range paths {
		if err := x.element(p); err != nil {
			return nil, errors.Join(err, x.path.Close())
		}
	}
	return x.path, nil
}

// Places lists the places in the order in which they are searched.
func (p *Path) Places() []Place { return p.places }

// Problems lists what is strange in the path itself; each source has its own problems besides.
func (p *Path) Problems() []Problem { return p.problems }

// Close closes all sources.
func (p *Path) Close() error {
	var errs []error
	for _, place := range p.places {
		if place.Source != nil {
			errs = append(errs, place.Source.Close())
		}
	}
	return errors.Join(errs...)
}

// Find looks for a class by internal name. If it is not found, Shadows may still name entries that a package of the run-time image hides.
func (p *Path) Find(class string) (Found, bool, error) {
	f := Found{Class: class}
	if !ValidClass(class) || class == "module-info" {
		return f, false, nil
	}
	var hits []Location
	hidden := false
	for _, place := range p.places {
		if place.State != Present {
			continue
		}
		more, owns, err := p.lookup(place, class)
		if err != nil {
			return Found{}, false, err
		}
		hidden = hidden || owns && len(hits)+len(more) == 0
		hits = append(hits, more...)
	}
	return f.choose(hits, hidden)
}

// choose splits the hits into the winner and the shadows.
func (f Found) choose(hits []Location, hidden bool) (Found, bool, error) {
	if hidden || len(hits) == 0 {
		f.Shadows = hits
		return f, false, nil
	}
	f.Location, f.Shadows = hits[0], hits[1:]
	return f, true, nil
}

// lookup returns the visible entries of a class in one place. If the place owns the class's package, no later place can define the class.
func (p *Path) lookup(place Place, class string) (hits []Location, owns bool, err error) {
	name := class + ".class"
	switch src := place.Source.(type) {
	case *Jar:
		return p.inJar(place, src, name), false, nil
	case *Image:
		if _, owns, err = src.Module(packageOf(class)); err != nil || !owns {
			return nil, false, err
		}
	}
	e, ok, err := place.Source.Find(name)
	if err != nil || !ok {
		return nil, owns, err
	}
	return []Location{{place, e}}, owns, nil
}

// inJar returns the entries of a name that a JVM could see, the winning one first.
func (p *Path) inJar(place Place, j *Jar, name string) []Location {
	var hits []Location
	if j.MultiRelease() && !strings.HasPrefix(name, "META-INF/") {
		for _, v := range j.versions {
			if v > p.feature {
				continue
			}
			if other := versionsPrefix + strconv.Itoa(v) + "/" + name; j.has(other) {
				hits = append(hits, Location{place, j.entry(other)})
			}
		}
	}
	if j.has(name) {
		hits = append(hits, Location{place, j.entry(name)})
	}
	return hits
}

// Classes iterates over all visible classes in alphabetical order, each with its winner and what it shadows. It stops after the first error.
func (p *Path) Classes() iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		names, err := p.classNames()
		if err != nil {
			yield(Found{}, err)
			return
		}
		for _, name := range names {
			f, ok, err := p.Find(name)
			if !ok && err == nil {
				continue
			}
			if !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// classNames lists the names of all classes of all places, visible or not.
func (p *Path) classNames() ([]string, error) {
	var names []string
	for _, place := range p.places {
		if place.State != Present {
			continue
		}
		entries, err := place.Source.Entries()
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if class, ok := e.Class(); ok {
				names = append(names, class)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// An expansion builds the places of a path.
type expansion struct {
	opts Options
	path *Path
	seen map[string]bool
}

// element adds an element that the caller named.
func (x *expansion) element(path string) error {
	if path == "" {
		return errors.New("class path: empty element: a JVM takes it for the current directory, name it \".\"")
	}
	if filepath.Base(path) == "*" {
		return fmt.Errorf("class path: %s: wildcards are not expanded here, list the jars in the order of the JVM's own class path", path)
	}
	if !isJDK(path) {
		return x.add(path, "")
	}
	parts, err := Platform(path)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := x.add(part, ""); err != nil {
			return err
		}
	}
	return nil
}

// add opens a place and then, in front of all that follow, the places that its manifest names. A place that is already there is left out,
// as in the JVM.
func (x *expansion) add(path, from string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("class path: %w", err)
	}
	if x.seen[abs] {
		return nil
	}
	x.seen[abs] = true
	place := Place{Path: path, From: from}
	if place.Source, place.State, err = x.open(path); err != nil {
		return err
	}
	x.path.places = append(x.path.places, place)
	if jar, ok := place.Source.(*Jar); ok {
		return x.follow(jar)
	}
	return nil
}

func (x *expansion) open(path string) (Source, State, error) {
	src, err := x.opts.Open(path)
	switch {
	case err == nil:
		return src, Present, nil
	case errors.Is(err, ErrNotArchive):
		return nil, NotArchive, nil
	case absent(err):
		return nil, Absent, nil
	}
	return nil, Present, err
}

// follow adds the places that a manifest names.
func (x *expansion) follow(jar *Jar) error {
	for _, element := range jar.ClassPath() {
		path, isDir, err := resolve(jar.Path(), element)
		if err != nil {
			x.path.problems = append(x.path.problems, Problem{NotFollowed, element, fmt.Sprintf("in %s: %v", jar.Path(), err)})
			continue
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() != isDir {
			// The URL of a directory ends in a slash; without it a JVM looks for a jar, and the other way round for a directory.
			x.path.problems = append(x.path.problems, Problem{NotFollowed, element, fmt.Sprintf("in %s: only a directory may and must end in a slash", jar.Path())})
			continue
		}
		if err := x.add(path, jar.Path()); err != nil {
			return err
		}
	}
	return nil
}
