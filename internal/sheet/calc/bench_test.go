package calc

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/xuri/excelize/v2"
)

// bigWorkbook has 100,000 formulas in chains of 100 that add, sum, round and branch, and as many constants.
var bigWorkbook = sync.OnceValues(func() ([]byte, error) {
	f := excelize.NewFile()
	defer f.Close()
	w, err := f.NewStreamWriter("Sheet1")
	if err != nil {
		return nil, err
	}
	for i := 1; i <= 100_000; i++ {
		formula := fmt.Sprintf("B%d+A%d", i-1, i)
		switch {
		case i%100 == 1:
			formula = fmt.Sprintf("A%d*2", i)
		case i%10 == 0:
			formula = fmt.Sprintf("ROUND(SUM(B%d:B%d)/3,2)", i-5, i-1)
		case i%10 == 5:
			formula = fmt.Sprintf("IF(B%d>10,SQRT(ABS(B%d)),A%d)", i-1, i-1, i)
		}
		if err := w.SetRow(fmt.Sprintf("A%d", i), []any{i % 17, excelize.Cell{Formula: formula}}); err != nil {
			return nil, err
		}
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	err = f.Write(&buf)
	return buf.Bytes(), err
})

func bigBook(b *testing.B) *Book {
	b.Helper()
	data, err := bigWorkbook()
	if err != nil {
		b.Fatal(err)
	}
	return open(b, data, Options{})
}

// BenchmarkNew makes a Book on a workbook of 100,000 formulas and computes one cell without precedents.
func BenchmarkNew(b *testing.B) {
	data, err := bigWorkbook()
	if err != nil {
		b.Fatal(err)
	}
	wb := readWorkbook(b, data)
	for b.Loop() {
		book, err := New(wb, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if v, err := value(context.Background(), book, "Sheet1", "B1"); err != nil || v != Number(2) {
			b.Fatal(v, err)
		}
		book.Close()
	}
}

// BenchmarkTest is one spreadsheet test: set an input, compute a cell with 100 precedents, reset.
func BenchmarkTest(b *testing.B) {
	book := bigBook(b)
	for i := 0; b.Loop(); i++ {
		if err := set(book, "Sheet1", "A50001", Number(float64(i%100))); err != nil {
			b.Fatal(err)
		}
		if v, err := value(context.Background(), book, "Sheet1", "B50100"); err != nil || v.Kind() != KindNumber {
			b.Fatal(v, err)
		}
		book.Reset()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tests/s")
}

func BenchmarkSetReset(b *testing.B) {
	book := bigBook(b)
	for b.Loop() {
		if err := set(book, "Sheet1", "A50001", Number(1)); err != nil {
			b.Fatal(err)
		}
		book.Reset()
	}
}

// BenchmarkLookup is a VLOOKUP over 1,000 rows whose key changes.
func BenchmarkLookup(b *testing.B) {
	f := excelize.NewFile()
	for i := 1; i <= 1000; i++ {
		if err := f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i), &[]any{i, i * 2}); err != nil {
			b.Fatal(err)
		}
	}
	if err := f.SetCellFormula("Sheet1", "D1", "VLOOKUP(C1,A1:B1000,2,FALSE)"); err != nil {
		b.Fatal(err)
	}
	var buf bytes.Buffer
	if err := f.Write(&buf); err != nil {
		b.Fatal(err)
	}
	book := open(b, buf.Bytes(), Options{})
	for i := 0; b.Loop(); i++ {
		if err := set(book, "Sheet1", "C1", Number(float64(1+i%1000))); err != nil {
			b.Fatal(err)
		}
		if v, err := value(context.Background(), book, "Sheet1", "D1"); err != nil || v != Number(float64(2+2*(i%1000))) {
			b.Fatal(v, err)
		}
	}
}
