package project

import (
	"fmt"

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
	nodes := make([]*agent.Footprint, len(in.Nodes))
	for i, n := range in.Nodes {
		nodes[i] = &agent.Footprint{Name: n.Label, Methods: n.Methods}
	}
	for t, numbers := range in.Tests {
		for _, n := range numbers {
			r.needs[t] = append(r.needs[t], nodes[n])
		}
	}
	return nil
}
