package evolve

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// contains is a failure that needs some texts in some revisions.
func contains(needs map[int][]string) func(Evolving) bool {
	return func(e Evolving) bool {
		for i, texts := range needs {
			if i >= len(e.Revisions) {
				return false
			}
			var all strings.Builder
			for _, kind := range kinds {
				for path, text := range *e.Revisions[i].files(kind) {
					all.WriteString(path + "\n" + text)
				}
			}
			for _, text := range texts {
				if !strings.Contains(all.String(), text) {
					return false
				}
			}
		}
		return true
	}
}

func evolvingOf(p, q *Program) Evolving {
	tests := TestSources([]Test{
		{Group: "L2Test", Name: "t0", Calls: []Call{{Kind: NewCall, Owner: "p1.A", Result: "p1.A", Receiver: -1}, {Kind: MethodCall, Name: "m", Result: "long", Receiver: 0}, {Kind: MethodCall, Name: "k", Result: "long", Receiver: 0}}},
		{Group: "L2Test", Name: "t1", Calls: []Call{{Kind: NewCall, Owner: "p1.B", Result: "p1.B", Receiver: -1}}},
		{Group: "L4Test", Name: "t0", Calls: []Call{{Kind: NewCall, Owner: "p1.B", Result: "p1.B", Receiver: -1}}},
	})
	rev := func(p *Program) Revision {
		return Revision{p.Sources(), tests, map[string]string{"a.txt": "a\n", "b.txt": "b\n"}}
	}
	return Evolving{Name: "x", Seed: 7, Revisions: []Revision{rev(p), rev(p), rev(q)}}
}

func TestShrink(t *testing.T) {
	p, err := ParseProgram(map[string]string{
		"p1/A.java": "package p1; public class A extends B { int f = 3; public long m() { int x = 1; return x; } public long k() { return 5; } }",
		"p1/B.java": "package p1; public class B { long g() { return 1; } class In { int y; } }",
		"p1/C.java": "package p1; public class C { }",
	})
	if err != nil {
		t.Fatal(err)
	}
	q := p.Clone()
	q.Classes[0].Members[2].Body[0] = "return 6;"
	q.Classes[1].Members[0].Body[0] = "return 2;"
	asked := 0
	fails := contains(map[int][]string{0: {"return 5;", "v0.k()"}, 1: {"return 6;", "v0.k()"}})
	small := Shrink(evolvingOf(p, q), func(e Evolving) bool { asked++; return fails(e) })
	text, err := small.Format()
	if err != nil {
		t.Fatal(err)
	}
	if !fails(small) {
		t.Fatalf("the result does not fail:\n%s", text)
	}
	want := `name x
seed 7
revision
revision
-- 0/src/p1/A.java --
package p1;

public class A {
    public long k() {
        return 5;
    }
}
-- 0/test/t/L2Test.java --
package t;

public class L2Test {
    public Object[] t0() throws Throwable {
        long v2 = v0.k();
    }
}
-- 1/src/p1/A.java --
package p1;

public class A {
    public long k() {
        return 6;
    }
}
-- 1/test/t/L2Test.java --
package t;

public class L2Test {
    public Object[] t0() throws Throwable {
        long v2 = v0.k();
    }
}
`
	if string(text) != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	if asked > 300 {
		t.Errorf("asked %d times", asked)
	}
}

// TestShrinkKeeps shrinks variants of generated programs under random wishes: the result must fulfil the wish, and a program that does not fail must stay.
func TestShrinkKeeps(t *testing.T) {
	const seed = 11
	random := rand.New(rand.NewPCG(seed, seed))
	for _, c := range Constraints()[:2] {
		all := take(c, seed, 2)
		for _, o := range Operators() {
			variants := o.Apply(all[0], all[1])
			for _, v := range variants[:min(1, len(variants))] {
				e := evolvingOf(all[0], v.Program)
				lines := strings.Split(v.Program.text(), "\n")
				wish := strings.TrimSpace(lines[random.IntN(len(lines))])
				fails := contains(map[int][]string{0: {"class"}, 1: {wish}})
				if small := Shrink(e, fails); !fails(small) {
					t.Errorf("seed %d, %s %s: the result has no %q", seed, o.ID, v.Place, wish)
				}
				never := Shrink(e, func(Evolving) bool { return false })
				if fmt.Sprint(never) != fmt.Sprint(e) {
					t.Errorf("%s %s: a program that does not fail was changed", o.ID, v.Place)
				}
			}
		}
	}
}
