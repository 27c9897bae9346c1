package collected

import (
	"fmt"
	"maps"
	"slices"

	"winnow/internal/jvm/observed"
	"winnow/internal/rts"
)

// The assumptions that several techniques share.
var (
	// CodeOnly is about everything that is not code.
	CodeOnly         = rts.Assumption{Name: "code-only", Says: "tests depend on class files and on nothing else that changes: no resources, files, environment"}
	ReflectionEnters = rts.Assumption{Name: "reflection-enters", Says: "of a class that a test finds by reflection, it enters a method, a constructor or the static initializer"}
)

// The reasons that all techniques have.
const (
	New    = "new"
	Failed = "failed before"
)

// A Technique selects test classes. M is its memory of one.
type Technique[M any] struct {
	// Remember makes the memory of a test class from what its tests did.
	Remember func(r *Reader, class string, t *observed.Trace) (M, error)
	// Judge says why a test class must run, "" if it need not.
	Judge func(r *Reader, class string, memory M) (string, error)
}

// Selector puts the technique to work on a history.
func (t Technique[M]) Selector() observed.Selector {
	return &selector[M]{technique: t, known: map[string]*record[M]{}}
}

// A record is what is known of a test class.
type record[M any] struct {
	passed map[string]bool // by the ID of the test: whether it passed
	memory M
}

type selector[M any] struct {
	technique Technique[M]
	known     map[string]*record[M]
	reader    *Reader // of the last program
}

func (s *selector[M]) read(p *observed.Program) *Reader {
	if s.reader == nil || s.reader.program != p {
		s.reader = NewReader(p)
	}
	return s.reader
}

// Select says which test classes must run.
func (s *selector[M]) Select(now *observed.Program, tests []observed.Test) (observed.Selection, error) {
	r, out := s.read(now), observed.Selection{}
	classes, of := observed.ByClass(tests)
	for _, class := range classes {
		reason, err := s.reason(r, class, of[class])
		if err != nil {
			return nil, fmt.Errorf("test class %s: %w", class, err)
		}
		if reason == "" {
			continue
		}
		for _, test := range of[class] {
			out[test.ID] = reason
		}
	}
	return out, nil
}

func (s *selector[M]) reason(r *Reader, class string, tests []observed.Test) (string, error) {
	known := s.known[class]
	if known == nil {
		return New, nil
	}
	for _, test := range tests {
		switch passed, ok := known.passed[test.ID]; {
		case !ok:
			return New, nil
		case !passed:
			return Failed, nil
		}
	}
	return s.technique.Judge(r, class, known.memory)
}

// Ran tells what test classes did. Each replaces what was known of it.
func (s *selector[M]) Ran(now *observed.Program, runs []observed.Run) error {
	r, of := s.read(now), map[string][]observed.Run{}
	for _, run := range runs {
		of[run.Test.Class] = append(of[run.Test.Class], run)
	}
	for _, class := range slices.Sorted(maps.Keys(of)) {
		runs := of[class]
		memory, err := s.technique.Remember(r, class, Together(runs))
		if err != nil {
			return fmt.Errorf("test class %s: %w", class, err)
		}
		passed := map[string]bool{}
		for _, run := range runs {
			passed[run.Test.ID] = run.Passed
		}
		s.known[class] = &record[M]{passed, memory}
	}
	return nil
}
