package sheet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"winnow/internal/rts"
	"winnow/internal/sheet/xlsx"
)

// A mark is what a cell is coloured for. A later one outweighs an earlier one.
type mark int

const (
	onPath mark = iota + 1
	query
	changed
)

// colours of the marks, as fills. The legend names them.
var colours = map[mark]struct{ fill, says string }{
	onPath:  {"FFF2CC", "on the way from a change to a query"},
	query:   {"9DC3E6", "query of a selected test: look at its value again"},
	changed: {"F4B183", "changed since a test was recorded"},
}

// legendSheet is the sheet that is added to a marked copy.
const legendSheet = "Winnow"

// Mark writes a copy of the workbook in which the changed cells, the ways from them and the query cells of selected tests are coloured, and
// a sheet that lists the selected tests with their reasons. It returns the number of coloured cells.
func (p *Project) Mark(sel *rts.Selection, out string) (int, error) {
	b, err := p.markable(sel)
	if err != nil {
		return 0, err
	}
	if same(b.file, out) {
		return 0, fmt.Errorf("%s is the workbook itself; choose another name for the copy", out)
	}
	f, err := excelize.OpenFile(b.file)
	if err != nil {
		return 0, err
	}
	marks := b.marks(sel)
	for _, at := range sortedPlaces(marks) {
		if err := paint(f, at, colours[marks[at]].fill); err != nil {
			return 0, errors.Join(err, f.Close())
		}
	}
	if err := legend(f, b, sel); err != nil {
		return 0, errors.Join(err, f.Close())
	}
	return len(marks), errors.Join(save(f, out), f.Close())
}

// markable returns the one workbook that there is something to mark in.
func (p *Project) markable(sel *rts.Selection) (*book, error) {
	if len(p.books) == 1 {
		return p.books[0], nil
	}
	var with []string
	for _, m := range sel.Modules {
		if m.Selected > 0 {
			with = append(with, m.Module)
		}
	}
	switch len(with) {
	case 1:
		return p.by[with[0]], nil
	case 0:
		return nil, errors.New("no test is selected in any of the workbooks, so there is nothing to mark")
	}
	return nil, fmt.Errorf("tests are selected in %d workbooks (%s); mark one at a time with --project", len(with), strings.Join(with, ", "))
}

func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// marks decides what each cell is coloured for.
func (b *book) marks(sel *rts.Selection) map[place]mark {
	marks := map[place]mark{}
	set := func(name string, m mark) {
		path, rest, err := splitEntity(name)
		at, ok := parsePlace(rest)
		if err == nil && ok && path == b.path && m > marks[at] {
			marks[at] = m
		}
	}
	for i := range sel.Decisions {
		d := &sel.Decisions[i]
		if d.Test.Module != b.path || !d.Selected() {
			continue
		}
		for _, r := range d.Reasons {
			for _, step := range r.Path {
				set(step, onPath)
			}
			if r.Entity.Kind == KindCell {
				set(r.Entity.Name, changed)
			}
		}
		if at, ok := b.queryOf(d.Test.ID); ok && marks[at] != changed {
			marks[at] = query
		}
	}
	return marks
}

func (b *book) queryOf(id rts.TestID) (place, bool) {
	for i := range b.cases {
		if b.testID(i) == id {
			at, err := b.locate(b.cases[i].Query)
			return at, err == nil
		}
	}
	return place{}, false
}

func sortedPlaces(marks map[place]mark) []place {
	places := make([]place, 0, len(marks))
	for at := range marks {
		places = append(places, at)
	}
	slices.SortFunc(places, func(a, b place) int { return strings.Compare(a.String(), b.String()) })
	return places
}

// paint gives a cell a fill and leaves the rest of its style alone.
func paint(f *excelize.File, at place, fill string) error {
	name := xlsx.CellName(at.row, at.col)
	id, err := f.GetCellStyle(at.sheet, name)
	if err != nil {
		return err
	}
	style, err := f.GetStyle(id)
	if err != nil {
		return err
	}
	style.Fill = excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{fill}}
	id, err = f.NewStyle(style)
	if err != nil {
		return err
	}
	return f.SetCellStyle(at.sheet, name, name, id)
}

// legend adds the sheet that explains the colours and lists the tests.
func legend(f *excelize.File, b *book, sel *rts.Selection) error {
	name := legendSheet
	for n := 2; ; n++ {
		if i, err := f.GetSheetIndex(name); err != nil {
			return err
		} else if i < 0 {
			break
		}
		name = fmt.Sprintf("%s %d", legendSheet, n)
	}
	if _, err := f.NewSheet(name); err != nil {
		return err
	}
	row := 1
	line := func(cells ...any) error {
		row++
		return f.SetSheetRow(name, fmt.Sprintf("A%d", row-1), &cells)
	}
	for _, m := range []mark{changed, onPath, query} {
		if err := paint(f, place{name, row, 1}, colours[m].fill); err != nil {
			return err
		}
		if err := line("", colours[m].says); err != nil {
			return err
		}
	}
	if err := errors.Join(line(), line("test", "reason", "cell", "by way of")); err != nil {
		return err
	}
	for i := range sel.Decisions {
		d := &sel.Decisions[i]
		if d.Test.Module != b.path || !d.Selected() {
			continue
		}
		for _, r := range d.Reasons {
			if err := line(string(d.Test.ID), string(r.Code), r.Entity.Name, strings.Join(r.Path, " → ")); err != nil {
				return err
			}
		}
	}
	return f.SetColWidth(name, "A", "D", 40)
}

// save writes the copy under its name only when it is whole.
func save(f *excelize.File, out string) error {
	temp, err := os.CreateTemp(filepath.Dir(out), ".winnow-mark-*")
	if err != nil {
		return err
	}
	if err := errors.Join(f.Write(temp), temp.Close()); err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	if err := os.Chmod(temp.Name(), 0o644); err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return os.Rename(temp.Name(), out)
}
