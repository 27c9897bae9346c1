package generate

import "winnow/internal/semantics/minijvm"

// A Bound is a finite family of programs. A program has a test, and an alternative of each of the classes C, B and A; its number is composed of theirs.
//
// The alternatives of a class are all combinations of
//
//	field f     none, static int, instance int
//	clinit      empty; throws; sets f (C only, if f is static)
//	method m    none, static, instance; for C also: static and throws, static and catches what it throws
//	superclass  A: Object.  B: Object, A.  C: Object, B, A
//
// and, for A and B, absence. Not every program of the family is well-formed; the verifier decides.
type Bound struct {
	Names   *minijvm.Names
	tests   []*minijvm.Class
	classes [3][]*minijvm.Class // alternatives of C, B, A; nil: absent
	ids     [3]minijvm.ClassID
	r       minijvm.MemberID
	f, m    minijvm.MemberID
}

// NewBound returns the bound.
func NewBound() *Bound {
	b := &Bound{Names: minijvm.NewNames()}
	for i, name := range []string{"C", "B", "A"} {
		b.ids[i] = class(b.Names, name)
	}
	b.f, b.m, b.r = member(b.Names, "f"), member(b.Names, "m"), member(b.Names, "r")
	c, super, a := b.ids[0], b.ids[1], b.ids[2]
	b.classes[0] = b.alternatives(c, true, minijvm.Object, super, a)
	b.classes[1] = append(b.alternatives(super, false, minijvm.Object, a), nil)
	b.classes[2] = append(b.alternatives(a, false, minijvm.Object), nil)
	b.tests = b.makeTests()
	return b
}

// class and member number names that are known to fit.
func class(n *minijvm.Names, name string) minijvm.ClassID {
	c, err := n.AddClass(name)
	if err != nil {
		panic(err)
	}
	return c
}

func member(n *minijvm.Names, name string) minijvm.MemberID {
	m, err := n.AddMember(name)
	if err != nil {
		panic(err)
	}
	return m
}

// alternatives returns all forms of a class with one of the superclasses.
func (b *Bound) alternatives(id minijvm.ClassID, rich bool, supers ...minijvm.ClassID) []*minijvm.Class {
	var all []*minijvm.Class
	for _, super := range supers {
		for _, fields := range [][]minijvm.Field{nil, {{Name: b.f, Static: true, Type: minijvm.Int}}, {{Name: b.f, Type: minijvm.Int}}} {
			static := len(fields) > 0 && fields[0].Static
			for _, clinit := range b.clinits(id, rich && static) {
				for _, methods := range b.methods(id, rich) {
					k := &minijvm.Class{Name: id, Super: super, Fields: fields, Methods: append([]minijvm.Method{clinit}, methods...)}
					k.Sort()
					all = append(all, k)
				}
			}
		}
	}
	return all
}

// number makes the constants of different classes different.
func number(id minijvm.ClassID, n int) minijvm.Value { return minijvm.IntValue(int32(10*int(id) + n)) }

func (b *Bound) clinits(id minijvm.ClassID, sets bool) []minijvm.Method {
	throws := minijvm.EmptyClinit()
	throws.Code = []minijvm.Instr{{Op: minijvm.Push, V: minijvm.Null}, {Op: minijvm.Throw}}
	all := []minijvm.Method{minijvm.EmptyClinit(), throws}
	if sets {
		set := minijvm.EmptyClinit()
		set.Code = append([]minijvm.Instr{{Op: minijvm.Push, V: number(id, 1)}, {Op: minijvm.Putstatic, C: id, F: b.f, D: id}}, set.Code...)
		all = append(all, set)
	}
	return all
}

func (b *Bound) methods(id minijvm.ClassID, rich bool) [][]minijvm.Method {
	result := []minijvm.Instr{{Op: minijvm.Push, V: number(id, 2)}, {Op: minijvm.Return}}
	static := minijvm.Method{Name: b.m, Static: true, Result: minijvm.Int, Stack: 1, Code: result}
	instance := static
	instance.Static = false
	all := [][]minijvm.Method{nil, {static}, {instance}}
	if rich {
		throws := static
		throws.Code = append([]minijvm.Instr{{Op: minijvm.Push, V: minijvm.Null}, {Op: minijvm.Throw}, {Op: minijvm.Pop}}, result...)
		catches := throws
		catches.Handlers = []minijvm.Handler{{Catch: minijvm.NullPointer, From: 0, To: 2, At: 2}}
		all = append(all, []minijvm.Method{throws}, []minijvm.Method{catches})
	}
	return all
}

// makeTests returns the alternatives of Test. What a test finds goes into its static field r.
func (b *Bound) makeTests() []*minijvm.Class {
	c, super, a := b.ids[0], b.ids[1], b.ids[2]
	keep := minijvm.Instr{Op: minijvm.Putstatic, C: minijvm.Test, F: b.r, D: minijvm.Test}
	newC := minijvm.Instr{Op: minijvm.New, C: c}
	get := minijvm.Instr{Op: minijvm.Getstatic, C: c, F: b.f, D: c}
	call := minijvm.Instr{Op: minijvm.Invokestatic, C: c, F: b.m}
	five := minijvm.Instr{Op: minijvm.Push, V: minijvm.IntValue(5)}
	pop := minijvm.Instr{Op: minijvm.Pop}
	twice := []minijvm.Instr{call, keep, {Op: minijvm.Goto, N: 2}, pop, call, keep}
	thrown := []minijvm.Instr{newC, {Op: minijvm.Throw}, pop, five, keep}
	return []*minijvm.Class{
		b.test(nil, get, keep),
		b.test(nil, minijvm.Instr{Op: minijvm.Getstatic, C: c, F: b.f, D: a}, keep),
		b.test(nil, five, minijvm.Instr{Op: minijvm.Putstatic, C: c, F: b.f, D: c}),
		b.test(nil, call, keep),
		b.test(nil, newC, minijvm.Instr{Op: minijvm.Invoke, F: b.m}, keep),
		b.test(nil, newC, minijvm.Instr{Op: minijvm.Getfield, F: b.f, C: c}, keep),
		b.test(nil, newC, minijvm.Instr{Op: minijvm.Checkcast, C: a}, pop),
		b.test([]minijvm.Handler{{Catch: minijvm.Object, From: 0, To: 1, At: 3}}, twice...),
		b.test([]minijvm.Handler{{Catch: a, From: 0, To: 2, At: 2}}, thrown...),
		b.test(nil, minijvm.Instr{Op: minijvm.New, C: super}, pop, call, keep),
	}
}

func (b *Bound) test(handlers []minijvm.Handler, code ...minijvm.Instr) *minijvm.Class {
	end := minijvm.EmptyClinit()
	main := minijvm.Method{Name: minijvm.Main, Static: true, Result: minijvm.Void, Stack: 2, Code: append(code, end.Code...), Handlers: handlers}
	return &minijvm.Class{Name: minijvm.Test, Super: minijvm.Object, Fields: []minijvm.Field{{Name: b.r, Static: true, Type: minijvm.Int}},
		Methods: []minijvm.Method{end, main}}
}

// Programs returns the number of programs, well-formed or not.
func (b *Bound) Programs() int {
	return len(b.tests) * len(b.classes[0]) * len(b.classes[1]) * len(b.classes[2])
}

// Neighbours returns the number of neighbours of each program.
func (b *Bound) Neighbours() int {
	return len(b.classes[0]) + len(b.classes[1]) + len(b.classes[2]) - 3
}

// Blocks returns the number of blocks, which are ranges of programs of the same length.
func (b *Bound) Blocks() int { return len(b.tests) * len(b.classes[0]) }

// Block returns the first program of a block and the one behind its last.
func (b *Bound) Block(i int) (from, to int) {
	n := len(b.classes[1]) * len(b.classes[2])
	return i * n, (i + 1) * n
}

// digits splits a number into the choices of the test, C, B and A.
func (b *Bound) digits(i int) (test int, choice [3]int) {
	for k := 2; k >= 0; k-- {
		choice[k] = i % len(b.classes[k])
		i /= len(b.classes[k])
	}
	return i, choice
}

// Program returns the program with a number.
func (b *Bound) Program(i int) *minijvm.Program {
	test, choice := b.digits(i)
	classes := []*minijvm.Class{b.tests[test]}
	for k, n := range choice {
		if c := b.classes[k][n]; c != nil {
			classes = append(classes, c)
		}
	}
	return minijvm.NewProgram(b.Names, classes...)
}

// A Neighbour is one change of a program: the number of the changed program, the class that changed, and what it became (nil: absent).
type Neighbour struct {
	Program int
	ID      minijvm.ClassID
	Class   *minijvm.Class
}

// EachNeighbour calls f for every neighbour of a program, in order of the classes A, B, C and of their alternatives.
func (b *Bound) EachNeighbour(i int, f func(Neighbour)) {
	_, choice := b.digits(i)
	weight := 1
	for k := 2; k >= 0; k-- {
		base := i - choice[k]*weight
		for n, c := range b.classes[k] {
			if n != choice[k] {
				f(Neighbour{base + n*weight, b.ids[k], c})
			}
		}
		weight *= len(b.classes[k])
	}
}
