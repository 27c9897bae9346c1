// Package semantics says what it means that selecting tests by what they used is safe, for any language: small-step semantics, semantics that collect while they run,
// and selection based on what was collected. It follows sections 4 and 5 of Mansky and Gunter, "Safety of a Smart Classes-Used Regression Test Selection Algorithm"
// (ENTCS 351, 2020), where these are locales of Isabelle. Here they are interfaces, and the axioms are checks that can be run on any instance (laws.go).
//
// A *semantics* leads from a state to its next states, under a program. A *collection semantics* also says what each step collects, and how collections combine. A
// *selection* (RTS) has outputs of tests, and says for which changed programs a test with a given output is deselected. It is *existence-safe* if a test that is
// deselected because of an output can still give an equivalent output after the change.
//
// What it is not: a proof. A law that was checked on some programs holds for these programs. Package statements does the checking, docs/proof.md says how far it went.
package semantics

import "errors"

// ErrUnfinished says that a run took more steps than it may. Such a run is equal to nothing.
var ErrUnfinished = errors.New("the run took more steps than it may")

// Semantics is a small-step semantics of programs P with states S. An end state has no next state; a state without a next state need not be an end state.
type Semantics[P, S any] interface {
	// Small returns the next states, in a fixed order. It does not alter s.
	Small(p P, s S) []S
	// End tells whether s is an end state.
	End(s S) bool
}

// Big returns the end states that can be reached from s, in the order of the runs. A run that takes more than limit steps is an error, whatever others do.
func Big[P, S any](sem Semantics[P, S], p P, s S, limit int) ([]S, error) {
	if sem.End(s) {
		return []S{s}, nil
	}
	if limit == 0 {
		return nil, ErrUnfinished
	}
	var ends []S
	for _, next := range sem.Small(p, s) {
		more, err := Big(sem, p, next, limit-1)
		if err != nil {
			return nil, err
		}
		ends = append(ends, more...)
	}
	return ends, nil
}

// CollectionSemantics is a semantics whose steps collect a C.
type CollectionSemantics[P, S, C any] interface {
	Semantics[P, S]
	// Collect returns what the step from s to next collects.
	Collect(p P, s, next S) C
	// Combine is associative, and Identity is neutral on both sides.
	Combine(a, b C) C
	Identity() C
}

// Collected is a state with what was collected on the way to it.
type Collected[S, C any] struct {
	State      S
	Collection C
}

// CSmall returns each next state with what the step to it collects.
func CSmall[P, S, C any](sem CollectionSemantics[P, S, C], p P, s S) []Collected[S, C] {
	var out []Collected[S, C]
	for _, next := range sem.Small(p, s) {
		out = append(out, Collected[S, C]{next, sem.Collect(p, s, next)})
	}
	return out
}

// CBig returns the end states that can be reached from s, each with what was collected along the run.
func CBig[P, S, C any](sem CollectionSemantics[P, S, C], p P, s S, limit int) ([]Collected[S, C], error) {
	if sem.End(s) {
		return []Collected[S, C]{{s, sem.Identity()}}, nil
	}
	if limit == 0 {
		return nil, ErrUnfinished
	}
	var ends []Collected[S, C]
	for _, next := range CSmall(sem, p, s) {
		more, err := CBig(sem, p, next.State, limit-1)
		if err != nil {
			return nil, err
		}
		for _, end := range more {
			ends = append(ends, Collected[S, C]{end.State, sem.Combine(next.Collection, end.Collection)})
		}
	}
	return ends, nil
}

// RTS is regression test selection: tests T have outputs O under programs P, and an output decides whether its test is deselected after a change.
type RTS[P, T, O any] interface {
	// Out returns the outputs that a test can have.
	Out(p P, t T) ([]O, error)
	// Equivalent is an equivalence of outputs; equivalent outputs are deselected alike.
	Equivalent(a, b O) bool
	// Deselect tells whether a test that had the output o under p need not run under q.
	Deselect(p P, o O, q P) bool
}

// CollectionRTS is what turns a collection semantics into a selection.
type CollectionRTS[P, T, S, C any] interface {
	CollectionSemantics[P, S, C]
	// MakeTestProgram returns the program that runs the test.
	MakeTestProgram(p P, t T) P
	// Begin returns the state in which such a program starts.
	Begin(p P) S
	// CollectStart returns what is collected before the first step.
	CollectStart(p P) C
	// Same tells whether two states, and two collections, are equal.
	Same(a, b Collected[S, C]) bool
	// Unchanged tells whether nothing in the collection differs between two programs.
	Unchanged(p P, c C, q P) bool
}

// Based returns the selection that a CollectionRTS stands for. An output is a pair of a final state and a collection; outputs are equivalent if they are equal; a test
// is deselected if nothing that it collected changed. Runs take at most limit steps.
func Based[P, T, S, C any](sem CollectionRTS[P, T, S, C], limit int) RTS[P, T, Collected[S, C]] {
	return based[P, T, S, C]{sem, limit}
}

type based[P, T, S, C any] struct {
	sem   CollectionRTS[P, T, S, C]
	limit int
}

func (b based[P, T, S, C]) Out(p P, t T) ([]Collected[S, C], error) {
	whole := b.sem.MakeTestProgram(p, t)
	ends, err := CBig(b.sem, whole, b.sem.Begin(whole), b.limit)
	for i := range ends {
		ends[i].Collection = b.sem.Combine(ends[i].Collection, b.sem.CollectStart(p))
	}
	return ends, err
}

func (b based[P, T, S, C]) Equivalent(x, y Collected[S, C]) bool { return b.sem.Same(x, y) }

func (b based[P, T, S, C]) Deselect(p P, o Collected[S, C], q P) bool {
	return b.sem.Unchanged(p, o.Collection, q)
}
