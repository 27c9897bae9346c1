package inspect

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"winnow/internal/jvm/classfile"
)

// dotted writes an internal name as Java does. Canonical names have descriptors in them and stay as they are.
func dotted(internal string) string {
	if strings.ContainsAny(internal, ".()#") {
		return internal
	}
	return strings.ReplaceAll(internal, "/", ".")
}

// typeName writes a field descriptor as a Java type, and what is none as it is.
func typeName(desc string) string {
	name, rest := cutType(desc)
	if name == "" || rest != "" {
		return desc
	}
	return name
}

var primitives = map[byte]string{'B': "byte", 'C': "char", 'D': "double", 'F': "float", 'I': "int", 'J': "long", 'S': "short", 'Z': "boolean", 'V': "void"}

// cutType cuts the first type off a list of descriptors; "" if there is none.
func cutType(desc string) (name, rest string) {
	dims := len(desc) - len(strings.TrimLeft(desc, "["))
	desc = desc[dims:]
	if desc == "" {
		return "", ""
	}
	if p, ok := primitives[desc[0]]; ok {
		return p + strings.Repeat("[]", dims), desc[1:]
	}
	end := outside(desc, ';')
	if desc[0] != 'L' || end < 0 {
		return "", ""
	}
	return dotted(desc[1:end]) + strings.Repeat("[]", dims), desc[end+1:]
}

// outside is the index of the first c that is in no parentheses, -1 if there is none: canonical names have descriptors in them.
func outside(s string, c byte) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == c && depth == 0:
			return i
		case s[i] == '(':
			depth++
		case s[i] == ')':
			depth--
		}
	}
	return -1
}

// methodText writes a method as a Java declaration without flags, and what has no sound descriptor as it is.
func methodText(name, desc string) string {
	inside, ok := strings.CutPrefix(desc, "(")
	end := outside(inside, ')')
	if !ok || end < 0 {
		return name + desc
	}
	args, result := inside[:end], inside[end+1:]
	var types []string
	for args != "" {
		t, rest := cutType(args)
		if t == "" {
			return name + desc
		}
		types = append(types, t)
		args = rest
	}
	text := name + "(" + strings.Join(types, ", ") + ")"
	switch name {
	case "<init>", "<clinit>":
		return text
	}
	return typeName(result) + " " + text
}

// javaVersion names a class file version: "61.0 (Java 17)".
func javaVersion(major, minor int) string {
	text := fmt.Sprintf("%d.%d", major, minor)
	switch {
	case major > classfile.Newest:
		return text + fmt.Sprintf(" (newer than Java %d, the newest that is known)", NewestRelease)
	case major >= 49 && minor == 0xFFFF:
		return fmt.Sprintf("%d.preview (Java %d)", major, major-44)
	case major >= 49:
		return text + fmt.Sprintf(" (Java %d)", major-44)
	case major >= 45:
		return text + fmt.Sprintf(" (Java 1.%d)", max(1, major-44))
	}
	return text
}

// javaName names the Java version of a major version: "Java 17".
func javaName(major int) string {
	switch {
	case major >= 49 && major <= classfile.Newest:
		return fmt.Sprintf("Java %d", major-44)
	case major >= 45 && major < 49:
		return fmt.Sprintf("Java 1.%d", max(1, major-44))
	}
	return fmt.Sprintf("version %d", major)
}

// classKind is the word with which a class is declared.
func classKind(f classfile.Flags, record bool) string {
	switch {
	case f&classfile.Module != 0:
		return "module"
	case f&classfile.Annotation != 0:
		return "@interface"
	case f&classfile.Interface != 0:
		return "interface"
	case f&classfile.Enum != 0:
		return "enum"
	case record:
		return "record"
	}
	return "class"
}

// modifiers are the flags that Java writes in front of a class.
func modifiers(f classfile.Flags) string {
	f &^= classfile.Super | classfile.Annotation | classfile.Enum | classfile.Module
	if f&classfile.Interface != 0 {
		f &^= classfile.Interface | classfile.Abstract
	}
	return f.ClassText()
}

// constantText writes a constant that a field or an annotation may have; kind is a descriptor that tells booleans and characters from numbers.
func (t *teller) constantText(index uint16, kind string) string {
	c := t.c.Pool.At(index)
	switch c.Tag {
	case classfile.TagInteger:
		return intText(int32(c.Bits), kind)
	case classfile.TagLong:
		return strconv.FormatInt(int64(c.Bits), 10) + "L"
	case classfile.TagFloat:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(c.Bits))), 'g', -1, 32) + "f"
	case classfile.TagDouble:
		return strconv.FormatFloat(math.Float64frombits(c.Bits), 'g', -1, 64) + "d"
	case classfile.TagString:
		return strconv.Quote(t.text(c.A))
	case classfile.TagUtf8:
		return strconv.Quote(t.text(index))
	}
	return "a constant of kind " + c.Tag.String()
}

func intText(v int32, kind string) string {
	switch {
	case kind == "Z" && (v == 0 || v == 1):
		return strconv.FormatBool(v == 1)
	case kind == "C" && v >= 0 && v <= 0xFFFF:
		return strconv.QuoteRune(rune(v))
	}
	return strconv.Itoa(int(v))
}

// count says "1 class" or "3 classes".
func count(n int, word string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(word, "s"):
		word += "es"
	case strings.HasSuffix(word, "y"):
		word = strings.TrimSuffix(word, "y") + "ies"
	default:
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}

// join joins the words that are not empty.
func join(words ...string) string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}
