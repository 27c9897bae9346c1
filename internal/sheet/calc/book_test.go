package calc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"winnow/internal/sheet/xlsx"
)

// workbook builds a workbook from lines of "Sheet!Cell := content", as in the corpus; change may add what lines cannot say.
func workbook(t testing.TB, lines string, change func(f *excelize.File) error) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		place, content, _ := strings.Cut(strings.TrimSpace(line), " := ")
		sheet, address, ok := strings.Cut(place, "!")
		if !ok {
			t.Fatalf("bad line %q", line)
		}
		if i, err := f.GetSheetIndex(sheet); err != nil || i < 0 {
			if _, err := f.NewSheet(sheet); err != nil {
				t.Fatal(err)
			}
		}
		if err := writeCell(f, sheet, address, content); err != nil {
			t.Fatal(err)
		}
	}
	if change != nil {
		if err := change(f); err != nil {
			t.Fatal(err)
		}
	}
	var buf bytes.Buffer
	if err := f.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func open(t testing.TB, data []byte, opt Options) *Book {
	t.Helper()
	b, err := New(readWorkbook(t, data), opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func readWorkbook(t testing.TB, data []byte) *xlsx.Workbook {
	t.Helper()
	wb, err := xlsx.Read(bytes.NewReader(data), int64(len(data)), xlsx.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return wb
}

// set is Set with the address of a cell.
func set(b *Book, sheet, address string, v Value) error {
	row, col, ok := xlsx.ParseCell(address)
	if !ok {
		return fmt.Errorf("%q is no address", address)
	}
	return b.Set(sheet, row, col, v)
}

// value is Value with the address of a cell.
func value(ctx context.Context, b *Book, sheet, address string) (Value, error) {
	row, col, ok := xlsx.ParseCell(address)
	if !ok {
		return Value{}, fmt.Errorf("%q is no address", address)
	}
	return b.Value(ctx, sheet, row, col)
}

// eval computes an expression in the last cell of a sheet, which no other formula refers to.
func eval(b *Book, sheetName, expr string) (Value, error) {
	s, err := b.sheet(sheetName)
	if err != nil {
		return Value{}, err
	}
	b.begin()
	return b.run(context.Background(), &cell{sheet: s, row: xlsx.MaxRow, col: xlsx.MaxCol, formula: true, text: expr, group: -1})
}

// expect checks values in printed form; "refused" and other words stand for errors.
func expect(t *testing.T, b *Book, want map[string]string) {
	t.Helper()
	for place, w := range want {
		sheet, address, _ := strings.Cut(place, "!")
		v, err := value(context.Background(), b, sheet, address)
		got := v.String()
		if err != nil {
			got = err.Error()
		}
		if got != w && !(err != nil && w == "refused" && errors.Is(err, ErrRefused)) {
			t.Errorf("%s = %s, want %s", place, got, w)
		}
	}
}

func TestTypesAndPrecision(t *testing.T) {
	data := workbook(t, `
Sheet1!A1 := 0.1
Sheet1!A2 := "5"
Sheet1!A3 := TRUE
Sheet1!A4 := 45000.5
Sheet1!A5 := 0.25
Sheet1!B1 := =1/3
Sheet1!B2 := =A2
Sheet1!B3 := =A3
Sheet1!B4 := =A4
Sheet1!B5 := =A5
Sheet1!B6 := =A1+0.2
Sheet1!B7 := =SQRT(2)
Sheet1!B8 := =1/0
Sheet1!B9 := =Z99
Sheet1!B10 := =LEFT("5x",1)`, func(f *excelize.File) error {
		percent, err := f.NewStyle(&excelize.Style{NumFmt: 10})
		if err != nil {
			return err
		}
		date, err := f.NewStyle(&excelize.Style{NumFmt: 14})
		if err != nil {
			return err
		}
		return errors.Join(f.SetCellStyle("Sheet1", "A5", "B5", percent), f.SetCellStyle("Sheet1", "A4", "B4", date), f.SetCellStyle("Sheet1", "B1", "B1", percent))
	})
	b := open(t, data, Options{})
	expect(t, b, map[string]string{
		"Sheet1!A1": "0.1", "Sheet1!A2": `"5"`, "Sheet1!A3": "TRUE", "Sheet1!A4": "45000.5", "Sheet1!A5": "0.25", "Sheet1!Z99": "blank",
		"Sheet1!B1": "0.3333333333333333", "Sheet1!B2": `"5"`, "Sheet1!B3": "TRUE", "Sheet1!B4": "45000.5", "Sheet1!B5": "0.25",
		"Sheet1!B6": "0.30000000000000004", "Sheet1!B7": "1.4142135623730951", "Sheet1!B8": "#DIV/0!", "Sheet1!B9": "0", "Sheet1!B10": `"5"`,
		"sheet1!A1": "0.1",
	})
}

func TestErrorConstantAndMergedCells(t *testing.T) {
	// The file of a real spreadsheet may hold an error as a constant and values under a merged area; excelize cannot write them.
	data := workbook(t, "Sheet1!A1 := 1\nSheet1!B1 := 77\nSheet1!C1 := 99\nSheet1!D1 := =B1+1\nSheet1!E1 := =ISNA(C1)\nSheet1!F1 := =C1+1", nil)
	data = rewrite(t, data, "xl/worksheets/sheet1.xml", func(xml string) string {
		xml = strings.Replace(xml, `<c r="C1"><v>99</v></c>`, `<c r="C1" t="e"><v>#N/A</v></c>`, 1)
		return strings.Replace(xml, `</sheetData>`, `</sheetData><mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>`, 1)
	})
	expect(t, open(t, data, Options{}), map[string]string{"Sheet1!C1": "#N/A", "Sheet1!B1": "77", "Sheet1!D1": "78", "Sheet1!E1": "TRUE", "Sheet1!F1": "#N/A"})
}

func TestSetReplacesAndResetRestores(t *testing.T) {
	shared, ref := excelize.STCellFormulaTypeShared, "B1:B4"
	data := workbook(t, "Sheet1!A1 := 1\nSheet1!A2 := 2\nSheet1!A3 := 3\nSheet1!A4 := 4\nSheet1!C1 := =SUM(B1:B4)\nSheet1!C2 := =SUM(A:A)\nSheet1!C3 := \"text\"", func(f *excelize.File) error {
		return f.SetCellFormula("Sheet1", "B1", "A1*10", excelize.FormulaOpts{Type: &shared, Ref: &ref})
	})
	b := open(t, data, Options{})
	original := map[string]string{"Sheet1!B1": "10", "Sheet1!B3": "30", "Sheet1!C1": "100", "Sheet1!C2": "10", "Sheet1!C3": `"text"`, "Sheet1!A9": "blank"}
	expect(t, b, original)
	for address, v := range map[string]Value{"B1": Number(5), "A3": Text("x"), "A9": Number(1000), "C3": Bool(true), "A4": Blank()} {
		must(t, set(b, "Sheet1", address, v))
	}
	expect(t, b, map[string]string{"Sheet1!B1": "5", "Sheet1!B2": "20", "Sheet1!B3": "#VALUE!", "Sheet1!B4": "0", "Sheet1!C1": "#VALUE!", "Sheet1!C2": "1003", "Sheet1!C3": "TRUE"})
	must(t, set(b, "Sheet1", "A3", Number(7)))
	expect(t, b, map[string]string{"Sheet1!B3": "70", "Sheet1!C1": "95"})
	b.Reset()
	expect(t, b, original)
}

func TestNames(t *testing.T) {
	data := workbook(t, "Sheet1!A1 := 2\nSheet1!A2 := 3\nSheet1!B1 := =SUM(Both)*Rate\nSheet1!B2 := =Moving+1\nSheet1!B3 := =Nowhere\nOther!A1 := =Local", func(f *excelize.File) error {
		var errs []error
		for _, d := range []excelize.DefinedName{{Name: "Both", RefersTo: "Sheet1!$A$1:$A$2"}, {Name: "Rate", RefersTo: "0.5"}, {Name: "Moving", RefersTo: "Sheet1!A1"},
			{Name: "Local", RefersTo: "1"}, {Name: "Local", RefersTo: "Sheet1!$A$2", Scope: "Other"}} {
			errs = append(errs, f.SetDefinedName(&d))
		}
		return errors.Join(errs...)
	})
	expect(t, open(t, data, Options{}), map[string]string{"Sheet1!B1": "2.5", "Sheet1!B2": "refused", "Sheet1!B3": "refused", "Other!A1": "3"})
}

func TestRefusedForms(t *testing.T) {
	b := open(t, workbook(t, "Sheet1!A1 := 1\nSheet1!A2 := 2\nSheet1!A3 := TRUE", nil), Options{})
	for _, expr := range []string{
		"A1:A2+1", "ABS(A1:A2)", "{1,2}", "SUM({1,2})", "@A1", "A1#", "A1:INDEX(A1:A2,2)", "(A1,A2)", "A1:A2 A2:A2", "Table1[Col]", "[1]Sheet1!A1", "Sheet1:Sheet2!A1", "'[B.xlsx]S'!A1",
		"OFFSET(A1,1,0)", "INDIRECT(\"A1\")", "NOW()", "RAND()", "FILTER(A1:A2,A1:A2>1)", "LET(x,1,x)", "NOSUCH(1)", "SUMPRODUCT((A1:A2>1)*A1:A2)", "SUM(1,,2)", "1+", "", "(1", "\"a",
		"\"1/2/2020\"+1", "1E20&\"\"", "0^0", "(0.1+0.2-0.3)*2", "A3&\"\"", "A3>1", "\"a-b\"<\"ab\"", "DATE(1900,1,1)+YEAR(5)", "COUNTIF(A1:A2,\"\")", "IF(\"x\",1,2)", "ABS()", "ABS(1,2)",
	} {
		v, err := eval(b, "Sheet1", expr)
		if !errors.Is(err, ErrRefused) || v != (Value{}) {
			t.Errorf("%s: got %v, %v; want a refusal and no value", expr, v, err)
		}
	}
	_, err := eval(b, "Sheet1", "OFFSET(A1,1,0)")
	if want := "cannot compute OFFSET in Sheet1!XFD1048576: dynamic reference: what it reads is decided at run time"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestRefusedWorkbooks(t *testing.T) {
	plain := workbook(t, "Sheet1!A1 := 1", nil)
	setting := func(xml string) []byte {
		return rewrite(t, plain, "xl/workbook.xml", func(s string) string { return strings.Replace(s, "</sheets>", "</sheets>"+xml, 1) })
	}
	expect(t, open(t, setting(`<calcPr calcId="191029"/>`), Options{}), map[string]string{"Sheet1!A1": "1"})
	old := rewrite(t, plain, "xl/workbook.xml", func(s string) string { return strings.Replace(s, "<workbookPr", `<workbookPr date1904="1"`, 1) })
	for name, data := range map[string][]byte{"1904": old, "precision": setting(`<calcPr fullPrecision="0"/>`)} {
		if b, err := New(readWorkbook(t, data), Options{}); !errors.Is(err, ErrWorkbook) || b != nil {
			t.Errorf("%s: got %v, %v", name, b, err)
		}
	}
	array, ref := excelize.STCellFormulaTypeArray, "B1:B2"
	b := open(t, workbook(t, "Sheet1!A1 := 1\nSheet1!C1 := =B1+1", func(f *excelize.File) error {
		return f.SetCellFormula("Sheet1", "B1", "A1:A2*2", excelize.FormulaOpts{Type: &array, Ref: &ref})
	}), Options{})
	expect(t, b, map[string]string{"Sheet1!B1": "refused", "Sheet1!C1": "refused"})
	if _, err := b.Value(context.Background(), "Nowhere", 1, 1); !errors.Is(err, ErrNoSheet) {
		t.Errorf("got %v, want ErrNoSheet", err)
	}
}

func TestCycles(t *testing.T) {
	var lines strings.Builder
	for i := 1; i <= 1000; i++ {
		fmt.Fprintf(&lines, "Sheet1!A%d := =A%d+1\n", i, i%1000+1)
	}
	lines.WriteString("Sheet1!B1 := =B2+1\nSheet1!B2 := =B3\nSheet1!B3 := =IF(C1=1,B1,5)\nSheet1!D1 := =IFERROR(B1,7)\nSheet1!E1 := =E1")
	b := open(t, workbook(t, lines.String(), nil), Options{})
	expect(t, b, map[string]string{"Sheet1!B1": "6", "Sheet1!D1": "6"}) // the branch that closes the cycle is not taken
	must(t, set(b, "Sheet1", "C1", Number(1)))
	for _, cell := range []string{"B1", "B2", "D1", "E1", "A1", "A500"} {
		v, err := value(context.Background(), b, "Sheet1", cell)
		var cycle *CycleError
		if !errors.As(err, &cycle) || len(cycle.Cells) == 0 || v != (Value{}) {
			t.Errorf("%s: got %v, %v; want a cycle", cell, v, err)
		}
	}
	_, err := value(context.Background(), b, "Sheet1", "D1")
	if want := "circular reference: Sheet1!B1 -> Sheet1!B2 -> Sheet1!B3 -> Sheet1!B1"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	b.Reset()
	expect(t, b, map[string]string{"Sheet1!B1": "6"})
}

func TestDeepChain(t *testing.T) {
	const n = 100_000
	f := excelize.NewFile()
	defer f.Close()
	w, err := f.NewStreamWriter("Sheet1")
	must(t, err)
	must(t, w.SetRow("A1", []any{1}))
	for i := 2; i <= n; i++ {
		must(t, w.SetRow(fmt.Sprintf("A%d", i), []any{excelize.Cell{Formula: fmt.Sprintf("A%d+1", i-1)}}))
	}
	must(t, w.Flush())
	var buf bytes.Buffer
	must(t, f.Write(&buf))
	b := open(t, buf.Bytes(), Options{Timeout: time.Minute})
	expect(t, b, map[string]string{"Sheet1!A2": "2"})
	start := time.Now()
	expect(t, b, map[string]string{fmt.Sprintf("Sheet1!A%d", n): fmt.Sprint(n)})
	t.Logf("a chain of %d cells took %v", n, time.Since(start))
	start = time.Now()
	v, err := eval(b, "Sheet1", "COUNT(A:A)+A99999")
	if f, _ := v.Float(); err != nil || f != 2*n-1 {
		t.Errorf("got %v, %v", v, err)
	}
	t.Logf("reading it once more as a column took %v", time.Since(start))
}

func TestTimeoutAndCancellation(t *testing.T) {
	b := open(t, workbook(t, "Sheet1!A1 := =SIN(1)\nSheet1!A2 := =A1+1", nil), Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := value(ctx, b, "Sheet1", "A2"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	expect(t, b, map[string]string{"Sheet1!A2": "1.8414709848078965"})
	release := make(chan struct{})
	stuck := b.engine
	stuck.jobs <- func() { <-release } // an evaluation that does not return
	usual := b.opt.Timeout
	b.opt.Timeout = 50 * time.Millisecond // only here: on a busy machine any evaluation may take that long
	_, err := value(context.Background(), b, "Sheet1", "A2")
	b.opt.Timeout = usual
	var where *CellError
	if !errors.Is(err, ErrTimeout) || !errors.As(err, &where) || where.Cell != "A1" {
		t.Errorf("got %v, want ErrTimeout in A1", err)
	}
	expect(t, b, map[string]string{"Sheet1!A2": "1.8414709848078965"}) // with another engine
	close(release)
}

func TestEnginePanicIsAnError(t *testing.T) {
	b := open(t, workbook(t, "Sheet1!A1 := =SIN(1)", nil), Options{})
	fn := &function{name: "PERCENTILE.EXC", params: "MN", result: 'n'}
	block := [][]Value{{Number(4)}, {Number(8)}, {Number(15)}}
	s, err := b.sheet("Sheet1")
	must(t, err)
	at := s.at(1, 1)
	v, err := b.engineCall(context.Background(), at, fn, []argument{{block: block}, {val: Number(0.1)}})
	if !errors.Is(err, ErrEngine) || !strings.Contains(err.Error(), "panic") || v != (Value{}) {
		t.Errorf("got %v, %v; want a panic turned into an error", v, err)
	}
	if b.engine != nil {
		t.Error("the engine is used again after a panic")
	}
	expect(t, b, map[string]string{"Sheet1!A1": "0.8414709848078965"})
}

// TestBranches: the value depends only on the condition and the branch taken. Each %s is a branch that is not taken.
func TestBranches(t *testing.T) {
	b := open(t, workbook(t, "Sheet1!A1 := 1\nSheet1!C1 := =C1\nSheet1!C2 := =NOSUCH(1)", nil), Options{MaxArea: 1000})
	for _, form := range []string{"IF(TRUE,5,%s)", "IF(FALSE,%s,5)", "IF(A1>0,5,%s)", "IFERROR(5,%s)", "IFNA(5,%s)", "IFS(TRUE,5,TRUE,%s)", "IFS(FALSE,%s,TRUE,5)", "IFS(TRUE,5,%s,6)",
		"CHOOSE(1,5,%s)", "CHOOSE(2,%s,5)", "SWITCH(1,1,5,%s)", "SWITCH(2,1,%s,5)", "SWITCH(1,1,5,%s,6)", "SWITCH(1,1,5,2,%s)"} {
		for _, branch := range []string{"1/0", "NA()", "NOSUCH(1)", "OFFSET(A1,1,1)", "SUM(A1:XFD1048576)", "C1", "C2", "0^0", "ABS(1,2,3)", "Nowhere!A1"} {
			expr := fmt.Sprintf(form, branch)
			if v, err := eval(b, "Sheet1", expr); err != nil || v != Number(5) {
				t.Errorf("%s: got %v, %v; want 5", expr, v, err)
			}
		}
	}
	for _, expr := range []string{"IFERROR(NOSUCH(1),5)", "IFERROR(C2,5)", "IFERROR(C1,5)", "IFNA(OFFSET(A1,1,1),5)", "IF(NOSUCH(1),1,2)", "AND(FALSE,NOSUCH(1))", "OR(TRUE,C2)", "ISERROR(C2)", "SUM(NA(),NOSUCH(1))"} {
		if v, err := eval(b, "Sheet1", expr); err == nil {
			t.Errorf("%s: got %v; what cannot be computed was hidden", expr, v)
		}
	}
}
