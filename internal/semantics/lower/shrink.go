package lower

import (
	"context"
	"slices"

	"winnow/internal/semantics/minijvm"
)

// shrinkRounds bounds the work of shrinking: each round is a JVM.
const shrinkRounds = 40

// Shrink returns a disagreement of a smaller program. In each round everything that is a little smaller runs in one JVM, and the smallest program on which the two still
// disagree is taken; the end is when there is none.
func (l *Lab) Shrink(ctx context.Context, d Disagreement, alone bool) (Disagreement, error) {
	for range shrinkRounds {
		cases := shrunkCases(d.Program, !alone)
		if len(cases) == 0 {
			return d, nil
		}
		got, err := l.Run(ctx, cases, false)
		if err != nil {
			return d, err
		}
		found := false
		for i, c := range cases {
			if what := c.Compare(got[i]); len(what) > 0 && size(c.Program) < size(d.Program) {
				d.Program, d.What, found = c.Program, what, true
			}
		}
		if !found {
			return d, nil
		}
	}
	return d, nil
}

// size counts what a program is made of.
func size(p *minijvm.Program) int {
	n := 0
	for _, id := range own(p).All() {
		c := p.Class(id)
		n += 3 + len(c.Fields)
		if c.Super != minijvm.Object {
			n++
		}
		for _, m := range c.Methods {
			n += 1 + len(m.Params) + len(m.Code) + len(m.Handlers)
		}
	}
	return n
}

// shrunkCases are the well-formed programs that are a little smaller, that end, and that meet no known difference.
func shrunkCases(p *minijvm.Program, again bool) []*Case {
	var out []*Case
	var v minijvm.Verifier
	for _, q := range smaller(p) {
		if v.Check(q, minijvm.Missing) != nil || size(q) >= size(p) {
			continue
		}
		if pr, err := Predict(q, again); err == nil && len(pr.Met) == 0 {
			out = append(out, &Case{Number: len(out), Program: q, Predicted: pr})
		}
	}
	return out
}

// smaller returns programs with something removed. Not all of them are well-formed.
func smaller(p *minijvm.Program) []*minijvm.Program {
	var out []*minijvm.Program
	for _, id := range own(p).All() {
		if id != minijvm.Test {
			out = append(out, p.Without(id))
		}
		alter := func(f func(c *minijvm.Class)) {
			c := p.Class(id).Clone()
			f(c)
			out = append(out, p.With(c))
		}
		alter(func(c *minijvm.Class) { c.Super = minijvm.Object })
		for i := range p.Class(id).Fields {
			alter(func(c *minijvm.Class) { c.Fields = slices.Delete(c.Fields, i, i+1) })
		}
		for i := range p.Class(id).Methods {
			smallerMethod(&p.Class(id).Methods[i], func(f func(m *minijvm.Method)) { alter(func(c *minijvm.Class) { f(&c.Methods[i]) }) })
			alter(func(c *minijvm.Class) { c.Methods = slices.Delete(c.Methods, i, i+1) })
		}
	}
	return out
}

func smallerMethod(m *minijvm.Method, alter func(func(m *minijvm.Method))) {
	alter(func(m *minijvm.Method) { // only the end
		m.Code, m.Handlers = []minijvm.Instr{{Op: minijvm.Push, V: m.Result.Default()}, {Op: minijvm.Return}}, nil
	})
	for i := range m.Handlers {
		alter(func(m *minijvm.Method) { m.Handlers = slices.Delete(m.Handlers, i, i+1) })
	}
	for n := 1; n <= 3; n++ {
		for i := 0; i+n <= len(m.Code); i++ {
			alter(func(m *minijvm.Method) { cut(m, int32(i), int32(n)) })
		}
	}
}

// cut removes n instructions at i and moves jumps and the exception table.
func cut(m *minijvm.Method, i, n int32) {
	moved := func(pc int32) int32 { return pc - min(n, max(0, pc-i)) }
	for pc := range m.Code {
		if in := &m.Code[pc]; in.Op == minijvm.Goto || in.Op == minijvm.IfFalse {
			in.N = moved(int32(pc)+in.N) - moved(int32(pc))
		}
	}
	m.Code = slices.Delete(m.Code, int(i), int(i+n))
	for k := range m.Handlers {
		h := &m.Handlers[k]
		h.From, h.To, h.At = moved(h.From), moved(h.To), moved(h.At)
	}
}
