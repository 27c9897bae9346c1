package minijvm

// A Collector is a collection function: what it collects before the first step, and at each step. Collect looks at the state before the step only, so that it works for
// any semantics with these states.
type Collector interface {
	// Name is the printed name.
	Name() string
	// Start returns what is collected before the first step.
	Start(p *Program) Set
	// Collect returns what is collected when a step is taken from s.
	Collect(p *Program, s *State) Set
}

// A Clause is a part of a collection function. Tests remove clauses one at a time, to see that each is needed and that its lack is noticed.
type Clause uint32

// The clauses of the four functions.
const (
	Frames         Clause = 1 << iota // naive: the class of every frame
	Exceptions                        // all: the system exceptions
	AtCalling                         // naive, smart: Calling C
	AtCalled                          // naive: Called (C:Cs)
	AtThrowing                        // naive: Throwing Cs a
	AtNew                             // naive, ekstazi, published: New C
	AtGetstatic                       // as above: Getstatic C
	AtPutstatic                       // as above: Putstatic C
	AtInvokestatic                    // as above: Invokestatic C
	AtField                           // naive: the object of Getfield and Putfield
	AtCheckcast                       // naive: the object of Checkcast
	AtInvoke                          // naive: the object of Invoke
	AtThrow                           // naive: the object of Throw
	NotFound                          // smart: static access to a member that is not found
	NotStatic                         // smart: static access to a member that is not static
	Between                           // smart: static access, from the class named up to but without the class that declares
	Supertypes                        // ekstazi: a class with all its superclasses
	AtEntry                           // published: the start of static methods and static initializers
	AtCalledEmpty                     // naive: Called [], as the instruction that is performed
	clauses
)

var clauseNames = []string{"frames", "system exceptions", "Calling", "Called", "Throwing", "New", "Getstatic", "Putstatic", "Invokestatic", "Getfield/Putfield", "Checkcast",
	"Invoke", "Throw", "member not found", "member not static", "classes between", "superclasses", "method entry", "Called []"}

func (c Clause) String() string {
	for i, name := range clauseNames {
		if c == 1<<i {
			return name
		}
	}
	return "clauses"
}

// A Function is one of the four collection functions, perhaps without some clauses.
type Function struct {
	name    string
	has     Clause
	collect func(f *Function, p *Program, s *State) Set
	start   bool // the system exceptions are collected once, before the first step
}

// Naive collects at every step every class that can affect it.
func Naive() *Function {
	return &Function{name: "naive", collect: naive,
		has: Frames | Exceptions | AtCalling | AtCalled | AtCalledEmpty | AtThrowing | AtNew | AtGetstatic | AtPutstatic | AtInvokestatic | AtField | AtCheckcast | AtInvoke | AtThrow}
}

// Smart collects a class when its initialization is called, and at static accesses the classes that are looked through but not initialized.
func Smart() *Function {
	return &Function{name: "smart", collect: smart, start: true, has: Exceptions | AtCalling | NotFound | NotStatic | Between}
}

// Ekstazi is what a code instrumenter should do: collect before every New and static access, whether or not the class is initialized.
func Ekstazi() *Function {
	return &Function{name: "ekstazi", collect: ekstazi, start: true, has: Exceptions | AtNew | AtGetstatic | AtPutstatic | AtInvokestatic | Supertypes}
}

// Published is Ekstazi as published: it collects at the start of constructors (here: when New makes an object), of static methods and of static initializers, and
// before accesses to static fields. It is not safe.
func Published() *Function {
	return &Function{name: "published", collect: published, start: true, has: Exceptions | AtNew | AtGetstatic | AtPutstatic | AtEntry | Supertypes}
}

// Functions returns the four collection functions.
func Functions() []*Function { return []*Function{Naive(), Smart(), Ekstazi(), Published()} }

// Name returns the function's name, with the clauses that it lacks.
func (f *Function) Name() string { return f.name }

// Clauses returns the function's clauses.
func (f *Function) Clauses() []Clause {
	var all []Clause
	for c := Clause(1); c < clauses; c <<= 1 {
		if f.has&c != 0 {
			all = append(all, c)
		}
	}
	return all
}

// Lacking returns the function without a clause. It is wrong, on purpose.
func (f *Function) Lacking(c Clause) *Function {
	g := *f
	g.has &^= c
	g.name = f.name + " without " + c.String()
	return &g
}

// Start returns the system exceptions and their superclasses, for functions that collect them once, with Start: no program can change it, and the naive function
// collects it because its frame is on the stack.
func (f *Function) Start(p *Program) Set {
	if !f.start {
		return 0
	}
	s := SetOf(Start)
	if f.has&Exceptions != 0 {
		s |= exceptions(p)
	}
	return s
}

// Collect returns what is collected when a step is taken from s.
func (f *Function) Collect(p *Program, s *State) Set {
	if s.End() {
		return 0
	}
	return f.collect(f, p, s)
}

func exceptions(p *Program) Set {
	var s Set
	for _, c := range systemExceptions {
		s |= p.Above(c)
	}
	return s
}

func naive(fn *Function, p *Program, s *State) Set {
	var out Set
	if fn.has&Frames != 0 {
		for i := range s.frames {
			out |= p.Above(s.frames[i].Class)
		}
	}
	if fn.has&Exceptions != 0 {
		out |= exceptions(p)
	}
	f := &s.frames[len(s.frames)-1]
	switch f.ICS {
	case Calling:
		if fn.has&AtCalling != 0 {
			out |= p.Above(f.Init)
		}
	case Called:
		if last := len(s.inits); last > int(f.inits) {
			if fn.has&AtCalled != 0 {
				_, d := p.SeesMethod(s.inits[last-1], Clinit)
				out |= p.Above(s.inits[last-1]) | p.Above(d)
			}
			break
		}
		if fn.has&AtCalledEmpty != 0 {
			out |= fn.naiveInstr(p, s, f)
		}
	case Throwing:
		if c, ok := s.ClassOf(int(f.Raised)); ok && fn.has&AtThrowing != 0 {
			out |= p.Above(c)
		}
	case No:
		out |= fn.naiveInstr(p, s, f)
	}
	return out
}

// naiveInstr is the clause of naive for the instruction in hand.
func (f *Function) naiveInstr(p *Program, s *State, fr *Frame) Set {
	in := current(p, fr)
	if in == nil {
		return 0
	}
	if clause := namesClass[in.Op]; clause != 0 && f.has&clause != 0 {
		return p.Above(in.C)
	}
	if clause := usesObject[in.Op]; clause != 0 && f.has&clause != 0 {
		return p.Above(used(s, fr, in))
	}
	return 0
}

var namesClass = [ops]Clause{New: AtNew, Getstatic: AtGetstatic, Putstatic: AtPutstatic, Invokestatic: AtInvokestatic}

var usesObject = [ops]Clause{Getfield: AtField, Putfield: AtField, Checkcast: AtCheckcast, Invoke: AtInvoke, Throw: AtThrow}

// used returns the class of the object that an instruction uses, or no class if there is none.
func used(s *State, f *Frame, in *Instr) ClassID {
	depth := 0
	switch in.Op {
	case Putfield:
		depth = 1
	case Invoke:
		depth = int(in.N)
	}
	i := len(s.values) - 1 - depth
	if i < int(f.base+f.locals) || i >= len(s.values) {
		return NoClass
	}
	a, ok := s.values[i].Addr()
	if !ok {
		return NoClass
	}
	c, _ := s.ClassOf(a)
	return c
}

func smart(fn *Function, p *Program, s *State) Set {
	f := &s.frames[len(s.frames)-1]
	if f.ICS == Calling {
		if fn.has&AtCalling != 0 && p.Class(f.Init) != nil {
			return SetOf(f.Init)
		}
		return 0
	}
	if f.ICS == Throwing || f.ICS == Called && int(f.inits) < len(s.inits) {
		return 0
	}
	in := current(p, f)
	if in == nil {
		return 0
	}
	switch in.Op {
	case Getstatic, Putstatic:
		field, d := p.SeesField(in.C, in.F)
		return fn.smartStatic(p, in.C, d, fieldFault(field, true))
	case Invokestatic:
		m, d := p.SeesMethod(in.C, in.F)
		return fn.smartStatic(p, in.C, d, methodFault(m, true))
	}
	return 0
}

// smartStatic is the clause of smart for static accesses: c is the class named, d the one that declares the member.
func (f *Function) smartStatic(p *Program, c, d, fault ClassID) Set {
	switch {
	case fault == NoClass && f.has&Between != 0:
		return p.Above(c) &^ p.Above(d)
	case fault == IncompatibleClassChangeError && f.has&NotStatic != 0, (fault == NoSuchFieldError || fault == NoSuchMethodError) && f.has&NotFound != 0:
		return p.Above(c)
	}
	return 0
}

// reach is what an instrumenter collects with a class.
func (f *Function) reach(p *Program, c ClassID) Set {
	if f.has&Supertypes == 0 {
		return SetOf(c) & p.Present()
	}
	return p.Above(c)
}

func ekstazi(fn *Function, p *Program, s *State) Set {
	f := &s.frames[len(s.frames)-1]
	if f.ICS != No {
		return 0
	}
	in := current(p, f)
	if in == nil || namesClass[in.Op] == 0 || fn.has&namesClass[in.Op] == 0 {
		return 0
	}
	return fn.reach(p, in.C)
}

func published(fn *Function, p *Program, s *State) Set {
	f := &s.frames[len(s.frames)-1]
	m, in := methodOf(p, f), current(p, f)
	if in == nil || f.ICS != No && (f.ICS != Called || int(f.inits) < len(s.inits)) {
		return 0
	}
	var out Set
	if f.ICS == No && f.PC == 0 && m.Static && fn.has&AtEntry != 0 {
		out |= fn.reach(p, f.Class)
	}
	switch {
	case in.Op == New && fn.has&AtNew != 0 && (f.ICS == Called || s.Flag(in.C) == Done): // the constructor begins
		out |= fn.reach(p, in.C)
	case f.ICS == No && (in.Op == Getstatic || in.Op == Putstatic) && fn.has&namesClass[in.Op] != 0:
		out |= fn.reach(p, in.C)
	}
	return out
}
