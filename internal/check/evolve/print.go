package evolve

import (
	"fmt"
	"strings"
)

// path is the file of a top-level class.
func (c *Class) path() string {
	if c.Package == "" {
		return c.Name + ".java"
	}
	return strings.ReplaceAll(c.Package, ".", "/") + "/" + c.Name + ".java"
}

// Sources prints a program, one file for each top-level class.
func (p *Program) Sources() map[string]string {
	out := make(map[string]string, len(p.Classes))
	for _, c := range p.Classes {
		out[c.path()] = c.String()
	}
	return out
}

// String prints the file of a top-level class.
func (c *Class) String() string {
	w := &printer{}
	if c.Package != "" {
		w.line("package %s;", c.Package)
		w.line("")
	}
	for _, name := range c.Imports {
		w.line("import %s;", name)
	}
	if len(c.Imports) > 0 {
		w.line("")
	}
	w.class(c)
	return w.b.String()
}

type printer struct {
	b     strings.Builder
	depth int
}

func (w *printer) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if text != "" {
		w.b.WriteString(strings.Repeat("    ", w.depth))
	}
	w.b.WriteString(text)
	w.b.WriteByte('\n')
}

func (w *printer) class(c *Class) {
	for _, a := range c.Annotations {
		w.line("%s", a)
	}
	w.line("%s {", c.header())
	w.depth++
	if c.Kind == EnumKind {
		w.constants(c.Constants)
	}
	for i, m := range c.Members {
		if i > 0 && (m.Kind != FieldMember || c.Members[i-1].Kind != FieldMember) {
			w.line("")
		}
		w.member(m)
	}
	w.depth--
	w.line("}")
}

func (c *Class) header() string {
	s := spaced(c.Modifiers) + string(c.Kind) + " " + c.Name + c.TypeParams
	if c.Kind == RecordKind {
		s += "(" + params(c.Components) + ")"
	}
	if c.Extends != "" {
		s += " extends " + c.Extends
	}
	if len(c.Implements) > 0 {
		word := " implements "
		if c.Kind == InterfaceKind {
			word = " extends "
		}
		s += word + strings.Join(c.Implements, ", ")
	}
	if len(c.Permits) > 0 {
		s += " permits " + strings.Join(c.Permits, ", ")
	}
	return s
}

// spaced is words with a space behind each.
func spaced(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return strings.Join(words, " ") + " "
}

func params(all []Param) string {
	out := make([]string, len(all))
	for i, p := range all {
		out[i] = p.Type + " " + p.Name
	}
	return strings.Join(out, ", ")
}

func (w *printer) constants(all []string) {
	for i, c := range all {
		mark := ","
		if i == len(all)-1 {
			mark = ";"
		}
		w.line("%s%s", c, mark)
	}
	if len(all) == 0 {
		w.line(";")
	}
}

func (w *printer) member(m *Member) {
	if m.Kind == ClassMember {
		w.class(m.Class)
		return
	}
	for _, a := range m.Annotations {
		w.line("%s", a)
	}
	s := m.head()
	if !m.HasBody {
		w.line("%s;", s)
		return
	}
	if s != "" {
		s += " "
	}
	if len(m.Body) == 0 {
		w.line("%s{}", s)
		return
	}
	w.line("%s{", s)
	w.depth++
	for _, statement := range m.Body {
		w.line("%s", statement)
	}
	w.depth--
	w.line("}")
}

// head is a member up to its body or semicolon.
func (m *Member) head() string {
	s := spaced(m.Modifiers)
	if m.TypeParams != "" {
		s += m.TypeParams + " "
	}
	switch {
	case m.Kind == InitMember:
		return strings.TrimSuffix(s, " ")
	case m.Kind == FieldMember:
		s += m.Type + " " + m.Name
		if m.Init != "" {
			s += " = " + m.Init
		}
		return s
	case m.Kind == MethodMember:
		s += m.Type + " "
	}
	s += m.Name
	if !m.Compact {
		s += "(" + params(m.Params) + ")"
	}
	if len(m.Throws) > 0 {
		s += " throws " + strings.Join(m.Throws, ", ")
	}
	if m.Init != "" {
		s += " default " + m.Init
	}
	return s
}
