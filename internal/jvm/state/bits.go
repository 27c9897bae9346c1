package state

import "math/bits"

// bitSet is a set of methods of a graph.
type bitSet struct{ words []uint64 }

func newBits(n int) *bitSet { return &bitSet{make([]uint64, (n+63)/64)} }

func (s *bitSet) add(n int32)      { s.words[n>>6] |= 1 << (n & 63) }
func (s *bitSet) has(n int32) bool { return s.words[n>>6]&(1<<(n&63)) != 0 }

// each gives the members in rising order.
func (s *bitSet) each(yield func(int32) bool) {
	for i, w := range s.words {
		for ; w != 0; w &= w - 1 {
			if !yield(int32(i<<6 + bits.TrailingZeros64(w))) {
				return
			}
		}
	}
}

func (s *bitSet) size() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

func (s *bitSet) clear() { clear(s.words) }

func (s *bitSet) addAll(of *bitSet) {
	for i, w := range of.words {
		s.words[i] |= w
	}
}

func (s *bitSet) addList(list []int32) {
	for _, n := range list {
		s.add(n)
	}
}
