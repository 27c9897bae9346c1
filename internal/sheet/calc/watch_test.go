package calc

import (
	"context"
	"slices"
	"strings"
	"testing"

	"winnow/internal/sheet/xlsx"
)

// recorder notes what a Book reports.
//
// Printed form, sorted: One!A1 One!A1:B2 name One!Rate
type recorder struct {
	cells map[spot]bool
	areas map[sheetArea]bool
	names map[nameSpot]bool
}

type sheetArea struct {
	sheet int
	area  xlsx.Area
}

func newRecorder() *recorder {
	return &recorder{cells: map[spot]bool{}, areas: map[sheetArea]bool{}, names: map[nameSpot]bool{}}
}

// Cell panics on a sheet that is not spelt as in the workbook, here and below.
func (r *recorder) Cell(sheet string, row, col int) {
	r.cells[spot{modelSheet(sheet), row, col}] = true
}
func (r *recorder) Area(sheet string, a xlsx.Area) {
	r.areas[sheetArea{modelSheet(sheet), a}] = true
}
func (r *recorder) Name(sheet, name string) {
	r.names[nameSpot{modelSheet(sheet), strings.ToUpper(name)}] = true
}

func modelSheet(name string) int {
	i := slices.Index(modelSheets, name)
	if i < 0 {
		panic("no sheet is spelt " + name)
	}
	return i
}

// covers reports whether a cell was reported, alone or in an area.
func (r *recorder) covers(at spot) bool {
	if r.cells[at] {
		return true
	}
	for a := range r.areas {
		if a.sheet == at.sheet && a.area.Contains(at.row, at.col) {
			return true
		}
	}
	return false
}

// coversName reports whether a definition could answer a reported lookup.
func (r *recorder) coversName(at nameSpot) bool {
	for n := range r.names {
		if strings.EqualFold(n.name, at.name) && (at.sheet < 0 || at.sheet == n.sheet) {
			return true
		}
	}
	return false
}

func (r *recorder) String() string {
	var all []string
	for at := range r.cells {
		all = append(all, at.String())
	}
	for a := range r.areas {
		all = append(all, modelSheets[a.sheet]+"!"+a.area.String())
	}
	for n := range r.names {
		all = append(all, "name "+n.String())
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestReports(t *testing.T) {
	m := &model{cells: map[spot]string{}, names: map[nameSpot]string{
		{-1, "Rate"}: "0.5", {-1, "First"}: "One!$A$1", {-1, "Column"}: "Two!$A:$A", {0, "Local"}: "One!$A$2", {1, "Local"}: "One!$A$3", {-1, "Moving"}: "One!A1"}}
	for name, content := range map[string]string{"A1": "1", "A2": "2", "A3": "3", "B1": `"x"`, "B2": "=A1+A9", "B3": "=SUM(A1:A2)", "C1": "=B3*2"} {
		row, col, _ := xlsx.ParseCell(name)
		m.cells[spot{0, row, col}] = content
		m.cells[spot{1, row, col}] = content
	}
	const target = "One!Z1 "
	for _, c := range []struct{ formula, want string }{
		{"5", ""},
		{"A1", "One!A1"},
		{"Z9", "One!Z9"},
		{"one!$a$1+TWO!A1", "One!A1 Two!A1"},
		{"B2", "One!A1 One!A9 One!B2"},
		{"C1", "One!A1:A2 One!B3 One!C1"},
		{"Two!C1", "Two!A1:A2 Two!B3 Two!C1"},
		{"SUM(A1:B3)", "One!A1 One!A1:A2 One!A1:B3 One!A9"},
		{"SUM(A1)", "One!A1"},
		{"SUM(A:A)", "One!A1:A1048576"},
		{"SUM(2:2)", "One!A1 One!A2:XFD2 One!A9"},
		{"IF(A1=1,A2,A3)", "One!A1 One!A2"},
		{"IF(A1=2,A2,A3)", "One!A1 One!A3"},
		{"IF(A1=2,A2)", "One!A1"},
		{"IF(TRUE,5,SUM(A1:A9)+Rate+Missing!A1)", ""},
		{"IFERROR(A1,A2)", "One!A1"},
		{"IFERROR(A1/0,A2)", "One!A1 One!A2"},
		{"IFNA(NA(),A2)", "One!A2"},
		{"IFS(A1=2,A2,A1=1,A3,A9,B2)", "One!A1 One!A3"},
		{"CHOOSE(A2,A1,A3,B2)", "One!A2 One!A3"},
		{"SWITCH(A1,1,A2,A9,A3)", "One!A1 One!A2"},
		{"SWITCH(A1,A2,A3,A9)", "One!A1 One!A2 One!A9"},
		{"AND(A1=2,A2=2)", "One!A1 One!A2"},
		{"IF(A1=1,C1,B2)", "One!A1 One!A1:A2 One!B3 One!C1"},
		{"ROW(A5)+COLUMNS(A1:B2)", ""},
		{"INDEX(A1:A3,A2)", "One!A2"},
		{"INDEX(A1:B3,3,1)", "One!A3"},
		{"SUM(INDEX(A1:B3,0,1))", "One!A1:A3"},
		{"SUMIF(A1:A3,\">1\")", "One!A1:A3"},
		{"SUMIF(A1:A3,\">\"&A1,Two!A1:A3)", "One!A1 One!A1:A3 Two!A1:A3"},
		{"COUNTIFS(A:A,1,Two!A:A,1)", "One!A1:A1048576 Two!A1:A1048576"},
		{"VLOOKUP(2,A1:B2,1,FALSE)", "One!A1 One!A1:B2 One!A9"},
		{"ISBLANK(A9)", "One!A9"},
		{"Rate*2", "name One!RATE"},
		{"Two!Rate*2", "name Two!RATE"},
		{"first+FIRST", "One!A1 name One!FIRST"},
		{"SUM(Column)", "Two!A1:A1048576 name One!COLUMN"},
		{"Local", "One!A2 name One!LOCAL"},
		{"Two!Local", "One!A3 name Two!LOCAL"},
		{"IF(A1=1,Rate,Local)", "One!A1 name One!RATE"},
	} {
		m.cells[spot{0, 1, 26}] = "=" + c.formula
		got := evaluateModel(t, m, spot{0, 1, 26}, nil, nil)
		if got.err != nil {
			t.Errorf("%s: %v", c.formula, got.err)
		}
		if reported := got.reports.String(); strings.TrimSpace(strings.Replace(reported+" ", target, "", 1)) != c.want || !got.reports.cells[spot{0, 1, 26}] {
			t.Errorf("%s reads %s, want %s%s", c.formula, reported, c.want, target)
		}
	}
	for formula, want := range map[string]string{"Nowhere": "One!Z1 name One!NOWHERE", "Moving+1": "One!Z1 name One!MOVING"} {
		m.cells[spot{0, 1, 26}] = "=" + formula
		if got := evaluateModel(t, m, spot{0, 1, 26}, nil, nil); got.err == nil || got.reports.String() != want {
			t.Errorf("%s: reads %s (%v), want %s and a refusal", formula, got.reports, got.err, want)
		}
	}
}

// TestReportsAreComplete: neither an earlier evaluation nor a deep chain hides a read.
func TestReportsAreComplete(t *testing.T) {
	m := &model{cells: map[spot]string{{0, 1, 1}: "1", {0, 1, 2}: "1"}}
	const deep = 3*maxDepth + 7
	for row := 2; row <= deep; row++ {
		m.cells[spot{0, row, 1}] = "=" + xlsx.CellName(row-1, 1) + "+SUM(" + xlsx.CellName(row-1, 2) + ":" + xlsx.CellName(row, 2) + ")"
	}
	rec := newRecorder()
	b, err := New(m.workbook(t), Options{Watch: rec})
	must(t, err)
	defer b.Close()
	for range 2 {
		*rec = *newRecorder()
		_, err := b.Value(context.Background(), "One", deep, 1)
		must(t, err)
		if len(rec.cells) != deep || len(rec.areas) != deep-1 {
			t.Fatalf("%d cells and %d areas were reported, want %d and %d", len(rec.cells), len(rec.areas), deep, deep-1)
		}
	}
	*rec = *newRecorder()
	must(t, b.Set("One", 5, 1, Number(7)))
	_, err = b.Value(context.Background(), "One", 6, 1)
	must(t, err)
	if got, want := rec.String(), "One!A5 One!A6 One!B5:B6"; got != want {
		t.Errorf("reported %s, want %s", got, want)
	}
}
