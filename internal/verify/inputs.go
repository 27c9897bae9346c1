package verify

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
	"winnow/internal/rts"
)

// The kinds of entities that are named in a scope, beside tools.
const (
	kindClass    rts.Kind = "class"
	kindResource rts.Kind = "resource"
	kindManifest rts.Kind = "manifest"
	// Notes about the fields that tests read and change. They always hold.
	kindStateRead rts.Kind = "state read"
	kindStatePut  rts.Kind = "state put"
)

var noted = digest.OfString("noted")

// input tells what speaks against the use of something that is no class, or why nothing can be said.
func (c *checker) input(u rts.Use) verdict {
	now, v := c.now(u.Entity)
	switch {
	case v != holds:
		return v
	case now == digest.Unknown:
		return brokenBy("what it is now cannot be determined")
	case u.Digest == digest.Unknown:
		return brokenBy("what it was is not known")
	case now == u.Digest:
		return holds
	case u.Digest == digest.Absent:
		return brokenBy("it was looked for in vain and is there now")
	case now == digest.Absent:
		return brokenBy("it is gone")
	}
	return brokenBy("it is another one now")
}

// now returns the present digest of an entity.
func (c *checker) now(e rts.Entity) (digest.Digest, verdict) {
	if c.opts.Files.Knows(e.Kind) {
		return c.opts.Files.Digest(e), holds
	}
	switch e.Kind {
	case kindResource, kindManifest, rts.KindProperty, rts.KindTool:
	case kindStateRead, kindStatePut:
		return noted, holds // a note, for the choice of other tests
	default:
		return digest.Unknown, openBy(fmt.Sprintf("the checker does not know the kind %q", e.Kind))
	}
	scope, local := splitName(e.Name)
	p, v := c.program(scope)
	if v != holds {
		return digest.Unknown, v
	}
	switch e.Kind {
	case rts.KindProperty:
		return item(p.setting.Properties, local), holds
	case rts.KindTool:
		return item(p.setting.Tools, local), holds
	}
	read := p.resource
	if e.Kind == kindManifest {
		read = p.manifests
	}
	d, err := read(local)
	if err != nil {
		return digest.Unknown, brokenBy(fmt.Sprintf("it cannot be read: %v", err))
	}
	return d, holds
}

// resource digests what class loaders find under a name: the contents in all places, in order. A directory stands for the names in it, or in a jar for the whole jar.
func (p *program) resource(name string) (digest.Digest, error) {
	return p.everywhere(func(r *resources) (digest.Digest, error) { return r.digest(name) })
}

// manifests digests what packages can tell of the manifests in all places, in order.
func (p *program) manifests(name string) (digest.Digest, error) {
	return p.everywhere(func(r *resources) (digest.Digest, error) { return r.manifest(name) })
}

// everywhere puts together what there is in all places, in order.
func (p *program) everywhere(find func(*resources) (digest.Digest, error)) (digest.Digest, error) {
	var b digest.Builder
	found := false
	for _, at := range p.path.Places() {
		pl := p.places[at.Path]
		if pl == nil {
			continue
		}
		list, err := pl.resources()
		if err != nil {
			return digest.Unknown, err
		}
		d, err := find(list)
		if err != nil || d == digest.Unknown {
			return digest.Unknown, err
		}
		if d != digest.Absent {
			found = true
			b.Add(d[:])
		}
	}
	if !found {
		return digest.Absent, nil
	}
	return b.Sum(), nil
}

// manifest digests a manifest; in a directory only what packages can tell of it.
func (r *resources) manifest(name string) (digest.Digest, error) {
	e, ok := r.files[name]
	if !ok || r.jar {
		return r.digest(name)
	}
	data, err := r.source.Stream(e)
	if err != nil {
		return digest.Unknown, err
	}
	text, err := io.ReadAll(data)
	if err = errors.Join(err, data.Close()); err != nil {
		return digest.Unknown, err
	}
	told := classpath.PackageHeaders(text)
	if len(told) == 0 {
		return digest.Absent, nil
	}
	return digest.Of(told), nil
}

// A resources is the files of a place under the names by which class loaders know them.
type resources struct {
	source classpath.Source
	jar    bool
	names  []string // sorted
	files  map[string]classpath.Entry
	known  map[string]digest.Digest
}

func listResources(at classpath.Place, feature int) (*resources, error) {
	entries, err := at.Source.Entries()
	if err != nil {
		return nil, err
	}
	out := &resources{source: at.Source, files: map[string]classpath.Entry{}, known: map[string]digest.Digest{}}
	jar, isJar := at.Source.(*classpath.Jar)
	out.jar = isJar
	for _, e := range entries {
		name := e.Name
		if isJar && e.Version != 0 {
			versioned := jar.MultiRelease()
			if versioned && e.Version > feature || !versioned && strings.HasSuffix(name, ".class") {
				continue
			}
			if versioned {
				name = strings.SplitN(name, "/", 4)[3] // META-INF/versions/N/name
			}
		}
		if other, ok := out.files[name]; !ok || other.Version < e.Version {
			out.files[name] = e
		}
	}
	out.names = sortedKeys(out.files)
	return out, nil
}

// digest returns what the place has under a name.
func (r *resources) digest(name string) (digest.Digest, error) {
	d, ok := r.known[name]
	if ok {
		return d, nil
	}
	var err error
	if e, ok := r.files[name]; ok {
		d, err = r.content(e)
	} else {
		d, err = r.directory(name)
	}
	r.known[name] = d
	return d, err
}

func (r *resources) content(e classpath.Entry) (digest.Digest, error) {
	data, err := r.source.Stream(e)
	if errors.Is(err, classpath.ErrUnsupported) {
		return digest.Unknown, nil
	}
	if err != nil {
		return digest.Unknown, err
	}
	return streamed(data)
}

// streamed is the digest of a file: it names the SHA-256 of the content.
func streamed(r io.ReadCloser) (digest.Digest, error) {
	h := sha256.New()
	_, err := io.Copy(h, r)
	if err = errors.Join(err, r.Close()); err != nil {
		return digest.Unknown, err
	}
	return digest.Of(h.Sum(nil)), nil
}

func (r *resources) directory(name string) (digest.Digest, error) {
	prefix := strings.TrimSuffix(name, "/")
	if prefix != "" {
		prefix += "/"
	}
	i, _ := slices.BinarySearch(r.names, prefix)
	if i == len(r.names) || !strings.HasPrefix(r.names[i], prefix) {
		return digest.Absent, nil
	}
	if r.jar {
		f, err := os.Open(r.source.Path())
		if err != nil {
			return digest.Unknown, err
		}
		return streamed(f)
	}
	var b digest.Builder
	last := ""
	for first := true; i < len(r.names) && strings.HasPrefix(r.names[i], prefix); i++ {
		child, _, _ := strings.Cut(r.names[i][len(prefix):], "/")
		if first || child != last {
			b.AddString(child)
		}
		last, first = child, false
	}
	return b.Sum(), nil
}
