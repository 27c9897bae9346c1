package calc

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// The flags of functions.txt that restrict arguments and results to those on which spreadsheets agree.

// checkArguments refuses combinations of arguments that the flags rule out.
func (fn *function) checkArguments(args []argument) error {
	for _, flag := range fn.flags {
		name, number, _ := strings.Cut(flag, ":")
		check := argumentChecks[name]
		if check == nil {
			continue
		}
		subject := args
		if number != "" {
			i, err := strconv.Atoi(number)
			if err != nil || i > len(args) {
				continue // an optional argument that is not there
			}
			subject = args[i-1 : i]
		}
		if why := check(subject); why != "" {
			return refuse(fn.name, why)
		}
	}
	return nil
}

// argumentChecks return why the arguments are refused, or "". A flag such as nonzero:2 looks at one argument.
var argumentChecks = map[string]func([]argument) string{
	"samesize": func(args []argument) string { return unless(sameSize(args), "the ranges differ in size") },
	"nonzero":  func(args []argument) string { return unless(args[0].val.num != 0, "an argument is zero") },
	"positive": func(args []argument) string { return unless(args[0].val.num > 0, "an argument is not positive") },
	"atleast0": func(args []argument) string { return unless(args[0].val.num >= 0, "an argument is negative") },
	"year": func(args []argument) string {
		return unless(args[0].val.num >= 1901 && args[0].val.num <= 9998, "the year is before 1901 or after 9998")
	},
	"rate": func(args []argument) string {
		return unless(computableRate(args[0].val.num), "the rate is not above -1, or too close to 0")
	},
	"due": func(args []argument) string {
		return unless(args[0].val.num == 0 || args[0].val.num == 1, "payments are due neither at the end nor at the beginning of a period")
	},
	"basis": func(args []argument) string {
		return unless(args[0].val.num >= 0 && args[0].val.num <= 4, "there is no such basis")
	},
	"digits": func(args []argument) string {
		return unless(collates(args[0].val.str) && len(args[0].val.str) <= 10, "an argument is not made of at most ten digits")
	},
	"typed": func(args []argument) string {
		return unless(!slices.ContainsFunc(args, untyped), "an argument is a text, a truth value or a blank, which spreadsheets treat differently")
	},
	"nonempty": func(args []argument) string { return unless(args[0].val.str != "", "an argument is an empty text") },
	"ordered": func(args []argument) string {
		return unless(args[0].val.num <= args[1].val.num, "the dates are in reverse order")
	},
	"some": func(args []argument) string {
		return unless(someNumber(args), "there is no number among the arguments")
	},
	"vector": func(args []argument) string { return unless(vectors(args), "a range has several rows and columns") },
	"seconds": func(args []argument) string {
		return unless(wholeSeconds(args[0].val.num), "the time has a fraction of a second")
	},
	"needle": checkNeedle, "vertical": checkVertical, "horizontal": checkHorizontal, "match": checkMatch, "lookup": checkLookup,
	"format": checkFormat,
	"unescaped": func(args []argument) string {
		return unless(!strings.Contains(args[0].val.str, "~"), "escapes are not supported")
	},
	"octal": func(args []argument) string {
		return unless(strings.Trim(args[0].val.str, "01234567") == "" && args[0].val.str != "" && len(args[0].val.str) <= 10, "an argument is not made of at most ten octal digits")
	},
	"interval": func(args []argument) string {
		return unless(slices.Contains([]string{"Y", "M", "D", "YM"}, strings.ToUpper(args[0].val.str)), "spreadsheets differ on intervals other than Y, M, D and YM")
	},
	"whole": func(args []argument) string {
		x := args[0].val.num
		return unless(math.Abs(x) < 1e15 && (isWhole(x) || !nearWhole(x)), lastBits)
	},
	"quotient": func(args []argument) string {
		return unless(args[1].val.num == 0 || certainQuotient(args[0].val.num, args[1].val.num), lastBits)
	},
	"steps": func(args []argument) string {
		return unless(certainQuotient(args[0].val.num, numberAt(args, 1, 1)), lastBits)
	},
	"nozeros": func(args []argument) string {
		return unless(!slices.Contains(numbersOf(args), 0), "a number is 0, on which spreadsheets differ")
	},
}

func unless(ok bool, why string) string {
	if ok {
		return ""
	}
	return why
}

// computableRate: below -1 powers are undefined, and close to 0 their differences lose digits.
func computableRate(r float64) bool { return r > -1 && (r == 0 || math.Abs(r) >= 1e-4) }

// certainQuotient reports whether x/y is a whole number, or clearly none.
func certainQuotient(x, y float64) bool {
	q := x / y
	return math.Abs(q) < 1<<40 && (math.FMA(math.Round(q), y, -x) == 0 || !nearWhole(q))
}

func sameSize(args []argument) bool {
	rows, cols := 0, 0
	for _, a := range args {
		switch {
		case a.block == nil:
		case rows == 0:
			rows, cols = len(a.block), len(a.block[0])
		case len(a.block) != rows || len(a.block[0]) != cols:
			return false
		}
	}
	return true
}

func someNumber(args []argument) bool {
	for _, a := range args {
		if a.block == nil {
			return true
		}
		for _, row := range a.block {
			if slices.ContainsFunc(row, func(v Value) bool { return v.kind == KindNumber }) {
				return true
			}
		}
	}
	return false
}

func vectors(args []argument) bool {
	return !slices.ContainsFunc(args, func(a argument) bool { return len(a.block) > 1 && len(a.block[0]) > 1 })
}

func untyped(a argument) bool { return a.block == nil && (a.val.kind != KindNumber || a.val.soft) }

func wholeSeconds(serial float64) bool {
	seconds := (serial - math.Trunc(serial)) * 86400
	return math.Abs(seconds-math.Round(seconds)) < 1e-3 && math.Round(seconds) < 86400
}

// checkNeedle refuses what lookups compare in different ways.
func checkNeedle(args []argument) string {
	needle := args[0].val
	if block := args[1].block; len(block) == 1 && len(block[0]) == 1 {
		return "the range is a single cell, in which excelize finds nothing"
	}
	if needle.kind == KindText && plainNumber(needle.str) {
		return "a text that looks like a number is looked up"
	}
	if needle.kind == KindBool {
		return "a truth value is looked up"
	}
	return ""
}

// checkVertical and checkHorizontal are for VLOOKUP and HLOOKUP: the index lies inside the table, and a search of VLOOKUP for
// the next smaller key goes over sorted numbers.
func checkVertical(args []argument) string {
	table, index := args[1].block, args[2].val.num
	if index < 1 || index >= float64(len(table[0])+1) {
		return "the index lies outside of the table"
	}
	if len(args) == 4 && args[3].val.num == 0 {
		return ""
	}
	keys := make([]Value, len(table))
	for i, row := range table {
		keys[i] = row[0]
	}
	return checkSorted(args[0].val, keys)
}

func checkHorizontal(args []argument) string {
	table, index := args[1].block, args[2].val.num
	if index < 1 || index >= float64(len(table)+1) {
		return "the index lies outside of the table"
	}
	return unless(len(args) == 4 && args[3].val.num == 0, "excelize and LibreOffice differ on approximate searches in rows")
}

// checkMatch is for MATCH: an exact search, or one over sorted numbers.
func checkMatch(args []argument) string {
	if len(args) == 3 && args[2].val.num == 0 {
		return ""
	}
	if len(args) == 3 && args[2].val.num != 1 {
		return "a kind of search other than 0 and 1 has not been compared"
	}
	return checkSorted(args[0].val, slices.Concat(args[1].block...))
}

// checkLookup is for LOOKUP, which always searches sorted keys.
func checkLookup(args []argument) string {
	return checkSorted(args[0].val, slices.Concat(args[1].block...))
}

// checkSorted: spreadsheets search sorted keys in different ways, which shows when they are not sorted.
func checkSorted(needle Value, keys []Value) string {
	sorted := needle.kind == KindNumber && keys[0].kind == KindNumber
	for i := 1; i < len(keys); i++ {
		sorted = sorted && keys[i].kind == KindNumber && keys[i-1].num < keys[i].num
	}
	return unless(sorted, "the keys of an approximate search are not increasing numbers")
}

// formats are the number formats on which TEXT was compared, with the number of digits that survive after the point.
var formats = map[string]int{"0": 0, "0.0": 1, "0.00": 2, "0.000": 3, "#,##0": 0, "#,##0.00": 2, "0%": 2, "0.0%": 3, "0.00%": 4, "000": 0, "00000": 0,
	"yyyy-mm-dd": -1, "yyyy": -1, "mm": -1, "dd": -1, "yyyy-mm": -1}

func checkFormat(args []argument) string {
	digits, ok := formats[args[1].val.str]
	n := args[0].val.num
	switch {
	case !ok:
		return "the number format has not been compared"
	case digits < 0:
		if n-math.Floor(n) > 0.9999 {
			return "the time is too close to the next day"
		}
		return unless(n >= firstDate && n < lastDate+1, "the date is before 1 March 1900 or after 9999")
	}
	// A number half-way between two results is rounded by its decimal digits in spreadsheets, by its bits in excelize.
	margin := math.Abs(n) * math.Ldexp(1, -48)
	low, high := strconv.FormatFloat(n-margin, 'f', digits, 64), strconv.FormatFloat(n+margin, 'f', digits, 64)
	switch {
	case math.Abs(n) >= 1e15:
		return outOfRange
	case n < 0 && strings.Trim(low, "-0.") == "":
		return "a negative number is shown as 0, with a sign or without"
	}
	return unless(low == high, "the number lies half-way between two results")
}

// checkCell refuses what a cell of a range may not hold.
func (fn *function) checkCell(v Value) error {
	switch {
	case v.kind == KindError && !fn.has("errs"):
		return refuse(fn.name, "a range holds an error value")
	case v.kind == KindBool:
		return refuse(fn.name, "a range holds a truth value, which spreadsheets treat differently")
	case v.kind != KindNumber && fn.has("numbers"):
		return refuse(fn.name, "a range holds something that is not a number")
	}
	return checkText(fn, v)
}

// checkResult vouches for a result of the engine. The kind of an error is known only where the table names it: excelize often
// answers with the wrong one, and LibreOffice writes most of its own as #VALUE!.
func (fn *function) checkResult(v Value) error {
	switch {
	case v.kind == KindError && !fn.has("err:"+v.str):
		return refuse(fn.name, "the kind of the error that it yields is not certain")
	case v.kind == KindBool && fn.result == 'a':
		return refuse(fn.name, "the result is a truth value, which spreadsheets treat differently")
	case fn.has("fraction") && v.kind == KindNumber && (v.num < 0 || v.num >= 1):
		return refuse(fn.name, "the time is not within a day")
	}
	return nil
}
