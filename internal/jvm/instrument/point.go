package instrument

import "sort"

// probeStack is what a probe needs above what lies on the operand stack.
const probeStack = 3

// The lengths of a jump over something and of an arm that ends with one; both are multiples of 4.
const (
	overLength = 4
	armLength  = probeLength + overLength
)

// A point is what is inserted in front of one instruction, in this order. Probes are ids, 0 if there is none.
//
//	fall    a probe for control that comes from the instruction in front, or from ret, and a jump to the body if there is something between
//	arms    for each edge a probe, and a jump to the body; the last may fall into it
//	catch   the probe of a handler
//	body:   what jumps without an arm go to, and where the frame is
//	at      probes that all who come by run
//	closes  the end of a window, or a hook that the method is left
//
// Arms are here, and not at the end of the method, so that no jump becomes one backwards: some verifiers refuse those while an object is not initialized. Neither fall, arms nor
// catch belong to the range of a handler that begins or ends at the instruction; they throw nothing.
type point struct {
	pc     int
	fall   int
	arms   []arm
	catch  int
	at     []int
	closes bool

	before, head, size int // inserted before the point; in front of the body; in all
}

// An arm is the way of an edge into a block that others lead to, too.
type arm struct{ edge, id int }

// jumpsOver tells whether control that falls in has to jump to the body. Into the first instruction of a method control falls from the prologue.
func (p *point) jumpsOver() bool {
	return (p.fall > 0 || p.pc == 0) && (len(p.arms) > 0 || p.catch > 0)
}

func (p *point) fallLength() int {
	n := 0
	if p.fall > 0 {
		n += probeLength
	}
	if p.jumpsOver() {
		n += overLength
	}
	return n
}

func (p *point) armLength(k int) int {
	if k == len(p.arms)-1 && p.catch == 0 {
		return probeLength
	}
	return armLength
}

// measure notes the lengths, when so much is inserted before.
func (p *point) measure(before int) {
	p.before = before
	p.head = p.fallLength()
	for k := range p.arms {
		p.head += p.armLength(k)
	}
	if p.catch > 0 {
		p.head += probeLength
	}
	p.size = p.head + probeLength*len(p.at)
	if p.closes {
		p.size += snippet
	}
}

// find gives the point at an offset, if there is one, and how much is inserted before the offset.
func (m *moves) find(pc int) (*point, int) {
	i := sort.Search(len(m.points), func(i int) bool { return m.points[i].pc >= pc })
	if i < len(m.points) && m.points[i].pc == pc {
		return &m.points[i], m.points[i].before
	}
	if i == len(m.points) {
		return nil, m.total
	}
	return nil, m.points[i].before
}

// begin is the new offset of all that belongs to what was at pc.
func (m *moves) begin(pc int) int {
	if m.points == nil {
		return m.at(pc)
	}
	_, before := m.find(pc)
	return pc + m.prologue + before
}

// instruction is the new offset of the instruction itself.
func (m *moves) instruction(pc int) int {
	if m.points == nil {
		return m.at(pc)
	}
	p, before := m.find(pc)
	if p != nil {
		before += p.size
	}
	return pc + m.prologue + before
}

// handler is where the handler at pc begins now.
func (m *moves) handler(pc int) int {
	if p, before := m.find(pc); p != nil && p.catch > 0 {
		return pc + m.prologue + before + p.head - probeLength
	}
	return m.at(pc)
}

// destination is where the edge into the block at pc leads now.
func (m *moves) destination(edge, pc int) int {
	p, before := m.find(pc)
	if p == nil {
		return m.at(pc)
	}
	at := pc + m.prologue + before + p.fallLength()
	for k, a := range p.arms {
		if a.edge == edge {
			return at
		}
		at += p.armLength(k)
	}
	return m.at(pc)
}

// places appends the offsets that need the frame of pc: its arms, the handler and the body.
func (m *moves) places(dst []int, pc int) []int {
	p, before := m.find(pc)
	if p == nil || len(p.arms) == 0 && p.catch == 0 {
		return append(dst, m.at(pc))
	}
	at := pc + m.prologue + before + p.fallLength()
	for k := range p.arms {
		dst = append(dst, at)
		at += p.armLength(k)
	}
	if p.catch > 0 {
		dst = append(dst, at)
	}
	return append(dst, m.at(pc))
}
