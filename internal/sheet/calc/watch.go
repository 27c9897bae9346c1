package calc

import "winnow/internal/sheet/xlsx"

// Watcher hears of what an evaluation reads: of every cell, area and name whose content could have led to another value. A
// reference in a branch that is not taken is not read, nor is one of which only the position counts, as in ROW(A1).
//
// Of an area, the watcher hears once and not of each cell; formulas in it then report their own reads. A whole column is reported
// as such: nothing outside of it matters, not even how far the sheet is used. The content of a dependent of a shared formula is
// the formula as it reads in that cell; the master is not reported. When Value returns an error, the reports may be a part only.
type Watcher interface {
	// Cell: one cell was read; it may be blank, or set by a test. The sheet is spelt as the workbook spells it.
	Cell(sheet string, row, col int)
	// Area: an area was read as a whole.
	Area(sheet string, a xlsx.Area)
	// Name: a defined name was looked up, perhaps in vain, from the sheet that qualifies it, else from that of the formula.
	Name(sheet, name string)
}

// read is something that has been reported in this generation.
type read struct {
	sheet *sheet
	area  xlsx.Area
	name  string
}

// first reports whether r has not been reported in this generation.
func (b *Book) first(r read) bool {
	if b.opt.Watch == nil || b.seen[r] {
		return false
	}
	b.seen[r] = true
	return true
}

func (b *Book) readCell(c *cell) {
	if b.opt.Watch != nil && c.seen != b.gen {
		c.seen = b.gen
		b.opt.Watch.Cell(c.sheet.name(), c.row, c.col)
	}
}

func (b *Book) readBlank(s *sheet, row, col int) {
	if b.first(read{sheet: s, area: xlsx.Area{Row1: row, Col1: col, Row2: row, Col2: col}}) {
		b.opt.Watch.Cell(s.name(), row, col)
	}
}

func (b *Book) readArea(a *area) {
	if b.first(read{sheet: a.sheet, area: a.Area}) {
		b.opt.Watch.Area(a.sheet.name(), a.Area)
	}
}

func (b *Book) readName(s *sheet, name string) {
	if b.first(read{sheet: s, name: name}) {
		b.opt.Watch.Name(s.name(), name)
	}
}
