package pool

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"winnow/internal/check/evolve"
	"winnow/internal/jvm/jvmtest"
)

// open makes a pool that ends with the test.
func open(t testing.TB, c Config) *Pool {
	t.Helper()
	if c.JDK == "" {
		c.JDK = jvmtest.JDK(t, 17)
	}
	p, err := Open(context.Background(), c)
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

// compile compiles a program that must compile.
func compile(t testing.TB, p *Pool, files map[string]string) map[string][]byte {
	t.Helper()
	c, err := p.Compile(context.Background(), Source{Files: files})
	if err != nil {
		t.Fatal(err)
	}
	if !c.OK {
		t.Fatalf("javac:\n%s", c.Diagnostics)
	}
	return c.Classes
}

var small = map[string]string{
	"p/A.java": `package p;
public class A extends B {
    public int f = 3;
    public long m(int a) { return a + new C().k(); }
    public static int s() { return A.class.getDeclaredMethods().length; }
    public void boom() { throw new IllegalStateException(); }
}
`,
	"p/B.java": "package p;\npublic class B { long g = 4; B next; }\n",
	"p/C.java": "package p;\nclass C { static int n = start(); static int start() { return 7; } int k() { return n; } }\n",
	"t/XTest.java": `package t;
public class XTest {
    public Object[] one() { p.A v0 = new p.A(); long v1 = v0.m(1); return new Object[] { v0, v1 }; }
    public Object[] two() { p.A v0 = new p.A(); long v1 = v0.m(2); return new Object[] { v0, v1 }; }
    public Object three() { return p.A.s(); }
    public void four() { new p.A().boom(); }
}
`,
}

func tests(class string, methods ...string) []TestID {
	var out []TestID
	for _, m := range methods {
		out = append(out, TestID{class, m})
	}
	return out
}

func TestRun(t *testing.T) {
	p := open(t, Config{Workers: 1})
	classes := compile(t, p, small)
	for _, isolation := range []Isolation{PerProgram, PerTest} {
		run, err := p.Run(context.Background(), Job{Classes: classes, Tests: tests("t.XTest", "one", "two", "three", "four", "five"), Record: true, Isolation: isolation})
		if err != nil {
			t.Fatal(err)
		}
		if run.Lost {
			t.Error("something was lost")
		}
		t.Log(describe(run))
	}
}

// describe prints a run for comparison.
func describe(r *Run) string {
	var b strings.Builder
	for _, o := range r.Outcomes {
		b.WriteString(o.Test.String() + " " + o.Result.String() + "\n" + strings.TrimSuffix("  "+strings.ReplaceAll(o.State, "\n", "\n  "), "  "))
		if !strings.HasSuffix(o.State, "\n") {
			b.WriteString("\n")
		}
		if o.Own != nil {
			b.WriteString(o.Own.describe("  "))
		}
	}
	for i, u := range r.Units {
		for class, f := range u.Inits {
			b.WriteString("unit " + string(rune('0'+i)) + " init " + class + "\n" + f.describe("  "))
		}
	}
	return b.String()
}

func (f *Footprint) describe(indent string) string {
	var b strings.Builder
	for _, m := range f.Methods {
		b.WriteString(indent + "entered " + m.String() + "\n")
	}
	for _, e := range f.Events {
		b.WriteString(indent + e.Kind.String() + " " + e.Text + "\n")
	}
	return b.String()
}

func TestSequences(t *testing.T) {
	p := open(t, Config{Workers: 1})
	code := map[string]string{}
	for path, text := range small {
		if strings.HasPrefix(path, "p/") {
			code[path] = text
		}
	}
	classes := compile(t, p, code)
	wanted := Wanted{Classes: classes, Seed: 5, Lengths: []int{1, 2, 4, 100}, Most: 50}
	found, err := p.Sequences(context.Background(), wanted)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	sources := evolve.TestSources(found)
	c, err := p.Compile(context.Background(), Source{Files: sources, On: classes})
	if err != nil || !c.OK {
		t.Fatal(err, c.Diagnostics)
	}
	t.Log(len(found), "tests", time.Since(start), sources["t/L2Test.java"])
}

func TestHang(t *testing.T) {
	p := open(t, Config{Workers: 1, Timeout: 3 * time.Second})
	classes := compile(t, p, map[string]string{"t/HTest.java": `package t;
public class HTest {
    public void good() {}
    public void loops() { for (;;) { } }
    public void exits() { Runtime.getRuntime().halt(3); }
    public void deep() { deep(); }
}
`})
	ctx := context.Background()
	for _, bad := range []string{"loops", "exits"} {
		run, err := p.Run(ctx, Job{Classes: classes, Tests: tests("t.HTest", "good", "deep", bad, "good")})
		if !errors.Is(err, ErrDied) {
			t.Fatalf("%s: %v", bad, err)
		}
		var got []string
		for _, o := range run.Outcomes {
			got = append(got, o.Result.String())
		}
		if s := strings.Join(got, ", "); s != "passed, failed, killed, not run" {
			t.Errorf("%s: %s", bad, s)
		}
	}
	if run, err := p.Run(ctx, Job{Classes: classes, Tests: tests("t.HTest", "good")}); err != nil || run.Outcomes[0].Result != Passed {
		t.Errorf("after two deaths: %v", err)
	}
	if p.Died() != 2 {
		t.Errorf("%d JVMs died", p.Died())
	}
}
