package store

import "winnow/internal/store/segment"

// A counter counts the uses of footprints of a segment with all that they include. A test that finds what others left includes thousands of footprints, and the next test the same and a few more: so the counter keeps what
// one of them includes, the hub, and looks only at what others have besides. It is fast if footprints are asked for in the order in which they are stored.
type counter struct {
	view  *View
	seg   int32
	of    []segment.FootprintInfo
	sizes []float64 // by footprint: its uses and the sizes of what it includes, which may be there several times
	hub   int       // -1 if there is none
	has   []bool    // by footprint: the hub is it or includes it
	uses  int       // of what the hub has
}

func newCounter(v *View, seg int32) *counter {
	of := v.segs[seg].Footprints
	c := &counter{view: v, seg: seg, of: of, sizes: make([]float64, len(of)), hub: -1, has: make([]bool, len(of))}
	for n, f := range of { // what it includes comes before it
		c.sizes[n] = float64(f.Uses)
		for _, inc := range f.Includes {
			c.sizes[n] += c.sizes[inc]
		}
	}
	return c
}

// count is the number of uses of a footprint and of all that it includes.
func (c *counter) count(n int) int {
	most := -1
	for _, inc := range c.of[n].Includes {
		if most < 0 || c.sizes[inc] > c.sizes[most] {
			most = int(inc)
		}
	}
	if most < 0 {
		return c.of[n].Uses
	}
	c.center(most)
	uses := c.uses
	c.besides(n, func(m int32) { uses += c.of[m].Uses })
	return uses
}

// center makes a footprint the hub. What the one before has is kept if the new one includes it.
func (c *counter) center(n int) {
	if c.hub == n {
		return
	}
	var more []int32
	if c.hub < 0 || !c.besides(n, func(m int32) { more = append(more, m) }) {
		clear(c.has)
		c.uses, more = 0, nil
		c.besides(n, func(m int32) { more = append(more, m) })
	}
	for _, m := range more {
		c.has[m] = true
		c.uses += c.of[m].Uses
	}
	c.hub = n
}

// besides calls f for a footprint and what it includes, each once, but for what the hub has. It tells whether the hub is among it.
func (c *counter) besides(n int, f func(int32)) (hub bool) {
	c.view.Within(FootprintRef{c.seg, int32(n)}, func(g FootprintRef) bool {
		if c.has[g.n] {
			hub = hub || int(g.n) == c.hub
			return false
		}
		f(g.n)
		return true
	})
	return hub
}
