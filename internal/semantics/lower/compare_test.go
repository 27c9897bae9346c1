package lower

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"winnow/internal/semantics/minijvm"
)

// failing is a program whose test fails first because of A and then because of what is left of it.
const failing = `class Test extends Object {
  field static int r
` + emptyClinit + `  method static void main() stack 1 locals 0 {
    0: Push 7
    1: Putstatic Test r Test
    2: New B
    3: Pop
    4: Push unit
    5: Return
  }
}
class A extends Object {
  method static void clinit() stack 1 locals 0 {
    0: New E
    1: Throw
  }
}
class B extends A {
` + emptyClinit + `}
class E extends Object {
` + emptyClinit + `}
class F extends Object {
` + emptyClinit + `}
`

// agreeing is what a JVM should say about the program.
func agreeing() *Observation {
	return &Observation{
		Runs: []ObservedRun{
			{Raised: "p3.E", Collected: map[string][]uint32{"Start": {0}, "Test": {0}, "A": {0}, "B": {0}, "E": {0}}},
			{Raised: "java.lang.NoClassDefFoundError", Collected: map[string][]uint32{"Start": {0}, "Test": {0}, "A": {0}, "B": {0}, "E": {0}, "F": {0}}},
		},
		Flags:   map[string]string{"Test": "done", "A": "failed", "B": "failed", "E": "done", "F": "not"},
		Statics: map[string]string{"Test.r": "7"},
	}
}

func TestCompare(t *testing.T) {
	c := makeCase(t, 3, parse(t, failing), Form{})
	if what := c.Compare(agreeing()); len(what) > 0 {
		t.Fatalf("the right observation is refused: %q", what)
	}
	for _, tt := range []struct {
		name, want string
		alter      func(o *Observation)
	}{
		{"a run is missing", "1 runs instead of 2", func(o *Observation) { o.Runs = o.Runs[:1] }},
		{"another exception", "run 1 ends with p3.A, the semantics says p3.E", func(o *Observation) { o.Runs[0].Raised = "p3.A" }},
		{"no exception", "run 2 ends with -, the semantics says java.lang.NoClassDefFoundError", func(o *Observation) { o.Runs[1].Raised = "-" }},
		{"superclass not recorded", "run 1: {A} not in the record, which has {Test, B, E}; smart is {Test, B, A, E}", func(o *Observation) { delete(o.Runs[0].Collected, "A") }},
		{"what an earlier initialization did is not recorded", "run 2: {E} not in the record", func(o *Observation) { delete(o.Runs[1].Collected, "E") }},
		{"another flag", "class B: not, the semantics says failed", func(o *Observation) { o.Flags["B"] = "not" }},
		{"a flag that was not seen", "class F: , the semantics says not", func(o *Observation) { delete(o.Flags, "F") }},
		{"another value", "Test.r is 8, the semantics says 7", func(o *Observation) { o.Statics["Test.r"] = "8" }},
		{"a value that was not seen", "Test.r is , the semantics says 7", func(o *Observation) { delete(o.Statics, "Test.r") }},
	} {
		o := agreeing()
		tt.alter(o)
		if what := c.Compare(o); len(what) != 1 || !strings.HasPrefix(what[0], tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, what, tt.want)
		}
	}
}

// TestClassList: only classes whose initialization does no harm are tried.
func TestClassList(t *testing.T) {
	c := makeCase(t, 0, parse(t, failing+"class G extends F {\n  method static void clinit() stack 1 locals 0 {\n    0: New F\n    1: Pop\n    2: Push unit\n    3: Return\n  }\n}\n"), Form{})
	if got := c.Predicted.classList(c.Program); got != " Test B! A! E F! G" {
		t.Errorf("the driver gets %q", got)
	}
}

func TestNotLowerable(t *testing.T) {
	head := "class Test extends Object {\n" + emptyClinit
	for _, tt := range []struct{ name, text, want string }{
		{"a handler that keeps the stack", head + "  method static void main() stack 2 locals 0 {\n    0: Push 1\n    1: Push unit\n    2: Return\n    3: Pop\n    4: Pop\n    5: Push unit\n    6: Return\n    catch Object from 1 to 2 at 3 depth 1\n  }\n}\n", "keeps 1 values"},
		{"a system exception that is redefined", head + "  method static void main() stack 1 locals 0 {\n    0: Push unit\n    1: Return\n  }\n}\nclass ClassCast extends Object {\n  field int f\n" + emptyClinit + "}\n", "redefines ClassCast"},
		{"a class below a system exception", head + "  method static void main() stack 1 locals 0 {\n    0: Push unit\n    1: Return\n  }\n}\nclass A extends NullPointer {\n" + emptyClinit + "}\n", "extends NullPointer"},
		{"a cast", head + "  method static void main() stack 1 locals 0 {\n    0: Push null\n    1: Checkcast IncompatibleClassChangeError\n    2: Pop\n    3: Push unit\n    4: Return\n  }\n}\n", "casts to Incompatible"},
		{"no test", "class A extends Object {\n" + emptyClinit + "}\n", "no class Test"},
	} {
		p := parse(t, tt.text)
		classes, err := Form{}.Classes(p, "p0")
		if !errors.Is(err, ErrNotLowerable) || !strings.Contains(err.Error(), tt.want) || classes != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	bad := minijvm.NewProgram(minijvm.NewNames(), &minijvm.Class{Name: minijvm.Test, Super: minijvm.Object})
	if classes, err := (Form{}).Classes(bad, "p0"); err == nil || classes != nil {
		t.Errorf("a program that is not well-formed: %v", err)
	}
}

// TestVaried: programs stay well-formed, and what is inserted is there.
func TestVaried(t *testing.T) {
	g := newGenerator(1)
	varied := 0
	for n := range 400 {
		p := g.program(n)
		if _, err := minijvm.Verify(p, strengths[n%2]); err != nil {
			t.Fatalf("program %d: %v", n, err)
		}
		if q := g.program(n); q.String() != p.String() {
			t.Fatalf("program %d is made in two ways", n)
		}
		if strings.Contains(p.String(), "Invoke ") && strings.Contains(p.String(), "Checkcast") {
			varied++
		}
	}
	if varied < 100 {
		t.Errorf("%d of 400 programs have casts and calls", varied)
	}
}

const said = "run p0. 0 -\nrun p0. 1 p0.E\nstatic p0. A _f 5\nclass p0. A done\nend\n"

func TestResults(t *testing.T) {
	got, err := decodeResults([]byte(said))
	if err != nil || len(got) != 1 || len(got["p0"].Runs) != 2 || got["p0"].Runs[1].Raised != "p0.E" || !maps.Equal(got["p0"].Statics, map[string]string{"A.f": "5"}) || got["p0"].Flags["A"] != "done" {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, bad := range []string{"", strings.TrimSuffix(said, "end\n"), said[:len(said)/2], "static p0. A _f\nend\n", "jump p0. 0 -\nend\n", "\nend\n"} {
		if got, err := decodeResults([]byte(bad)); err == nil || got != nil {
			t.Errorf("%q is read as %v", bad, got)
		}
	}
}

func FuzzResults(f *testing.F) {
	f.Add([]byte(said))
	f.Add([]byte("end\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := decodeResults(data)
		if err != nil && got != nil {
			t.Error("an error and a result")
		}
		if err == nil && !strings.HasSuffix(string(data), "end\n") {
			t.Error("read without an end")
		}
	})
}
