package sheet

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/engine"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/sheet/sheettest"
	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/technique"
	"winnow/internal/technique/cells"
)

var _ engine.Project = (*Project)(nil)

// A bench is a workbook with tests in a directory, and a store.
type bench struct {
	t     *testing.T
	dir   string
	store *store.Store
}

func newBench(t *testing.T, book, tests string) *bench {
	t.Helper()
	b := &bench{t, t.TempDir(), store.New(&memory.Backend{})}
	if err := sheettest.Make(filepath.Join(b.dir, "b.xlsx"), book); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "b.tests"), []byte(tests), 0o644); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) engine() *engine.Engine {
	b.t.Helper()
	p, err := Open(b.dir, []string{"b.tests"})
	if err != nil {
		b.t.Fatal(err)
	}
	return &engine.Engine{Project: p, Store: b.store, Config: engine.Config{
		Technique: cells.Technique,
		NewJudge:  func(bodies technique.Bodies) technique.Judge { return cells.New(p, bodies, safety.Rules{}) },
	}}
}

// run selects and runs, and returns the names of the selected tests and the report.
func (b *bench) run() ([]string, *engine.Report) {
	b.t.Helper()
	e := b.engine()
	sel, err := e.Select(context.Background())
	if err != nil {
		b.t.Fatal(err)
	}
	rep, err := e.Run(context.Background(), sel, rts.Meta{}, nil)
	if err != nil || rep.RunErr != nil || rep.RecordErr != nil {
		b.t.Fatal(err, rep.RunErr, rep.RecordErr)
	}
	var names []string
	for _, id := range sel.Selected() {
		names = append(names, strings.TrimPrefix(string(id), "b.xlsx#"))
	}
	return names, rep
}

func (b *bench) edit(lines ...string) {
	b.t.Helper()
	if err := sheettest.Edit(filepath.Join(b.dir, "b.xlsx"), lines...); err != nil {
		b.t.Fatal(err)
	}
}

// orders has names for its queries, an area, a branch, a shared formula and two sheets.
const orders = `
Data!A1 5
Data!A2 7
Data!A3 9
shared Data!B1:B3 =A1*rate
Data!D1 =SUM(B1:B3)
Data!D2 =IF(A1>3,A1*2,A3)
Data!D3 =MAX(A1:A2)
Rates!B1 10
Out!A1 =Data!D1+1
name rate Rates!$B$1
name total Out!$A$1
name choice Data!$D$2
name most Data!$D$3
`

const orderTests = `
test total
  expect total = 211
test choice
  expect choice = 10
test most
  expect most = 7
test other rate
  set rate = 1
  expect total = 22
`

// TestWhatSelects lists edits with exactly the tests that they select.
func TestWhatSelects(t *testing.T) {
	for _, c := range []struct {
		name  string
		edits []string
		want  string
	}{
		{"nothing", nil, ""},
		{"a constant in an area", []string{"Data!A2 8"}, "most other_rate total"},
		{"a constant that a branch read", []string{"Data!A1 6"}, "choice most other_rate total"},
		{"a constant in the branch that was not taken", []string{"Data!A3 10"}, "other_rate total"},
		{"the same content written again", []string{"Data!A2 7", "Data!D1 =SUM(B1:B3)"}, ""},
		{"a formula", []string{"Data!D2 =IF(A1>3,A1*4,A3)"}, "choice"},
		{"blanks, case and dollar signs in a formula", []string{"Data!D2 =if( $A$1 > 3, A1 * 2 ,A3)"}, ""},
		{"a rate that one test sets", []string{"Rates!B1 11"}, "total"},
		{"a name that stands for another cell", []string{"Rates!B2 10", "name rate Rates!$B$2"}, ""},
		{"a name that stands for another value", []string{"Rates!B2 11", "name rate Rates!$B$2"}, "total"},
		{"a row above everything", []string{"insert-row Data 1"}, ""},
		{"a row above the rates", []string{"insert-row Rates 1"}, ""},
		{"a column in front", []string{"insert-column Data A"}, ""},
		{"a row inside an area", []string{"insert-row Data 2"}, "most other_rate total"},
		{"a row below everything", []string{"insert-row Data 9"}, ""},
		{"a sheet with another name", []string{"rename-sheet Rates Prices"}, ""},
		{"a cell that nobody reads", []string{"Data!F9 1", "Data!F10 =1/0"}, ""},
		{"a formula in place of an equal constant", []string{"Data!A2 =3+4"}, "most other_rate total"},
		{"a cell cleared", []string{"clear Data!A2"}, "most other_rate total"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, orders, orderTests)
			if names, rep := b.run(); len(names) != 4 || rep.Bad() > 0 {
				t.Fatalf("first run: %v, %+v", names, rep.Results)
			}
			b.edit(c.edits...)
			names, _ := b.run()
			slices.Sort(names)
			if got := strings.ReplaceAll(strings.Join(names, ","), " ", "_"); got != strings.ReplaceAll(c.want, " ", ",") {
				t.Errorf("selected %q, want %q", got, c.want)
			}
			if names, _ := b.run(); len(names) > 0 && len(c.want) == 0 {
				t.Errorf("the run after selects %v", names)
			}
		})
	}
}

// TestBlankIsNotMissing checks that a sheet that is removed, or an array formula that reaches into a blank cell, is a change for a test that read
// only blanks there.
func TestBlankIsNotMissing(t *testing.T) {
	const book = "S!A1 =T!B2+1\nS!A2 =SUM(T!B1:B3)+1\nT!Z9 5\n"
	const tests = "test cell\n  expect S!A1 = 1\ntest area\n  expect S!A2 = 1\n"
	for _, edit := range []string{"remove-sheet T", "array T!B1:B3 =Z9:Z11*1"} {
		b := newBench(t, book, tests)
		if names, rep := b.run(); len(names) != 2 || rep.Bad() > 0 {
			t.Fatalf("first run: %v, %+v", names, rep.Results)
		}
		b.edit(edit)
		names, rep := b.run()
		if len(names) != 2 || rep.Count(rts.Errored) != 2 {
			t.Errorf("%s: selected %v, %+v", edit, names, rep.Results)
		}
	}
}

// TestIndexReadsOneCell checks that INDEX depends on the cell it picks, wherever its area goes, and on nothing else of the area.
func TestIndexReadsOneCell(t *testing.T) {
	const book = "S!A1 10\nS!A2 20\nS!A3 30\nS!C1 =INDEX(A1:A3,MATCH(20,A1:A3,0))\nS!C2 =INDEX(A1:A3,2)\nname found S!$C$1\nname second S!$C$2\nname input S!$A$2\n"
	const tests = "test found\n expect found = 20\ntest second\n expect second = 20\ntest given\n set input = 5\n expect second = 5\n"
	wantSelected(t, book, tests, map[string]string{
		"insert-row S 1":    "",
		"S!A3 31":           "found",
		"S!A2 21":           "found second",
		"name input S!$A$3": "given",
		"insert-row S 2":    "found second given",
	})
}

// wantSelected makes each edit on a recorded workbook of its own and compares the selected tests.
func wantSelected(t *testing.T, book, tests string, want map[string]string) {
	t.Helper()
	for edit, selected := range want {
		b := newBench(t, book, tests)
		if _, rep := b.run(); rep.Bad() > 0 {
			t.Fatalf("first run: %+v", rep.Results)
		}
		b.edit(edit)
		if names, _ := b.run(); strings.Join(names, " ") != selected {
			t.Errorf("%s: selected %q, want %q", edit, strings.Join(names, " "), selected)
		}
	}
}

// TestNamesThatMove checks that ROW of a name depends on where the name points, and that a name which loses its dollar signs or its sheet is
// another one: the calculator refuses it then.
func TestNamesThatMove(t *testing.T) {
	const book = "S!A1 7\nS!A2 7\nQ!A1 =ROW(nm)\nQ!A2 =nm\nQ!A3 =SUM(area)\nname nm S!$A$1\nname area S!$A$1:$A$2\n"
	const tests = "test row\n expect Q!A1 = 1\ntest value\n expect Q!A2 = 7\ntest sum\n expect Q!A3 = 14\n"
	wantSelected(t, book, tests, map[string]string{
		"name nm S!$A$2":    "row",
		"name nm S!A1":      "row value",
		"name nm $A$1":      "row value",
		"name area S!A1:A2": "sum",
		"insert-row S 1":    "row",
	})
}

// TestPlacesCount checks (S5.7): the value of ROW(A5) changes with the place of A5, whatever stands there.
func TestPlacesCount(t *testing.T) {
	b := newBench(t, "S!B1 =ROW(A5)\nS!B2 =COLUMN(C9)+1\nname q S!$B$1\nname p S!$B$2", "test q\n expect q = 5\ntest p\n expect p = 4\n")
	b.run()
	b.edit("insert-row S 4")
	if names, _ := b.run(); !slices.Equal(names, []string{"q", "p"}) {
		t.Errorf("a row above both: %v", names)
	}
}

// TestWitness checks that the path leads from the query through the cells to the change.
func TestWitness(t *testing.T) {
	b := newBench(t, orders, orderTests)
	b.run()
	b.edit("Rates!B1 12")
	sel, err := b.engine().Select(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range sel.Decisions {
		if d.Test.ID != "b.xlsx#total" {
			continue
		}
		if len(d.Reasons) != 1 || d.Reasons[0].Code != rts.InputChanged || d.Reasons[0].Entity.Name != "[b.xlsx]Rates!B1" {
			t.Fatalf("reasons %+v", d.Reasons)
		}
		path := strings.Join(d.Reasons[0].Path, " ")
		if !strings.HasPrefix(path, "[b.xlsx]Out!A1 [b.xlsx]Data!D1 [b.xlsx]Data!B1:B3 [b.xlsx]Data!B") || !strings.HasSuffix(path, "!rate [b.xlsx]Rates!B1") {
			t.Errorf("path %s", path)
		}
	}
}

// TestBins checks that tests with the same trace share one footprint.
func TestBins(t *testing.T) {
	b := newBench(t, "S!A1 1\nS!B1 =A1+1\nS!C1 =B1+1\nS!D1 =C1+1", `
test low
  set S!A1 = 1
  expect S!D1 = 4
test middle
  set S!A1 = 5
  expect S!D1 = 8
test high
  set S!A1 = 9
  expect S!D1 = 12
`)
	b.run()
	v, err := b.store.View(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	st, err := v.Stat()
	if err != nil {
		t.Fatal(err)
	}
	// Each test has its own definition; everything else is stored once.
	if st.Records != 3 || st.Stored >= st.Dependencies/2 {
		t.Errorf("%d records with %d dependencies, %d of them stored", st.Records, st.Dependencies, st.Stored)
	}
}

// TestRefusalIsNoPass checks (S5.1), and that the test would notice if it were switched off.
func TestRefusalIsNoPass(t *testing.T) {
	for _, rules := range []safety.Rules{{}, safety.Without(safety.PrecedentsChecked)} {
		b := newBench(t, "S!A1 =NOW()", "test t\n  expect S!A1 = 1\n")
		e := b.engine()
		e.Project.(*Project).Rules = rules
		sel, err := e.Select(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		rep, err := e.Run(context.Background(), sel, rts.Meta{}, nil)
		if err != nil || len(rep.Results) != 1 {
			t.Fatal(err, rep.Results)
		}
		res := rep.Results[0]
		if rules.Hold(safety.PrecedentsChecked) {
			if res.Record.Outcome != rts.Errored || !strings.Contains(res.Message, "NOW in S!A1") {
				t.Errorf("%v: %s", res.Record.Outcome, res.Message)
			}
		} else if res.Record.Outcome == rts.Errored {
			t.Error("the broken variant behaves like the right one")
		}
	}
}

// TestMark checks that the copy has the colours and the list, and that the original is untouched.
func TestMark(t *testing.T) {
	b := newBench(t, orders, orderTests)
	b.run()
	b.edit("Data!D1 =SUM(B1:B3)*2")
	before, err := os.ReadFile(filepath.Join(b.dir, "b.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	e := b.engine()
	sel, err := e.Select(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(b.dir, "marked.xlsx")
	n, err := e.Project.(*Project).Mark(sel, out)
	if err != nil || n != 2 {
		t.Fatalf("%d cells, %v", n, err)
	}
	fills, err := sheettest.Fills(out)
	if err != nil {
		t.Fatal(err)
	}
	if fills["Data!D1"] != colours[changed].fill || fills["Out!A1"] != colours[query].fill || len(fills) != 2+3 {
		t.Errorf("fills %v", fills)
	}
	after, err := os.ReadFile(filepath.Join(b.dir, "b.xlsx"))
	if err != nil || string(after) != string(before) {
		t.Error("the workbook itself was changed")
	}
}
