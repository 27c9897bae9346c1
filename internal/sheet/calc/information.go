package calc

import (
	"math"

	"winnow/internal/sheet/formula"
)

// onValue returns the functions that look at one value, or at none, and need no conversion by others.
func onValue(name string) func([]Value) (Value, error) {
	is := func(test func(Value) bool) func([]Value) (Value, error) {
		return func(v []Value) (Value, error) { return Bool(test(v[0])), nil }
	}
	switch name {
	case "ISBLANK":
		return is(func(v Value) bool { return v.kind == KindBlank })
	case "ISERROR":
		return is(func(v Value) bool { return v.kind == KindError })
	case "ISERR":
		return is(func(v Value) bool { return v.kind == KindError && v.str != ErrCodeNA })
	case "ISNA":
		return is(func(v Value) bool { return v.kind == KindError && v.str == ErrCodeNA })
	case "ISNUMBER":
		return fnIsNumber
	case "ISTEXT":
		return is(func(v Value) bool { return v.kind == KindText })
	case "ISNONTEXT":
		return is(func(v Value) bool { return v.kind != KindText })
	case "ISLOGICAL":
		return is(func(v Value) bool { return v.kind == KindBool })
	case "NOT":
		return fnNot
	case "N":
		return fnN
	case "T":
		return fnT
	case "TRIM":
		return fnTrim
	case "VALUE":
		return fnValue
	case "ERROR.TYPE":
		return fnErrorType
	case "TRUE":
		return func([]Value) (Value, error) { return Bool(true), nil }
	case "FALSE":
		return func([]Value) (Value, error) { return Bool(false), nil }
	case "NA":
		return func([]Value) (Value, error) { return Error(ErrCodeNA), nil }
	case "PI":
		return func([]Value) (Value, error) { return Number(math.Pi), nil }
	}
	return nil
}

func (e *evaluator) fnOnValue(n *formula.Call, f func([]Value) (Value, error)) (operand, error) {
	want := 1
	switch n.Name {
	case "TRUE", "FALSE", "NA", "PI":
		want = 0
	}
	if err := arity(n, want, want); err != nil {
		return operand{}, err
	}
	var vals []Value
	for _, arg := range n.Args {
		if isOmitted(arg) {
			return operand{}, refuse(n.Name, "an argument is omitted")
		}
		v, err := e.value(arg)
		if err != nil {
			return operand{}, err
		}
		vals = append(vals, v)
	}
	v, err := f(vals)
	return operand{val: v}, err
}

func fnNot(args []Value) (Value, error) {
	v, err := toBool(args[0])
	if err != nil || v.kind == KindError {
		return v, err
	}
	return Bool(v.num == 0), nil
}

func fnN(args []Value) (Value, error) {
	switch v := args[0]; v.kind {
	case KindError:
		return v, nil
	case KindNumber, KindBool:
		return Number(v.num), nil
	default:
		return Number(0), nil
	}
}

func fnT(args []Value) (Value, error) {
	if v := args[0]; v.kind == KindError || v.kind == KindText {
		return v, nil
	}
	return Text(""), nil
}

// fnIsNumber refuses truth values: LibreOffice has no such type.
func fnIsNumber(args []Value) (Value, error) {
	if args[0].kind == KindBool || args[0].soft {
		return Value{}, refuse("ISNUMBER", "of a truth value or of a formula that yields a blank, spreadsheets differ")
	}
	return Bool(args[0].kind == KindNumber), nil
}

func fnErrorType(args []Value) (Value, error) {
	if v := args[0]; v.kind == KindError {
		if i := errorNumber(v.str); i > 0 {
			return Number(float64(i)), nil
		}
	}
	return Error(ErrCodeNA), nil
}

// fnPosition is ROW, COLUMN, ROWS and COLUMNS.
func (e *evaluator) fnPosition(n *formula.Call) (operand, error) {
	if len(n.Args) == 0 && (n.Name == "ROW" || n.Name == "COLUMN") {
		return e.ownPosition(n), nil
	}
	if err := arity(n, 1, 1); err != nil {
		return operand{}, err
	}
	o, err := e.node(n.Args[0], false)
	if err != nil {
		return operand{}, err
	}
	if o.ref == nil {
		return operand{}, refuse(n.Name, "the argument is not a reference")
	}
	result := map[string]int{"ROW": o.ref.Row1, "COLUMN": o.ref.Col1, "ROWS": o.ref.rows(), "COLUMNS": o.ref.cols()}[n.Name]
	if n.Name == "ROW" && o.ref.rows() > 1 || n.Name == "COLUMN" && o.ref.cols() > 1 {
		return operand{}, refuse(n.Name, "the result is an array")
	}
	return operand{val: Number(float64(result))}, nil
}

func (e *evaluator) ownPosition(n *formula.Call) operand {
	at := e.at.row
	if n.Name == "COLUMN" {
		at = e.at.col
	}
	return operand{val: Number(float64(at))}
}

// fnIndex returns a reference, so that its result may be a whole row or column.
func (e *evaluator) fnIndex(n *formula.Call) (operand, error) {
	if err := arity(n, 2, 3); err != nil {
		return operand{}, err
	}
	o, err := e.node(n.Args[0], false)
	if err != nil || o.val.kind == KindError {
		return o, err
	}
	if o.ref == nil {
		return operand{}, refuse(n.Name, "the first argument is not a reference")
	}
	indexes, failed, err := e.indexes(n.Args[1:])
	if err != nil || failed.kind == KindError {
		return operand{val: failed}, err
	}
	return indexInto(*o.ref, indexes)
}

func (e *evaluator) indexes(args []formula.Node) (indexes []float64, failed Value, err error) {
	for _, arg := range args {
		if isOmitted(arg) {
			indexes = append(indexes, 0)
			continue
		}
		v, err := e.number(arg)
		if err != nil || v.kind == KindError {
			return nil, v, err
		}
		indexes = append(indexes, math.Trunc(v.num))
	}
	return indexes, Value{}, nil
}

func indexInto(a area, indexes []float64) (operand, error) {
	row, col := indexes[0], 0.0
	switch {
	case len(indexes) == 2:
		col = indexes[1]
	case a.rows() == 1: // one index into one row counts columns
		row, col = 0, indexes[0]
	}
	if row < 0 || col < 0 {
		return operand{val: Error(ErrCodeValue)}, nil
	}
	if row > float64(a.rows()) || col > float64(a.cols()) {
		return operand{}, refuse("INDEX", "the index lies outside of the range, for which spreadsheets have different errors")
	}
	if row > 0 {
		a.Row1 += int(row) - 1
		a.Row2 = a.Row1
	}
	if col > 0 {
		a.Col1 += int(col) - 1
		a.Col2 = a.Col1
	}
	return operand{ref: &a}, nil
}
