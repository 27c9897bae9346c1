package evolve

import (
	"errors"
	"reflect"
	"testing"
)

var sample = map[string]string{
	"p/A.java": `package p;

import java.util.List;
import static java.lang.Math.*;

@Deprecated
@SuppressWarnings({"a", "b"})
public abstract sealed class A<T extends Comparable<T>> extends B<T, int[]> implements Runnable, I permits C {
    public static final int f = 1 + (2 << 3);
    List<String> g = List.of("x;y", "}");
    static {
        n = 3;
        if (n > 2) { n--; } else { n = 0; }
    }
    { g = null; }
    A(final int a, String... b) throws Exception, Error { this(a); }
    public <U> U m(U u) { try { return u; } catch (RuntimeException e) { throw e; } finally { f(); } }
    abstract void q();
    int lambda() { Runnable r = () -> { run(); }; return new Object() { int x = 1; }.x; }
    int loop() { do { f(); } while (g()); return switch (1) { case 1 -> 2; default -> 3; }; }
    String text() { return """
        a "quoted" text
        """; }
    static class In { int x; }
    enum E { RED, GREEN(2) { int v() { return 1; } }; int v() { return 0; } }
    record R(int a, @Deprecated long b) { R { a++; } }
    @interface N { int value() default 3; }
}
`,
	"p/C.java": "package p; non-sealed class C extends A<String> { }\nclass D {}\n",
}

func TestRoundTrip(t *testing.T) {
	p, err := ParseProgram(sample)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseProgram(p.Sources())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(p, again) {
		t.Errorf("parsed again, the program differs:\n%s", again.Sources()["p/A.java"])
	}
	if len(p.Classes) != 3 || p.Classes[2].Name != "D" {
		t.Errorf("%d classes", len(p.Classes))
	}
	loop := p.Classes[0].Members[8]
	if loop.Name != "loop" || len(loop.Body) != 2 {
		t.Errorf("statements of %s: %q", loop.Name, loop.Body)
	}
	if !reflect.DeepEqual(p, p.Clone()) {
		t.Error("the copy differs")
	}
}

func TestSyntaxErrors(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		line int
	}{
		"two fields":    {"class A {\n int a, b;\n}", 2},
		"end":           {"class A {\n", 2},
		"comment":       {"\n/* a", 2},
		"string":        {"class A { String s = \"a\n\"; }", 1},
		"escape":        {"class \\u0041 { }", 1},
		"bracket":       {"class A { int a = 1); }", 1},
		"no class":      {"int a;", 1},
		"angle":         {"class A<T { }", 1},
		"empty field":   {"class A { int a = ; }", 1},
		"no name":       {"class 1 { }", 1},
		"module":        {"module a { }", 1},
		"empty package": {"package ;", 1},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := ParseProgram(map[string]string{"A.java": c.src})
			var syntax *SyntaxError
			if p != nil || !errors.Is(err, ErrSyntax) || !errors.As(err, &syntax) {
				t.Fatalf("%v, %v", p, err)
			}
			if syntax.Line != c.line {
				t.Errorf("line %d, want %d: %v", syntax.Line, c.line, err)
			}
		})
	}
}

func FuzzParseProgram(f *testing.F) {
	for _, src := range sample {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, err := ParseProgram(map[string]string{"A.java": src})
		if err != nil {
			if p != nil {
				t.Error("an error and a program")
			}
			return
		}
		sources := p.Sources()
		again, err := ParseProgram(sources)
		if err != nil {
			t.Fatalf("printed and not understood: %v\n%s", err, sources)
		}
		if !reflect.DeepEqual(p, again) {
			t.Errorf("printed and parsed, it differs:\n%s\n%s", sources, again.Sources())
		}
	})
}

func FuzzParseEvolving(f *testing.F) {
	f.Add([]byte("name a\nseed 3\nrevision\nrevision same\n-- 0/src/p/A.java --\nclass A {}\n-- 0/resource/x --\n"))
	f.Add([]byte("name \nseed 0\nrevision\nrevision\n-- 1/test/x --\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := ParseEvolving(text)
		if err != nil {
			if e != nil || !errors.Is(err, ErrText) {
				t.Errorf("%v, %v", e, err)
			}
			return
		}
		out, err := e.Format()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseEvolving(out)
		if err != nil || !reflect.DeepEqual(e, again) {
			t.Errorf("formatted and parsed, it differs (%v):\n%s", err, out)
		}
	})
}
