package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/observed"
	"winnow/internal/rts"
)

// tell tells the observer, if there is one.
func (m *Module) tell(lib *library, c *collected) error {
	if m.options.Observe == nil {
		return nil
	}
	u, err := m.observe(lib, c)
	if err != nil {
		return fmt.Errorf("observing the tests: %w", err)
	}
	return m.options.Observe(u)
}

// observe says what the execution was and what its tests did, for techniques that do not live on footprints.
func (m *Module) observe(lib *library, c *collected) (*observed.Unit, error) {
	u, err := m.classes(lib)
	if err != nil {
		return nil, err
	}
	var coarse []observed.Method
	if c.first != nil {
		coarse = edgeless(c.first.plan) // all processes have the same
	}
	for _, key := range c.order {
		id := string(m.testID(key))
		u.Runs = append(u.Runs, m.observed(id, c.runs[key], u, coarse))
	}
	return u, nil
}

// Classes says what the execution is before it runs.
func (m *Module) Classes() (u *observed.Unit, err error) {
	lib, err := m.library()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lib.close()) }()
	return m.classes(lib)
}

// Observed names a known test.
func (m *Module) Observed(id rts.TestID) observed.Test {
	local, _ := m.scope.local(string(id))
	class, method := classOf(local)
	return observed.Test{ID: string(id), Class: topClass(class), Method: method}
}

func (m *Module) classes(lib *library) (*observed.Unit, error) {
	u := &observed.Unit{Classes: map[string][]byte{}, JDK: m.jdk, Feature: m.program.Feature()}
	for _, place := range m.classPath() {
		if !m.internal(place) {
			u.Jars = append(u.Jars, place)
		}
	}
	names, err := m.program.Names()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !m.internal(m.program.Place(name)) {
			continue
		}
		found, ok, err := lib.path.Find(name)
		if err != nil || !ok {
			return nil, fmt.Errorf("class %s: %v", name, err)
		}
		data, err := found.Read()
		if err != nil {
			return nil, err
		}
		u.Add(name, data)
	}
	return u, nil
}

// Internal tells whether an entity is a class of the project's own.
func (m *Module) Internal(e rts.Entity) bool {
	if e.Kind != Class {
		return false
	}
	name, ok := m.scope.local(e.Name)
	place := m.program.Place(name)
	return ok && (place == "" || m.internal(place)) // one that is gone was no library's, as far as is known
}

// internal tells whether a place of the class path is one of the project's directories.
func (m *Module) internal(place string) bool {
	info, err := os.Stat(place)
	return err == nil && info.IsDir() && strings.HasPrefix(place, m.options.Root+string(filepath.Separator))
}

// observed joins all that processes did for a test.
func (m *Module) observed(id string, runs []*testRun, u *observed.Unit, coarse []observed.Method) observed.Run {
	out := observed.Run{Test: m.Observed(rts.TestID(id))}
	s := sight{unit: u, seen: map[*agent.Footprint]bool{}}
	s.Detailed = runs[0].in.plan.Study
	for _, method := range coarse {
		s.Coarse(method)
	}
	var ends []ending
	for _, run := range runs {
		s.in = run.in
		for _, t := range run.traces {
			ends = append(ends, ending{t.Key, t.Outcome})
			if t.Begin > 0 && t.End > t.Begin {
				out.Seconds += float64(t.End-t.Begin) / 1e9
			}
			for _, f := range append([]*agent.Footprint{t.Own}, t.Shared...) {
				s.add(f)
			}
		}
		if f := run.in.trace.Closing; f != nil {
			s.add(f)
		}
	}
	if out.Test.Class == "" { // its name does not tell
		out.Test.Class = internalName(topClass(runs[0].traces[0].Class))
	}
	out.Passed = worst(ends).Proves()
	out.Trace = s.Trace()
	return out
}

// A sight is what is seen of one test.
type sight struct {
	observed.Gatherer
	in   *recorder
	unit *observed.Unit
	seen map[*agent.Footprint]bool
}

func (s *sight) add(f *agent.Footprint) {
	if s.seen[f] {
		return
	}
	s.seen[f] = true
	for _, id := range f.Methods {
		m, ok := s.method(id)
		switch {
		case ok:
			s.Enter(m)
		case m.Class != "":
			s.Library(m.Class)
		}
	}
	for _, init := range f.Inits {
		s.add(init)
	}
	if s.Detailed {
		s.details(f)
	}
}

// method is what an id stands for, and whether it is internal.
func (s *sight) method(id int) (observed.Method, bool) {
	m, ok := s.in.plan.Method(id)
	return observed.Method{Class: m.Class, Name: m.Name, Descriptor: m.Descriptor}, ok && s.unit.Classes[m.Class] != nil
}

func (s *sight) details(f *agent.Footprint) {
	for _, e := range s.in.plan.EdgesOf(f) {
		if m, ok := s.method(e.Method); ok {
			s.Edge(m, e.Edge)
		}
	}
	for _, r := range f.Receivers {
		if m, ok := s.method(r.Method); ok {
			s.Receive(m, r.Class)
		}
	}
	for _, c := range f.Reflective {
		s.Reflect(observed.Method(c.From), observed.Method(c.To))
	}
}

// edgeless lists the methods of a plan whose edges are not recorded.
func edgeless(plan *agent.Plan) []observed.Method {
	var out []observed.Method
	for i := range plan.Classes {
		d := plan.Detail(i)
		for _, m := range d.Edgeless {
			out = append(out, observed.Method{Class: d.Name, Name: m.Name, Descriptor: m.Descriptor})
		}
	}
	return out
}
