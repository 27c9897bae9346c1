package project

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/state"
	"winnow/internal/safety"
)

// A library gives class files to package state.
type library struct {
	path  *classpath.Path
	jdk   func(class string) bool
	known map[string]*state.Class
}

// JDK tells whether a class is one of the JDK.
func (l *library) JDK(name string) bool { return l.jdk(name) }

// Class reads a class; nil if there is none.
func (l *library) Class(name string) (*state.Class, error) {
	if c, ok := l.known[name]; ok {
		return c, nil
	}
	found, ok, err := l.path.Find(name)
	if err != nil || !ok {
		return nil, err
	}
	data, err := found.Read()
	if err != nil {
		return nil, err
	}
	c, err := state.ReadClass(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", found.Place.Path, err)
	}
	l.known[name] = c
	return c, nil
}

// inherit finds out what tests need of others because of state that outlives a test (S8.10). It becomes footprints like those of the trace.
func (r *recorder) inherit(l *library) error {
	if !r.rules.Hold(safety.StateCounts) {
		return nil
	}
	in, err := state.Inherit(l, r.plan, r.trace)
	if err != nil {
		return err
	}
	first := r.firstEntered()
	nodes := make([]*agent.Footprint, len(in.Nodes))
	for i, n := range in.Nodes {
		nodes[i] = &agent.Footprint{Name: n.Label, Methods: n.Methods, Events: inherited(n.Methods, first)}
	}
	for t, numbers := range in.Tests {
		for _, n := range numbers {
			r.needs[t] = append(r.needs[t], nodes[n])
		}
	}
	return nil
}

// A filler is a footprint in which methods were entered for the first time, and the test class that it belongs to.
type filler struct {
	*agent.Footprint
	class string
}

// firstEntered tells for every method where it was entered first.
func (r *recorder) firstEntered() map[int]filler {
	first := map[int]filler{}
	add := func(f *agent.Footprint, class string) {
		for _, id := range f.Methods {
			if _, known := first[id]; !known {
				first[id] = filler{f, class}
			}
		}
	}
	add(r.trace.Process, "")
	done := map[*agent.Footprint]bool{r.trace.Process: true}
	for _, t := range r.trace.Tests {
		for _, f := range append(slices.Clone(t.Shared), t.Own) {
			if !done[f] {
				done[f] = true
				add(f, t.Class)
			}
		}
	}
	return first
}

// inherited are the events of the footprints that entered methods first: files, properties and classes that whoever filled the state looked at. Which of
// them the filling needed is not known, so all count but that the framework looked at the class of the test itself.
func inherited(methods []int, first map[int]filler) []agent.NamedEvent {
	seen := map[*agent.Footprint]bool{}
	var out []agent.NamedEvent
	for _, id := range methods {
		f, known := first[id]
		if !known || seen[f.Footprint] {
			continue
		}
		seen[f.Footprint] = true
		for _, e := range f.Events {
			own := e.Kind == agent.ClassReflected && (e.Text == f.class || strings.HasPrefix(f.class, e.Text+"$"))
			if !own && !discovers(f.Footprint) {
				out = append(out, e)
			}
		}
	}
	return out
}
