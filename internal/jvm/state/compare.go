package state

import (
	"fmt"
	"slices"

	"winnow/internal/jvm/agent"
)

// A Loss is a method that the tests of a class enter in a JVM of their own, but did not enter in a process with other tests. Methods are ids of the plan, -1 if not known.
type Loss struct {
	Method int
	Test   string // key of the first test in the shared process that entered it; "" if none did
	Cell   string // "class.field" that explains it: the class reads it, and its filling has the method; "" if no cell does
	Reader int    // a method that reads the cell and that the tests of the class entered
	Filler int    // the method that fills the cell and leads to the lost one
}

// Inherited tells whether the footprints of the tests have the method all the same, through a node.
func (l Loss) Inherited() bool { return l.Cell != "" }

// Compare names what the tests of a class lost in a shared process, by method. Both traces are of the same plan; class is a binary name with dots, as in agent.Node.
func Compare(program Program, plan *agent.Plan, shared, alone *agent.Trace, class string) ([]Loss, error) {
	h, err := newHeir(program, plan, shared)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	why := map[int]Loss{}
	for _, t := range shared.Tests {
		if t.Class != class {
			continue
		}
		h.test(t)
		h.explain(why)
	}
	there := enteredBy(shared, class)
	var out []Loss
	for id := range enteredBy(alone, class) {
		if there[id] {
			continue
		}
		l, ok := why[id]
		if !ok {
			l = Loss{Method: id, Reader: -1, Filler: -1}
		}
		if first := firstTest(shared, id); first != nil {
			l.Test = first.Key
		}
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b Loss) int { return a.Method - b.Method })
	return out, nil
}

// enteredBy is what the tests of a class entered, with all that they share and with initializers.
func enteredBy(trace *agent.Trace, class string) map[int]bool {
	out, seen := map[int]bool{}, map[*agent.Footprint]bool{}
	var add func(f *agent.Footprint)
	add = func(f *agent.Footprint) {
		if seen[f] {
			return
		}
		seen[f] = true
		for _, id := range f.Methods {
			out[id] = true
		}
		for _, i := range f.Inits {
			add(i)
		}
	}
	for _, t := range trace.Tests {
		if t.Class != class {
			continue
		}
		add(t.Own)
		for _, f := range t.Shared {
			add(f)
		}
	}
	return out
}

// explain adds what the heir has inherited, and through which state.
func (h *heir) explain(why map[int]Loss) {
	for _, n := range h.gained {
		id := h.methods[n].id
		if _, ok := why[id]; !ok {
			s := h.starts[h.root[n]]
			why[id] = Loss{Method: id, Cell: h.cells.all[s.cell].label, Reader: h.methods[s.reader].id, Filler: h.methods[s.filler].id}
		}
	}
}

// firstTest is the first test that entered a method itself or in its set-up, nil if none did.
func firstTest(trace *agent.Trace, id int) *agent.TestTrace {
	for _, t := range trace.Tests {
		for _, f := range append([]*agent.Footprint{t.Own}, t.Shared...) {
			if _, ok := slices.BinarySearch(f.Methods, id); ok {
				return t
			}
		}
	}
	return nil
}
