package lower

import (
	"strings"

	"winnow/internal/semantics/minijvm"
)

// The classes that run lowered programs; their sources are in host.
const (
	labPackage  = "winnow/lab/"
	guardClass  = labPackage + "Guard"
	plainClass  = labPackage + "Plain"
	objectType  = "java/lang/Throwable"
	errorClass  = "java/lang/Error"
	testCase    = "junit/framework/TestCase"
	startMethod = "check"
)

// builtIn are the classes that stand for the built-in ones.
var builtIn = map[minijvm.ClassID]string{
	minijvm.Object:                       objectType,
	minijvm.NullPointer:                  labPackage + "NullPointer",
	minijvm.ClassCast:                    labPackage + "ClassCast",
	minijvm.OutOfMemory:                  "java/lang/OutOfMemoryError",
	minijvm.NoClassDefFoundError:         "java/lang/NoClassDefFoundError",
	minijvm.IncompatibleClassChangeError: "java/lang/IncompatibleClassChangeError",
	minijvm.NoSuchFieldError:             "java/lang/NoSuchFieldError",
	minijvm.NoSuchMethodError:            "java/lang/NoSuchMethodError",
}

// Native names of the exceptions that a bare program gets.
var bareNames = map[minijvm.ClassID]string{
	minijvm.NullPointer: "java/lang/NullPointerException",
	minijvm.ClassCast:   "java/lang/ClassCastException",
}

// class is the name of a class in class files.
func (l *lowering) class(c minijvm.ClassID) string {
	if name, ok := bareNames[c]; ok && l.bare {
		return name
	}
	if name, ok := builtIn[c]; ok {
		return name
	}
	return l.prefix + l.p.Names.Class(c)
}

// created is the class that New makes an instance of.
func (l *lowering) created(c minijvm.ClassID) string {
	if c == minijvm.Object {
		return plainClass
	}
	return l.class(c)
}

// member is the name of a field or method in class files. It cannot be one of Throwable.
func (l *lowering) member(m minijvm.MemberID) string {
	if m == minijvm.Clinit {
		return "<clinit>"
	}
	return "_" + l.p.Names.Member(m)
}

func (l *lowering) descriptor(t minijvm.Type) string {
	switch t {
	case minijvm.Void:
		return "V"
	case minijvm.Boolean:
		return "Z"
	case minijvm.Int:
		return "I"
	}
	c, _ := t.Class()
	return "L" + l.class(c) + ";"
}

func (l *lowering) signature(m *minijvm.Method) string {
	var b strings.Builder
	b.WriteByte('(')
	for _, t := range m.Params {
		b.WriteString(l.descriptor(t))
	}
	return b.String() + ")" + l.descriptor(m.Result)
}

// plainName tells whether a name can be part of the name of a class or member in class files.
func plainName(name string) bool { return name != "" && !strings.ContainsAny(name, ".;[/<>!$ \t\n") }
