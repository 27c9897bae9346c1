package subject

import (
	"slices"
	"strings"

	"winnow/internal/check/pool"
	"winnow/internal/jvm/observed"
)

// Observe says what the tests of a recorded run did, in the words of the papers' techniques. Tests that did not run are not among them.
func Observe(run *pool.Run, program *observed.Program) []observed.Run {
	var out []observed.Run
	for i := range run.Outcomes {
		o := &run.Outcomes[i]
		if o.Result == pool.NotRun {
			continue
		}
		s := sight{run: run, unit: run.Units[o.Unit], program: program, entered: map[observed.Method]bool{}, inits: map[string]bool{}}
		s.add(o.Own)
		out = append(out, observed.Run{Test: observedTest(o.Test), Passed: o.Result == pool.Passed, Trace: s.trace()})
	}
	return out
}

func observedTest(t pool.TestID) observed.Test {
	return observed.Test{ID: t.String(), Class: strings.ReplaceAll(t.Class, ".", "/"), Method: t.Method}
}

// A sight is what is seen of one test.
type sight struct {
	run     *pool.Run
	unit    *pool.Unit
	program *observed.Program
	entered map[observed.Method]bool
	inits   map[string]bool
}

func (s *sight) add(f *pool.Footprint) {
	if f == nil {
		return
	}
	for _, m := range f.Methods {
		s.entered[observed.Method(m)] = true
		s.initialized(m.Class)
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
			s.entered[observed.Method(m)] = true
		}
	}
	s.add(s.unit.Inits[class])
	if c := s.program.Class(class); c != nil {
		for _, above := range append(c.File.InterfaceNames(), c.File.SuperName()) {
			s.initialized(above)
		}
	}
}

func (s *sight) trace() *observed.Trace {
	t := &observed.Trace{}
	for m := range s.entered {
		if s.program.Internal(m.Class) {
			t.Entered = append(t.Entered, m)
		}
	}
	slices.SortFunc(t.Entered, observed.Method.Compare)
	return t
}
