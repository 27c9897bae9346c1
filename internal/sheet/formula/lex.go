package formula

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is the kind of a token.
type kind uint8

const (
	tInvalid kind = iota // lexer.err says why
	tEnd
	tNumber
	tText // text is the part between the quotes, quotes in it still doubled
	tBool
	tError
	tRef
	tName
	tTable    // text is the table, spec the brackets
	tFunc     // text is the function name; the "(" is part of the token
	tPrefix   // prefix operator op
	tBinary   // binary operator op
	tPostfix  // % or #
	tOpen     // "("; after an operand the invocation of a lambda
	tClose    // ")"
	tComma    // ","
	tArray    // "{"
	tSemi     // ";"
	tArrayEnd // "}"
)

// token is the current token of a lexer. Its strings are parts of the source,
// except for a quoted sheet name with a quote in it.
type token struct {
	kind   kind
	op     Op
	off    int
	text   string
	spec   string
	prefix Prefix
	rng    Range
}

// lexer cuts a formula into tokens. The meaning of a character depends on
// whether an operand or an operator is expected (a blank, "#", "-", "("), which
// only the caller knows: it asks with operand or with operator.
type lexer struct {
	src string
	pos int
	was int // where the current token and the blanks before it begin
	tok token
	// held makes operator return the current token once more. A prefix operator
	// looks at the token after its operand and leaves it to the operator
	// around it; reading the blanks again each time would take quadratic time.
	held bool
	err  *SyntaxError
}

// start checks the limits that hold for the whole text.
func (l *lexer) start(src string) bool {
	*l = lexer{src: src}
	switch {
	case len(src) > MaxLength:
		l.fail(MaxLength, "formula too long")
	case !utf8.ValidString(src):
		l.fail(0, "not UTF-8")
	}
	return l.err == nil
}

func (l *lexer) fail(off int, msg string) kind {
	if l.err == nil {
		l.err = &SyntaxError{Offset: off, Msg: msg}
	}
	l.tok.kind = tInvalid
	return tInvalid
}

// take makes the current token one of kind k that ends before end.
func (l *lexer) take(k kind, end int) kind {
	l.tok.kind, l.pos = k, end
	return k
}

func (l *lexer) takeOp(k kind, op Op, end int) kind {
	l.tok.op = op
	return l.take(k, end)
}

// unread makes the next call see the current token again, with the blanks
// before it: they may be an operator.
func (l *lexer) unread() { l.pos = l.was }

// hold makes the next call, which must be one of operator, see the current
// token again.
func (l *lexer) hold() { l.held = true }

const (
	cBlank  = 1 << iota // separates tokens, or intersects
	cDigit              // 0-9
	cStart              // may begin a name
	cPart               // may continue a name
	cAttach             // after a reference: it was not a reference
)

var class = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = cStart|cPart|cAttach, cStart|cPart|cAttach
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = cDigit | cPart | cAttach
	}
	for c := utf8.RuneSelf; c < 256; c++ {
		t[c] = cStart | cPart | cAttach // checked again by namesRune
	}
	for _, c := range `_\` {
		t[c] = cStart | cPart | cAttach
	}
	for _, c := range ".?" {
		t[c] = cPart | cAttach
	}
	for _, c := range "!([$" {
		t[c] = cAttach
	}
	for _, c := range " \t\r\n" {
		t[c] = cBlank
	}
	return t
}()

// is says whether the byte at p is of class c.
func is(s string, p int, c uint8) bool { return p < len(s) && class[s[p]]&c != 0 }

// has says whether the byte at p is b.
func has(s string, p int, b byte) bool { return p < len(s) && s[p] == b }

func skipBlanks(s string, p int) int {
	for is(s, p, cBlank) {
		p++
	}
	return p
}

// namesRune says whether a non-ASCII character may stand in an unquoted name.
func namesRune(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S, unicode.Pc)
}

// wordEnd returns the end of the run of name characters at p.
func wordEnd(s string, p int) int {
	for is(s, p, cPart) {
		if s[p] < utf8.RuneSelf {
			p++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[p:])
		if !namesRune(r) {
			return p
		}
		p += n
	}
	return p
}

// operand reads a token where an operand or a prefix operator is expected. It
// also reads the tokens that end an argument list, for empty arguments.
func (l *lexer) operand() kind {
	p := skipBlanks(l.src, l.pos)
	l.was = l.pos
	l.tok = token{off: p}
	if p == len(l.src) {
		return l.take(tEnd, p)
	}
	switch c := l.src[p]; c {
	case '(':
		return l.take(tOpen, p+1)
	case ')':
		return l.take(tClose, p+1)
	case ',':
		return l.take(tComma, p+1)
	case '+':
		return l.takeOp(tPrefix, OpPlus, p+1)
	case '-':
		return l.takeOp(tPrefix, OpMinus, p+1)
	case '@':
		return l.takeOp(tPrefix, OpImplicit, p+1)
	case '{':
		return l.take(tArray, p+1)
	case '"':
		return l.text(p)
	case '#':
		return l.errorValue(p)
	case '\'':
		return l.quotedPrefix(p)
	case '[':
		return l.bracket(p)
	case '.':
		return l.number(p)
	case '=':
		return l.fail(p, "operand expected, found = (a formula is read without its leading =)")
	default:
		return l.word(p)
	}
}

// operator reads a token where an operator or the end of an operand is
// expected.
func (l *lexer) operator() kind {
	if l.held {
		l.held = false
		return l.tok.kind
	}
	p := skipBlanks(l.src, l.pos)
	blank := p > l.pos
	l.was = l.pos
	t := &l.tok // an operator uses none of the other fields
	t.off, t.op = p, OpNone
	if p == len(l.src) {
		return l.take(tEnd, p)
	}
	if blank && l.startsReference(p) {
		t.off = l.was
		return l.takeOp(tBinary, OpIntersect, p)
	}
	switch c := l.src[p]; c {
	case ')':
		return l.take(tClose, p+1)
	case ',':
		return l.take(tComma, p+1)
	case '%':
		return l.takeOp(tPostfix, OpPercent, p+1)
	case '#':
		return l.takeOp(tPostfix, OpSpill, p+1)
	case '(':
		return l.take(tOpen, p+1)
	case '<':
		return l.less(p)
	case '>':
		if has(l.src, p+1, '=') {
			return l.takeOp(tBinary, OpGe, p+2)
		}
		return l.takeOp(tBinary, OpGt, p+1)
	default:
		if op := infix(c); op != OpNone {
			return l.takeOp(tBinary, op, p+1)
		}
		return l.fail(p, "operator expected")
	}
}

// startsReference says whether the right operand of an intersection can begin
// at p.
func (l *lexer) startsReference(p int) bool {
	switch c := l.src[p]; c {
	case '\'', '[', '$', '(', '#':
		return true
	default:
		if class[c]&cDigit != 0 {
			_, _, ok := scanRange(l.src, p)
			return ok
		}
		return class[c]&cStart != 0
	}
}

func (l *lexer) less(p int) kind {
	switch {
	case has(l.src, p+1, '='):
		return l.takeOp(tBinary, OpLe, p+2)
	case has(l.src, p+1, '>'):
		return l.takeOp(tBinary, OpNe, p+2)
	default:
		return l.takeOp(tBinary, OpLt, p+1)
	}
}

func infix(c byte) Op {
	switch c {
	case ':':
		return OpRange
	case '^':
		return OpPow
	case '*':
		return OpMul
	case '/':
		return OpDiv
	case '+':
		return OpAdd
	case '-':
		return OpSub
	case '&':
		return OpConcat
	case '=':
		return OpEq
	default:
		return OpNone
	}
}

// element reads a token inside an array constant.
func (l *lexer) element() kind {
	p := skipBlanks(l.src, l.pos)
	l.tok = token{off: p}
	if p == len(l.src) {
		return l.fail(p, "array constant not closed")
	}
	switch c := l.src[p]; {
	case c == '"':
		return l.text(p)
	case c == '#':
		return l.errorValue(p)
	case c == '+' || c == '-':
		return l.signedNumber(p)
	case c == '.' || class[c]&cDigit != 0:
		return l.number(p)
	case class[c]&cStart != 0 && l.boolean(p, wordEnd(l.src, p)):
		return tBool
	}
	return l.fail(p, "constant expected in array constant")
}

func (l *lexer) signedNumber(p int) kind {
	sign := l.src[p : p+1]
	if l.number(skipBlanks(l.src, p+1)) == tInvalid {
		return tInvalid
	}
	if sign == "-" {
		l.tok.text = sign + l.tok.text
	}
	return tNumber
}

// separator reads "," ";" or "}" inside an array constant.
func (l *lexer) separator() kind {
	p := skipBlanks(l.src, l.pos)
	l.tok.off = p
	switch {
	case has(l.src, p, ','):
		return l.take(tComma, p+1)
	case has(l.src, p, ';'):
		return l.take(tSemi, p+1)
	case has(l.src, p, '}'):
		return l.take(tArrayEnd, p+1)
	}
	return l.fail(p, "array constant: , ; or } expected")
}

func (l *lexer) text(p int) kind {
	q := p + 1
	for {
		n := strings.IndexByte(l.src[q:], '"')
		if n < 0 {
			return l.fail(p, "text not closed")
		}
		q += n
		if !has(l.src, q+1, '"') {
			break
		}
		q += 2
	}
	l.tok.text = l.src[p+1 : q]
	return l.take(tText, q+1)
}

// number reads digits [ "." digits ] [ "E" [sign] digits ]; one side of the
// point may be empty.
func (l *lexer) number(p int) kind {
	s := l.src
	q := digits(s, p)
	n := q - p
	if has(s, q, '.') {
		f := digits(s, q+1)
		n += f - q - 1
		q = f
	}
	if n == 0 {
		return l.fail(p, "number expected")
	}
	if has(s, q, 'E') || has(s, q, 'e') {
		q++
		if has(s, q, '+') || has(s, q, '-') {
			q++
		}
		if !is(s, q, cDigit) {
			return l.fail(q, "digits expected in exponent")
		}
		q = digits(s, q)
	}
	if is(s, q, cAttach) {
		return l.fail(q, "operator expected after number")
	}
	l.tok.text = s[p:q]
	return l.take(tNumber, q)
}

func digits(s string, p int) int {
	for is(s, p, cDigit) {
		p++
	}
	return p
}

// errorCodes are the error literals; none is a prefix of another.
var errorCodes = [...]string{
	"#REF!", "#N/A", "#DIV/0!", "#VALUE!", "#NAME?", "#NULL!", "#NUM!",
	"#SPILL!", "#CALC!", "#GETTING_DATA", "#FIELD!", "#BLOCKED!", "#UNKNOWN!",
	"#CONNECT!", "#BUSY!", "#EXTERNAL!", "#PYTHON!", "#TIMEOUT!",
}

const refError = "#REF!"

func (l *lexer) errorValue(p int) kind {
	for _, code := range errorCodes {
		if end := p + len(code); end <= len(l.src) && equalFold(l.src[p:end], code) {
			l.tok.text = code
			if code == refError {
				end = deletedEnd(l.src, end)
			}
			return l.take(tError, end)
		}
	}
	return l.fail(p, "unknown error value")
}

// deletedEnd skips what remains of a reference into a deleted sheet, as in
// #REF!$A$1: its value is #REF! whatever follows.
func deletedEnd(s string, p int) int {
	if _, end, ok := scanRange(s, p); ok {
		return end
	}
	if end := p + len(refError); end <= len(s) && equalFold(s[p:end], refError) {
		return end
	}
	if is(s, p, cStart) {
		return wordEnd(s, p)
	}
	return p
}

// equalFold compares with ASCII letters in either case. Other letters must be
// equal: Unicode folding would make names equal that a workbook keeps apart.
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if upper(a[i]) != upper(b[i]) {
			return false
		}
	}
	return true
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// upperString is s with ASCII letters in upper case; s itself if it has none in
// lower case.
func upperString(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] != upper(s[i]) {
			return string(appendUpper(nil, s))
		}
	}
	return s
}

func appendUpper(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		dst = append(dst, upper(s[i]))
	}
	return dst
}
