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
	Filler int    // a method that fills the cell and that the first test, if there is one, entered
}

// Inherited tells whether the footprints of the tests have the method all the same, through a node.
func (l Loss) Inherited() bool { return l.Cell != "" }

// Compare names what the tests of a class lost in a shared process, by method. Both traces are of the same plan; class is a binary name with dots, as in agent.Node.
func Compare(program Program, plan *agent.Plan, shared, alone *agent.Trace, class string) ([]Loss, error) {
	s, err := newStretches(program, plan, shared)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	fills, err := s.fills()
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	there := enteredBy(shared, class)
	var out []Loss
	for id := range enteredBy(alone, class) {
		if !there[id] {
			out = append(out, s.explain(fills, shared, there, id))
		}
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

// explain finds the cell with the smallest filling that has the method and that the tests read.
func (s *stretches) explain(fills []*bitSet, trace *agent.Trace, there map[int]bool, id int) Loss {
	l := Loss{Method: id, Reader: -1, Filler: -1}
	first := firstTest(trace, id)
	if first != nil {
		l.Test = first.Key
	}
	n, ok := s.nodes[id]
	if !ok {
		return l
	}
	best := 0
	for c, set := range fills {
		if set == nil || !set.has(n) || best > 0 && set.size() >= best {
			continue
		}
		if reader := s.pick(s.all[c].readers, there); reader >= 0 {
			best = set.size()
			l.Cell, l.Reader, l.Filler = s.all[c].label, reader, s.filler(s.all[c], first)
		}
	}
	return l
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

// pick is the id of the first of some methods that was entered, -1 if none was.
func (s *stretches) pick(methods []int32, entered map[int]bool) int {
	for _, n := range methods {
		if entered[s.methods[n].id] {
			return s.methods[n].id
		}
	}
	return -1
}

// filler is the id of a method that fills a cell, one of a test's if it can be.
func (s *stretches) filler(c *cell, of *agent.TestTrace) int {
	if of != nil {
		entered := map[int]bool{}
		for _, f := range append([]*agent.Footprint{of.Own}, of.Shared...) {
			for _, id := range f.Methods {
				entered[id] = true
			}
		}
		if id := s.pick(c.fillers, entered); id >= 0 {
			return id
		}
	}
	if len(c.fillers) == 0 {
		return -1
	}
	return s.methods[c.fillers[0]].id
}
