package minijvm

import "winnow/internal/semantics"

// Machine is the small JVM as a semantics: a state has at most one next state.
type Machine struct{}

var _ semantics.Semantics[*Program, *State] = Machine{}

// Small returns the next state, if there is one. It leaves s as it is.
func (Machine) Small(p *Program, s *State) []*State {
	next := &State{}
	next.CopyFrom(s)
	if !Step(p, next) {
		return nil
	}
	return []*State{next}
}

// End tells whether s is an end state.
func (Machine) End(s *State) bool { return s.End() }

// Collecting is the small JVM with a collection function: a selection of tests, where a test is a class Test.
type Collecting struct {
	Machine
	Collector
}

var _ semantics.CollectionRTS[*Program, *Class, *State, Set] = Collecting{}

// Collect returns what the step from s collects.
func (c Collecting) Collect(p *Program, s, _ *State) Set { return c.Collector.Collect(p, s) }

// Combine returns the union.
func (Collecting) Combine(a, b Set) Set { return a | b }

// Identity returns the empty set.
func (Collecting) Identity() Set { return 0 }

// MakeTestProgram adds the test class to the program.
func (Collecting) MakeTestProgram(p *Program, t *Class) *Program { return p.With(t) }

// Begin returns the start state.
func (Collecting) Begin(p *Program) *State {
	s := &State{}
	StartState(p, s)
	return s
}

// CollectStart returns what is collected before the first step.
func (c Collecting) CollectStart(p *Program) Set { return c.Start(p) }

// Same tells whether two outputs are equal: the same final state and the same collection.
func (Collecting) Same(a, b semantics.Collected[*State, Set]) bool {
	return a.Collection == b.Collection && a.State.Equal(b.State)
}

// Unchanged tells whether no class of the set changed.
func (Collecting) Unchanged(p *Program, c Set, q *Program) bool { return c&p.Changed(q) == 0 }
