package observed

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// A Gatherer makes a trace of what is told in any order. Its zero value is ready.
type Gatherer struct {
	// Detailed: edges, receivers and reflective calls are told, too.
	Detailed bool

	entered    map[Method]bool
	libraries  map[string]bool
	edges      map[Method]map[int]bool
	received   map[Received]bool
	reflective map[Call]bool
	coarse     map[Method]bool
}

// put adds a key to a map that may not be there yet.
func put[K comparable](m *map[K]bool, key K) {
	if *m == nil {
		*m = map[K]bool{}
	}
	(*m)[key] = true
}

// Enter tells that a method was entered.
func (g *Gatherer) Enter(m Method) { put(&g.entered, m) }

// Library tells that a method of a library's class was entered.
func (g *Gatherer) Library(class string) { put(&g.libraries, class) }

// Receive tells the class of an object on which a method was entered.
func (g *Gatherer) Receive(m Method, class string) { put(&g.received, Received{m, class}) }

// Reflect tells a call by reflection.
func (g *Gatherer) Reflect(from, to Method) { put(&g.reflective, Call{from, to}) }

// Coarse tells that the edges of a method are not recorded.
func (g *Gatherer) Coarse(m Method) { put(&g.coarse, m) }

// Edge tells that an edge was taken.
func (g *Gatherer) Edge(m Method, edge int) {
	if g.edges == nil {
		g.edges = map[Method]map[int]bool{}
	}
	if g.edges[m] == nil {
		g.edges[m] = map[int]bool{}
	}
	g.edges[m][edge] = true
}

// Trace is what was told. Of coarse methods only those that were entered are in it.
func (g *Gatherer) Trace() *Trace {
	t := &Trace{Entered: slices.SortedFunc(maps.Keys(g.entered), Method.Compare), Libraries: slices.Sorted(maps.Keys(g.libraries)), Detailed: g.Detailed}
	if !g.Detailed {
		return t
	}
	t.Edges = map[Method][]int{}
	for m, edges := range g.edges {
		t.Edges[m] = slices.Sorted(maps.Keys(edges))
	}
	t.Received = slices.SortedFunc(maps.Keys(g.received), func(a, b Received) int {
		return cmp.Or(a.Method.Compare(b.Method), strings.Compare(a.Type, b.Type))
	})
	t.Reflective = slices.SortedFunc(maps.Keys(g.reflective), func(a, b Call) int { return cmp.Or(a.From.Compare(b.From), a.To.Compare(b.To)) })
	for _, m := range t.Entered {
		if g.coarse[m] {
			t.Coarse = append(t.Coarse, m)
		}
	}
	return t
}
