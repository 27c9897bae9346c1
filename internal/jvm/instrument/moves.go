package instrument

import "sort"

// maxCode is the length of the longest code that a method can have (JVMS 4.7.3).
const maxCode = 65535

// snippet is the length of the code in front of each return of a class initializer, or of a method with a hook there.
const snippet = 8

// moves says where the instructions of a method went: all by the length of the prologue, and those behind a return with a snippet in front further.
// An offset of such a return stands for its snippet, so that jumps, frames and handlers that meant the return mean the snippet, and a range that ended
// before the return ends before the snippet.
//
// A method with probes on its edges has points instead, which hold the snippets, too.
type moves struct {
	prologue int
	returns  []int   // offsets of the returns with a snippet, ascending
	closing  []byte  // the snippet
	points   []point // by offset; nil if there are no probes on edges
	total    int     // length of all points
}

// at is the new offset of what was at pc: where a jump goes that has no way of its own.
func (m *moves) at(pc int) int {
	if m.points != nil {
		p, before := m.find(pc)
		if p != nil {
			before += p.head
		}
		return pc + m.prologue + before
	}
	if len(m.returns) == 0 {
		return pc + m.prologue
	}
	return pc + m.prologue + snippet*sort.SearchInts(m.returns, pc)
}

// from is the new start of a range that began at pc. A range that began with the method still does, so that the prologue has the line of the first
// instruction and the names of the parameters.
func (m *moves) from(pc int) int {
	if pc == 0 {
		return 0
	}
	return m.within(pc)
}

// within is begin for tables that no JVM reads to run a method: an offset that was beyond any code stays there.
func (m *moves) within(pc int) int { return min(m.begin(pc), maxCode) }

// precisely is within for an offset that means one instruction.
func (m *moves) precisely(pc int) int { return min(m.instruction(pc), maxCode) }

// span moves a start and a length, which stand one after the other in b.
func (m *moves) span(b []byte) {
	start, length := be2(b), be2(b[2:])
	from := m.from(start)
	set2(b, from)
	set2(b[2:], max(m.within(start+length)-from, 0))
}
