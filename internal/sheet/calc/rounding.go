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
	return operand{val: Number(roundTo(x.num, int(max(-400, min(400, digits.num))), n.Name))}, nil
}

// roundTo keeps so many digits after the point; half-way cases go away from zero.
func roundTo(x float64, digits int, how string) float64 {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(x), 'e', 14, 64), "e")
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
