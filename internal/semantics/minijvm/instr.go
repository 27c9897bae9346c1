package minijvm

// push, replace and the functions named after instructions end with the pc behind the instruction, or raise before they have altered anything.

func push(s *State, f *Frame, v Value) bool {
	s.values = append(s.values, v)
	f.PC++
	return true
}

// replace pops n values and pushes others.
func replace(s *State, f *Frame, n int, v ...Value) bool {
	s.values = append(s.values[:len(s.values)-n], v...)
	f.PC++
	return true
}

func (s *State) top() Value { return s.values[len(s.values)-1] }

func stepLoad(s *State, f *Frame, in *Instr) bool {
	if in.N < 0 || in.N >= f.locals {
		return false
	}
	return push(s, f, s.values[f.base+in.N])
}

func stepStore(s *State, f *Frame, in *Instr) bool {
	if in.N < 0 || in.N >= f.locals {
		return false
	}
	s.values[f.base+in.N] = s.top()
	return replace(s, f, 1)
}

func stepIAdd(s *State, f *Frame) bool {
	a, ok1 := s.values[len(s.values)-2].Int()
	b, ok2 := s.top().Int()
	return ok1 && ok2 && replace(s, f, 2, IntValue(a+b))
}

func stepIfFalse(s *State, f *Frame, in *Instr) bool {
	v := s.top()
	if v.kind() != kindBool {
		return false
	}
	replace(s, f, 1)
	if v == False {
		f.PC += in.N - 1
	}
	return true
}

func stepThrow(p *Program, s *State) bool {
	v := s.top()
	if v == Null {
		return raise(p, s, systemAddr(NullPointer))
	}
	a, ok := v.Addr()
	return ok && raise(p, s, a)
}

// object returns the object that a value refers to. A null raises NullPointer: then ok is false, and stepped says whether that was possible.
func object(p *Program, s *State, v Value) (addr int, ok, stepped bool) {
	if v == Null {
		return 0, false, raise(p, s, systemAddr(NullPointer))
	}
	a, isAddr := v.Addr()
	if !isAddr || a >= len(s.heap) {
		return 0, false, false
	}
	return a, true, false
}

// initialized tells whether an instruction that uses a class may be performed. If not, the frame now calls for the initialization.
func initialized(s *State, f *Frame, c ClassID) bool {
	if f.ICS == Called || s.Flag(c) == Done {
		f.ICS = No
		return true
	}
	f.ICS, f.Init = Calling, c
	return false
}

func stepNew(p *Program, s *State, f *Frame, in *Instr) bool {
	if p.Class(in.C) == nil {
		return false
	}
	if !initialized(s, f, in.C) {
		return true
	}
	if len(s.heap) >= HeapLimit {
		return raise(p, s, systemAddr(OutOfMemory))
	}
	return push(s, f, AddrValue(s.allocate(p, in.C)))
}

func stepCheckcast(p *Program, s *State, f *Frame, in *Instr) bool {
	v := s.top()
	if a, ok := v.Addr(); ok {
		c, exists := s.ClassOf(a)
		if !exists {
			return false
		}
		if !p.Subclass(c, in.C) {
			return raise(p, s, systemAddr(ClassCast))
		}
	} else if v != Null {
		return false
	}
	f.PC++
	return true
}

// missing, or of the other kind, is what makes a member unusable: the exception for it, or no class.
func fieldFault(f *Field, static bool) ClassID {
	switch {
	case f == nil:
		return NoSuchFieldError
	case f.Static != static:
		return IncompatibleClassChangeError
	}
	return NoClass
}

func methodFault(m *Method, static bool) ClassID {
	switch {
	case m == nil:
		return NoSuchMethodError
	case m.Static != static:
		return IncompatibleClassChangeError
	}
	return NoClass
}

// instanceField finds the field of an object that an instruction names; nil after a raise or when stuck.
func instanceField(p *Program, s *State, in *Instr, ref Value) (cell *slot, stepped bool) {
	a, ok, stepped := object(p, s, ref)
	if !ok {
		return nil, stepped
	}
	if !p.Subclass(s.heap[a].class, in.C) {
		return nil, raise(p, s, systemAddr(NoSuchFieldError))
	}
	field, d := p.SeesField(in.C, in.F)
	if x := fieldFault(field, false); x != NoClass {
		return nil, raise(p, s, systemAddr(x))
	}
	return s.field(a, in.F, d), false
}

func stepGetfield(p *Program, s *State, f *Frame, in *Instr) bool {
	cell, stepped := instanceField(p, s, in, s.top())
	if cell == nil {
		return stepped
	}
	return replace(s, f, 1, cell.v)
}

func stepPutfield(p *Program, s *State, f *Frame, in *Instr) bool {
	cell, stepped := instanceField(p, s, in, s.values[len(s.values)-2])
	if cell == nil {
		return stepped
	}
	cell.v = s.top()
	return replace(s, f, 2)
}

// staticField finds the static field that an instruction names and initializes its class; nil after any other step or when stuck.
func staticField(p *Program, s *State, f *Frame, in *Instr) (cell *slot, stepped bool) {
	field, d := p.SeesField(in.C, in.F)
	if x := fieldFault(field, true); x != NoClass {
		return nil, raise(p, s, systemAddr(x))
	}
	if !initialized(s, f, d) {
		return nil, true
	}
	return s.static(d, in.F), false
}

func stepGetstatic(p *Program, s *State, f *Frame, in *Instr) bool {
	cell, stepped := staticField(p, s, f, in)
	if cell == nil {
		return stepped
	}
	return push(s, f, cell.v)
}

func stepPutstatic(p *Program, s *State, f *Frame, in *Instr) bool {
	cell, stepped := staticField(p, s, f, in)
	if cell == nil {
		return stepped
	}
	cell.v = s.top()
	return replace(s, f, 1)
}

func stepInvoke(p *Program, s *State, in *Instr, depth int) bool {
	if in.N < 0 || depth < int(in.N)+1 {
		return false
	}
	a, ok, stepped := object(p, s, s.values[len(s.values)-1-int(in.N)])
	if !ok {
		return stepped
	}
	m, d := p.SeesMethod(s.heap[a].class, in.F)
	if x := methodFault(m, false); x != NoClass {
		return raise(p, s, systemAddr(x))
	}
	return call(s, m, d, int(in.N)+1)
}

func stepInvokestatic(p *Program, s *State, f *Frame, in *Instr, depth int) bool {
	if in.N < 0 || depth < int(in.N) || in.F == Clinit {
		return false
	}
	m, d := p.SeesMethod(in.C, in.F)
	if x := methodFault(m, true); x != NoClass {
		return raise(p, s, systemAddr(x))
	}
	if !initialized(s, f, d) {
		return true
	}
	return call(s, m, d, int(in.N))
}

// call pushes a frame for a method of d with n values as its first locals. The caller keeps them until the method returns.
func call(s *State, m *Method, d ClassID, n int) bool {
	if !enterable(m) || n != m.inputs() {
		return false
	}
	s.enter(d, m, n)
	return true
}

func stepReturn(p *Program, s *State, f *Frame) bool {
	v, m, class := s.top(), methodOf(p, f), f.Class
	clinit := f.Method == Clinit
	s.leave()
	if clinit { // its class is Done; the caller's stack and pc are as before
		if !s.known.Has(class) {
			return false
		}
		s.flags[class] = Done
		return true
	}
	if s.End() {
		return true
	}
	caller := &s.frames[len(s.frames)-1]
	if n := len(s.values) - m.inputs(); n >= int(caller.base+caller.locals) {
		return replace(s, caller, m.inputs(), v)
	}
	return false
}

// raise looks for a handler of the exception at an address, frame by frame.
func raise(p *Program, s *State, addr int) bool {
	class, ok := s.ClassOf(addr)
	if !ok {
		return false
	}
	for !s.End() {
		f := &s.frames[len(s.frames)-1]
		m := methodOf(p, f)
		if m == nil {
			return false
		}
		if h := handler(p, m, f.PC, class); h != nil {
			return catch(s, f, h, addr)
		}
		failed, clinit := f.Class, f.Method == Clinit
		s.leave()
		if clinit && !s.End() { // the caller's initialization fails
			return fail(s, failed, addr)
		}
	}
	s.Raised = int32(addr)
	return true
}

// handler returns the first row of the exception table that catches a class at a pc.
func handler(p *Program, m *Method, pc int32, class ClassID) *Handler {
	for i := range m.Handlers {
		h := &m.Handlers[i]
		if h.From <= pc && pc < h.To && p.Subclass(class, h.Catch) {
			return h
		}
	}
	return nil
}

// catch cuts the stack to the recorded depth, pushes the exception and continues at the handler.
func catch(s *State, f *Frame, h *Handler, addr int) bool {
	keep := int(f.base+f.locals) + int(h.Depth)
	if h.Depth < 0 || keep > len(s.values) {
		return false
	}
	s.values = append(s.values[:keep], AddrValue(addr))
	s.inits = s.inits[:f.inits]
	f.PC, f.ICS, f.Init, f.Raised = h.At, No, 0, 0
	return true
}

// fail turns a frame that was Called Cs into Throwing (C:Cs) a.
func fail(s *State, c ClassID, addr int) bool {
	f := &s.frames[len(s.frames)-1]
	if f.ICS == Called {
		s.inits = append(s.inits, c)
		f.ICS, f.Raised = Throwing, int32(addr)
	}
	return true
}
