package calc

import (
	"strconv"
	"strings"

	"winnow/internal/sheet/formula"
	"winnow/internal/sheet/xlsx"
)

// cell is one cell of the workbook together with what a test set and what was last computed.
type cell struct {
	sheet    *sheet
	row, col int
	base     Value  // the stored constant, if there is no formula
	formula  bool   // the value is computed
	text     string // the formula as stored, unless it is that of a group
	group    int    // the shared formula that the cell depends on, or -1
	refused  string // why the content cannot be computed, for example an array formula
	created  bool   // exists only because a test set it
	input    bool   // set by a test: setTo replaces the content
	setTo    Value

	ast    formula.Node
	astErr error

	seen  uint64 // generation in which the cell was reported
	state state
	at    uint64 // generation in which state was reached
	val   Value
	err   error
}

type state uint8

const (
	idle    state = iota
	pending       // waits on the explicit stack, or is being evaluated
	done
)

// name returns the address within the sheet.
func (c *cell) name() string { return xlsx.CellName(c.row, c.col) }

// place returns the address with the sheet.
func (c *cell) place() string { return c.sheet.name() + "!" + c.name() }

func key(row, col int) int { return row<<14 | (col - 1) }

// sheet holds the cells of one worksheet that have been used so far.
type sheet struct {
	src   *xlsx.Sheet
	index int            // in the workbook
	pages []*[page]*cell // by ordinal
	added map[int]*cell  // cells that are not in the workbook, set by a test
	group map[int]*parsed
	holes []xlsx.Area // areas of array formulas and data tables some of whose cells are not in the file
}

// page is how many cells are made room for at once: a test uses few cells of a large sheet.
const page = 512

// parsed is a syntax tree, or why there is none.
type parsed struct {
	root formula.Node
	err  error
}

func newSheet(src *xlsx.Sheet, index int) *sheet {
	s := &sheet{src: src, index: index, pages: make([]*[page]*cell, src.Len()/page+1), added: map[int]*cell{}, group: map[int]*parsed{}}
	for _, g := range src.Groups {
		if g.Kind != xlsx.SharedGroup && !filled(src, g.Ref) {
			s.holes = append(s.holes, g.Ref)
		}
	}
	return s
}

func filled(src *xlsx.Sheet, a xlsx.Area) bool {
	missing := (a.Row2 - a.Row1 + 1) * (a.Col2 - a.Col1 + 1)
	for range src.Area(a) {
		missing--
	}
	return missing == 0
}

// checkHole refuses an area with cells that an array fills although the file has nothing there: they are not blank.
func (s *sheet) checkHole(a xlsx.Area) error {
	for _, h := range s.holes {
		if a.Row1 <= h.Row2 && h.Row1 <= a.Row2 && a.Col1 <= h.Col2 && h.Col1 <= a.Col2 {
			return &CellError{Sheet: s.name(), Cell: a.String(), Why: "it is filled by the array formula or data table of " + h.String(), Err: ErrRefused}
		}
	}
	return nil
}

func (s *sheet) name() string { return s.src.Name }

// at returns a cell, nil if it is absent.
func (s *sheet) at(row, col int) *cell {
	if i, ok := s.src.Find(row, col); ok {
		return s.cell(i)
	}
	return s.added[key(row, col)]
}

// cell returns the cell with the given ordinal.
func (s *sheet) cell(i int) *cell {
	p := s.pages[i/page]
	if p == nil {
		p = new([page]*cell)
		s.pages[i/page] = p
	}
	c := p[i%page]
	if c == nil {
		c = s.load(s.src.Cell(i))
		p[i%page] = c
	}
	return c
}

func (s *sheet) load(src xlsx.Cell) *cell {
	c := &cell{sheet: s, row: src.Row, col: src.Col, group: -1}
	switch src.FormulaKind {
	case xlsx.NoFormula:
		c.base, c.refused = constant(src)
	case xlsx.Normal, xlsx.SharedMaster:
		c.formula, c.text = true, src.Formula
	case xlsx.SharedDependent:
		c.formula, c.group = true, src.Group
	case xlsx.Member:
		c.refused = "cells that an array formula or a data table fills are not supported"
	default:
		c.refused = src.FormulaKind.String() + " formulas are not supported"
	}
	if src.ValueMeta {
		c.refused = "rich values are not supported"
	}
	return c
}

// constant reads a stored value, or says why it is refused.
func constant(src xlsx.Cell) (v Value, refused string) {
	switch src.Kind {
	case xlsx.Blank:
		return Value{}, ""
	case xlsx.Number:
		f, ok := storedNumber(src.Value)
		if !ok {
			return Value{}, "the number " + strconv.Quote(src.Value) + " cannot be read"
		}
		return Number(f), ""
	case xlsx.Bool:
		truth := strings.TrimSpace(src.Value)
		if truth != "1" && truth != "0" && truth != "true" && truth != "false" {
			return Value{}, "the truth value " + strconv.Quote(src.Value) + " cannot be read"
		}
		return Bool(truth == "1" || truth == "true"), ""
	case xlsx.Text:
		if src.Value == "" {
			return Value{}, "an empty text constant is blank in some spreadsheets"
		}
		return Text(src.Value), ""
	case xlsx.ErrorValue:
		return Error(src.Value), ""
	default:
		return Value{}, "cells of type " + src.Kind.String() + " are not supported"
	}
}

// storedNumber reads decimal digits only; ParseFloat knows more, such as hexadecimal numbers and infinities.
func storedNumber(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// tree returns the syntax tree of a cell's formula, which is made once.
func (c *cell) tree() (formula.Node, error) {
	if c.ast == nil && c.astErr == nil {
		if c.group < 0 {
			p := parse(c.text)
			c.ast, c.astErr = p.root, p.err
		} else {
			c.ast, c.astErr = c.sheet.dependent(c)
		}
	}
	return c.ast, c.astErr
}

// dependent moves the formula of a group's master to a cell.
func (s *sheet) dependent(c *cell) (formula.Node, error) {
	g := &s.src.Groups[c.group]
	p := s.group[c.group]
	if p == nil {
		master, ok := s.src.At(g.Row, g.Col)
		if !ok {
			return nil, refuse("shared formula", "its master is missing")
		}
		p = parse(master.Formula)
		s.group[c.group] = p
	}
	if p.err != nil {
		return nil, p.err
	}
	moved := formula.Formula{Root: p.root}
	return moved.Shift(c.row-g.Row, c.col-g.Col).Root, nil
}
