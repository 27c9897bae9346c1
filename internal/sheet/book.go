package sheet

import (
	"fmt"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/safety"
	"winnow/internal/sheet/formula"
	"winnow/internal/sheet/xlsx"
)

// A book is a workbook with its tests.
type book struct {
	path  string // relative to the project, with slashes
	file  string // on this machine
	wb    *xlsx.Workbook
	cases []Case
	// arrays are the array formulas and data tables of each sheet.
	arrays map[*xlsx.Sheet][]xlsx.Group
	// project is the one that the book is part of, nil in tests.
	project *Project
}

// rules are the safety rules in force.
func (b *book) rules() safety.Rules {
	if b.project == nil {
		return safety.Rules{}
	}
	return b.project.Rules
}

func newBook(path, file string, wb *xlsx.Workbook, cases []Case) *book {
	b := &book{path: path, file: file, wb: wb, cases: cases, arrays: map[*xlsx.Sheet][]xlsx.Group{}}
	for _, s := range wb.Sheets {
		for _, g := range s.Groups {
			if g.Kind != xlsx.SharedGroup {
				b.arrays[s] = append(b.arrays[s], g)
			}
		}
	}
	return b
}

// encoded returns the encoding of the cell at a place, nil if it is blank. A cell of a sheet that does not exist is not blank, and
// neither is one that an array formula fills without its standing in the file.
func (b *book) encoded(p place) []byte {
	s, ok := b.worksheet(p.sheet)
	if !ok {
		return odd("no such sheet")
	}
	if c, ok := s.At(p.row, p.col); ok {
		return b.encodeCell(s, c)
	}
	return b.filledBy(s, xlsx.Area{Row1: p.row, Col1: p.col, Row2: p.row, Col2: p.col})
}

// worksheet finds a sheet that has cells.
func (b *book) worksheet(name string) (*xlsx.Sheet, bool) {
	s, ok := b.wb.Sheet(name)
	return s, ok && (s.Kind == xlsx.Worksheet || s.Kind == xlsx.MacroSheet)
}

// filledBy describes the array formulas and data tables that reach into an area, nil if there are none.
func (b *book) filledBy(s *xlsx.Sheet, a xlsx.Area) []byte {
	var parts []string
	for _, g := range b.arrays[s] {
		if g.Ref.Row2 < a.Row1 || g.Ref.Row1 > a.Row2 || g.Ref.Col2 < a.Col1 || g.Ref.Col1 > a.Col2 {
			continue
		}
		holder, _ := s.At(g.Row, g.Col)
		parts = append(parts, g.Ref.String(), holder.Formula)
	}
	if parts == nil {
		return nil
	}
	return odd(parts...)
}

// population returns the cells of an area that are not blank (S5.3).
func population(s *xlsx.Sheet, a xlsx.Area) []offset {
	var cells []offset
	for i := range s.Area(a) {
		c := s.Cell(i)
		if c.FormulaKind == xlsx.NoFormula && c.Kind == xlsx.Blank && !c.ValueMeta {
			continue
		}
		cells = append(cells, offset{c.Row - a.Row1, c.Col - a.Col1})
	}
	return cells
}

// populated returns the cells of an area that are not blank, none if there is no such sheet.
func (b *book) populated(sheet string, a xlsx.Area) []offset {
	s, ok := b.worksheet(sheet)
	if !ok {
		return nil
	}
	return population(s, a)
}

// encodedArea returns the encoding of an area: its population, unless something in it cannot be computed.
func (b *book) encodedArea(sheet string, a xlsx.Area) []byte {
	s, ok := b.worksheet(sheet)
	if !ok {
		return odd("no such sheet")
	}
	if filled := b.filledBy(s, a); filled != nil {
		return filled
	}
	return encodePopulation(a.Row2-a.Row1+1, a.Col2-a.Col1+1, population(s, a))
}

// definition returns what a name stands for when it is used on a sheet: the sheet's own name, else that of the workbook. A definition
// is read as seen from cell A1 of that sheet.
func (b *book) definition(sheet, name string) (xlsx.Name, bool) {
	var global *xlsx.Name
	for i := range b.wb.Names {
		n := &b.wb.Names[i]
		if !strings.EqualFold(n.Name, name) {
			continue
		}
		if n.Sheet < 0 {
			global = n
		} else if strings.EqualFold(b.wb.Sheets[n.Sheet].Name, sheet) {
			return *n, true
		}
	}
	if global == nil {
		return xlsx.Name{}, false
	}
	return *global, true
}

// spelling returns a name as its definition spells it, or in upper case if there is none.
func (b *book) spelling(sheet, name string) string {
	if def, ok := b.definition(sheet, name); ok {
		return def.Name
	}
	return strings.ToUpper(name)
}

// sheetSpelling returns the name of a sheet as the workbook spells it.
func (b *book) sheetSpelling(name string) string {
	if s, ok := b.wb.Sheet(name); ok {
		return s.Name
	}
	return name
}

// encodedName returns the encoding of a definition; what it reads is given by absolute coordinates.
func (b *book) encodedName(sheet, name string) []byte {
	def, ok := b.definition(sheet, name)
	if !ok {
		return nil
	}
	if def.Macro {
		return odd("macro", def.RefersTo)
	}
	if relativeName(def.RefersTo) {
		return odd("relative", def.RefersTo) // the calculator refuses it
	}
	return b.encodeFormula(def.RefersTo, formula.Cell{}, formula.Offset{})
}

// relativeName tells whether a definition is a reference that depends on where it is used: without a sheet, or without a dollar sign
// somewhere.
func relativeName(definition string) bool {
	f, err := formula.Parse(definition)
	if err != nil {
		return false
	}
	ref, ok := f.Root.(*formula.Reference)
	if !ok {
		return false
	}
	fixed := func(c formula.Corner) bool { return c.AbsRow && c.AbsCol }
	return ref.Prefix.Sheet == "" || !fixed(ref.Range.From) || !fixed(ref.Range.To)
}

// settings names what about the workbook as a whole changes the value of a formula. When and how often a program calculates does not: the calculator
// computes what is asked, and a cycle is an error whether or not it is to be iterated.
func (b *book) settings() digest.Digest {
	var d digest.Builder
	d.AddString(fmt.Sprint(b.wb.Date1904, b.wb.Calc.AsDisplayed))
	for _, s := range b.wb.Sheets {
		if s.Transition {
			d.AddString(s.Name)
		}
	}
	return d.Sum()
}

// locate finds the cell that a reference in a test stands for: a cell, or a name that stands for one.
func (b *book) locate(ref string) (place, error) {
	f, err := formula.Parse(ref)
	if err != nil {
		return place{}, fmt.Errorf("%s: %w", ref, err)
	}
	refs := f.Refs("")
	if len(refs) != 1 {
		return place{}, fmt.Errorf("%s is neither a cell nor a name", ref)
	}
	return b.locateRef(ref, refs[0], 0)
}

func (b *book) locateRef(text string, r formula.Ref, depth int) (place, error) {
	switch {
	case r.Kind == formula.RefCell, r.Kind == formula.RefArea && r.Row1 == r.Row2 && r.Col1 == r.Col2:
		return b.cellPlace(text, r)
	case r.Kind == formula.RefName && depth < 8:
		return b.namedPlace(text, r, depth)
	}
	return place{}, fmt.Errorf("%s is not one cell but of the kind %q", text, r.Kind)
}

func (b *book) cellPlace(text string, r formula.Ref) (place, error) {
	sheet := r.Sheet
	if sheet == "" {
		if len(b.wb.Sheets) != 1 {
			return place{}, fmt.Errorf("%s names no sheet; write %s!%s", text, b.wb.Sheets[0].Name, text)
		}
		sheet = b.wb.Sheets[0].Name
	}
	s, ok := b.wb.Sheet(sheet)
	if !ok {
		return place{}, fmt.Errorf("%s: there is no sheet %q; the workbook has %s", text, sheet, b.sheetNames())
	}
	return place{s.Name, r.Row1, r.Col1}, nil
}

func (b *book) namedPlace(text string, r formula.Ref, depth int) (place, error) {
	def, ok := b.definition(r.Sheet, r.Name)
	if !ok {
		return place{}, fmt.Errorf("%s: the workbook has no such name", text)
	}
	f, err := formula.Parse(def.RefersTo)
	if err != nil {
		return place{}, fmt.Errorf("%s: definition %q: %w", text, def.RefersTo, err)
	}
	if relativeName(def.RefersTo) {
		return place{}, fmt.Errorf("%s stands for %s, which depends on where it is used; write it with its sheet and dollar signs", text, def.RefersTo)
	}
	if refs := f.Refs(""); len(refs) == 1 {
		if _, direct := f.Root.(*formula.Reference); direct || refs[0].Kind == formula.RefName {
			return b.locateRef(text, refs[0], depth+1)
		}
	}
	return place{}, fmt.Errorf("%s stands for %s, not for one cell", text, def.RefersTo)
}

func (b *book) sheetNames() string {
	names := make([]string, len(b.wb.Sheets))
	for i, s := range b.wb.Sheets {
		names[i] = s.Name
	}
	return strings.Join(names, ", ")
}
