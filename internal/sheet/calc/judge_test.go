package calc

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"winnow/internal/sheet/xlsx"
	"winnow/internal/testenv"
)

// The judge is LibreOffice: it computes a workbook that holds formulas without values, and its typed results are read back.

// formulaColumn is where formulas of the corpus stand, one per row, on the sheet of the fixture cells.
const formulaColumn = "AZ"

// newerFunction matches the functions that files store with a prefix.
var newerFunction = regexp.MustCompile(`\b(ACOTH?|ARABIC|BASE|BETA\.(?:DIST|INV)|BINOM\.(?:DIST(?:\.RANGE)?|INV)|BIT(?:AND|OR|XOR|LSHIFT|RSHIFT)|` +
	`CEILING\.MATH|FLOOR\.MATH|CHISQ\.(?:DIST|DIST\.RT|INV|INV\.RT|TEST)|COMBINA|CONCAT|CONFIDENCE\.(?:NORM|T)|COTH?|COVARIANCE\.[PS]|CSCH?|DAYS|DECIMAL|` +
	`ERFC?\.PRECISE|EXPON\.DIST|F\.(?:DIST|DIST\.RT|INV|INV\.RT|TEST)|FLOOR\.PRECISE|CEILING\.PRECISE|FORECAST\.LINEAR|GAMMA|GAMMA\.(?:DIST|INV)|GAMMALN\.PRECISE|GAUSS|HYPGEOM\.DIST|` +
	`IFNA|IFS|ISOWEEKNUM|LOGNORM\.(?:DIST|INV)|MAXIFS|MINIFS|MODE\.SNGL|NEGBINOM\.DIST|NORM\.(?:DIST|INV|S\.DIST|S\.INV)|PDURATION|PERCENTILE\.(?:EXC|INC)|` +
	`PERCENTRANK\.(?:EXC|INC)|PERMUTATIONA|PHI|POISSON\.DIST|QUARTILE\.(?:EXC|INC)|RANK\.EQ|RRI|SECH?|SKEW\.P|STDEV\.[PS]|SWITCH|T\.(?:DIST|DIST\.2T|DIST\.RT|INV|INV\.2T)|` +
	`TEXTJOIN|UNICHAR|UNICODE|VAR\.[PS]|WEIBULL\.DIST|XOR)\(`)

func stored(formula string) string { return newerFunction.ReplaceAllString(formula, "_xlfn.$1(") }

// buildWorkbook writes the fixture cells and the formulas, without any computed value.
func buildWorkbook(t *testing.T, c *corpus) []byte {
	t.Helper()
	f := excelize.NewFile()
	must(t, f.SetSheetName("Sheet1", c.cells[0].sheet))
	for _, cell := range c.cells {
		if i, err := f.GetSheetIndex(cell.sheet); err != nil || i < 0 {
			_, err := f.NewSheet(cell.sheet)
			must(t, err)
		}
		must(t, writeCell(f, cell.sheet, cell.address, cell.content))
	}
	for i, formula := range c.formulas() {
		must(t, f.SetCellFormula(c.cells[0].sheet, formulaColumn+strconv.Itoa(i+1), stored(formula)))
	}
	var buf bytes.Buffer
	must(t, f.Write(&buf))
	must(t, f.Close())
	return buf.Bytes()
}

func writeCell(f *excelize.File, sheet, address, content string) error {
	if strings.HasPrefix(content, "=") {
		return f.SetCellFormula(sheet, address, content[1:])
	}
	v, err := parseValue(content)
	if err != nil {
		return err
	}
	switch v.kind {
	case KindNumber:
		return f.SetCellFloat(sheet, address, v.num, -1, 64)
	case KindText:
		return f.SetCellStr(sheet, address, v.str)
	case KindBool:
		return f.SetCellBool(sheet, address, v.num != 0)
	default:
		return fmt.Errorf("a fixture cell cannot hold %v", v)
	}
}

// parseValue reads the printed form of a Value.
func parseValue(s string) (Value, error) {
	switch {
	case s == "blank":
		return Blank(), nil
	case s == "TRUE" || s == "FALSE":
		return Bool(s == "TRUE"), nil
	case strings.HasPrefix(s, "#"):
		return Error(s), nil
	case strings.HasPrefix(s, `"`):
		text, err := strconv.Unquote(s)
		return Text(text), err
	default:
		f, err := strconv.ParseFloat(s, 64)
		return Number(f), err
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// libreOffice lets LibreOffice compute a workbook and returns the values of the formula column.
func libreOffice(t *testing.T, data []byte, sheetName string) map[int]Value {
	t.Helper()
	soffice := testenv.NeedsLibreOffice(t)
	dir := t.TempDir()
	in := filepath.Join(dir, "in.xlsx")
	must(t, os.WriteFile(in, data, 0o600))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, soffice, "-env:UserInstallation=file://"+filepath.Join(dir, "profile"), "--headless", "--convert-to", "xlsx", "--outdir", filepath.Join(dir, "out"), in)
	cmd.Env = append(os.Environ(), "LC_ALL=en_US.UTF-8", "HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("soffice: %v\n%s", err, out)
	}
	return cachedValues(t, filepath.Join(dir, "out", "in.xlsx"), sheetName)
}

// cachedValues reads the results that LibreOffice stored beside the formulas.
func cachedValues(t *testing.T, path, sheetName string) map[int]Value {
	t.Helper()
	wb, err := xlsx.Open(path, xlsx.Limits{})
	must(t, err)
	s, ok := wb.Sheet(sheetName)
	if !ok {
		t.Fatalf("%s has no sheet %s", path, sheetName)
	}
	values := map[int]Value{}
	for _, c := range s.All() {
		row, ok := strings.CutPrefix(c.Name(), formulaColumn)
		if !ok || !c.IsFormula() {
			continue
		}
		n, err := strconv.Atoi(row)
		must(t, err)
		values[n] = cachedValue(t, c)
	}
	return values
}

func cachedValue(t *testing.T, c xlsx.Cell) Value {
	t.Helper()
	if c.Kind == xlsx.Text { // which may be empty here
		return Text(escaped.ReplaceAllStringFunc(c.Value, unescape))
	}
	v, refused := constant(c)
	if refused != "" {
		t.Fatalf("%s: %s", c, refused)
	}
	return v
}

// escaped is how files write characters that XML cannot hold.
var escaped = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

func unescape(s string) string {
	n, err := strconv.ParseUint(s[2:6], 16, 32)
	if err != nil {
		return s
	}
	return string(rune(n))
}

// equalValues compares typed values; numbers agree within 1e-12, relative to the larger one. LibreOffice stores 15 digits.
func equalValues(a, b Value) bool {
	if a.kind != KindNumber || b.kind != KindNumber {
		return a == b
	}
	return math.Abs(a.num-b.num) <= 1e-12*math.Max(math.Abs(a.num), math.Abs(b.num))
}
