package calc

import (
	"math"
	"time"

	"winnow/internal/sheet/formula"
)

// epoch is day 0 of serial numbers from 1 March 1900 on.
var epoch = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)

// fnMonths is EDATE and EOMONTH; excelize loses a year when the month wraps.
func (e *evaluator) fnMonths(n *formula.Call) (operand, error) {
	if err := arity(n, 2, 2); err != nil {
		return operand{}, err
	}
	var vals [2]Value
	for i, arg := range n.Args {
		if isOmitted(arg) {
			return operand{}, refuse(n.Name, "an argument is omitted")
		}
		v, err := e.value(arg)
		if err != nil {
			return operand{}, err
		}
		if i == 0 {
			v, err = toDate(&function{name: n.Name}, v)
		} else {
			v, err = toNumber(v)
		}
		if err != nil || v.kind == KindError {
			return operand{val: v}, err
		}
		vals[i] = v
	}
	v, err := addMonths(n.Name, vals[0].num, math.Trunc(vals[1].num))
	return operand{val: v}, err
}

// addMonths keeps the day, or takes the last of the month if that is earlier or asked for.
func addMonths(name string, serial, months float64) (Value, error) {
	if math.Abs(months) > 120_000 {
		return Value{}, refuse(name, "the date is before 1 March 1900 or after 9999")
	}
	day := epoch.AddDate(0, 0, int(serial))
	first := time.Date(day.Year(), day.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1)
	result := last
	if name == "EDATE" && day.Day() < last.Day() {
		result = first.AddDate(0, 0, day.Day()-1)
	}
	days := float64(result.Unix()-epoch.Unix()) / 86400
	return toDate(&function{name: name}, Number(days))
}
