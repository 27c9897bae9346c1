package state

import "maps"

// A summary is what a method does with the objects that it is given, and which objects it gives back. Sets are of parameters, from 0.
type summary struct {
	changes map[effect]Value
	returns Value
	steps   set          // parameters that are changed depending on what was there
	sizes   set          // parameters whose size it uses as a number
	asks    map[int]bool // cells whose size it uses as a number and that it does not change
	held    map[int]set  // by parameter: parameters that are kept in it
	keeps   map[int]set  // by cell: parameters that are kept there
	gets    map[int]got  // cells that it returns, or parts of them
}

// got is how what a method returns is related to a cell.
type got uint8

const (
	itself  got = iota // it may be what is in the cell
	part               // it may be a part of that
	vaguely            // it may only hold that, or have been got from something that does
)

// An effect is a change of objects of a type. Sets tells whether the value may come from outside of what makes the change, which then is not one that looks and fills.
type effect struct {
	t    changed
	sets bool
}

func (a *summary) equal(b *summary) bool {
	return maps.Equal(a.changes, b.changes) && a.returns == b.returns && a.steps == b.steps && a.sizes == b.sizes && maps.Equal(a.asks, b.asks) && maps.Equal(a.held, b.held) && maps.Equal(a.keeps, b.keeps) && maps.Equal(a.gets, b.gets)
}

// join adds what another method does.
func (a *summary) join(b *summary) {
	joinMaps(&a.changes, b.changes, Value.or)
	a.returns, a.steps, a.sizes = a.returns.or(b.returns), a.steps.or(b.steps), a.sizes.or(b.sizes)
	joinMaps(&a.asks, b.asks, func(x, y bool) bool { return x || y })
	joinMaps(&a.held, b.held, set.or)
	joinMaps(&a.keeps, b.keeps, set.or)
	joinMaps(&a.gets, b.gets, func(x, y got) got { return min(x, y) })
}

func joinMaps[K comparable, V any](to *map[K]V, from map[K]V, or func(V, V) V) {
	if *to == nil && len(from) > 0 {
		*to = make(map[K]V, len(from))
	}
	for k, v := range from {
		if old, known := (*to)[k]; known {
			v = or(old, v)
		}
		(*to)[k] = v
	}
}
