package classfile

import "strings"

// Flags are access and property flags of a class, member, parameter or module part.
type Flags uint16

// The flags. Some bits mean different things in different places.
const (
	Public       Flags = 0x0001
	Private      Flags = 0x0002
	Protected    Flags = 0x0004
	Static       Flags = 0x0008
	Final        Flags = 0x0010
	Super        Flags = 0x0020 // classes
	Synchronized Flags = 0x0020 // methods
	Open         Flags = 0x0020 // modules
	Transitive   Flags = 0x0020 // required modules
	Volatile     Flags = 0x0040 // fields
	StaticPhase  Flags = 0x0040 // required modules
	Bridge       Flags = 0x0040 // methods
	Transient    Flags = 0x0080 // fields
	Varargs      Flags = 0x0080 // methods
	Native       Flags = 0x0100 // methods
	Interface    Flags = 0x0200 // classes
	Abstract     Flags = 0x0400
	Strict       Flags = 0x0800 // methods
	Synthetic    Flags = 0x1000
	Annotation   Flags = 0x2000 // classes
	Enum         Flags = 0x4000 // classes and fields
	Module       Flags = 0x8000 // classes
	Mandated     Flags = 0x8000 // parameters, modules and their parts
)

// A flagPlace tells which meaning ambiguous bits have.
type flagPlace int

const (
	inClass flagPlace = iota
	inField
	inMethod
)

var flagNames = [3][16]string{
	inClass:  {"public", "private", "protected", "static", "final", "super", "0x40", "0x80", "0x100", "interface", "abstract", "0x800", "synthetic", "annotation", "enum", "module"},
	inField:  {"public", "private", "protected", "static", "final", "0x20", "volatile", "transient", "0x100", "0x200", "0x400", "0x800", "synthetic", "0x2000", "enum", "0x8000"},
	inMethod: {"public", "private", "protected", "static", "final", "synchronized", "bridge", "varargs", "native", "0x200", "abstract", "strict", "synthetic", "0x2000", "0x4000", "0x8000"},
}

// ClassText gives the flags of a class in words, separated by blanks.
func (f Flags) ClassText() string { return f.text(inClass) }

// FieldText gives the flags of a field in words.
func (f Flags) FieldText() string { return f.text(inField) }

// MethodText gives the flags of a method in words.
func (f Flags) MethodText() string { return f.text(inMethod) }

func (f Flags) text(place flagPlace) string {
	var words []string
	for bit, name := range flagNames[place] {
		if f&(1<<bit) != 0 {
			words = append(words, name)
		}
	}
	return strings.Join(words, " ")
}
