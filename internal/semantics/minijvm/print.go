package minijvm

import (
	"fmt"
	"slices"
	"strings"
)

// A Pair is a program and, perhaps, a change of it.
type Pair struct {
	Before *Program
	// After is nil if there is no change.
	After *Program
}

// String returns the text form, which [ParsePair] reads back. Built-in classes are left out unless the program redefines them.
func (p *Program) String() string {
	var b strings.Builder
	writeClasses(&b, p, p.Present())
	return b.String()
}

// String returns the text form, which [ParsePair] reads back: the program, and then what the change replaces, adds and removes.
func (x Pair) String() string {
	if x.After == nil {
		return x.Before.String()
	}
	var b strings.Builder
	b.WriteString(x.Before.String())
	b.WriteString("change {\n")
	changed := x.Before.Changed(x.After)
	for _, c := range x.Before.Names.byName(changed) {
		switch k := x.After.Class(c); {
		case k == nil || k == builtIn(c):
			fmt.Fprintf(&b, "remove %s\n", x.Before.Names.Class(c))
		default:
			writeClass(&b, x.After.Names, k)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// byName returns classes in the order of their names, so that the text does not depend on numbers.
func (n *Names) byName(s Set) []ClassID {
	all := s.All()
	slices.SortFunc(all, func(c, d ClassID) int { return strings.Compare(n.Class(c), n.Class(d)) })
	return all
}

func writeClasses(b *strings.Builder, p *Program, which Set) {
	for _, c := range p.Names.byName(which) {
		if k := p.classes[c]; !k.Equal(builtIn(c)) {
			writeClass(b, p.Names, k)
		}
	}
}

// Text returns the text form of a class.
func (c *Class) Text(n *Names) string {
	var b strings.Builder
	writeClass(&b, n, c)
	return b.String()
}

func writeClass(b *strings.Builder, n *Names, c *Class) {
	fmt.Fprintf(b, "class %s ", n.Class(c.Name))
	if c.Super != NoClass {
		fmt.Fprintf(b, "extends %s ", n.Class(c.Super))
	}
	b.WriteString("{\n")
	fields, methods := slices.Clone(c.Fields), slices.Clone(c.Methods)
	slices.SortFunc(fields, func(f, g Field) int { return strings.Compare(n.Member(f.Name), n.Member(g.Name)) })
	slices.SortFunc(methods, func(f, g Method) int { return strings.Compare(n.Member(f.Name), n.Member(g.Name)) })
	for _, f := range fields {
		fmt.Fprintf(b, "  field %s%s %s\n", staticWord(f.Static), n.typeText(f.Type), n.Member(f.Name))
	}
	for i := range methods {
		writeMethod(b, n, &methods[i])
	}
	b.WriteString("}\n")
}

func staticWord(static bool) string {
	if static {
		return "static "
	}
	return ""
}

// typeText is the printed form of a type.
func (n *Names) typeText(t Type) string {
	switch t {
	case Void:
		return "void"
	case Boolean:
		return "boolean"
	case Int:
		return "int"
	case NullType:
		return "null"
	case Unusable:
		return "?"
	}
	return n.Class(ClassID(t))
}

func writeMethod(b *strings.Builder, n *Names, m *Method) {
	params := make([]string, len(m.Params))
	for i, t := range m.Params {
		params[i] = n.typeText(t)
	}
	fmt.Fprintf(b, "  method %s%s %s(%s) stack %d locals %d {\n", staticWord(m.Static), n.typeText(m.Result), n.Member(m.Name), strings.Join(params, ", "), m.Stack, m.Locals)
	for pc := range m.Code {
		fmt.Fprintf(b, "    %d: %s\n", pc, m.Code[pc].Text(n))
	}
	for _, h := range m.Handlers {
		fmt.Fprintf(b, "    catch %s from %d to %d at %d depth %d\n", n.Class(h.Catch), h.From, h.To, h.At, h.Depth)
	}
	b.WriteString("  }\n")
}

// operands lists what each instruction prints behind its name, in order: classes C and D, member F, number n, jump j, value v.
var operands = [ops]string{Load: "n", Store: "n", Push: "v", New: "C", Getfield: "FC", Putfield: "FC", Getstatic: "CFD", Putstatic: "CFD", Checkcast: "C", Invoke: "Fn",
	Invokestatic: "CFn", Goto: "j", IfFalse: "j"}

// Text returns the printed form of an instruction.
func (in *Instr) Text(n *Names) string {
	out := in.Op.String()
	if in.Op >= ops {
		return out
	}
	for _, o := range operands[in.Op] {
		switch o {
		case 'C':
			out += " " + n.Class(in.C)
		case 'D':
			out += " " + n.Class(in.D)
		case 'F':
			out += " " + n.Member(in.F)
		case 'n':
			out += fmt.Sprintf(" %d", in.N)
		case 'j':
			out += fmt.Sprintf(" %+d", in.N)
		case 'v':
			out += " " + in.V.String()
		}
	}
	return out
}
