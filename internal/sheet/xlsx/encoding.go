package xlsx

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// toUTF8 returns the text of an XML part in UTF-8 without a byte order mark.
// XML parts of a package are in UTF-8 or UTF-16 (ECMA-376 part 2, 9.1.3.1).
func toUTF8(part string, b []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(b, []byte{0xEF, 0xBB, 0xBF}):
		b = b[3:]
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE}):
		return fromUTF16(part, b[2:], binary.LittleEndian)
	case bytes.HasPrefix(b, []byte{0xFE, 0xFF}):
		return fromUTF16(part, b[2:], binary.BigEndian)
	case bytes.HasPrefix(b, []byte{'<', 0}):
		return fromUTF16(part, b, binary.LittleEndian)
	case bytes.HasPrefix(b, []byte{0, '<'}):
		return fromUTF16(part, b, binary.BigEndian)
	}
	if err := checkDeclared(part, b); err != nil {
		return nil, err
	}
	if !utf8.Valid(b) {
		return nil, fault(ErrDamaged, part, "is not valid UTF-8")
	}
	return b, nil
}

// fromUTF16 refuses halves of surrogate pairs, since replacing them would make
// different texts equal.
func fromUTF16(part string, b []byte, order binary.ByteOrder) ([]byte, error) {
	bad := fault(ErrDamaged, part, "is not valid UTF-16")
	if len(b)%2 != 0 {
		return nil, bad
	}
	out := make([]byte, 0, len(b)/2)
	for i := 0; i < len(b); i += 2 {
		r := rune(order.Uint16(b[i:]))
		if utf16.IsSurrogate(r) {
			i += 2
			if i >= len(b) {
				return nil, bad
			}
			if r = utf16.DecodeRune(r, rune(order.Uint16(b[i:]))); r == utf8.RuneError {
				return nil, bad
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out, nil
}

// checkDeclared refuses a declared encoding other than UTF-8. UTF-16 text has
// been recognised by its first bytes, so a declaration of it here is false.
func checkDeclared(part string, b []byte) error {
	if !bytes.HasPrefix(b, []byte("<?xml")) {
		return nil
	}
	end := bytes.Index(b, []byte("?>"))
	if end < 0 {
		return fault(ErrDamaged, part, "the XML declaration does not end")
	}
	enc := declaredEncoding(string(b[:end]))
	switch strings.ToLower(enc) {
	case "", "utf-8", "utf8", "us-ascii":
		return nil
	}
	return fault(ErrUnsupported, part, "is declared to be in encoding %.20q; workbooks use UTF-8 or UTF-16", enc)
}

func declaredEncoding(decl string) string {
	_, after, ok := strings.Cut(decl, "encoding")
	if !ok {
		return ""
	}
	after = strings.TrimLeft(after, " \t\r\n=")
	if after == "" || after[0] != '"' && after[0] != '\'' {
		return "?"
	}
	enc, _, ok := strings.Cut(after[1:], after[:1])
	if !ok {
		return "?"
	}
	return enc
}
