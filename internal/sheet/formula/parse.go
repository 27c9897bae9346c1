package formula

import "strings"

// Parse parses a formula, given without its leading "=". A text that is not a
// formula gives a *SyntaxError and no formula.
//
// A comma outside of parentheses is the union operator, as in the definitions
// of names such as Print_Area.
func Parse(src string) (*Formula, error) {
	p := parser{}
	if !p.lex.start(src) {
		return nil, p.lex.err
	}
	root := p.expr(0, false)
	if p.lex.err == nil && p.next() != tEnd {
		p.lex.fail(p.lex.tok.off, "unexpected "+p.lex.src[p.lex.tok.off:p.lex.pos])
	}
	if p.lex.err != nil {
		return nil, p.lex.err
	}
	return &Formula{Root: root}, nil
}

// parser is a Pratt parser. Methods return nil after an error, which the lexer
// keeps; recursion is bounded by MaxNesting and MaxLength.
type parser struct {
	lex   lexer
	depth int
}

// next reads the token after an operand.
func (p *parser) next() kind { return p.lex.operator() }

// expr parses an expression of operators that bind tighter than min. Inside
// the arguments of a call a comma ends it.
func (p *parser) expr(min int, args bool) Node {
	x := p.primary(p.lex.operand(), args)
	for p.lex.err == nil {
		y := p.extend(x, min, args)
		if y == nil {
			break
		}
		x = y
	}
	if p.lex.err != nil {
		return nil
	}
	return x
}

// extend parses one operator after x and its right operand; nil if there is
// none that binds tighter than min.
func (p *parser) extend(x Node, min int, args bool) Node {
	k := p.next()
	off, op := p.lex.tok.off, p.lex.tok.op
	switch {
	case k == tInvalid:
		return nil
	case k == tOpen:
		return p.invoke(x, off)
	case k == tComma && !args:
		k, op = tBinary, OpUnion
	case k != tBinary && k != tPostfix:
		p.lex.hold()
		return nil
	}
	if power[op] <= min {
		p.lex.hold()
		return nil
	}
	if (op == OpSpill || op.onReferences()) && !yieldsReference(x) {
		p.lex.fail(off, op.String()+" after something that is not a reference")
		return nil
	}
	if k == tPostfix {
		return &Postfix{At{off}, op, x}
	}
	y := p.rightOperand(op, args)
	if y == nil {
		return nil
	}
	return &Binary{At{off}, op, x, y}
}

func (p *parser) rightOperand(op Op, args bool) Node {
	if op.onReferences() && !p.referenceAhead() {
		return nil
	}
	return p.expr(power[op], args)
}

// referenceAhead checks that an operand follows that can be a reference.
func (p *parser) referenceAhead() bool {
	k := p.lex.operand()
	if k == tInvalid {
		return false
	}
	if !startsReference(k, p.lex.tok.text) {
		p.lex.fail(p.lex.tok.off, "reference expected")
		return false
	}
	p.lex.unread()
	return true
}

// startsReference says whether a token may begin an operand of a reference
// operator. What a call or parentheses yield is not known before evaluation.
func startsReference(k kind, text string) bool {
	switch k {
	case tRef, tName, tTable, tFunc, tOpen:
		return true
	}
	return k == tError && text == refError
}

// yieldsReference says whether a reference operator may follow x.
func yieldsReference(x Node) bool {
	switch x := x.(type) {
	case *Number, *Text, *Bool, *Array, *Unary:
		return false
	case *ErrorValue:
		return x.Code == refError
	case *Postfix:
		return x.Op == OpSpill
	case *Binary:
		return x.Op.onReferences()
	}
	return true
}

// primary parses the operand that begins with the current token.
func (p *parser) primary(k kind, args bool) Node {
	t := &p.lex.tok
	at := At{t.off}
	switch k {
	case tInvalid:
		return nil
	case tNumber:
		return &Number{at, t.text}
	case tText:
		return &Text{at, strings.ReplaceAll(t.text, `""`, `"`)}
	case tBool:
		return &Bool{at, t.text == "TRUE"}
	case tError:
		return &ErrorValue{at, t.text}
	case tRef:
		return &Reference{at, t.prefix, t.rng}
	case tName:
		return &Name{at, t.prefix, t.text}
	case tTable:
		return &Table{at, t.prefix, t.text, t.spec}
	case tFunc:
		return p.call()
	case tPrefix:
		return p.unary(args)
	case tOpen:
		return p.paren()
	case tArray:
		return p.array()
	}
	p.lex.fail(t.off, "operand expected")
	return nil
}

func (p *parser) unary(args bool) Node {
	at, op := At{p.lex.tok.off}, p.lex.tok.op
	x := p.expr(power[op], args)
	if x == nil {
		return nil
	}
	return &Unary{at, op, x}
}

// enter counts an open parenthesis; each successful enter has its leave.
func (p *parser) enter() bool {
	if p.depth++; p.depth > MaxNesting {
		p.lex.fail(p.lex.tok.off, "nested too deep")
		return false
	}
	return true
}

func (p *parser) paren() Node {
	at := At{p.lex.tok.off}
	if !p.enter() {
		return nil
	}
	x := p.expr(0, false)
	if x == nil || !p.closed() {
		return nil
	}
	return &Paren{at, x}
}

func (p *parser) closed() bool {
	if k := p.next(); k != tClose {
		p.lex.fail(p.lex.tok.off, ") expected")
		return false
	}
	p.depth--
	return true
}

func (p *parser) call() Node {
	t := &p.lex.tok
	c := &Call{At: At{t.off}, Prefix: t.prefix, Name: t.text}
	if t.prefix == (Prefix{}) {
		c.Marker, c.Name, _ = canonical(t.text)
	} else {
		c.Name = upperString(t.text)
	}
	var ok bool
	c.Args, ok = p.args()
	if !ok {
		return nil
	}
	return c
}

// invoke parses the arguments given to the result of x, which must be a call or
// stand in parentheses: only then can "(" follow without a blank.
func (p *parser) invoke(x Node, off int) Node {
	switch x.(type) {
	case *Call, *Paren, *Invoke:
	default:
		p.lex.fail(off, "operator expected")
		return nil
	}
	args, ok := p.args()
	if !ok {
		return nil
	}
	return &Invoke{At{off}, x, args}
}

// args parses the arguments of a call up to and including its ")".
func (p *parser) args() (args []Node, ok bool) {
	if !p.enter() {
		return nil, false
	}
	if p.lex.operand() == tClose {
		p.depth--
		return nil, true
	}
	p.lex.unread()
	for p.lex.err == nil {
		args = append(args, p.arg())
		if p.lex.err != nil {
			break
		}
		switch p.next() {
		case tComma:
		case tClose:
			p.depth--
			return args, true
		default:
			p.lex.fail(p.lex.tok.off, ", or ) expected")
		}
	}
	return nil, false
}

// arg parses one argument, which may be empty.
func (p *parser) arg() Node {
	k := p.lex.operand()
	off := p.lex.tok.off
	p.lex.unread()
	if k == tComma || k == tClose {
		return &Empty{At{off}}
	}
	return p.expr(0, true)
}

// array parses an array constant after its "{".
func (p *parser) array() Node {
	a := &Array{At: At{p.lex.tok.off}, Rows: [][]Node{nil}}
	for {
		k := p.lex.element()
		if k == tInvalid {
			return nil
		}
		last := len(a.Rows) - 1
		a.Rows[last] = append(a.Rows[last], p.primary(k, false))
		switch p.lex.separator() {
		case tComma:
			continue
		case tInvalid:
			return nil
		}
		if len(a.Rows[last]) != len(a.Rows[0]) {
			p.lex.fail(p.lex.tok.off, "rows of an array constant differ in length")
			return nil
		}
		if p.lex.tok.kind == tArrayEnd {
			return a
		}
		a.Rows = append(a.Rows, nil)
	}
}
