package classpath

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

var (
	// ErrCorrupt is wrapped by errors about a source whose bytes contradict its format.
	ErrCorrupt = errors.New("corrupt")
	// ErrTooLarge is wrapped by errors about an entry or a source that exceeds a limit of Options.
	ErrTooLarge = errors.New("too large")
	// ErrUnsupported is wrapped by errors about a source that is sound but not readable here.
	ErrUnsupported = errors.New("unsupported")
	// ErrChanged is wrapped by errors about a file that was written to while it was read.
	ErrChanged = errors.New("changed while it was read")
	// ErrNotArchive is wrapped by errors about a file that is no jar at all: it has no end record. The JVM ignores such a file.
	ErrNotArchive = errors.New("not a jar")
)

// An Entry is one file inside a source. It is plain data and stays valid for another Source of the same file. Two entries of one source differ in Name or, in a run-time image, in Module.
type Entry struct {
	// Name is the slash-separated path inside the source: "java/lang/Object.class". In a run-time image it starts below the module.
	Name string
	// Size is the number of bytes that Read returns, as far as the source declares it.
	Size int64
	// Version is N for an entry below META-INF/versions/N/ with N ≥ 8, otherwise 0. Whether it counts is the manifest's word: see Jar.MultiRelease.
	Version int
	// Module is the module of an entry of a run-time image, otherwise "".
	Module string
}

const versionsPrefix = "META-INF/versions/"

// Class returns the internal name of the class that a loader would look for under this entry's name, such as "java/lang/Object". It
// tells nothing about the content. Module descriptors and names that no loader asks for are no classes.
func (e Entry) Class() (string, bool) {
	name := e.Name
	if e.Version != 0 {
		name = versionless(name)
	}
	class, ok := strings.CutSuffix(name, ".class")
	if !ok || !ValidClass(class) || class == "module-info" {
		return "", false
	}
	return class, true
}

// versionless cuts "META-INF/versions/N/" off a name that starts with it.
func versionless(name string) string {
	_, rest, _ := strings.Cut(name[len(versionsPrefix):], "/")
	return rest
}

// ValidClass tells whether a string can be the internal name of a class (JVMS 4.2): non-empty parts between slashes, without any of . ; [
// in them. Backslashes and control characters are allowed by the JVM and so by this function.
func ValidClass(name string) bool {
	if strings.ContainsAny(name, ".;[") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" {
			return false
		}
	}
	return true
}

// A Source is a directory, a jar or a run-time image. It may be used by several goroutines at once.
type Source interface {
	// Path is where the source is, as given to Open.
	Path() string
	// Entries lists all entries in the order of their names, then modules. The list is made once. The caller must not change it.
	Entries() ([]Entry, error)
	// Problems lists what is strange in the source, in the order of names.
	Problems() ([]Problem, error)
	// Find returns the entry with exactly this name.
	Find(name string) (Entry, bool, error)
	// Read returns the content of an entry of this source.
	Read(Entry) ([]byte, error)
	// Stream is Read for a content that need not be in memory at once. An error at the end of the stream may be the only sign of a damaged content.
	Stream(Entry) (io.ReadCloser, error)
	// Close releases the source's file.
	Close() error
}

// Options bounds what is read. The zero value has the defaults.
type Options struct {
	// MaxEntry is the largest content that Read returns; 64 MiB if zero.
	MaxEntry int64
	// MaxTotal is the largest sum of the declared sizes of all entries of an archive; 8 GiB if zero. An entry that is longer than
	// declared is an error, so the sum bounds what can be read.
	MaxTotal int64
	// MaxRatio is the largest ratio of an entry's size to its compressed size; 200 if zero. Entries up to 16 MiB are free of it.
	MaxRatio int64
}

// freeOfRatio is the size up to which any ratio is accepted: short repetitive resources are common and harmless.
const freeOfRatio = 16 << 20

func (o Options) maxEntry() int64 { return cmp.Or(o.MaxEntry, 64<<20) }
func (o Options) maxTotal() int64 { return cmp.Or(o.MaxTotal, 8<<30) }
func (o Options) maxRatio() int64 { return cmp.Or(o.MaxRatio, 200) }

// Open opens a directory, a jar, a run-time image file or the home directory of a JDK with a run-time image.
func Open(path string) (Source, error) { return Options{}.Open(path) }

// Open is the function Open with limits.
func (o Options) Open(path string) (Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("class path: %w", err)
	}
	if info.IsDir() {
		return o.openDirectory(path)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("class path: %s is neither a directory nor a regular file", path)
	}
	return o.openFile(path)
}

func (o Options) openDirectory(path string) (Source, error) {
	if !isJDK(path) {
		return o.openDir(path)
	}
	parts, err := Platform(path)
	if err != nil {
		return nil, err
	}
	if len(parts) != 1 {
		return nil, fmt.Errorf("class path: %s is a JDK without a run-time image, it has %d jars: %w as one source, use OpenPath", path, len(parts), ErrUnsupported)
	}
	return o.openFile(parts[0])
}

func (o Options) openFile(path string) (Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("class path: %w", err)
	}
	src, err := o.sourceOf(path, f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("class path: %s: %w", path, err), f.Close())
	}
	return src, nil
}

// sourceOf tells an image from a jar by its first bytes: no jar starts with the image's magic number, because a loader that found both
// would not run.
func (o Options) sourceOf(path string, f *os.File) (Source, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	file := file{ReaderAt: f, Closer: f, path: path, size: info.Size()}
	if isImage(f) {
		img, err := newImage(file, o)
		if err != nil {
			return nil, err
		}
		return img, nil
	}
	jar, err := newJar(file, o)
	if err != nil {
		return nil, err
	}
	return jar, nil
}

// A file is the open file behind a jar or an image.
type file struct {
	io.ReaderAt
	io.Closer
	path string
	size int64
}

// Path returns where the file is.
func (f *file) Path() string { return f.path }

// slice reads n bytes at an offset. It refuses what lies outside of the file before it allocates.
func (f *file) slice(what string, off, n int64) ([]byte, error) {
	if off < 0 || n < 0 || n > f.size || off > f.size-n {
		return nil, fmt.Errorf("%s: %d bytes at offset %d do not fit into a file of %d bytes: %w", what, n, off, f.size, ErrCorrupt)
	}
	b := make([]byte, n)
	if _, err := f.ReadAt(b, off); err != nil && !(errors.Is(err, io.EOF) && n == 0) {
		return nil, fmt.Errorf("%s: %d bytes at offset %d: %w", what, n, off, err)
	}
	return b, nil
}

func sortEntries(entries []Entry) {
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Module, b.Module))
	})
}

// readEntry reads an entry into memory, as far as the options allow.
func (o Options) readEntry(src Source, e Entry) ([]byte, error) {
	r, err := src.Stream(e)
	if err != nil {
		return nil, err
	}
	b, err := o.readStream(r, e.Size)
	if err != nil {
		return nil, fmt.Errorf("class path: %s: %s: %w", src.Path(), e.Name, err)
	}
	return b, nil
}

// readStream reads and closes a stream that ends with an error unless it has the declared size.
func (o Options) readStream(r io.ReadCloser, declared int64) ([]byte, error) {
	if declared > o.maxEntry() {
		return nil, errors.Join(fmt.Errorf("%d bytes, the limit is %d: %w", declared, o.maxEntry(), ErrTooLarge), r.Close())
	}
	b, err := readAll(r, declared)
	if err := errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	return b, nil
}

// trustedSize is the declared size that is allocated at once; more is allocated as bytes arrive.
const trustedSize = 1 << 20

func readAll(r io.Reader, declared int64) ([]byte, error) {
	b := make([]byte, 0, min(declared, trustedSize)+1)
	for {
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if errors.Is(err, io.EOF) {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
		if len(b) == cap(b) {
			b = slices.Grow(b, len(b))
		}
	}
}
