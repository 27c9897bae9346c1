package classpath

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"winnow/internal/digest"
)

// A seenWorld is a file, a table and a clock that can be moved: nothing needs to wait for a file to settle.
type seenWorld struct {
	t     *testing.T
	path  string
	seen  *Seen
	opens int
	ahead time.Duration
}

func newSeenWorld(t *testing.T) *seenWorld {
	t.Helper()
	w := &seenWorld{t: t, path: filepath.Join(t.TempDir(), "A.class")}
	if runtime.GOOS != "linux" || !reliable(filepath.Dir(w.path)) {
		t.Skip("needs a file system that keeps stamps")
	}
	w.attach(&Seen{})
	w.write("one")
	return w
}

func (w *seenWorld) attach(s *Seen) {
	s.now = func() time.Time { return time.Now().Add(w.ahead) }
	s.open = func(path string) (*os.File, error) { w.opens++; return os.Open(path) }
	w.seen = s
}

func (w *seenWorld) write(content string) {
	w.t.Helper()
	if err := os.WriteFile(w.path, []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *seenWorld) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// check asks for the file, and says whether it had to be opened.
func (w *seenWorld) check(content string, opened bool) {
	w.t.Helper()
	before := w.opens
	got, err := w.seen.Digest(w.path)
	want, _, _ := contentDigest(strings.NewReader(content))
	if err != nil || !got.Same(want) {
		w.t.Errorf("Digest = %v, %v; want %v", got, err, want)
	}
	if (w.opens != before) != opened {
		w.t.Errorf("opened %d times, want opened: %v", w.opens-before, opened)
	}
}

// settle records the file as one that was written long ago.
func (w *seenWorld) settle(content string) {
	w.t.Helper()
	w.ahead = time.Hour
	w.check(content, true)
	w.check(content, false)
}

func TestSeenRecognises(t *testing.T) {
	w := newSeenWorld(t)
	w.settle("one")
	if got := w.seen.Counts(); got != (Counts{Asked: 2, Read: 1, Bytes: 3}) {
		t.Errorf("counts %+v", got)
	}
}

// A file that was written to less than two seconds before it was read is read again, however often.
func TestSeenTooFresh(t *testing.T) {
	w := newSeenWorld(t)
	w.check("one", true)
	w.check("one", true)
	w.ahead = margin - 500*time.Millisecond
	w.check("one", true)
	w.check("one", true)
	w.ahead = margin + time.Second
	w.check("one", true)
	w.check("one", false)
}

// A write of the same length within one tick of the file system's clock leaves the same stamp. It is found because the record is too fresh.
func TestSeenSameTick(t *testing.T) {
	w := newSeenWorld(t)
	for i := range 200 {
		content := fmt.Sprintf("%03d", i)
		w.write(content)
		w.check(content, true)
	}
}

func TestSeenChanges(t *testing.T) {
	const old, edited = "one", "two"
	changes := map[string]func(w *seenWorld){
		"same size":  func(w *seenWorld) { w.write(edited) },
		"other size": func(w *seenWorld) { w.write("three") },
		"modification time set back": func(w *seenWorld) {
			info, err := os.Stat(w.path)
			w.must(err)
			w.write(edited)
			w.must(os.Chtimes(w.path, info.ModTime(), info.ModTime()))
		},
		"replaced by rename, times set back": func(w *seenWorld) {
			info, err := os.Stat(w.path)
			w.must(err)
			w.must(os.WriteFile(w.path+"2", []byte(edited), 0o644))
			w.must(os.Chtimes(w.path+"2", info.ModTime(), info.ModTime()))
			w.must(os.Rename(w.path+"2", w.path))
		},
		"copied away and back": func(w *seenWorld) {
			w.must(os.Rename(w.path, w.path+"2"))
			w.write(old)
		},
		"moved away and back": func(w *seenWorld) {
			w.must(os.Rename(w.path, w.path+"2"))
			w.must(os.Rename(w.path+"2", w.path))
		},
		"touched": func(w *seenWorld) {
			now := time.Now()
			w.must(os.Chtimes(w.path, now, now))
		},
		"link to another file of the same times": func(w *seenWorld) {
			info, err := os.Stat(w.path)
			w.must(err)
			w.must(os.WriteFile(w.path+"2", []byte(edited), 0o644))
			w.must(os.Chtimes(w.path+"2", info.ModTime(), info.ModTime()))
			w.must(os.Remove(w.path))
			w.must(os.Symlink(w.path+"2", w.path))
		},
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			w := newSeenWorld(t)
			w.settle(old)
			time.Sleep(20 * time.Millisecond) // the clock of the file system is at the next tick
			change(w)
			b, err := os.ReadFile(w.path)
			w.must(err)
			w.check(string(b), true)
		})
	}
}

// A stamp is compared as a whole, and only a complete one proves anything.
func TestStampParts(t *testing.T) {
	w := newSeenWorld(t)
	w.settle("one")
	good := w.seen.files[w.path]
	for name, change := range map[string]func(*record){
		"size":         func(r *record) { r.stamp.Size++ },
		"mtime":        func(r *record) { r.stamp.Mtime-- },
		"ctime":        func(r *record) { r.stamp.Ctime-- },
		"inode":        func(r *record) { r.stamp.Inode++ },
		"device":       func(r *record) { r.stamp.Device++ },
		"fresh mtime":  func(r *record) { r.at = r.stamp.Mtime + int64(margin) - 1 },
		"fresh ctime":  func(r *record) { r.at = r.stamp.Ctime + int64(margin) - 1 },
		"future ctime": func(r *record) { r.at = r.stamp.Ctime - 1 },
	} {
		rec := *good
		change(&rec)
		w.seen.files[w.path] = &rec
		t.Run(name, func(t *testing.T) { w.t = t; w.check("one", true) })
	}
	if (Stamp{Ctime: 5e9, Inode: 7}).fine() {
		t.Error("a time of change in whole seconds must not be trusted")
	}
	if (Stamp{Ctime: 5e9 + 1}).fine() {
		t.Error("a stamp without an inode must not be trusted")
	}
}

func TestSeenUnreliableFileSystem(t *testing.T) {
	w := newSeenWorld(t)
	w.settle("one")
	w.seen.devices[w.seen.files[w.path].stamp.Device] = false
	w.check("one", true)
	w.check("one", true)
}

func TestSeenAbsent(t *testing.T) {
	w := newSeenWorld(t)
	w.settle("one")
	w.must(os.Remove(w.path))
	if d, err := w.seen.Digest(w.path); err != nil || d != digest.Absent {
		t.Errorf("Digest of a missing file = %v, %v", d, err)
	}
	if len(w.seen.files) != 0 {
		t.Error("a missing file is remembered")
	}
	if d, err := w.seen.Digest(filepath.Dir(w.path)); err == nil || d != digest.Unknown {
		t.Errorf("Digest of a directory = %v, %v", d, err)
	}
}

// A file that changes while it is read gives an error, not a mixture.
func TestSeenChangesWhileRead(t *testing.T) {
	w := newSeenWorld(t)
	w.write(strings.Repeat("x", 8<<20))
	f, err := os.OpenFile(w.path, os.O_APPEND|os.O_WRONLY, 0)
	w.must(err)
	done, stop := make(chan error), make(chan struct{})
	go func() { done <- appendUntil(f, stop) }()
	// A busy machine may let a read pass undisturbed; not all of them.
	for deadline := time.Now().Add(30 * time.Second); ; {
		if _, err = w.seen.Digest(w.path); err != nil || time.Now().After(deadline) {
			break
		}
	}
	close(stop)
	w.must(<-done)
	if !errors.Is(err, ErrChanged) || len(w.seen.files) != 0 {
		t.Errorf("Digest of a growing file: %v, %d records", err, len(w.seen.files))
	}
}

// appendUntil makes a file grow without a pause.
func appendUntil(f *os.File, stop <-chan struct{}) error {
	for {
		select {
		case <-stop:
			return f.Close()
		default:
			if _, err := f.Write([]byte("y")); err != nil {
				return err
			}
		}
	}
}
