package lower

import (
	"math/rand/v2"
	"slices"

	"winnow/internal/semantics/minijvm"
)

// vary inserts into a program what random programs lack and a JVM does in its own way: calls on an object whose type is a superclass of its class, calls on objects that
// a static field has kept, from an earlier run perhaps. The program stays well-formed.
func vary(p *minijvm.Program, strength minijvm.Strength, rng *rand.Rand) *minijvm.Program {
	var v minijvm.Verifier
	for range rng.IntN(4) {
		for range 8 { // most places do not fit
			c := p.Class(pick(rng, own(p).All())).Clone()
			m := &c.Methods[rng.IntN(len(c.Methods))]
			at := rng.IntN(len(m.Code))
			if !insert(p, m, at, rng) {
				continue
			}
			if q := p.With(c); v.Check(q, strength) == nil {
				p = q
				break
			}
		}
	}
	return p
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// insert puts code before an instruction: behind a New a cast to a class above, elsewhere a call on an object that may be any.
func insert(p *minijvm.Program, m *minijvm.Method, at int, rng *rand.Rand) bool {
	code, stack := call(p, rng)
	if at > 0 && m.Code[at-1].Op == minijvm.New {
		above := (p.Above(m.Code[at-1].C) & own(p)).All()
		if len(above) == 0 {
			return false
		}
		code, stack = []minijvm.Instr{{Op: minijvm.Checkcast, C: pick(rng, above)}}, 0
	}
	if code == nil {
		return false
	}
	m.Stack += stack
	makeRoom(m, int32(at), code)
	return true
}

// call writes a call on a new object or on one that a static field has, cast to some class; nil if the class has no method for it.
func call(p *minijvm.Program, rng *rand.Rand) (code []minijvm.Instr, stack int32) {
	receiver := pick(rng, own(p).All())
	methods := p.Class(receiver).Methods
	m := &methods[rng.IntN(len(methods))]
	if m.Static {
		return nil, 0
	}
	code = append(object(p, rng), minijvm.Instr{Op: minijvm.Checkcast, C: receiver})
	for _, t := range m.Params {
		code = append(code, minijvm.Instr{Op: minijvm.Push, V: t.Default()})
	}
	return append(code, minijvm.Instr{Op: minijvm.Invoke, F: m.Name, N: int32(len(m.Params))}, minijvm.Instr{Op: minijvm.Pop}), int32(1 + len(m.Params))
}

// object pushes an object: what a static field has if there is one, or a new one.
func object(p *minijvm.Program, rng *rand.Rand) []minijvm.Instr {
	for _, c := range own(p).All() {
		for _, f := range p.Class(c).Fields {
			if _, isClass := f.Type.Class(); isClass && f.Static && rng.IntN(3) > 0 {
				return []minijvm.Instr{{Op: minijvm.Getstatic, C: c, F: f.Name, D: c}}
			}
		}
	}
	return []minijvm.Instr{{Op: minijvm.New, C: pick(rng, own(p).All())}}
}

// makeRoom puts code before the instruction i and moves jumps and the exception table. What jumped to the instruction jumps to the code.
func makeRoom(m *minijvm.Method, i int32, code []minijvm.Instr) {
	moved := func(pc int32) int32 {
		if pc > i {
			return pc + int32(len(code))
		}
		return pc
	}
	for pc := range m.Code {
		from := int32(pc)
		if from == i {
			from += int32(len(code))
		} else {
			from = moved(from)
		}
		if in := &m.Code[pc]; in.Op == minijvm.Goto || in.Op == minijvm.IfFalse {
			in.N = moved(int32(pc)+in.N) - from
		}
	}
	m.Code = slices.Insert(m.Code, int(i), code...)
	for k := range m.Handlers {
		h := &m.Handlers[k]
		h.From, h.To, h.At = moved(h.From), moved(h.To), moved(h.At)
	}
}
