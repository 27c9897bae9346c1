package xlsx

import (
	"io"
	"os"
	"strconv"
	"unicode"
)

// Workbook is what a workbook file says, as far as calculation depends on it.
type Workbook struct {
	Sheets   []*Sheet // in the order of the tabs
	Names    []Name   // in the order of the file
	Tables   []Table  // by sheet, then in the order of the file
	External []string // targets of links to other files; [1] in a formula is External[0]
	Parts    []Part   // every part that was read, sorted by name

	Date1904  bool // dates count from 1904
	Protected bool // the structure is locked; cells can be read all the same
	HasMacros bool // holds a VBA project or macro sheets
	Calc      Calc

	byName map[string]int // folded sheet name to index in Sheets
}

// Calc is how the workbook wants to be calculated.
type Calc struct {
	Mode           string // auto, autoNoTable or manual; "" means auto
	Iterate        bool   // circular references are iterated instead of reported
	IterateCount   int    // at most so many times; 100 unless stored
	IterateDelta   string // or until changes are below it; "" means 0.001
	AsDisplayed    bool   // values are rounded to what number formats show
	FullCalcOnLoad bool   // stored values are known to be stale
}

// Name is a defined name.
//
// Printed form: Rate = Sheet1!$B$1, or Sheet2!Rate = 0.5 if local.
type Name struct {
	Name     string
	Sheet    int    // index in Workbook.Sheets of a local name, -1 for a global one
	RefersTo string // a formula, as stored
	Hidden   bool
	Macro    bool // names a macro or an add-in function
}

// Table is a list object of a sheet.
type Table struct {
	Name       string // the name that formulas use
	Sheet      int    // index in Workbook.Sheets
	Ref        Area   // including header and totals rows
	HeaderRows int
	TotalsRows int
	Columns    []TableColumn
}

// TableColumn is a column of a table.
type TableColumn struct {
	Name       string
	Calculated string // the formula of the column, "" if none
	Totals     string // the formula of the totals row, "" if none
}

// Open reads the workbook at path.
func Open(path string, lim Limits) (*Workbook, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, openFault(path, err)
	}
	defer f.Close() // opened for reading: closing loses nothing
	info, err := f.Stat()
	if err != nil {
		return nil, openFault(path, err)
	}
	if info.IsDir() {
		e := notWorkbook("is a directory").advise("name a workbook file")
		e.File = path
		return nil, e
	}
	w, err := Read(f, info.Size(), lim)
	if e, ok := err.(*Error); ok {
		e.File = path
	}
	return w, err
}

func openFault(path string, err error) error {
	e := fault(ErrRead, "", "cannot be opened").because(err)
	e.File = path
	return e
}

// Read reads the workbook of the given size from r. It may call r's ReadAt from
// two goroutines at once.
func Read(r io.ReaderAt, size int64, lim Limits) (*Workbook, error) {
	p, err := openPack(r, size, lim.withDefaults())
	if err != nil {
		return nil, err
	}
	w, err := decodeWorkbook(p)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// Sheet finds a sheet by name as Excel does, without regard to case.
func (w *Workbook) Sheet(name string) (*Sheet, bool) {
	i, ok := w.SheetIndex(name)
	if !ok {
		return nil, false
	}
	return w.Sheets[i], true
}

// SheetIndex is like Sheet and returns the index in Sheets.
func (w *Workbook) SheetIndex(name string) (int, bool) {
	i, ok := w.byName[foldName(name)]
	return i, ok
}

// foldName maps names that are equal under simple case folding to one.
func foldName(s string) string {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		out = append(out, least)
	}
	return string(out)
}

// String returns the printed form, with the sheet's index instead of its
// name, which a Name does not know.
func (n Name) String() string {
	if n.Sheet < 0 {
		return n.Name + " = " + n.RefersTo
	}
	return "#" + strconv.Itoa(n.Sheet) + "!" + n.Name + " = " + n.RefersTo
}

func quoted(s string) string {
	return strconv.Quote(s[:min(len(s), 100)])
}
