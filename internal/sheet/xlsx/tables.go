package xlsx

import "strconv"

// readTable decodes a table part (ECMA-376 part 1, 18.5.1.2).
func readTable(p *pack, part string, sheet int) (Table, error) {
	t := Table{Sheet: sheet, HeaderRows: 1}
	s, err := p.scan(part)
	if err != nil {
		return t, err
	}
	if err := s.root(); err != nil {
		return t, err
	}
	if !s.is("table") {
		return t, s.damaged("has the root element <%s> where <table> is due", s.name)
	}
	if err := t.attrs(s); err != nil {
		return t, err
	}
	err = s.each(func() error {
		if !s.is("tableColumns") {
			return s.skip()
		}
		return s.each(func() error { return t.column(s) })
	})
	if err != nil {
		return t, err
	}
	return t, s.finish()
}

func (t *Table) attrs(s *scanner) (err error) {
	if t.Ref, err = s.area("ref"); err != nil {
		return err
	}
	if t.Name, err = s.attr("displayName"); err != nil {
		return err
	}
	for _, a := range s.attrs {
		switch string(a.name) {
		case "headerRowCount":
			t.HeaderRows, err = strconv.Atoi(string(a.raw))
		case "totalsRowCount":
			t.TotalsRows, err = strconv.Atoi(string(a.raw))
		}
		if err != nil {
			return s.damaged("attribute %s of <%s> is %.20q, not a number", a.name, s.name, a.raw)
		}
	}
	if t.Name == "" {
		return s.damaged("the table has no name")
	}
	return nil
}

func (t *Table) column(s *scanner) error {
	if !s.is("tableColumn") {
		return s.stray()
	}
	name, err := s.attr("name")
	if err != nil {
		return err
	}
	if err := s.budget.addCells(nameCost); err != nil {
		return err
	}
	c := TableColumn{Name: string(unescape([]byte(name)))}
	err = s.each(func() error {
		var to *string
		switch {
		case s.is("calculatedColumnFormula"):
			to = &c.Calculated
		case s.is("totalsRowFormula"):
			to = &c.Totals
		default:
			return s.skip()
		}
		text, err := s.text(nil)
		*to = string(text)
		return err
	})
	t.Columns = append(t.Columns, c)
	return err
}
