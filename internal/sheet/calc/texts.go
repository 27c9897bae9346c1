package calc

import (
	"math"
	"strings"

	"winnow/internal/sheet/formula"
)

// fnTrim keeps single spaces between words; excelize keeps all of them.
func fnTrim(args []Value) (Value, error) {
	v, err := toText(args[0])
	if err != nil || v.kind == KindError {
		return v, err
	}
	words := strings.FieldsFunc(v.str, func(r rune) bool { return r == ' ' })
	return Text(strings.Join(words, " ")), nil
}

func fnValue(args []Value) (Value, error) {
	if k := args[0].kind; k == KindBlank || k == KindBool {
		return Value{}, refuse("VALUE", "of a blank or a truth value, spreadsheets differ")
	}
	return toNumber(args[0])
}

// fnMid is MID; excelize appends a zero character when the count ends one past the text.
func (e *evaluator) fnMid(n *formula.Call) (operand, error) {
	if err := arity(n, 3, 3); err != nil {
		return operand{}, err
	}
	fn := &function{name: n.Name}
	var vals [3]Value
	for i, arg := range n.Args {
		if isOmitted(arg) {
			return operand{}, refuse(n.Name, "an argument is omitted")
		}
		v, err := e.value(arg)
		if err == nil {
			v, err = convertArgument(fn, "TII"[i], v)
		}
		if err != nil || v.kind == KindError {
			return operand{val: v}, err
		}
		vals[i] = v
	}
	start, count := vals[1].num, vals[2].num
	if start < 1 || count < 0 {
		return operand{val: Error(ErrCodeValue)}, nil
	}
	runes := []rune(vals[0].str)
	from := int(math.Min(start-1, float64(len(runes))))
	to := int(math.Min(start-1+count, float64(len(runes))))
	return operand{val: Text(string(runes[from:to]))}, nil
}

// right is RIGHT; excelize does not know its errors.
func right(args []argument) (Value, error) {
	runes, count := []rune(args[0].val.str), numberAt(args, 1, 1)
	if count < 0 {
		return Error(ErrCodeValue), nil
	}
	return Text(string(runes[len(runes)-int(math.Min(count, float64(len(runes)))):])), nil
}
