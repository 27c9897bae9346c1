package xlsx

import "strconv"

// The size of a sheet.
const (
	MaxRow = 1_048_576
	MaxCol = 16_384 // XFD
)

// Area is a rectangle of cells, 1-based, both corners included.
//
// Printed form: B2:D9, or B2 for one cell.
type Area struct {
	Row1, Col1, Row2, Col2 int
}

// String returns the printed form.
func (a Area) String() string {
	first := CellName(a.Row1, a.Col1)
	if a.Row1 == a.Row2 && a.Col1 == a.Col2 {
		return first
	}
	return first + ":" + CellName(a.Row2, a.Col2)
}

// Contains reports whether the cell lies in the area.
func (a Area) Contains(row, col int) bool {
	return a.Row1 <= row && row <= a.Row2 && a.Col1 <= col && col <= a.Col2
}

// CellName returns the A1 name of a cell, for example XFD1048576.
func CellName(row, col int) string {
	var buf [16]byte
	i := len(buf)
	for ; col > 0; col = (col - 1) / 26 {
		i--
		buf[i] = byte('A' + (col-1)%26)
	}
	return string(strconv.AppendInt(buf[i:len(buf):len(buf)], int64(row), 10))
}

// ParseCell reads an A1 name without dollar signs. It reports false for
// anything else, including cells outside of a sheet.
func ParseCell(name string) (row, col int, ok bool) {
	return parseCell(name)
}

func parseCell[T string | []byte](s T) (row, col int, ok bool) {
	i := 0
	for ; i < len(s) && i < 4; i++ {
		c := s[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		col = col*26 + int(c-'A'+1)
	}
	if i == 0 || col > MaxCol {
		return 0, 0, false
	}
	row, ok = parseRow(s[i:])
	return row, col, ok
}

// parseRow reads a row number from 1 to MaxRow without leading zeros.
func parseRow[T string | []byte](s T) (int, bool) {
	if len(s) == 0 || len(s) > 7 || s[0] == '0' {
		return 0, false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, n <= MaxRow
}

// ParseArea reads A1 or A1:B2 without dollar signs; the corners may be given in
// any order.
func ParseArea(s string) (Area, bool) {
	first, last := s, s
	for i := range len(s) {
		if s[i] == ':' {
			first, last = s[:i], s[i+1:]
			break
		}
	}
	r1, c1, ok1 := parseCell(first)
	r2, c2, ok2 := parseCell(last)
	if !ok1 || !ok2 {
		return Area{}, false
	}
	return Area{min(r1, r2), min(c1, c2), max(r1, r2), max(c1, c2)}, true
}
