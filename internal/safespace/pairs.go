package safespace

import "math"

const none int32 = -1

// pairs holds the pairs that were compared and how each was reached. The first
// partner of an old node lies in an array, which is all that nearly equal
// graphs need; further partners of a node go to a hash table.
//
// A pair has an id: the old node for a first pairing, len(first) plus its
// index in more for any other.
type pairs struct {
	first []pairing
	more  pairSet
	links []link // of more
}

type pairing struct {
	partner int32 // none: not paired yet
	link
}

// link is the way to a pair: the pair it was reached from, none at the start,
// and the index of the old edge.
type link struct{ parent, edge int32 }

func newPairs(oldNodes int) pairs {
	p := pairs{first: make([]pairing, oldNodes)}
	for i := range p.first {
		p.first[i].partner = none
	}
	return p
}

// find returns the id of a pair, or none.
func (p *pairs) find(old, new int32) int32 {
	if p.first[old].partner == new {
		return old
	}
	if i := p.more.find(pairKey(old, new)); i >= 0 {
		return int32(len(p.first)) + i
	}
	return none
}

// add puts in a pair that is not there yet and returns its id.
func (p *pairs) add(old, new int32, l link) int32 {
	if p.first[old].partner == none {
		p.first[old] = pairing{new, l}
		return old
	}
	p.links = append(p.links, l)
	return int32(len(p.first)) + p.more.add(pairKey(old, new))
}

func (p *pairs) link(id int32) link {
	if i := int(id) - len(p.first); i >= 0 {
		return p.links[i]
	}
	return p.first[id].link
}

func (p *pairs) nodes(id int32) (old, new int32) {
	if i := int(id) - len(p.first); i >= 0 {
		return splitKey(p.more.keys[i])
	}
	return id, p.first[id].partner
}

// path returns the old edges that lead to a pair.
func (p *pairs) path(id int32) []Edge {
	n := 0
	for at := p.link(id); at.parent != none; at = p.link(at.parent) {
		n++
	}
	path := make([]Edge, n, n+1)
	for at := p.link(id); at.parent != none; at = p.link(at.parent) {
		n--
		old, _ := p.nodes(at.parent)
		path[n] = Edge{old, at.edge}
	}
	return path
}

// limit returns the greatest number of pairs for which ids fit.
func (p *pairs) limit() int { return math.MaxInt32 - len(p.first) }

// pairSet numbers pairs in the order in which they are added: an open
// addressing table without a place for values.
type pairSet struct {
	keys  []uint64
	slots []int32 // 1 + index in keys, 0: free; a power of two, at most half full
	shift uint
}

func pairKey(old, new int32) uint64 { return uint64(uint32(old))<<32 | uint64(uint32(new)) }

func splitKey(key uint64) (old, new int32) { return int32(key >> 32), int32(uint32(key)) }

// find returns the number of the pair, or -1.
func (s *pairSet) find(key uint64) int32 {
	if len(s.slots) == 0 {
		return -1
	}
	return s.slots[s.slot(key)] - 1
}

func (s *pairSet) add(key uint64) int32 {
	if 2*len(s.keys) >= len(s.slots) {
		s.grow()
	}
	s.keys = append(s.keys, key)
	s.slots[s.slot(key)] = int32(len(s.keys))
	return int32(len(s.keys)) - 1
}

// slot returns where the key is or, if it is not there, where it belongs.
func (s *pairSet) slot(key uint64) uint {
	mask := uint(len(s.slots)) - 1
	i := uint(key*0x9E3779B97F4A7C15>>s.shift) & mask // Fibonacci hashing: the high bits are the mixed ones
	for s.slots[i] != 0 && s.keys[s.slots[i]-1] != key {
		i = (i + 1) & mask
	}
	return i
}

func (s *pairSet) grow() {
	if len(s.slots) == 0 {
		s.slots, s.shift = make([]int32, 16), 64-4
		return
	}
	s.slots = make([]int32, 2*len(s.slots))
	s.shift--
	for i, key := range s.keys {
		s.slots[s.slot(key)] = int32(i) + 1
	}
}
