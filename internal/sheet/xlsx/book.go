package xlsx

import (
	"strconv"
)

// sheetEntry is a <sheet> element of the workbook part.
type sheetEntry struct {
	name, relID, state string
}

// bookPart is what the workbook part holds before its relationships have been
// followed.
type bookPart struct {
	book     *Workbook
	sheets   []sheetEntry
	external []string // relationship ids
}

// readBookPart decodes xl/workbook.xml (ECMA-376 part 1, 18.2).
func readBookPart(p *pack, part string) (*bookPart, error) {
	s, err := p.scan(part)
	if err != nil {
		return nil, err
	}
	b := &bookPart{book: &Workbook{Calc: Calc{IterateCount: 100}, byName: map[string]int{}}}
	err = s.document(spaceMain, "workbook", func() error {
		return b.element(s, p.lim)
	})
	if err != nil {
		return nil, err
	}
	if len(b.sheets) == 0 {
		return nil, fault(ErrDamaged, part, "lists no sheets")
	}
	return b, b.checkNames(part)
}

func (b *bookPart) element(s *scanner, lim Limits) error {
	if s.space != spaceMain {
		return s.skip()
	}
	switch string(s.local) {
	case "workbookPr":
		return b.properties(s)
	case "workbookProtection":
		return b.protection(s)
	case "sheets":
		return s.each(func() error { return b.sheet(s, lim) })
	case "definedNames":
		return s.each(func() error { return b.name(s) })
	case "externalReferences":
		return s.each(func() error { return b.externalReference(s) })
	case "calcPr":
		return b.calc(s)
	}
	return s.skip()
}

func (b *bookPart) properties(s *scanner) (err error) {
	if b.book.Date1904, err = s.flag("date1904"); err != nil {
		return err
	}
	return s.skip()
}

func (b *bookPart) protection(s *scanner) (err error) {
	if b.book.Protected, err = s.flag("lockStructure"); err != nil {
		return err
	}
	return s.skip()
}

func (b *bookPart) sheet(s *scanner, lim Limits) (err error) {
	if !s.is("sheet") {
		return s.stray()
	}
	if len(b.sheets) == lim.Sheets {
		return fault(ErrLimit, s.part, "has more than %d sheets (Limits.Sheets)", lim.Sheets)
	}
	var e sheetEntry
	if e.name, err = s.attr("name"); err != nil {
		return err
	}
	if e.state, err = s.attr("state"); err != nil {
		return err
	}
	if e.relID, err = s.relID(); err != nil {
		return err
	}
	b.sheets = append(b.sheets, e)
	return s.skip()
}

func (b *bookPart) name(s *scanner) (err error) {
	if !s.is("definedName") {
		return s.stray()
	}
	n := Name{Sheet: -1}
	for _, a := range s.attrs {
		switch string(a.name) {
		case "name":
			n.Name, err = s.value(a)
		case "localSheetId":
			if n.Sheet, err = strconv.Atoi(string(a.raw)); err != nil || n.Sheet < 0 {
				err = s.damaged("localSheetId %.20q is not a number", a.raw)
			}
		case "hidden":
			n.Hidden, err = s.truth(a)
		case "function", "vbProcedure", "xlm":
			var set bool
			set, err = s.truth(a)
			n.Macro = n.Macro || set
		}
		if err != nil {
			return err
		}
	}
	text, err := s.text(nil)
	if err != nil {
		return err
	}
	if err := s.budget.addCells(nameCost); err != nil {
		return err
	}
	n.RefersTo = string(text)
	b.book.Names = append(b.book.Names, n)
	return nil
}

func (b *bookPart) externalReference(s *scanner) error {
	if !s.is("externalReference") {
		return s.stray()
	}
	id, err := s.relID()
	if err != nil {
		return err
	}
	if err := s.budget.addCells(areaCost); err != nil {
		return err
	}
	b.external = append(b.external, id)
	return s.skip()
}

func (b *bookPart) calc(s *scanner) (err error) {
	c := &b.book.Calc
	for _, a := range s.attrs {
		switch string(a.name) {
		case "calcMode":
			c.Mode, err = s.value(a)
		case "iterate":
			c.Iterate, err = s.truth(a)
		case "iterateCount":
			if c.IterateCount, err = strconv.Atoi(string(a.raw)); err != nil {
				err = s.damaged("iterateCount %.20q is not a number", a.raw)
			}
		case "iterateDelta":
			c.IterateDelta, err = s.value(a)
		case "fullPrecision":
			var full bool
			full, err = s.truth(a)
			c.AsDisplayed = !full
		case "fullCalcOnLoad":
			c.FullCalcOnLoad, err = s.truth(a)
		}
		if err != nil {
			return err
		}
	}
	return s.skip()
}

// checkNames makes sure that names of sheets are usable and unique, and that
// local names belong to a sheet.
func (b *bookPart) checkNames(part string) error {
	for i, e := range b.sheets {
		key := foldName(e.name)
		if e.name == "" {
			return fault(ErrDamaged, part, "sheet %d has no name", i+1)
		}
		if _, twice := b.book.byName[key]; twice {
			return fault(ErrDamaged, part, "two sheets are named %.60q", e.name)
		}
		b.book.byName[key] = i
	}
	for _, n := range b.book.Names {
		if n.Sheet >= len(b.sheets) {
			return fault(ErrDamaged, part, "name %.60q is local to sheet number %d, which does not exist", n.Name, n.Sheet+1)
		}
	}
	return nil
}
