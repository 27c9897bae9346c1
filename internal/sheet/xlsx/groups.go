package xlsx

import "strconv"

// A groupReader collects the groups of one sheet.
type groupReader struct {
	shared map[uint32]int32 // number of a shared formula to index in Sheet.Groups
	state  []groupState     // of each group
	texts  bool             // some dependent may carry text of its own
}

// groupState is what is known about the master of a shared formula.
type groupState struct {
	firstRow, firstCol int // of the group's first cell, for messages
	master             masterRank
}

// masterRank tells how a cell claims to be master. The attribute ref marks the
// master; but programs exist that leave it out, and then the first cell with
// formula text is meant.
type masterRank uint8

const (
	noMaster masterRank = iota
	byText
	byRef
)

// formulaAttrs are the attributes of an <f> element.
type formulaAttrs struct {
	typ, ref, si     string
	twoInputs, byRow bool
	input1, input2   string
	always           bool
}

// formula reads an <f> element (ECMA-376 part 1, 18.3.1.40).
func (r *sheetReader) formula(c *record, v *cellContent) error {
	a, err := r.formulaAttrs()
	if err != nil {
		return err
	}
	text, err := r.once(&v.hasFormula, r.scanner.text)
	if err != nil {
		return err
	}
	c.fAt, c.fLen = text.at, text.len
	if a.always {
		c.flags |= flagAlways
	}
	switch a.typ {
	case "", "normal":
		r.plainFormula(c)
		return nil
	case "shared":
		return r.sharedFormula(c, a)
	case "array":
		c.formula = Array
		return r.fillFormula(c, a, ArrayGroup)
	case "dataTable":
		c.formula, c.fLen = DataTable, 0
		return r.fillFormula(c, a, DataTableGroup)
	}
	return r.damaged("has a formula of the unknown type %.20q", a.typ)
}

// plainFormula treats an empty <f> as none, as spreadsheet programs do.
func (r *sheetReader) plainFormula(c *record) {
	if c.fLen > 0 {
		c.formula = Normal
	}
}

func (r *sheetReader) formulaAttrs() (f formulaAttrs, err error) {
	for _, a := range r.attrs {
		switch string(a.name) {
		case "t":
			f.typ, err = r.value(a)
		case "ref":
			f.ref, err = r.value(a)
		case "si":
			f.si, err = r.value(a)
		case "r1":
			f.input1, err = r.value(a)
		case "r2":
			f.input2, err = r.value(a)
		case "dt2D":
			f.twoInputs, err = r.truth(a)
		case "dtr":
			f.byRow, err = r.truth(a)
		case "ca":
			f.always, err = r.truth(a)
		}
		if err != nil {
			return f, err
		}
	}
	return f, nil
}

// formulaArea returns the area of a formula, by default its own cell.
func (r *sheetReader) formulaArea(ref string) (Area, error) {
	if ref == "" {
		return Area{r.row, r.col, r.row, r.col}, nil
	}
	area, ok := ParseArea(ref)
	if !ok {
		return Area{}, r.damaged("the formula's area is %.40q", ref)
	}
	return area, nil
}

// fillFormula adds the group of an array formula or a data table.
func (r *sheetReader) fillFormula(c *record, a formulaAttrs, kind GroupKind) error {
	area, err := r.formulaArea(a.ref)
	if err != nil {
		return err
	}
	g := Group{Kind: kind, Index: -1, Row: r.row, Col: r.col, Ref: area}
	if kind == DataTableGroup {
		g.TwoInputs, g.RowInput, g.Input1, g.Input2 = a.twoInputs, a.byRow, a.input1, a.input2
	}
	c.group, err = r.addGroup(g)
	return err
}

func (r *sheetReader) addGroup(g Group) (int32, error) {
	r.sheet.Groups = append(r.sheet.Groups, g)
	r.groups.state = append(r.groups.state, groupState{firstRow: r.row, firstCol: r.col})
	return int32(len(r.sheet.Groups) - 1), r.budget.addCells(groupCost)
}

// sharedFormula adds a cell to the group of a shared formula. Without a group
// number the formula is not shared.
func (r *sheetReader) sharedFormula(c *record, a formulaAttrs) error {
	if a.si == "" {
		r.plainFormula(c)
		return nil
	}
	n, err := strconv.ParseUint(a.si, 10, 31)
	if err != nil {
		return r.damaged("the number of its shared formula is %.20q", a.si)
	}
	c.formula = SharedDependent
	if c.group, err = r.sharedGroup(uint32(n)); err != nil {
		return err
	}
	return r.claimMaster(c, a, int(c.group))
}

// sharedGroup returns the group of a shared formula.
func (r *sheetReader) sharedGroup(n uint32) (int32, error) {
	i, known := r.groups.shared[n]
	if known {
		return i, nil
	}
	if r.groups.shared == nil {
		r.groups.shared = map[uint32]int32{}
	}
	i, err := r.addGroup(Group{Kind: SharedGroup, Index: int(n)})
	r.groups.shared[n] = i
	return i, err
}

// claimMaster makes the cell the master of group i if it is.
func (r *sheetReader) claimMaster(c *record, a formulaAttrs, i int) error {
	rank := noMaster
	switch {
	case c.fLen > 0 && a.ref != "":
		rank = byRef
	case c.fLen > 0:
		rank = byText
	}
	state, g := &r.groups.state[i], &r.sheet.Groups[i]
	if rank == byRef && state.master == byRef {
		// Programs disagree on which of the two the dependents follow.
		return r.damaged("shared formula %d has two masters, here and in %s", g.Index, CellName(g.Row, g.Col))
	}
	if rank != noMaster && state.master != noMaster {
		r.groups.texts = true
	}
	if rank <= state.master {
		return nil
	}
	area, err := r.formulaArea(a.ref)
	if err != nil {
		return err
	}
	state.master = rank
	g.Row, g.Col, g.Ref = r.row, r.col, area
	return nil
}

// finishGroups marks the masters and the members of the groups, once all cells
// are in order.
func (r *sheetReader) finishGroups() error {
	for i, g := range r.sheet.Groups {
		if g.Kind != SharedGroup {
			continue
		}
		state := r.groups.state[i]
		if state.master == noMaster {
			return fault(ErrDamaged, r.part, "shared formula %d has no master", g.Index).at(state.firstRow, state.firstCol)
		}
		if at, ok := r.sheet.Find(g.Row, g.Col); ok {
			r.sheet.cells[at].formula = SharedMaster
		}
	}
	if r.groups.texts {
		r.dropTexts()
	}
	return r.markMembers()
}

// dropTexts removes formula text from dependents: the master overrides it.
func (r *sheetReader) dropTexts() {
	for i := range r.sheet.cells {
		if c := &r.sheet.cells[i]; c.formula == SharedDependent {
			c.fLen = 0
		}
	}
}

// markMembers marks the cells that an array formula or a data table fills. A
// cell in the area with a formula of its own keeps it. The work is bounded,
// since areas that overlap could make it grow with the square of the file.
func (r *sheetReader) markMembers() error {
	sheet := r.sheet
	steps := 8*len(sheet.cells) + 1024
	for gi, g := range sheet.Groups {
		if g.Kind == SharedGroup || g.Ref.Row1 == g.Ref.Row2 && g.Ref.Col1 == g.Ref.Col2 {
			continue
		}
		for i := range sheet.Area(g.Ref) {
			c := &sheet.cells[i]
			steps--
			if c.formula == Member || steps < 0 {
				return fault(ErrDamaged, r.part, "areas of array formulas or data tables overlap").at(g.Row, g.Col)
			}
			if c.formula == NoFormula {
				c.formula, c.group = Member, int32(gi)
			}
		}
	}
	return nil
}
