package statements

import "winnow/internal/semantics/minijvm"

// backward returns the classes that a smart step from s relies on having been collected before: those initialized or failed, those of objects, those of frames, the
// system exceptions, and all above them.
func backward(p *minijvm.Program, s *minijvm.State) minijvm.Set {
	var out minijvm.Set
	for all := p.Present(); all != 0; {
		var c minijvm.ClassID
		c, all = all.First()
		if f := s.Flag(c); f == minijvm.Done || f == minijvm.Error {
			out |= p.Above(c)
		}
	}
	for a := range s.Objects() { // the first ones are the system exceptions
		c, _ := s.ClassOf(a)
		out |= p.Above(c)
	}
	for _, f := range s.Frames() {
		out |= p.Above(f.Class)
	}
	return out
}

// forward returns the classes that are going to be collected because of the initialization that s calls, or is about to call.
func forward(p *minijvm.Program, s *minijvm.State) minijvm.Set {
	f, ok := s.Top()
	switch {
	case !ok:
		return 0
	case f.ICS == minijvm.Calling:
		return p.Above(f.Init)
	case f.ICS != minijvm.No:
		return 0
	}
	in := p.Class(f.Class).Method(f.Method).Code[f.PC]
	switch in.Op {
	case minijvm.New:
		return p.Above(in.C)
	case minijvm.Getstatic, minijvm.Putstatic:
		if field, d := p.SeesField(in.C, in.F); field != nil && field.Static {
			return p.Above(d)
		}
	case minijvm.Invokestatic:
		if m, d := p.SeesMethod(in.C, in.F); m != nil && m.Static {
			return p.Above(d)
		}
	}
	return 0
}
