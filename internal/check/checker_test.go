package check

import (
	"context"
	"strings"
	"testing"

	"winnow/internal/check/campaign"
	"winnow/internal/check/evolve"
	"winnow/internal/check/pool"
	"winnow/internal/check/rule"
	"winnow/internal/check/subject"
	"winnow/internal/jvm/jvmtest"
)

// checker has a pool that ends with the test.
func checker(t testing.TB, subjects ...subject.Subject) *Checker {
	t.Helper()
	jdk := jvmtest.JDK(t, 17)
	p, err := pool.Open(context.Background(), pool.Config{JDK: jdk, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	if subjects == nil {
		subjects = techniques()
	}
	return &Checker{Pool: p, JDK: jdk, Subjects: subjects, Rules: rule.All}
}

func techniques() []subject.Subject {
	var out []subject.Subject
	for _, t := range subject.Techniques {
		out = append(out, t)
	}
	return out
}

// evolving makes V0, V0, V1 from the code of a package p before and after, and tests.
func evolving(name, tests, before, after string) *Program {
	rev := func(code string) evolve.Revision {
		r := evolve.Revision{Sources: map[string]string{}, Tests: map[string]string{"t/XTest.java": "package t;\nimport p.*;\npublic class XTest {\n" + tests + "}\n"}}
		for _, class := range strings.Split(strings.TrimSpace(code), "\n") {
			words := strings.Fields(class)
			r.Sources["p/"+words[2]+".java"] = "package p;\n" + class + "\n"
		}
		return r
	}
	return &Program{Evolving: evolve.Evolving{Name: name, Revisions: []evolve.Revision{rev(before), rev(before), rev(after)}}, Oracle: true}
}

func TestCheck(t *testing.T) {
	c := checker(t)
	p := evolving("constant", `
public Object a() { return new A().m(); }
public Object b() { return new B().m(); }
`, `
public class A { public int m() { return 1; } }
public class B { public int m() { return 1; } }`, `
public class A { public int m() { return 2; } }
public class B { public int m() { return 1; } }`)
	e, err := c.Check(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if e.Status != campaign.Compared || len(e.Violations) > 0 || e.Failed[2] != 1 {
		t.Errorf("%+v", e)
	}
	for _, d := range e.Subjects {
		if len(d.Selected) != 3 || d.Selected[0] != 2 || d.Selected[1] != 0 || d.Selected[2] != 1 {
			t.Errorf("%s selects %v", d.Subject, d.Selected)
		}
	}
}

// TestShrink: a test that matters and one class stay of a program on which a subject violates a rule.
func TestShrink(t *testing.T) {
	var lazy subject.Subject
	for _, b := range subject.BrokenOnes() {
		if b.Name == "broken-lazy" {
			lazy = b
		}
	}
	c := checker(t, lazy)
	p := evolving("shrinks", `
public Object a() { return new A().m(); }
public Object b() { return new B().m(); }
public Object c() { return new C().m(); }
`, `
public class A { public int m() { return 1; } public int n() { return 1; } }
public class B { public int m() { return 1; } }
public class C { public int m() { return new B().m(); } }`, `
public class A { public int m() { return 2; } public int n() { return 1; } }
public class B { public int m() { return 1; } }
public class C { public int m() { return new B().m(); } }`)
	small, err := c.Shrink(context.Background(), p, "R1", "broken-lazy")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(small.Revisions[0].Sources); n != 1 {
		t.Errorf("%d classes are left", n)
	}
	e, err := c.Check(context.Background(), small)
	if err != nil || len(e.Violations) == 0 {
		t.Errorf("the small program: %+v, %v", e, err)
	}
}
