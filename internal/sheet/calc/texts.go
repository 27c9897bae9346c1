package calc

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

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

// concatenation is CONCAT, joined is TEXTJOIN; excelize writes large and small numbers in its own way.
func concatenation(args []argument) (Value, error) { return joinTexts("", false, args) }

func joined(args []argument) (Value, error) {
	return joinTexts(args[0].val.str, args[1].val.num != 0, args[2:])
}

func joinTexts(delimiter string, ignoreEmpty bool, args []argument) (Value, error) {
	var parts []string
	size := 0
	for _, a := range args {
		values := slices.Concat(a.block...)
		if a.block == nil {
			values = []Value{a.val}
		}
		for _, v := range values {
			text, err := toText(v)
			if err != nil || text.kind == KindError {
				return text, err
			}
			if text.str != "" || !ignoreEmpty {
				parts = append(parts, text.str)
				size += len(text.str) + len(delimiter)
			}
			if size > maxText {
				return doubtful("the text is longer than a cell holds")
			}
		}
	}
	return Text(strings.Join(parts, delimiter)), nil
}

// find is FIND, which knows no wildcards; excelize takes ? and * as such.
func find(args []argument) (Value, error) {
	text, start := []rune(args[1].val.str), numberAt(args, 2, 1)
	if start > float64(len(text)) {
		return Error(ErrCodeValue), nil
	}
	rest := string(text[int(start)-1:])
	at := strings.Index(rest, args[0].val.str)
	if at < 0 {
		return Error(ErrCodeValue), nil
	}
	return Number(start + float64(utf8.RuneCountInString(rest[:at]))), nil
}
