package inspect

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/classpath"
)

// Options says how inputs are read. The zero value is ready to use.
type Options struct {
	// Dir is where relative paths start; the working directory if empty.
	Dir string
	// Release is the feature version for which a multi-release jar is read; the newest known if zero.
	Release int
	// Progress, if not nil, is told how many of an input's classes have been read. Calls come one at a time.
	Progress func(path string, done, total int)
}

// NewestRelease is the feature version of the newest class files that are known.
const NewestRelease = classfile.Newest - 44

func (o Options) release() int { return cmp.Or(o.Release, NewestRelease) }

// The kinds of inputs.
const (
	KindClass     = "class file"
	KindDirectory = "directory"
	KindJar       = "jar"
	KindImage     = "run-time image"
	KindJDK       = "JDK"
)

// An Input is a class file, or a place with class files, that has been read.
type Input struct {
	Path string // as it was named
	Kind string

	local        string // Path, seen from the working directory
	release      int
	multiRelease bool
	single       *file // of a class file: the one that was named; nil if it is unreadable
	unlisted     error // why the files beside a class file are not known
	files        []*file
	unreadable   []Unreadable
	hidden       []Hidden
	problems     []Problem
	others       []other // files that are no classes
	sources      []classpath.Source
}

// Unreadable is a class file that cannot be read.
type Unreadable struct {
	Input string `json:"input"`
	Entry string `json:"entry,omitempty"`
	Error string `json:"error"`

	class string // the name that its entry claims
}

// Hidden is a class file that no class loader of the release would take, and why.
type Hidden struct {
	Class string `json:"class"`
	Entry string `json:"entry"`
	Why   string `json:"why"`
}

// Problem is something strange in a source.
type Problem struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Detail string `json:"detail,omitempty"`
}

// An other is a file that is no class.
type other struct {
	src   classpath.Source
	entry classpath.Entry
}

// A file is one class file that was read.
type file struct {
	place other
	root  string // see the package comment
	name  string // internal name
	data  []byte
	unit  *canon.Unit

	in      *Input     // nil until the input is settled, like the next two
	set     *canon.Set // the names that apply to it
	digest  *canon.Class
	byFile  map[string]*canon.Method // by name, a zero byte and descriptor in the file; nil until asked for
	parsed  *classfile.Class         // nil until asked for
	members map[string]bool          // what facts may be about; nil until asked for
}

// id tells a class from all others of its input.
func (f *file) id() string { return f.root + f.name }

// canonical is id with the canonical name.
func (f *file) canonical() string { return f.root + f.digest.Name }

func (f *file) major() int { return int(binary.BigEndian.Uint16(f.data[6:])) }

// Open reads an input. Class files that cannot be read are kept as unreadable; an error means that there is no input at all.
func (o Options) Open(ctx context.Context, path string) (*Input, error) {
	in := &Input{Path: path, local: path, release: o.release()}
	if o.Dir != "" && !filepath.IsAbs(path) {
		in.local = filepath.Join(o.Dir, path)
	}
	info, err := os.Stat(in.local)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() && isClassFile(in.local) {
		if err := in.readSingle(); err != nil {
			return nil, err
		}
		return in, nil
	}
	if err := in.openSources(info.IsDir()); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	if err := in.readSources(ctx, o.Progress); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return in, nil
}

// Close releases the files behind the input.
func (in *Input) Close() error {
	var errs []error
	for _, src := range in.sources {
		errs = append(errs, src.Close())
	}
	return errors.Join(errs...)
}

// isClassFile tells whether a path is that of a class file, by its name or its first bytes.
func isClassFile(path string) bool {
	if strings.HasSuffix(path, ".class") {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var magic [4]byte
	n, err := f.Read(magic[:])
	return err == nil && n == 4 && binary.BigEndian.Uint32(magic[:]) == classfile.Magic
}

func (in *Input) openSources(dir bool) error {
	paths := []string{in.local}
	in.Kind = KindDirectory
	if dir {
		if parts, err := classpath.Platform(in.local); err == nil {
			paths, in.Kind = parts, KindJDK
		}
	}
	for _, p := range paths {
		src, err := classpath.Open(p)
		if err != nil {
			return err
		}
		in.sources = append(in.sources, src)
		switch s := src.(type) {
		case *classpath.Jar:
			in.multiRelease = in.multiRelease || s.MultiRelease()
			if in.Kind == KindDirectory {
				in.Kind = KindJar
			}
		case *classpath.Image:
			if in.Kind == KindDirectory {
				in.Kind = KindImage
			}
		}
	}
	return nil
}

// readSources lists all sources, chooses the entries that count and reads them.
func (in *Input) readSources(ctx context.Context, progress func(string, int, int)) error {
	chosen := map[string]bool{}
	var read []other
	for _, src := range in.sources {
		entries, err := src.Entries()
		if err != nil {
			return err
		}
		problems, err := src.Problems()
		if err != nil {
			return err
		}
		for _, p := range problems {
			in.problems = append(in.problems, Problem{p.Kind.String(), p.Name, p.Detail})
		}
		read = append(read, in.choose(src, entries, chosen)...)
	}
	files := make([]*file, len(read))
	errs := make([]error, len(read))
	inParallel(ctx, len(read), func(i int) { files[i], errs[i] = readEntry(read[i]) }, func(done int) {
		if progress != nil {
			progress(in.Path, done, len(read))
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, err := range errs {
		if err != nil {
			in.unreadable = append(in.unreadable, Unreadable{in.Path, read[i].name(), err.Error(), className(read[i].entry)})
			continue
		}
		in.files = append(in.files, files[i])
	}
	in.setRoots()
	return nil
}

// name is the name of the entry for people: with its module, where there are modules.
func (o other) name() string {
	if o.entry.Module != "" {
		return o.entry.Module + "/" + o.entry.Name
	}
	return o.entry.Name
}

// inParallel calls f for each of n numbers, and after each, one at a time, tell, unless it is nil. It stops early when the context ends.
func inParallel(ctx context.Context, n int, f func(i int), tell func(done int)) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	next, done := 0, 0
	step := func(finished bool) int {
		mu.Lock()
		defer mu.Unlock()
		if finished && tell != nil {
			done++
			tell(done)
		}
		next++
		return next - 1
	}
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := step(false); i < n && ctx.Err() == nil; i = step(true) {
				f(i)
			}
		})
	}
	wg.Wait()
}

// readEntry reads one class file of a source.
func readEntry(o other) (*file, error) {
	data, err := o.src.Read(o.entry)
	if err != nil {
		return nil, err
	}
	unit, err := canon.Read(data)
	if err != nil {
		return nil, err
	}
	return &file{place: o, name: unit.Name, data: data, unit: unit}, nil
}

// setRoots finds the root of each class. Two classes with one root and name are one class to a loader; here the second gets a root of its own.
func (in *Input) setRoots() {
	seen := map[string]bool{}
	for _, f := range in.files {
		path := className(f.place.entry)
		root, ok := strings.CutSuffix(path, f.name)
		if !ok || root != "" && !strings.HasSuffix(root, "/") {
			root = f.place.name() + ":"
		}
		if f.name == moduleInfo && f.place.entry.Module != "" {
			root = f.place.entry.Module + "/"
		}
		if seen[root+f.name] {
			root = f.place.name() + ":"
		}
		seen[root+f.name] = true
		f.root = root
	}
	slices.SortFunc(in.files, func(a, b *file) int { return strings.Compare(a.id(), b.id()) })
}

const moduleInfo = "module-info"

// className is the name of a class entry without its version and ".class".
func className(e classpath.Entry) string {
	name := strings.TrimSuffix(e.Name, ".class")
	if e.Version != 0 {
		name = strings.TrimPrefix(name, fmt.Sprintf("META-INF/versions/%d/", e.Version))
	}
	return name
}

// choose returns the class entries of a source that a loader of the release would take. Names that an earlier source has are hidden by it.
func (in *Input) choose(src classpath.Source, entries []classpath.Entry, chosen map[string]bool) []other {
	best := map[string]int{} // by class and module: the highest version that counts
	multi := false
	if jar, ok := src.(*classpath.Jar); ok {
		multi = jar.MultiRelease()
	}
	key := func(e classpath.Entry) string { return e.Module + ":" + className(e) }
	for _, e := range entries {
		if isClass(e) && (e.Version == 0 || multi && e.Version <= in.release) {
			best[key(e)] = max(best[key(e)], e.Version)
		}
	}
	var out []other
	taken := map[string]bool{}
	for _, e := range entries {
		if !isClass(e) {
			in.others = append(in.others, other{src, e})
			continue
		}
		hide := func(format string, args ...any) {
			in.hidden = append(in.hidden, Hidden{className(e), e.Name, fmt.Sprintf(format, args...)})
		}
		switch version, ok := best[key(e)]; {
		case e.Version != 0 && !multi:
			hide("the manifest does not say Multi-Release: true")
		case e.Version > in.release:
			hide("it is for Java %d and later, the release is %d", e.Version, in.release)
		case ok && e.Version < version:
			hide("the version for Java %d hides it", version)
		case chosen[key(e)]:
			hide("an earlier jar has a class of that name")
		default:
			taken[key(e)] = true
			out = append(out, other{src, e})
		}
	}
	for k := range taken {
		chosen[k] = true
	}
	return out
}

func isClass(e classpath.Entry) bool { return strings.HasSuffix(e.Name, ".class") }
