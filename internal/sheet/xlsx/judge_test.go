package xlsx

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"winnow/internal/testenv"
)

var judgeSeed = flag.Uint64("xlsx.seed", 1, "first seed of the random workbooks")
var judgeRuns = flag.Int("xlsx.runs", 6, "number of random workbooks")

// judge reads the workbook at path and compares every cell with what excelize
// reads. It returns a list of differences, the number of cells and the number of formulas
// compared. Known differences, which are not reported:
//
//   - A dependent of a shared formula has no text here; excelize shifts the
//     master's text. Judged is that excelize sees a formula there, and that the
//     master's text is the same.
//   - In a merged area excelize answers with the first cell for all cells;
//     here each cell has what is stored for it. Those other cells are left out.
//   - excelize does not tell blank cells from absent ones, so nothing is
//     demanded of it for Blank cells but an empty value.
func judge(t testing.TB, path string) (diffs []string, cells, formulas int) {
	t.Helper()
	w, err := Open(path, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenFile(path, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var names []string
	for _, s := range w.Sheets {
		names = append(names, s.Name)
		d, n, m := judgeSheet(t, f, s)
		diffs, cells, formulas = append(diffs, d...), cells+n, formulas+m
	}
	if list := f.GetSheetList(); !slices.Equal(list, names) {
		diffs = append(diffs, fmt.Sprintf("sheets %q, excelize %q", names, list))
	}
	return append(append(diffs, judgeNames(f, w)...), judgeTables(t, f, w)...), cells, formulas
}

func judgeSheet(t testing.TB, f *excelize.File, s *Sheet) (diffs []string, cells, formulas int) {
	differ := func(cell, what string, ours, theirs any) {
		diffs = append(diffs, fmt.Sprintf("%s!%s: %s %q, excelize %q", s.Name, cell, what, ours, theirs))
	}
	if visible, err := f.GetSheetVisible(s.Name); err != nil || visible != (s.State == Visible) {
		differ("", "visible", fmt.Sprint(s.State), fmt.Sprint(visible, err))
	}
	for _, c := range s.All() {
		if slices.ContainsFunc(s.Merged, func(m Area) bool {
			return m.Contains(c.Row, c.Col) && (m.Row1 != c.Row || m.Col1 != c.Col)
		}) {
			continue
		}
		cells++
		value, err := f.GetCellValue(s.Name, c.Name())
		if err != nil || value != c.Value {
			differ(c.Name(), "value", c.Value, fmt.Sprint(value, err))
		}
		formula, err := f.GetCellFormula(s.Name, c.Name())
		if err != nil {
			t.Fatal(err)
		}
		if formula != "" {
			formulas++
		}
		if c.FormulaKind == SharedDependent && formula != "" {
			continue
		}
		if formula != c.Formula {
			differ(c.Name(), "formula", c.Formula, formula)
		}
		if typ, err := f.GetCellType(s.Name, c.Name()); err != nil || !slices.Contains(kindsOf[typ], c.Kind) {
			differ(c.Name(), "kind", c.Kind.String(), fmt.Sprint(typ, err))
		}
	}
	return append(diffs, judgeAbsent(t, f, s)...), cells, formulas
}

// kindsOf lists what each type of excelize may be here.
var kindsOf = map[excelize.CellType][]Kind{
	excelize.CellTypeUnset:        {Number, Blank},
	excelize.CellTypeNumber:       {Number, Blank},
	excelize.CellTypeBool:         {Bool, Blank},
	excelize.CellTypeDate:         {Date, Blank},
	excelize.CellTypeError:        {ErrorValue, Blank},
	excelize.CellTypeFormula:      {Text, Blank},
	excelize.CellTypeSharedString: {Text, Blank},
	excelize.CellTypeInlineString: {Text, Blank},
}

// judgeAbsent looks for cells that excelize has and we have not.
func judgeAbsent(t testing.TB, f *excelize.File, s *Sheet) (diffs []string) {
	rows, err := f.GetRows(s.Name)
	if err != nil {
		t.Fatal(err)
	}
	for r, row := range rows {
		for c, value := range row {
			if _, ok := s.At(r+1, c+1); !ok && value != "" {
				diffs = append(diffs, fmt.Sprintf("%s!%s: absent, excelize %q", s.Name, CellName(r+1, c+1), value))
			}
		}
	}
	return diffs
}

func judgeNames(f *excelize.File, w *Workbook) (diffs []string) {
	theirs := f.GetDefinedName()
	if len(theirs) != len(w.Names) {
		return []string{fmt.Sprintf("%d names, excelize %d", len(w.Names), len(theirs))}
	}
	for i, n := range w.Names {
		scope := "Workbook"
		if n.Sheet >= 0 {
			scope = w.Sheets[n.Sheet].Name
		}
		if got := [3]string{n.Name, n.RefersTo, scope}; got != [3]string{theirs[i].Name, theirs[i].RefersTo, theirs[i].Scope} {
			diffs = append(diffs, fmt.Sprintf("name %q, excelize %+v", got, theirs[i]))
		}
	}
	return diffs
}

func judgeTables(t testing.TB, f *excelize.File, w *Workbook) (diffs []string) {
	var ours, theirs []string
	for _, tab := range w.Tables {
		ours = append(ours, w.Sheets[tab.Sheet].Name+" "+tab.Name+" "+tab.Ref.String())
	}
	for _, s := range w.Sheets {
		tabs, err := f.GetTables(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, tab := range tabs {
			theirs = append(theirs, s.Name+" "+tab.Name+" "+tab.Range)
		}
	}
	if !slices.Equal(ours, theirs) {
		diffs = append(diffs, fmt.Sprintf("tables %q, excelize %q", ours, theirs))
	}
	return diffs
}

// ops writes random cells; each op is one call of excelize, so that a failing
// run can be shrunk by leaving ops out.
type op struct {
	sheet string
	cell  string
	do    func(f *excelize.File, sheet, cell string) error
	label string
}

var opSheets = []string{"Plain", "It's \"quoted\" & <odd>", "Übersicht 表", "Hidden one", "very"}

func randomOps(rng *rand.Rand, n int) []op {
	set := func(v any) (func(*excelize.File, string, string) error, string) {
		return func(f *excelize.File, s, c string) error { return f.SetCellValue(s, c, v) }, fmt.Sprintf("%#v", v)
	}
	formula := func(text string, opts ...excelize.FormulaOpts) (func(*excelize.File, string, string) error, string) {
		return func(f *excelize.File, s, c string) error { return f.SetCellFormula(s, c, text, opts...) }, "=" + text
	}
	ops := make([]op, n)
	for i := range ops {
		row, col := 1+rng.IntN(30), 1+rng.IntN(12)
		o := op{sheet: opSheets[rng.IntN(len(opSheets))], cell: CellName(row, col)}
		switch rng.IntN(12) {
		case 0:
			o.do, o.label = set(rng.IntN(1_000_000) - 500_000)
		case 1:
			o.do, o.label = set(rng.NormFloat64() * 1e10)
		case 2:
			o.do, o.label = set(rng.IntN(2) == 0)
		case 3:
			o.do, o.label = set([]string{"", " lead", "trail ", "a\nb", "ä😀", "<&>\"'", "_x0041_", "_x005F_", "=1", "007", "tab\tx"}[rng.IntN(11)])
		case 4:
			o.do, o.label = set(time.Date(2024, 2, 29, rng.IntN(24), 30, 0, 0, time.UTC))
		case 5:
			o.do, o.label = set([]byte("bytes"))
		case 6:
			o.do, o.label = formula(fmt.Sprintf("SUM(A1:B%d)*%d", row, col))
		case 7:
			o.do, o.label = formula(fmt.Sprintf("'It''s \"quoted\" & <odd>'!A%d&\"<ü>\"", row))
		case 8:
			// Each in a column of its own: where shared formulas overlap,
			// excelize writes two masters for one number.
			col = 20 + i
			o.cell = CellName(row, col)
			typ, ref := excelize.STCellFormulaTypeShared, CellName(row, col)+":"+CellName(row+rng.IntN(6), col)
			o.do, o.label = formula(fmt.Sprintf("$A%d+1", row), excelize.FormulaOpts{Type: &typ, Ref: &ref})
		case 9:
			typ, ref := excelize.STCellFormulaTypeArray, o.cell+":"+o.cell
			o.do, o.label = formula("A1:A3*2", excelize.FormulaOpts{Type: &typ, Ref: &ref})
		case 10:
			o.do, o.label = func(f *excelize.File, s, c string) error {
				return f.SetCellRichText(s, c, []excelize.RichTextRun{{Text: "ri"}, {Text: " ch", Font: &excelize.Font{Bold: true}}})
			}, "rich"
		default:
			o.do, o.label = func(f *excelize.File, s, c string) error { return f.SetCellDefault(s, c, "inline") }, "inline"
		}
		ops[i] = o
	}
	return ops
}

// buildRandom writes the workbook of some ops, with names, a table and a
// merged area.
func buildRandom(t testing.TB, path string, ops []op) {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range opSheets {
		_, err := f.NewSheet(s)
		must(err)
	}
	must(f.DeleteSheet("Sheet1"))
	for _, o := range ops {
		must(o.do(f, o.sheet, o.cell))
	}
	must(f.SetSheetVisible("Hidden one", false))
	must(f.SetSheetVisible("very", false, true))
	must(f.SetDefinedName(&excelize.DefinedName{Name: "Rate", RefersTo: "Plain!$A$1"}))
	must(f.SetDefinedName(&excelize.DefinedName{Name: "Rate", RefersTo: "'Übersicht 表'!$A$1:$B$2", Scope: "Übersicht 表"}))
	must(f.AddTable("Plain", &excelize.Table{Range: "P40:Q43", Name: "Sales"}))
	must(f.MergeCell("very", "P1", "Q2"))
	must(f.SaveAs(path))
}

// TestAgainstExcelize compares random workbooks; a failure is shrunk to the
// ops that it needs.
func TestAgainstExcelize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "random.xlsx")
	fails := func(ops []op) []string {
		buildRandom(t, path, ops)
		diffs, _, _ := judge(t, path)
		return diffs
	}
	cells, formulas := 0, 0
	for seed := *judgeSeed; seed < *judgeSeed+uint64(*judgeRuns); seed++ {
		ops := randomOps(rand.New(rand.NewPCG(seed, 0)), 400)
		buildRandom(t, path, ops)
		diffs, n, m := judge(t, path)
		cells, formulas = cells+n, formulas+m
		if len(diffs) == 0 {
			continue
		}
		for i := 0; i < len(ops); {
			if less := slices.Delete(slices.Clone(ops), i, i+1); len(fails(less)) > 0 {
				ops = less
			} else {
				i++
			}
		}
		for _, o := range ops {
			t.Logf("%s!%s %s", o.sheet, o.cell, o.label)
		}
		t.Fatalf("go test -run %s -xlsx.seed %d -xlsx.runs 1:\n%s", t.Name(), seed, strings.Join(fails(ops), "\n"))
	}
	t.Logf("%d workbooks, %d cells, %d of them formulas, compared", *judgeRuns, cells, formulas)
	if cells < 1000 || formulas < 100 {
		t.Error("too few cells to judge")
	}
}

// TestStreamedAgainstExcelize compares a workbook with inline strings, which the stream
// writer makes.
func TestStreamedAgainstExcelize(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	sw, err := f.NewStreamWriter("Sheet1")
	if err != nil {
		t.Fatal(err)
	}
	for r := 1; r <= 50; r++ {
		row := []any{r, "text <&> " + fmt.Sprint(r), nil, true, excelize.Cell{Formula: fmt.Sprintf("A%d*2", r), Value: 2 * r}, []excelize.RichTextRun{{Text: "a"}, {Text: "b"}}}
		if err := sw.SetRow(CellName(r, 2), row); err != nil {
			t.Fatal(err)
		}
	}
	if err := sw.Flush(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "stream.xlsx")
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	diffs, cells, formulas := judge(t, path)
	if len(diffs) > 0 || cells < 250 || formulas != 50 {
		t.Errorf("%d cells, %d formulas\n%s", cells, formulas, strings.Join(diffs, "\n"))
	}
}

// soffice converts the files to .xlsx in dir with one run of LibreOffice.
func soffice(t *testing.T, dir string, files ...string) {
	t.Helper()
	exe := testenv.NeedsLibreOffice(t)
	args := []string{"-env:UserInstallation=file://" + filepath.Join(dir, "profile"), "--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", dir}
	out, err := exec.Command(exe, append(args, files...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestAgainstLibreOffice reads workbooks that LibreOffice wrote, compares them
// with what excelize reads, and looks for cells whose content is known.
func TestAgainstLibreOffice(t *testing.T) {
	dir := t.TempDir()
	soffice(t, dir, "testdata/formulas.fods", "testdata/table.csv")
	cells, formulas := 0, 0
	dumps := ""
	for _, name := range []string{"formulas.xlsx", "table.xlsx"} {
		path := filepath.Join(dir, name)
		diffs, n, m := judge(t, path)
		cells, formulas = cells+n, formulas+m
		for _, d := range diffs {
			t.Errorf("%s: %s", name, d)
		}
		w, err := Open(path, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		dumps += dump(w)
	}
	for _, want := range []string{
		`A1 number "1.5"`, `B1 text "a <b> & \"c\""`, `C1 number "1"`, `D1 number "45351"`, `E1 number "0.25"`, `F1 text "two\nlines"`,
		`A2 number "3" =A1*2`, `B2 text "a <b> & \"c\"<x>" =B1&"<x>"`, `C2 bool "1" =A1>1`, `D2 error "#DIV/0!" =1/0`,
		`E2 number "7.25" =SUM('It''s odd'!A1:A3)+Rate`, `F2 text "" =""`, `E3 number "15" array 0 =A1:A2*10`, `E4 number "30" member 0`,
		`sheet "It's odd" state=1`, `hidden rows [1]`, `merged A3:B3`, `name Rate = Data!$E$1`,
		`A3 text "comma, quote \" and\nline break"`, `G1 text "Ünïcödé 表 😀"`, `B4 number "1234567890123"`, `B5 number "7"`, `C5 text "<&>"`, `D5 text "_x0041_"`,
	} {
		if !strings.Contains(dumps, "  "+want) && !strings.Contains("\n"+dumps, "\n"+want) {
			t.Errorf("%s is missing", want)
		}
	}
	if t.Failed() {
		t.Log(dumps)
	}
	t.Logf("%d cells, %d of them formulas, compared", cells, formulas)
}
