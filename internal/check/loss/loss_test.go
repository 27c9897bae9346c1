package loss

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"winnow/internal/check/pool"
	"winnow/internal/jvm/jvmtest"
)

// TestCompare: changed, added and removed methods, and what got another number.
func TestCompare(t *testing.T) {
	ctx := context.Background()
	p, err := pool.Open(ctx, pool.Config{JDK: jvmtest.JDK(t, 17), Workers: 1, Options: Options})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	d, err := New(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	tests := "package t; import p.*; public class XTest {\n public int changed() { return new A().m(); }\n public int removed() { return new B().m(); }\n public int fails() { throw new IllegalStateException(\"\" + new A().m()); }\n" +
		" public int lambda() { return new L().second(); }\n public int other() { return new O().m(); }\n}\n"
	look := func(code ...string) *Revision {
		files := map[string]string{"t/XTest.java": tests}
		for _, c := range code {
			name := strings.Fields(strings.Replace(c, "sealed ", "", 1))[2]
			files["p/"+name+".java"] = "package p;\n" + c + "\n"
		}
		made, err := p.Compile(ctx, pool.Source{Files: files})
		if err != nil || !made.OK {
			t.Fatal(err, made)
		}
		var ids []pool.TestID
		for _, m := range []string{"changed", "removed", "fails", "lambda", "other"} {
			ids = append(ids, pool.TestID{Class: "t.XTest", Method: m})
		}
		r, err := d.Look(ctx, made.Classes, nil, ids)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	base := "public class C { public int m() { return 2; } }"
	other := "public class O { public int m() { return 2; } }"
	old := look(base, other, "public enum S { ONE, TWO }", "public class A { public int m() { return 1; } }", "public class B extends C { public int m() { return 1; } }",
		"public class L { public int second() { java.util.function.IntSupplier s = () -> 2; return s.getAsInt(); } }")
	now := look(base, other, "public sealed interface S permits S.R { record R(int a) implements S { } default int m() { return 1; } }", "public class A { public int m() { return 3; } }", "public class B extends C { }",
		"public class L { int first() { java.util.function.IntSupplier s = () -> 1; return s.getAsInt(); } public int second() { java.util.function.IntSupplier s = () -> 2; return s.getAsInt(); } }")
	c := Compare(old, now)
	for _, k := range []struct {
		what string
		got  map[string]string
		want string
	}{
		{"paper", c.Paper, "t.XTest.changed t.XTest.fails"},
		{"ours", c.Ours, "t.XTest.changed t.XTest.fails t.XTest.removed"},
		{"renumbered", c.Renumbered, "t.XTest.lambda"},
	} {
		if got := strings.Join(slices.Sorted(maps.Keys(k.got)), " "); got != k.want {
			t.Errorf("%s: %s, want %s", k.what, got, k.want)
		}
	}
	if same := Compare(old, old); len(same.Ours)+len(same.Paper)+len(same.Renumbered) > 0 {
		t.Errorf("a revision and itself: %+v", same)
	}
}

// TestReadRefuses: what the decoder did not say is an error.
func TestReadRefuses(t *testing.T) {
	for _, text := range []string{"X", "M a", "C a\t???", "M a\tb\tc"} {
		if r, noted, err := read(text); err == nil || r != nil || noted != nil {
			t.Errorf("%q is accepted", text)
		}
	}
	if _, err := unquote("throws java.lang.Error"); err == nil {
		t.Error("a failure is taken for an answer")
	}
}
