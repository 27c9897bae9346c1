package jcgeks

import (
	"fmt"
	"maps"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/callgraph"
	"winnow/internal/jvm/observed"
	"winnow/internal/technique/collected"
	"winnow/internal/technique/ekstazi"
)

// A selector is JcgEks at work on a history.
type selector struct {
	libraries bool // library calls are checked
	known     map[string]*record
	bodies    bodies              // H
	above     map[string][]string // S
	graph     *callgraph.Graph
	of        *observed.Program // that the graph is of
	asked     map[string]bool   // the test classes of the last selection: whether they were selected
}

// A record is what is known of a test class.
type record struct {
	passed map[string]bool     // by the ID of the test
	used   collected.Checksums // D
	calls  []observed.Call     // R
}

// bodies has for each internal class the digests of its methods.
type bodies map[string]map[observed.Method]digest.Digest

func newSelector(libraries bool) *selector {
	return &selector{libraries: libraries, known: map[string]*record{}, above: map[string][]string{}}
}

// Select says which test classes must run.
func (s *selector) Select(now *observed.Program, tests []observed.Test) (observed.Selection, error) {
	reasons := map[string]string{}
	preliminary := map[string][]string{} // test class: the classes that differ
	classes, of := observed.ByClass(tests)
	for _, class := range classes {
		known := s.known[class]
		if reasons[class] = known.always(of[class]); reasons[class] != "" {
			continue
		}
		if changed := known.used.Changed(now); len(changed) > 0 {
			preliminary[class] = changed
			reasons[class] = changed[0] + " changed"
		}
	}
	if methods := s.changedMethods(now, preliminary); len(methods) > 0 {
		if err := s.refine(now, preliminary, methods, reasons); err != nil {
			return nil, err
		}
	}
	out := observed.Selection{}
	s.asked = map[string]bool{}
	for _, class := range classes {
		s.asked[class] = reasons[class] != ""
		for _, test := range of[class] {
			if s.asked[class] {
				out[test.ID] = reasons[class]
			}
		}
	}
	return out, nil
}

// always says why a test class must run whatever changed.
func (r *record) always(tests []observed.Test) string {
	if r == nil {
		return collected.New
	}
	for _, t := range tests {
		switch passed, ok := r.passed[t.ID]; {
		case !ok:
			return collected.New
		case !passed:
			return collected.Failed
		}
	}
	return ""
}

// changedMethods is M' of Algorithm 1, sorted: of the classes that differ the methods that are new or have another body.
func (s *selector) changedMethods(now *observed.Program, preliminary map[string][]string) []observed.Method {
	classes := map[string]bool{}
	for _, changed := range preliminary {
		for _, name := range changed {
			classes[name] = true
		}
	}
	var out []observed.Method
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		for m, sum := range bodiesOf(now, name) {
			if was, ok := s.bodies[name][m]; !ok || !was.Same(sum) {
				out = append(out, m)
			}
		}
	}
	slices.SortFunc(out, observed.Method.Compare)
	return out
}

// bodiesOf are the methods of an internal class with the digests of their bodies.
func bodiesOf(p *observed.Program, name string) map[observed.Method]digest.Digest {
	out := map[observed.Method]digest.Digest{}
	if c := p.Class(name); c != nil {
		for i := range c.Canon.Methods {
			m := &c.Canon.Methods[i]
			out[observed.Method{Class: name, Name: m.FileName, Descriptor: m.FileDescriptor}] = m.Body
		}
	}
	return out
}

// graphOf is the call graph of a program, made from the last one.
func (s *selector) graphOf(now *observed.Program) (*callgraph.Graph, error) {
	if s.of == now {
		return s.graph, nil
	}
	var err error
	if s.graph == nil {
		s.graph, err = callgraph.Build(now)
	} else {
		s.graph, err = callgraph.Update(s.graph, now)
	}
	s.of = now
	return s.graph, err
}

// Ran tells what the selected test classes did. Those that were filtered out have the checksums of this revision from now on; those that were selected and did not run, and those that were not there, are unknown again: the digests of bodies at the time of their last run are gone.
func (s *selector) Ran(now *observed.Program, runs []observed.Run) error {
	of := map[string][]observed.Run{}
	for _, run := range runs {
		of[run.Test.Class] = append(of[run.Test.Class], run)
	}
	for class, known := range s.known {
		if selected, asked := s.asked[class]; !asked || selected {
			delete(s.known, class) // learn brings back what ran
			continue
		}
		for name := range known.used {
			known.used[name] = now.Checksum(name)
		}
	}
	reader := collected.NewReader(now)
	for _, class := range slices.Sorted(maps.Keys(of)) {
		if err := s.learn(reader, class, of[class]); err != nil {
			return fmt.Errorf("test class %s: %w", class, err)
		}
	}
	s.bodies = bodies{}
	for _, name := range now.Names() {
		s.bodies[name] = bodiesOf(now, name)
	}
	return nil
}

// learn notes what a test class did.
func (s *selector) learn(r *collected.Reader, class string, runs []observed.Run) error {
	trace := collected.Together(runs)
	used, err := collected.Collect(ekstazi.Collect).Remember(r, class, trace)
	if err != nil {
		return err
	}
	graph, err := s.graphOf(r.Program())
	if err != nil {
		return err
	}
	known := &record{passed: map[string]bool{}, used: used, calls: trace.Reflective}
	if !trace.Detailed {
		known.calls = guessReflective(graph, trace)
	}
	for _, run := range runs {
		known.passed[run.Test.ID] = run.Passed
	}
	s.known[class] = known
	for _, m := range trace.Entered {
		if m.Name == "<init>" {
			s.instance(r.Program(), m.Class)
		}
	}
	return nil
}

// instance notes the supertypes of a class of which an instance was made, and theirs.
func (s *selector) instance(p *observed.Program, class string) {
	c := p.Class(class)
	if c == nil {
		if above, err := p.World().Supertypes(class); err == nil {
			s.above[class] = above
		}
		return
	}
	s.above[class] = c.File.InterfaceNames()
	if super := c.File.SuperName(); super != "" {
		s.above[class] = append(s.above[class], super)
	}
	for _, name := range s.above[class] {
		s.instance(p, name)
	}
}
