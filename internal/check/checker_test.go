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
