package formula

import (
	"strconv"
	"strings"
)

// emitter writes normal forms and skeletons and collects references, one
// element of a formula at a time. The tree walk and the token stream both drive
// one, so that they differ in grammar only.
type emitter struct {
	dst      []byte
	refs     []Ref
	at       Cell
	shift    Offset // moves relative references first, for shared formulas
	holes    bool   // write a skeleton
	wantRefs bool
	noText   bool // collect references only
	hole     int  // holes so far
	lastRef  bool // the last element was a reference to cells
	pin      pin
}

func (e *emitter) str(s string) {
	e.lastRef = false
	if !e.noText {
		e.dst = append(e.dst, s...)
	}
}

func (e *emitter) byte(c byte) {
	e.lastRef = false
	if !e.noText {
		e.dst = append(e.dst, c)
	}
}

func (e *emitter) upper(s string) {
	e.lastRef = false
	if !e.noText {
		e.dst = appendUpper(e.dst, s)
	}
}

// op writes an operator. The spill operator also turns the reference before it
// into one to the spilled cells. The range operator differs from the colon of an
// area, since the two have different references.
func (e *emitter) op(op Op) {
	if op == OpRange {
		e.str("::")
		return
	}
	if op == OpSpill && e.lastRef && e.wantRefs {
		if r := &e.refs[len(e.refs)-1]; r.Kind == RefCell {
			r.Kind = RefSpill
		}
	}
	e.str(op.String())
}

// own says whether p is a prefix, if any, that names the formula's own sheet.
func (e *emitter) own(p *Prefix) bool {
	if p.Book != "" || p.Last != "" {
		return false
	}
	return p.Sheet == "" || e.at.Sheet != "" && equalFold(p.Sheet, e.at.Sheet)
}

// prefix writes the workbook and sheets of a reference in one spelling.
func (e *emitter) prefix(p *Prefix) {
	if e.noText || e.own(p) {
		return
	}
	d := appendDoubled(append(e.dst, '\''), p.Book)
	d = appendDoubledUpper(d, p.Sheet)
	if p.Last != "" {
		d = appendDoubledUpper(append(d, ':'), p.Last)
	}
	e.dst = append(d, '\'', '!')
}

func appendDoubled(dst []byte, s string) []byte {
	return append(dst, strings.ReplaceAll(s, "'", "''")...)
}

func appendDoubledUpper(dst []byte, s string) []byte {
	start := len(dst)
	dst = appendDoubled(dst, s)
	for i := start; i < len(dst); i++ {
		dst[i] = upper(dst[i])
	}
	return dst
}

// function writes the name of a function and its opening parenthesis.
func (e *emitter) function(p *Prefix, name string) {
	if *p == (Prefix{}) {
		e.pin |= pinOf(name)
	} else {
		e.prefix(p)
		e.pin = pinAll // a function of an add-in is unknown, whatever its name
	}
	e.str(name)
	e.byte('(')
}

// ref writes a reference to cells.
func (e *emitter) ref(p *Prefix, r *Range) {
	rng := *r
	if e.shift != (Offset{}) {
		var ok bool
		if rng, ok = rng.shift(e.shift); !ok {
			e.str(refError)
			return
		}
	}
	row1, col1, row2, col2 := rng.Bounds()
	if e.wantRefs {
		ref := e.newRef(p, RefCell)
		ref.Row1, ref.Col1, ref.Row2, ref.Col2 = row1, col1, row2, col2
		if rng.Shape != Single && ref.Kind == RefCell {
			ref.Kind = RefArea
		}
	}
	switch {
	case e.noText:
	case e.holes:
		e.openHole()
		if rng.Shape != Single {
			e.size(row2-row1+1, col2-col1+1)
		}
	default:
		e.prefix(p)
		e.relative(row1, col1)
		if rng.Shape != Single {
			e.dst = append(e.dst, ':')
			e.relative(row2, col2)
		}
	}
	e.lastRef = true
}

// newRef adds a reference; kind is what it is in this workbook.
func (e *emitter) newRef(p *Prefix, kind RefKind) *Ref {
	r := Ref{Kind: kind}
	if !e.own(p) {
		r.Sheet, r.Last, r.Book = p.Sheet, p.Last, p.Book
	}
	if p.Book != "" {
		r.Kind = RefExternal
	} else if p.Last != "" {
		r.Kind = Ref3D
	}
	e.refs = append(e.refs, r)
	return &e.refs[len(e.refs)-1]
}

// name writes a defined name.
func (e *emitter) name(p *Prefix, name string) {
	if e.wantRefs {
		e.newRef(p, RefName).Name = name
	}
	if e.holes {
		e.openHole()
	} else {
		e.prefix(p)
		e.upper(name)
	}
	e.lastRef = false
}

// table writes a table reference.
func (e *emitter) table(p *Prefix, name, spec string) {
	if e.wantRefs {
		e.newRef(p, RefTable).Name = name + spec
	}
	if e.holes {
		e.openHole()
	} else {
		e.prefix(p)
		e.upper(name)
		e.str(spec)
	}
	e.lastRef = false
}

func (e *emitter) openHole() {
	e.hole++
	if !e.noText {
		e.dst = strconv.AppendInt(append(e.dst, '$'), int64(e.hole), 10)
	}
}

func (e *emitter) size(rows, cols int) {
	d := appendSize(append(e.dst, '['), rows, MaxRow)
	d = appendSize(append(d, 'x'), cols, MaxCol)
	e.dst = append(d, ']')
}

func appendSize(dst []byte, n, all int) []byte {
	if n == all {
		return append(dst, '*')
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

func (e *emitter) relative(row, col int) {
	d := strconv.AppendInt(append(e.dst, 'R', '['), int64(row-e.at.Row), 10)
	d = strconv.AppendInt(append(d, ']', 'C', '['), int64(col-e.at.Col), 10)
	e.dst = append(d, ']')
}

// finish writes the place of the formula if its value depends on it.
func (e *emitter) finish() {
	if e.pin == 0 || e.noText {
		return
	}
	d := append(e.dst, '@')
	if e.pin&pinSheet != 0 {
		d = appendDoubledUpper(append(d, '\''), e.at.Sheet)
		d = append(d, '\'', '!')
	}
	if e.pin&pinRow != 0 {
		d = strconv.AppendInt(append(d, 'R'), int64(e.at.Row), 10)
	}
	if e.pin&pinCol != 0 {
		d = strconv.AppendInt(append(d, 'C'), int64(e.at.Col), 10)
	}
	e.dst = d
}
