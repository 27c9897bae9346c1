package statements

import (
	"fmt"

	"winnow/internal/semantics/minijvm"
)

// A trace is the run of one program with everything that the claims need to know of it.
type trace struct {
	p      *minijvm.Program
	states []minijvm.State // one more than steps; memory is reused
	naive  []minijvm.Set   // what the naive function collects at each step
	steps  int
	sets   [3]minijvm.Set // what the functions collect in all
}

// The functions that claims are about, as indices of a trace's sets.
const (
	naiveSet = iota
	smartSet
	ekstaziSet
)

// A checker checks claims on one program after the other. It is for one goroutine; the programs share one Names.
type checker struct {
	functions [3]*minijvm.Function
	limit     int
	tally     Tally
	trace     trace
	next      minijvm.State
	verifier  minijvm.Verifier
}

func newChecker(limit int) *checker {
	return &checker{functions: [3]*minijvm.Function{minijvm.Naive(), minijvm.Smart(), minijvm.Ekstazi()}, limit: limit}
}

// state returns the memory of the state with an index.
func (t *trace) state(i int) *minijvm.State {
	for len(t.states) <= i {
		t.states = append(t.states, minijvm.State{})
	}
	return &t.states[i]
}

// program runs a program and checks the claims about single programs. It returns false if the run does not end; then there is nothing to compare with.
func (c *checker) program(p *minijvm.Program, in strengths) (ended bool, fail *Failure) {
	t := &c.trace
	t.p, t.steps, t.naive = p, 0, t.naive[:0]
	for i, f := range c.functions {
		t.sets[i] = f.Start(p)
	}
	var promised minijvm.Set
	minijvm.StartState(p, t.state(0))
	for s := t.state(0); !s.End(); s = t.state(t.steps) {
		if t.steps == c.limit {
			c.tally.Unfinished++
			return false, nil
		}
		if missing := backward(p, s) &^ t.sets[smartSet]; missing != 0 {
			return false, c.failure(Backward, in, nil, fmt.Sprintf("at step %d smart has not collected %s", t.steps, p.Names.Text(missing)))
		}
		promised |= forward(p, s)
		c.collect(p, s)
		if late := t.sets[smartSet] &^ t.sets[ekstaziSet]; late != 0 {
			return false, c.failure(EkstaziNeverLess, in, nil, fmt.Sprintf("at step %d Ekstazi has not collected %s", t.steps, p.Names.Text(late)))
		}
		next := t.state(t.steps + 1)
		next.CopyFrom(t.state(t.steps))
		if !minijvm.Step(p, next) {
			return false, c.failure(SameStates, in, nil, fmt.Sprintf("a well-formed program is stuck after %d steps", t.steps))
		}
		t.steps++
	}
	c.tally.Ran += uint64(t.steps)
	return true, c.ends(p, promised, in)
}

// collect records what the step from s collects.
func (c *checker) collect(p *minijvm.Program, s *minijvm.State) {
	t := &c.trace
	for i, f := range c.functions {
		set := f.Collect(p, s)
		t.sets[i] |= set
		if i == naiveSet {
			t.naive = append(t.naive, set)
		}
	}
}

// ends checks the claims about what was collected by the end.
func (c *checker) ends(p *minijvm.Program, promised minijvm.Set, in strengths) *Failure {
	t := &c.trace
	n := Count{Programs: 1, Steps: uint64(t.steps)}
	for _, claim := range []Claim{Backward, Forward, NaiveIsSmart, EkstaziNeverLess} {
		c.tally.count(in, claim, n)
	}
	for _, claim := range []Claim{NaiveStep, NaiveSafe, SmartSafe, EkstaziSafe} {
		c.tally.count(in, claim, Count{Programs: 1}) // the first programs of pairs
	}
	diff := func(a, b minijvm.Set) string {
		return fmt.Sprintf("%s against %s", p.Names.Text(a&^b), p.Names.Text(b&^a))
	}
	switch naive, smart, ekstazi := t.sets[naiveSet], t.sets[smartSet], t.sets[ekstaziSet]; {
	case promised&^smart != 0:
		return c.failure(Forward, in, nil, "promised and never collected: "+p.Names.Text(promised&^smart))
	case naive != smart:
		return c.failure(NaiveIsSmart, in, nil, "naive and smart differ: "+diff(naive, smart))
	case ekstazi != smart:
		return c.failure(EkstaziNeverLess, in, nil, "Ekstazi and smart differ: "+diff(ekstazi, smart))
	}
	return nil
}

func (c *checker) failure(claim Claim, in strengths, q *minijvm.Program, detail string) *Failure {
	f := &Failure{Claim: claim, Pair: minijvm.Pair{Before: c.trace.p, After: q}, Detail: detail}
	if in&strengthOf(minijvm.Paper) == 0 {
		f.Strength = minijvm.Missing
	}
	return f
}

// pair checks the claims about pairs, for the program that was run last and a change of it. The counts of programs are those of the first.
func (c *checker) pair(q *minijvm.Program, changed minijvm.Set, in strengths) *Failure {
	if fail := c.singleSteps(q, changed, in); fail != nil {
		return fail
	}
	var held [3]bool
	any := false
	for i := range held {
		held[i] = c.trace.sets[i]&changed == 0
		any = any || held[i]
	}
	steps := 0
	if any {
		var fail *Failure
		if steps, fail = c.wholeRun(q, held, in); fail != nil {
			return fail
		}
	}
	for i, claim := range []Claim{NaiveSafe, SmartSafe, EkstaziSafe} {
		n := Count{Pairs: 1}
		if held[i] {
			n.Held, n.Steps = 1, uint64(steps)
		}
		c.tally.count(in, claim, n)
	}
	return nil
}

// singleSteps takes every step of the run again under q if nothing that the naive function collects at it changed (6.1).
func (c *checker) singleSteps(q *minijvm.Program, changed minijvm.Set, in strengths) *Failure {
	t := &c.trace
	n := Count{Pairs: 1, Steps: uint64(t.steps)}
	for i, set := range t.naive {
		if set&changed != 0 {
			continue
		}
		n.Held++
		s := &t.states[i]
		if c.functions[naiveSet].Collect(q, s) != set {
			return c.failure(NaiveStep, in, q, fmt.Sprintf("at step %d the naive function collects something else", i))
		}
		c.next.CopyFrom(s)
		if !minijvm.Step(q, &c.next) || !c.next.Equal(&t.states[i+1]) {
			return c.failure(NaiveStep, in, q, fmt.Sprintf("step %d leads to another state", i))
		}
	}
	c.tally.Ran += n.Held
	c.tally.count(in, NaiveStep, n)
	return nil
}

// wholeRun runs q from its own start and compares final state and collections.
func (c *checker) wholeRun(q *minijvm.Program, held [3]bool, in strengths) (steps int, fail *Failure) {
	var sets [3]minijvm.Set
	for i, f := range c.functions {
		sets[i] = f.Start(q)
	}
	s := &c.next
	for minijvm.StartState(q, s); !s.End() && steps <= c.limit; steps++ {
		for i, f := range c.functions {
			sets[i] |= f.Collect(q, s)
		}
		if !minijvm.Step(q, s) {
			return steps, c.failure(firstHeld(held), in, q, "the changed program is stuck")
		}
	}
	c.tally.Ran += uint64(steps)
	same := s.Equal(&c.trace.states[c.trace.steps])
	for i, claim := range []Claim{NaiveSafe, SmartSafe, EkstaziSafe} {
		switch {
		case !held[i]:
		case !same:
			return steps, c.failure(claim, in, q, "the final state differs")
		case sets[i] != c.trace.sets[i]:
			return steps, c.failure(claim, in, q, "the collection differs")
		}
	}
	return steps, nil
}

func firstHeld(held [3]bool) Claim {
	for i, claim := range []Claim{NaiveSafe, SmartSafe} {
		if held[i] {
			return claim
		}
	}
	return EkstaziSafe
}
