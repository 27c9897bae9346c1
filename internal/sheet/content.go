package sheet

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/safety"
	"winnow/internal/sheet/formula"
	"winnow/internal/sheet/xlsx"
)

// A content is what a cell or a name holds, written so that it does not depend on where it stands: the word, and what it reads relative to its
// place. Its encoding is the body that is recorded; the digest of the encoding is the digest of the cell.
//
//	'f' word reads…   a formula: its skeleton, and for each hole what stands in it; a formula that depends on places has them in its word
//	'v' value         a constant; the recorded body is only 'v'
//	'o' text          something that cannot be computed: an array formula, a formula that cannot be read, a rich value
//	'p' offsets…      the population of an area
type content struct {
	word  string
	reads []read
}

// A read is what stands in a hole. Rows and columns are distances from the reader, except along a direction in which the
// reference covers the whole sheet.
type read struct {
	kind                   formula.RefKind
	sheet                  string // "" is the reader's own
	name                   string
	row1, col1, row2, col2 int
}

var errBody = errors.New("damaged body")

// appendFormula encodes a formula at a place. shift moves the text of a shared formula's master there.
func (b *book) appendFormula(dst []byte, text string, at formula.Cell, shift formula.Offset) ([]byte, error) {
	word, refs, err := formula.AppendSkeletonRefs(nil, nil, text, at, shift)
	if err == nil && bytes.IndexByte(word, '@') >= 0 && b.rules().Hold(safety.PlacesCount) {
		// The value may depend on where the formula or what it reads stands, as with ROW(A5): nothing in it may move (S5.7).
		word, _, err = formula.AppendNormalRefs(nil, nil, text, at, shift)
		for _, r := range refs {
			if r.Kind == formula.RefName { // nor may what a name stands for
				def, _ := b.definition(cmp.Or(r.Sheet, at.Sheet), r.Name)
				word = appendBytes(word, def.RefersTo)
			}
		}
	}
	if err != nil {
		return dst, err
	}
	dst = append(dst, 'f')
	dst = appendBytes(dst, word)
	dst = binary.AppendUvarint(dst, uint64(len(refs)))
	for _, r := range refs {
		dst = b.appendRead(dst, r, at)
	}
	return dst, nil
}

func appendBytes[T string | []byte](b []byte, s T) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// appendRead writes what stands in a hole. Sheets and names are spelt as the workbook spells them, so that a read and what the
// calculator reports of it are the same entity.
func (b *book) appendRead(dst []byte, r formula.Ref, at formula.Cell) []byte {
	name := r.Name
	switch {
	case r.Book != "" || r.Last != "":
		name = r.String() // never resolved: the calculator refuses it
	case r.Kind == formula.RefName:
		name = b.spelling(cmp.Or(r.Sheet, at.Sheet), r.Name)
	}
	dst = append(dst, byte(r.Kind))
	dst = appendBytes(dst, b.sheetSpelling(r.Sheet))
	dst = appendBytes(dst, name)
	row1, row2 := relative(r.Row1, r.Row2, at.Row, formula.MaxRow)
	col1, col2 := relative(r.Col1, r.Col2, at.Col, formula.MaxCol)
	for _, v := range []int{row1, col1, row2, col2} {
		dst = binary.AppendVarint(dst, int64(v))
	}
	return dst
}

// whole marks a direction in which a reference covers the whole sheet: such a reference stays where it is when its reader moves.
const whole = 1 << 30

func relative(first, last, at, limit int) (int, int) {
	if first == 1 && last == limit {
		return whole, whole
	}
	return first - at, last - at
}

// resolve returns the rows or columns that a read stands for at a place.
func resolve(first, last, at, limit int) (int, int) {
	if first == whole {
		return 1, limit
	}
	return first + at, last + at
}

// decodeContent reads a recorded body.
func decodeContent(b []byte) (content, error) {
	if len(b) == 0 || b[0] != 'f' {
		return content{}, fmt.Errorf("%w: no formula", errBody)
	}
	d := &bodyReader{b: b[1:]}
	c := content{word: d.text()}
	n := d.count()
	for range n {
		r := read{kind: formula.RefKind(d.byte()), sheet: d.text(), name: d.text()}
		r.row1, r.col1, r.row2, r.col2 = d.int(), d.int(), d.int(), d.int()
		c.reads = append(c.reads, r)
	}
	if d.bad || len(d.b) != 0 {
		return content{}, errBody
	}
	return c, nil
}

// A bodyReader reads what the append functions wrote.
type bodyReader struct {
	b   []byte
	bad bool
}

func (d *bodyReader) text() string {
	n := d.count()
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

// count reads a number that is at most the number of bytes left.
func (d *bodyReader) count() int {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > uint64(len(d.b)-n) {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return int(v)
}

func (d *bodyReader) byte() byte {
	if len(d.b) == 0 {
		d.bad = true
		return 0
	}
	c := d.b[0]
	d.b = d.b[1:]
	return c
}

func (d *bodyReader) int() int {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return int(v)
}

// encodeCell returns the encoding of a present cell, and nil if it is blank.
func (b *book) encodeCell(s *xlsx.Sheet, c xlsx.Cell) []byte {
	at := formula.Cell{Sheet: s.Name, Row: c.Row, Col: c.Col}
	if c.ValueMeta {
		return odd("rich value", c.Formula, c.Value)
	}
	switch c.FormulaKind {
	case xlsx.NoFormula:
		if c.Kind == xlsx.Blank {
			return nil
		}
		return append([]byte{'v', byte(c.Kind)}, constant(c)...)
	case xlsx.Normal, xlsx.SharedMaster:
		return b.encodeFormula(c.Formula, at, formula.Offset{})
	case xlsx.SharedDependent:
		g := s.Groups[c.Group]
		master, _ := s.At(g.Row, g.Col)
		return b.encodeFormula(master.Formula, at, formula.Offset{Rows: c.Row - g.Row, Cols: c.Col - g.Col})
	}
	g := s.Groups[c.Group]
	holder, _ := s.At(g.Row, g.Col)
	return odd(c.FormulaKind.String(), holder.Formula, g.Ref.String(), c.Value)
}

// constant returns the text of a constant. Programs write the same number with more or fewer digits; what is computed with is the number.
func constant(c xlsx.Cell) string {
	// Anything but plain digits stays as it is: the calculator may refuse it.
	if c.Kind == xlsx.Number && strings.Trim(c.Value, "0123456789.+-eE") == "" {
		if f, err := strconv.ParseFloat(c.Value, 64); err == nil {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
	return c.Value
}

func (b *book) encodeFormula(text string, at formula.Cell, shift formula.Offset) []byte {
	encoded, err := b.appendFormula(nil, text, at, shift)
	if err != nil {
		return odd("unreadable", text, err.Error())
	}
	return encoded
}

// odd encodes what cannot be computed.
func odd(parts ...string) []byte {
	b := []byte{'o'}
	for _, p := range parts {
		b = appendBytes(b, p)
	}
	return b
}

// recordedBody is what is stored of an encoding: of a constant only that it is one.
func recordedBody(encoded []byte) []byte {
	if encoded[0] == 'v' {
		return encoded[:1]
	}
	return encoded
}

// An offset is a present cell of an area, relative to its upper left corner.
type offset struct{ row, col int }

// encodePopulation writes which cells of an area are not blank, in row-major order.
func encodePopulation(rows, cols int, cells []offset) []byte {
	b := binary.AppendUvarint([]byte{'p'}, uint64(rows))
	b = binary.AppendUvarint(b, uint64(cols))
	b = binary.AppendUvarint(b, uint64(len(cells)))
	prev := int64(0)
	for _, c := range cells {
		n := int64(c.row)*formula.MaxCol + int64(c.col)
		b = binary.AppendUvarint(b, uint64(n-prev))
		prev = n
	}
	return b
}

func decodePopulation(b []byte) ([]offset, error) {
	if len(b) == 0 || b[0] != 'p' {
		return nil, fmt.Errorf("%w: no population", errBody)
	}
	d := &bodyReader{b: b[1:]}
	d.uvarint()
	d.uvarint()
	n := d.count()
	cells := make([]offset, 0, n)
	at := int64(0)
	for range n {
		at += d.uvarint()
		cells = append(cells, offset{int(at / formula.MaxCol), int(at % formula.MaxCol)})
	}
	if d.bad || len(d.b) != 0 {
		return nil, errBody
	}
	return cells, nil
}

func (d *bodyReader) uvarint() int64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > 1<<40 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return int64(v)
}

// digestOf names an encoding; a nil encoding is a blank cell.
func digestOf(encoded []byte) digest.Digest {
	if encoded == nil {
		return digest.Absent
	}
	return digest.Of(encoded)
}
