package evolve

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ErrSyntax is wrapped by errors about sources that cannot be read.
var ErrSyntax = errors.New("source not understood")

// ParseProgram reads sources. Several top-level classes of a file become files of their own when they are printed.
func ParseProgram(sources map[string]string) (*Program, error) {
	p := &Program{}
	seen := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(sources)) {
		classes, err := parseFile(sources[path])
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrSyntax, path, err)
		}
		for _, c := range classes {
			if seen[c.Full()] {
				return nil, fmt.Errorf("%w: %s: class %s is there twice", ErrSyntax, path, c.Full())
			}
			seen[c.Full()] = true
		}
		p.Classes = append(p.Classes, classes...)
	}
	slices.SortFunc(p.Classes, func(a, b *Class) int { return strings.Compare(a.path(), b.path()) })
	return p, nil
}

func parseFile(src string) (classes []*Class, err error) {
	tokens, err := lex(src)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	// Errors are thrown inside the parser and caught only here; anything else is a bug and goes on.
	defer func() {
		if r := recover(); r != nil {
			syntax, ok := r.(*SyntaxError)
			if !ok {
				panic(r)
			}
			classes, err = nil, syntax
		}
	}()
	return p.file(), nil
}

type parser struct {
	tokens []token
	at     int
	depth  int // of nested classes
}

// maxNesting bounds nested classes, so that hostile input cannot exhaust the stack.
const maxNesting = 100

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) peekAt(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) fail(format string, args ...any) {
	panic(&SyntaxError{p.peek().line, fmt.Sprintf(format, args...)})
}

func (p *parser) next() token {
	t := p.peek()
	if t.kind == end {
		p.fail("the source ends too soon")
	}
	p.at++
	return t
}

func (p *parser) is(text string) bool { return p.peek().text == text && p.peek().kind != quoted }

func (p *parser) skip(text string) bool {
	if p.is(text) {
		p.at++
		return true
	}
	return false
}

func (p *parser) want(text string) {
	if !p.skip(text) {
		p.fail("want %q, not %q", text, p.peek().text)
	}
}

func (p *parser) word() string {
	if p.peek().kind != word {
		p.fail("want a name, not %q", p.peek().text)
	}
	return p.next().text
}

func (p *parser) file() []*Class {
	var pkg string
	var imports []string
	if p.skip("package") {
		pkg = p.until(";")
	}
	for p.skip("import") {
		imports = append(imports, p.until(";"))
	}
	var out []*Class
	for p.peek().kind != end {
		if p.skip(";") {
			continue
		}
		annotations, modifiers := p.modifiers()
		c := p.class(annotations, modifiers)
		c.Package, c.Imports = pkg, slices.Clone(imports)
		out = append(out, c)
	}
	return out
}

// until takes a text up to a sign outside of brackets, and the sign.
func (p *parser) until(stops ...string) string {
	from := p.at
	p.balanced(stops...)
	text := join(p.tokens[from:p.at])
	if text == "" {
		p.fail("something is missing before %q", p.peek().text)
	}
	p.next()
	return text
}

// balanced moves to the first of some signs outside of brackets.
func (p *parser) balanced(stops ...string) {
	depth := 0
	for {
		t := p.peek()
		if depth == 0 && t.kind != quoted && slices.Contains(stops, t.text) {
			return
		}
		if t.kind == sign {
			depth += nesting(t.text)
		}
		if depth < 0 {
			p.fail("a bracket %q is not open", t.text)
		}
		p.next()
	}
}

func nesting(text string) int {
	switch text {
	case "(", "[", "{":
		return 1
	case ")", "]", "}":
		return -1
	}
	return 0
}

var modifierWords = strings.Fields("public protected private static final abstract default native synchronized transient volatile strictfp sealed")

// modifiers reads annotations and modifiers, in any order.
func (p *parser) modifiers() (annotations, modifiers []string) {
	for {
		switch t := p.peek(); {
		case p.is("@") && p.peekAt(1).text != "interface":
			annotations = append(annotations, p.annotation())
		case p.is("non") && p.peekAt(1).text == "-":
			p.at++
			p.want("-")
			p.want("sealed")
			modifiers = append(modifiers, "non-sealed")
		case t.kind == word && slices.Contains(modifierWords, t.text):
			modifiers = append(modifiers, p.next().text)
		default:
			return annotations, modifiers
		}
	}
}

func (p *parser) annotation() string {
	from := p.at
	p.want("@")
	p.word()
	for p.skip(".") {
		p.word()
	}
	if p.skip("(") {
		p.balanced(")")
		p.want(")")
	}
	return join(p.tokens[from:p.at])
}

// startsClass tells whether a declaration of a class is next.
func (p *parser) startsClass() bool {
	switch {
	case p.is("class"), p.is("interface"), p.is("enum"), p.is("@"):
		return true
	}
	return p.is("record") && p.peekAt(1).kind == word && (p.peekAt(2).text == "(" || p.peekAt(2).text == "<")
}

func (p *parser) class(annotations, modifiers []string) *Class {
	if p.depth++; p.depth > maxNesting {
		p.fail("more than %d classes inside one another", maxNesting)
	}
	defer func() { p.depth-- }()
	if !p.startsClass() {
		p.fail("want a class, not %q", p.peek().text)
	}
	c := &Class{Annotations: annotations, Modifiers: modifiers, Kind: Kind(p.next().text)}
	if c.Kind == "@" {
		p.want("interface")
		c.Kind = AnnotationKind
	}
	c.Name = p.word()
	c.TypeParams = p.angle()
	if c.Kind == RecordKind {
		c.Components = p.params()
	}
	p.header(c)
	p.want("{")
	if c.Kind == EnumKind {
		p.constants(c)
	}
	for !p.skip("}") {
		if !p.skip(";") {
			c.Members = append(c.Members, p.member(c))
		}
	}
	return c
}

func (p *parser) header(c *Class) {
	for !p.is("{") {
		switch p.word() {
		case "extends":
			if c.Kind == InterfaceKind {
				c.Implements = append(c.Implements, p.types()...)
			} else {
				c.Extends = p.typeName()
			}
		case "implements":
			c.Implements = append(c.Implements, p.types()...)
		case "permits":
			c.Permits = append(c.Permits, p.types()...)
		default:
			p.at--
			p.fail("%q cannot stand here", p.peek().text)
		}
	}
}

func (p *parser) types() []string {
	out := []string{p.typeName()}
	for p.skip(",") {
		out = append(out, p.typeName())
	}
	return out
}

// typeName reads a type: names with dots and arguments, then brackets.
func (p *parser) typeName() string {
	from := p.at
	for p.is("@") {
		p.annotation()
	}
	p.word()
	p.angle()
	for p.is(".") && p.peekAt(1).kind == word {
		p.at++
		p.word()
		p.angle()
	}
	for p.is("[") && p.peekAt(1).text == "]" {
		p.at += 2
	}
	return join(p.tokens[from:p.at])
}

// angle reads type parameters or arguments, "" if there are none.
func (p *parser) angle() string {
	if !p.is("<") {
		return ""
	}
	from, depth := p.at, 0
	for {
		switch t := p.next(); t.text {
		case "<":
			depth++
		case ">":
			depth--
		case "(", ")", "{", "}", ";", "=":
			p.at--
			p.fail("%q cannot stand between angle brackets", t.text)
		}
		if depth == 0 {
			return join(p.tokens[from:p.at])
		}
	}
}

// params reads parameters or components with their parentheses.
func (p *parser) params() []Param {
	p.want("(")
	var out []Param
	for !p.skip(")") {
		if len(out) > 0 {
			p.want(",")
		}
		out = append(out, p.param())
	}
	return out
}

func (p *parser) param() Param {
	from := p.at
	p.modifiers()
	p.typeName()
	if p.skip(".") {
		p.want(".")
		p.want(".")
	}
	kind := join(p.tokens[from:p.at])
	return Param{kind, p.word()}
}

func (p *parser) constants(c *Class) {
	for !p.is(";") && !p.is("}") {
		from := p.at
		p.balanced(",", ";", "}")
		text := join(p.tokens[from:p.at])
		if text == "" {
			p.fail("a constant is missing")
		}
		c.Constants = append(c.Constants, text)
		p.skip(",")
	}
	p.skip(";")
}

func (p *parser) member(c *Class) *Member {
	m := &Member{}
	m.Annotations, m.Modifiers = p.modifiers()
	if p.startsClass() {
		m.Kind, m.Class = ClassMember, p.class(m.Annotations, m.Modifiers)
		m.Annotations, m.Modifiers = nil, nil
		return m
	}
	if p.is("{") {
		m.Kind = InitMember
		p.body(m)
		return m
	}
	m.TypeParams = p.angle()
	if p.is(c.Name) && (p.peekAt(1).text == "(" || p.peekAt(1).text == "{") {
		m.Kind, m.Name = ConstructorMember, p.word()
		if m.Compact = p.is("{"); !m.Compact {
			p.rest(m)
			return m
		}
		p.body(m)
		return m
	}
	m.Type = p.typeName()
	m.Name = p.word()
	if p.is("(") {
		m.Kind = MethodMember
		p.rest(m)
		return m
	}
	p.field(m)
	return m
}

func (p *parser) field(m *Member) {
	switch {
	case p.skip(";"):
	case p.skip("="):
		m.Init = p.until(";")
	default:
		p.fail("want \"=\" or \";\" behind the field %s (one field for each declaration), not %q", m.Name, p.peek().text)
	}
}

// rest reads a method from its parameters on.
func (p *parser) rest(m *Member) {
	m.Params = p.params()
	if p.skip("throws") {
		m.Throws = p.types()
	}
	switch {
	case p.is("{"):
		p.body(m)
	case p.skip("default"):
		m.Init = p.until(";")
	default:
		p.want(";")
	}
}

// body reads a block as statements.
func (p *parser) body(m *Member) {
	m.HasBody = true
	p.want("{")
	for !p.skip("}") {
		m.Body = append(m.Body, p.statement())
	}
}

// statement takes tokens up to a semicolon, or to a closing brace that nothing continues.
func (p *parser) statement() string {
	from := p.at
	loop := p.is("do")
	for {
		p.balanced(";", "{", "}")
		if p.skip(";") {
			break
		}
		p.want("{")
		p.balanced("}")
		p.want("}")
		if !p.continues(loop) {
			break
		}
	}
	return join(p.tokens[from:p.at])
}

// continues tells whether a statement goes on behind a closing brace.
func (p *parser) continues(loop bool) bool {
	switch p.peek().text {
	case ";", ".", ",", ")", "[", "else", "catch", "finally", "?", ":", "::":
		return p.peek().kind != quoted
	}
	return loop && p.is("while")
}
