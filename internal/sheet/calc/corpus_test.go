package calc

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

var (
	printAll   = flag.Bool("calc.print", false, "print every formula of the corpus with both values")
	corpusPath = flag.String("calc.corpus", "testdata/corpus.txt", "the corpus to judge, for instance one with random arguments")
)

type fixtureCell struct{ sheet, address, content string }

// difference is a formula with the values that stand behind it in the corpus.
type difference struct{ formula, engine, judge string }

// corpus is testdata/corpus.txt.
type corpus struct {
	cells    []fixtureCell
	agree    []string     // computed here, equal to LibreOffice
	refused  []string     // refused here, although no difference was seen on this formula
	kinds    []difference // both are errors, but of different kinds
	raw      []difference // the same, but excelize on its own is wrong
	disagree []difference // excelize and LibreOffice differ; refused here
}

// formulas lists all formulas in the order of the workbook rows.
func (c *corpus) formulas() []string {
	all := append([]string(nil), c.agree...)
	all = append(all, c.refused...)
	for _, d := range slices.Concat(c.kinds, c.raw, c.disagree) {
		all = append(all, d.formula)
	}
	return all
}

func readCorpus(t *testing.T, path string) *corpus {
	t.Helper()
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	c, section := &corpus{}, ""
	for scan := bufio.NewScanner(file); scan.Scan(); {
		line := scan.Text()
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		if strings.HasPrefix(line, "[") {
			section = line
			continue
		}
		must(t, c.add(section, line))
	}
	return c
}

func (c *corpus) add(section, line string) error {
	switch section {
	case "[cells]":
		place, content, ok := strings.Cut(line, " := ")
		sheet, address, ok2 := strings.Cut(place, "!")
		if !ok || !ok2 {
			return fmt.Errorf("bad fixture cell %q", line)
		}
		c.cells = append(c.cells, fixtureCell{sheet, address, content})
	case "[agree]":
		c.agree = append(c.agree, line)
	case "[refused]":
		c.refused = append(c.refused, line)
	case "[kinds]", "[raw]", "[disagree]":
		formula, values, ok := strings.Cut(line, "  =>  ")
		engine, judge, ok2 := strings.Cut(values, "  |  ")
		if !ok || !ok2 {
			return fmt.Errorf("bad difference %q", line)
		}
		d := difference{formula, engine, judge}
		list := map[string]*[]difference{"[kinds]": &c.kinds, "[raw]": &c.raw, "[disagree]": &c.disagree}[section]
		*list = append(*list, d)
	default:
		return fmt.Errorf("line outside of a section: %q", line)
	}
	return nil
}

// rawEngine is what excelize answers to the whole formula, in printed form: the text, or the error.
func rawEngine(f *excelize.File, sheet, address string) (answer string) {
	defer func() {
		if r := recover(); r != nil {
			answer = "panic"
		}
	}()
	text, err := f.CalcCellValue(sheet, address, excelize.Options{RawCellValue: true})
	if err != nil {
		return "error " + fmt.Sprintf("%q", err.Error())
	}
	return fmt.Sprintf("%q", text)
}

var functionCall = regexp.MustCompile(`([A-Z][A-Z0-9.]*)\(`)

func TestCorpus(t *testing.T) {
	c := readCorpus(t, *corpusPath)
	data := buildWorkbook(t, c)
	judged := libreOffice(t, data, c.cells[0].sheet)
	book := open(t, data, Options{})
	raw, err := excelize.OpenReader(strings.NewReader(string(data)))
	must(t, err)
	defer raw.Close()

	run := &corpusRun{t: t, book: book, raw: raw, judged: judged, sheet: c.cells[0].sheet}
	for _, formula := range c.agree {
		run.next(formula)
		run.checkAgree(formula)
	}
	for _, formula := range c.refused {
		run.next(formula)
		run.checkRefused(formula)
	}
	for _, d := range c.kinds {
		run.next(d.formula)
		run.checkKinds(d)
	}
	for _, d := range c.raw {
		run.next(d.formula)
		run.checkAgree(d.formula)
		run.checkDifference(d)
	}
	for _, d := range c.disagree {
		run.next(d.formula)
		run.checkRefused(d.formula)
		run.checkDifference(d)
	}
	used := run.usedFunctions(c)
	checkCovered(t, used)
	t.Logf("%d formulas and %d functions agree with LibreOffice, excelize alone is wrong on %d of them; %d are errors of another kind; %d are refused, on %d of which excelize and LibreOffice differ",
		len(c.agree)+len(c.raw), len(used), len(c.raw), len(c.kinds), len(c.refused)+len(c.disagree), len(c.disagree))
}

type corpusRun struct {
	t      *testing.T
	book   *Book
	raw    *excelize.File
	judged map[int]Value
	sheet  string
	row    int
}

func (r *corpusRun) address() string { return fmt.Sprintf("%s%d", formulaColumn, r.row) }

func (r *corpusRun) next(formula string) {
	r.row++
	if *printAll {
		v, err := value(context.Background(), r.book, r.sheet, r.address())
		fmt.Printf("PRINT\t%s\t%v\t%v\t%v\t%s\n", formula, v, err, r.judged[r.row], rawEngine(r.raw, r.sheet, r.address()))
	}
}

func (r *corpusRun) checkAgree(formula string) {
	r.t.Helper()
	want, ok := r.judged[r.row]
	if !ok {
		r.t.Errorf("%s: LibreOffice computed nothing", formula)
		return
	}
	got, err := value(context.Background(), r.book, r.sheet, r.address())
	if err != nil || !equalValues(got, want) {
		r.t.Errorf("%s: got %v (%v), LibreOffice says %v", formula, got, err, want)
	}
}

func (r *corpusRun) checkRefused(formula string) {
	r.t.Helper()
	if got, err := value(context.Background(), r.book, r.sheet, r.address()); !errors.Is(err, ErrRefused) {
		r.t.Errorf("%s: got %v (%v), want a refusal", formula, got, err)
	}
}

func (r *corpusRun) checkDifference(d difference) {
	r.t.Helper()
	if got := rawEngine(r.raw, r.sheet, r.address()); got != d.engine {
		r.t.Errorf("%s: excelize answers %s, the corpus says %s", d.formula, got, d.engine)
	}
	if got := r.judged[r.row].String(); got != d.judge {
		r.t.Errorf("%s: LibreOffice answers %s, the corpus says %s", d.formula, got, d.judge)
	}
}

// checkKinds allows one pair only: LibreOffice stores its own error for bad arguments, which Excel calls #NUM!, as #VALUE!.
func (r *corpusRun) checkKinds(d difference) {
	r.t.Helper()
	got, err := value(context.Background(), r.book, r.sheet, r.address())
	if err != nil || got.String() != d.engine || r.judged[r.row].String() != d.judge || d.engine != ErrCodeNum || d.judge != ErrCodeValue {
		r.t.Errorf("%s: got %v (%v), LibreOffice says %v, the corpus says %s and %s", d.formula, got, err, r.judged[r.row], d.engine, d.judge)
	}
}

// usedFunctions counts in how many compared formulas with a result other than an error each function stands. Functions that
// exist to yield or inspect errors count anyway.
func (r *corpusRun) usedFunctions(c *corpus) map[string]int {
	used := map[string]int{"NA": 1}
	for i, formula := range c.formulas() {
		refused := i >= len(c.agree) && i < len(c.agree)+len(c.refused) || i >= len(c.agree)+len(c.refused)+len(c.kinds)+len(c.raw)
		if refused || r.judged[i+1].kind == KindError {
			continue
		}
		for _, m := range functionCall.FindAllStringSubmatch(formula, -1) {
			used[m[1]]++
		}
	}
	return used
}

// checkCovered demands that nothing is trusted without comparison.
func checkCovered(t *testing.T, used map[string]int) {
	t.Helper()
	var missing []string
	for name, fn := range functions() {
		if fn.verdict != "refused" && used[name] == 0 {
			missing = append(missing, name)
		}
	}
	sort.Strings(missing)
	if len(missing) > 0 {
		t.Errorf("trusted but never compared: %s", strings.Join(missing, " "))
	}
}
