package sheet

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"winnow/internal/rts"
	"winnow/internal/sheet/formula"
	"winnow/internal/sheet/xlsx"
	"winnow/internal/technique/cells"
)

// Graphed tells which entities are nodes of the cell relation graph, or lead to them.
func (p *Project) Graphed(k rts.Kind) bool {
	switch k {
	case KindCell, KindArea, KindName, KindQuery, KindSet:
		return true
	}
	return false
}

// Leads tells which entities only say where a trace starts.
func (p *Project) Leads(k rts.Kind) bool { return k == KindQuery || k == KindSet }

// An index has the cells of a trace by sheet, in the order of their rows.
type index map[string][]indexed

type indexed struct {
	row, col int
	entity   rts.Entity
}

// Index orders the cells among the entities.
func (p *Project) Index(entities iter.Seq[rts.Entity]) cells.Index {
	x := index{}
	for e := range entities {
		if e.Kind != KindCell {
			continue
		}
		book, rest, err := splitEntity(e.Name)
		if at, ok := parsePlace(rest); err == nil && ok {
			key := sheetKey(book, at.sheet)
			x[key] = append(x[key], indexed{at.row, at.col, e})
		}
	}
	for _, list := range x {
		slices.SortFunc(list, func(a, b indexed) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.col, b.col)) })
	}
	return x
}

func sheetKey(book, sheet string) string { return "[" + book + "]" + sheet }

// Inside calls f for the cells of an area, with where in it they lie, row by row. The area may be a part of one that was read.
func (x index) Inside(area rts.Entity, f func(offset int64, cell rts.Entity)) {
	if area.Kind != KindArea && area.Kind != cells.PartKind {
		return
	}
	book, sheet, a, ok := parseAreaName(area.Name)
	if !ok {
		return
	}
	list := x[sheetKey(book, sheet)]
	first, _ := slices.BinarySearchFunc(list, a.Row1, func(c indexed, row int) int { return cmp.Compare(c.row, row) })
	for _, c := range list[first:] {
		if c.row > a.Row2 {
			return
		}
		if c.col >= a.Col1 && c.col <= a.Col2 {
			f(int64(c.row-a.Row1)*formula.MaxCol+int64(c.col-a.Col1), c.entity)
		}
	}
}

// At returns the cell that lies at an offset of an area.
func (p *Project) At(area rts.Entity, offset int64) (rts.Entity, bool) {
	book, sheet, a, ok := parseAreaName(area.Name)
	row, col := a.Row1+int(offset/formula.MaxCol), a.Col1+int(offset%formula.MaxCol)
	b := p.by[book]
	if !ok || b == nil || !a.Contains(row, col) {
		return rts.Entity{}, false
	}
	return b.cellEntity(sheet, row, col), true
}

// parseAreaName reads the name of an area's entity.
func parseAreaName(name string) (book, sheet string, a xlsx.Area, ok bool) {
	book, rest, err := splitEntity(name)
	if err != nil {
		return "", "", xlsx.Area{}, false
	}
	sheet, what, _ := splitPlace(rest)
	a, ok = xlsx.ParseArea(what)
	return book, sheet, a, ok
}

// Inside lists the set cells that lie in an area: setting a blank cell of an area changes what the area holds.
func (p *Project) Inside(e rts.Entity, set map[rts.Entity]string) string {
	if e.Kind != KindArea {
		return ""
	}
	var inside []string
	p.Index(maps.Keys(set)).Inside(e, func(offset int64, cell rts.Entity) {
		inside = append(inside, fmt.Sprintf(" %d=%s", offset, set[cell]))
	})
	slices.Sort(inside)
	return strings.Join(inside, "")
}

// Starts returns where a trace begins: its query, then and now, and the cells that the test sets.
func (p *Project) Starts(uses []rts.Use) (starts, set []cells.Start, err error) {
	for _, u := range uses {
		if u.Entity.Kind != KindQuery && u.Entity.Kind != KindSet {
			continue
		}
		s, err := p.start(u.Entity)
		if err != nil {
			return nil, nil, err
		}
		if u.Entity.Kind == KindQuery {
			starts = append(starts, s)
		} else {
			set = append(set, s)
		}
	}
	if len(starts) == 0 {
		return nil, nil, fmt.Errorf("the trace has no query")
	}
	return starts, set, nil
}

func (p *Project) start(e rts.Entity) (cells.Start, error) {
	b, rest, err := p.bookOf(e)
	if err != nil {
		return cells.Start{}, err
	}
	ref, was, ok := strings.Cut(rest, arrow)
	old, isPlace := parsePlace(was)
	if !ok || !isPlace || b == nil {
		return cells.Start{}, fmt.Errorf("%s cannot be read", e)
	}
	s := cells.Start{Label: ref, Old: b.cellEntity(old.sheet, old.row, old.col)}
	if now, err := b.locate(ref); err == nil {
		s.New = b.cellEntity(now.sheet, now.row, now.col)
	}
	return s, nil
}

// Old returns the node of a recorded use.
func (p *Project) Old(u rts.Use, body []byte) (cells.Node, error) {
	b, rest, err := p.bookOf(u.Entity)
	if err != nil {
		return cells.Node{}, err
	}
	if b == nil {
		return cells.Node{}, fmt.Errorf("%s: the workbook is gone", u.Entity)
	}
	return b.node(u.Entity.Kind, rest, u.Digest.String(), body)
}

// New returns the node of an entity as it is now.
func (p *Project) New(e rts.Entity) (cells.Node, error) {
	b, rest, err := p.bookOf(e)
	if err != nil {
		return cells.Node{}, err
	}
	if b == nil {
		return cells.Node{}, fmt.Errorf("%s: the workbook is gone", e)
	}
	encoded, err := b.now(e.Kind, rest)
	if err != nil || encoded == nil {
		return cells.Node{}, err
	}
	return b.node(e.Kind, rest, digestOf(encoded).String(), encoded)
}

// node reads an encoding. The word of anything but a formula is its digest, which does not depend on its place.
func (b *book) node(k rts.Kind, rest, name string, encoded []byte) (cells.Node, error) {
	if len(encoded) == 0 {
		return cells.Node{}, errBody
	}
	switch encoded[0] {
	case 'v', 'o':
		return cells.Node{Word: name}, nil
	case 'p':
		return b.areaNode(rest, name, encoded)
	}
	c, err := decodeContent(encoded)
	if err != nil {
		return cells.Node{}, err
	}
	at, err := readerOf(k, rest)
	if err != nil {
		return cells.Node{}, err
	}
	n := cells.Node{Word: "=" + c.word}
	for i, r := range c.reads {
		if e, ok := b.target(at, r); ok {
			n.Reads = append(n.Reads, cells.Read{Label: int64(i), Entity: e})
		}
	}
	return n, nil
}

// readerOf returns the place from which an encoding reads: that of the cell, or for a name the sheet from which it is seen.
func readerOf(k rts.Kind, rest string) (place, error) {
	if k == KindName {
		sheet, _, ok := splitPlace(rest)
		if !ok {
			return place{}, errBody
		}
		return place{sheet: sheet}, nil
	}
	at, ok := parsePlace(rest)
	if !ok {
		return place{}, errBody
	}
	return at, nil
}

// target returns what stands in a hole. External references and the like stand for nothing that can be compared; a formula that reads
// one is refused by the calculator, so it is in no proof.
func (b *book) target(at place, r read) (rts.Entity, bool) {
	sheet := r.sheet
	if sheet == "" {
		sheet = at.sheet
	}
	switch r.kind {
	case formula.RefName:
		return b.entity(KindName, sheet+"!"+r.name), true
	case formula.RefCell, formula.RefArea:
		var a xlsx.Area
		a.Row1, a.Row2 = resolve(r.row1, r.row2, at.row, formula.MaxRow)
		a.Col1, a.Col2 = resolve(r.col1, r.col2, at.col, formula.MaxCol)
		if a.Row1 == a.Row2 && a.Col1 == a.Col2 {
			return b.cellEntity(sheet, a.Row1, a.Col1), true
		}
		return b.areaEntity(sheet, a), true
	}
	return rts.Entity{}, false
}

// areaNode reads a population: an edge to each cell of the area that is not blank.
func (b *book) areaNode(rest, name string, encoded []byte) (cells.Node, error) {
	offsets, err := decodePopulation(encoded)
	if err != nil {
		return cells.Node{}, err
	}
	sheet, what, _ := splitPlace(rest)
	a, ok := xlsx.ParseArea(what)
	if !ok {
		return cells.Node{}, errBody
	}
	n := cells.Node{Word: name}
	for _, o := range offsets {
		n.Reads = append(n.Reads, cells.Read{
			Label:  int64(o.row)*formula.MaxCol + int64(o.col),
			Entity: b.cellEntity(sheet, a.Row1+o.row, a.Col1+o.col),
		})
	}
	return n, nil
}
