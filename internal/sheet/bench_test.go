package sheet

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"winnow/internal/engine"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/sheet/sheettest"
	"winnow/internal/store"
	"winnow/internal/store/sqlite"
	"winnow/internal/technique"
	"winnow/internal/technique/cells"
)

const (
	benchSheets = 5
	benchRows   = 5000 // with four formulas each
	benchTests  = 1000
)

// bigBook writes a workbook of 100,000 formulas: each row prices an order from its own constants and the row above, with shared rates.
func bigBook(b *testing.B, file string) {
	b.Helper()
	f := excelize.NewFile()
	check := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	check(f.SetSheetName("Sheet1", "Rates"))
	check(f.SetCellValue("Rates", "B1", 0.2))
	for s := range benchSheets {
		name := fmt.Sprint("Orders", s)
		_, err := f.NewSheet(name)
		check(err)
		w, err := f.NewStreamWriter(name)
		check(err)
		for r := 1; r <= benchRows; r++ {
			above := "0"
			if r%20 != 1 {
				above = fmt.Sprintf("F%d", r-1)
			}
			formula := func(text string) excelize.Cell { return excelize.Cell{Formula: text} }
			check(w.SetRow(fmt.Sprintf("A%d", r), []any{
				r % 17, 3 + r%5,
				formula(fmt.Sprintf("A%d*B%d", r, r)),
				formula(fmt.Sprintf("IF(C%d>20,C%d*0.9,C%d)", r, r, r)),
				formula(fmt.Sprintf("ROUND(D%d*(1+Rates!$B$1),2)", r)),
				formula(fmt.Sprintf("E%d+%s", r, above)),
			}))
		}
		check(w.Flush())
	}
	check(f.SaveAs(file))
}

// bigSuite has tests that ask for running totals, each reading up to a hundred cells.
func bigSuite() string {
	var s strings.Builder
	for i := range benchTests {
		row := 1 + (i*benchRows*benchSheets/benchTests)%benchRows + i%20
		fmt.Fprintf(&s, "test order %d\n  expect Orders%d!F%d = 0 within 1e300\n", i, i%benchSheets, row)
	}
	return s.String()
}

// BenchmarkFindWhatToRun measures, in one run, how long it takes to find what to run after one formula of 100,000 was edited, and how long excelize
// takes to load the same workbook: to open it and read every formula. The bar for the ratio is 0.3.
func BenchmarkFindWhatToRun(b *testing.B) {
	dir := b.TempDir()
	file := filepath.Join(dir, "big.xlsx")
	bigBook(b, file)
	if err := os.WriteFile(filepath.Join(dir, "big.tests"), []byte(bigSuite()), 0o644); err != nil {
		b.Fatal(err)
	}
	recordAll(b, dir)
	if err := sheettest.Edit(file, "Orders2!D2553 =IF(C2553>20,C2553*0.8,C2553)"); err != nil {
		b.Fatal(err)
	}
	var ours, theirs time.Duration
	selected := 0
	for b.Loop() {
		start := time.Now()
		selected = findWhatToRun(b, dir)
		ours += time.Since(start)
		start = time.Now()
		loadAll(b, file)
		theirs += time.Since(start)
	}
	if selected == 0 || selected > 20 {
		b.Fatalf("%d tests selected", selected)
	}
	n := float64(b.N)
	b.ReportMetric(float64(ours.Milliseconds())/n, "select-ms")
	b.ReportMetric(float64(theirs.Milliseconds())/n, "excelize-load-ms")
	b.ReportMetric(float64(ours)/float64(theirs), "ratio")
	b.ReportMetric(float64(selected), "selected")
}

func openEngine(b *testing.B, dir string) *engine.Engine {
	b.Helper()
	p, err := Open(dir, []string{"big.tests"})
	if err != nil {
		b.Fatal(err)
	}
	back, err := sqlite.Open(context.Background(), filepath.Join(dir, "store.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return &engine.Engine{Project: p, Store: store.New(back), Config: engine.Config{
		Technique: cells.Technique,
		NewJudge:  func(t technique.Bodies) technique.Judge { return cells.New(p, t, safety.Rules{}) },
	}}
}

func recordAll(b *testing.B, dir string) {
	b.Helper()
	e := openEngine(b, dir)
	sel, err := e.Select(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	rep, err := e.Run(context.Background(), sel, rts.Meta{}, nil)
	if err != nil || rep.RunErr != nil || rep.RecordErr != nil || rep.Count(rts.Passed) != benchTests {
		b.Fatalf("%v %v %v: %d passed", err, rep.RunErr, rep.RecordErr, rep.Count(rts.Passed))
	}
	if err := e.Store.Close(); err != nil {
		b.Fatal(err)
	}
}

func findWhatToRun(b *testing.B, dir string) int {
	b.Helper()
	e := openEngine(b, dir)
	sel, err := e.Select(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	if err := e.Store.Close(); err != nil {
		b.Fatal(err)
	}
	return len(sel.Selected())
}

// loadAll loads a workbook with excelize: every formula of every sheet.
func loadAll(b *testing.B, file string) {
	b.Helper()
	f, err := excelize.OpenFile(file)
	if err != nil {
		b.Fatal(err)
	}
	for _, sheet := range f.GetSheetList() {
		// One formula makes excelize decode the whole sheet.
		if _, err := f.GetCellFormula(sheet, "F1"); err != nil {
			b.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}
