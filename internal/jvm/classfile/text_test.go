package classfile_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"winnow/internal/jvm/classfile"
)

func TestText(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""}, {"java/lang/Object", "java/lang/Object"},
		{"a\xc0\x80b", "a\x00b"},
		{"\xc3\xa4", "ä"}, {"\xe2\x82\xac", "€"},
		{"\xed\xa0\xbd\xed\xb8\x80", "😀"},
		{"\xed\xa0\xbd", "\uFFFD"}, {"\xed\xb8\x80\xed\xa0\xbd", "\uFFFD\uFFFD"},
		{"\x00", "\uFFFD"}, {"\x80", "\uFFFD"}, {"\xc3", "\uFFFD"}, {"\xc3x", "\uFFFDx"}, {"\xe2\x82", "\uFFFD\uFFFD"}, {"\xe2\x82x", "\uFFFD\uFFFDx"},
		{"\xf0\x9f\x98\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"}, {"\xff", "\uFFFD"},
	}
	for _, test := range tests {
		if got := classfile.Text(test.in); got != test.want {
			t.Errorf("Text(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

// modified encodes text as JVMS 4.4.7 says: each UTF-16 code unit in one to three bytes, U+0000 in two.
func modified(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		switch {
		case u != 0 && u < 0x80:
			b.WriteByte(byte(u))
		case u < 0x800:
			b.Write([]byte{0xC0 | byte(u>>6), 0x80 | byte(u&0x3F)})
		default:
			b.Write([]byte{0xE0 | byte(u>>12), 0x80 | byte(u>>6&0x3F), 0x80 | byte(u&0x3F)})
		}
	}
	return b.String()
}

// plainText is Text written without looking at its code: it replaces what is wrong and lets the standard library pair the surrogates.
func plainText(s string) string {
	var units []uint16
	for len(s) > 0 {
		var a, b, c byte = s[0], 0, 0
		if len(s) > 1 {
			b = s[1]
		}
		if len(s) > 2 {
			c = s[2]
		}
		n, u := 1, uint16(0xFFFD)
		if a >= 1 && a <= 0x7F {
			u = uint16(a)
		} else if a >= 0xC0 && a <= 0xDF && b >= 0x80 && b <= 0xBF {
			n, u = 2, (uint16(a)-0xC0)*64+uint16(b)-0x80
		} else if a >= 0xE0 && a <= 0xEF && b >= 0x80 && b <= 0xBF && c >= 0x80 && c <= 0xBF {
			n, u = 3, (uint16(a)-0xE0)*4096+(uint16(b)-0x80)*64+uint16(c)-0x80
		}
		units, s = append(units, u), s[n:]
	}
	return string(utf16.Decode(units))
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "plain", "a\xc0\x80b", "ä€😀", "\xed\xa0\xbd\xed\xb8\x80", "\xed\xb8\x80", "\xe2\x82", "\xff\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := classfile.Text(s), plainText(s); got != want {
			t.Errorf("Text(%q) = %q, want %q", s, got, want)
		}
		text := string([]rune(s)) // valid UTF-8
		if got := classfile.Text(modified(text)); got != text {
			t.Errorf("Text of %q encoded = %q", text, got)
		}
	})
}
