package canon_test

import (
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
)

// imageClasses reads all classes of a JDK's run-time image.
func imageClasses(t testing.TB, feature int) [][]byte {
	t.Helper()
	src, err := classpath.Open(filepath.Join(jvmtest.JDK(t, feature), "lib", "modules"))
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	entries, err := src.Entries()
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for _, e := range entries {
		if filepath.Ext(e.Name) != ".class" {
			continue
		}
		data, err := src.Read(e)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, data)
	}
	return out
}

func readUnits(t testing.TB, classes [][]byte) []*canon.Unit {
	t.Helper()
	units := make([]*canon.Unit, len(classes))
	for i, data := range classes {
		u, err := canon.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		units[i] = u
	}
	return units
}

// Every class of a JDK has digests, no two classes or methods share a name, and every body can be listed.
func TestJDK(t *testing.T) {
	units := readUnits(t, imageClasses(t, 25))
	set := canon.NewSet(units...)
	seen := map[string]string{}
	methods, renamed := 0, 0
	for _, name := range set.Names() {
		c, err := set.Class(name)
		if err != nil {
			t.Fatal(err)
		}
		if c.Opaque != "" {
			t.Errorf("%s is opaque: %s", name, c.Opaque)
		}
		if other, ok := seen[c.Name]; ok {
			t.Errorf("%s and %s are both called %s", name, other, c.Name)
		}
		seen[c.Name] = name
		if c.Name != name {
			renamed++
		}
		for i, m := range c.Methods {
			methods++
			if i > 0 && m.Name == c.Methods[i-1].Name && m.Descriptor == c.Methods[i-1].Descriptor {
				t.Errorf("%s: two methods are called %s%s", name, m.Name, m.Descriptor)
			}
			if _, err := set.List(name, m.FileName, m.FileDescriptor); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d classes, %d of them with a canonical name, %d methods", len(seen), renamed, methods)
	if len(seen) < 20000 || renamed < 1000 {
		t.Errorf("only %d classes, %d renamed", len(seen), renamed)
	}
}

var sink *canon.Class

func digestAll(b testing.TB, classes [][]byte) {
	units := make([]*canon.Unit, len(classes))
	for i, data := range classes {
		u, err := canon.Read(data)
		if err != nil {
			b.Fatal(err)
		}
		units[i] = u
	}
	set := canon.NewSet(units...)
	for _, u := range units {
		c, err := set.Class(u.Name)
		if err != nil {
			b.Fatal(err)
		}
		sink = c
	}
}

// BenchmarkDigests decodes and digests all classes of a JDK on one thread.
func BenchmarkDigests(b *testing.B) {
	classes := imageClasses(b, 25)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	b.ReportAllocs()
	for b.Loop() {
		digestAll(b, classes)
	}
	b.ReportMetric(float64(len(classes))*float64(b.N)/b.Elapsed().Seconds(), "classes/s")
}

var _ sync.Mutex
