package synth

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"winnow/internal/digest"
)

// A Stmt is one statement. K is its number, Name its name, Then and Else the branches of an if, Cases and Else those of a switch.
type Stmt struct {
	Op         string
	K          int
	Name       string
	Then, Else []Stmt
	Cases      []Case
}

// A Case is one labelled branch of a switch; labels are distinct.
type Case struct {
	Label int
	Body  []Stmt
}

// A Program is code and everything else that can alter a run.
type Program struct {
	// Funcs are the functions by name. init:M initializes module M, setup:C is the set-up of container C.
	Funcs      map[string][]Stmt
	Containers []Container
	Files      map[string]string // "dir/file" → content
	Tool       string
	// Declared are files that are declared to be inputs of every test.
	Declared map[string]bool
	forms    forms
}

// forms keeps what was computed of bodies. Edits replace bodies and never change one in place, so the first statement identifies a
// body; clones share the map.
type forms map[*Stmt]*form

type form struct {
	text   []byte
	digest digest.Digest
	code   *Code
}

// of returns the forms of a body.
func (f forms) of(body []Stmt) *form {
	if len(body) == 0 {
		return &form{digest: digest.Of(nil), code: Lower(nil)}
	}
	known := f[&body[0]]
	if known == nil {
		known = &form{text: appendBody(nil, body), code: Lower(body)}
		known.digest = digest.Of(known.text)
		f[&body[0]] = known
	}
	return known
}

// A Container is a group of tests that share a set-up.
type Container struct {
	Name  string
	Tests []TestDef
}

// A TestDef is a test: a function started with an argument.
type TestDef struct {
	Name, Func string
	Arg        int
}

// Clone returns a copy that shares nothing that an edit modifies in place: edits replace bodies, they do not change them.
func (p *Program) Clone() *Program {
	q := &Program{Funcs: map[string][]Stmt{}, Files: map[string]string{}, Tool: p.Tool, Declared: map[string]bool{}, forms: p.forms}
	for n, f := range p.Funcs {
		q.Funcs[n] = f
	}
	for n, f := range p.Files {
		q.Files[n] = f
	}
	for n := range p.Declared {
		q.Declared[n] = true
	}
	for _, c := range p.Containers {
		q.Containers = append(q.Containers, Container{c.Name, slices.Clone(c.Tests)})
	}
	return q
}

// String prints the program.
func (p *Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "tool %s\n", p.Tool)
	for _, n := range sortedKeys(p.Files) {
		fmt.Fprintf(&b, "file %s = %s\n", n, p.Files[n])
	}
	for _, n := range sortedKeys(p.Declared) {
		fmt.Fprintf(&b, "declared %s\n", n)
	}
	for _, c := range p.Containers {
		for _, t := range c.Tests {
			fmt.Fprintf(&b, "test %s.%s = %s(%d)\n", c.Name, t.Name, t.Func, t.Arg)
		}
	}
	for _, n := range sortedKeys(p.Funcs) {
		fmt.Fprintf(&b, "func %s {\n%s}\n", n, Print(p.Funcs[n]))
	}
	return b.String()
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Print returns a body as text, one statement or brace a line.
func Print(body []Stmt) string { return string(appendBody(nil, body)) }

func appendBody(b []byte, body []Stmt) []byte {
	for _, s := range body {
		b = append(b, s.head()...)
		switch s.Op {
		case "if":
			b = append(b, " {\n"...)
			b = appendBody(b, s.Then)
			b = append(b, "} else {\n"...)
			b = appendBody(b, s.Else)
			b = append(b, '}')
		case "switch":
			b = append(b, " {\n"...)
			for _, c := range s.Cases {
				b = append(b, "case "...)
				b = strconv.AppendInt(b, int64(c.Label), 10)
				b = append(b, " {\n"...)
				b = appendBody(b, c.Body)
				b = append(b, "}\n"...)
			}
			b = append(b, "default {\n"...)
			b = appendBody(b, s.Else)
			b = append(b, "}\n}"...)
		}
		b = append(b, '\n')
	}
	return b
}

// head is the statement without its branches: its semantic word.
func (s Stmt) head() string {
	switch s.Op {
	case "add", "mul", "check", "kill", "if", "odd", "flaky":
		return s.Op + " " + strconv.Itoa(s.K)
	case "call", "touch", "read", "list", "native", "secret":
		return s.Op + " " + s.Name
	}
	return s.Op
}

var errSyntax = errors.New("synth: syntax error")

// Parse reads what Print wrote.
func Parse(text string) ([]Stmt, error) {
	p := &parser{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	if text == "" {
		return nil, nil
	}
	body, err := p.body()
	if err != nil {
		return nil, err
	}
	if p.next != len(p.lines) {
		return nil, fmt.Errorf("%w: line %d: %q", errSyntax, p.next+1, p.lines[p.next])
	}
	return body, nil
}

type parser struct {
	lines []string
	next  int
}

func (p *parser) expect(line string) error {
	if p.next >= len(p.lines) || p.lines[p.next] != line {
		return fmt.Errorf("%w: line %d: want %q", errSyntax, p.next+1, line)
	}
	p.next++
	return nil
}

// body reads statements up to a line that closes them.
func (p *parser) body() ([]Stmt, error) {
	var body []Stmt
	for p.next < len(p.lines) && !strings.HasPrefix(p.lines[p.next], "}") {
		s, err := p.stmt()
		if err != nil {
			return nil, err
		}
		body = append(body, s)
	}
	return body, nil
}

func (p *parser) stmt() (Stmt, error) {
	line := strings.TrimSuffix(p.lines[p.next], " {")
	op, arg, _ := strings.Cut(line, " ")
	s := Stmt{Op: op}
	p.next++
	var err error
	switch op {
	case "add", "mul", "check", "kill", "if", "odd", "flaky":
		s.K, err = strconv.Atoi(arg)
	case "call", "touch", "read", "list", "native", "secret":
		s.Name = arg
	case "tool", "switch", "peek":
	default:
		err = fmt.Errorf("%w: line %d: %q", errSyntax, p.next, line)
	}
	if err != nil {
		return s, err
	}
	switch op {
	case "if":
		return p.branches(s)
	case "switch":
		return p.cases(s)
	}
	return s, nil
}

func (p *parser) branches(s Stmt) (_ Stmt, err error) {
	if s.Then, err = p.body(); err != nil {
		return s, err
	}
	if err := p.expect("} else {"); err != nil {
		return s, err
	}
	if s.Else, err = p.body(); err != nil {
		return s, err
	}
	return s, p.expect("}")
}

func (p *parser) cases(s Stmt) (_ Stmt, err error) {
	for p.next < len(p.lines) && strings.HasPrefix(p.lines[p.next], "case ") {
		label, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(p.lines[p.next], "case "), " {"))
		if err != nil {
			return s, err
		}
		p.next++
		body, err := p.body()
		if err != nil {
			return s, err
		}
		if err := p.expect("}"); err != nil {
			return s, err
		}
		s.Cases = append(s.Cases, Case{label, body})
	}
	if err := p.expect("default {"); err != nil {
		return s, err
	}
	if s.Else, err = p.body(); err != nil {
		return s, err
	}
	if err := p.expect("}"); err != nil {
		return s, err
	}
	return s, p.expect("}")
}
