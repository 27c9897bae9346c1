package table

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/classpath"
)

// A place is a directory or jar of a program, or a path at which there is nothing.
type place struct {
	path    string
	dir     bool
	content digest.Digest // of a jar
	listing *classpath.Listing
	*shelf
	problem error // the shelf could not be kept
}

// A shop opens places.
type shop struct {
	seen    *classpath.Seen
	cache   *Cache
	feature int
}

// open looks at what is at a path. A place at which there is nothing, or no jar, has no classes: a JVM goes on without a word.
func (s *shop) open(path string) (*place, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return &place{path: path, shelf: &shelf{index: index{ready: true}}}, nil
	case err != nil:
		return nil, fmt.Errorf("tables: %w", err)
	}
	p := &place{path: path, dir: info.IsDir()}
	if p.dir {
		err = s.openDir(p)
	} else {
		err = s.openJar(p)
	}
	if err != nil {
		return nil, fmt.Errorf("tables: %s: %w", path, err)
	}
	return p, nil
}

func (s *shop) openDir(p *place) (err error) {
	if p.listing, err = s.seen.Scan(p.path); err != nil {
		return err
	}
	key := dirKey(p.path)
	old := s.cache.get(key)
	if old == nil || old.load() != nil {
		old = &shelf{key: key}
	}
	list, fresh, err := groups(old.groups, p.inputs())
	if err != nil {
		return err
	}
	p.shelf = old
	if fresh == 0 && len(list) == len(old.groups) && old.ready {
		return nil
	}
	p.shelf = &shelf{key: key, index: index{groups: list, ready: true}, blobs: old.blobs}
	if few(fresh, len(list)) {
		p.sum()
		return nil
	}
	if p.fill() != nil { // what was to be taken over is damaged
		if list, _, err = groups(nil, p.inputs()); err != nil {
			return err
		}
		p.shelf = &shelf{key: key, index: index{groups: list, ready: true}}
	}
	p.save(s)
	return nil
}

// few tells whether so few groups are new that the shelf is not written again: to make them once more next time costs less than to write all of them now.
func few(fresh, groups int) bool { return 100*fresh < groups }

// save keeps the shelf. Here it is in memory as a whole, the file is for others.
func (p *place) save(s *shop) {
	p.sum()
	p.problem = s.cache.put(p.shelf)
	p.shelf.path, p.blobs = "", nil
}

// inputs are the class files of a directory. Versions are for jars only.
func (p *place) inputs() []input {
	out := make([]input, 0, len(p.listing.Contents))
	read := func(e classpath.Entry) ([]byte, error) { return readIn(p.path, e) }
	for i := range p.listing.Contents {
		c := &p.listing.Contents[i]
		class, ok := c.Class()
		if !ok || c.Version != 0 {
			continue
		}
		out = append(out, input{class, c.Digest, c.Entry, read})
	}
	return out
}

func readIn(dir string, e classpath.Entry) ([]byte, error) {
	src, err := classpath.Open(dir)
	if err != nil {
		return nil, err
	}
	data, err := src.Read(e)
	return data, errors.Join(err, src.Close())
}

func (s *shop) openJar(p *place) (err error) {
	if p.content, err = s.seen.Digest(p.path); err != nil {
		return err
	}
	key := jarKey(p.content, s.feature)
	if p.shelf = s.cache.jar(key); p.shelf != nil {
		return nil
	}
	if err := s.makeJar(p, key); err != nil {
		return err
	}
	again, err := s.seen.Digest(p.path)
	if err != nil {
		return err
	}
	if !again.Same(p.content) {
		return ErrChanged
	}
	p.save(s)
	return nil
}

// makeJar reads a jar.
func (s *shop) makeJar(p *place, key digest.Digest) error {
	p.shelf = &shelf{key: key, index: index{ready: true}}
	src, err := classpath.Open(p.path)
	if errors.Is(err, classpath.ErrNotArchive) {
		p.noJar = true
		return nil
	}
	if err != nil {
		return err
	}
	jar, ok := src.(*classpath.Jar)
	if !ok {
		return errors.Join(fmt.Errorf("%w: it is a run-time image", classpath.ErrUnsupported), src.Close())
	}
	return errors.Join(p.shelf.fillFrom(jar, s.feature), src.Close())
}

func (s *shelf) fillFrom(jar *classpath.Jar, feature int) error {
	s.classPath = len(jar.ClassPath()) > 0
	entries, err := effective(jar, feature)
	if err != nil {
		return err
	}
	var classes []input
	for _, e := range entries {
		if class, ok := e.Class(); ok {
			in, err := jarInput(jar, e.Entry, class)
			if err != nil {
				return err
			}
			classes = append(classes, in)
			continue
		}
		d, err := streamDigest(jar, e.Entry)
		if err != nil {
			return err
		}
		s.resources = append(s.resources, resource{e.name, d})
	}
	s.groups, _, err = groups(nil, classes)
	return err
}

// An effectiveEntry is an entry with the name under which a class loader finds it.
type effectiveEntry struct {
	classpath.Entry
	name string
}

// effective lists the entries that a JVM of a feature version sees, by name: of several versions of one file the highest that it knows.
func effective(jar *classpath.Jar, feature int) ([]effectiveEntry, error) {
	entries, err := jar.Entries()
	if err != nil {
		return nil, err
	}
	best := map[string]effectiveEntry{}
	for _, e := range entries {
		out := effectiveEntry{e, e.Name}
		if e.Version != 0 && jar.MultiRelease() {
			if e.Version > feature {
				continue
			}
			// META-INF/versions/N/name
			out.name = strings.SplitN(e.Name, "/", 4)[3]
		}
		if e.Version != 0 && !jar.MultiRelease() && strings.HasSuffix(e.Name, ".class") {
			continue
		}
		if other, ok := best[out.name]; !ok || other.Version < e.Version {
			best[out.name] = out
		}
	}
	list := make([]effectiveEntry, 0, len(best))
	for _, e := range best {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b effectiveEntry) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// jarInput reads a class of a jar. One that cannot be unpacked has no content; the rest of the jar is none the worse.
func jarInput(jar *classpath.Jar, e classpath.Entry, class string) (input, error) {
	data, err := jar.Read(e)
	if errors.Is(err, classpath.ErrUnsupported) {
		return input{class: class}, nil
	}
	if err != nil {
		return input{}, err
	}
	sum := sha256.Sum256(data)
	return input{class, digest.Of(sum[:]), e, func(classpath.Entry) ([]byte, error) { return data, nil }}, nil
}

func streamDigest(jar *classpath.Jar, e classpath.Entry) (digest.Digest, error) {
	r, err := jar.Stream(e)
	if err != nil {
		return digest.Unknown, err
	}
	h := sha256.New()
	_, err = io.Copy(h, r)
	if err := errors.Join(err, r.Close()); err != nil {
		return digest.Unknown, fmt.Errorf("%s: %w", e.Name, err)
	}
	return digest.Of(h.Sum(nil)), nil
}

// load makes the index ready: from the shelf, or if that is damaged from the files of the place.
func (p *place) load(s *shop) error {
	if p.shelf.load() == nil {
		return nil
	}
	return p.restore(s)
}

// restore makes the shelf of a place anew.
func (p *place) restore(s *shop) error {
	made := &place{path: p.path, dir: p.dir, content: p.content, listing: p.listing}
	if p.dir {
		list, _, err := groups(nil, p.inputs())
		if err != nil {
			return err
		}
		made.shelf = &shelf{key: p.key, index: index{groups: list, ready: true}}
	} else if err := s.makeJar(made, p.key); err != nil {
		return err
	}
	if p.loaded() && !slices.EqualFunc(slices.Collect(p.rows()), slices.Collect(made.rows()), sameRow) {
		return fmt.Errorf("tables: %s: %w", p.path, ErrChanged)
	}
	p.shelf = made.shelf
	p.save(s)
	return nil
}

func sameRow(a, b *row) bool { return a.name == b.name && a.table == b.table && a.refsSum == b.refsSum }

// table returns the encoding of the table of a class.
func (p *place) table(s *shop, class string) ([]byte, error) {
	return p.encoding(s, class, func(r *row) ([]byte, error) { return p.blob(r.tableData, r.tableAt, r.table) })
}

// refs decodes the refs of a class.
func (p *place) refs(s *shop, class string) (*Refs, error) {
	data, err := p.encoding(s, class, func(r *row) ([]byte, error) { return p.blob(r.refsData, r.refsAt, r.refsSum) })
	if err != nil {
		return nil, err
	}
	return decodeRefs(data)
}

// encoding gets an encoding of a class that the place has; if the shelf turns out to be damaged, from the files of the place.
func (p *place) encoding(s *shop, class string, get func(*row) ([]byte, error)) ([]byte, error) {
	data, err := get(p.row(class))
	if err == nil {
		return data, nil
	}
	if again := p.restore(s); again != nil {
		return nil, errors.Join(err, again)
	}
	return get(p.row(class))
}
