package calc

import (
	"math"
	"strconv"
	"strings"

	"winnow/internal/sheet/formula"
)

// Rounding works on the 15 decimal digits that spreadsheets show. excelize rounds by multiplication and leaves residues:
// its ROUND(10,2) is 10.000000000000002.

// fnRound is ROUND, ROUNDUP, ROUNDDOWN and TRUNC.
func (e *evaluator) fnRound(n *formula.Call) (operand, error) {
	least := 2
	if n.Name == "TRUNC" {
		least = 1
	}
	if err := arity(n, least, 2); err != nil {
		return operand{}, err
	}
	x, err := e.number(n.Args[0])
	if err != nil || x.kind == KindError {
		return operand{val: x}, err
	}
	digits := Number(0)
	if len(n.Args) == 2 {
		if digits, err = e.number(n.Args[1]); err != nil || digits.kind == KindError {
			return operand{val: digits}, err
		}
	}
	switch {
	case math.Abs(x.num) >= 1e15:
		return operand{}, refuse(n.Name, "the number has more than 15 digits before the point")
	case math.Abs(digits.num) > 20:
		return operand{}, refuse(n.Name, "more than 20 digits are asked for")
	case !certainRounding(x.num, int(digits.num), n.Name):
		return operand{}, refuse(n.Name, lastBits)
	}
	return operand{val: Number(roundTo(x.num, int(digits.num), n.Name, 15))}, nil
}

// certainRounding reports whether spreadsheets agree: they look at 12 to 17 digits, depending on the function.
func certainRounding(x float64, digits int, how string) bool {
	shown := withDigits(x, 15)
	if how == "ROUND" {
		return shown == x || nearlyEqual(roundTo(x, digits, how, 15), roundTo(x, digits, how, 17))
	}
	if roundTo(x, digits, "TRUNC", 15) == shown {
		return shown == x && (isWhole(x) || withDigits(x, 12) == x) // LibreOffice keeps 12 digits
	}
	return !nearWhole(x * math.Pow10(digits))
}

// withDigits rounds to so many significant digits.
func withDigits(x float64, digits int) float64 {
	f, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	if err != nil {
		return math.NaN()
	}
	return f
}

// roundTo keeps so many digits after the point; half-way cases go away from zero. It looks at as many digits as precision says.
func roundTo(x float64, digits int, how string, precision int) float64 {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(x), 'e', precision-1, 64), "e")
	exp, err := strconv.Atoi(exponent)
	if err != nil || x == 0 {
		return x
	}
	all := strings.Replace(mantissa, ".", "", 1) // the number is 0.all * 10^(exp+1)
	keep := exp + 1 + digits
	if keep >= len(all) {
		return x
	}
	head, tail := "0", strings.Repeat("0", max(0, -keep))+all
	if keep > 0 {
		head, tail = all[:keep], all[keep:]
	}
	kept, err := strconv.ParseInt(head, 10, 64)
	if err != nil {
		return x
	}
	if how == "ROUND" && tail[0] >= '5' || how == "ROUNDUP" && strings.Trim(tail, "0") != "" {
		kept++
	}
	rounded, err := strconv.ParseFloat(strconv.FormatInt(kept, 10)+"e"+strconv.Itoa(-digits), 64)
	if err != nil {
		return x
	}
	return math.Copysign(rounded, x)
}
