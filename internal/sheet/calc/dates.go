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

// days is DAYS. Excel cuts the times of its arguments and LibreOffice does not.
func days(args []argument) (Value, error) {
	end, start := args[0].val.num, args[1].val.num
	if !isWhole(end) || !isWhole(start) {
		return doubtful("a date has a time, which spreadsheets treat differently")
	}
	return Number(end - start), nil
}

// weekStarts are the kinds of weeks that WEEKNUM counts, by the day on which a week begins.
var weekStarts = map[float64]time.Weekday{1: time.Sunday, 2: time.Monday, 11: time.Monday, 12: time.Tuesday, 13: time.Wednesday,
	14: time.Thursday, 15: time.Friday, 16: time.Saturday, 17: time.Sunday}

// weekNumber is WEEKNUM. The week that holds the next 1 January is the last of the year in Excel and the first in LibreOffice.
func weekNumber(args []argument) (Value, error) {
	serial, kind := math.Trunc(args[0].val.num), math.Trunc(numberAt(args, 1, 1))
	if serial < 367 || serial > lastDate-7 { // weekdays of 1900 are off by one in Excel
		return doubtful("the date is before 1901 or after 9999")
	}
	day := epoch.AddDate(0, 0, int(serial))
	if kind == 21 {
		_, week := day.ISOWeek()
		return Number(float64(week)), nil
	}
	begin, ok := weekStarts[kind]
	if !ok {
		return doubtful("there is no such kind of week")
	}
	left := 6 - (int(day.Weekday())-int(begin)+7)%7
	if day.AddDate(0, 0, left).Year() != day.Year() {
		return doubtful("the week holds the next 1 January, which spreadsheets treat differently")
	}
	first := time.Date(day.Year(), time.January, 1, 0, 0, 0, 0, time.UTC)
	offset := (int(first.Weekday()) - int(begin) + 7) % 7
	return Number(float64((day.YearDay()-1+offset)/7 + 1)), nil
}

// holidaysOf reads the optional last argument of WORKDAY and NETWORKDAYS and refuses what is not a whole day.
func holidaysOf(args []argument) (map[float64]bool, error) {
	for _, a := range args[:2] {
		if !isWhole(a.val.num) {
			return nil, refuse("", "a date or a number of days has a fraction, which spreadsheets treat differently")
		}
	}
	holidays := map[float64]bool{}
	for _, day := range numbersOf(args[2:]) {
		if !isWhole(day) || day < firstDate || day > lastDate {
			return nil, refuse("", "a holiday is no whole day between 1 March 1900 and 9999")
		}
		holidays[day] = true
	}
	return holidays, nil
}

// isWeekend: day 0 is a Saturday.
func isWeekend(day float64) bool { return math.Mod(day, 7) < 2 }

// workday is WORKDAY; excelize overlooks holidays when it counts back, and counts repeated ones twice.
func workday(args []argument) (Value, error) {
	holidays, err := holidaysOf(args)
	if err != nil {
		return Value{}, err
	}
	day, left := args[0].val.num, args[1].val.num
	if left == 0 && (isWeekend(day) || holidays[day]) {
		return doubtful("no day is counted from a day that is not a workday")
	}
	step := math.Copysign(1, left)
	for left != 0 {
		if day += step; day < firstDate || day > lastDate {
			return doubtful("the date is before 1 March 1900 or after 9999")
		}
		if !isWeekend(day) && !holidays[day] {
			left -= step
		}
	}
	return Number(day), nil
}

// workdays is NETWORKDAYS. In reverse order the count is negative.
func workdays(args []argument) (Value, error) {
	holidays, err := holidaysOf(args)
	if err != nil {
		return Value{}, err
	}
	from, to, count := args[0].val.num, args[1].val.num, 0.0
	for day := min(from, to); day <= max(from, to); day++ {
		if !isWeekend(day) && !holidays[day] {
			count++
		}
	}
	if from > to {
		count = -count
	}
	return Number(count), nil
}
