package starts

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/jvm/assemble"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/hierarchy"
	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/observed"
	"winnow/internal/rts"
	"winnow/internal/technique/techniquetest"
)

// named has each way in which a class refers to others.
const named = `package p; import java.util.*; import java.lang.annotation.*;
@Hidden(a = Z1.class) @Big(c = Z28.class, e = Z27.A, a = @Seen) class X<T extends Z2 & Face2> extends Sup<Z3> implements Face<Outer<Z29>.Inner<Z30>> {
	Z4 f; List<Z5> g; Z6[] arr; static final int K = Z20.C; List<?> h; Outer<?>.Inner<?> deep;
	@Seen Z7 m(Z8 a, @Seen2 List<? super Z9> b) throws Z10 {
		try { Object o = (Z11) null; boolean q = o instanceof Z12; Z13.s(); new Z14[2].clone(); Runnable r = Z15::x; Object c = Z16.class; } catch (Z17 e) {}
		List<Z18> local = null; return null;
	}
	<U extends Z2 & Face2> U bound(U u) { return u; }
	class In { class Deep {} }
	enum E { A { } }
	Object s = switchOn(E.A); static Object switchOn(E e) { switch (e) { case A: return 1; } return null; }
	record R(List<Z21> list) {}
	void frames(int k) { while (k < 3) { Z24 h = null; if (k == 1) h = null; k++; } }
	String text = "p.Z25";
}
class Outer<T> { class Inner<U> {} }
@interface Hidden { Class<?> a(); }
@Retention(RetentionPolicy.RUNTIME) @interface Seen {}
@Retention(RetentionPolicy.RUNTIME) @interface Seen2 {}
@Retention(RetentionPolicy.RUNTIME) @interface Big { Class<?> c() default Z26.class; Z27 e(); Seen a(); }
class Sup<A> {} interface Face<A> {} interface Face2 {}
class Z1{} class Z2{} class Z3{} class Z4{} class Z5{} class Z6{} class Z7{} class Z8{} class Z9{} class Z10 extends RuntimeException{} class Z11{} class Z12{}
class Z13{ static Z19 s(){return null;} } class Z14{} class Z15{ static void x(){} } class Z16{} class Z17 extends RuntimeException{} class Z18{} class Z19{} class Z20{ static final int C=4; }
class Z21{} class Z24{} class Z25{} class Z26{} enum Z27{A} class Z28{} class Z29{} class Z30{}
`

// TestReferencesAreThoseOfJdeps compares with the tool that STARTS asks, on a class with everything and on a real library.
func TestReferencesAreThoseOfJdeps(t *testing.T) {
	jdk := jvmtest.JDK(t, techniquetest.Feature)
	dir := t.TempDir()
	for name, data := range jvmtest.Javac(t, jdk, map[string]string{"p/X.java": named}) {
		file := filepath.Join(dir, filepath.FromSlash(strings.TrimSuffix(name, ".class"))+".class")
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, path := range map[string]string{"everything": dir, "commons-codec": jvmtest.Jar(t, "commons-codec")} {
		t.Run(name, func(t *testing.T) {
			want := ofJdeps(t, jdk, path)
			got := ofPath(t, path, want)
			if len(want) < 40 {
				t.Fatalf("jdeps says something about %d classes only", len(want))
			}
			for class, refs := range want {
				if !slices.Equal(got[class], refs) {
					t.Errorf("%s refers to\n%v\njdeps says\n%v", class, got[class], refs)
				}
			}
		})
	}
}

// ofPath are the references of some classes of a directory or jar.
func ofPath(t *testing.T, path string, classes map[string][]string) map[string][]string {
	t.Helper()
	p, err := classpath.OpenPath(techniquetest.Feature, path)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	out := map[string][]string{}
	for class := range classes {
		at, ok, err := p.Find(class)
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", class, ok, err)
		}
		data, err := at.Read()
		if err != nil {
			t.Fatal(err)
		}
		file, err := classfile.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if out[class], err = references(file); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// ofJdeps are the references as jdeps prints them.
func ofJdeps(t *testing.T, jdk, path string) map[string][]string {
	t.Helper()
	text, err := exec.Command(filepath.Join(jdk, "bin", "jdeps"), "-v", "--multi-release", "base", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for line := range bytes.Lines(text) {
		words := strings.Fields(string(line))
		if line[0] == ' ' && len(words) >= 3 && words[1] == "->" {
			from, to := strings.ReplaceAll(words[0], ".", "/"), strings.ReplaceAll(words[2], ".", "/")
			out[from] = append(out[from], to)
		}
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out
}

const history = `name starts
seed 0
revision
revision
revision
revision
-- 0/src/p/A.java --
package p; public class A { public static int one() { return B.ONE[0]; } public static int unused() { return C.two(); } }
-- 0/src/p/B.java --
package p; class B { static final int[] ONE = {1}; }
-- 0/src/p/C.java --
package p; class C { static int two() { return 2; } }
-- 0/src/p/Simple.java --
package p; public class Simple { @Override public String toString() { return "simple"; } }
-- 0/test/t/FirstTest.java --
package t; public class FirstTest { public void m() { if (p.A.one() != 1) throw new AssertionError(); } public void n() {} }
-- 0/test/t/NameTest.java --
package t; public class NameTest { public void m() throws Exception { String s = Class.forName("p.Simple").getConstructor().newInstance().toString(); if (!s.equals("simple")) throw new AssertionError(s); } }
-- 1/src/p/A.java --
package p; public class A { public static int one() { return B.ONE[0]; } public static int unused() { return C.two(); } }
-- 1/src/p/B.java --
package p; class B { static final int[] ONE = {1}; }
-- 1/src/p/C.java --
package p; class C { static int two() { return 3; } }
-- 1/src/p/Simple.java --
package p; public class Simple { @Override public String toString() { return "simple"; } }
-- 1/test/t/FirstTest.java --
package t; public class FirstTest { public void m() { if (p.A.one() != 1) throw new AssertionError(); } public void n() {} }
-- 1/test/t/NameTest.java --
package t; public class NameTest { public void m() throws Exception { String s = Class.forName("p.Simple").getConstructor().newInstance().toString(); if (!s.equals("simple")) throw new AssertionError(s); } }
-- 2/src/p/A.java --
package p; public class A { public static int one() { return B.ONE[0]; } public static int unused() { return C.two(); } }
-- 2/src/p/B.java --
package p; class B { static final int[] ONE = {1}; }
-- 2/src/p/C.java --
package p; class C { static int two() { return 3; } }
-- 2/src/p/Simple.java --
package p; public class Simple { @Override public String toString() { return "other"; } }
-- 2/test/t/FirstTest.java --
package t; public class FirstTest { public void m() { if (p.A.one() != 1) throw new AssertionError(); } public void n() {} }
-- 2/test/t/NameTest.java --
package t; public class NameTest { public void m() throws Exception { String s = Class.forName("p.Simple").getConstructor().newInstance().toString(); if (!s.equals("simple")) throw new AssertionError(s); } }
-- 3/src/p/A.java --
package p; public class A { public static int one() { return B.ONE[0]; } public static int unused() { return C.two(); } }
-- 3/src/p/B.java --
package p; class B {
	// only lines move
	static final int[] ONE = {1}; }
-- 3/src/p/C.java --
package p; class C { static int two() { return 3; } }
-- 3/src/p/Simple.java --
package p; public class Simple { @Override public String toString() { return "other"; } }
-- 3/test/t/FirstTest.java --
package t; public class FirstTest { public void m() { if (p.A.one() != 1) throw new AssertionError(); } public void n() {} }
-- 3/test/t/NameTest.java --
package t; public class NameTest { public void m() throws Exception { String s = Class.forName("p.Simple").getConstructor().newInstance().toString(); if (!s.equals("simple")) throw new AssertionError(s); } }
`

// TestHistory: a class that no test runs selects the test class from which references lead to it; one that is found by name is missed although its test fails; moved lines select nothing.
func TestHistory(t *testing.T) {
	revisions := techniquetest.Observe(t, history)
	got := techniquetest.Play(t, New(), revisions)
	want := [][]string{{"t.FirstTest.m", "t.FirstTest.n", "t.NameTest.m"}, {"t.FirstTest.m", "t.FirstTest.n"}, nil, nil}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("selected %v, want %v", got, want)
	}
	last := revisions[2].Runs[len(revisions[2].Runs)-1]
	if last.Test.ID != "t.NameTest.m" || last.Passed {
		t.Errorf("%+v: the test that is missed does not fail", last)
	}
}

// library is a class path with one library class besides those of the JDK.
type library string

func (l library) Lookup(string) (*hierarchy.Class, error) { return nil, hierarchy.ErrNotFound }

func (l library) Checksum(name string) digest.Digest {
	switch {
	case strings.HasPrefix(name, "java/"):
		return digest.OfString("jdk")
	case name == "x/Library":
		return digest.OfString(string(l))
	}
	return digest.Absent
}

// TestLibraryChangeSelectsAll: also test classes from which no reference leads to the library.
func TestLibraryChangeSelectsAll(t *testing.T) {
	files := map[string][]byte{}
	for name, super := range map[string]string{"t/OneTest": "java/lang/Object", "t/TwoTest": "java/lang/Object", "p/User": "x/Library"} {
		data, err := assemble.New(assemble.Header{Access: classfile.Public | classfile.Super, Name: name, Super: super}).Bytes()
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	var revisions []techniquetest.Revision
	for _, version := range []library{"1", "1", "2"} {
		p, err := observed.NewProgram(files, version)
		if err != nil {
			t.Fatal(err)
		}
		r := techniquetest.Revision{Program: p}
		for _, class := range []string{"t/OneTest", "t/TwoTest"} {
			r.Runs = append(r.Runs, observed.Run{Test: observed.Test{ID: class, Class: class}, Passed: true, Trace: &observed.Trace{}})
		}
		revisions = append(revisions, r)
	}
	both := []string{"t/OneTest", "t/TwoTest"}
	if got, want := techniquetest.Play(t, New(), revisions), [][]string{both, nil, both}; !reflect.DeepEqual(got, want) {
		t.Errorf("selected %v, want %v", got, want)
	}
}

func TestDescription(t *testing.T) {
	if Technique.Name != "starts" || !strings.Contains(Technique.Title, "misses") || !Technique.Bias.Includes(rts.Bias{ClassesNamed}) {
		t.Errorf("%+v", Technique)
	}
}
