package instrument

import (
	"slices"

	"winnow/internal/jvm/bytecode"
)

// The lengths of the parts of a prologue.
const (
	probeLength    = 8
	enterLength    = 8
	receiverLength = 8
)

func (j *job) prologueLength(p *plan) int {
	n := 0
	if p.clinit && j.refs.enter != 0 {
		n += enterLength
	}
	if j.refs.array != 0 {
		n += probeLength
	}
	if p.receives {
		n += receiverLength
	}
	for i := range p.calls {
		n += p.calls[i].padded()
	}
	return n
}

func (j *job) prologueStack(p *plan) int {
	n := 0
	if j.refs.array != 0 {
		n = 3
	}
	for _, c := range p.calls {
		n = max(n, c.stack)
	}
	return n
}

func (j *job) putPrologue(p *plan) {
	if p.clinit && j.refs.enter != 0 {
		j.out = j.putWindowCall(j.out, j.refs.enter)
	}
	if j.refs.array != 0 {
		j.putProbe(j.id())
	}
	if p.receives {
		j.out = put2(append(j.out, byte(bytecode.Aload0), byte(bytecode.LdcW)), j.refs.ids+j.id())
		j.out = append(put2(append(j.out, byte(bytecode.Invokestatic)), j.refs.received), byte(bytecode.Nop))
	}
	for i := range p.calls {
		c := &p.calls[i]
		if c.leaving {
			continue
		}
		end := len(j.out) + c.padded()
		j.out = put2(append(append(j.out, c.loads...), byte(bytecode.Invokestatic)), c.ref)
		for len(j.out) < end {
			j.out = append(j.out, byte(bytecode.Nop))
		}
	}
}

func (j *job) putProbe(id int) {
	j.out = put2(append(j.out, byte(bytecode.Getstatic)), j.refs.array)
	j.out = put2(append(j.out, byte(bytecode.LdcW)), j.refs.ids+id)
	j.out = append(j.out, byte(bytecode.Iconst1), byte(bytecode.Bastore))
}

// closing is what stands before each return of a method: the end of its window, or a hook. Nil if that is nothing.
func (j *job) closing(p *plan) []byte {
	if p.clinit {
		if j.refs.exit == 0 {
			return nil
		}
		return j.putWindowCall(make([]byte, 0, snippet), j.refs.exit)
	}
	i := slices.IndexFunc(p.calls, func(c call) bool { return c.leaving })
	if i < 0 {
		return nil
	}
	out := put2(append(make([]byte, 0, snippet), byte(bytecode.Invokestatic)), p.calls[i].ref)
	for len(out) < snippet {
		out = append(out, byte(bytecode.Nop))
	}
	return out
}

// putWindowCall writes a call that passes the id of the class initializer.
func (j *job) putWindowCall(dst []byte, method int) []byte {
	dst = put2(append(dst, byte(bytecode.LdcW)), j.refs.ids+j.id())
	dst = put2(append(dst, byte(bytecode.Invokestatic)), method)
	return append(dst, byte(bytecode.Nop), byte(bytecode.Nop))
}
