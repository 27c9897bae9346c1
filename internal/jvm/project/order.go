package project

import (
	"path/filepath"
	"slices"
	"strings"

	"winnow/internal/rts"
)

// keptIn begins the label of what a test inherits through state that outlives a test (S8.10).
const keptIn = "what is kept in "

// doneBy begins the labels of what a test did, as others have it that found a file, a property or a default which it left.
const doneBy = "what was done by "

// and stands between what one label names.
const and = " and "

// LeftBehind tells whether a footprint with this label is what others left behind.
func LeftBehind(label string) bool {
	return strings.HasPrefix(label, keptIn) || strings.HasPrefix(label, doneBy)
}

// A Tie is state through which a test depends on others of its JVM.
type Tie struct {
	// State names it for people: a class and its field.
	State string
	// Class is the class of the field by its name in class files, the first one if the label stands for several.
	Class string
	// Several: the label stands for other state, too.
	Several bool
}

// TieOf returns the tie that a footprint with this label stands for. State of the test frameworks is none: they fill it themselves whenever it is missing.
func TieOf(label string) (Tie, bool) {
	state, ok := strings.CutPrefix(label, keptIn)
	if !ok {
		return Tie{}, false
	}
	first, _, several := strings.Cut(state, and)
	class := internalName(first[:max(0, strings.LastIndexByte(first, '.'))])
	return Tie{strings.ReplaceAll(state, "/", "."), class, several}, several || !inFramework(class)
}

// Fields are the fields and the like that a tie stands for.
func (t Tie) Fields() []string { return strings.Split(t.State, and) }

// InLibrary tells whether a class is one of a jar. What libraries keep they fill themselves whenever it is missing.
func (m *Module) InLibrary(class string) bool { return filepath.Ext(m.program.Place(class)) == ".jar" }

// IsStatic tells whether a tie is to a static field of the project, or to the constants of an enum. Notes tell which tests change it; what only fills it when it is missing does so for each test alike.
func (m *Module) IsStatic(tie Tie) bool {
	t, err := m.program.Table(tie.Class)
	if err != nil || t == nil || tie.Several {
		return false
	}
	name := tie.State[strings.LastIndexByte(tie.State, '.')+1:]
	return name == "values()" || t.HasStatic(name)
}

// containers are classes by which libraries are known that make objects of the project and keep them for later tests.
var containers = []string{"org/springframework/beans/factory/BeanFactory", "javax/inject/Inject", "jakarta/inject/Inject"}

// HasContainer tells whether a library may keep objects of the project that no static field of the project leads to.
func (m *Module) HasContainer() bool {
	return slices.ContainsFunc(containers, func(class string) bool { return m.program.Place(class) != "" })
}

// SameClass tells whether two tests have the same outermost class.
func (m *Module) SameClass(one, other rts.TestID) bool {
	a, _ := m.MethodOf(one)
	b, _ := m.MethodOf(other)
	return topClass(a) == topClass(b)
}

// ClassUse is the name of the entity that a class of this execution is, as records have it.
func (m *Module) ClassUse(class string) string { return m.scope.name(class) }
