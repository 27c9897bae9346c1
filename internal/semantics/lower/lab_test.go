package lower

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"winnow/internal/jvm/jvmtest"
	"winnow/internal/semantics/minijvm"
)

var features = []int{17, 25}

// labs are the JDKs that were prepared, by feature version.
var labs struct {
	sync.Mutex
	dir  string
	open map[int]*Lab
}

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "winnow-lower-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	labs.dir, labs.open = dir, map[int]*Lab{}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// open returns a lab on a JDK. It can be altered: only what was compiled is shared.
func open(t *testing.T, feature int) *Lab {
	t.Helper()
	labs.Lock()
	defer labs.Unlock()
	if labs.open[feature] == nil {
		l, err := Open(t.Context(), jvmtest.JDK(t, feature), filepath.Join(labs.dir, fmt.Sprint(feature)))
		if err != nil {
			t.Fatal(err)
		}
		labs.open[feature] = l
	}
	l := *labs.open[feature]
	return &l
}

func parse(t *testing.T, text string) *minijvm.Program {
	t.Helper()
	p, err := minijvm.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// makeCase predicts a program.
func makeCase(t *testing.T, number int, p *minijvm.Program, form Form) *Case {
	t.Helper()
	pr, err := Predict(p, !form.Bare)
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	return &Case{Number: number, Program: p, Predicted: pr, Form: form}
}

// TestDifferences shows every difference of the list, on both sides.
func TestDifferences(t *testing.T) {
	for _, feature := range features {
		l := open(t, feature)
		var cases, hidden []*Case
		for i, d := range Differences() {
			cases = append(cases, makeCase(t, i, parse(t, d.Program), Form{Bare: d.Bare}))
			hidden = append(hidden, makeCase(t, i, parse(t, d.Program), Form{}))
		}
		same, err := l.Run(t.Context(), hidden, false)
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.Run(t.Context(), cases, false)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range Differences() {
			c := cases[i]
			small := "-"
			if x := c.Predicted.Runs[0].Raised; x != minijvm.NoClass {
				small = c.Program.Names.Class(x)
			}
			real := got[i].Runs[0].Raised
			if d.ID == "one object per exception" { // the class is one of the program
				real = "p0" + real[len(c.pkg()):]
			}
			if small != d.Small || real != d.Real {
				t.Errorf("%s: the small JVM raises %s, a JVM %s; listed are %s and %s", d.ID, small, real, d.Small, d.Real)
			}
			if d.Bare == d.in(c.Predicted.Met) {
				t.Errorf("%s: hidden %v, met %v", d.ID, d.Bare, d.in(c.Predicted.Met))
			}
			if !d.Bare {
				continue
			}
			for _, wrong := range hidden[i].Compare(same[i]) {
				t.Errorf("%s is not hidden: %s", d.ID, wrong)
			}
		}
	}
}

// TestExamples runs the programs of the documentation, each in a JVM of its own. In Figure 1, C could not be initialized because D failed: the static initializer of C never ran,
// and yet C is in the record.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../../examples/lab/*.lab")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	var cases []*Case
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pair, err := minijvm.ParsePair(string(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []*minijvm.Program{pair.Before, pair.After} {
			if p != nil {
				cases, names = append(cases, makeCase(t, len(cases), p, Form{})), append(names, filepath.Base(file))
			}
		}
	}
	got, err := open(t, 25).Run(t.Context(), cases, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		for _, wrong := range c.Compare(got[i]) {
			t.Errorf("%s: %s", names[i], wrong)
		}
	}
	first := got[slices.Index(names, "figure1.lab")]
	if r := first.Runs; len(r) != 2 || r[0].Raised == "-" || r[1].Raised != "java.lang.NoClassDefFoundError" || r[0].Collected["C"] == nil {
		t.Errorf("the runs before the change are %+v", r)
	}
	if f := first.Flags; f["C"] != flagFailed || f["D"] != flagFailed {
		t.Errorf("flags %v", f)
	}
}
