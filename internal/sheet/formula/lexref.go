package formula

import "strings"

// cornerKind tells which coordinates a corner has.
type cornerKind uint8

const (
	noCorner cornerKind = iota
	cellCorner
	colCorner
	rowCorner
)

// scanCorner reads [$]letters[$]digits, [$]letters or [$]digits within the
// limits of a sheet.
func scanCorner(s string, p int) (c Corner, end int, k cornerKind) {
	dollar := has(s, p, '$')
	if dollar {
		p++
	}
	q := p
	col := int32(0)
	for q < len(s) && q-p < 4 && 'a' <= s[q]|0x20 && s[q]|0x20 <= 'z' {
		col = col*26 + int32(s[q]|0x20-'a') + 1
		q++
	}
	if q == p {
		c.AbsRow = dollar
		c.Row, end = scanRow(s, q)
		return c, end, ifRow(c.Row, rowCorner)
	}
	if col > MaxCol {
		return c, q, noCorner
	}
	c.Col, c.AbsCol = col, dollar
	c.AbsRow = has(s, q, '$')
	if c.AbsRow {
		q++
	} else if !is(s, q, cDigit) {
		return c, q, colCorner
	}
	c.Row, end = scanRow(s, q)
	return c, end, ifRow(c.Row, cellCorner)
}

func ifRow(row int32, k cornerKind) cornerKind {
	if row == 0 {
		return noCorner
	}
	return k
}

// scanRow reads a row number; 0 if there is none or if it is out of the sheet.
func scanRow(s string, p int) (row int32, end int) {
	for is(s, p, cDigit) {
		row = row*10 + int32(s[p]-'0')
		if row > MaxRow {
			return 0, p
		}
		p++
	}
	return row, p
}

// scanRange reads a cell, an area, whole columns or whole rows. It fails where
// the text goes on as something else: a longer name, a function, a sheet.
func scanRange(s string, p int) (r Range, end int, ok bool) {
	from, end, k := scanCorner(s, p)
	if k == noCorner || is(s, end, cAttach) {
		return r, p, false
	}
	if q := skipBlanks(s, end); has(s, q, ':') {
		to, end2, k2 := scanCorner(s, skipBlanks(s, q+1))
		// In A1:B2# the spill operator belongs to B2 alone.
		spill := k == cellCorner && has(s, end2, '#')
		if k2 == k && !is(s, end2, cAttach) && !spill {
			return span(from, to, k), end2, true
		}
	}
	return Range{From: from, To: from}, end, k == cellCorner
}

// span makes the range between two corners of the same kind. Open coordinates
// are absolute, so that nothing but printing needs to know that they are open.
func span(from, to Corner, k cornerKind) Range {
	r := Range{From: from, To: to, Shape: Area}
	switch k {
	case colCorner:
		r.Shape = Columns
		r.From.Row, r.From.AbsRow = 1, true
		r.To.Row, r.To.AbsRow = MaxRow, true
	case rowCorner:
		r.Shape = Rows
		r.From.Col, r.From.AbsCol = 1, true
		r.To.Col, r.To.AbsCol = MaxCol, true
	}
	return r
}

// word reads an operand that begins with a letter, a digit or "$".
func (l *lexer) word(p int) kind {
	if r, end, ok := scanRange(l.src, p); ok {
		l.tok.rng = r
		return l.take(tRef, end)
	}
	end := wordEnd(l.src, p)
	if end == p {
		return l.fail(p, "operand expected")
	}
	if has(l.src, end, '!') {
		return l.sheet(p, end)
	}
	if class[l.src[p]]&cStart == 0 {
		return l.number(p)
	}
	if last, after, ok := l.lastSheet(p, end); ok {
		l.tok.prefix.Sheet, l.tok.prefix.Last = l.src[p:end], last
		return l.afterPrefix(after)
	}
	return l.name(p, end)
}

// sheet reads the unquoted sheet name src[p:end] and what follows its "!".
func (l *lexer) sheet(p, end int) kind {
	l.tok.prefix.Sheet = l.src[p:end]
	if !sheetName(l.tok.prefix.Sheet) {
		return l.fail(p, "sheet name expected before !")
	}
	return l.afterPrefix(end + 1)
}

// sheetName says whether a word can be a sheet name: in quotes, a text with
// these characters would be the path of a workbook.
func sheetName(word string) bool { return !strings.ContainsAny(word, `\?`) }

// lastSheet finds the second half of the prefix of a 3-D reference such as
// Jan:Mar!A1, whose first half is src[p:end]. A first half that is a cell makes
// it the range operator: such a sheet name would be in quotes.
func (l *lexer) lastSheet(p, end int) (last string, after int, ok bool) {
	q := skipBlanks(l.src, end)
	if !has(l.src, q, ':') {
		return "", 0, false
	}
	if _, cellEnd, k := scanCorner(l.src, p); k == cellCorner && cellEnd == end {
		return "", 0, false
	}
	q = skipBlanks(l.src, q+1)
	e := wordEnd(l.src, q)
	if e == q || !has(l.src, e, '!') || !sheetName(l.src[p:e]) {
		return "", 0, false
	}
	return l.src[q:e], e + 1, true
}

// afterPrefix reads what a sheet or workbook prefix qualifies.
func (l *lexer) afterPrefix(p int) kind {
	if r, end, ok := scanRange(l.src, p); ok {
		l.tok.rng = r
		return l.take(tRef, end)
	}
	if has(l.src, p, '#') {
		if l.errorValue(p) == tError && l.tok.text != refError {
			return l.fail(p, "reference expected after !")
		}
		l.tok.prefix = Prefix{}
		return l.tok.kind
	}
	end := wordEnd(l.src, p)
	if end == p || class[l.src[p]]&cStart == 0 {
		return l.fail(p, "reference expected after !")
	}
	return l.name(p, end)
}

// name reads the word src[p:end], known not to be a reference to cells: a
// function call, a table reference, a boolean or a name.
func (l *lexer) name(p, end int) kind {
	l.tok.text = l.src[p:end]
	plain := l.tok.prefix == Prefix{}
	switch {
	case has(l.src, end, '('):
		return l.take(tFunc, end+1)
	case has(l.src, end, '['):
		return l.table(end)
	case plain && l.boolean(p, end):
		return tBool
	case plain && is(l.src, end, cBlank) && l.detachedCall(p, end):
		return tFunc
	}
	return l.take(tName, end)
}

// detachedCall reads a function name, blanks and "(". Only a known function is
// one: NAME (A1) is otherwise an intersection.
func (l *lexer) detachedCall(p, end int) bool {
	q := skipBlanks(l.src, end)
	if !has(l.src, q, '(') || !isKnown(l.src[p:end]) {
		return false
	}
	if _, cellEnd, k := scanCorner(l.src, p); k == cellCorner && cellEnd == end {
		return false
	}
	l.take(tFunc, q+1)
	return true
}

func (l *lexer) boolean(p, end int) bool {
	w := l.src[p:end]
	detached := has(l.src, skipBlanks(l.src, end), '(')
	if detached || !equalFold(w, "TRUE") && !equalFold(w, "FALSE") {
		return false
	}
	l.tok.text = "FALSE"
	if len(w) == len("TRUE") {
		l.tok.text = "TRUE"
	}
	l.take(tBool, end)
	return true
}

// table reads the brackets of a table reference at p; text is the table.
func (l *lexer) table(p int) kind {
	// R[1] and C[1] are relative references in the normal form, and no table
	// can have such a name.
	if equalFold(l.tok.text, "R") || equalFold(l.tok.text, "C") {
		return l.fail(p, "R and C are not table names")
	}
	end, ok := bracketsEnd(l.src, p)
	if !ok {
		return l.fail(p, "table reference not closed")
	}
	l.tok.spec = l.src[p:end]
	return l.take(tTable, end)
}

// bracketsEnd returns the end of the balanced brackets at p; "'" takes the
// meaning from the character after it.
func bracketsEnd(s string, p int) (end int, ok bool) {
	depth := 0
	for ; p < len(s); p++ {
		switch s[p] {
		case '\'':
			p++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return p + 1, true
			}
		}
	}
	return p, false
}

// bracket reads an operand that begins with "[": an external reference such as
// [1]Sheet1!A1 or [1]!Name, or a reference within the formula's own table.
func (l *lexer) bracket(p int) kind {
	n := strings.IndexByte(l.src[p:], ']')
	if n < 0 {
		return l.fail(p, "[ not closed")
	}
	book, after := l.src[p:p+n+1], p+n+1
	if has(l.src, after, '!') {
		l.tok.prefix.Book = book
		return l.afterPrefix(after + 1)
	}
	if end := wordEnd(l.src, after); end > after {
		l.tok.prefix = Prefix{Book: book, Sheet: l.src[after:end]}
		if has(l.src, end, '!') {
			return l.sheet(after, end)
		}
		if last, next, ok := l.lastSheet(after, end); ok {
			l.tok.prefix.Last = last
			return l.afterPrefix(next)
		}
		return l.fail(end, "! expected after external sheet")
	}
	return l.table(p)
}

// quotedPrefix reads 'Sheet'! and what follows it.
func (l *lexer) quotedPrefix(p int) kind {
	q, doubled := p+1, false
	for {
		n := strings.IndexByte(l.src[q:], '\'')
		if n < 0 {
			return l.fail(p, "sheet name not closed")
		}
		q += n
		if !has(l.src, q+1, '\'') {
			break
		}
		doubled = true
		q += 2
	}
	inner := l.src[p+1 : q]
	if doubled {
		inner = strings.ReplaceAll(inner, "''", "'")
	}
	if !has(l.src, q+1, '!') {
		return l.fail(q+1, "! expected after sheet name")
	}
	prefix, ok := splitPrefix(inner)
	if !ok {
		return l.fail(p, "empty sheet name")
	}
	l.tok.prefix = prefix
	return l.afterPrefix(q + 2)
}

// splitPrefix takes the text of a quoted prefix apart. A text that cannot be a
// sheet name, since it has a path in it, is a workbook.
func splitPrefix(s string) (p Prefix, ok bool) {
	if i := strings.LastIndexByte(s, ']'); i >= 0 {
		p.Book, s = s[:i+1], s[i+1:]
		if s == "" {
			return p, true
		}
	} else if strings.ContainsAny(s, `\/*?[`) {
		return Prefix{Book: s}, true
	}
	p.Sheet = s
	if i := strings.IndexByte(s, ':'); i >= 0 {
		p.Sheet, p.Last = s[:i], s[i+1:]
		return p, p.Sheet != "" && p.Last != "" && !strings.Contains(p.Last, ":")
	}
	return p, p.Sheet != ""
}
