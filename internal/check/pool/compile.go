package pool

import (
	"context"
	"fmt"

	"winnow/internal/check/evolve"
)

// Compile compiles sources.
func (p *Pool) Compile(ctx context.Context, s Source) (*Compilation, error) {
	r := request{askCompile}
	r.texts(append([]string{"-proc:none", "-nowarn"}, s.Options...))
	files(&r, s.On)
	files(&r, s.Files)
	out := &Compilation{Classes: map[string][]byte{}}
	err := p.ask(ctx, 0, r, func(a *answer) {
		out.OK, out.Diagnostics = a.number() == 1, a.text()
		a.each(func() {
			name := a.text()
			out.Classes[name] = a.bytes()
		})
	})
	if err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	return out, nil
}

// Wanted says what call sequences are wanted.
type Wanted struct {
	Classes   map[string][]byte // by internal name
	Resources map[string]string
	Seed      uint64
	Lengths   []int // one group of tests for each: of so many calls at most
	Most      int   // tests in a group
}

// Sequences finds tests of classes: random sequences of calls, directed by what they do when they are tried. Group and name of a test follow from its length and place.
func (p *Pool) Sequences(ctx context.Context, w Wanted) ([]evolve.Test, error) {
	r := request{askSequences}
	r.number(int(uint32(w.Seed >> 32))).number(int(uint32(w.Seed)))
	r.number(len(w.Lengths))
	for _, n := range w.Lengths {
		r.number(n)
	}
	r.number(w.Most)
	files(&r, w.Classes)
	files(&r, w.Resources)
	var out []evolve.Test
	err := p.ask(ctx, 0, r, func(a *answer) {
		group := 0
		a.each(func() {
			number := 0
			a.each(func() {
				if group < len(w.Lengths) {
					out = append(out, evolve.Test{Group: fmt.Sprintf("L%dTest", w.Lengths[group]), Name: fmt.Sprintf("t%d", number), Calls: a.calls()})
				}
				number++
			})
			group++
		})
	})
	if err != nil {
		return nil, fmt.Errorf("find sequences: %w", err)
	}
	return out, nil
}

func (a *answer) calls() (out []evolve.Call) {
	a.each(func() {
		c := evolve.Call{Kind: evolve.CallKind(a.text()), Owner: a.text(), Name: a.text(), Result: a.text(), Receiver: a.number()}
		a.each(func() { c.Args = append(c.Args, a.text()) })
		out = append(out, c)
	})
	return out
}
