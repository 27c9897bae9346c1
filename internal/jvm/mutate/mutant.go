package mutate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The operators.
const (
	Constant   = "constant"   // another number or text is loaded
	Negate     = "negate"     // a branch is taken when it was not
	Boundary   = "boundary"   // < becomes <=, and the like; what a comparison makes of NaN
	Arithmetic = "arithmetic" // + becomes -, and the like
	Increment  = "increment"  // a local variable counts the other way
	Switch     = "switch"     // a case of a switch goes where the default goes
	Result     = "result"     // a call is not made or a field not read: a constant stands for the value
	Call       = "call"       // a call without result is not made
	Store      = "store"      // a field is not assigned

	Return = "return" // the body does nothing but return, with a constant if it must return something
	Throw  = "throw"  // the body does nothing but throw a NullPointerException

	Override      = "override"       // a method is removed that is known to hide an inherited one with code
	Remove        = "remove"         // any other method is removed
	ConstantValue = "constant-value" // a static field starts with another value
)

// Operators lists the operators in a fixed order.
func Operators() []string {
	return []string{Constant, Negate, Boundary, Arithmetic, Increment, Switch, Result, Call, Store, Return, Throw, Override, Remove, ConstantValue}
}

// A Mutant is one small change of a class.
//
// Its printed form is its parts with a blank between them:
//
//	arithmetic p/A.m(I)I @12 iadd -> isub
//	switch p/A.m(I)I @4/2 case 7 -> default
//	return p/A.m(I)I body -> iconst_0
//	override p/A.toString()Ljava/lang/String; member -> nothing
//	constant-value p/A.LIMIT:I member 10 -> 11
//
// Class and method stand in quotes, as in Go, if one has a character that would be misread.
type Mutant struct {
	Operator string
	Class    string // internal name
	Method   string // name and descriptor; of a field, with a colon between them
	Where    string // "@" and an offset in the code, for a case of a switch with "/" and its number; "body"; or "member"
	What     string // what becomes of what
}

// Places other than offsets.
const (
	inBody   = "body"
	inMember = "member"
)

// String is the printed form.
func (m Mutant) String() string {
	target := m.Class + "." + m.Method
	if !plain(target) || strings.ContainsAny(target, "\" ") {
		target = strconv.Quote(target)
	}
	return m.Operator + " " + target + " " + m.Where + " " + m.What
}

// plain tells whether a text can stand on a line as it is.
func plain(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) })
}

// Parse reads the printed form of a mutant. It accepts nothing else.
func Parse(text string) (Mutant, error) {
	m, err := parse(text)
	if err != nil {
		return Mutant{}, fmt.Errorf("mutant %q: %w", text, err)
	}
	return m, nil
}

func parse(text string) (Mutant, error) {
	var m Mutant
	var rest, target string
	m.Operator, rest, _ = strings.Cut(text, " ")
	if !slices.Contains(Operators(), m.Operator) {
		return m, fmt.Errorf("no operator %q", m.Operator)
	}
	target, rest, err := cutTarget(rest)
	if err != nil {
		return m, err
	}
	m.Class, m.Method, _ = strings.Cut(target, ".")
	m.Where, m.What, _ = strings.Cut(rest, " ")
	if m.Class == "" || m.Method == "" || m.Where == "" || m.What == "" {
		return m, errors.New("a part is missing: operator class.method where what")
	}
	if !plain(m.Where) || !plain(m.What) || m.String() != text {
		return m, errors.New("not a printed form")
	}
	return m, nil
}

// cutTarget takes class and method, which may be quoted, from the front.
func cutTarget(text string) (target, rest string, err error) {
	if !strings.HasPrefix(text, `"`) {
		target, rest, _ = strings.Cut(text, " ")
		return target, rest, nil
	}
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", "", fmt.Errorf("class and method: %w", err)
	}
	if target, err = strconv.Unquote(quoted); err != nil {
		return "", "", fmt.Errorf("class and method: %w", err)
	}
	return target, strings.TrimPrefix(text[len(quoted):], " "), nil
}

// words makes a text of a class file fit for What: on one line and of bounded length.
func words(s string) string {
	const most = 60
	if len(s) > most {
		s = s[:most] + "..."
	}
	if !plain(s) {
		return strconv.Quote(s)
	}
	return s
}
