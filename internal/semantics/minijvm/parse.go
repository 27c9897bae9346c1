package minijvm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A SyntaxError says where a text is not a program.
type SyntaxError struct {
	Line   int
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// maxText is the largest text that is read, in bytes.
const maxText = 4 << 20

// Parse reads a program without a change.
func Parse(text string) (*Program, error) {
	x, err := ParsePair(text)
	if err != nil {
		return nil, err
	}
	if x.After != nil {
		return nil, &SyntaxError{1, "the text has a change; a program alone is wanted"}
	}
	return x.Before, nil
}

// ParsePair reads the text form of a program and, if there is one, of its change. The error is a *SyntaxError. What is read may still not be well-formed: see [Verify].
//
//	class C extends D {                 # Object alone has no extends
//	  field static int f
//	  method static int m(int, C) stack 2 locals 0 {
//	    0: Load 0                       # the number may be left out
//	    1: Return
//	    catch NullPointer from 0 to 1 at 1 depth 0
//	  }
//	}
//	change {                            # after all classes, at most once
//	  class C extends Object { … }      # replaces C, or adds it
//	  remove D
//	}
func ParsePair(text string) (Pair, error) {
	if len(text) > maxText {
		return Pair{}, &SyntaxError{1, fmt.Sprintf("the text has more than %d bytes", maxText)}
	}
	r := &parser{names: NewNames()}
	for i, line := range strings.Split(text, "\n") {
		if err := r.line(i+1, line); err != nil {
			return Pair{}, err
		}
	}
	return r.finish()
}

// A parser reads line by line; what is open decides what a line may be.
type parser struct {
	names   *Names
	number  int
	words   []string
	before  []*Class
	after   []*Class
	removed []ClassID
	class   *Class
	method  *Method
	// inChange and changed: the change is open, was there.
	inChange, changed bool
}

func (r *parser) fault(format string, args ...any) error {
	return &SyntaxError{r.number, fmt.Sprintf(format, args...)}
}

var separators = strings.NewReplacer("(", " ( ", ")", " ) ", ",", " , ", "{", " { ", "}", " } ")

func (r *parser) line(number int, line string) error {
	line, _, _ = strings.Cut(line, "#")
	r.number, r.words = number, strings.Fields(separators.Replace(line))
	if len(r.words) == 0 {
		return nil
	}
	var err error
	switch {
	case r.method != nil:
		err = r.inMethod()
	case r.class != nil:
		err = r.inClass()
	default:
		err = r.outside()
	}
	if err == nil && len(r.words) > 0 {
		err = r.fault("%q is too much", strings.Join(r.words, " "))
	}
	return err
}

// next takes a word; the empty word means the end of the line.
func (r *parser) next() string {
	if len(r.words) == 0 {
		return ""
	}
	w := r.words[0]
	r.words = r.words[1:]
	return w
}

// accept takes a word if it is the one given.
func (r *parser) accept(w string) bool {
	if len(r.words) == 0 || r.words[0] != w {
		return false
	}
	r.words = r.words[1:]
	return true
}

func (r *parser) want(words ...string) error {
	for _, w := range words {
		if !r.accept(w) {
			return r.fault("want %q%s", w, r.got())
		}
	}
	return nil
}

func (r *parser) got() string {
	if len(r.words) == 0 {
		return ", the line ends"
	}
	return fmt.Sprintf(", got %q", r.words[0])
}

func (r *parser) outside() error {
	switch w := r.next(); {
	case w == "class":
		return r.openClass()
	case w == "change" && !r.changed:
		r.inChange, r.changed = true, true
		return r.want("{")
	case w == "remove" && r.inChange:
		c, err := r.className()
		r.removed = append(r.removed, c)
		return err
	case w == "}" && r.inChange:
		r.inChange = false
		return nil
	default:
		return r.fault("want a class%s", map[bool]string{true: ", `remove NAME` or }", false: " or a change"}[r.inChange]+fmt.Sprintf(", got %q", w))
	}
}

func (r *parser) openClass() error {
	if r.changed && !r.inChange {
		return r.fault("a class after the change")
	}
	name, err := r.className()
	if err != nil {
		return err
	}
	if name == Start {
		return r.fault("the class Start runs the test and cannot be defined")
	}
	r.class = &Class{Name: name, Super: NoClass}
	if name != Object {
		if err := r.want("extends"); err != nil {
			return err
		}
		if r.class.Super, err = r.className(); err != nil {
			return err
		}
	}
	return r.want("{")
}

func (r *parser) inClass() error {
	switch w := r.next(); w {
	case "field":
		return r.field()
	case "method":
		return r.openMethod()
	case "}":
		return r.closeClass()
	default:
		return r.fault("want a field, a method or }, got %q", w)
	}
}

func (r *parser) closeClass() error {
	c := r.class
	r.class = nil
	c.Sort()
	list := &r.before
	if r.inChange {
		list = &r.after
	}
	if slices.ContainsFunc(*list, func(o *Class) bool { return o.Name == c.Name }) {
		return r.fault("class %s is there twice", r.names.Class(c.Name))
	}
	*list = append(*list, c)
	return nil
}

func (r *parser) field() error {
	f := Field{Static: r.accept("static")}
	var err error
	if f.Type, err = r.typ(); err != nil {
		return err
	}
	if f.Name, err = r.memberName(); err != nil {
		return err
	}
	if r.class.Field(f.Name) != nil {
		return r.fault("field %s is there twice", r.names.Member(f.Name))
	}
	r.class.Fields = append(r.class.Fields, f)
	return nil
}

func (r *parser) openMethod() error {
	m := &Method{Static: r.accept("static")}
	var err error
	if m.Result, err = r.typ(); err != nil {
		return err
	}
	if m.Name, err = r.memberName(); err != nil {
		return err
	}
	if r.class.Method(m.Name) != nil {
		return r.fault("method %s is there twice", r.names.Member(m.Name))
	}
	if err := r.params(m); err != nil {
		return err
	}
	if err := r.numbers(0, MaxStack, "stack", &m.Stack); err != nil {
		return err
	}
	if err := r.numbers(0, MaxLocals, "locals", &m.Locals); err != nil {
		return err
	}
	r.method = m
	return r.want("{")
}

func (r *parser) params(m *Method) error {
	if err := r.want("("); err != nil {
		return err
	}
	for !r.accept(")") {
		if len(m.Params) > 0 {
			if err := r.want(","); err != nil {
				return err
			}
		}
		t, err := r.typ()
		if err != nil {
			return err
		}
		m.Params = append(m.Params, t)
	}
	return nil
}

func (r *parser) inMethod() error {
	switch {
	case r.accept("}"):
		r.class.Methods = append(r.class.Methods, *r.method)
		r.method = nil
		return nil
	case r.accept("catch"):
		return r.handler()
	}
	if label, ok := strings.CutSuffix(r.words[0], ":"); ok {
		if label != strconv.Itoa(len(r.method.Code)) {
			return r.fault("this instruction has the number %d, not %s", len(r.method.Code), label)
		}
		r.next()
	}
	return r.instr()
}

func (r *parser) handler() error {
	var h Handler
	var err error
	if h.Catch, err = r.className(); err != nil {
		return err
	}
	for _, x := range []struct {
		word string
		to   *int32
	}{{"from", &h.From}, {"to", &h.To}, {"at", &h.At}, {"depth", &h.Depth}} {
		if err := r.numbers(0, MaxCode, x.word, x.to); err != nil {
			return err
		}
	}
	r.method.Handlers = append(r.method.Handlers, h)
	return nil
}

// finish makes programs of what was read.
func (r *parser) finish() (Pair, error) {
	if r.class != nil || r.inChange {
		return Pair{}, r.fault("the text ends inside of { }")
	}
	x := Pair{Before: NewProgram(r.names, r.before...)}
	if !r.changed {
		return x, nil
	}
	x.After = x.Before
	for _, c := range r.removed {
		if slices.ContainsFunc(r.after, func(o *Class) bool { return o.Name == c }) || c == Start || !slices.ContainsFunc(r.before, func(o *Class) bool { return o.Name == c }) {
			return Pair{}, r.fault("the change removes %s, which the program does not define or the change does", r.names.Class(c))
		}
		x.After = x.After.Without(c)
	}
	for _, c := range r.after {
		x.After = x.After.With(c)
	}
	return x, nil
}
