package table

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
)

// benchmarkPath makes a directory of 5,000 class files and 100 jars. The classes are those of a jar, several times; in the copies they are not where their names say, which
// costs as much.
func benchmarkPath(b *testing.B) (dir string, jars []string) {
	b.Helper()
	dir = b.TempDir()
	src, err := classpath.Open(jvmtest.Jar(b, "guava"))
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	entries, err := src.Entries()
	if err != nil {
		b.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	files := 0
	for copied := 0; files < 5000; copied++ {
		root := dir
		if copied > 0 {
			root = filepath.Join(dir, fmt.Sprintf("copy%d", copied))
		}
		for _, e := range entries {
			if _, ok := e.Class(); !ok || files == 5000 {
				continue
			}
			data, err := src.Read(e)
			if err != nil {
				b.Fatal(err)
			}
			path := filepath.Join(root, filepath.FromSlash(e.Name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(path, data, 0o644); err != nil {
				b.Fatal(err)
			}
			if err := os.Chtimes(path, old, old); err != nil {
				b.Fatal(err)
			}
			files++
		}
	}
	library, err := os.ReadFile(jvmtest.Jar(b, "commons-lang3"))
	if err != nil {
		b.Fatal(err)
	}
	for i := range 100 {
		jar := filepath.Join(b.TempDir(), fmt.Sprintf("lib%d.jar", i))
		// A zip file may end in a comment only, but may have anything in front: so the jars have different contents.
		if err := os.WriteFile(jar, append([]byte(fmt.Sprintf("jar %d", i)), library...), 0o644); err != nil {
			b.Fatal(err)
		}
		jars = append(jars, jar)
	}
	return dir, jars
}

func BenchmarkOpen(b *testing.B) {
	dir, jars := benchmarkPath(b)
	path := append([]string{dir}, jars...)
	cacheDir := b.TempDir()
	seen := new(classpath.Seen)
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			open(b, b.TempDir(), new(classpath.Seen), dir)
		}
	})
	time.Sleep(2100 * time.Millisecond) // until then files count as just written
	open(b, cacheDir, seen, path...)
	b.Run("warm", func(b *testing.B) {
		for b.Loop() {
			open(b, cacheDir, seen, path...)
		}
	})
	b.Run("directory", func(b *testing.B) {
		for b.Loop() {
			open(b, cacheDir, seen, dir)
		}
	})
	b.Run("digests", func(b *testing.B) {
		p := open(b, cacheDir, seen, path...)
		names := names(b, p)
		for b.Loop() {
			for _, name := range names {
				p.Digest(name)
			}
		}
		b.ReportMetric(float64(len(names)), "classes")
	})
}
