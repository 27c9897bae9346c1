package calc

import (
	"math"
	"strconv"
	"strings"
)

// Conversions return a value (perhaps an error value) or refuse. A text that only some spreadsheets read as a number, such as
// a date or a percentage, is refused: which number it means depends on the locale.

func toNumber(v Value) (Value, error) {
	switch v.kind {
	case KindBlank:
		return Number(0), nil
	case KindBool:
		return Number(v.num), nil
	case KindText:
		return textToNumber(v.str)
	default:
		return v, nil
	}
}

func textToNumber(s string) (Value, error) {
	if plainNumber(s) {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return Value{}, refuse("text as number", "the text "+strconv.Quote(s)+" is out of range")
		}
		return Number(f), nil
	}
	if word := strings.TrimSpace(s); strings.EqualFold(word, "TRUE") || strings.EqualFold(word, "FALSE") {
		return Value{}, refuse("text as number", "whether the text "+strconv.Quote(s)+" is a truth value depends on the spreadsheet")
	}
	if !strings.ContainsAny(s, "0123456789") {
		return Error(ErrCodeValue), nil
	}
	return Value{}, refuse("text as number", "whether the text "+strconv.Quote(s)+" is a number depends on the locale")
}

// plainNumber accepts digits with an optional sign and fraction. An exponent is left out: "1E3" may be a part number.
func plainNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole, fraction, point := strings.Cut(s, ".")
	return allDigits(whole) && (!point || allDigits(fraction))
}

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func toText(v Value) (Value, error) {
	switch v.kind {
	case KindBlank:
		return Text(""), nil
	case KindNumber:
		if v.soft {
			return Value{}, refuse("blank as text", "the formula of a cell yields a blank, which is 0 or an empty text")
		}
		return numberToText(v.num)
	case KindBool:
		return Value{}, refuse("truth value as text", "spreadsheets write it as TRUE or as 1")
	default:
		return v, nil
	}
}

// numberToText writes 15 significant digits. Outside the bounds spreadsheets differ on when to write an exponent.
func numberToText(f float64) (Value, error) {
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e15) {
		return Value{}, refuse("number as text", "spreadsheets write "+strconv.FormatFloat(f, 'g', -1, 64)+" in different ways")
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'e', 14, 64), 64)
	if err != nil {
		return Value{}, refuse("number as text", err.Error())
	}
	return Text(strconv.FormatFloat(rounded, 'f', -1, 64)), nil
}

func toBool(v Value) (Value, error) {
	switch v.kind {
	case KindBlank:
		return Bool(false), nil
	case KindNumber:
		return Bool(v.num != 0), nil
	case KindText:
		// Spreadsheets disagree on "TRUE" and "1" as conditions.
		return Value{}, refuse("text as condition", "the text "+strconv.Quote(v.str)+" is not a truth value everywhere")
	default:
		return v, nil
	}
}
