package subject

import (
	"slices"
	"strings"

	"winnow/internal/check/pool"
	"winnow/internal/jvm/observed"
)

// Observe says what the tests of a recorded run did, in the words of the papers' techniques; detailed if the run was. Tests that did not run are not among them.
func Observe(run *pool.Run, detailed bool, program *observed.Program) []observed.Run {
	var out []observed.Run
	for i := range run.Outcomes {
		o := &run.Outcomes[i]
		if o.Result == pool.NotRun {
			continue
		}
		s := sight{run: run, unit: run.Units[o.Unit], program: program, inits: map[string]bool{}}
		s.Detailed = detailed
		for _, m := range slices.Concat(run.Edgeless, run.Unprobed) {
			s.Coarse(observed.Method(m))
		}
		s.add(o.Own)
		out = append(out, observed.Run{Test: observedTest(o.Test), Passed: o.Result == pool.Passed, Trace: s.Trace()})
	}
	return out
}

func observedTest(t pool.TestID) observed.Test {
	return observed.Test{ID: t.String(), Class: strings.ReplaceAll(t.Class, ".", "/"), Method: t.Method}
}

// A sight is what is seen of one test.
type sight struct {
	observed.Gatherer
	run     *pool.Run
	unit    *pool.Unit
	program *observed.Program
	inits   map[string]bool
}

func (s *sight) add(f *pool.Footprint) {
	if f == nil {
		return
	}
	for _, m := range f.Methods {
		s.enter(m)
		s.initialized(m.Class)
	}
	for _, e := range f.Edges {
		s.Edge(observed.Method(e.Method), e.Edge)
	}
	for _, r := range f.Receivers {
		s.Receive(observed.Method(r.Method), r.Class)
	}
	for _, c := range f.Reflective {
		s.Reflect(observed.Method(c.From), observed.Method(c.To))
	}
}

func (s *sight) enter(m pool.Method) {
	if s.program.Internal(m.Class) {
		s.Enter(observed.Method(m))
	}
}

// initialized adds what the initializer of a class did, and of those classes whose static state it may have used.
func (s *sight) initialized(class string) {
	if s.inits[class] {
		return
	}
	s.inits[class] = true
	for _, m := range s.run.Unprobed {
		if m.Class == class {
			s.enter(m)
		}
	}
	s.add(s.unit.Inits[class])
	if c := s.program.Class(class); c != nil {
		for _, above := range append(c.File.InterfaceNames(), c.File.SuperName()) {
			s.initialized(above)
		}
	}
}
