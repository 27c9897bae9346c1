package project

import (
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
)

// Find returns the program and the name of a class of this scope, as package methods asks for them.
func (m *Module) Find(e rts.Entity) (p *table.Program, class string, ok bool) {
	local, ok := m.snapshot.scope.local(e.Name)
	return m.program, local, ok && e.Kind == Class
}
