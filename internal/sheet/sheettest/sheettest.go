// Package sheettest makes and edits workbooks for tests, from text.
//
// A workbook is written as lines. A cell holds a number, TRUE or FALSE, a text in double quotes, or a formula:
//
//	Inputs!B2 120
//	Summary!B4 =Inputs!B2*(1-rate)
//	name rate Inputs!$B$3
//	shared Plan!C2:C5 =B2*2
//	array Plan!D2:D5 =B2:B5*2
//
// This package is for tests only.
package sheettest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// Make writes a workbook with the given lines.
func Make(file, text string) error {
	f := excelize.NewFile()
	for line := range strings.Lines(text) {
		if err := apply(f, strings.TrimSpace(line)); err != nil {
			return fmt.Errorf("%q: %w", strings.TrimSpace(line), err)
		}
	}
	if len(f.GetSheetList()) > 1 && !strings.Contains(text, "Sheet1!") {
		if err := f.DeleteSheet("Sheet1"); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return f.SaveAs(file)
}

// Edit applies lines to a workbook. Beyond what Make takes, "clear Sheet!B2" empties a cell, "insert-row Sheet 3" and "insert-column Sheet C" insert before, "remove-row Sheet 3" removes,
// "remove-sheet Sheet" and "rename-sheet Old New" do what they say.
func Edit(file string, lines ...string) error {
	f, err := excelize.OpenFile(file)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if err := apply(f, line); err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
	}
	if err := f.Save(); err != nil {
		return err
	}
	return f.Close()
}

func apply(f *excelize.File, line string) error {
	if line == "" {
		return nil
	}
	words := strings.Fields(line)
	switch {
	case words[0] == "name" && len(words) >= 3:
		name := &excelize.DefinedName{Name: words[1], RefersTo: strings.Join(words[2:], " ")}
		if i := slices.IndexFunc(f.GetDefinedName(), func(d excelize.DefinedName) bool { return d.Name == words[1] }); i >= 0 {
			if err := f.DeleteDefinedName(&f.GetDefinedName()[i]); err != nil {
				return err
			}
		}
		return f.SetDefinedName(name)
	case words[0] == "shared" || words[0] == "array":
		return group(f, words[0], words[1], strings.TrimPrefix(strings.Join(words[2:], " "), "="))
	case words[0] == "clear":
		sheet, cell := split(words[1])
		return f.SetCellValue(sheet, cell, nil)
	case words[0] == "insert-row", words[0] == "remove-row":
		n, err := strconv.Atoi(words[2])
		if err != nil {
			return err
		}
		if words[0] == "remove-row" {
			return f.RemoveRow(words[1], n)
		}
		return f.InsertRows(words[1], n, 1)
	case words[0] == "insert-column":
		return f.InsertCols(words[1], words[2], 1)
	case words[0] == "remove-sheet":
		return f.DeleteSheet(words[1])
	case words[0] == "rename-sheet":
		return f.SetSheetName(words[1], words[2])
	}
	place, content, _ := strings.Cut(line, " ")
	return set(f, place, strings.TrimSpace(content))
}

func split(place string) (sheet, cell string) {
	i := strings.LastIndex(place, "!")
	return place[:i], place[i+1:]
}

func ensure(f *excelize.File, sheet string) error {
	if i, err := f.GetSheetIndex(sheet); err != nil || i >= 0 {
		return err
	}
	_, err := f.NewSheet(sheet)
	return err
}

func group(f *excelize.File, kind, place, formula string) error {
	sheet, ref := split(place)
	if err := ensure(f, sheet); err != nil {
		return err
	}
	first, _, _ := strings.Cut(ref, ":")
	return f.SetCellFormula(sheet, first, formula, excelize.FormulaOpts{Type: &kind, Ref: &ref})
}

func set(f *excelize.File, place, content string) error {
	sheet, cell := split(place)
	if err := ensure(f, sheet); err != nil {
		return err
	}
	if formula, ok := strings.CutPrefix(content, "="); ok {
		return f.SetCellFormula(sheet, cell, formula)
	}
	if err := f.SetCellFormula(sheet, cell, ""); err != nil {
		return err
	}
	if text, ok := strings.CutPrefix(content, `"`); ok {
		return f.SetCellStr(sheet, cell, strings.TrimSuffix(text, `"`))
	}
	if n, err := strconv.ParseFloat(content, 64); err == nil {
		return f.SetCellFloat(sheet, cell, n, -1, 64)
	}
	if b, err := strconv.ParseBool(strings.ToLower(content)); err == nil {
		return f.SetCellBool(sheet, cell, b)
	}
	return fmt.Errorf("no content that is understood")
}

// Fills returns the fill colour of every cell that has one, by place.
func Fills(file string) (map[string]string, error) {
	f, err := excelize.OpenFile(file)
	if err != nil {
		return nil, err
	}
	fills := map[string]string{}
	for _, sheet := range f.GetSheetList() {
		for row := 1; row <= 40; row++ {
			for col := 1; col <= 10; col++ {
				cell, err := excelize.CoordinatesToCellName(col, row)
				if err != nil {
					return nil, err
				}
				id, err := f.GetCellStyle(sheet, cell)
				if err != nil {
					return nil, err
				}
				style, err := f.GetStyle(id)
				if err != nil {
					return nil, err
				}
				if len(style.Fill.Color) == 1 {
					fills[sheet+"!"+cell] = style.Fill.Color[0]
				}
			}
		}
	}
	return fills, f.Close()
}
