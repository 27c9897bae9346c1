package catalog

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/jvmtest"
)

func contentDigest(data []byte) digest.Digest {
	sum := sha256.Sum256(data)
	return digest.Of(sum[:])
}

// files makes the files of a program; reads counts how often one is read.
func files(classes map[string][]byte, reads *int) []File {
	var out []File
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		data := classes[name]
		out = append(out, File{Class: name, Digest: contentDigest(data), Read: func() ([]byte, error) { *reads++; return data, nil }})
	}
	return out
}

// whole is what canon says about all classes at once.
func whole(t *testing.T, classes map[string][]byte) map[string]*canon.Class {
	t.Helper()
	set, err := canon.ReadAll(classes)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*canon.Class{}
	for _, name := range set.Names() {
		c, err := set.Class(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = c.Plain()
	}
	return out
}

func check(t *testing.T, what string, c *Catalog, classes map[string][]byte) {
	t.Helper()
	want := whole(t, classes)
	if got := c.Names(); !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
		t.Fatalf("%s: names %v", what, got)
	}
	for name, w := range want {
		if got, err := c.Class(name); err != nil || !reflect.DeepEqual(got, w) {
			t.Errorf("%s: class %s is\n%+v, %v\nwant\n%+v", what, name, got, err, w)
		}
	}
}

// program is a pool of class files from which versions of a program are drawn: two versions of each class, some with lambdas, anonymous classes and
// references to the anonymous classes of others.
func program(t *testing.T) (versions [2]map[string][]byte) {
	t.Helper()
	compiler := jvmtest.NewCompiler(t, jvmtest.JDK(t, 17))
	for v := range versions {
		sources := map[string]string{}
		for i := range 6 {
			front := ""
			if v == 1 {
				front = "Object front() { return new Object() { public String toString() { return \"front\"; } }; } Runnable r() { return () -> {}; }"
			}
			sources[fmt.Sprintf("p/C%d.java", i)] = fmt.Sprintf("package p; public class C%d { %s Object m() { return new Object() { public int hashCode() { return %d; } }; } Runnable s() { return () -> m(); } static class In { int x = %d; } }", i, front, i, i)
		}
		classes, err := compiler.Compile(sources)
		if err != nil {
			t.Fatal(err)
		}
		// Kotlin's inlining makes classes refer to numbered classes of others: p/C5 is made to name p/C0$1 instead of its own.
		for name, data := range classes {
			if name == "p/C5" {
				classes[name] = bytes.ReplaceAll(data, []byte("p/C5$1"), []byte("p/C0$1"))
			}
		}
		versions[v] = classes
	}
	return versions
}

// A book that went through any history gives the catalog that reading everything gives, and reads no more than it must.
func TestHistories(t *testing.T) {
	versions := program(t)
	names := slices.Sorted(maps.Keys(versions[1]))
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		var book Book
		for step := range 8 {
			now := map[string][]byte{}
			for _, name := range names {
				data, ok := versions[r.IntN(2)][name]
				if ok && r.IntN(8) > 0 {
					now[name] = data
				}
			}
			reads := 0
			c, err := book.Update(files(now, &reads))
			if err != nil {
				t.Fatal(err)
			}
			check(t, fmt.Sprintf("seed %d, step %d", seed, step), c, now)
			reads = 0
			again, err := book.Update(files(now, &reads))
			if err != nil {
				t.Fatal(err)
			}
			if reads > 0 || again.Computed > 0 {
				t.Fatalf("seed %d, step %d: nothing changed, %d files read, %d classes computed", seed, step, reads, again.Computed)
			}
			check(t, "again", again, now)
			stored, err := DecodeBook(book.Append(nil))
			if err != nil {
				t.Fatal(err)
			}
			book = *stored
		}
	}
}

// What refers to a numbered class of another group is computed anew when that group changes, and nothing else is.
func TestForeign(t *testing.T) {
	versions := program(t)
	now := maps.Clone(versions[0])
	var book Book
	reads := 0
	if _, err := book.Update(files(now, &reads)); err != nil {
		t.Fatal(err)
	}
	for name, data := range versions[1] {
		if canon.Group(name) == "p/C0" {
			now[name] = data
		}
	}
	c, err := book.Update(files(now, &reads))
	if err != nil {
		t.Fatal(err)
	}
	computed := 0
	for name := range now {
		if g := canon.Group(name); g == "p/C0" || g == "p/C5" {
			computed++
		}
	}
	if c.Computed != computed {
		t.Errorf("%d classes computed, want the %d of p/C0 and p/C5", c.Computed, computed)
	}
	check(t, "after", c, now)
}

func TestUnusable(t *testing.T) {
	good := jvmtest.Javac(t, jvmtest.JDK(t, 17), map[string]string{"p/A.java": "package p; class A { class B {} }"})
	reads := 0
	fs := files(map[string][]byte{"p/A": good["p/A"], "p/A$B": good["p/A$B"][:40], "p/C": good["p/A"]}, &reads)
	fs = append(fs, File{Class: "p/D", Read: func() ([]byte, error) { return nil, nil }})
	var book Book
	for range 2 { // computed, then remembered
		c, err := book.Update(fs)
		if err != nil {
			t.Fatal(err)
		}
		if a, err := c.Class("p/A"); err != nil || a == nil {
			t.Errorf("p/A: %v, %v", a, err)
		}
		for name, why := range map[string]string{"p/A$B": "bytes are left", "p/C": "holds class p/A", "p/D": "not known"} {
			if got, err := c.Class(name); got != nil || !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %v, %v", name, got, err)
			}
		}
		if got, err := c.Class("p/X"); got != nil || err != nil {
			t.Errorf("a class that is not there: %v, %v", got, err)
		}
	}
}

func TestChangedMeanwhile(t *testing.T) {
	good := jvmtest.Javac(t, jvmtest.JDK(t, 17), map[string]string{"p/A.java": "package p; class A {}"})["p/A"]
	other := File{Class: "p/A", Digest: contentDigest([]byte("else")), Read: func() ([]byte, error) { return good, nil }}
	gone := File{Class: "p/A", Digest: contentDigest(good), Read: func() ([]byte, error) { return nil, errors.New("gone") }}
	var book Book
	if c, err := book.Update([]File{other}); c != nil || !errors.Is(err, ErrChanged) {
		t.Errorf("%v, %v", c, err)
	}
	if c, err := book.Update([]File{gone}); c != nil || err == nil {
		t.Errorf("%v, %v", c, err)
	}
	ok := File{Class: "p/A", Digest: contentDigest(good), Read: func() ([]byte, error) { return good, nil }}
	if c, err := book.Update([]File{ok}); err != nil || c.Computed != 1 {
		t.Errorf("after an error: %v, %v", c, err)
	}
}

func FuzzDecodeBook(f *testing.F) {
	book := Book{groups: map[string]*group{
		"p/A": {files: []file{{"p/A", digest.Of(nil)}}, foreign: []string{"p/B"}, broken: map[string]string{"p/A": "x"}, classes: map[string]*canon.Class{}},
		"p/C": {files: []file{{"p/C", digest.Of(nil)}}, classes: map[string]*canon.Class{"p/C": {File: "p/C", Name: "p/C", Methods: []canon.Method{{FileName: "m", Name: "n", FileDescriptor: "()V", Descriptor: "()V", Access: 9}}}}},
	}}
	data := book.Append(nil)
	f.Add(data[:len(data)-digest.Size])
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := digest.Of(body) // the fuzzer would never guess it
		data := append(slices.Clone(body), sum[:]...)
		b, err := DecodeBook(data)
		if err != nil {
			if b != nil || !errors.Is(err, ErrBook) {
				t.Fatalf("%v, %v", b, err)
			}
			return
		}
		c := Catalog{groups: b.groups}
		for _, name := range c.Names() {
			if class, err := c.Class(name); err != nil && class != nil {
				t.Fatal("a class beside an error")
			}
		}
		if !bytes.Equal(b.Append(nil), data) {
			t.Fatal("decoded and encoded, and it differs")
		}
	})
}

func TestDamagedBook(t *testing.T) {
	book := Book{groups: map[string]*group{"p/A": {files: []file{{"p/A", digest.Of(nil)}}, classes: map[string]*canon.Class{}}}}
	data := book.Append(nil)
	for i := range data {
		bad := slices.Clone(data)
		bad[i] ^= 4
		if b, err := DecodeBook(bad); b != nil || !errors.Is(err, ErrBook) {
			t.Fatalf("byte %d: %v, %v", i, b, err)
		}
		if b, err := DecodeBook(data[:i]); b != nil || !errors.Is(err, ErrBook) {
			t.Fatalf("cut at %d: %v, %v", i, b, err)
		}
	}
}
