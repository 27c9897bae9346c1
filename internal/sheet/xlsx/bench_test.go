package xlsx

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

const (
	benchSheets   = 5
	benchFormulas = 100_000
	benchValues   = 100_000
)

// benchBook returns the path of a workbook with benchFormulas formulas and
// benchValues constants (numbers and texts, half each) over benchSheets sheets.
// The formulas are of five forms, about 30 bytes on average.
var benchBook = sync.OnceValues(func() (string, error) {
	f := excelize.NewFile()
	defer f.Close()
	for s := range benchSheets {
		name := fmt.Sprintf("Data %d", s+1)
		if _, err := f.NewSheet(name); err != nil {
			return "", err
		}
		sw, err := f.NewStreamWriter(name)
		if err != nil {
			return "", err
		}
		rows := benchFormulas / benchSheets / 5
		for r := 1; r <= rows; r++ {
			if err := sw.SetRow(fmt.Sprintf("A%d", r), benchRow(s, r)); err != nil {
				return "", err
			}
		}
		if err := sw.Flush(); err != nil {
			return "", err
		}
	}
	if err := f.DeleteSheet("Sheet1"); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "xlsx-bench")
	if err != nil {
		return "", err
	}
	benchDir = dir
	path := filepath.Join(dir, "bench.xlsx")
	return path, f.SaveAs(path)
})

// benchDir is removed after the last benchmark.
var benchDir string

func benchRow(s, r int) []any {
	row := make([]any, 0, 10)
	for k := range benchValues / (benchFormulas / 5) {
		if k%2 == 0 {
			row = append(row, float64(r*k+s)/7)
		} else {
			row = append(row, fmt.Sprintf("item %d of %d", (r*k)%997, s))
		}
	}
	for _, form := range []string{
		"A%d+C%d*2", "SUM($A$1:A%d)/COUNT($C$1:C%d)", `IF(A%d>100,"big",B%d)`,
		"VLOOKUP(B%d,'Data 1'!$B$1:$E$400,3,FALSE)+A%d", "ROUND(F%d*'Data 2'!$A$1,2)-E%d",
	} {
		row = append(row, excelize.Cell{Formula: fmt.Sprintf(form, r, r), Value: float64(r) / 3})
	}
	return row
}

func ourRead(path string) (cells int, err error) {
	w, err := Open(path, Limits{})
	if err != nil {
		return 0, err
	}
	for _, s := range w.Sheets {
		cells += s.Len()
	}
	return cells, nil
}

// excelizeLoad opens the workbook and asks for the formula of one cell per
// sheet, which makes excelize decode every sheet; less is not enough to know
// any formula.
func excelizeLoad(path string) error {
	f, err := excelize.OpenFile(path)
	if err != nil {
		return err
	}
	for _, name := range f.GetSheetList() {
		if _, err := f.GetCellFormula(name, "F1"); err != nil {
			return err
		}
	}
	return f.Close()
}

// excelizeEverything also asks for every formula.
func excelizeEverything(path string) error {
	f, err := excelize.OpenFile(path)
	if err != nil {
		return err
	}
	for _, name := range f.GetSheetList() {
		for r := 1; r <= benchFormulas/benchSheets/5; r++ {
			for c := 1; c <= 10; c++ {
				if _, err := f.GetCellFormula(name, CellName(r, c)); err != nil {
					return err
				}
			}
		}
	}
	return f.Close()
}

func excelizeRows(path string) error {
	f, err := excelize.OpenFile(path)
	if err != nil {
		return err
	}
	for _, name := range f.GetSheetList() {
		if _, err := f.GetRows(name, excelize.Options{RawCellValue: true}); err != nil {
			return err
		}
	}
	return f.Close()
}

func benchPath(b *testing.B) string {
	b.Helper()
	path, err := benchBook()
	if err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkRead reads the workbook; cells/s is the number that matters.
func BenchmarkRead(b *testing.B) {
	path := benchPath(b)
	b.ReportAllocs()
	cells := 0
	for b.Loop() {
		n, err := ourRead(path)
		if err != nil {
			b.Fatal(err)
		}
		cells += n
	}
	b.ReportMetric(float64(cells)/b.Elapsed().Seconds(), "cells/s")
}

// BenchmarkAll visits every cell of a workbook that has been read.
func BenchmarkAll(b *testing.B) {
	w, err := Open(benchPath(b), Limits{})
	if err != nil {
		b.Fatal(err)
	}
	cells, bytes := 0, 0
	for b.Loop() {
		for _, s := range w.Sheets {
			for _, c := range s.All() {
				cells++
				bytes += len(c.Value) + len(c.Formula)
			}
		}
	}
	if bytes == 0 {
		b.Fatal("no text")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(cells), "ns/cell")
}

// BenchmarkExcelizeLoad times the three ways in which excelize comes to know a
// workbook and reports our time as a share of each.
func BenchmarkExcelizeLoad(b *testing.B) {
	path := benchPath(b)
	var ours, load, every, rows time.Duration
	timed := func(total *time.Duration, f func(string) error) {
		start := time.Now()
		if err := f(path); err != nil {
			b.Fatal(err)
		}
		*total += time.Since(start)
	}
	for b.Loop() {
		timed(&ours, func(p string) error { _, err := ourRead(p); return err })
		timed(&load, excelizeLoad)
		timed(&every, excelizeEverything)
		timed(&rows, excelizeRows)
	}
	n := float64(b.N) * float64(time.Millisecond)
	b.ReportMetric(float64(ours)/n, "ours-ms")
	b.ReportMetric(float64(load)/n, "load-ms")
	b.ReportMetric(float64(rows)/n, "rows-ms")
	b.ReportMetric(float64(every)/n, "formulas-ms")
	b.ReportMetric(float64(ours)/float64(load), "ours/load")
	b.ReportMetric(float64(ours)/float64(rows), "ours/rows")
	b.ReportMetric(float64(ours)/float64(every), "ours/formulas")
}
