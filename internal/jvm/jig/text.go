package jig

import (
	"fmt"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/observed"
)

// Texts gives the nodes of a method's body in words, in their order. Handlers and instructions are as they stand in the class file; where they lead is what edges say.
func (g *Graph) Texts(m observed.Method) ([]string, error) {
	i, ok := g.index[m]
	if !ok {
		return nil, fmt.Errorf("%s has no body", m)
	}
	list, err := g.listing(m)
	if err != nil {
		return nil, err
	}
	b := g.bodies[i]
	out := make([]string, len(b.nodes))
	for k, n := range b.nodes {
		switch n.kind {
		case Entry:
			out[k] = "entry"
		case Exit:
			out[k] = "exit"
		case ThrowExit:
			out[k] = "exceptional exit"
		case Return:
			out[k] = "back from the call"
		case Try:
			out[k] = "try"
			if n.word == endWord {
				out[k] = "end of try"
			}
		case Catch:
			out[k] = "catch " + catches(list, n)
		default:
			out[k] = words(&list.Instructions[n.at])
		}
	}
	return out, nil
}

// catches is the type that a catch node stands for: that of the handler with its word, because several handlers may begin at one instruction.
func catches(list *canon.Listing, n node) string {
	for _, h := range list.Handlers {
		what := h.Catch
		if what == "" {
			what = "any"
		}
		if h.To == int(n.at) && wordOf("catch", what) == n.word {
			return what
		}
	}
	return "?"
}

func words(in *canon.Instruction) string {
	switch {
	case in.Op == bytecode.Tableswitch || in.Op == bytecode.Lookupswitch:
		return "switch"
	case in.Operand != "":
		return in.Op.String() + " " + in.Operand
	}
	return in.Op.String()
}

// listing is the normalized body of a method. Only the classes of its group are read: that gives numbered names of the group their canonical form, and leaves those of others as they are.
func (g *Graph) listing(m observed.Method) (*canon.Listing, error) {
	var units []*canon.Unit
	for _, name := range g.Program.Names() {
		if canon.Group(name) != canon.Group(m.Class) {
			continue
		}
		u, err := canon.Read(g.Program.Class(name).Bytes)
		if err != nil {
			return nil, fmt.Errorf("class %s: %w", name, err)
		}
		units = append(units, u)
	}
	return canon.NewSet(units...).List(m.Class, m.Name, m.Descriptor)
}
