package calc

import (
	"strconv"

	"winnow/internal/sheet/formula"
	"winnow/internal/sheet/xlsx"
)

// area is a rectangle of cells on a sheet.
type area struct {
	sheet *sheet
	xlsx.Area
}

func (a *area) rows() int      { return a.Row2 - a.Row1 + 1 }
func (a *area) cols() int      { return a.Col2 - a.Col1 + 1 }
func (a *area) wholeCol() bool { return a.rows() == xlsx.MaxRow }
func (a *area) wholeRow() bool { return a.cols() == xlsx.MaxCol }

// whole reports whether the area has an unused part that is cut off.
func (a *area) whole() bool { return a.wholeCol() || a.wholeRow() }

func (a *area) one() bool { return a.rows() == 1 && a.cols() == 1 }

// resolve finds the cells of a reference.
func (e *evaluator) resolve(r *formula.Reference) (*area, error) {
	s := e.at.sheet
	if r.Prefix.Sheet != "" {
		var err error
		if s, err = e.b.sheet(r.Prefix.Sheet); err != nil {
			return nil, err
		}
	}
	a := &area{sheet: s}
	a.Row1, a.Col1, a.Row2, a.Col2 = r.Range.Bounds()
	return a, nil
}

// contents lists the cells of an area that may hold something. Cells that hold nothing are left out, so that what is computed
// does not depend on whether the file mentions them.
func (b *Book) contents(a *area) []*cell {
	var found []*cell
	for i := range a.sheet.src.Area(a.Area) {
		if c := a.sheet.cell(i); !c.empty() {
			found = append(found, c)
		}
	}
	for _, c := range b.inputs {
		if c.created && c.sheet == a.sheet && a.Contains(c.row, c.col) {
			found = append(found, c)
		}
	}
	return found
}

func (c *cell) empty() bool {
	return !c.input && !c.formula && c.refused == "" && c.base.kind == KindBlank
}

// used cuts whole columns and rows to the part that holds something. It looks at nothing outside of the area: the watcher is told
// of the area only.
func (a *area) used(found []*cell) (rows, cols int) {
	rows, cols = a.rows(), a.cols()
	lastRow, lastCol := a.Row1, a.Col1
	for _, c := range found {
		lastRow, lastCol = max(lastRow, c.row), max(lastCol, c.col)
	}
	if a.wholeCol() {
		rows = lastRow - a.Row1 + 1
	}
	if a.wholeRow() {
		cols = lastCol - a.Col1 + 1
	}
	return rows, cols
}

// block computes the cells of an area.
func (e *evaluator) block(a *area) ([][]Value, error) {
	if a.one() {
		v, err := e.lookAt(a)
		return [][]Value{{v}}, err
	}
	e.b.readArea(a)
	if err := a.sheet.checkHole(a.Area); err != nil {
		return nil, err
	}
	found := e.b.contents(a)
	rows, cols := a.used(found)
	if rows*cols > e.b.opt.MaxArea {
		return nil, refuse("range", "it has more than "+strconv.Itoa(e.b.opt.MaxArea)+" cells")
	}
	// Many cells that each lie too deep would each restart the evaluation; so the formula that reads them starts afresh, once.
	if e.depth > maxDepth/2 {
		return nil, &needed{e.at}
	}
	block := newBlock(rows, cols)
	for _, c := range found {
		v, err := e.cell(c)
		if err != nil {
			return nil, err
		}
		block[c.row-a.Row1][c.col-a.Col1] = v
	}
	return block, nil
}

func newBlock(rows, cols int) [][]Value {
	values := make([]Value, rows*cols)
	block := make([][]Value, rows)
	for i := range block {
		block[i] = values[i*cols : (i+1)*cols : (i+1)*cols]
	}
	return block
}

// lookAt computes an area of one cell.
func (e *evaluator) lookAt(a *area) (Value, error) {
	c := a.sheet.at(a.Row1, a.Col1)
	if c == nil {
		e.b.readBlank(a.sheet, a.Row1, a.Col1)
		return Value{}, a.sheet.checkHole(a.Area)
	}
	e.b.readCell(c)
	return e.cell(c)
}
