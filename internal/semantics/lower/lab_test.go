package lower

import (
	"os"
	"testing"

	"winnow/internal/jvm/jvmtest"
	"winnow/internal/semantics/minijvm"
)

var features = []int{17, 25}

// open prepares a JDK.
func open(t *testing.T, feature int) *Lab {
	t.Helper()
	l, err := Open(t.Context(), jvmtest.JDK(t, feature), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return l
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
		var cases []*Case
		for _, d := range Differences() {
			cases = append(cases, makeCase(t, len(cases), parse(t, d.Program), Form{Bare: d.Bare}))
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
			hidden := makeCase(t, 0, c.Program, Form{})
			again, err := l.Run(t.Context(), []*Case{hidden}, false)
			if err != nil {
				t.Fatal(err)
			}
			for _, wrong := range hidden.Compare(again[0]) {
				t.Errorf("%s is not hidden: %s", d.ID, wrong)
			}
		}
	}
}

// TestFigure1 runs the paper's example and looks at all that is compared.
func TestFigure1(t *testing.T) {
	text, err := os.ReadFile("../../../examples/lab/figure1.lab")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := minijvm.ParsePair(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, feature := range features {
		cases := []*Case{makeCase(t, 0, pair.Before, Form{}), makeCase(t, 1, pair.After, Form{})}
		got, err := open(t, feature).Run(t.Context(), cases, true)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range cases {
			for _, wrong := range c.Compare(got[i]) {
				t.Errorf("JDK %d, program %d: %s", feature, i, wrong)
			}
		}
		if r := got[0].Runs; len(r) != 2 || r[0].Raised != "p0.E" || r[1].Raised != "java.lang.NoClassDefFoundError" {
			t.Errorf("JDK %d: the runs before the change end with %+v", feature, r)
		}
		if f := got[0].Flags; f["C"] != flagFailed || f["D"] != flagFailed || f["E"] != flagDone || f["D'"] != flagNot {
			t.Errorf("JDK %d: flags %v", feature, f)
		}
		if s := cases[0].Program.Names.Text(cases[0].Predicted.Runs[0].Smart); s != "{Test, C, D, E}" {
			t.Errorf("the smart set is %s", s)
		}
	}
}
