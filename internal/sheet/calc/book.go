package calc

import (
	"context"
	"fmt"
	"time"

	"winnow/internal/sheet/xlsx"
)

// Options tune a Book. The zero value works.
type Options struct {
	// Timeout bounds one Value. Zero means 10 seconds.
	Timeout time.Duration
	// MaxArea is the largest number of cells that one range may hold after whole columns and rows are cut to their used part.
	// Zero means 1,000,000.
	MaxArea int
	// Watch hears of everything that an evaluation reads. Nil means that nobody listens.
	Watch Watcher
}

// Book is a workbook whose cells can be set and computed. It is for one goroutine at a time.
type Book struct {
	opt    Options
	wb     *xlsx.Workbook
	sheets []*sheet          // by the index of the workbook; nil until first used
	byName map[string]*sheet // by the name as formulas write it
	names  map[nameKey]*definition
	inputs []*cell
	gen    uint64 // grows with each Value; older results are not used
	engine *engine
	path   []*cell // cells being evaluated, for cycle reports
	seen   map[read]bool
}

// New makes a Book on a workbook, which it never changes. Nothing is computed yet, and stored values of cells with formulas are
// never used. Settings that change what every formula means are refused.
func New(wb *xlsx.Workbook, opt Options) (*Book, error) {
	switch {
	case wb.Date1904:
		return nil, fmt.Errorf("%w: it uses the 1904 date system", ErrWorkbook)
	case wb.Calc.AsDisplayed:
		return nil, fmt.Errorf("%w: it uses precision as displayed", ErrWorkbook)
	}
	if opt.Timeout == 0 {
		opt.Timeout = 10 * time.Second
	}
	if opt.MaxArea == 0 {
		opt.MaxArea = 1_000_000
	}
	return &Book{opt: opt, wb: wb, sheets: make([]*sheet, len(wb.Sheets)), byName: map[string]*sheet{}, names: map[nameKey]*definition{}, seen: map[read]bool{}}, nil
}

// Close ends the calculation engine. The Book may be used again, which starts another one.
func (b *Book) Close() {
	b.engine.stop()
	b.engine = nil
}

// sheet finds a worksheet; names are compared without case.
func (b *Book) sheet(name string) (*sheet, error) {
	if s := b.byName[name]; s != nil {
		return s, nil
	}
	i, ok := b.wb.SheetIndex(name)
	if !ok || b.wb.Sheets[i].Kind != xlsx.Worksheet {
		return nil, fmt.Errorf("%w: %s", ErrNoSheet, name)
	}
	if b.sheets[i] == nil {
		if b.wb.Sheets[i].Transition {
			return nil, fmt.Errorf("%w: worksheet %s wants its formulas evaluated as Lotus 1-2-3 does", ErrWorkbook, name)
		}
		b.sheets[i] = newSheet(b.wb.Sheets[i], i)
	}
	b.byName[name] = b.sheets[i]
	return b.sheets[i], nil
}

func (b *Book) locate(sheetName string, row, col int) (*sheet, error) {
	if row < 1 || row > xlsx.MaxRow || col < 1 || col > xlsx.MaxCol {
		return nil, fmt.Errorf("row %d, column %d is outside of the sheet", row, col)
	}
	return b.sheet(sheetName)
}

// Set makes a cell hold v in place of its content, formula included, until Reset. It does not make room for more: what an array
// formula fills stays refused, but for v itself.
func (b *Book) Set(sheetName string, row, col int, v Value) error {
	s, err := b.locate(sheetName, row, col)
	if err != nil {
		return err
	}
	c := s.at(row, col)
	if c == nil {
		c = &cell{sheet: s, row: row, col: col, created: true}
		s.added[key(row, col)] = c
	}
	if !c.input {
		b.inputs = append(b.inputs, c)
	}
	c.input, c.setTo = true, v
	return nil
}

// Reset undoes every Set. The content of the workbook itself is never changed, so it is exactly what it was.
func (b *Book) Reset() {
	for _, c := range b.inputs {
		c.input, c.setTo = false, Value{}
		if c.created {
			delete(c.sheet.added, key(c.row, c.col))
		}
	}
	b.inputs = b.inputs[:0]
}

// Value computes one cell. A formula that yields a blank has the value 0, as on screen. Everything is computed anew, so that the
// Watcher hears of everything, whatever was computed before.
func (b *Book) Value(ctx context.Context, sheetName string, row, col int) (Value, error) {
	s, err := b.locate(sheetName, row, col)
	if err != nil {
		return Value{}, err
	}
	b.begin()
	c := s.at(row, col)
	if c == nil {
		b.readBlank(s, row, col)
		return Value{}, s.checkHole(xlsx.Area{Row1: row, Col1: col, Row2: row, Col2: col})
	}
	b.readCell(c)
	return b.run(ctx, c)
}

// begin starts a generation: no result of an earlier evaluation is used in it.
func (b *Book) begin() {
	b.gen++
	b.path = b.path[:0]
	clear(b.seen)
}
