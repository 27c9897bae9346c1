package lower

import (
	"fmt"

	"winnow/internal/semantics/minijvm"
)

// A Prediction is what the semantics says about a program.
type Prediction struct {
	// Runs has the test's first run and, if it can run again in the same JVM, the second.
	Runs []PredictedRun
	// Steps is the number of steps of all runs.
	Steps int
	// Met are the known differences that the runs came across.
	Met []*Difference

	state minijvm.State // at the end
}

// A PredictedRun is one run of a test.
type PredictedRun struct {
	Raised minijvm.ClassID // the class of the exception, or NoClass
	Smart  minijvm.Set     // without the classes that are not lowered
}

// Predict runs a well-formed program with a class Test, and a second time in the same JVM if wanted and possible: it is not possible if Test cannot be initialized, or if the program calls
// main by itself. The error is [minijvm.ErrUnfinished] if it takes too long. Programs that share their names are not for several goroutines.
func Predict(p *minijvm.Program, again bool) (*Prediction, error) {
	if q, ok := twice(p); ok && again {
		pr, err := predict(p, q, true)
		if err != nil || len(pr.Runs) == 2 {
			return pr, err
		}
	}
	return predict(p, p, false) // the second run does not happen
}

// again is the name of the method that has the code of main in a program that runs its test twice. No program that is written down can have it.
const again = "main again"

// The places in the main of such a program.
const (
	caughtAt = 3 // the first run raised what is on the stack
	secondAt = 4 // the second run
)

// twice returns the program whose main runs the test, catches what it raises, and runs it again.
func twice(p *minijvm.Program) (*minijvm.Program, bool) {
	id, err := p.Names.AddMember(again)
	if err != nil || namesMain(p) {
		return nil, false
	}
	test := p.Class(minijvm.Test).Clone()
	main := test.Method(minijvm.Main)
	body := *main
	body.Name = id
	call := minijvm.Instr{Op: minijvm.Invokestatic, C: minijvm.Test, F: id}
	*main = minijvm.Method{Name: minijvm.Main, Static: true, Result: minijvm.Void, Stack: 1,
		Code:     []minijvm.Instr{call, {Op: minijvm.Pop}, {Op: minijvm.Goto, N: 2}, {Op: minijvm.Pop}, call, {Op: minijvm.Return}},
		Handlers: []minijvm.Handler{{Catch: minijvm.Object, From: 0, To: 1, At: caughtAt}}}
	test.Methods = append(test.Methods, body)
	test.Sort()
	return p.With(test), true
}

// namesMain tells whether a program calls a main by itself.
func namesMain(p *minijvm.Program) bool {
	for _, c := range own(p).All() {
		for _, m := range p.Class(c).Methods {
			for _, in := range m.Code {
				if (in.Op == minijvm.Invoke || in.Op == minijvm.Invokestatic) && in.F == minijvm.Main {
					return true
				}
			}
		}
	}
	return false
}

// A predictor follows a run of q, which is p or runs it twice.
type predictor struct {
	q      *minijvm.Program
	typing *minijvm.Typing
	out    *Prediction
	second bool
	first  minijvm.ClassID // what the first run raised
	sets   [2]minijvm.Set
	inits  [minijvm.MaxClasses]minijvm.Set // what was collected while a class was being initialized
	needed minijvm.Set                     // classes that the second run needs to be initialized
}

func predict(p, q *minijvm.Program, two bool) (*Prediction, error) {
	typing, err := minijvm.Verify(q, minijvm.Missing)
	if err != nil {
		return nil, fmt.Errorf("a program that was to be well-formed: %w", err)
	}
	x := &predictor{q: q, typing: typing, out: &Prediction{}, first: minijvm.NoClass}
	s := &x.out.state
	minijvm.StartState(q, s)
	for !s.End() {
		if x.out.Steps == minijvm.StepLimit {
			return nil, minijvm.ErrUnfinished
		}
		x.look(s, two)
		if !minijvm.Step(q, s) {
			return nil, minijvm.ErrStuck
		}
		x.out.Steps++
	}
	x.finish(own(p), two)
	return x.out, nil
}

// look notes what the next step means.
func (x *predictor) look(s *minijvm.State, two bool) {
	f, _ := s.Top()
	if two && len(s.Frames()) == 2 && f.Class == minijvm.Test && f.Method == minijvm.Main {
		x.second = f.PC >= secondAt
		if stack := s.Stack(1); f.PC == caughtAt && len(stack) == 1 {
			a, _ := stack[0].Addr()
			x.first, _ = s.ClassOf(a)
		}
	}
	got := minijvm.Smart().Collect(x.q, s)
	run := 0
	if x.second {
		run = 1
		got |= minijvm.Ekstazi().Collect(x.q, s)
		x.needed |= x.needs(s)
	}
	x.sets[run] |= got
	for _, c := range own(x.q).All() {
		if s.Flag(c) == minijvm.Processing {
			x.inits[c] |= got
		}
	}
	for _, d := range Differences() {
		if d.met != nil && d.met(x.q, x.typing, s) && !d.in(x.out.Met) {
			x.out.Met = append(x.out.Met, d)
		}
	}
}

// needs returns the classes that must be initialized before the instruction at hand.
func (x *predictor) needs(s *minijvm.State) minijvm.Set {
	in := current(x.q, s)
	if in == nil {
		return 0
	}
	switch in.Op {
	case minijvm.New:
		return x.q.Above(in.C)
	case minijvm.Getstatic, minijvm.Putstatic:
		if f, d := x.q.SeesField(in.C, in.F); f != nil && f.Static {
			return x.q.Above(d)
		}
	case minijvm.Invokestatic:
		if m, d := x.q.SeesMethod(in.C, in.F); m != nil && m.Static {
			return x.q.Above(d)
		}
	}
	return 0
}

// current returns the instruction that a state is about to perform, or nil if it is about to do something for a class initialization.
func current(p *minijvm.Program, s *minijvm.State) *minijvm.Instr {
	f, ok := s.Top()
	if !ok || f.ICS == minijvm.Calling || f.ICS == minijvm.Throwing || f.ICS == minijvm.Called && len(s.Inits(len(s.Frames())-1)) > 0 {
		return nil
	}
	m := p.Class(f.Class).Method(f.Method)
	if m == nil || int(f.PC) >= len(m.Code) {
		return nil
	}
	return &m.Code[f.PC]
}

func (x *predictor) finish(own minijvm.Set, two bool) {
	s := &x.out.state
	last := PredictedRun{Raised: minijvm.NoClass}
	if c, ok := s.ClassOf(int(s.Raised)); s.Raised >= 0 && ok {
		last.Raised = c
	}
	if !two {
		last.Smart = x.sets[0] & own
		x.out.Runs = []PredictedRun{last}
		return
	}
	if !x.second { // Test could not be initialized
		return
	}
	last.Smart = x.closed(x.sets[1]) & own
	x.out.Runs = []PredictedRun{{Raised: x.first, Smart: x.sets[0] & own}, last}
}

// closed adds to what the second run collected what the initialization of the classes that it needed did, whenever that was.
func (x *predictor) closed(set minijvm.Set) minijvm.Set {
	set |= x.needed
	for todo, seen := x.needed, minijvm.Set(0); todo != 0; {
		var c minijvm.ClassID
		c, todo = todo.First()
		seen |= minijvm.SetOf(c)
		set |= x.inits[c]
		todo |= x.inits[c] &^ seen
	}
	return set
}
