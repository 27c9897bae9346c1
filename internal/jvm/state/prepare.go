package state

import (
	"math"
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
)

func newHeir(program Program, plan numbered, trace *agent.Trace) (*heir, error) {
	s, err := newStretches(program, plan, trace)
	if err != nil {
		return nil, err
	}
	n := len(s.methods)
	s.with = s.where()
	h := &heir{stretches: s, crosses: s.crossing(), gives: s.gives(), number: map[*agent.Footprint]int{},
		live: make([][]int, n), touches: make([][]int32, n), direct: make([][]int32, n), sites: make([][]int32, n)}
	for k, f := range s.from {
		h.number[f] = k
	}
	for n := range s.methods {
		h.live[n] = slices.DeleteFunc(slices.Clone(s.reads[n]), func(c int) bool {
			return s.blind(int32(n), s.all[c]) || len(s.all[c].fillers) == 0 && len(h.gives[c]) == 0 && len(s.writtenIn[c]) == 0
		})
	}
	h.when(trace)
	if err := h.places(); err != nil {
		return nil, err
	}
	if err := h.initializers(trace); err != nil {
		return nil, err
	}
	h.seeInto()
	h.asks = make([]bool, n)
	for n := range s.methods {
		h.asks[n] = s.asksStores(int32(n))
	}
	h.marks()
	h.settle()
	h.findAskers()
	h.bring()
	h.began(trace)
	h.countMakings(trace)
	h.shareObjects(trace)
	return h, nil
}

// builds tells whether a method is a constructor.
func (c *cells) builds(n int32) bool {
	b := c.methods[n].body
	return b == nil || b.Name == "<init>" || b.Name == ""
}

// marks makes the lists that the number of methods, classes and so on is known for now.
func (h *heir) marks() {
	n, classes := len(h.methods), len(h.types)
	h.own, h.gain, h.followed, h.root = make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	h.cell, h.called, h.foot = make([]int32, len(h.cells.all)), make([]int32, len(h.site)), make([]int32, len(h.from))
	h.seen, h.full, h.listed = make([]int32, len(h.from)), make([]int32, len(h.from)), make([]int32, len(h.from))
	h.names, h.namedIn, h.given, h.makers, h.inside = make([][]int32, n), make([]int, classes), make([]int32, classes), make([]int32, classes), make([]int32, classes)
	h.functions = int32(classes)
	h.there, h.waiting = make([]int32, classes+len(h.made)), make([][]waiter, classes+len(h.made))
	h.offered, h.met, h.loosely, h.handing = make([]int32, n), make([]int32, n), map[int32][]int32{}, map[int32][]made{}
	h.stamp, h.roots = make([]int, n), make([][]int32, len(h.from))
}

// twin is an heir with marks of its own, which can look at a test at the same time.
func (h *heir) twin() *heir {
	t, s := *h, *h.stretches
	t.stretches = &s
	t.marks()
	return &t
}

// settle sorts what methods make and call, now that all of it is known.
func (h *heir) settle() {
	h.grouped, h.enterers = map[int32][]group{}, map[string]enterers{}
	h.wild, h.early = make([]wildness, len(h.methods)), make([]bool, len(h.types))
	for n := range h.methods {
		b := h.methods[n].body
		h.wild[n] = b.wildness()
		slices.Sort(h.makes[n])
		h.makes[n] = slices.Compact(h.makes[n])
		slices.Sort(h.direct[n])
		h.direct[n] = slices.Compact(h.direct[n])
	}
	h.findWatching()
	for k, f := range h.from {
		if strings.HasPrefix(f.Name, "init(") {
			for _, n := range h.has[k] {
				for _, class := range h.constructs[n] {
					h.early[class] = true
				}
			}
		}
	}
}

// bring notes what entering each method brings.
func (h *heir) bring() {
	h.brings, h.stored = make([]brought, len(h.methods)), make([]bool, len(h.types))
	for n := range h.methods {
		of := &h.brings[n]
		of.class = -1
		if b := h.methods[n].body; b != nil && !b.Static {
			of.class = h.methods[n].class
		}
		of.more = len(h.makes[n])+len(h.touches[n])+len(h.into[n])+len(h.live[n]) > 0 || h.asks[n] || h.seesAll[n]
	}
	for i, t := range h.types {
		h.stored[i] = strings.HasPrefix(t.name, stores)
	}
}

// when notes when each method was entered first. What no test entered itself counts as entered at the start.
func (h *heir) when(trace *agent.Trace) {
	h.since = make([]uint64, len(h.methods))
	for n := range h.since {
		h.since[n] = math.MaxUint64
	}
	for _, t := range trace.Tests {
		for _, k := range h.itself(t) {
			for _, n := range h.has[k] {
				h.since[n] = min(h.since[n], t.Begin)
			}
		}
	}
	for k := range h.from {
		if h.shared[k] {
			for _, n := range h.has[k] {
				h.since[n] = 0
			}
		}
	}
}

// places sorts calls by whether they depend on an object.
func (h *heir) places() error {
	numbers, fills := map[Member]int32{}, make([]bool, len(h.methods))
	for _, f := range h.cells.all {
		for _, n := range f.fillers {
			fills[n] = true
		}
	}
	for n := range h.methods {
		b := h.methods[n].body
		if b == nil {
			continue
		}
		for _, m := range b.Calls {
			if err := h.place(n, m, numbers); err != nil {
				return err
			}
			if !fills[n] {
				continue
			}
			given, err := h.callable(b, m)
			if err != nil {
				return err
			}
			for _, m := range given {
				if err := h.place(n, m, numbers); err != nil {
					return err
				}
			}
		}
		for _, name := range b.News {
			more, err := h.callbacks(name)
			if err != nil {
				return err
			}
			h.direct[n] = append(h.direct[n], more...)
		}
	}
	for _, f := range h.cells.all {
		for _, n := range f.readers {
			h.direct[n] = append(h.direct[n], f.backs...)
		}
	}
	return nil
}

// place notes one call of a method.
func (h *heir) place(n int, m Member, numbers map[Member]int32) error {
	if m.Class[0] == '[' {
		return nil // arrays have the methods of the JDK only
	}
	if m.Static || m.Special {
		more, err := h.call(m)
		h.direct[n] = append(h.direct[n], more...)
		return err
	}
	at, ok := numbers[m]
	if !ok {
		to, err := h.virtual(m)
		if err != nil {
			return err
		}
		at = int32(len(h.site))
		numbers[m] = at
		h.site = append(h.site, to)
	}
	h.sites[n] = append(h.sites[n], at)
	return nil
}

// initializers finds for each method the initializers of the classes that it touches.
func (h *heir) initializers(trace *agent.Trace) error {
	of := map[int32][]int32{}
	for _, f := range trace.Inits {
		class, err := h.typeOf(strings.TrimSuffix(strings.TrimPrefix(f.Name, "init("), ")"))
		if err != nil {
			return err
		}
		of[class] = append(of[class], int32(h.number[f]))
	}
	known := map[string][]int32{}
	for n := range h.methods {
		names := []string{h.types[h.methods[n].class].name}
		if b := h.methods[n].body; b != nil {
			names = append(names, b.Names...)
		}
		var list []int32
		for _, name := range names {
			inits, ok := known[name]
			if !ok {
				var err error
				if inits, err = h.initialized(name, of); err != nil {
					return err
				}
				known[name] = inits
			}
			list = append(list, inits...)
		}
		slices.Sort(list)
		h.touches[n] = slices.Compact(list)
	}
	return nil
}

// initialized lists the initializers of a class and its supertypes; the JDK's are not recorded.
func (h *heir) initialized(name string, of map[int32][]int32) ([]int32, error) {
	if h.program.JDK(name) {
		return nil, nil
	}
	class, err := h.typeOf(name)
	if err != nil {
		return nil, err
	}
	var out []int32
	for _, up := range h.types[class].above {
		out = append(out, of[up]...)
	}
	return out, nil
}
