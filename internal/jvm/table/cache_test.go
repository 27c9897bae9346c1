package table

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
)

// What a cache has read of a jar, or was told to read ahead, the programs that follow take from memory; and several may ask at once.
func TestCacheShares(t *testing.T) {
	dir := t.TempDir()
	jar := filepath.Join(dir, "a.jar")
	writeJar(t, jar, asFiles(compile(t, "p/Shop.java", shopSource)))
	jdk, shelves := jvmtest.JDK(t, 17), filepath.Join(dir, "tables")
	seen := new(classpath.Seen)
	want := dump(t, open(t, shelves, seen, jar)) // makes the shelf

	cache := NewCache(shelves)
	t.Cleanup(func() {
		if err := cache.Close(); err != nil {
			t.Error(err)
		}
	})
	o := Options{JDK: jdk, ClassPath: []string{jar, dir}, Seen: seen, Cache: cache}
	cache.Ahead(t.Context(), o, []string{"java/lang/String", "p/Shop"})
	if err := os.RemoveAll(shelves); err != nil {
		t.Fatal(err)
	}
	o.ClassPath = []string{jar}
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			p, err := Open(context.Background(), o)
			if err != nil {
				t.Error(err)
				return
			}
			if got := dump(t, p); got != want {
				t.Errorf("a program from memory says\n%s\nnot\n%s", got, want)
			}
		})
	}
	asking.Wait()
	if _, err := os.Stat(shelves); !os.IsNotExist(err) {
		t.Errorf("the shelf was made again, so it was not in memory: %v", err)
	}
}

// A jar that changes is another one for the same cache.
func TestCacheKnowsContent(t *testing.T) {
	dir := t.TempDir()
	jar := filepath.Join(dir, "a.jar")
	cache := NewCache(t.TempDir())
	t.Cleanup(func() { cache.Close() })
	digestOf := func(source string) (sum string) {
		writeJar(t, jar, asFiles(compile(t, "p/A.java", source)))
		for range 2 { // makes the shelf, and then has it in memory
			p, err := Open(t.Context(), Options{JDK: jvmtest.JDK(t, 17), ClassPath: []string{jar}, Cache: cache})
			if err != nil {
				t.Fatal(err)
			}
			sum = p.Digest("p/A").String()
		}
		return sum
	}
	if a, b := digestOf("package p; class A { int x() { return 1; } }"), digestOf("package p; class A { int x() { return 2; } }"); a == b {
		t.Error("the second jar is taken for the first")
	}
}

// Refs remembers the last class, by the name that was asked for.
func TestRefsOfTurns(t *testing.T) {
	dir := t.TempDir()
	jar := filepath.Join(dir, "a.jar")
	writeJar(t, jar, asFiles(compile(t, "p/A.java", "package p; class A { void a() { new B().b(); } }", "p/B.java", "package p; class B { void b() { } }")))
	p := open(t, "", nil, jar)
	for _, class := range []string{"p/A", "p/A", "p/B", "p/C", "p/B", "p/A"} {
		r, err := p.Refs(class)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case class == "p/C" && r != nil:
			t.Errorf("there is no %s, and it has %v", class, r)
		case class != "p/C" && (r == nil || r.Class != class):
			t.Errorf("the refs of %s are %v", class, r)
		}
	}
}
