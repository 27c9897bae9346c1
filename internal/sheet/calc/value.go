package calc

import (
	"math"
	"strconv"
)

// Kind is the type of a Value.
type Kind uint8

// The kinds of values. The zero Kind is KindBlank.
const (
	KindBlank Kind = iota
	KindNumber
	KindText
	KindBool
	KindError
)

var kindNames = [...]string{"blank", "number", "text", "bool", "error"}

// String returns the name of the kind.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "kind(" + strconv.Itoa(int(k)) + ")"
}

// Value is a typed cell value. The zero Value is blank. Values may be compared with ==.
// Dates are numbers (serial numbers of the 1900 system); number formats play no part.
//
// Printed form: 0.1, "text", TRUE, #N/A, blank.
type Value struct {
	kind Kind
	num  float64
	str  string
	soft bool // the 0 of a formula that yields a blank; only inside an evaluation
}

// Error codes of spreadsheets.
const (
	ErrCodeNull  = "#NULL!"
	ErrCodeDiv   = "#DIV/0!"
	ErrCodeValue = "#VALUE!"
	ErrCodeRef   = "#REF!"
	ErrCodeName  = "#NAME?"
	ErrCodeNum   = "#NUM!"
	ErrCodeNA    = "#N/A"
)

// errorCodes is ordered as ERROR.TYPE numbers them, from 1.
var errorCodes = []string{ErrCodeNull, ErrCodeDiv, ErrCodeValue, ErrCodeRef, ErrCodeName, ErrCodeNum, ErrCodeNA}

func errorNumber(code string) int {
	for i, c := range errorCodes {
		if c == code {
			return i + 1
		}
	}
	return 0
}

// Blank returns the value of an empty cell.
func Blank() Value { return Value{} }

// Number returns a number. What no cell can hold, NaN and the infinities, becomes the error #NUM!.
func Number(f float64) Value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Error(ErrCodeNum)
	}
	if f == 0 {
		f = 0 // no negative zero: it would print and compare unlike 0
	}
	return Value{kind: KindNumber, num: f}
}

// Text returns a text, also when it looks like a number.
func Text(s string) Value { return Value{kind: KindText, str: s} }

// Bool returns a truth value.
func Bool(b bool) Value {
	if b {
		return Value{kind: KindBool, num: 1}
	}
	return Value{kind: KindBool}
}

// Error returns the error value with the given code, such as "#N/A".
func Error(code string) Value { return Value{kind: KindError, str: code} }

// Kind returns the type of v.
func (v Value) Kind() Kind { return v.kind }

// Float returns the number, and whether v is one.
func (v Value) Float() (float64, bool) { return v.num, v.kind == KindNumber }

// Text returns the text, and whether v is one.
func (v Value) Text() (string, bool) {
	if v.kind != KindText {
		return "", false
	}
	return v.str, true
}

// Bool returns the truth value, and whether v is one.
func (v Value) Bool() (value, ok bool) { return v.kind == KindBool && v.num != 0, v.kind == KindBool }

// Code returns the error code, and whether v is an error value.
func (v Value) Code() (string, bool) {
	if v.kind != KindError {
		return "", false
	}
	return v.str, true
}

// String returns the printed form.
func (v Value) String() string {
	switch v.kind {
	case KindNumber:
		return strconv.FormatFloat(v.num, 'g', -1, 64)
	case KindText:
		return strconv.Quote(v.str)
	case KindBool:
		if v.num != 0 {
			return "TRUE"
		}
		return "FALSE"
	case KindError:
		return v.str
	default:
		return "blank"
	}
}
