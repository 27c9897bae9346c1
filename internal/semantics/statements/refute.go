package statements

import (
	"context"

	"winnow/internal/semantics/generate"
	"winnow/internal/semantics/minijvm"
)

// A Suspect is a collection function that is believed to be wrong, with the claim that it breaks: one step (NaiveStep) or whole runs.
type Suspect struct {
	Function *minijvm.Function
	Steps    bool
	Strength minijvm.Strength
}

// Published is the suspect of statement 5.
func Published() Suspect { return Suspect{Function: minijvm.Published()} }

// Suspects returns all functions that lack one clause. The naive ones must fail at some step, the others over a whole run.
func Suspects() []Suspect {
	var all []Suspect
	for _, f := range []*minijvm.Function{minijvm.Naive(), minijvm.Smart(), minijvm.Ekstazi()} {
		for _, c := range f.Clauses() {
			x := Suspect{Function: f.Lacking(c), Steps: f.Name() == "naive"}
			if needsMissing(f, c) {
				x.Strength = minijvm.Missing
			}
			all = append(all, x)
		}
	}
	return all
}

// needsMissing tells whether a clause matters only where members may be missing: in the paper's strength every field that is named is found, static or not as wanted, in
// the class that the instruction says, so that no step can show that the clause is gone.
func needsMissing(f *minijvm.Function, c minijvm.Clause) bool {
	switch c {
	case minijvm.NotFound, minijvm.NotStatic, minijvm.AtField:
		return true
	case minijvm.AtGetstatic, minijvm.AtPutstatic:
		return f.Name() == "naive"
	}
	return false
}

// refuted tells whether a pair shows that the function is wrong: what it collected did not change, and yet the state differs.
func (x Suspect) refuted(p, q *minijvm.Program) bool {
	changed := p.Changed(q)
	if changed == 0 {
		return false
	}
	if x.Steps {
		return x.stepRefuted(p, q, changed)
	}
	set, end, ok := x.run(p)
	if !ok || set&changed != 0 {
		return false
	}
	_, other, ok := x.run(q)
	return !ok || !end.Equal(other)
}

func (x Suspect) run(p *minijvm.Program) (minijvm.Set, *minijvm.State, bool) {
	s := &minijvm.State{}
	set := x.Function.Start(p)
	minijvm.StartState(p, s)
	for range randomLimit {
		if s.End() {
			return set, s, true
		}
		set |= x.Function.Collect(p, s)
		if !minijvm.Step(p, s) {
			return set, s, false
		}
	}
	return set, s, false
}

func (x Suspect) stepRefuted(p, q *minijvm.Program, changed minijvm.Set) bool {
	var s, next, other minijvm.State
	minijvm.StartState(p, &s)
	for range randomLimit {
		if s.End() {
			return false
		}
		set := x.Function.Collect(p, &s)
		next.CopyFrom(&s)
		if !minijvm.Step(p, &next) {
			return false
		}
		other.CopyFrom(&s)
		if set&changed == 0 && (!minijvm.Step(q, &other) || !other.Equal(&next)) {
			return true
		}
		s, next = next, s
	}
	return false
}

// A Counterexample is a pair that shows that a function is wrong, as found and shrunk.
type Counterexample struct {
	Found, Shrunk minijvm.Pair
	// Kinds are the kinds of changes that led to it.
	Kinds []string
	// Pairs is how many were tried before.
	Pairs uint64
	// Figure1 tells whether the shrunk pair is a relative of the paper's Figure 1.
	Figure1 bool
}

// Refute searches until want says that the counterexamples found are enough, the context ends, or so many pairs were tried.
func (x Suspect) Refute(ctx context.Context, seed, pairs uint64, enough func([]Counterexample) bool) (found []Counterexample, tried uint64) {
	source := generate.NewSource(generate.Config{Strength: x.Strength, Classes: 4}, seed)
	for tried < pairs && ctx.Err() == nil {
		p := source.Program()
		for range changesPerProgram {
			q, kinds := source.Change(p)
			if q == nil {
				continue
			}
			tried++
			if !x.refuted(p, q) {
				continue
			}
			pair := minijvm.Pair{Before: p, After: q}
			c := Counterexample{Found: pair, Shrunk: x.Shrink(pair), Kinds: kinds, Pairs: tried}
			c.Figure1 = x.likeFigure1(c.Shrunk)
			if found = append(found, c); enough(found) {
				return found, tried
			}
			break
		}
	}
	return found, tried
}

// likeFigure1 tells whether a pair is a relative of Figure 1: only the superclass of one class differs, that class failed to initialize because a class above it
// did, and it was not collected.
func (x Suspect) likeFigure1(pair minijvm.Pair) bool {
	changed := pair.Before.Changed(pair.After)
	if x.Steps || changed.Len() != 1 {
		return false
	}
	c, _ := changed.First()
	before, after := pair.Before.Class(c), pair.After.Class(c)
	if before == nil || after == nil || before.Super == after.Super {
		return false
	}
	moved := before.Clone()
	moved.Super = after.Super
	set, end, ok := x.run(pair.Before)
	return moved.Equal(after) && ok && !set.Has(c) && end.Flag(c) == minijvm.Error && end.Flag(before.Super) == minijvm.Error
}
