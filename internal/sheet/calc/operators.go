package calc

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// maxText is the longest text that a cell holds.
const maxText = 32767

// binary applies an operator to two scalars. root says that the result is the value of a whole cell (see cancel).
func binary(op string, a, b Value, root bool) (Value, error) {
	switch op {
	case "&":
		return concat(a, b)
	case "+", "-", "*", "/", "^":
		return arithmetic(op, a, b, root)
	default:
		return compare(op, a, b)
	}
}

func concat(a, b Value) (Value, error) {
	l, r, v, err := convertBoth(a, b, toText)
	if err != nil || v.kind == KindError {
		return v, err
	}
	if len(l.str)+len(r.str) > maxText {
		return Value{}, refuse("&", "the text is longer than a cell holds")
	}
	return Text(l.str + r.str), nil
}

// convertBoth converts both operands and returns the error value of either.
func convertBoth(a, b Value, to func(Value) (Value, error)) (l, r, failed Value, err error) {
	if l, err = to(a); err != nil {
		return l, r, failed, err
	}
	if r, err = to(b); err != nil {
		return l, r, failed, err
	}
	failed, err = firstError(l, r)
	return l, r, failed, err
}

// firstError returns the error value among several, if any. Which of two different ones wins depends on the spreadsheet.
func firstError(vals ...Value) (Value, error) {
	var failed Value
	for _, v := range vals {
		switch {
		case v.kind != KindError:
		case failed.kind != KindError:
			failed = v
		case failed != v:
			return Value{}, refuse("two errors", failed.str+" and "+v.str+" meet, and spreadsheets differ on which one wins")
		}
	}
	return failed, nil
}

func arithmetic(op string, a, b Value, root bool) (Value, error) {
	l, r, v, err := convertBoth(a, b, toNumber)
	if err != nil || v.kind == KindError {
		return v, err
	}
	x, y := l.num, r.num
	switch op {
	case "+":
		return cancel(x, y, root)
	case "-":
		return cancel(x, -y, root)
	case "*":
		return Number(x * y), nil
	case "/":
		if y == 0 {
			return Error(ErrCodeDiv), nil
		}
		return Number(x / y), nil
	default:
		return power(x, y)
	}
}

// cancel adds. When two numbers that are equal but for their last bits cancel, Excel answers 0 if the sum is the last step of
// a cell and the residue otherwise, LibreOffice always 0. So the last step is 0, and any other is refused.
func cancel(x, y float64, root bool) (Value, error) {
	sum := x + y
	if sum == 0 || x == 0 || y == 0 || !nearlyEqual(x, -y) {
		return Number(sum), nil
	}
	if root {
		return Number(0), nil
	}
	return Value{}, refuse("+ or -", "the result is a rounding residue, which spreadsheets treat differently")
}

// nearlyEqual is LibreOffice's comparison: a relative difference below 2^-48.
func nearlyEqual(x, y float64) bool {
	return x == y || math.Abs(x-y) < math.Abs(x)*math.Ldexp(1, -48)
}

// smallestNumber is the smallest that has all its digits.
const smallestNumber = 0x1p-1022

func power(x, y float64) (Value, error) {
	switch {
	case x == 0 && y == 0:
		return Value{}, refuse("^", "0^0 is #NUM! or 1, depending on the spreadsheet")
	case x == 0 && y < 0:
		return Value{}, refuse("^", "spreadsheets differ on negative powers of 0")
	case x < 0 && y != math.Trunc(y):
		return Value{}, refuse("^", "spreadsheets differ on fractional powers of negative numbers")
	}
	result := math.Pow(x, y)
	if x != 0 && math.Abs(result) < smallestNumber {
		return Value{}, refuse("^", "spreadsheets differ on powers that are too small for a number")
	}
	return Number(result), nil
}

func compare(op string, a, b Value) (Value, error) {
	if failed, err := firstError(a, b); err != nil || failed.kind == KindError {
		return failed, err
	}
	order, err := orderOf(op, a, b)
	if err != nil {
		return Value{}, err
	}
	switch op {
	case "=":
		return Bool(order == 0), nil
	case "<>":
		return Bool(order != 0), nil
	case "<":
		return Bool(order < 0), nil
	case "<=":
		return Bool(order <= 0), nil
	case ">":
		return Bool(order > 0), nil
	default:
		return Bool(order >= 0), nil
	}
}

// orderOf orders numbers before texts. A blank takes the type of the other operand.
func orderOf(op string, a, b Value) (int, error) {
	if (a.soft || b.soft) && a.kind != b.kind {
		return 0, refuse("comparison", "the formula of a cell yields a blank, which is 0 or an empty text")
	}
	a, b = fillBlank(a, b), fillBlank(b, a)
	if a.kind != b.kind {
		if a.kind == KindBool || b.kind == KindBool {
			return 0, refuse("comparison", "a truth value is compared with another type, on which spreadsheets differ")
		}
		return cmp.Compare(a.kind, b.kind), nil
	}
	switch a.kind {
	case KindNumber:
		return orderNumbers(a.num, b.num)
	case KindText:
		return orderTexts(op, a.str, b.str)
	default:
		return cmp.Compare(a.num, b.num), nil
	}
}

func fillBlank(v, other Value) Value {
	if v.kind != KindBlank {
		return v
	}
	return Value{kind: other.kind}
}

// orderNumbers: Excel compares 15 digits, LibreOffice 48 bits. Where the two rules part, the order is refused.
func orderNumbers(x, y float64) (int, error) {
	if x == y {
		return 0, nil
	}
	near := nearlyEqual(x, y)
	same := strconv.FormatFloat(x, 'e', 14, 64) == strconv.FormatFloat(y, 'e', 14, 64)
	if near != same {
		return 0, refuse("comparison", "the numbers differ in the last bits only, which spreadsheets treat differently")
	}
	if near {
		return 0, nil
	}
	return cmp.Compare(x, y), nil
}

// orderTexts ignores case. The order of anything but letters and digits depends on the locale's collation.
func orderTexts(op, x, y string) (int, error) {
	if strings.EqualFold(x, y) {
		return 0, nil
	}
	if op == "=" || op == "<>" {
		return 1, nil
	}
	if !collates(x) || !collates(y) {
		return 0, refuse("comparison", "the order of the texts depends on the locale")
	}
	return strings.Compare(strings.ToLower(x), strings.ToLower(y)), nil
}

func collates(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		if (s[i] < '0' || s[i] > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}
