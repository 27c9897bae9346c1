package generate

import (
	"math/rand/v2"
	"slices"

	"winnow/internal/semantics/minijvm"
)

// Config says what random programs are like. The zero value works.
type Config struct {
	// Strength is how well-formed programs and changed programs are.
	Strength minijvm.Strength
	// Classes is the largest number of classes beside Test; 0 means 5.
	Classes int
	// Lowerable leaves out what a real JVM cannot have: built-in classes that are redefined, and handlers that keep a part of the operand stack.
	Lowerable bool
}

// A Source makes programs and changes from a seed. It is for one goroutine. Its programs share one [minijvm.Names].
type Source struct {
	cfg     Config
	rng     *rand.Rand
	names   *minijvm.Names
	ids     []minijvm.ClassID
	fields  []minijvm.MemberID
	methods []minijvm.MemberID
	verify  minijvm.Verifier
	// Tried and Refused count what was made and what of it the verifier refused.
	Tried, Refused int
}

// NewSource returns a source. Equal configurations and seeds give equal programs.
func NewSource(cfg Config, seed uint64) *Source {
	if cfg.Classes == 0 {
		cfg.Classes = 5
	}
	s := &Source{cfg: cfg, names: minijvm.NewNames()}
	s.Seed(seed)
	for _, n := range []string{"A", "B", "C", "D", "E", "F", "G", "H"}[:min(cfg.Classes, 8)] {
		s.ids = append(s.ids, class(s.names, n))
	}
	for _, n := range []string{"f", "g", "h"} {
		s.fields = append(s.fields, member(s.names, n))
	}
	for _, n := range []string{"m", "n", "k"} {
		s.methods = append(s.methods, member(s.names, n))
	}
	return s
}

// Seed makes the source continue as a new one with this seed would.
func (s *Source) Seed(seed uint64) { s.rng = rand.New(rand.NewPCG(seed, 0x77696e6e6f77)) }

func (s *Source) one(n int) bool { return s.rng.IntN(n) == 0 }

func pick[T any](s *Source, list []T) T { return list[s.rng.IntN(len(list))] }

// Program returns a well-formed program with a class Test.
func (s *Source) Program() *minijvm.Program {
	for {
		s.Tried++
		p := s.attempt()
		if s.verify.Check(p, s.cfg.Strength) == nil {
			return p
		}
		s.Refused++
	}
}

// attempt makes a program that is nearly always well-formed: first what classes declare, then code that uses it.
func (s *Source) attempt() *minijvm.Program {
	b := &builder{Source: s, signatures: map[minijvm.MemberID]minijvm.Method{}}
	for _, m := range s.methods {
		b.signatures[m] = b.signature(m)
	}
	n := 1 + s.rng.IntN(len(s.ids))
	b.ids = s.ids[:n]
	classes := []*minijvm.Class{{Name: minijvm.Test, Super: minijvm.Object, Methods: []minijvm.Method{minijvm.EmptyClinit(), mainMethod()}}}
	for i, id := range b.ids {
		classes = append(classes, b.skeleton(id, b.super(i)))
	}
	if s.one(3) {
		classes[0].Fields = b.declareFields()
	}
	b.p = minijvm.NewProgram(s.names, classes...)
	for i, c := range classes {
		classes[i] = b.fill(c)
	}
	return minijvm.NewProgram(s.names, append(classes, b.redefined()...)...)
}

func mainMethod() minijvm.Method {
	m := minijvm.EmptyClinit()
	m.Name = minijvm.Main
	return m
}

// A builder makes one program.
type builder struct {
	*Source
	p          *minijvm.Program
	ids        []minijvm.ClassID
	signatures map[minijvm.MemberID]minijvm.Method
}

// super chooses the superclass of the class with an index among those before it; chains are more interesting than fans.
func (b *builder) super(i int) minijvm.ClassID {
	switch {
	case i == 0 || b.one(4):
		return minijvm.Object
	case b.one(2):
		return b.ids[i-1]
	}
	return pick(b.Source, b.ids[:i])
}

// signature fixes parameters, result and kind of a method name for a whole program, so that overriding methods fit.
func (b *builder) signature(m minijvm.MemberID) minijvm.Method {
	sig := minijvm.Method{Name: m, Static: b.one(2), Result: pick(b.Source, []minijvm.Type{minijvm.Int, minijvm.Int, minijvm.Void, minijvm.Boolean})}
	for range b.rng.IntN(3) {
		sig.Params = append(sig.Params, pick(b.Source, []minijvm.Type{minijvm.Int, minijvm.Boolean, minijvm.ClassType(minijvm.Object)}))
	}
	return sig
}

func (b *builder) skeleton(id, super minijvm.ClassID) *minijvm.Class {
	c := &minijvm.Class{Name: id, Super: super, Fields: b.declareFields(), Methods: []minijvm.Method{minijvm.EmptyClinit()}}
	for _, m := range b.methods {
		if b.one(2) {
			c.Methods = append(c.Methods, b.declareMethod(m))
		}
	}
	c.Sort()
	return c
}

func (b *builder) declareMethod(m minijvm.MemberID) minijvm.Method {
	sig := b.signatures[m]
	if b.cfg.Strength == minijvm.Missing && b.one(5) {
		sig.Static = !sig.Static
	}
	return sig
}

func (b *builder) declareFields() []minijvm.Field {
	var fields []minijvm.Field
	for _, f := range b.fields {
		if b.one(3) {
			fields = append(fields, b.field(f))
		}
	}
	return fields
}

func (b *builder) field(f minijvm.MemberID) minijvm.Field {
	types := []minijvm.Type{minijvm.Int, minijvm.Int, minijvm.Boolean, minijvm.ClassType(minijvm.Object)}
	return minijvm.Field{Name: f, Static: b.one(2), Type: pick(b.Source, types)}
}

// fill gives code to all methods of a class.
func (b *builder) fill(c *minijvm.Class) *minijvm.Class {
	c = c.Clone()
	for i := range c.Methods {
		c.Methods[i] = b.body(c, c.Methods[i])
	}
	return c
}

// redefined returns system exceptions with another superclass, rarely.
func (b *builder) redefined() []*minijvm.Class {
	if b.cfg.Lowerable || !b.one(6) {
		return nil
	}
	return []*minijvm.Class{{Name: pick(b.Source, minijvm.SystemExceptions()), Super: pick(b.Source, b.ids), Methods: []minijvm.Method{minijvm.EmptyClinit()}}}
}

// builderFor returns a builder that continues a finished program.
func (s *Source) builderFor(p *minijvm.Program) *builder {
	b := &builder{Source: s, p: p, signatures: map[minijvm.MemberID]minijvm.Method{}}
	for _, id := range s.ids {
		if p.Class(id) != nil {
			b.ids = append(b.ids, id)
		}
	}
	for _, m := range s.methods {
		b.signatures[m] = b.signature(m)
		for _, id := range slices.Backward(b.ids) {
			if k := p.Class(id).Method(m); k != nil {
				b.signatures[m] = minijvm.Method{Name: m, Static: k.Static, Params: k.Params, Result: k.Result}
			}
		}
	}
	return b
}
