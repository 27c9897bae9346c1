package inspect_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/inspect"
	"winnow/internal/jvm/jvmtest"
)

// sample is a program with nested, anonymous and unrelated classes.
var sample = map[string]string{
	"p/Outer.java": `package p;
public class Outer {
    Object one() { return new Object() { int a; }; }
    Object two() { return new Object() { int b; }; }
    static class Inner { int m(int x) { return x; } int m(long x) { return 1; } }
}`,
	"p/Other.java": `package p; class Other { void run() {} }`,
	"q/Inner.java": `package q; class Inner { }`,
}

// A compileFunc compiles sources to classes by name.
type compileFunc func(files map[string]string) map[string][]byte

// TestInputs runs the tests that share a compiler.
func TestInputs(t *testing.T) {
	compiler := jvmtest.NewCompiler(t, jvmtest.JDK(t, 17))
	for _, x := range []struct {
		name string
		test func(*testing.T, compileFunc)
	}{
		{"FindNames", testFindNames},
		{"AmbiguousName", testAmbiguousName},
		{"SingleLikeJar", testSingleLikeJar},
		{"UnreadableSibling", testUnreadableSibling},
		{"UnreadableInDiff", testUnreadableInDiff},
		{"UnreadableAnnotation", testUnreadableAnnotation},
		{"MultiRelease", testMultiRelease},
		{"Roots", testRoots},
		{"OtherFiles", testOtherFiles},
		{"Opaque", testOpaque},
	} {
		t.Run(x.name, func(t *testing.T) {
			x.test(t, func(files map[string]string) map[string][]byte {
				t.Helper()
				classes, err := compiler.Compile(files)
				if err != nil {
					t.Fatal(err)
				}
				return classes
			})
		})
	}
}

// jar writes an archive with the files in a fixed order.
func jar(t *testing.T, name string, files map[string][]byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for _, entry := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(entry)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(files[entry]); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func entries(prefix string, classes map[string][]byte) map[string][]byte {
	out := map[string][]byte{}
	for name, data := range classes {
		out[prefix+name+".class"] = data
	}
	return out
}

func testFindNames(t *testing.T, compile compileFunc) {
	in := open(t, jar(t, "a.jar", entries("", compile(sample))))
	for name, want := range map[string]string{
		"p.Outer": "p/Outer", "p/Outer": "p/Outer", "p.Outer.Inner": "p/Outer$Inner", "p.Outer$Inner": "p/Outer$Inner", "Outer.Inner": "p/Outer$Inner",
		"p/Outer$2": "p/Outer$2", "p/Outer.two()Ljava/lang/Object;.anon#0": "p/Outer$2", "Other": "p/Other",
	} {
		v, err := in.Class(name)
		if err != nil || v.Name != want {
			t.Errorf("%s: %v, %v; want %s", name, v, err, want)
		}
	}
	var missing *inspect.NameError
	if _, err := in.Class("p.Outre"); !errors.As(err, &missing) || !slices.Contains(missing.Known, "p.Outer") {
		t.Errorf("p.Outre: %v", err)
	}
	if _, err := in.Methods("p.Outer", "tow"); !errors.As(err, &missing) || !slices.Contains(missing.Known, "two") {
		t.Errorf("tow: %v", err)
	}
	for method, want := range map[string]int{"m": 2, "m(J)I": 1} {
		v, err := in.Methods("p.Outer.Inner", method)
		if err != nil || len(v.Methods) != want {
			t.Errorf("%s: %v, %v", method, v, err)
		}
	}
}

func testAmbiguousName(t *testing.T, compile compileFunc) {
	in := open(t, jar(t, "a.jar", entries("", compile(map[string]string{"p/A.java": "package p; class A {}", "q/A.java": "package q; class A {}"}))))
	var several *inspect.NameError
	if _, err := in.Class("A"); !errors.As(err, &several) || !slices.Equal(several.Matches, []string{"p.A", "q.A"}) {
		t.Errorf("%v", err)
	}
}

// A single class file has the digests that it has in a jar, because its siblings are read with it.
func testSingleLikeJar(t *testing.T, compile compileFunc) {
	classes := compile(sample)
	dir := t.TempDir()
	jvmtest.WriteClasses(t, dir, classes)
	in := open(t, jar(t, "a.jar", entries("", classes)))
	for name := range classes {
		alone, err := open(t, filepath.Join(dir, filepath.FromSlash(name)+".class")).Class("")
		if err != nil {
			t.Fatal(err)
		}
		together, err := in.Class(name)
		if err != nil {
			t.Fatal(err)
		}
		if alone.Shape != together.Shape || alone.Canonical != together.Canonical || fmt.Sprint(alone.Methods) != fmt.Sprint(together.Methods) {
			t.Errorf("%s: %+v and %+v", name, alone, together)
		}
	}
}

func testUnreadableSibling(t *testing.T, compile compileFunc) {
	classes := compile(sample)
	dir := t.TempDir()
	classes["p/Outer$1"] = classes["p/Outer$1"][:40]
	jvmtest.WriteClasses(t, dir, classes)
	v, err := open(t, filepath.Join(dir, "p", "Outer$2.class")).Class("")
	if err != nil {
		t.Fatal(err)
	}
	if v.Canonical != "" || len(v.Notes) != 1 || len(v.Unreadable) != 1 || !strings.Contains(v.Unreadable[0].String(), "Outer$1.class: class file: constant_pool at offset") {
		t.Errorf("canonical %q, notes %q, unreadable %v", v.Canonical, v.Notes, v.Unreadable)
	}
	var unreadable *inspect.UnreadableError
	if _, err := open(t, filepath.Join(dir, "p", "Outer$1.class")).Class(""); !errors.As(err, &unreadable) {
		t.Errorf("the damaged file itself: %v", err)
	}
}

// A class that cannot be read is never the same, added or removed, and takes the canonical names of its top-level class with it.
func testUnreadableInDiff(t *testing.T, compile compileFunc) {
	old := entries("", compile(sample))
	new := maps.Clone(old)
	new["p/Outer$1.class"] = old["p/Outer$1.class"][:60]
	for _, c := range []struct{ before, after map[string][]byte }{{old, new}, {new, old}, {new, new}} {
		d, err := inspect.Compare(t.Context(), open(t, jar(t, "old.jar", c.before)), open(t, jar(t, "new.jar", c.after)), inspect.DiffOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want := inspect.Totals{Same: len(old) - 1, SameBytes: len(old) - 1, Unreadable: 1}
		if d.Totals != want || len(d.Unreadable) == 0 {
			t.Errorf("totals %+v, want %+v; unreadable %v", d.Totals, want, d.Unreadable)
		}
	}
	var unreadable *inspect.UnreadableError
	if _, err := open(t, jar(t, "new.jar", new)).Class("p.Outer$1"); !errors.As(err, &unreadable) {
		t.Errorf("asked for by name: %v", err)
	}
	v, err := open(t, jar(t, "new.jar", new)).Class("p.Other")
	if err != nil || len(v.Unreadable) > 0 {
		t.Errorf("an unrelated class: %v, %v", v, err)
	}
}

// Damage that shows only when digests are made is unreadable too.
func testUnreadableAnnotation(t *testing.T, compile compileFunc) {
	files := entries("", compile(map[string]string{"A.java": "@Deprecated(since = \"x\") class A { class B {} }"}))
	data := bytes.Clone(files["A.class"])
	data[bytes.LastIndexByte(data, 's')] = 'S' // the value is said to be a short, and is a text
	files["A.class"] = data
	l := open(t, jar(t, "a.jar", files)).List(true)
	if l.Classes+len(l.Unreadable) != 2 || len(l.Unreadable) != 1 {
		t.Errorf("%+v", l)
	}
}

func testMultiRelease(t *testing.T, compile compileFunc) {
	base, newer := compile(map[string]string{"p/A.java": "package p; class A { int v() { return 8; } }"}), compile(map[string]string{"p/A.java": "package p; class A { int v() { return 11; } }"})
	files := entries("", base)
	maps.Copy(files, entries("META-INF/versions/11/", newer))
	plain := jar(t, "plain.jar", files)
	files["META-INF/MANIFEST.MF"] = []byte("Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n")
	multi := jar(t, "multi.jar", files)
	for _, c := range []struct {
		path    string
		release int
		want    string // operand of the constant that v returns
		why     string // why the other is hidden
	}{
		{multi, 0, "bipush 11", "the version for Java 11 hides it"},
		{multi, 11, "bipush 11", "the version for Java 11 hides it"},
		{multi, 9, "bipush 8", "it is for Java 11 and later, the release is 9"},
		{plain, 0, "bipush 8", "the manifest does not say Multi-Release: true"},
	} {
		in, err := inspect.Options{Release: c.release}.Open(t.Context(), c.path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := in.Methods("p.A", "v")
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Methods[0].Blocks[0].Code[0]; got != c.want {
			t.Errorf("%s for %d: %s, want %s", c.path, c.release, got, c.want)
		}
		if l := in.List(false); len(l.Hidden) != 1 || l.Hidden[0].Why != c.why || l.Classes != 1 {
			t.Errorf("%s for %d: %+v", c.path, c.release, l)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Classes that stand below a directory of their own, as in jars of applications, are told apart by it.
func testRoots(t *testing.T, compile compileFunc) {
	a := compile(map[string]string{"p/A.java": "package p; class A { int v() { return 8; } }"})
	b := compile(map[string]string{"p/A.java": "package p; class A { int v() { return 9; } }"})
	files := entries("", a)
	maps.Copy(files, entries("BOOT-INF/classes/", b))
	files["wrong/Name.class"] = a["p/A"]
	in := open(t, jar(t, "app.jar", files))
	l := in.List(true)
	var lines []string
	for _, c := range l.All {
		lines = append(lines, c.Name)
	}
	if want := []string{"BOOT-INF/classes/p/A", "p/A", "wrong/Name.class:p/A"}; !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
	first, err := in.Methods("BOOT-INF/classes/p/A", "v")
	if err != nil || first.Methods[0].Blocks[0].Code[0] != "bipush 9" {
		t.Errorf("%v, %v", first, err)
	}
}

func testOtherFiles(t *testing.T, compile compileFunc) {
	class := entries("", compile(map[string]string{"A.java": "class A {}"}))
	with := func(files map[string]string) *inspect.Input {
		all := maps.Clone(class)
		for name, text := range files {
			all[name] = []byte(text)
		}
		return open(t, jar(t, "a.jar", all))
	}
	d, err := inspect.Compare(t.Context(), with(map[string]string{"a": "1", "b": "22", "c": "3", "long": strings.Repeat("x", 1<<17)}), with(map[string]string{"a": "1", "b": "23", "d": "4", "long": strings.Repeat("x", 1<<17)}), inspect.DiffOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(*d.Others), "{2 [b] [d] [c]}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A class with an attribute on no list says so everywhere, and is not explained by facts that it does not have.
func testOpaque(t *testing.T, compile compileFunc) {
	known := entries("", compile(map[string]string{"A.java": "class A { void m() {} }"}))
	strange := map[string][]byte{"A.class": bytes.Replace(known["A.class"], []byte("SourceFile"), []byte("SourceFilm"), 1)}
	in := open(t, jar(t, "new.jar", strange))
	if l := in.List(false); fmt.Sprint(l.Opaque) != "[{A SourceFilm}]" {
		t.Errorf("listed as %v", l.Opaque)
	}
	v, err := in.Class("A")
	if err != nil || v.Opaque != "SourceFilm" || !slices.Contains(v.Attributes, inspect.AttributeCount{Name: "SourceFilm", Meaning: "unknown", Count: 1}) {
		t.Errorf("%+v, %v", v, err)
	}
	d, err := inspect.Compare(t.Context(), open(t, jar(t, "old.jar", known)), in, inspect.DiffOptions{Code: true})
	if err != nil {
		t.Fatal(err)
	}
	if d.Totals.Changed != 1 || d.Changed[0].Opaque != "SourceFilm" {
		t.Fatalf("%+v", d)
	}
	for _, p := range d.Changed[0].Parts {
		if p.Says != "every part of an opaque class covers the whole file" {
			t.Errorf("%s: %+v", p.Part, p)
		}
	}
	if len(d.Changed[0].Parts) == 0 || len(d.Changed[0].Methods) != 2 {
		t.Errorf("%+v", d.Changed[0])
	}
}

func TestNoInput(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("hello"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, text + ".missing"} {
		if in, err := (inspect.Options{}).Open(t.Context(), path); err == nil || in != nil {
			t.Errorf("%s: %v, %v", path, in, err)
		}
	}
}
