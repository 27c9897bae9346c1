package instrument

import (
	"errors"
	"fmt"
)

// hugeMethod is the length of the longest code that HotSpot compiles (HugeMethodLimit). A method that a probe would push over it could become many times
// slower, so it is left without one; a class initializer runs once and is not.
const hugeMethod = 8000

var (
	errTooLong = errors.New("too long")
	errHuge    = errors.New("huge")
)

// rewriteMethods writes what follows the constant pool, which ends at start. A method that cannot be rewritten is copied.
func (j *job) rewriteMethods(start int) {
	copied := start
	for k := range j.methods {
		p := &j.methods[k]
		if !j.wants(p) {
			continue
		}
		mark, unmoved := len(j.out), len(j.result.Unmoved)
		j.out = append(j.out, j.data[copied:p.code.Offset]...)
		body := len(j.out)
		if err := j.rewriteMethod(p); err != nil {
			j.out, j.result.Unmoved = j.out[:mark], j.result.Unmoved[:unmoved]
			j.reject(p, err)
			continue
		}
		set4(j.out[body-4:], len(j.out)-body)
		copied = p.code.Offset + len(p.code.Info)
		j.accept(p)
	}
	j.out = append(j.out, j.data[copied:]...)
}

// wants tells whether there is anything to insert; a probe that is wanted but has no constants is noted.
func (j *job) wants(p *plan) bool {
	if j.scheme.HooksOnly || j.refs.array != 0 {
		return j.refs.array != 0 || len(p.calls) > 0
	}
	j.unprobed(p, PoolFull, "")
	return len(p.calls) > 0
}

// id is the id that the method gets if it is rewritten.
func (j *job) id() int {
	if j.result.Coarse {
		return 0
	}
	return j.result.IDs
}

func (j *job) accept(p *plan) {
	j.inserted = true
	for _, c := range p.calls {
		j.result.Hooked = append(j.result.Hooked, Hooked{c.hook, p.index})
	}
	if j.refs.array == 0 {
		return
	}
	id := j.id()
	j.result.IDs = id + 1
	if p.edgeless != nil {
		j.result.Edgeless = append(j.result.Edgeless, p.because(p.edgeless))
	}
	if p.unreceived != nil {
		j.result.Unreceived = append(j.result.Unreceived, p.because(p.unreceived))
	}
	j.result.Probes = append(j.result.Probes, Probe{Name: p.method.Name, Descriptor: p.method.Descriptor, Method: p.index, ID: id})
}

// reject notes why a method could not be rewritten, and that its hooks are missing.
func (j *job) reject(p *plan, err error) {
	for _, c := range p.calls {
		j.result.Unmatched = append(j.result.Unmatched, Unmatched{c.hook, err.Error()})
	}
	if j.refs.array != 0 {
		why, detail := reasonOf(err)
		j.unprobed(p, why, detail)
	}
}

// because says of a method for what reason something of it is not recorded.
func (p *plan) because(err error) Unprobed {
	why, detail := reasonOf(err)
	return Unprobed{Name: p.method.Name, Descriptor: p.method.Descriptor, Method: p.index, Reason: why, Detail: detail}
}

// reasonOf is the reason for which an error stands.
func reasonOf(err error) (Reason, string) {
	switch {
	case errors.Is(err, errTooLong):
		return TooLong, ""
	case errors.Is(err, errHuge):
		return Huge, ""
	case errors.Is(err, errPoolFull):
		return PoolFull, ""
	case errors.Is(err, errTooWide):
		return TooWide, ""
	}
	return Malformed, err.Error()
}

func (j *job) unprobed(p *plan, why Reason, detail string) {
	if p.clinit {
		j.result.Window, j.result.WindowID = LostWindow, 0
	}
	j.result.Unprobed = append(j.result.Unprobed, Unprobed{Name: p.method.Name, Descriptor: p.method.Descriptor, Method: p.index, Reason: why, Detail: detail})
}

// rewriteMethod appends the content of a Code attribute with the prologue in front, and with the window closed before each return if that is possible.
func (j *job) rewriteMethod(p *plan) error {
	if p.duplicated {
		return errors.New("two Code attributes")
	}
	b, err := splitBody(p.code.Info)
	if err != nil {
		return err
	}
	j.decideReceiver(p, len(b.code))
	m := &moves{prologue: j.prologueLength(p)}
	size := len(b.code) + m.prologue
	switch {
	case size > maxCode:
		return errTooLong
	case size > hugeMethod && len(b.code) <= hugeMethod && !p.clinit && len(p.calls) == 0:
		return errHuge
	}
	if j.scheme.Edges && j.refs.array != 0 {
		err := j.rewriteEdges(p, &b, m.prologue)
		if err == nil {
			return nil
		}
		p.edgeless = err
	}
	if p.clinit {
		return j.rewriteInitializer(p, &b, m)
	}
	if m.closing = j.closing(p); m.closing != nil {
		if m.returns, err = findReturns(b.code); err != nil {
			return err
		}
		if size+snippet*len(m.returns) > maxCode {
			return errTooLong
		}
	}
	return j.rewriteBody(p, &b, m)
}

// decideReceiver gives up passing the receiver where there is no room for it.
func (j *job) decideReceiver(p *plan, code int) {
	if !p.receives {
		return
	}
	size := code + j.prologueLength(p)
	switch {
	case j.refs.received == 0:
		p.unreceived = errPoolFull
	case size > maxCode:
		p.unreceived = errTooLong
	case size > hugeMethod && code <= hugeMethod:
		p.unreceived = errHuge
	}
	p.receives = p.unreceived == nil
}

// rewriteInitializer tries a whole window first.
func (j *job) rewriteInitializer(p *plan, b *body, m *moves) error {
	mark, unmoved := len(j.out), len(j.result.Unmoved)
	j.result.Window, j.result.WindowID = EntryWindow, j.id()
	if j.refs.exit == 0 {
		j.result.Window = LostWindow
	} else if returns, err := findReturns(b.code); err == nil && b.stack < maxCode {
		whole := &moves{prologue: m.prologue, returns: returns, closing: j.closing(p)}
		if len(b.code)+m.prologue+snippet*len(returns) <= maxCode && j.rewriteBody(p, b, whole) == nil {
			j.result.Window = WholeWindow
			return nil
		}
	}
	j.out, j.result.Unmoved = j.out[:mark], j.result.Unmoved[:unmoved]
	return j.rewriteBody(p, b, m)
}

// A body is the content of a Code attribute in parts (JVMS 4.7.3).
type body struct {
	stack, locals int
	code          []byte
	handlers      []byte
	count         int // of attributes
	attributes    []byte
}

func splitBody(info []byte) (body, error) {
	c := cursor{b: info}
	b := body{stack: c.u2(), locals: c.u2()}
	b.code = c.bytes(c.u4())
	b.handlers = c.bytes(8 * c.count(8))
	b.count = c.count(6)
	b.attributes = c.bytes(c.left())
	if c.over || len(b.code) == 0 || len(b.code) > maxCode {
		return body{}, errors.New("the Code attribute cannot be read")
	}
	return b, nil
}

// rewriteBody appends the body with everything at its new place.
func (j *job) rewriteBody(p *plan, b *body, m *moves) error {
	stack := max(b.stack, j.prologueStack(p))
	if len(m.returns) > 0 && p.clinit {
		stack = max(stack, b.stack+1) // other values may lie below the id when the window is closed
	}
	j.out = put2(put2(j.out, stack), b.locals)
	j.out = put4(j.out, len(b.code)+m.prologue+snippet*len(m.returns))
	j.putPrologue(p)
	out, err := m.relocate(j.out, b.code)
	if err != nil {
		return err
	}
	j.out = out
	if err := j.putHandlers(b, m); err != nil {
		return err
	}
	return j.putAttributes(p, b, m)
}

// putHandlers writes the exception table.
func (j *job) putHandlers(b *body, m *moves) error {
	j.out = put2(j.out, len(b.handlers)/8)
	for h := b.handlers; len(h) > 0; h = h[8:] {
		for i, move := range [3]func(int) int{m.at, m.begin, m.handler} {
			pc := be2(h[2*i:])
			if pc > len(b.code) {
				return fmt.Errorf("exception table: offset %d is outside the code", pc)
			}
			j.out = put2(j.out, move(pc))
		}
		j.out = append(j.out, h[6:8]...)
	}
	return nil
}

// putAttributes writes the attributes of the code.
func (j *job) putAttributes(p *plan, b *body, m *moves) error {
	j.out = put2(j.out, b.count)
	c := cursor{b: b.attributes}
	for range b.count {
		name := c.u2()
		info := c.bytes(c.u4())
		text, ok := j.class.Pool.UTF8(uint16(name))
		if c.over || !ok {
			return errors.New("an attribute of the code cannot be read")
		}
		j.out = put4(put2(j.out, name), len(info))
		if err := j.putAttribute(p, text, info, m); err != nil {
			return err
		}
	}
	if !c.done() {
		return errors.New("the attributes of the code do not fill it")
	}
	return nil
}

func (j *job) putAttribute(p *plan, name string, info []byte, m *moves) error {
	from := len(j.out)
	if name == "StackMapTable" {
		out, err := m.frames(j.out, info)
		if err != nil {
			return err
		}
		j.out = out
		set4(j.out[from-4:], len(j.out)-from)
		return nil
	}
	j.out = append(j.out, info...)
	move, known := tables[name]
	if !known {
		j.result.Unmoved = append(j.result.Unmoved, Unmoved{p.index, name})
		return nil
	}
	if !move(m, j.out[from:]) {
		return fmt.Errorf("%s cannot be read", name)
	}
	return nil
}
