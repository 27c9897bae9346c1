package xlsx

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
)

// A sheetReader decodes one sheet part (ECMA-376 part 1, 18.3).
type sheetReader struct {
	*scanner
	sheet *Sheet

	arena   []byte // becomes sheet.text
	counted int    // cells already charged to the budget
	seen    bool   // <sheetData> has been read
	sorted  bool   // cells came in row-major order so far

	row       int  // the row being read, or the last one
	rowGiven  bool // its number is known from the file, not implied
	rowFirst  int  // its first cell
	rowHidden bool
	col       int // the column read last

	groups    groupReader
	tableRels []string // relationship ids of tables
	strings   int64    // one more than the largest index of a shared string
	stringsAt string   // the cell that has it
}

// readSheet decodes the part of sheet and returns what has to be followed
// through relationships or checked against the shared strings.
func readSheet(p *pack, sheet *Sheet) (*sheetReader, error) {
	s, err := p.scan(sheet.Part)
	if err != nil {
		return nil, err
	}
	r := &sheetReader{scanner: s, sheet: sheet, sorted: true}
	sheet.cells = make([]record, 0, len(s.src)/64)
	r.arena = make([]byte, 0, len(s.src)/4)
	if err := r.readPart(); err != nil {
		return nil, err
	}
	if err := r.finishSheet(); err != nil {
		return nil, err
	}
	r.src, r.arena = nil, nil // other sheets are still to be inflated
	return r, nil
}

func (r *sheetReader) readPart() error {
	sp, root := spaceMain, "worksheet"
	switch r.sheet.Kind {
	case ChartSheet:
		root = "chartsheet"
	case DialogSheet:
		root = "dialogsheet"
	case MacroSheet:
		sp, root = spaceMacro, "macrosheet"
	}
	return r.document(sp, root, r.element)
}

func (r *sheetReader) element() (err error) {
	if r.space != spaceMain {
		return r.skipCellFree()
	}
	switch string(r.local) {
	case "sheetData":
		return r.data()
	case "sheetFormatPr":
		r.sheet.HideOthers, err = r.flag("zeroHeight")
	case "sheetPr":
		r.sheet.Transition, err = r.flag("transitionEvaluation")
	case "sheetProtection":
		r.sheet.Protected, err = r.flag("sheet")
	case "mergeCells":
		return r.each(r.merge)
	case "tableParts":
		return r.each(r.tablePart)
	}
	if err != nil {
		return err
	}
	return r.skipCellFree()
}

// skipCellFree skips an element, and makes sure that no cells are hidden in it.
func (r *sheetReader) skipCellFree() error {
	for depth := len(r.open); len(r.open) >= depth; {
		ok, err := r.child()
		if err != nil {
			return err
		}
		if ok && r.is("sheetData") {
			return r.damaged("<%s> in an unexpected place", r.name)
		}
	}
	return nil
}

func (r *sheetReader) merge() error {
	if !r.is("mergeCell") {
		return r.stray()
	}
	area, err := r.area("ref")
	if err != nil {
		return err
	}
	if err := r.budget.addCells(areaCost); err != nil {
		return err
	}
	r.sheet.Merged = append(r.sheet.Merged, area)
	return r.skip()
}

func (r *sheetReader) tablePart() error {
	if !r.is("tablePart") {
		return r.stray()
	}
	id, err := r.relID()
	if err != nil {
		return err
	}
	if err := r.budget.addCells(areaCost); err != nil {
		return err
	}
	r.tableRels = append(r.tableRels, id)
	return r.skip()
}

func (s *scanner) area(attr string) (Area, error) {
	text, err := s.attr(attr)
	if err != nil {
		return Area{}, err
	}
	area, ok := ParseArea(text)
	if !ok {
		return Area{}, s.damaged("attribute %s of <%s> is %.40q, not an area", attr, s.name, text)
	}
	return area, nil
}

func (r *sheetReader) data() error {
	if r.seen {
		return r.damaged("has two <sheetData> elements")
	}
	r.seen = true
	return r.each(r.readRow)
}

func (r *sheetReader) readRow() error {
	if !r.is("row") {
		return r.stray()
	}
	if err := r.beginRow(); err != nil {
		return err
	}
	for {
		ok, err := r.child()
		if err != nil {
			return err
		}
		if !ok {
			r.endRow()
			return nil
		}
		if r.is("c") {
			err = r.readCell()
		} else {
			err = r.stray()
		}
		if err != nil {
			return err
		}
	}
}

func (r *sheetReader) beginRow() (err error) {
	r.row++ // implied, unless given
	r.rowGiven, r.rowHidden, r.rowFirst, r.col = false, false, len(r.sheet.cells), 0
	for _, a := range r.attrs {
		switch string(a.name) {
		case "r":
			if string(a.raw) == "0" {
				continue // written by some programs for "not given"
			}
			n, ok := parseRow(a.raw)
			if !ok {
				return r.damaged("row number %.20q is not from 1 to %d", a.raw, MaxRow)
			}
			r.row, r.rowGiven = n, true
		case "hidden":
			if r.rowHidden, err = r.truth(a); err != nil {
				return err
			}
		}
	}
	if r.row > MaxRow {
		return r.damaged("more than %d rows", MaxRow)
	}
	return nil
}

// endRow comes after the cells, which may have corrected the row's number.
func (r *sheetReader) endRow() {
	if r.rowHidden {
		r.sheet.HiddenRows = append(r.sheet.HiddenRows, r.row)
	}
}

// charge charges the cells read since the last call to the budget.
func (r *sheetReader) charge() error {
	n := len(r.sheet.cells)
	err := r.budget.addCells(int64(n - r.counted))
	r.counted = n
	return err
}

// readCell reads a <c> element.
func (r *sheetReader) readCell() error {
	if len(r.sheet.cells)-r.counted >= 4096 {
		if err := r.charge(); err != nil {
			return err
		}
	}
	c := record{group: -1}
	typ, err := r.cellAttrs(&c)
	if err != nil {
		return err
	}
	var v cellContent
	for {
		ok, err := r.child()
		if err != nil {
			return r.inCell(err)
		}
		if !ok {
			break
		}
		if err := r.cellChild(&c, &v); err != nil {
			return r.inCell(err)
		}
	}
	if err := r.setValue(&c, typ, v); err != nil {
		return r.inCell(err)
	}
	r.sheet.cells = append(r.sheet.cells, c)
	return nil
}

// inCell adds the cell to an error that has none.
func (r *sheetReader) inCell(err error) error {
	if e, ok := err.(*Error); ok && e.Cell == "" && e.Part != "" {
		return e.at(r.row, r.col)
	}
	return err
}

// cellAttrs reads the attributes of <c>, sets the cell's position and returns
// its type.
func (r *sheetReader) cellAttrs(c *record) (typ []byte, err error) {
	var ref []byte
	for _, a := range r.attrs {
		switch string(a.name) {
		case "r":
			ref = a.raw
		case "t":
			typ = a.raw
		case "cm":
			c.flags |= flagCellMeta
		case "vm":
			c.flags |= flagValueMeta
		}
	}
	if err := r.position(ref); err != nil {
		return nil, err
	}
	c.row, c.col = uint32(r.row), uint16(r.col)
	if r.sorted && len(r.sheet.cells) > 0 {
		prev := &r.sheet.cells[len(r.sheet.cells)-1]
		r.sorted = prev.row < c.row || prev.row == c.row && prev.col < c.col
	}
	return typ, nil
}

// position sets row and col from the attribute r, or from the predecessor if
// there is none.
func (r *sheetReader) position(ref []byte) error {
	if ref == nil {
		if r.col++; r.col > MaxCol {
			return r.damaged("row %d has more than %d cells", r.row, MaxCol)
		}
		return nil
	}
	row, col, ok := parseCell(ref)
	if !ok {
		return r.damaged("cell reference %.20q is not from A1 to XFD%d", ref, MaxRow)
	}
	r.col = col
	if row == r.row {
		r.rowGiven = true
		return nil
	}
	if r.rowGiven || len(r.sheet.cells) > r.rowFirst {
		return r.damaged("cell %.20s stands in row %d", ref, r.row)
	}
	r.row, r.rowGiven = row, true
	return nil
}

// cellContent is what the children of <c> hold, as positions in text.
type cellContent struct {
	value, inline       span
	hasValue, hasInline bool
	hasFormula          bool
}

func (r *sheetReader) cellChild(c *record, v *cellContent) (err error) {
	switch {
	case r.is("v"):
		v.value, err = r.once(&v.hasValue, r.scanner.text)
	case r.is("f"):
		err = r.formula(c, v)
	case r.is("is"):
		v.inline, err = r.once(&v.hasInline, func(dst []byte) ([]byte, error) { return readItem(r.scanner, dst) })
	default:
		err = r.stray()
	}
	return err
}

// once reads a child that may occur once and appends its text.
func (r *sheetReader) once(seen *bool, read func([]byte) ([]byte, error)) (span, error) {
	if *seen {
		return span{}, r.damaged("has two <%s> elements", r.name)
	}
	*seen = true
	from := len(r.arena)
	var err error
	r.arena, err = read(r.arena)
	return span{uint32(from), uint32(len(r.arena) - from)}, err
}

// setValue decides what the value of a cell is (ECMA-376 part 1, 18.18.11). An
// inline string counts only in a cell of that type: some programs leave an old
// one behind when they change the cell, and all ignore it.
func (r *sheetReader) setValue(c *record, typ []byte, v cellContent) error {
	switch string(typ) {
	case "", "n":
		c.kind = Number
	case "b":
		c.kind = Bool
	case "e":
		c.kind = ErrorValue
	case "d":
		c.kind = Date
	case "str":
		c.kind = Text
	case "s":
		return r.setShared(c, v)
	case "inlineStr":
		c.kind = Text
		if v.hasInline {
			v.value, v.hasValue = v.inline, true
		}
	default:
		return r.damaged("has the unknown type %.20q", typ)
	}
	if !v.hasValue || v.value.len == 0 && c.kind != Text {
		c.kind = Blank
	}
	c.valueAt, c.valueLen = v.value.at, v.value.len
	return nil
}

func (r *sheetReader) setShared(c *record, v cellContent) error {
	text := bytes.TrimSpace(r.arena[v.value.at : v.value.at+v.value.len])
	if len(text) == 0 {
		return nil // Blank
	}
	n, err := strconv.ParseUint(string(text), 10, 31)
	if err != nil {
		return r.damaged("%.20q is not the index of a shared string", text)
	}
	if int(v.value.at+v.value.len) == len(r.arena) {
		r.arena = r.arena[:v.value.at]
	}
	c.kind, c.valueAt = Text, uint32(n)
	c.flags |= flagShared
	if int64(n) >= r.strings {
		r.strings, r.stringsAt = int64(n)+1, CellName(r.row, r.col)
	}
	return nil
}

// finishSheet brings the cells into order and completes the groups.
func (r *sheetReader) finishSheet() error {
	sheet := r.sheet
	if err := r.charge(); err != nil {
		return err
	}
	if !r.seen && (sheet.Kind == Worksheet || sheet.Kind == MacroSheet) {
		return fault(ErrDamaged, r.part, "has no <sheetData>")
	}
	if !r.sorted {
		if err := r.sort(); err != nil {
			return err
		}
	}
	slices.Sort(sheet.HiddenRows)
	sheet.HiddenRows = slices.Compact(sheet.HiddenRows)
	sheet.text = string(r.arena)
	sheet.indexRows()
	return r.finishGroups()
}

// sort orders cells that the file has out of order. A cell that stands in
// the file twice has no one value, so it is refused.
func (r *sheetReader) sort() error {
	cells := r.sheet.cells
	slices.SortStableFunc(cells, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.col, b.col))
	})
	for i := 1; i < len(cells); i++ {
		if cells[i].row == cells[i-1].row && cells[i].col == cells[i-1].col {
			return fault(ErrDamaged, r.part, "is defined twice").at(int(cells[i].row), int(cells[i].col))
		}
	}
	return nil
}
