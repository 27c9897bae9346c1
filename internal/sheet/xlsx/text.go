package xlsx

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// How a byte of character data is treated when it is copied.
const (
	asIs    = iota
	ref     // & begins a reference
	lineEnd // \r or \r\n becomes \n
	toSpace // white space in an attribute value becomes a space
	illegal // not a character of XML 1.0
)

// textBytes and attrBytes say how each byte is treated in text and in
// attribute values.
var textBytes, attrBytes = byteTables()

func byteTables() (text, attr [256]uint8) {
	for c := range 0x20 {
		text[c] = illegal
	}
	text['\t'], text['\n'], text['\r'], text['&'] = asIs, asIs, lineEnd, ref
	attr = text
	attr['\t'], attr['\n'], attr['\r'] = toSpace, toSpace, toSpace
	return text, attr
}

// decode appends character data to dst, with references replaced and line ends
// normalised.
func (s *scanner) decode(dst, raw []byte, table *[256]uint8) ([]byte, error) {
	for {
		n := plain(raw, table)
		dst = append(dst, raw[:n]...)
		if n == len(raw) {
			return dst, nil
		}
		c := raw[n]
		raw = raw[n+1:]
		switch table[c] {
		case lineEnd:
			if len(raw) > 0 && raw[0] == '\n' {
				raw = raw[1:]
			}
			dst = append(dst, '\n')
		case toSpace:
			if c == '\r' && len(raw) > 0 && raw[0] == '\n' {
				raw = raw[1:]
			}
			dst = append(dst, ' ')
		case ref:
			r, size, ok := reference(raw)
			if !ok {
				return dst, s.damaged("unknown reference &%.20s", raw)
			}
			dst = utf8.AppendRune(dst, r)
			raw = raw[size:]
		default:
			return dst, s.damaged("control character %#02x", c)
		}
	}
}

// plain returns the length of the longest prefix that is copied as it is.
func plain(raw []byte, table *[256]uint8) int {
	for i, c := range raw {
		if table[c] != asIs {
			return i
		}
	}
	return len(raw)
}

// reference decodes what follows an ampersand. No entity but the five of XML
// itself exists, because DOCTYPE is refused.
func reference(raw []byte) (r rune, size int, ok bool) {
	end := bytes.IndexByte(raw[:min(len(raw), 12)], ';')
	if end < 1 {
		return 0, 0, false
	}
	size = end + 1
	switch name := string(raw[:end]); name {
	case "lt":
		return '<', size, true
	case "gt":
		return '>', size, true
	case "amp":
		return '&', size, true
	case "quot":
		return '"', size, true
	case "apos":
		return '\'', size, true
	default:
		r, ok = charRef(name)
		return r, size, ok
	}
}

func charRef(name string) (rune, bool) {
	if name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], 10
	if len(digits) > 0 && digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n > utf8.MaxRune || !isXMLChar(rune(n)) {
		return 0, false
	}
	return rune(n), true
}

func isXMLChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && utf8.ValidRune(r) && r != 0xFFFE && r != 0xFFFF
}

// value returns the decoded value of an attribute.
func (s *scanner) value(a attr) (string, error) {
	if plain(a.raw, &attrBytes) == len(a.raw) {
		return string(a.raw), nil
	}
	b, err := s.decode(nil, a.raw, &attrBytes)
	if err != nil {
		return "", err
	}
	return string(b), nil
}

// cdata appends the CDATA section at pos to dst.
func (s *scanner) cdata(dst []byte) ([]byte, error) {
	from := s.pos + len("<![CDATA[")
	n := bytes.Index(s.src[from:], []byte("]]>"))
	if n < 0 {
		return dst, s.damaged("a CDATA section does not end")
	}
	s.pos = from + n + 3
	return s.decode(dst, s.src[from:from+n], &cdataBytes)
}

// cdataBytes is textBytes without references.
var cdataBytes = func() [256]uint8 {
	t := textBytes
	t['&'] = asIs
	return t
}()

// misc skips the comment, processing instruction or ignorable CDATA section at
// pos, and refuses everything else that begins with "<!".
func (s *scanner) misc() error {
	rest := s.src[s.pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		return s.past(4, "-->")
	case bytes.HasPrefix(rest, []byte("<?")):
		return s.past(2, "?>")
	case bytes.HasPrefix(rest, []byte("<![CDATA[")) && len(s.open) > 0:
		return s.past(9, "]]>")
	case bytes.HasPrefix(rest, []byte("<!DOCTYPE")):
		e := s.damaged("a DOCTYPE declaration, which no workbook may contain")
		return e.advise("do not open it: such files are made to attack readers")
	}
	return s.damaged("unknown markup %.12q", rest)
}

func (s *scanner) past(skip int, end string) error {
	n := bytes.Index(s.src[s.pos+skip:], []byte(end))
	if n < 0 {
		return s.damaged("%q is missing", end)
	}
	s.pos += skip + n + len(end)
	return nil
}

// unescape decodes the escapes _xHHHH_ of b in place and returns the shorter
// slice. An escape that names half of a surrogate pair stays as it is: every
// replacement for it would make different strings equal.
func unescape(b []byte) []byte {
	i := bytes.Index(b, []byte("_x"))
	if i < 0 {
		return b
	}
	out := b[:i]
	for i < len(b) {
		r, size := escape(b[i:])
		if size == 0 {
			out = append(out, b[i])
			i++
			continue
		}
		out = utf8.AppendRune(out, r)
		i += size
	}
	return out
}

// escape decodes the escape, or the surrogate pair of two escapes, that b
// begins with; size 0 means that there is none.
func escape(b []byte) (r rune, size int) {
	hi, ok := escapeUnit(b)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(hi) {
		return hi, 7
	}
	lo, ok := escapeUnit(b[7:])
	if r = utf16.DecodeRune(hi, lo); !ok || r == utf8.RuneError {
		return 0, 0
	}
	return r, 14
}

func escapeUnit(b []byte) (rune, bool) {
	if len(b) < 7 || b[0] != '_' || b[1] != 'x' || b[6] != '_' {
		return 0, false
	}
	var r rune
	for _, c := range b[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
