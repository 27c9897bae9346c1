package xlsx

import (
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// State says whether the user sees a sheet.
type State uint8

// The states of a sheet. A VeryHidden one can be shown by a program only.
const (
	Visible State = iota
	Hidden
	VeryHidden
)

// SheetKind says what a sheet is. Only worksheets and macro sheets have cells.
type SheetKind uint8

// The kinds of sheets.
const (
	Worksheet SheetKind = iota
	ChartSheet
	DialogSheet
	MacroSheet
)

// Kind is the type of a cell's stored value. Whether the cell has a formula is
// told by its FormulaKind.
type Kind uint8

// The kinds of values.
const (
	Blank  Kind = iota // no value
	Number             // decimal text
	Bool               // 1 or 0
	Text
	ErrorValue // for example #REF!
	Date       // ISO 8601 text; dates are mostly numbers instead
)

var kindNames = [...]string{"blank", "number", "bool", "text", "error", "date"}

// String returns the kind's name in lower case.
func (k Kind) String() string { return kindNames[k] }

// FormulaKind says how a cell comes by its value.
type FormulaKind uint8

// The kinds of formulas.
const (
	NoFormula       FormulaKind = iota // a constant
	Normal                             // a formula of its own
	SharedMaster                       // its formula is also that of its group's dependents
	SharedDependent                    // has the master's formula, moved; its own text is ""
	Array                              // its formula fills the group's area
	DataTable                          // what-if table; fills the group's area; text is ""
	Member                             // without a formula, but filled by an Array or DataTable
)

var formulaKindNames = [...]string{"none", "normal", "shared", "dependent", "array", "datatable", "member"}

// String returns the kind's name in lower case.
func (k FormulaKind) String() string { return formulaKindNames[k] }

// Cell is one present cell.
//
// Printed form: B7 number "12" =A1*2, and for other than normal formulas the
// kind and the index of the group, as in B8 number "14" dependent 0. It is one
// line: line breaks in formulas are printed as \n.
type Cell struct {
	Row, Col    int // 1-based
	Kind        Kind
	FormulaKind FormulaKind
	Value       string // as stored; shared strings resolved
	Formula     string // as stored, without a leading =
	Group       int    // index in Sheet.Groups, -1 if in none

	AlwaysCalc bool // the file marks the formula to be calculated at every change
	CellMeta   bool // has cell metadata; an Array with it is a dynamic array
	ValueMeta  bool // has value metadata: the real value is a rich type not read here
}

// IsFormula reports whether the value of the cell is calculated.
func (c Cell) IsFormula() bool { return c.FormulaKind != NoFormula }

// Name returns the A1 name of the cell.
func (c Cell) Name() string { return CellName(c.Row, c.Col) }

// String returns the printed form.
func (c Cell) String() string {
	s := c.Name() + " " + c.Kind.String()
	if c.Kind != Blank {
		s += " " + strconv.Quote(c.Value)
	}
	if c.FormulaKind > Normal {
		s += " " + c.FormulaKind.String() + " " + strconv.Itoa(c.Group)
	}
	if c.Formula != "" {
		s += " =" + strings.ReplaceAll(c.Formula, "\n", `\n`)
	}
	return s
}

// GroupKind says what ties the cells of a group together.
type GroupKind uint8

// The kinds of groups.
const (
	SharedGroup GroupKind = iota
	ArrayGroup
	DataTableGroup
)

var groupKindNames = [...]string{"shared", "array", "datatable"}

// String returns the kind's name in lower case.
func (k GroupKind) String() string { return groupKindNames[k] }

// Group is a set of cells with one formula.
type Group struct {
	Kind     GroupKind
	Index    int  // the number (si) of a shared formula in the file, else -1
	Row, Col int  // the cell that holds the formula
	Ref      Area // the area as stored; dependents of a shared formula may lie outside

	// Of a data table only:
	TwoInputs bool   // has a row input and a column input
	RowInput  bool   // the only input is a row input
	Input1    string // A1 names of the input cells, as stored
	Input2    string
}

// Sheet is one sheet. Its methods may be called concurrently.
type Sheet struct {
	Name       string
	State      State
	Kind       SheetKind
	Part       string
	Protected  bool
	Groups     []Group // in the order of their first cell in the file
	Merged     []Area  // in the order of the file
	HiddenRows []int   // ascending; SUBTOTAL and AGGREGATE depend on them
	HideOthers bool    // rows that are not in the file are hidden
	Transition bool    // formulas are to be evaluated as Lotus 1-2-3 does

	cells   []record
	rows    []rowStart // one per row with cells, and a last one past the end
	text    string     // values and formulas, which records point into
	strings *stringTable

	columnsOnce sync.Once
	columns     []columnCells
}

// record is a Cell in 32 bytes without pointers.
type record struct {
	row      uint32
	col      uint16
	kind     Kind
	formula  FormulaKind
	flags    uint8
	group    int32
	valueAt  uint32 // offset in text, or the index of a shared string
	valueLen uint32
	fAt      uint32
	fLen     uint32
}

const (
	flagShared = 1 << iota // valueAt is an index into the shared strings
	flagAlways
	flagCellMeta
	flagValueMeta
)

type rowStart struct {
	row   uint32
	first uint32 // ordinal of the row's first cell
}

// Len returns the number of present cells.
func (s *Sheet) Len() int { return len(s.cells) }

// Cell returns the i-th present cell in row-major order. The number i is the
// cell's ordinal.
func (s *Sheet) Cell(i int) Cell {
	r := &s.cells[i]
	c := Cell{
		Row: int(r.row), Col: int(r.col),
		Kind: r.kind, FormulaKind: r.formula,
		Formula:    s.text[r.fAt : r.fAt+r.fLen],
		Group:      int(r.group),
		AlwaysCalc: r.flags&flagAlways != 0,
		CellMeta:   r.flags&flagCellMeta != 0,
		ValueMeta:  r.flags&flagValueMeta != 0,
	}
	if r.flags&flagShared != 0 {
		c.Value = s.strings.at(r.valueAt)
	} else {
		c.Value = s.text[r.valueAt : r.valueAt+r.valueLen]
	}
	return c
}

// All iterates over ordinals and cells in row-major order.
func (s *Sheet) All() iter.Seq2[int, Cell] {
	return func(yield func(int, Cell) bool) {
		for i := range s.cells {
			if !yield(i, s.Cell(i)) {
				return
			}
		}
	}
}

// At returns the cell at a position, if it is present.
func (s *Sheet) At(row, col int) (Cell, bool) {
	i, ok := s.Find(row, col)
	if !ok {
		return Cell{}, false
	}
	return s.Cell(i), true
}

// Find returns the ordinal of the cell at a position, if it is present.
func (s *Sheet) Find(row, col int) (int, bool) {
	k := s.rowIndex(row)
	if k == len(s.rows) || int(s.rows[k].row) != row {
		return 0, false
	}
	from, to := int(s.rows[k].first), int(s.rows[k+1].first)
	i := from + s.inRow(from, to, col)
	return i, i < to && int(s.cells[i].col) == col
}

// rowIndex returns the index in rows of the first row >= row. Rows mostly have
// no gaps, so the place where the row would then be is tried first.
func (s *Sheet) rowIndex(row int) int {
	if len(s.rows) == 0 {
		return 0
	}
	guess := row - int(s.rows[0].row)
	if guess >= 0 && guess < len(s.rows) && int(s.rows[guess].row) == row {
		return guess
	}
	return sort.Search(len(s.rows), func(i int) bool { return int(s.rows[i].row) >= row })
}

// inRow returns the offset from the ordinal from of the first cell, among
// those up to the ordinal to, that lies in col or to the right of it.
func (s *Sheet) inRow(from, to, col int) int {
	guess := col - int(s.cells[from].col)
	if guess >= 0 && guess < to-from && int(s.cells[from+guess].col) == col {
		return guess
	}
	return sort.Search(to-from, func(i int) bool { return int(s.cells[from+i].col) >= col })
}

// indexRows builds rows from sorted cells. The last entry has a row that no
// cell can be in.
func (s *Sheet) indexRows() {
	n := 1
	for i := range s.cells {
		if i == 0 || s.cells[i].row != s.cells[i-1].row {
			n++
		}
	}
	s.rows = make([]rowStart, 0, n)
	for i := range s.cells {
		if i == 0 || s.cells[i].row != s.cells[i-1].row {
			s.rows = append(s.rows, rowStart{s.cells[i].row, uint32(i)})
		}
	}
	s.rows = append(s.rows, rowStart{MaxRow + 1, uint32(len(s.cells))})
}

// columnCells lists the cells of one column, top to bottom, by ordinal.
type columnCells struct {
	col   int
	cells []uint32
}

// Area iterates over the ordinals of the present cells in an area, in row-major
// order. The cost grows with the cells found and with the smaller of the
// area's non-empty rows and columns, so whole columns and rows are cheap.
func (s *Sheet) Area(a Area) iter.Seq[int] {
	first := s.rowIndex(a.Row1)
	last := s.rowIndex(a.Row2 + 1)
	if last == len(s.rows) && last > 0 {
		last-- // the entry past the end
	}
	if last-first <= a.Col2-a.Col1+1 {
		return s.areaByRows(a, first, last)
	}
	return s.areaByColumns(a)
}

func (s *Sheet) areaByRows(a Area, first, last int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for k := first; k < last; k++ {
			from, to := int(s.rows[k].first), int(s.rows[k+1].first)
			for i := from + s.inRow(from, to, a.Col1); i < to && int(s.cells[i].col) <= a.Col2; i++ {
				if !yield(i) {
					return
				}
			}
		}
	}
}

func (s *Sheet) areaByColumns(a Area) iter.Seq[int] {
	s.columnsOnce.Do(s.indexColumns)
	lo := sort.Search(len(s.columns), func(i int) bool { return s.columns[i].col >= a.Col1 })
	var found []uint32
	for n := lo; n < len(s.columns) && s.columns[n].col <= a.Col2; n++ {
		col := s.columns[n].cells
		from := sort.Search(len(col), func(i int) bool { return int(s.cells[col[i]].row) >= a.Row1 })
		to := from + sort.Search(len(col)-from, func(i int) bool { return int(s.cells[col[from+i]].row) > a.Row2 })
		if found == nil {
			found = col[from:to:to] // not copied unless a second column follows
		} else {
			found = append(found, col[from:to]...)
		}
	}
	if a.Col1 != a.Col2 {
		found = slices.Clone(found)
		slices.Sort(found)
	}
	return func(yield func(int) bool) {
		for _, i := range found {
			if !yield(int(i)) {
				return
			}
		}
	}
}

// indexColumns distributes the ordinals over columns, in one array.
func (s *Sheet) indexColumns() {
	var counts [MaxCol + 2]uint32
	for i := range s.cells {
		counts[s.cells[i].col+1]++
	}
	for c := 1; c < len(counts); c++ {
		counts[c] += counts[c-1]
	}
	starts := counts
	all := make([]uint32, len(s.cells))
	for i := range s.cells {
		col := s.cells[i].col
		all[counts[col]] = uint32(i)
		counts[col]++
	}
	for c := 1; c <= MaxCol; c++ {
		if from, to := starts[c], starts[c+1]; from < to {
			s.columns = append(s.columns, columnCells{c, all[from:to:to]})
		}
	}
}
