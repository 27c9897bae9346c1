package classfile

import "unicode/utf16"

// Text turns modified UTF-8, the encoding of names and strings in class files (JVMS 4.4.7), into readable text. What is not valid there becomes
// the replacement character, so Text is for people and never for comparing.
func Text(s string) string {
	plain := true
	for i := 0; i < len(s); i++ {
		if s[i] == 0 || s[i] >= 0x80 {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	return string(utf16.Decode(units(s)))
}

// units are the UTF-16 code units of modified UTF-8.
func units(s string) []uint16 {
	var out []uint16
	for i := 0; i < len(s); {
		u, n := unit(s[i:])
		out = append(out, u)
		i += n
	}
	return out
}

func unit(s string) (uint16, int) {
	cont := func(i int) bool { return i < len(s) && s[i]&0xC0 == 0x80 }
	switch b := s[0]; {
	case b != 0 && b < 0x80:
		return uint16(b), 1
	case b&0xE0 == 0xC0 && cont(1):
		return uint16(b&0x1F)<<6 | uint16(s[1]&0x3F), 2
	case b&0xF0 == 0xE0 && cont(1) && cont(2):
		return uint16(b&0x0F)<<12 | uint16(s[1]&0x3F)<<6 | uint16(s[2]&0x3F), 3
	}
	return 0xFFFD, 1
}
