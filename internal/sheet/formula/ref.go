package formula

import "strconv"

// Cell is the place of a formula. Row and Col are 1-based.
type Cell struct {
	Sheet    string // "" if not known: no reference is then to the own sheet
	Row, Col int
}

// RefKind is the kind of a reference.
type RefKind uint8

// Kinds of references.
const (
	RefCell     RefKind = iota // one cell
	RefArea                    // a rectangle, whole rows and columns included
	RefName                    // a defined name, or a parameter of LET or LAMBDA
	Ref3D                      // over several sheets
	RefExternal                // in another workbook
	RefTable                   // a table reference
	RefSpill                   // the cells that the array at a cell spills into
)

var refKinds = [...]string{"cell", "area", "name", "3-D", "external", "table", "spill"}

// String names the kind.
func (k RefKind) String() string { return refKinds[k] }

// Ref is a reference of a formula, resolved as far as the text allows.
type Ref struct {
	Kind  RefKind
	Sheet string // as written, unquoted; "" is the sheet of the formula
	Last  string // last sheet, if Kind is Ref3D or a 3-D reference into another workbook
	Book  string // workbook in brackets, if Kind is RefExternal
	// Name is a defined name as written, or the text of a table reference; ""
	// if the reference is to cells.
	Name string
	// Row1 <= Row2 and Col1 <= Col2 are the cells, 1-based, if Name is "".
	// Whole columns have all rows, whole rows all columns.
	Row1, Col1, Row2, Col2 int
}

// String prints a reference, for example: area Rates!R1C1:R200C6
func (r Ref) String() string {
	dst := append([]byte(r.Kind.String()), ' ')
	p := Prefix{Book: r.Book, Sheet: r.Sheet, Last: r.Last}
	if p != (Prefix{}) {
		dst = append(append(dst, p.text()...), '!')
	}
	if r.Name != "" {
		return string(append(dst, r.Name...))
	}
	dst = appendPlace(dst, r.Row1, r.Col1)
	if r.Row1 != r.Row2 || r.Col1 != r.Col2 || r.Kind == RefArea {
		dst = appendPlace(append(dst, ':'), r.Row2, r.Col2)
	}
	return string(dst)
}

func appendPlace(dst []byte, row, col int) []byte {
	dst = strconv.AppendInt(append(dst, 'R'), int64(row), 10)
	return strconv.AppendInt(append(dst, 'C'), int64(col), 10)
}

// Bounds returns the rectangle with the smaller coordinates first.
func (r Range) Bounds() (row1, col1, row2, col2 int) {
	return int(min(r.From.Row, r.To.Row)), int(min(r.From.Col, r.To.Col)),
		int(max(r.From.Row, r.To.Row)), int(max(r.From.Col, r.To.Col))
}

// Offset is a distance between two cells.
type Offset struct{ Rows, Cols int }

// shift moves the relative parts of a range; false if it leaves the sheet. An
// area over all rows (columns) is the same as whole columns (rows), which do
// not move along the open direction.
func (r Range) shift(d Offset) (Range, bool) {
	row1, col1, row2, col2 := r.Bounds()
	if row2-row1+1 == MaxRow {
		d.Rows = 0
	}
	if col2-col1+1 == MaxCol {
		d.Cols = 0
	}
	inside := r.From.shift(d) && r.To.shift(d)
	return r, inside
}

// shift moves the relative coordinates of a corner; false if it leaves the
// sheet.
func (c *Corner) shift(d Offset) bool {
	return (c.AbsRow || move(&c.Row, d.Rows, MaxRow)) && (c.AbsCol || move(&c.Col, d.Cols, MaxCol))
}

// move adds d to a 1-based coordinate unless the sum is beyond the sheet.
func move(at *int32, d, limit int) bool {
	n := int(*at) + d
	if n < 1 || n > limit {
		return false
	}
	*at = int32(n)
	return true
}
