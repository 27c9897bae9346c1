package pool

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
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

var (
	once   sync.Once
	shared *Pool
)

// common is a pool for all tests that need nothing special, with JUnit on its class path. It ends with the process.
func common(t testing.TB) *Pool {
	t.Helper()
	jdk, junit := jvmtest.JDK(t, 17), jvmtest.Jar(t, "junit")
	once.Do(func() {
		var err error
		if shared, err = Open(context.Background(), Config{Workers: 1, JDK: jdk, ClassPath: []string{junit}}); err != nil {
			t.Fatal(err)
		}
	})
	if shared == nil {
		t.Fatal("the pool could not be opened")
	}
	return shared
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared != nil {
		if err := shared.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
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
    public boolean there(String name) { try { Class.forName(name); return true; } catch (ClassNotFoundException e) { return false; } }
    public String read() throws Exception { try (var in = A.class.getResourceAsStream("/words.txt")) { return new String(in.readAllBytes()); } }
    public String text() { java.util.function.Supplier<String> s = () -> "x" + f; return s.get(); }
}
`,
	"p/B.java": "package p;\npublic class B { long g = 4; B next; String s = \"a\\nb\"; int[] some = { 1, 2 }; }\n",
	"p/C.java": "package p;\nclass C { static int n = start(); static int start() { return D.d + 2; } int k() { return n; } }\n",
	"p/D.java": "package p;\nclass D { static int d = five(); static int five() { return 5; } }\n",
	"p/E.java": "package p;\npublic class E { static { if (true) { throw new RuntimeException(); } } public static void go() { } }\n",
	"t/XTest.java": `package t;
public class XTest {
    public Object[] one() { p.A v0 = new p.A(); long v1 = v0.m(1); return new Object[] { v0, v1 }; }
    public Object[] two() { p.A v0 = new p.A(); return new Object[] { v0, v0.m(2) }; }
    public Object three() { return p.A.s(); }
    public void four() { new p.A().boom(); }
    public Object five() { return new p.A().there("p.Z"); }
    public Object six() throws Exception { return new p.A().read() + System.getProperty("no.such"); }
    public Object seven() { return new p.A().text(); }
    public void eight() { p.E.go(); }
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

var update = flag.Bool("update", false, "write golden files")

// TestRun compares all that is known of a run with a golden file, for two JDKs and both ways to share class loaders.
func TestRun(t *testing.T) {
	for _, feature := range []int{17, 25} {
		t.Run(fmt.Sprint(feature), func(t *testing.T) {
			p := common(t)
			if feature != 17 {
				p = open(t, Config{Workers: 1, JDK: jvmtest.JDK(t, feature)})
			}
			classes := compile(t, p, small)
			job := Job{Classes: classes, Resources: map[string]string{"words.txt": "w"}, Record: true}
			job.Tests = tests("t.XTest", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
			for name, isolation := range map[string]Isolation{"shared.txt": PerProgram, "apart.txt": PerTest} {
				job.Isolation = isolation
				run, err := p.Run(context.Background(), job)
				if err != nil {
					t.Fatal(err)
				}
				if run.Lost {
					t.Error("something was lost")
				}
				golden(t, name, describe(run))
			}
		})
	}
}

// golden compares a text with a file, which is the same for all JDKs.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got\n%s", path, got)
	}
}

// TestExpect checks that a state is what a test must end in.
func TestExpect(t *testing.T) {
	p := common(t)
	classes := compile(t, p, small)
	job := Job{Classes: classes, Tests: tests("t.XTest", "one", "four", "three")}
	first, err := p.Run(context.Background(), job)
	if err != nil {
		t.Fatal(err)
	}
	job.Expect = map[TestID]string{}
	for _, o := range first.Outcomes {
		job.Expect[o.Test] = o.State
	}
	job.Expect[job.Tests[2]] = "v0 = 4\n"
	for path, want := range map[string]string{"": "passed, passed, failed", "f = 3": "failed, passed, failed", "IllegalState": "passed, failed, failed"} {
		if path != "" { // a deliberate change
			files := maps.Clone(small)
			files["p/A.java"] = strings.Replace(files["p/A.java"], path, map[string]string{"f = 3": "f = 4", "IllegalState": "IllegalArgument"}[path], 1)
			job.Classes = compile(t, p, files)
		}
		run, err := p.Run(context.Background(), job)
		if err != nil {
			t.Fatal(err)
		}
		if got := results(run); got != want {
			t.Errorf("with %q changed: %s, want %s", path, got, want)
		}
		job.Classes = classes
	}
}

// results lists how the tests of a run ended.
func results(r *Run) string {
	var out []string
	for _, o := range r.Outcomes {
		out = append(out, o.Result.String())
	}
	return strings.Join(out, ", ")
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
		for _, class := range slices.Sorted(maps.Keys(u.Inits)) {
			fmt.Fprintf(&b, "unit %d init %s, open %v\n%s", i, class, u.Inits[class].Open, u.Inits[class].describe("  "))
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
	p := common(t)
	classes := compile(t, p, map[string]string{"p/A.java": "package p;\npublic class A { int n; public int m(int a) { return n += a; } public A k(A a, long b) { return a; } }\n"})
	wanted := Wanted{Classes: classes, Seed: 5, Lengths: []int{1, 2, 4, 100}, Most: 50}
	found, err := p.Sequences(context.Background(), wanted)
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.Sequences(context.Background(), wanted)
	if err != nil || !reflect.DeepEqual(found, again) {
		t.Errorf("the same seed gives other tests (%v)", err)
	}
	longest := map[string]int{}
	for _, test := range found {
		longest[test.Group] = max(longest[test.Group], len(test.Calls))
	}
	if longest["L1Test"] != 1 || longest["L2Test"] != 2 || longest["L4Test"] != 4 || longest["L100Test"] < 20 || longest["L100Test"] > 100 {
		t.Errorf("lengths %v", longest)
	}
	c, err := p.Compile(context.Background(), Source{Files: evolve.TestSources(found), On: classes})
	if err != nil || !c.OK {
		t.Fatalf("%v\n%s", err, c.Diagnostics)
	}
}

// TestJUnit checks that tests printed for JUnit compile, and fail exactly where a returned value differs.
func TestJUnit(t *testing.T) {
	p := common(t)
	code := map[string]string{"p/A.java": "package p;\npublic class A { public int m() { return 3; } public String s() { return \"a\"; } public void x() { throw new Error(); } public A a() { return this; } }\n"}
	classes := compile(t, p, code)
	found, err := p.Sequences(context.Background(), Wanted{Classes: classes, Seed: 2, Lengths: []int{3}, Most: 30})
	if err != nil {
		t.Fatal(err)
	}
	var ids []TestID
	for i := range found {
		ids = append(ids, TestID{found[i].Class(), found[i].Name})
	}
	all := maps.Clone(classes)
	maps.Copy(all, compileOn(t, p, evolve.TestSources(found), classes))
	run, err := p.Run(context.Background(), Job{Classes: all, Tests: ids})
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]string{}
	for _, o := range run.Outcomes {
		states[o.Test.String()] = o.State
	}
	tests := compileOn(t, p, evolve.JUnitSources(found, states, evolve.JUnit4), classes)
	for change, some := range map[string]bool{"return 3": true, "return \"a\"": true, "new Error": true, "class A": false} {
		changed := map[string]string{"return 3": "return 4", "return \"a\"": "return \"b\"", "new Error": "new RuntimeException", "class A": "class A "}[change]
		now := compile(t, p, map[string]string{"p/A.java": strings.Replace(code["p/A.java"], change, changed, 1)})
		maps.Copy(now, tests)
		run, err := p.Run(context.Background(), Job{Classes: now, Tests: ids})
		if err != nil {
			t.Fatal(err)
		}
		got := results(run)
		if strings.Contains(got, "failed") != some || !strings.Contains(got, "passed") || strings.Contains(got, "error") {
			t.Errorf("%s: %s", changed, got)
		}
	}
}

func compileOn(t testing.TB, p *Pool, files map[string]string, on map[string][]byte) map[string][]byte {
	t.Helper()
	c, err := p.Compile(context.Background(), Source{Files: files, On: on})
	if err != nil || !c.OK {
		t.Fatalf("%v\n%s", err, c.Diagnostics)
	}
	return c.Classes
}

// TestLocale: sources and behaviour do not depend on the locale.
func TestLocale(t *testing.T) {
	t.Setenv("LC_ALL", "C")
	p := open(t, Config{Workers: 1})
	classes := compile(t, p, map[string]string{"t/XTest.java": "package t;\npublic class XTest { public Object one() { return java.nio.charset.Charset.defaultCharset() + \"ä…\"; } }\n"})
	run, err := p.Run(context.Background(), Job{Classes: classes, Tests: tests("t.XTest", "one")})
	if err != nil {
		t.Fatal(err)
	}
	if got := run.Outcomes[0].State; !strings.Contains(got, "UTF-8ä…") {
		t.Errorf("the state is %q", got)
	}
}

func TestHang(t *testing.T) {
	p := open(t, Config{Workers: 1, Timeout: 4 * time.Second})
	classes := compile(t, common(t), map[string]string{"t/HTest.java": `package t;
public class HTest {
    public void good() {}
    public void loops() { for (;;) { } }
    public void exits() { Runtime.getRuntime().halt(3); }
    public void deep() { deep(); }
    public void leaves() { new Thread(() -> { for (;;) { } }).start(); }
}
`})
	ctx := context.Background()
	for _, bad := range []string{"loops", "exits"} {
		run, err := p.Run(ctx, Job{Classes: classes, Tests: tests("t.HTest", "good", "deep", bad, "good")})
		if !errors.Is(err, ErrDied) {
			t.Fatalf("%s: %v", bad, err)
		}
		if got := results(run); got != "passed, failed, killed, not run" {
			t.Errorf("%s: %s", bad, got)
		}
	}
	if run, err := p.Run(ctx, Job{Classes: classes, Tests: tests("t.HTest", "good")}); err != nil || run.Outcomes[0].Result != Passed {
		t.Errorf("after two deaths: %v", err)
	}
	for range 2 {
		if _, err := p.Run(ctx, Job{Classes: classes, Tests: tests("t.HTest", "leaves")}); err != nil {
			t.Error(err)
		}
	}
	if p.Started() != 4 {
		t.Errorf("%d JVMs for two deaths and two threads that were left", p.Started())
	}
	if p.Died() != 2 {
		t.Errorf("%d JVMs died", p.Died())
	}
}
