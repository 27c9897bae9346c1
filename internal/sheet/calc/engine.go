package calc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"winnow/internal/sheet/xlsx"
)

// engine is excelize on a workbook of its own, the bench. A call lays its range arguments out as constants on one sheet, one below
// the other, and computes one function in a cell of another sheet. excelize drops all its cached results whenever a cell is
// written, so a result it reuses belongs to the same constants.
//
// The engine works in a goroutine of its own: an evaluation that does not end cannot be stopped, only left behind.
type engine struct {
	jobs   chan func()
	bench  *excelize.File
	shown  map[int]Value // what the data sheet holds
	texts  int           // texts written so far; excelize never forgets one
	answer [2]string     // the formulas in the answer cells
}

const (
	dataSheet   = "D"
	answerSheet = "F"
	maxTexts    = 200_000
)

func newEngine() (*engine, error) {
	f := excelize.NewFile()
	if err := f.SetSheetName("Sheet1", dataSheet); err != nil {
		return nil, err
	}
	if _, err := f.NewSheet(answerSheet); err != nil {
		return nil, err
	}
	en := &engine{jobs: make(chan func()), bench: f, shown: map[int]Value{}}
	go func() {
		for job := range en.jobs {
			job()
		}
	}()
	return en, nil
}

// stop ends the goroutine after its current job. It is fine on a nil engine.
func (en *engine) stop() {
	if en != nil {
		close(en.jobs)
	}
}

type outcome struct {
	val Value
	err error
}

// engineCall computes a function with the engine and watches the time.
func (b *Book) engineCall(ctx context.Context, at *cell, fn *function, args []argument) (Value, error) {
	if b.engine == nil || b.engine.texts > maxTexts {
		b.engine.stop()
		en, err := newEngine()
		if err != nil {
			return Value{}, fmt.Errorf("%w: %w", ErrEngine, err)
		}
		b.engine = en
	}
	en, result := b.engine, make(chan outcome, 1)
	select {
	case en.jobs <- func() { result <- en.compute(fn, args) }:
	case <-ctx.Done():
	}
	select {
	case o := <-result:
		if errors.Is(o.err, ErrEngine) { // the bench may be half written
			en.stop()
			b.engine = nil
		}
		return o.val, o.err
	case <-ctx.Done():
		en.stop()
		b.engine = nil
		return Value{}, interrupted(ctx, at)
	}
}

// compute runs in the goroutine of the engine.
func (en *engine) compute(fn *function, args []argument) (o outcome) {
	defer func() {
		if r := recover(); r != nil {
			o = outcome{err: fmt.Errorf("%w: panic in %s: %v", ErrEngine, fn.name, r)}
		}
	}()
	formula, err := en.layOut(fn, args)
	if err != nil {
		return outcome{err: engineError(fn, err)}
	}
	v, err := en.typed(fn, formula)
	return outcome{v, err}
}

// layOut writes the arguments and returns the call.
func (en *engine) layOut(fn *function, args []argument) (string, error) {
	texts := make([]string, len(args))
	row := 1
	for i, arg := range args {
		if arg.block == nil && arg.val.kind == KindError {
			arg.block = [][]Value{{arg.val}}
		}
		if arg.block == nil {
			texts[i] = literal(arg.val)
			continue
		}
		if err := en.show(row, arg.block); err != nil {
			return "", err
		}
		last := xlsx.CellName(row+len(arg.block)-1, len(arg.block[0]))
		texts[i] = dataSheet + "!" + xlsx.CellName(row, 1)
		if texts[i] != dataSheet+"!"+last {
			texts[i] += ":" + last
		}
		row += len(arg.block)
	}
	return fn.name + "(" + strings.Join(texts, ",") + ")", nil
}

// literal writes a constant without an exponent, which excelize's lexer does not always read.
func literal(v Value) string {
	switch v.kind {
	case KindNumber:
		return strconv.FormatFloat(v.num, 'f', -1, 64)
	case KindText:
		return `"` + strings.ReplaceAll(v.str, `"`, `""`) + `"`
	default:
		return v.String()
	}
}

// show writes a block; cells that already hold their value are left alone.
func (en *engine) show(top int, block [][]Value) error {
	for i, line := range block {
		for j, v := range line {
			at := key(top+i, j+1)
			if old, ok := en.shown[at]; ok && old == v {
				continue
			}
			if err := en.write(xlsx.CellName(top+i, j+1), v); err != nil {
				return err
			}
			en.shown[at] = v
		}
	}
	return nil
}

// errorFormulas make a cell hold an error: excelize has no way to write one as a constant.
var errorFormulas = map[string]string{ErrCodeNA: "NA()", ErrCodeDiv: "QUOTIENT(1,0)", ErrCodeNum: "SQRT(-1)", ErrCodeValue: `ABS("x")`}

func (en *engine) write(address string, v Value) error {
	switch v.kind {
	case KindNumber:
		return en.bench.SetCellFloat(dataSheet, address, v.num, -1, 64)
	case KindText:
		en.texts++
		return en.bench.SetCellStr(dataSheet, address, v.str)
	case KindBool:
		return en.bench.SetCellBool(dataSheet, address, v.num != 0)
	case KindError:
		formula, ok := errorFormulas[v.str]
		if !ok {
			return refuse("range", "it holds "+v.str+", which the engine cannot hold")
		}
		return en.bench.SetCellFormula(dataSheet, address, formula)
	default:
		return en.bench.SetCellValue(dataSheet, address, nil)
	}
}

// prepare writes a formula into an answer cell. Appending a text to a number is the only way to get all its digits.
func (en *engine) prepare(i int, formula string) error {
	formula += `&""`
	if en.answer[i] == formula {
		return nil
	}
	en.answer[i] = formula
	return en.bench.SetCellFormula(answerSheet, xlsx.CellName(i+1, 1), formula)
}

// ask computes an answer cell: a text, or the code of an error.
func (en *engine) ask(i int) (text, code string, err error) {
	address := xlsx.CellName(i+1, 1)
	text, err = en.bench.CalcCellValue(answerSheet, address, excelize.Options{RawCellValue: true})
	if err == nil {
		return text, "", nil
	}
	// Such messages blame the call, not its arguments.
	for _, complaint := range []string{"require", "not support", "allows", "expects"} {
		if strings.Contains(err.Error(), complaint) {
			return "", "", refuse("the call", "excelize rejects the arguments: "+err.Error())
		}
	}
	if !slices.Contains(errorCodes, text) {
		return "", "", err
	}
	return "", text, nil
}

func (en *engine) typed(fn *function, formula string) (Value, error) {
	err := en.prepare(0, formula)
	if err == nil && fn.result == 'a' { // before the first answer: writing drops what excelize has read
		err = en.prepare(1, "TYPE("+formula+")")
	}
	if err != nil {
		return Value{}, engineError(fn, err)
	}
	text, code, err := en.ask(0)
	if err != nil {
		return Value{}, engineError(fn, err)
	}
	if code != "" {
		return Error(code), nil
	}
	result := fn.result
	if result == 'a' {
		if result, err = en.resultType(); err != nil {
			return Value{}, engineError(fn, err)
		}
	}
	return convertResult(fn, result, text)
}

func engineError(fn *function, err error) error {
	var r *refusal
	if errors.As(err, &r) {
		return err
	}
	return fmt.Errorf("%w: %s: %w", ErrEngine, fn.name, err)
}

// resultType asks for the type of a result whose function may return any.
func (en *engine) resultType() (byte, error) {
	text, code, err := en.ask(1)
	if err != nil {
		return 0, err
	}
	result, ok := map[string]byte{"1": 'n', "2": 't', "4": 'b'}[text]
	if !ok {
		return 0, fmt.Errorf("unexpected type %q %s", text, code)
	}
	return result, nil
}

func convertResult(fn *function, result byte, text string) (Value, error) {
	switch {
	case result == 't' && len(text) > maxText:
		return Value{}, refuse(fn.name, "the text is longer than a cell holds")
	case result == 't':
		return Text(text), nil
	case result == 'b' && (text == "TRUE" || text == "FALSE"):
		return Bool(text == "TRUE"), nil
	case result == 'n' && text == "" && fn.result == 'a':
		return Blank(), nil // a lookup that found a blank cell
	case result == 'n':
		f, err := strconv.ParseFloat(text, 64)
		if err == nil || strings.Contains(text, "Inf") {
			return Number(f), nil
		}
	}
	return Value{}, fmt.Errorf("%w: %s answered %q", ErrEngine, fn.name, text)
}
