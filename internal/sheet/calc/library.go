package calc

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"winnow/internal/sheet/formula"
)

// call evaluates a function: one that looks at its syntax here, any other from the values of its arguments.
func (e *evaluator) call(n *formula.Call) (operand, error) {
	if f := special(n.Name); f != nil {
		return f(e, n)
	}
	fn, why := lookup(n.Name)
	if fn == nil {
		return operand{}, refuse(n.Name, why)
	}
	v, err := e.library(fn, n)
	return operand{val: v}, err
}

// argument is what the engine is given: a constant, or a block of cells.
type argument struct {
	val   Value
	block [][]Value // nil for a constant
}

// library evaluates the arguments and computes the function, by its entry in formulas or by the engine.
func (e *evaluator) library(fn *function, n *formula.Call) (Value, error) {
	if err := fn.checkCount(len(n.Args)); err != nil {
		return Value{}, err
	}
	args := make([]argument, 0, len(n.Args))
	var failed Value // an error argument; later ones are still evaluated, so that a refusal is not overlooked
	for i, x := range n.Args {
		arg, v, err := e.argument(fn, fn.param(i), x)
		if err != nil {
			return Value{}, err
		}
		if failed, err = firstError(failed, v); err != nil {
			return Value{}, err
		}
		args = append(args, arg)
	}
	if failed.kind == KindError {
		return failed, nil
	}
	if err := fn.checkArguments(args); err != nil {
		return Value{}, err
	}
	v, err := e.apply(fn, args)
	if err == nil {
		err = fn.checkResult(v)
	}
	return v, err
}

// apply computes a function of checked arguments.
func (e *evaluator) apply(fn *function, args []argument) (Value, error) {
	compute := formulas[fn.name]
	if compute == nil {
		return e.b.engineCall(e.ctx, e.at, fn, args)
	}
	v, err := compute(args)
	var r *refusal
	if errors.As(err, &r) {
		err = refuse(fn.name, r.why)
	}
	return v, err
}

// argument evaluates one argument for a parameter of the given letter (see functions.txt).
func (e *evaluator) argument(fn *function, letter byte, n formula.Node) (arg argument, failed Value, err error) {
	o, err := e.node(n, false)
	if err != nil {
		return arg, failed, err
	}
	if o.missing {
		return fn.omitted(letter)
	}
	switch letter {
	case 'R', 'M', 'X':
		if o.ref != nil {
			return e.areaArgument(fn, letter, o.ref)
		}
		if letter == 'R' {
			return arg, o.val, notReference(fn, o.val)
		}
	}
	v, err := e.scalar(o)
	if err != nil {
		return arg, failed, err
	}
	v, err = convertArgument(fn, letter, v)
	if v.kind == KindError {
		failed = v
	}
	return argument{val: v}, failed, err
}

func notReference(fn *function, v Value) error {
	if v.kind == KindError {
		return nil
	}
	return refuse(fn.name, "an argument must be a range")
}

// omitted stands in for an argument that is left empty. Only functions marked so take one: elsewhere it may mean a default.
func (fn *function) omitted(letter byte) (argument, Value, error) {
	if !fn.has("omit") {
		return argument{}, Value{}, refuse(fn.name, "an argument is omitted")
	}
	switch letter {
	case 'N', 'I':
		return argument{val: Number(0)}, Value{}, nil
	case 'T':
		return argument{val: Text("")}, Value{}, nil
	case 'B':
		return argument{val: Bool(false)}, Value{}, nil
	default:
		return argument{}, Value{}, refuse(fn.name, "an argument is omitted")
	}
}

func convertArgument(fn *function, letter byte, v Value) (Value, error) {
	switch letter {
	case 'N':
		return toNumber(v)
	case 'I':
		v, err := toNumber(v)
		if err != nil || v.kind == KindError {
			return v, err
		}
		if v.num < 0 && v.num != math.Trunc(v.num) {
			return v, refuse(fn.name, "the fraction of a negative number is cut in different ways")
		}
		if !isWhole(v.num) && nearWhole(v.num) {
			return v, refuse(fn.name, lastBits)
		}
		return Number(math.Trunc(v.num)), nil
	case 'M':
		if v.kind == KindText {
			return v, refuse(fn.name, "a text stands where a number or range is needed")
		}
		return toNumber(v)
	case 'D':
		return toDate(fn, v)
	case 'W':
		v, err := toDate(fn, v)
		if err == nil && v.kind == KindNumber {
			if !isWhole(v.num) && nearWhole(v.num) {
				return v, refuse(fn.name, lastBits)
			}
			v = Number(math.Trunc(v.num))
		}
		return v, err
	case 'T':
		v, err := toText(v)
		if err == nil {
			err = checkText(fn, v)
		}
		return v, err
	case 'B':
		return toBool(v)
	default:
		if v.kind == KindBlank {
			return v, refuse(fn.name, "a blank cell stands where a value is needed")
		}
		return v, checkText(fn, v)
	}
}

// firstDate is 1 March 1900. Before it Excel counts a day that did not exist and LibreOffice does not.
const firstDate, lastDate = 61, 2958465

func toDate(fn *function, v Value) (Value, error) {
	if v.kind == KindText {
		return v, refuse(fn.name, "which date the text "+strconv.Quote(v.str)+" means depends on the locale")
	}
	v, err := toNumber(v)
	if err == nil && v.kind == KindNumber && (v.num < firstDate || v.num >= lastDate+1) {
		return v, refuse(fn.name, "the date is before 1 March 1900 or after 9999")
	}
	return v, err
}

// checkText refuses characters whose length or case spreadsheets count differently.
func checkText(fn *function, v Value) error {
	if fn.has("ascii") && strings.IndexFunc(v.str, func(r rune) bool { return r >= 0x80 }) >= 0 {
		return refuse(fn.name, "a text has characters other than ASCII")
	}
	if strings.IndexFunc(v.str, func(r rune) bool { return r > 0xFFFF }) >= 0 {
		return refuse(fn.name, "a text has characters outside the basic plane")
	}
	return nil
}

func (e *evaluator) areaArgument(fn *function, letter byte, a *area) (arg argument, failed Value, err error) {
	if a.whole() && !fn.has("trim") {
		return arg, failed, refuse(fn.name, "a whole column or row is not supported in this function")
	}
	block, err := e.block(a)
	if err != nil {
		return arg, failed, err
	}
	if letter != 'R' {
		failed, err = firstError(slices.Concat(block...)...)
		if err != nil || failed.kind == KindError {
			return arg, failed, err
		}
	}
	for i, row := range block {
		for j, v := range row {
			if err := fn.checkCell(v); err != nil {
				return arg, failed, err
			}
			if letter == 'M' && v.kind != KindNumber {
				block[i][j] = Value{} // in ranges, texts do not count; excelize counts those that look like numbers
			}
			if fn.has("zero") && v.kind != KindNumber {
				block[i][j] = Number(0)
			}
		}
	}
	return argument{block: block}, failed, nil
}
