package project

import "strings"

// keptIn begins the label of what a test inherits through state that outlives a test (S8.10).
const keptIn = "what is kept in "

// A Tie is state through which a test depends on others of its JVM.
type Tie struct {
	// State names it for people: a class and its field.
	State string
	// Class is the class of the field by its name in class files, "" if the label stands for several.
	Class string
}

// TieOf returns the tie that a footprint with this label stands for. State of the test frameworks is none: they fill it themselves whenever it is missing.
func TieOf(label string) (Tie, bool) {
	state, ok := strings.CutPrefix(label, keptIn)
	if !ok {
		return Tie{}, false
	}
	if strings.Contains(state, " ") { // … and others
		return Tie{State: strings.ReplaceAll(state, "/", ".")}, true
	}
	class := internalName(state[:max(0, strings.LastIndexByte(state, '.'))])
	return Tie{strings.ReplaceAll(state, "/", "."), class}, !inFramework(class)
}

// ClassUse is the name of the entity that a class of this execution is, as records have it.
func (m *Module) ClassUse(class string) string { return m.scope.name(class) }
