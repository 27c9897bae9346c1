package sheet

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"winnow/internal/digest"
	"winnow/internal/sheet/calc"
	"winnow/internal/sheet/xlsx"
)

// A Suite is a parsed file of tests.
type Suite struct{ Cases []Case }

// A Case is one test.
type Case struct {
	Name   string
	Line   int
	Sets   []Set
	Query  string // a cell or a defined name, as written
	Want   calc.Value
	Within float64 // tolerance for numbers
	// Percent makes Within a share of the expected value, in percent.
	Percent bool
}

// A Set is an input: a cell or a defined name, and the value it gets.
type Set struct {
	Ref   string
	Value calc.Value
}

// defaultTolerance is the share of the larger number by which two numbers may differ when a test names no tolerance: what binary fractions
// cannot hold is no difference.
const defaultTolerance = 1e-9

// residue is what sums of binary fractions may leave of zero.
const residue = 1e-12

// ParseSuite reads tests. A line that starts with # is a comment. A test is a block of lines:
//
//	test full price
//	  set Inputs!B2 = 120
//	  set rate = 5%
//	  expect Summary!B4 = 114 within 0.005
//
// A cell is written as in a formula ('My sheet'!B2), or by its defined name. A value is a number (1200, -0.5, 1e6, 5%), a text in double
// quotes, TRUE, FALSE, an error value (#N/A) or the word blank. A tolerance is a number or a percentage; without one, numbers are equal if
// they agree to nine digits or differ by at most 1e-12.
func ParseSuite(text string) (*Suite, error) {
	s := &Suite{}
	names := map[string]int{}
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if err := s.line(word, strings.TrimSpace(rest), n, names); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := s.last(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Suite) line(word, rest string, n int, names map[string]int) error {
	if word != "test" && len(s.Cases) == 0 {
		return fmt.Errorf("%q comes before the first test; a test starts with a line like: test full price", word)
	}
	switch word {
	case "test":
		return s.begin(rest, n, names)
	case "set":
		return s.set(rest)
	case "expect":
		return s.expect(rest)
	}
	return fmt.Errorf("unknown word %q; a line starts with test, set or expect", word)
}

func (s *Suite) begin(name string, n int, names map[string]int) error {
	if err := s.last(); err != nil {
		return err
	}
	if name == "" {
		return errors.New("a test needs a name, as in: test full price")
	}
	if strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("the name %q has a control character", name)
	}
	if before, ok := names[name]; ok {
		return fmt.Errorf("test %q is already on line %d; names must differ", name, before)
	}
	names[name] = n
	s.Cases = append(s.Cases, Case{Name: name, Line: n})
	return nil
}

// last checks that the test before is complete.
func (s *Suite) last() error {
	if len(s.Cases) == 0 {
		return nil
	}
	if c := &s.Cases[len(s.Cases)-1]; c.Query == "" {
		return fmt.Errorf("line %d: test %q expects nothing; add a line like: expect Summary!B4 = 114", c.Line, c.Name)
	}
	return nil
}

func (s *Suite) set(rest string) error {
	c := &s.Cases[len(s.Cases)-1]
	ref, text, err := splitReference(rest)
	if err != nil {
		return err
	}
	for _, other := range c.Sets {
		if strings.EqualFold(other.Ref, ref) {
			return fmt.Errorf("%s is set twice", ref)
		}
	}
	v, err := parseValue(text)
	if err != nil {
		return err
	}
	c.Sets = append(c.Sets, Set{ref, v})
	return nil
}

func (s *Suite) expect(rest string) error {
	c := &s.Cases[len(s.Cases)-1]
	if c.Query != "" {
		return errors.New("a test expects one value; start another test for the next")
	}
	ref, text, err := splitReference(rest)
	if err != nil {
		return err
	}
	text, tolerance := cutWithin(text)
	if c.Want, err = parseValue(text); err != nil {
		return err
	}
	c.Query, c.Within = ref, -1
	if tolerance == "" {
		return nil
	}
	if c.Want.Kind() != calc.KindNumber {
		return errors.New("a tolerance is for numbers")
	}
	number, percent := strings.CutSuffix(tolerance, "%")
	c.Percent = percent
	c.Within, err = strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || c.Within < 0 || math.IsInf(c.Within, 0) || math.IsNaN(c.Within) {
		return fmt.Errorf("tolerance %q is not a number that is zero or more", tolerance)
	}
	return nil
}

// splitReference cuts "REF = VALUE" at the first = outside quotes.
func splitReference(rest string) (ref, value string, err error) {
	quoted := false
	for i, r := range rest {
		switch {
		case r == '\'':
			quoted = !quoted
		case r == '=' && !quoted:
			ref, value = strings.TrimSpace(rest[:i]), strings.TrimSpace(rest[i+1:])
			if ref == "" {
				return "", "", errors.New("a cell is missing before =")
			}
			if value == "" {
				return "", "", errors.New("a value is missing after =; write blank for an empty cell")
			}
			return ref, value, nil
		}
	}
	return "", "", fmt.Errorf("%q has no =; write for example: Inputs!B2 = 120", rest)
}

// cutWithin cuts " within T" off the end, unless it is part of a quoted text.
func cutWithin(text string) (value, tolerance string) {
	i := strings.LastIndex(text, " within ")
	if i < 0 || strings.Contains(text[i:], `"`) {
		return text, ""
	}
	return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+len(" within "):])
}

func parseValue(s string) (calc.Value, error) {
	switch {
	case s == "blank":
		return calc.Value{}, nil
	case strings.EqualFold(s, "TRUE"), strings.EqualFold(s, "FALSE"):
		return calc.Bool(strings.EqualFold(s, "TRUE")), nil
	case strings.HasPrefix(s, `"`):
		return parseText(s)
	case strings.HasPrefix(s, "#"):
		return parseError(s)
	}
	number, percent := strings.CutSuffix(s, "%")
	f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) || strings.ContainsAny(number, "xXpP_") {
		return calc.Value{}, fmt.Errorf("%q is no value; write a number, a text in double quotes, TRUE, FALSE, an error value like #N/A, or blank", s)
	}
	if percent {
		f /= 100
	}
	return calc.Number(f), nil
}

func parseText(s string) (calc.Value, error) {
	inner, ok := strings.CutSuffix(s[1:], `"`)
	if !ok || strings.Contains(strings.ReplaceAll(inner, `""`, ""), `"`) {
		return calc.Value{}, fmt.Errorf("text %s does not end in a double quote; a quote inside is doubled", s)
	}
	return calc.Text(strings.ReplaceAll(inner, `""`, `"`)), nil
}

var errorCodes = []string{"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"}

func parseError(s string) (calc.Value, error) {
	for _, code := range errorCodes {
		if strings.EqualFold(s, code) {
			return calc.Error(code), nil
		}
	}
	return calc.Value{}, fmt.Errorf("%q is no error value; known are %s", s, strings.Join(errorCodes, ", "))
}

// digest names the definition of a test: what it sets, asks and expects, not where it stands in the file.
func (c *Case) digest() digest.Digest {
	var b digest.Builder
	for _, s := range c.Sets {
		b.AddString("set").AddString(s.Ref).AddString(typed(s.Value))
	}
	b.AddString("expect").AddString(c.Query).AddString(typed(c.Want))
	b.AddString(strconv.FormatFloat(c.Within, 'g', -1, 64)).AddString(strconv.FormatBool(c.Percent))
	return b.Sum()
}

func typed(v calc.Value) string { return fmt.Sprintf("%d %s", v.Kind(), v) }

// accepts tells whether a computed value is the expected one.
func (c *Case) accepts(got calc.Value) bool {
	if got.Kind() != c.Want.Kind() {
		return false
	}
	if got.Kind() != calc.KindNumber {
		return got == c.Want
	}
	a, _ := got.Float()
	b, _ := c.Want.Float()
	tolerance := c.Within
	switch {
	case c.Within < 0:
		tolerance = max(defaultTolerance*max(math.Abs(a), math.Abs(b)), residue)
	case c.Percent:
		tolerance = math.Abs(b) * c.Within / 100
	}
	return math.Abs(a-b) <= tolerance
}

// A place is a cell of a workbook.
type place struct {
	sheet    string
	row, col int
}

func (p place) String() string { return p.sheet + "!" + xlsx.CellName(p.row, p.col) }
