package minijvm

// HeapLimit is the number of objects after which New raises OutOfMemory.
const HeapLimit = 1 << 16

// Step takes one step from s under p, in place, and tells whether there was one. There is none from an end state. There is none either from a state that the program
// cannot continue: its frame runs a method that the program does not have, or its values are not those that the instruction needs. Such a state is called stuck; what
// is left in s then means nothing.
func Step(p *Program, s *State) bool {
	if s.End() {
		return false
	}
	f := &s.frames[len(s.frames)-1]
	switch f.ICS {
	case Calling:
		return stepCalling(p, s, f)
	case Called:
		if int(f.inits) < len(s.inits) {
			return stepCalled(p, s, f)
		}
	case Throwing:
		return stepThrowing(p, s, f)
	}
	return stepInstr(p, s, f)
}

// stepCalling looks at one class of the chain that must be initialized: Calling C Cs.
func stepCalling(p *Program, s *State, f *Frame) bool {
	c := f.Init
	k := p.Class(c)
	if k == nil {
		return false
	}
	switch s.flags[c] {
	case Absent: // C becomes Prepared with default static fields
		s.prepare(p, c)
	case Done, Processing: // nothing to do above C
		f.ICS, f.Init = Called, 0
	case Error: // C failed before
		f.ICS, f.Init, f.Raised = Throwing, 0, int32(systemAddr(NoClassDefFoundError))
	case Prepared: // C is ours; its superclass comes first
		s.flags[c] = Processing
		s.inits = append(s.inits, c)
		if c == Object {
			f.ICS, f.Init = Called, 0
		} else {
			f.Init = k.Super
		}
	}
	return true
}

// stepCalled runs the static initializer of the first class of the list: Called (C:Cs).
func stepCalled(p *Program, s *State, f *Frame) bool {
	last := len(s.inits) - 1
	m, d := p.SeesMethod(s.inits[last], Clinit)
	if !enterable(m) {
		return false
	}
	s.inits = s.inits[:last]
	s.enter(d, m, 0)
	return true
}

// stepThrowing marks one class as failed, Throwing (C:Cs) a, or raises the exception, Throwing [] a.
func stepThrowing(p *Program, s *State, f *Frame) bool {
	if last := len(s.inits) - 1; last >= int(f.inits) {
		c := s.inits[last]
		if !s.known.Has(c) {
			return false
		}
		s.flags[c], s.inits = Error, s.inits[:last]
		return true
	}
	return raise(p, s, int(f.Raised))
}

// enterable tells whether a method can get a frame.
func enterable(m *Method) bool { return m != nil && m.Locals >= 0 && m.Locals <= MaxLocals }

// stepInstr performs the instruction of a frame that is not initializing a class, or has done so.
func stepInstr(p *Program, s *State, f *Frame) bool {
	in := current(p, f)
	if in == nil {
		return false
	}
	depth := len(s.values) - int(f.base+f.locals)
	if depth < needs[in.Op] {
		return false
	}
	switch in.Op {
	case Load:
		return stepLoad(s, f, in)
	case Store:
		return stepStore(s, f, in)
	case Push:
		return push(s, f, in.V)
	case New:
		return stepNew(p, s, f, in)
	case Getfield:
		return stepGetfield(p, s, f, in)
	case Putfield:
		return stepPutfield(p, s, f, in)
	case Getstatic:
		return stepGetstatic(p, s, f, in)
	case Putstatic:
		return stepPutstatic(p, s, f, in)
	case Checkcast:
		return stepCheckcast(p, s, f, in)
	case Invoke:
		return stepInvoke(p, s, in, depth)
	case Invokestatic:
		return stepInvokestatic(p, s, f, in, depth)
	case Return:
		return stepReturn(p, s, f)
	case Pop:
		return replace(s, f, 1)
	case IAdd:
		return stepIAdd(s, f)
	case Goto:
		f.PC += in.N
		return true
	case CmpEq:
		return replace(s, f, 2, BoolValue(s.values[len(s.values)-1] == s.values[len(s.values)-2]))
	case IfFalse:
		return stepIfFalse(s, f, in)
	case Throw:
		return stepThrow(p, s)
	}
	return false
}

// needs is the number of values that an instruction wants on the stack; calls want more and check it themselves.
var needs = [ops]int{Store: 1, Getfield: 1, Putfield: 2, Putstatic: 1, Checkcast: 1, Invoke: 1, Return: 1, Pop: 1, IAdd: 2, CmpEq: 2, IfFalse: 1, Throw: 1}

// current returns the instruction at the frame's pc, or nil.
func current(p *Program, f *Frame) *Instr {
	m := methodOf(p, f)
	if m == nil || f.PC < 0 || int(f.PC) >= len(m.Code) || m.Code[f.PC].Op >= ops {
		return nil
	}
	return &m.Code[f.PC]
}

// methodOf returns the method that a frame runs, or nil.
func methodOf(p *Program, f *Frame) *Method {
	k := p.Class(f.Class)
	if k == nil {
		return nil
	}
	return k.Method(f.Method)
}
