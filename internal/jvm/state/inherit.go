package state

import (
	"fmt"
	"slices"

	"winnow/internal/jvm/agent"
)

// A Node is what the filling of a cell has entered, to be included by all that read the cell.
type Node struct {
	Label    string // "state(class.field)"
	Methods  []int  // ids of the plan, sorted
	Includes []int  // nodes of cells that this filling read
}

// An Inheritance says what footprints of a process have to include because of state that outlives a test.
type Inheritance struct {
	Nodes []Node
	// Of has, for each footprint of the trace, the nodes it includes, sorted. Of a test, those of its own footprint and of all that it shares count.
	Of map[*agent.Footprint][]int
}

// Inherit finds out what footprints of a process inherit from others.
func Inherit(program Program, plan *agent.Plan, trace *agent.Trace) (*Inheritance, error) {
	s, err := newStretches(program, plan, trace)
	if err != nil {
		return nil, fmt.Errorf("inherit: %w", err)
	}
	fills, err := s.fills()
	if err != nil {
		return nil, fmt.Errorf("inherit: %w", err)
	}
	return s.inheritance(fills), nil
}

// stretches are the footprints of a process in terms of its graph.
type stretches struct {
	*cells
	from []*agent.Footprint
	has  [][]int32 // by footprint: entered methods, sorted
}

func newStretches(program Program, plan *agent.Plan, trace *agent.Trace) (*stretches, error) {
	s := &stretches{}
	g := newGraph(program, plan)
	for _, f := range footprints(trace) {
		var in []int32
		for _, id := range f.Methods {
			n, err := g.node(id)
			if err != nil {
				return nil, err
			}
			in = append(in, n)
		}
		slices.Sort(in)
		s.from, s.has = append(s.from, f), append(s.has, in)
	}
	var err error
	s.cells, err = g.cells()
	return s, err
}

// footprints lists all footprints of a trace, each once.
func footprints(trace *agent.Trace) []*agent.Footprint {
	var out []*agent.Footprint
	seen := map[*agent.Footprint]bool{}
	add := func(f *agent.Footprint) {
		if !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	add(trace.Process)
	for _, t := range trace.Tests {
		for _, f := range t.Shared {
			add(f)
		}
		add(t.Own)
	}
	var classes []int
	for c := range trace.Inits {
		classes = append(classes, c)
	}
	slices.Sort(classes)
	for _, c := range classes {
		add(trace.Inits[c])
	}
	return out
}

// fills finds for each cell what was entered to fill it.
func (s *stretches) fills() ([]*bitSet, error) {
	by := make([]*bitSet, len(s.methods))
	w := &walk{stretches: s, with: s.where(), inside: newBits(len(s.methods))}
	out := make([]*bitSet, len(s.all))
	for c, of := range s.all {
		if len(of.readers) == 0 || len(of.fillers) == 0 {
			continue
		}
		out[c] = newBits(len(s.methods))
		for _, n := range of.fillers {
			if by[n] == nil {
				by[n] = newBits(len(s.methods))
				if err := w.from(n, by[n]); err != nil {
					return nil, err
				}
			}
			out[c].addAll(by[n])
		}
	}
	return out, nil
}

// where lists for each method the footprints that entered it.
func (s *stretches) where() [][]int32 {
	out := make([][]int32, len(s.methods))
	for k, in := range s.has {
		for _, n := range in {
			out[n] = append(out[n], int32(k))
		}
	}
	return out
}

// A walk goes along calls inside the footprints that have a method.
type walk struct {
	*stretches
	with   [][]int32
	inside *bitSet // methods that were entered in a footprint with the start
	todo   []int32
}

// from adds to a set what can be reached from a method. What can run anything reaches all of the footprints in which it was entered together with the start.
func (w *walk) from(start int32, into *bitSet) error {
	w.inside.clear()
	for _, k := range w.with[start] {
		w.inside.addList(w.has[k])
	}
	into.add(start)
	w.todo = append(w.todo[:0], start)
	for len(w.todo) > 0 {
		n := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		if b := w.methods[n].body; b == nil || b.anything() && !w.types[w.methods[n].class].frame {
			w.everything(start, n, into)
		}
		next, err := w.calls(n)
		if err != nil {
			return err
		}
		for _, m := range next {
			if w.inside.has(m) && !into.has(m) {
				into.add(m)
				w.todo = append(w.todo, m)
			}
		}
	}
	return nil
}

// everything adds the footprints that two methods have in common.
func (w *walk) everything(a, b int32, into *bitSet) {
	for i, j := 0, 0; i < len(w.with[a]) && j < len(w.with[b]); {
		switch k, l := w.with[a][i], w.with[b][j]; {
		case k < l:
			i++
		case k > l:
			j++
		default:
			into.addList(w.has[k])
			i, j = i+1, j+1
		}
	}
}

// inheritance makes the nodes of the filled cells that someone reads.
func (s *stretches) inheritance(fills []*bitSet) *Inheritance {
	out := &Inheritance{Of: map[*agent.Footprint][]int{}}
	number := make([]int, len(s.all))
	for c, set := range fills {
		number[c] = -1
		if set == nil || len(s.all[c].readers) == 0 {
			continue
		}
		number[c] = len(out.Nodes)
		out.Nodes = append(out.Nodes, Node{Label: "state(" + s.all[c].label + ")"})
	}
	for c, set := range fills {
		if number[c] < 0 {
			continue
		}
		node := &out.Nodes[number[c]]
		var in []int32
		for n := range set.each {
			in = append(in, n)
			node.Methods = append(node.Methods, s.methods[n].id)
		}
		slices.Sort(node.Methods)
		node.Includes = slices.DeleteFunc(s.read(in, number), func(i int) bool { return i == number[c] })
	}
	for k, f := range s.from {
		out.Of[f] = s.read(s.has[k], number)
	}
	return out
}

// read lists the nodes of the cells that methods read.
func (s *stretches) read(methods []int32, number []int) []int {
	var out []int
	for _, n := range methods {
		for _, c := range s.reads[n] {
			if number[c] >= 0 {
				out = append(out, number[c])
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Test lists the nodes that a test includes, those that nodes include among them, sorted.
func (i *Inheritance) Test(t *agent.TestTrace) []int {
	todo := slices.Clone(i.Of[t.Own])
	for _, f := range t.Shared {
		todo = append(todo, i.Of[f]...)
	}
	seen := make([]bool, len(i.Nodes))
	var out []int
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
			todo = append(todo, i.Nodes[n].Includes...)
		}
	}
	slices.Sort(out)
	return out
}
