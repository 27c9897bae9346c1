package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
)

// classDir writes classes of a JDK to a directory and returns it with the paths of the class files.
func classDir(b *testing.B, n int) (dir string, paths []string) {
	b.Helper()
	src, err := classpath.Open(filepath.Join(jvmtest.JDK(b, 25), "lib", "modules"))
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	entries, err := src.Entries()
	if err != nil {
		b.Fatal(err)
	}
	dir = b.TempDir()
	for _, e := range entries {
		if _, ok := e.Class(); !ok || len(paths) == n {
			continue
		}
		data, err := src.Read(e)
		if err != nil {
			b.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(e.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			b.Fatal(err)
		}
		paths = append(paths, path)
	}
	return dir, paths
}

// look scans a directory and updates the book.
func look(b *testing.B, seen *classpath.Seen, book *Book, dir string) *Catalog {
	b.Helper()
	l, err := seen.Scan(dir)
	if err != nil {
		b.Fatal(err)
	}
	fs := make([]File, 0, len(l.Contents))
	for _, e := range l.Contents {
		path := filepath.Join(dir, e.Name)
		fs = append(fs, File{Class: strings.TrimSuffix(e.Name, ".class"), Digest: e.Digest, Read: func() ([]byte, error) { return os.ReadFile(path) }})
	}
	c, err := book.Update(fs)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// BenchmarkLook looks at a directory of 20,000 classes: for the first time, again with nothing changed, and with 100 of them changed. The table and the book
// are stored and read back in between, as from one run of a program to the next.
func BenchmarkLook(b *testing.B) {
	const classes, changed = 20000, 100
	dir, paths := classDir(b, classes)
	time.Sleep(2100 * time.Millisecond) // a file is recognised by stat only if it was left alone for two seconds
	for b.Loop() {
		var seen classpath.Seen
		var book Book
		first := timed(func() {
			if c := look(b, &seen, &book, dir); c.Computed != classes {
				b.Fatalf("%d classes computed", c.Computed)
			}
		})
		table, written := seen.Append(nil), book.Append(nil)
		nothing := timed(func() {
			seen, book := stored(b, table, written)
			if c := look(b, seen, book, dir); c.Read != 0 || seen.Counts().Read != 0 {
				b.Fatalf("nothing changed: %d class files and %+v", c.Read, seen.Counts())
			}
		})
		touch(b, paths, changed)
		some := timed(func() {
			seen, book := stored(b, table, written)
			c := look(b, seen, book, dir)
			if seen.Counts().Read != changed || c.Computed < changed || c.Read > 20*changed {
				b.Fatalf("%d changed: %+v, %d class files read, %d computed", changed, seen.Counts(), c.Read, c.Computed)
			}
			b.ReportMetric(float64(c.Read), "files-read-for-100")
		})
		touch(b, paths, changed) // back to what they were
		time.Sleep(2100 * time.Millisecond)
		b.ReportMetric(first.Seconds()*1000, "cpu-ms-first")
		b.ReportMetric(nothing.Seconds()*1000, "cpu-ms-nothing")
		b.ReportMetric(some.Seconds()*1000, "cpu-ms-100-changed")
	}
	b.ReportMetric(0, "ns/op")
}

// timed gives the processor time of f, because other programs may share the machine.
func timed(f func()) time.Duration {
	start := processorTime()
	f()
	return processorTime() - start
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func stored(b *testing.B, table, written []byte) (*classpath.Seen, *Book) {
	b.Helper()
	seen, err := classpath.DecodeSeen(table)
	if err != nil {
		b.Fatal(err)
	}
	book, err := DecodeBook(written)
	if err != nil {
		b.Fatal(err)
	}
	return seen, book
}

// touch flips the minor version of class files.
func touch(b *testing.B, paths []string, n int) {
	b.Helper()
	for i := range n {
		path := paths[i*len(paths)/n]
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		data[5] ^= 1
		if err := os.WriteFile(path, data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
}
