package classpath

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A Dir is a directory of class files and resources. Links are followed, as the JVM follows them.
type Dir struct {
	path string
	opts Options
	list func() (listing, error)
}

var _ Source = (*Dir)(nil)

// A listing is what a source holds.
type listing struct {
	entries  []Entry
	problems []Problem
}

func (o Options) openDir(path string) (*Dir, error) {
	// Opening finds out now that a directory is unreadable, not at the first class that is looked for in it.
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("class path: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("class path: %w", err)
	}
	d := &Dir{path: path, opts: o}
	d.list = sync.OnceValues(func() (listing, error) {
		w := walk{root: path}
		if err := w.run(); err != nil {
			return listing{}, fmt.Errorf("class path: %w", err)
		}
		return w.listing(), nil
	})
	return d, nil
}

// Path returns the directory.
func (d *Dir) Path() string { return d.path }

// Entries lists the files below the directory, as they were at the first call.
func (d *Dir) Entries() ([]Entry, error) {
	l, err := d.list()
	return l.entries, err
}

// Problems lists the strange files, as they were at the first call of Entries or Problems.
func (d *Dir) Problems() ([]Problem, error) {
	l, err := d.list()
	return l.problems, err
}

// Find looks at the file system, not at the list: a class path of directories need not be walked to find one class.
func (d *Dir) Find(name string) (Entry, bool, error) {
	if !fs.ValidPath(name) || !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsRune(name, 0) {
		return Entry{}, false, nil
	}
	info, err := os.Stat(d.local(name))
	switch {
	case absent(err):
		return Entry{}, false, nil
	case err != nil:
		return Entry{}, false, fmt.Errorf("class path: %w", err)
	case info.IsDir() && strings.HasSuffix(name, ".class"):
		return Entry{Name: name}, true, nil
	case !info.Mode().IsRegular():
		return Entry{}, false, nil
	}
	return Entry{Name: name, Size: info.Size()}, true, nil
}

// absent tells that a file does not exist or cannot exist, or that a link to it leads nowhere.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || isNoPath(err) || isLoop(err) }

func (d *Dir) local(name string) string { return filepath.Join(d.path, filepath.FromSlash(name)) }

// Read returns the content of a file.
func (d *Dir) Read(e Entry) ([]byte, error) { return d.opts.readEntry(d, e) }

// Stream opens a file. A file whose size is no longer the listed one gives an error when it has been read.
func (d *Dir) Stream(e Entry) (io.ReadCloser, error) {
	// A pipe would block when it is opened, so its kind is asked first.
	info, err := os.Stat(d.local(e.Name))
	if err != nil {
		return nil, fmt.Errorf("class path: listed but gone: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("class path: %s is not a regular file", d.local(e.Name))
	}
	f, err := os.Open(d.local(e.Name))
	if err != nil {
		return nil, fmt.Errorf("class path: %w", err)
	}
	return &exactly{Reader: f, Closer: f, want: e.Size, fault: ErrChanged}, nil
}

// Close does nothing: no file stays open.
func (d *Dir) Close() error { return nil }

// An exactly is a stream that must have a known length; fault says what it means that it has not.
type exactly struct {
	io.Reader
	io.Closer
	want, got int64
	fault     error
}

func (x *exactly) Read(b []byte) (int, error) {
	n, err := x.Reader.Read(b)
	x.got += int64(n)
	switch {
	case x.got > x.want:
		return 0, fmt.Errorf("more than the declared %d bytes: %w", x.want, x.fault)
	case errors.Is(err, io.EOF) && x.got < x.want:
		return n, fmt.Errorf("%d of the declared %d bytes: %w", x.got, x.want, x.fault)
	}
	return n, err
}

// A walk lists a directory tree and follows links.
type walk struct {
	dirs     int // walked so far
	root     string
	files    []walked
	problems []Problem
}

// A walked file has its path and what stat said of it, or nil if it is a directory.
type walked struct {
	Entry
	path string
	info fs.FileInfo
}

func (w *walk) run() error {
	info, err := os.Stat(w.root)
	if err != nil {
		return err
	}
	if err := w.dir("", []fs.FileInfo{info}); err != nil {
		return err
	}
	slices.SortFunc(w.files, func(a, b walked) int { return strings.Compare(a.Name, b.Name) })
	sortProblems(w.problems)
	return nil
}

func (w *walk) listing() listing {
	entries := make([]Entry, len(w.files))
	for i, f := range w.files {
		entries[i] = f.Entry
	}
	return listing{entries, w.problems}
}

// maxDirs bounds a walk: a few links from each directory to the next make ways without number, though none goes round in a circle.
const maxDirs = 200_000

// dir walks one directory; above holds the directories on the way to it, itself included.
func (w *walk) dir(name string, above []fs.FileInfo) error {
	if w.dirs++; w.dirs > maxDirs {
		return fmt.Errorf("%s: %w: more than %d directories below it; do links lead to the same ones again and again?", w.root, ErrTooLarge, maxDirs)
	}
	local := filepath.Join(w.root, filepath.FromSlash(name))
	children, err := os.ReadDir(local)
	if err != nil {
		return err
	}
	prefix, localPrefix := dirPrefix(name, '/'), dirPrefix(local, filepath.Separator)
	for _, c := range children {
		if err := w.child(prefix+c.Name(), localPrefix+c.Name(), c, above); err != nil {
			return err
		}
	}
	return nil
}

// dirPrefix is what the paths of the files in a directory start with.
func dirPrefix(dir string, separator byte) string {
	if dir == "" || dir[len(dir)-1] == separator {
		return dir
	}
	return dir + string(separator)
}

func (w *walk) child(name, local string, c fs.DirEntry, above []fs.FileInfo) error {
	info, err := os.Stat(local)
	if err != nil {
		if c.Type()&fs.ModeSymlink != 0 && absent(err) {
			w.problem(Dangling, name, "")
			return nil
		}
		return err
	}
	switch {
	case info.IsDir():
		return w.subdir(name, info, above)
	case !info.Mode().IsRegular():
		w.problem(Special, name, info.Mode().Type().String())
	default:
		w.file(name, local, info)
	}
	return nil
}

func (w *walk) subdir(name string, info fs.FileInfo, above []fs.FileInfo) error {
	for _, a := range above {
		if os.SameFile(a, info) {
			w.problem(Cycle, name, "")
			return nil
		}
	}
	if strings.HasSuffix(name, ".class") {
		w.problem(DirectoryAsClass, name, "")
		w.files = append(w.files, walked{Entry: Entry{Name: name}})
	}
	return w.dir(name, append(above[:len(above):len(above)], info))
}

func (w *walk) file(name, local string, info fs.FileInfo) {
	if odd := oddness(name); odd != "" {
		w.problem(OddName, name, odd)
	}
	w.files = append(w.files, walked{Entry{Name: name, Size: info.Size()}, local, info})
}

func (w *walk) problem(k ProblemKind, name, detail string) {
	w.problems = append(w.problems, Problem{k, name, detail})
}
