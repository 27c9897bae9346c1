package classpath

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

func openPath(t testing.TB, feature int, paths ...string) *Path {
	t.Helper()
	p, err := OpenPath(feature, paths...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// printed returns a found class as one line: name, winner, shadows; each as file!entry.
func printed(root string, f Found) string {
	var all []string
	for _, l := range append([]Location{f.Location}, f.Shadows...) {
		rel, err := filepath.Rel(root, l.Place.Path)
		if err != nil {
			rel = l.Place.Path
		}
		all = append(all, filepath.ToSlash(rel)+"!"+l.Entry.Name)
	}
	return f.Class + ": " + strings.Join(all, " > ")
}

func TestPathShadows(t *testing.T) {
	d := dirMaker{t, t.TempDir()}
	d.write("classes/a/B.class", nil)
	d.write("classes/a/Only.class", nil)
	d.jar("x.jar", manifestOf("Multi-Release: true", "Class-Path: y.jar gone.jar sub/"), class("a/B", 1), versioned(9, 9), versioned(11, 11), versioned(21, 21), class("c/D", 1))
	d.jar("y.jar", class("a/B", 2), class("c/D", 2))
	d.write("sub/c/D.class", nil)
	d.jar("z.jar", class("c/D", 3), versioned(9, 9))
	d.write("note.txt", []byte("no jar, but long enough to have an end record"))
	p := openPath(t, 17, filepath.Join(d.root, "x.jar"), filepath.Join(d.root, "classes"), filepath.Join(d.root, "z.jar"), filepath.Join(d.root, "note.txt"), filepath.Join(d.root, "x.jar"))
	var places []string
	for _, pl := range p.Places() {
		places = append(places, fmt.Sprintf("%s %v %v", filepath.Base(pl.Path), pl.State, pl.From != ""))
	}
	wantPlaces := "x.jar present false, y.jar present true, gone.jar absent true, sub present true, classes present false, z.jar present false, note.txt not a jar false"
	if got := strings.Join(places, ", "); got != wantPlaces {
		t.Errorf("places\n%s\nwant\n%s", got, wantPlaces)
	}
	var got []string
	for f, err := range p.Classes() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, printed(d.root, f))
	}
	want := []string{
		"a/B: x.jar!META-INF/versions/11/a/B.class > x.jar!META-INF/versions/9/a/B.class > x.jar!a/B.class > y.jar!a/B.class > classes!a/B.class",
		"a/Only: classes!a/Only.class",
		"c/D: x.jar!c/D.class > y.jar!c/D.class > sub!c/D.class > z.jar!c/D.class",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("classes\n%s\nwant\n%s", g, w)
	}
}

func TestPathRefuses(t *testing.T) {
	d := dirMaker{t, t.TempDir()}
	d.jar("x.jar", class("a/B", 1))
	d.write("bad.jar", zipFile{entries: []zipEntry{class("a/B", 1)}}.bytes(t)[5:])
	d.write("closed/a/B.class", nil)
	for name, path := range map[string]string{"empty element": "", "wildcard": filepath.Join(d.root, "*"), "corrupt jar": filepath.Join(d.root, "bad.jar")} {
		if p, err := OpenPath(17, filepath.Join(d.root, "x.jar"), path); err == nil || p != nil {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	p := openPath(t, 17, filepath.Join(d.root, "x.jar"))
	for _, name := range []string{"", "/", "a", "a/", "/a/B", "a.B", "a//B", "../x", "module-info", "[La/B;"} {
		if f, ok, err := p.Find(name); ok || err != nil {
			t.Errorf("Find(%q) = %v, %v, %v", name, f, ok, err)
		}
	}
}

// What cannot be read is an error, not an empty place.
func TestUnreadable(t *testing.T) {
	d := dirMaker{t, t.TempDir()}
	d.write("x/a/B.class", nil)
	d.jar("x.jar", class("a/B", 1))
	for _, name := range []string{"x/a", "x.jar"} {
		path := filepath.Join(d.root, name)
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(path, 0o755) })
	}
	asNobody(t, d.root, func() {
		if _, err := Open(filepath.Join(d.root, "x.jar")); !errors.Is(err, os.ErrPermission) {
			t.Errorf("jar: %v", err)
		}
		src, err := Open(filepath.Join(d.root, "x"))
		if err != nil {
			t.Error(err)
			return
		}
		if entries, err := src.Entries(); !errors.Is(err, os.ErrPermission) || entries != nil {
			t.Errorf("directory: %v, %v", entries, err)
		}
		if _, _, err := src.Find("a/B.class"); !errors.Is(err, os.ErrPermission) {
			t.Errorf("Find: %v", err)
		}
	})
}

func TestDirVanishes(t *testing.T) {
	d := dirMaker{t, t.TempDir()}
	d.write("x/a/B.class", []byte("12345"))
	d.write("x/a/C.class", []byte("12345"))
	src, entries := openEntries(t, filepath.Join(d.root, "x"))
	if len(entries) != 2 {
		t.Fatalf("entries %v", entries)
	}
	d.write("x/a/C.class", []byte("1234567"))
	if b, err := src.Read(entries[1]); b != nil || !errors.Is(err, ErrChanged) {
		t.Errorf("grown file: %q, %v", b, err)
	}
	d.write("x/a/C.class", []byte("123"))
	if b, err := src.Read(entries[1]); b != nil || !errors.Is(err, ErrChanged) {
		t.Errorf("shrunk file: %q, %v", b, err)
	}
	if err := os.Remove(filepath.Join(d.root, "x", "a", "B.class")); err != nil {
		t.Fatal(err)
	}
	if b, err := src.Read(entries[0]); b != nil || !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "gone") {
		t.Errorf("vanished file: %q, %v", b, err)
	}
}

// A pipe is not opened: that would wait for a writer.
func TestDirSpecialFiles(t *testing.T) {
	d := dirMaker{t, t.TempDir()}
	d.write("x/a/B.class", nil)
	if err := makePipe(filepath.Join(d.root, "x", "a", "P.class")); err != nil {
		t.Skipf("needs named pipes: %v", err)
	}
	src, entries := openEntries(t, filepath.Join(d.root, "x"))
	problems, err := src.Problems()
	if err != nil || len(entries) != 1 || len(problems) != 1 || problems[0].Kind != Special {
		t.Errorf("%v, %v, %v", entries, problems, err)
	}
	if _, err := src.Read(Entry{Name: "a/P.class"}); err == nil {
		t.Error("a pipe was read")
	}
	if _, err := Open(filepath.Join(d.root, "x", "a", "P.class")); err == nil {
		t.Error("a pipe was opened")
	}
}

// TestApplicationLoader asks the loader that runs applications, which unlike others leaves the packages of the JDK to the JDK.
func TestApplicationLoader(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("testdata", "Judge.java"))
	if err != nil {
		t.Fatal(err)
	}
	d := dirMaker{t, t.TempDir()}
	jvmtest.WriteClasses(t, filepath.Join(d.root, "judge"), jvmtest.Javac(t, jvmtest.JDK(t, 17), map[string]string{"Judge.java": string(source)}))
	d.jar("x.jar", manifestOf("Class-Path: y.jar"), class("java/util/Zed", 1), class("sun/util/Zed", 2), class("a/B", 3), class("jdk/nowhere/Zed", 4))
	d.jar("y.jar", class("a/C", 5), class("a/B", 6))
	d.write("note.txt", []byte("no jar, but long enough to have an end record"))
	classPath := []string{filepath.Join(d.root, "judge"), filepath.Join(d.root, "note.txt"), filepath.Join(d.root, "gone"), filepath.Join(d.root, "x.jar")}
	names := []string{"java/util/Zed", "sun/util/Zed", "a/B", "jdk/nowhere/Zed", "a/C", "a/D"}
	want := []string{notFound, notFound, "3", "4", "5", notFound}
	var list strings.Builder
	for _, n := range names {
		fmt.Fprintf(&list, "%x\n", n)
	}
	for _, feature := range []int{17, 25} {
		answers := runJudge(t, feature, list.String(), classPath...)
		p := append([]string{jvmtest.JDK(t, feature)}, classPath...)
		for i, n := range names {
			if i >= len(answers) || answers[i] != want[i] {
				t.Errorf("JDK %d, %s: the JVM says %v, the table %s", feature, n, answers, want[i])
			}
			got, _ := judged{class: n}.answer(feature, p)
			if got != strings.Replace(want[i], notFound, "absent", 1) {
				t.Errorf("JDK %d, %s: found %s, want %s", feature, n, got, want[i])
			}
		}
	}
	f, ok, err := openPath(t, 17, append([]string{jvmtest.JDK(t, 17)}, classPath...)...).Find("java/util/Zed")
	if ok || err != nil || len(f.Shadows) != 1 {
		t.Errorf("a class hidden by a package of the JDK: %v, %v, %v; want it among the shadows", f, ok, err)
	}
}

func TestPathWithJDK(t *testing.T) {
	d := dirMaker{t, t.TempDir()}
	d.jar("x.jar", class("java/lang/String", 1), class("a/B", 1))
	p := openPath(t, 17, jvmtest.JDK(t, 17), filepath.Join(d.root, "x.jar"))
	n, last := 0, ""
	for f, err := range p.Classes() {
		if err != nil {
			t.Fatal(err)
		}
		if f.Class <= last {
			t.Fatalf("%s after %s", f.Class, last)
		}
		n, last = n+1, f.Class
		if f.Class == "java/lang/String" && (f.Entry.Module != "java.base" || len(f.Shadows) != 1) {
			t.Errorf("String: %v", printed(d.root, f))
		}
	}
	if n < 20000 {
		t.Errorf("%d classes", n)
	}
}

// TestPlatform8 is about the layout of JDK 8, of which there is no image.
func TestPlatform8(t *testing.T) {
	d := dirMaker{t, t.TempDir()}
	d.jar("jre/lib/rt.jar", class("java/lang/Object", 1))
	d.jar("jre/lib/resources.jar")
	d.jar("jre/lib/jce.jar", class("javax/crypto/Cipher", 2))
	d.jar("jre/lib/ext/zipfs.jar", class("com/sun/nio/zipfs/X", 3))
	d.jar("jre/lib/ext/dnsns.jar")
	d.write("jre/lib/ext/meta-index", nil)
	parts, err := Platform(d.root)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range parts {
		names = append(names, filepath.Base(p))
	}
	if got := strings.Join(names, " "); got != "resources.jar rt.jar jce.jar dnsns.jar zipfs.jar" {
		t.Errorf("parts %s", got)
	}
	if _, err := Open(d.root); !errors.Is(err, ErrUnsupported) {
		t.Errorf("Open: %v", err)
	}
	for _, n := range []string{"java/lang/Object", "javax/crypto/Cipher", "com/sun/nio/zipfs/X"} {
		if _, ok, err := openPath(t, 8, d.root).Find(n); !ok || err != nil {
			t.Errorf("%s: %v, %v", n, ok, err)
		}
	}
	if _, err := Platform(t.TempDir()); err == nil {
		t.Error("an empty directory is no JDK")
	}
}
