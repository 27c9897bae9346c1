package jig

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/observed"
)

const feature = 17

// compiler serves all tests that compile: starting one takes longer than the tests.
var compiler *jvmtest.Compiler

// TestCompiled runs the tests that compile programs.
func TestCompiled(t *testing.T) {
	compiler = jvmtest.NewCompiler(t, jvmtest.JDK(t, feature))
	t.Run("Figure3", testFigure3)
	t.Run("Figure5", testFigure5)
	t.Run("Figure6", testFigure6)
	t.Run("WorkedExample", testWorkedExample)
	t.Run("BeyondThePaper", testBeyondThePaper)
	t.Run("DependenceOnOthers", testDependenceOnOthers)
	t.Run("Study", testStudy)
}

// revisions compiles two versions of a program that share external classes.
func revisions(t *testing.T, lib, old, new map[string]string) (before, after *observed.Program) {
	t.Helper()
	jdk, dir := jvmtest.JDK(t, feature), t.TempDir()
	var args []string
	if len(lib) > 0 {
		classes, err := compiler.Compile(lib)
		if err != nil {
			t.Fatal(err)
		}
		jvmtest.WriteClasses(t, dir, classes)
		args = []string{"-cp", dir}
	}
	libraries, err := observed.OpenLibraries(feature, jdk, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { libraries.Close() })
	compile := func(files map[string]string) *observed.Program {
		classes, err := compiler.Compile(files, args...)
		if err != nil {
			t.Fatal(err)
		}
		named := map[string][]byte{}
		for name, data := range classes {
			named[strings.TrimSuffix(name, ".class")] = data
		}
		p, err := observed.NewProgram(named, libraries)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	return compile(old), compile(new)
}

// with is a program in which some files are others.
func with(files map[string]string, changed ...string) map[string]string {
	out := maps.Clone(files)
	for i := 0; i < len(changed); i += 2 {
		out[changed[i]] = changed[i+1]
	}
	return out
}

// dangers compares two programs and returns the dangerous edges.
func dangers(t *testing.T, b *Builder, before, after *observed.Program) (*Comparison, []string) {
	t.Helper()
	var graphs []*Graph
	for _, p := range []*observed.Program{before, after} {
		g, err := b.Build(p)
		if err != nil {
			t.Fatal(err)
		}
		graphs = append(graphs, g)
	}
	c, err := Compare(graphs[0], graphs[1])
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range c.Dangers {
		out = append(out, c.String(d))
	}
	return c, out
}

func check(t *testing.T, got []string, want ...string) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("dangerous edges\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

var figure3 = map[string]string{
	"B.java":   "class B extends A {}",
	"C.java":   "class C extends B { void m() {} }",
	"Bar.java": "class Bar { static void bar(A p) { A.foo(); p.m(); } public static void main(String[] a) { bar(new A()); bar(new B()); bar(new C()); } }",
}

// testFigure3: a new override makes the call edge of that receiver dangerous, and no other.
func testFigure3(t *testing.T) {
	lib := map[string]string{"A.java": "public class A { static void foo() {} void m() {} }"}
	before, after := revisions(t, lib, figure3, with(figure3, "B.java", "class B extends A { void m() {} }"))
	c, got := dangers(t, &Builder{Roots: Main}, before, after)
	check(t, got,
		"call of A.m()V -B-> external A.m()V: word differs",
		"B class entry -*-> B default: word differs") // external code may call B.m as well (Figure 5); the figure does not draw it
	callers := c.Old.Callers(c.Dangers[slices.IndexFunc(c.Dangers, func(d Danger) bool { return d.Label == "B" })].From)
	if len(callers) != 1 || c.Old.Name(callers[0]) != "Bar.bar(LA;)V@4" {
		t.Errorf("the call is at %v", callers)
	}
	var labels []string
	for _, e := range c.Old.Out(c.Dangers[0].From) {
		labels = append(labels, e.Label+" "+c.Old.Name(e.To))
	}
	if c.Old.Node(c.Dangers[0].From).Kind == Dispatch && !slices.Equal(labels, []string{"A external A.m()V", "B external A.m()V", "C C.m()V entry"}) {
		t.Errorf("call edges %q", labels)
	}
}

// testFigure5: call-backs, and the default edge.
func testFigure5(t *testing.T) {
	lib := map[string]string{"A.java": "public class A { public void foo() {} public void bar() {} }"}
	old := map[string]string{
		"B.java": "class B extends A { public void foo() {} }",
		"C.java": "class C extends B { public void bar() {} }",
	}
	before, after := revisions(t, lib, old, map[string]string{
		"B.java": "class B extends A { public void foo() {} public void bar() {} }",
		"C.java": "class C extends B { }",
	})
	c, got := dangers(t, &Builder{Roots: Main}, before, after)
	check(t, got,
		"C class entry -bar()V-> C.bar()V entry: word differs",
		"B class entry -*-> B default: word differs")
	var edges []string
	for n := range int32(c.Old.NumNodes()) {
		if k := c.Old.Node(n).Kind; k == ExternalCode || k == ClassEntry {
			for _, e := range c.Old.Out(n) {
				edges = append(edges, c.Old.Name(n)+" -"+e.Label+"-> "+c.Old.Name(e.To))
			}
		}
	}
	check(t, edges,
		"ECN -B-> B class entry", "ECN -C-> C class entry",
		"B class entry -foo()V-> B.foo()V entry", "B class entry -*-> B default",
		"C class entry -foo()V-> B.foo()V entry", "C class entry -bar()V-> C.bar()V entry", "C class entry -*-> C default")
}

const figure6 = `public class Foo {
	static class E1 extends Exception {} static class E2 extends Exception {} static class E3 extends Exception {}
	static int x;
	static void bar(int n) throws E1, E2, E3 { if (n == 1) throw new E1(); if (n == 2) throw new E2(); }
	static void foo(String s) throws Exception {
		try {
			bar(Integer.valueOf(s));
		} CATCH finally {
			x = 3;
		}
		x = 4;
	}
	public static void main(String[] a) throws Exception { foo(a[0]); }
}`

// testFigure6: without the first handler, and with another type in the second, the edge "exception" of the try node is dangerous; so is the second handler's own only where control gets that far.
func testFigure6(t *testing.T) {
	old := strings.Replace(figure6, "CATCH", "catch (E1 e) { x = 1; } catch (E2 e) { x = 2; }", 1)
	new := strings.Replace(figure6, "CATCH", "catch (E3 e) { x = 2; }", 1)
	before, after := revisions(t, nil, map[string]string{"Foo.java": old}, map[string]string{"Foo.java": new})
	c, got := dangers(t, &Builder{Roots: Main}, before, after)
	check(t, got, "Foo.foo(Ljava/lang/String;)V@0 try -exception-> Foo.foo(Ljava/lang/String;)V@17 catch: word differs")
	if got := chain(c.Old, c.Dangers[0].To); !slices.Equal(got, []string{"catch Foo$E1", "catch Foo$E2", "catch any"}) {
		t.Errorf("handlers %q", got)
	}
	cover, err := NewFlow(c.Old).Edge(c.Dangers[0].From, Raised)
	if err != nil || len(cover.Edges) == 0 {
		t.Fatalf("cover %v, %v", cover, err)
	}
	flow, err := NewFlow(c.Old).Graph(cover.Method)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range cover.Edges { // all three handlers, and nothing else: the last catches everything
		if kind := flow.Edges[e].Kind.String(); kind != "exception" {
			t.Errorf("edge %s is in the cover", flow.Edges[e])
		}
	}
}

// chain lists the catch nodes from one on.
func chain(g *Graph, n int32) (out []string) {
	for ; n >= 0 && g.Node(n).Kind == Catch; n = g.target(n, Raised) {
		for _, what := range []string{"any", "Foo$E1", "Foo$E2", "Foo$E3"} {
			if g.Word(n) == wordOf("catch", what) {
				out = append(out, "catch "+what)
			}
		}
	}
	return out
}

const avg = `public class Avg {
	static int[] numarray = new int[10];
	static String text; static int at;
	static int read() { return at < text.length() ? text.charAt(at++) - '0' : -99; }
	static int calc(int[] a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return n == 0 ? 0 : s / n; }
	static int avg() {
		int count = 0;
		int n = read();
		while (n != -99) {
			if (n < 0) {
				PRINTreturn -1;
			} else {
				numarray[count] = n;
				COUNT}
			n = read();
		}
		return calc(numarray, count);
	}
	public static void main(String[] a) { avg(); }
}`

// testWorkedExample: Figure 1, the program avg. Statement 5a is inserted in front of the return, statement 7 deleted: edges (4, 5) and (6, 7).
func testWorkedExample(t *testing.T) {
	text := func(print, count string) map[string]string {
		return map[string]string{"Avg.java": strings.NewReplacer("PRINT", print, "COUNT", count).Replace(avg)}
	}
	before, after := revisions(t, nil, text("", "count++;\n"), text(`System.out.println("bad input"); `, ""))
	_, got := dangers(t, &Builder{Roots: Main}, before, after)
	// 13 is the branch of `if (n < 0)`, inverted in code, and 16 loads what is returned; 23 is the store, and 24 the increment.
	check(t, got,
		"Avg.avg()I@13 -F-> Avg.avg()I@16: word differs",
		"Avg.avg()I@23 --> Avg.avg()I@24: word differs")
}
