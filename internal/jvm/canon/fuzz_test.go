package canon

import (
	"testing"

	"winnow/internal/jvm/jvmtest"
)

// FuzzRead: a class file is an error with nothing, or has the same digests whenever it is read, and its methods can be listed.
func FuzzRead(f *testing.F) {
	for _, source := range []string{
		"package p; class A { int m(int x) { switch (x) { case 1: return 2; case 900: return 3; } return 0; } }",
		"package p; class A { Runnable r = () -> System.out.println(\"x\" + this); Object o = new Object() { public String toString() { return \"A$1\"; } }; }",
		"package p; record A<T>(@Deprecated T t, int... n) { static final long L = 5; }",
		"package p; sealed interface A permits A.B, A.C { record B() implements A {} final class C implements A { private int x; class D { int d() { return x; } } } }",
	} {
		for _, data := range compileSeeds(f, source) {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		u, err := Read(data)
		if err != nil {
			if u != nil {
				t.Fatal("a unit beside an error")
			}
			return
		}
		set := NewSet(u)
		c, err := set.Class(u.Name)
		if err != nil {
			if c != nil {
				t.Fatal("a class beside an error")
			}
			return
		}
		again, err := Read(data)
		if err != nil {
			t.Fatal(err)
		}
		d, err := NewSet(again).Class(u.Name)
		if err != nil {
			t.Fatal(err)
		}
		if c.Shape != d.Shape || len(DiffClass(c, d)) > 0 {
			t.Fatal("read twice, and the digests differ")
		}
		for _, m := range c.Methods {
			l, err := set.List(u.Name, m.FileName, m.FileDescriptor)
			if err != nil {
				t.Fatal(err)
			}
			l.Blocks()
		}
	})
}

func compileSeeds(f *testing.F, source string) map[string][]byte {
	f.Helper()
	return jvmtest.Javac(f, jvmtest.JDK(f, 17), map[string]string{"p/A.java": source})
}
