package table

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/hierarchy"
	"winnow/internal/jvm/jvmtest"
)

// open opens a program of a class path with JDK 17.
func open(t testing.TB, cacheDir string, seen *classpath.Seen, path ...string) *Program {
	t.Helper()
	cache := NewCache(cacheDir)
	p, err := Open(context.Background(), Options{JDK: jvmtest.JDK(t, 17), ClassPath: path, Seen: seen, Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(p.Close(), cache.Close()); err != nil {
			t.Error(err)
		}
	})
	for _, problem := range p.Problems() {
		t.Error(problem)
	}
	return p
}

func names(t testing.TB, p *Program) []string {
	t.Helper()
	out, err := p.Names()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func subtypes(t testing.TB, p *Program, name string) []string {
	t.Helper()
	out, err := p.Subtypes(name)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// dump prints everything that a program says of its classes.
func dump(t testing.TB, p *Program) string {
	t.Helper()
	var b strings.Builder
	for _, name := range names(t, p) {
		b.WriteString(name + " " + p.Digest(name).String() + " " + p.Content(name).String())
		table, err := p.Table(name)
		if err != nil {
			b.WriteString(" " + err.Error() + "\n")
			continue
		}
		refs, err := p.Refs(name)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(" " + table.Digest().String() + " " + digest.Of(refs.Append(nil)).String() + "\n")
	}
	return b.String()
}

func writeJar(t testing.TB, path string, files map[string][]byte) {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, buf.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func asFiles(classes map[string][]byte) map[string][]byte {
	out := map[string][]byte{}
	for name, data := range classes {
		out[name+".class"] = data
	}
	return out
}

const shopSource = `package p;
import java.util.function.*;
public class Shop implements Comparable<Shop> {
  static int count;
  int price;
  Runnable r = new Runnable() { public void run() { count++; } };
  Supplier<String> s(String x) { return () -> x + price; }
  public int compareTo(Shop o) { return price - o.price; }
  Object[] all(Object o) {
    try { return o instanceof Shop ? new Shop[] { (Shop) o } : null; } catch (IllegalStateException e) { return new Other[1]; }
  }
}
class Other extends Shop { Object k() { return Missing.class; } }
class Missing {}
`

// compilers are those that run, one for each test.
var compilers = map[testing.TB]*jvmtest.Compiler{}

// compile compiles sources, given as names and texts.
func compile(t testing.TB, sources ...string) map[string][]byte {
	t.Helper()
	if compilers[t] == nil {
		compilers[t] = jvmtest.NewCompiler(t, jvmtest.JDK(t, 17))
		t.Cleanup(func() { delete(compilers, t) })
	}
	files := map[string]string{}
	for i := 0; i < len(sources); i += 2 {
		files[sources[i]] = sources[i+1]
	}
	classes, err := compilers[t].Compile(files)
	if err != nil {
		t.Fatal(err)
	}
	return classes
}

func TestProgram(t *testing.T) {
	classes := compile(t, "p/Shop.java", shopSource)
	dir, cacheDir := t.TempDir(), t.TempDir()
	jvmtest.WriteClasses(t, dir, classes)
	p := open(t, cacheDir, nil, dir)

	table, err := p.Table("p/Shop")
	if err != nil {
		t.Fatal(err)
	}
	if table.Super != "java/lang/Object" || !slices.Equal(table.Interfaces, []string{"java/lang/Comparable"}) {
		t.Errorf("supertypes %s %v", table.Super, table.Interfaces)
	}
	if p.Digest("p/Shop") != table.Digest() {
		t.Error("the digest is not the table's")
	}
	if body, err := p.Body("p/Shop"); err != nil || digest.Of(body) != p.Digest("p/Shop") {
		t.Errorf("the body is not the encoding: %v", err)
	}
	if body, err := p.Body("p/None"); body != nil || err != nil {
		t.Errorf("body of an absent class: %v, %v", body, err)
	}
	if got, want := p.Content("p/Shop"), digest.Of(classes["p/Shop"]); got != want {
		t.Errorf("content %s, want %s", got, want)
	}
	if e, ok := table.Entry("s", "(Ljava/lang/String;)Ljava/util/function/Supplier;"); !ok || table.Methods[e-FirstMethod].FileName != "s" {
		t.Errorf("entry of s: %d %v", e, ok)
	}
	if _, ok := table.Entry("t", "()V"); ok {
		t.Error("there is an entry for a method that does not exist")
	}
	lambda, _, ok := table.Method("s(Ljava/lang/String;)Ljava/util/function/Supplier;.lambda#0", "(Ljava/lang/String;)Ljava/lang/String;")
	if !ok || !strings.HasPrefix(lambda.FileName, "lambda$s$") {
		t.Errorf("the lambda is not under its canonical name: %v", table.Methods)
	}
	if d := p.Digest("p/None"); d != digest.Absent {
		t.Errorf("absent class: %s", d)
	}
	if d := p.Digest("java/lang/String"); d != InJDK || !p.JDK("java/lang/String") || p.JDK("p/Shop") {
		t.Errorf("class of the JDK: %s", d)
	}
	if d := p.Digest("java/lang/Nothing"); d != digest.Absent {
		t.Errorf("class that the JDK does not have: %s", d)
	}
	const anonymous = "p/Shop.init.anon#0"
	if file, ok := p.Canonical(anonymous); !ok || file != "p/Shop$1" {
		t.Errorf("canonical name %s: %q %v", anonymous, file, ok)
	}
	if file, ok := p.Canonical("p/Shop"); !ok || file != "p/Shop" {
		t.Errorf("p/Shop: %q %v", file, ok)
	}
	if _, ok := p.Canonical("p/Shop$1"); ok {
		t.Error("a name in the file is taken for a canonical one")
	}
	if got := subtypes(t, p, "p/Shop"); !slices.Equal(got, []string{"p/Other", "p/Shop"}) {
		t.Errorf("subtypes %v", got)
	}
	if err := p.World().Load(anonymous); err != nil {
		t.Error(err)
	}
	if got, err := p.World().Supertypes("p/Other"); err != nil || !slices.Equal(got, []string{"p/Shop", "java/lang/Object", "java/lang/Comparable"}) {
		t.Errorf("supertypes %v %v", got, err)
	}
}

// A second look reads nothing, and says the same; so does one without a cache.
func TestWarm(t *testing.T) {
	classes := compile(t, "p/Shop.java", shopSource)
	dir, cacheDir := t.TempDir(), t.TempDir()
	jvmtest.WriteClasses(t, dir, classes)
	jar := jvmtest.Jar(t, "commons-lang3")
	seen := new(classpath.Seen)
	cold := dump(t, open(t, "", seen, dir, jar))
	if first := dump(t, open(t, cacheDir, seen, dir, jar)); first != cold {
		t.Error("with a cache the program is another one")
	}
	if warm := dump(t, open(t, cacheDir, seen, dir, jar)); warm != cold {
		t.Error("the second look differs from the first")
	}
	// What is not kept must not be needed: with empty files in the cache everything is made anew.
	damageAll(t, cacheDir, func(b []byte) []byte { return nil })
	if again := dump(t, open(t, cacheDir, seen, dir, jar)); again != cold {
		t.Error("with an empty cache the program is another one")
	}
}

func damageAll(t *testing.T, dir string, damage func([]byte) []byte) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		n++
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, damage(data), 0o644)
	})
	if err != nil || n == 0 {
		t.Fatalf("%d files, %v", n, err)
	}
}

// A bit that is wrong anywhere in a shelf changes no answer.
func TestDamagedShelf(t *testing.T) {
	classes := compile(t, "p/Shop.java", shopSource)
	dir, jar := t.TempDir(), filepath.Join(t.TempDir(), "a.jar")
	jvmtest.WriteClasses(t, dir, classes)
	writeJar(t, jar, asFiles(compile(t, "q/A.java", "package q; public class A { int f() { return 1; } }")))
	want := dump(t, open(t, "", nil, dir, jar))
	for part := range 20 {
		cacheDir := t.TempDir()
		open(t, cacheDir, nil, dir, jar)
		damageAll(t, cacheDir, func(b []byte) []byte {
			b[len(b)*part/20] ^= 4
			return b
		})
		if got := dump(t, open(t, cacheDir, nil, dir, jar)); got != want {
			t.Errorf("damage at %d/20: another program", part)
		}
	}
}

// After every edit the kept tables are those of a fresh look.
func TestIncremental(t *testing.T) {
	dir, cacheDir, seen := t.TempDir(), t.TempDir(), new(classpath.Seen)
	source := func(a, b, user string) map[string][]byte {
		return compile(t, "p/A.java", "package p; public class A { "+a+" }", "p/B.java", "package p; public class B { "+b+" }", "p/User.java", "package p; class User { "+user+" }")
	}
	anonymous := "Object x() { return new Object() { int k; }; } "
	for i, classes := range []map[string][]byte{
		source("void m() {}", "", "void u() { new A().m(); }"),
		source("void m() { Runnable r = () -> {}; }", "", "void u() { new A().m(); }"),
		source(anonymous, "int f;", ""),
		source("Object y() { return new Object() {}; }"+anonymous, "int f;", ""),
		source("", "int f;", "Object u() { return new B(); }"),
	} {
		if err := os.RemoveAll(filepath.Join(dir, "p")); err != nil {
			t.Fatal(err)
		}
		jvmtest.WriteClasses(t, dir, classes)
		if got, want := dump(t, open(t, cacheDir, seen, dir)), dump(t, open(t, "", nil, dir)); got != want {
			t.Errorf("edit %d:\n%s\nfresh:\n%s", i, got, want)
		}
	}
}

// If few classes of many changed, the shelf stays as it is, and the program is that of a fresh look; after more changes it is written.
func TestFewChanges(t *testing.T) {
	dir, cacheDir, seen := t.TempDir(), t.TempDir(), new(classpath.Seen)
	bodies := map[int]string{}
	for i := range 250 {
		bodies[i] = ""
	}
	last := ""
	for i, edit := range []struct {
		change []int
		body   string
		gone   int
		kept   bool
	}{
		{},
		{change: []int{7, 8}, body: "Object x() { return new Object() { int k; }; }", kept: true},
		{change: []int{7}, body: "Object y() { return new Object() {}; } Object x() { return new Object() { int k; }; }", kept: true},
		{gone: 100, kept: true},
		{change: []int{1, 2}, body: "int f;"},
	} {
		for _, c := range edit.change {
			bodies[c] = edit.body
		}
		if edit.gone > 0 {
			delete(bodies, edit.gone)
		}
		writeNumbered(t, dir, bodies)
		if got, want := dump(t, open(t, cacheDir, seen, dir)), dump(t, open(t, "", nil, dir)); got != want {
			t.Errorf("edit %d:\n%s\nfresh:\n%s", i, got, want)
		}
		now := ""
		damageAll(t, cacheDir, func(b []byte) []byte { now += string(b); return b })
		if i > 0 && (now == last) != edit.kept {
			t.Errorf("edit %d: the shelf was kept: %v", i, now == last)
		}
		last = now
	}
}

// writeNumbered compiles classes into a directory that has no others then.
func writeNumbered(t *testing.T, dir string, bodies map[int]string) {
	t.Helper()
	var source []string
	for i, body := range bodies {
		source = append(source, fmt.Sprintf("p/C%d.java", i), fmt.Sprintf("package p; class C%d { %s }", i, body))
	}
	if err := os.RemoveAll(filepath.Join(dir, "p")); err != nil {
		t.Fatal(err)
	}
	jvmtest.WriteClasses(t, dir, compile(t, source...))
}

// The first place on the path wins, the JDK before all, and an absent place is none.
func TestWinner(t *testing.T) {
	one := compile(t, "p/A.java", "package p; public class A { int one; }", "p/OnlyOne.java", "package p; class OnlyOne {}")
	two := compile(t, "p/A.java", "package p; public class A { int two; }", "p/OnlyTwo.java", "package p; class OnlyTwo {}")
	dir, jar := t.TempDir(), filepath.Join(t.TempDir(), "two.jar")
	jvmtest.WriteClasses(t, dir, one)
	files := asFiles(two)
	files["java/util/Extra.class"] = two["p/A"]
	files["x/y.txt"] = []byte("text")
	writeJar(t, jar, files)
	field := func(p *Program) string {
		table, err := p.Table("p/A")
		if err != nil {
			t.Fatal(err)
		}
		return table.Fields[0].Name
	}
	a, b := open(t, "", nil, filepath.Join(dir, "none"), dir, jar), open(t, "", nil, jar, dir)
	if field(a) != "one" || field(b) != "two" || a.Place("p/A") != dir || b.Place("p/A") != jar {
		t.Errorf("winners: %s in %s, %s in %s", field(a), a.Place("p/A"), field(b), b.Place("p/A"))
	}
	if a.Digest("java/util/Extra") != digest.Absent {
		t.Error("a class in a package of the JDK counts")
	}
	if got := names(t, a); !slices.Equal(got, []string{"p/A", "p/OnlyOne", "p/OnlyTwo"}) {
		t.Errorf("names %v", got)
	}
	inA, errA := a.NamesInDirs()
	inB, errB := b.NamesInDirs()
	if errA != nil || errB != nil || !slices.Equal(inA, []string{"p/A", "p/OnlyOne"}) || !slices.Equal(inB, []string{"p/OnlyOne"}) {
		t.Errorf("in directories: %v %v, %v %v", inA, errA, inB, errB)
	}
}

func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	classes := compile(t, "p/A.java", "package p; public class A {}", "p/B.java", "package p; class B extends A {}", "p/C.java", "package p; class C {}")
	classes["p/A"] = classes["p/A"][:40]
	classes["p/C"] = classes["p/B"]
	jvmtest.WriteClasses(t, dir, classes)
	p := open(t, t.TempDir(), nil, dir)
	for _, name := range []string{"p/A", "p/C"} {
		if d := p.Digest(name); d != digest.Unknown {
			t.Errorf("%s: digest %s", name, d)
		}
		if table, err := p.Table(name); err == nil || table != nil {
			t.Errorf("%s: table %v, error %v", name, table, err)
		}
	}
	if l := p.World().Load("p/B"); l == nil || l.Kind != hierarchy.Unreadable {
		t.Errorf("a class below an unreadable one loads: %v", l)
	}
}

// In a jar for several versions the highest that the JVM knows counts, for classes and resources.
func TestMultiRelease(t *testing.T) {
	versions := map[string][]byte{}
	for _, v := range []string{"8", "11", "99"} {
		c := compile(t, "p/A.java", "package p; public class A { int v"+v+"; }")["p/A"]
		prefix := "META-INF/versions/" + v + "/"
		if v == "8" {
			prefix = ""
		}
		versions[prefix+"p/A.class"] = c
		versions[prefix+"p/a.txt"] = []byte(v)
	}
	field := func(manifest string) string {
		jar := filepath.Join(t.TempDir(), "m.jar")
		versions["META-INF/MANIFEST.MF"] = []byte("Manifest-Version: 1.0\r\n" + manifest + "\r\n")
		writeJar(t, jar, versions)
		p := open(t, "", nil, jar)
		table, err := p.Table("p/A")
		if err != nil {
			t.Fatal(err)
		}
		return table.Fields[0].Name + " " + p.Resource("p/a.txt").String()
	}
	text := func(s string) string {
		d := digestOfFile(t, s)
		return new(digest.Builder).Add(d[:]).Sum().String()
	}
	if got, want := field("Multi-Release: true\r\n"), "v11 "+text("11"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := field(""), "v8 "+text("8"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func digestOfFile(t *testing.T, content string) digest.Digest {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := new(classpath.Seen).Digest(path)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The manifest of a jar leads to others, which are searched behind it.
func TestManifestPath(t *testing.T) {
	dir := t.TempDir()
	writeJar(t, filepath.Join(dir, "b.jar"), asFiles(compile(t, "p/B.java", "package p; class B {}")))
	files := asFiles(compile(t, "p/A.java", "package p; class A {}"))
	files["META-INF/MANIFEST.MF"] = []byte("Manifest-Version: 1.0\r\nClass-Path: b.jar\r\n\r\n")
	writeJar(t, filepath.Join(dir, "a.jar"), files)
	cacheDir := t.TempDir()
	for _, look := range []string{"cold", "warm"} {
		p := open(t, cacheDir, nil, filepath.Join(dir, "a.jar"))
		if got := names(t, p); !slices.Equal(got, []string{"p/A", "p/B"}) {
			t.Errorf("%s: names %v", look, got)
		}
	}
}

func TestResource(t *testing.T) {
	dir, jar := t.TempDir(), filepath.Join(t.TempDir(), "r.jar")
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a/x.txt", "1")
	writeJar(t, jar, map[string][]byte{"a/x.txt": []byte("2"), "b/y.txt": []byte("3")})
	look := func() map[string]digest.Digest {
		p := open(t, "", nil, dir, jar)
		out := map[string]digest.Digest{}
		for _, name := range []string{"a/x.txt", "b/y.txt", "a", "a/", "b", "c", "c/z.txt"} {
			out[name] = p.Resource(name)
		}
		return out
	}
	first := look()
	if first["c"] != digest.Absent || first["c/z.txt"] != digest.Absent || first["a"] == digest.Absent || first["a"] != first["a/"] {
		t.Errorf("%v", first)
	}
	changed := func(before, after map[string]digest.Digest) string {
		var out []string
		for name, d := range before {
			if !d.Same(after[name]) {
				out = append(out, name)
			}
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	write("a/x.txt", "one")
	second := look()
	if got := changed(first, second); got != "a/x.txt" {
		t.Errorf("after a change: %s", got)
	}
	write("c/z.txt", "new")
	third := look()
	if got := changed(second, third); got != "c c/z.txt" {
		t.Errorf("after an addition: %s", got)
	}
	writeJar(t, jar, map[string][]byte{"a/x.txt": []byte("2"), "b/y.txt": []byte("three")})
	if got := changed(third, look()); got != "a a/ b b/y.txt" {
		t.Errorf("after a change in the jar: %s", got)
	}
}
