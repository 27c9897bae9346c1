package sheet

import (
	"fmt"
	"strings"

	"winnow/internal/rts"
	"winnow/internal/sheet/xlsx"
)

// Kinds of entities. Names start with the workbook in brackets, as in [budget.xlsx]Summary!B4.
const (
	// KindCell is the content of a cell, absent if it is blank.
	KindCell rts.Kind = "cell"
	// KindArea is the population of an area: which of its cells are not blank.
	KindArea rts.Kind = "area"
	// KindName is a defined name as seen from a sheet: [budget.xlsx]Summary!rate.
	KindName rts.Kind = "name"
	// KindQuery is the cell that a test's query stands for: [budget.xlsx]total → Summary!B4.
	KindQuery rts.Kind = "query"
	// KindSet is the cell that an input of a test stands for.
	KindSet rts.Kind = "set"
	// KindSettings are the settings of a workbook that change what formulas mean.
	KindSettings rts.Kind = "settings"
)

// arrow separates what a test writes from the cell that it stands for.
const arrow = " → "

func (b *book) entity(k rts.Kind, name string) rts.Entity {
	return rts.Entity{Kind: k, Name: "[" + b.path + "]" + name}
}

func (b *book) cellEntity(sheet string, row, col int) rts.Entity {
	return b.entity(KindCell, sheet+"!"+xlsx.CellName(row, col))
}

func (b *book) areaEntity(sheet string, a xlsx.Area) rts.Entity {
	return b.entity(KindArea, sheet+"!"+xlsx.CellName(a.Row1, a.Col1)+":"+xlsx.CellName(a.Row2, a.Col2))
}

// splitEntity cuts an entity's name into the workbook and the rest.
func splitEntity(name string) (book, rest string, err error) {
	if strings.HasPrefix(name, "[") {
		if i := strings.LastIndex(name, "]"); i > 0 {
			return name[1:i], name[i+1:], nil
		}
	}
	return "", "", fmt.Errorf("%q does not start with a workbook in brackets", name)
}

// splitPlace cuts "Summary!B4" at the last exclamation mark: the part after it never has one.
func splitPlace(rest string) (sheet, cell string, ok bool) {
	i := strings.LastIndex(rest, "!")
	if i < 0 {
		return "", "", false
	}
	return rest[:i], rest[i+1:], true
}

func parsePlace(rest string) (place, bool) {
	sheet, cell, ok := splitPlace(rest)
	if !ok {
		return place{}, false
	}
	row, col, ok := xlsx.ParseCell(cell)
	return place{sheet, row, col}, ok
}
