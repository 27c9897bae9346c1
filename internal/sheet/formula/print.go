package formula

import (
	"strconv"
	"strings"
)

// Print returns the text of a node, with nothing but the intersection operator
// left of its blanks: references and function names in upper case, everything
// else as written. Parsing the text gives an equal tree.
func Print(n Node) string {
	var p printer
	p.node(n)
	return string(p.dst)
}

// String returns the text of the formula; see [Print].
func (f *Formula) String() string { return Print(f.Root) }

type printer struct {
	dst []byte
	// quote makes the next sheet name quoted: in Rate:'S'!A1 the quotes keep
	// the range operator from being read as a 3-D reference.
	quote bool
}

func (p *printer) str(s string) { p.dst = append(p.dst, s...) }

func (p *printer) node(n Node) {
	switch n := n.(type) {
	case *Number:
		p.str(n.Text)
	case *Text:
		p.dst = appendQuoted(p.dst, n.Value, '"')
	case *Bool:
		p.str(boolText(n.Value))
	case *ErrorValue:
		p.str(n.Code)
	case *Array:
		p.array(n)
	case *Reference:
		p.prefix(n.Prefix)
		p.dst = n.Range.append(p.dst)
	case *Name:
		p.prefix(n.Prefix)
		p.str(n.Name)
	case *Table:
		p.prefix(n.Prefix)
		p.str(n.Name)
		p.str(n.Spec)
	case *Unary:
		p.str(n.Op.String())
		p.node(n.X)
	case *Postfix:
		p.node(n.X)
		p.str(n.Op.String())
	case *Binary:
		p.binary(n)
	case *Paren:
		p.list([]Node{n.X})
	case *Call:
		p.prefix(n.Prefix)
		p.str(n.Marker)
		p.str(n.Name)
		p.list(n.Args)
	case *Invoke:
		p.node(n.Fun)
		p.list(n.Args)
	}
	p.quote = false
}

func (p *printer) binary(n *Binary) {
	p.node(n.X)
	p.str(n.Op.String())
	p.quote = n.Op == OpRange
	p.node(n.Y)
}

// list prints nodes in parentheses.
func (p *printer) list(ns []Node) {
	p.quote = false
	p.str("(")
	for i, n := range ns {
		if i > 0 {
			p.str(",")
		}
		p.node(n)
	}
	p.str(")")
}

func (p *printer) array(a *Array) {
	sep := "{"
	for _, row := range a.Rows {
		for _, n := range row {
			p.str(sep)
			p.node(n)
			sep = ","
		}
		sep = ";"
	}
	p.str("}")
}

func (p *printer) prefix(x Prefix) {
	if x == (Prefix{}) {
		return
	}
	if !p.quote && x.bare() {
		p.str(x.Book)
		p.str(x.Sheet)
	} else {
		p.dst = appendQuoted(p.dst, x.text(), '\'')
	}
	p.str("!")
}

// text is the prefix as it stands between quotes.
func (x Prefix) text() string {
	if x.Last == "" {
		return x.Book + x.Sheet
	}
	return x.Book + x.Sheet + ":" + x.Last
}

// bare says whether the prefix can be printed without quotes. It may say no
// without need.
func (x Prefix) bare() bool {
	if x.Last != "" || !bareBook(x.Book) {
		return false
	}
	if x.Sheet == "" {
		return true
	}
	for i := 0; i < len(x.Sheet); i++ {
		c := x.Sheet[i]
		if class[c]&cPart == 0 || c >= 0x80 || c == '?' || c == '\\' {
			return false
		}
	}
	if _, _, k := scanCorner(x.Sheet, 0); k != noCorner {
		return false
	}
	return class[x.Sheet[0]]&cStart != 0 && !equalFold(x.Sheet, "TRUE") && !equalFold(x.Sheet, "FALSE")
}

func bareBook(book string) bool {
	if book == "" {
		return true
	}
	n := strings.TrimSuffix(strings.TrimPrefix(book, "["), "]")
	_, err := strconv.ParseUint(n, 10, 32)
	return err == nil && len(n) == len(book)-2
}

// append prints a range as written, in upper case.
func (r Range) append(dst []byte) []byte {
	dst = r.From.append(dst, r.Shape)
	if r.Shape == Single {
		return dst
	}
	dst = append(dst, ':')
	return r.To.append(dst, r.Shape)
}

func (c Corner) append(dst []byte, s Shape) []byte {
	if s != Rows {
		if c.AbsCol {
			dst = append(dst, '$')
		}
		dst = appendColumn(dst, int(c.Col))
	}
	if s != Columns {
		if c.AbsRow {
			dst = append(dst, '$')
		}
		dst = strconv.AppendInt(dst, int64(c.Row), 10)
	}
	return dst
}

// appendColumn prints a column number as letters.
func appendColumn(dst []byte, col int) []byte {
	if col > 26 {
		dst = appendColumn(dst, (col-1)/26)
	}
	return append(dst, byte('A'+(col-1)%26))
}

// appendQuoted prints s between quotes, with quotes in it doubled.
func appendQuoted(dst []byte, s string, q byte) []byte {
	dst = append(dst, q)
	for i := 0; i < len(s); i++ {
		if s[i] == q {
			dst = append(dst, q)
		}
		dst = append(dst, s[i])
	}
	return append(dst, q)
}

func boolText(b bool) string {
	if b {
		return "TRUE"
	}
	return "FALSE"
}
