package agent

import (
	"maps"
	"math/bits"
	"slices"
	"strings"
)

// A Footprint is what was done in some stretch of a run.
type Footprint struct {
	Name    string // of the node, "process", "closing", or "init(class)"
	Methods []int  // ids of the plan, sorted: methods that were entered, or that another thread was inside of
	Events  []NamedEvent
	// Edges are ids of the plan, sorted: of edges inside methods that were taken, if the plan has details. The edge into a method has the method's id and is not here;
	// Plan.EdgesOf gives all.
	Edges []int
	// Receivers are the classes of the objects on which methods were entered, if the plan has details, by method and class.
	Receivers []Receiver
	// Reflective are the calls by reflection of methods that are not the JDK's, if the plan has details, sorted.
	Reflective []ReflectiveCall
	// Changed are the static fields in Trace.Watched that led to something else at the end of the stretch, or at a boundary in it, than before; sorted. Invocations of a method are looked at together: what changed in
	// them is in the footprint of the group around them. A question mark behind the name: nothing changed but that a variable of a thread holds something empty, or no longer does.
	Changed []string
	// Inits are the initializers of classes of which a method was entered, whenever they ran.
	Inits []*Footprint
	// Early are events of the process, or of an initializer, that came before the first node began, and not again: no test can have brought about what they found.
	Early map[NamedEvent]bool
	// Open: the end of an initializer was not seen; it may have done more than this.
	Open bool

	settled    bool // it is in order
	short      int  // number of methods and edges when each was there once
	events     map[NamedEvent]bool
	receivers  map[Receiver]bool
	reflective map[ReflectiveCall]bool
	changed    map[string]bool
}

// A NamedEvent is an event with its text.
type NamedEvent struct {
	Kind EventKind
	Text string
}

func newFootprint(name string) *Footprint {
	return &Footprint{Name: name}
}

// note adds to a set, which is made when it is needed: most footprints are small.
func note[K comparable](set *map[K]bool, k K) {
	if *set == nil {
		*set = map[K]bool{}
	}
	(*set)[k] = true
}

func (f *Footprint) add(p piece) {
	f.settled = false
	f.Methods = append(f.Methods, p.methods...)
	f.Edges = append(f.Edges, p.edges...)
	for _, r := range p.receivers {
		note(&f.receivers, r)
	}
	for _, r := range p.reflective {
		note(&f.reflective, r)
	}
	for _, name := range p.changed {
		note(&f.changed, name)
	}
	for _, e := range p.events {
		note(&f.events, e)
	}
}

// shorten leaves each method and edge there once, if there are many more than when that was done last: a footprint may be that of thousands of invocations.
func (a *attribution) shorten(f *Footprint) {
	if len(f.Methods)+len(f.Edges) > 2*f.short+1<<12 {
		f.Methods, f.Edges = a.sorted(f.Methods), a.sorted(f.Edges)
		f.short = len(f.Methods) + len(f.Edges)
	}
}

// settle puts a footprint in order, unless it is.
func (a *attribution) settle(f *Footprint) {
	if f.settled {
		return
	}
	f.settled = true
	f.Methods, f.Edges = a.sorted(f.Methods), a.sorted(f.Edges)
	f.closeDetails()
	f.Events = slices.SortedFunc(maps.Keys(f.events), func(a, b NamedEvent) int {
		if a.Kind != b.Kind {
			return int(a.Kind) - int(b.Kind)
		}
		return strings.Compare(a.Text, b.Text)
	})
}

// close puts a footprint in order and links it to the initializers that belong to it.
func (a *attribution) close(f *Footprint) {
	a.settle(f)
	end := 0 // of the ids of the class before
	for _, id := range f.Methods {
		if id < end {
			continue
		}
		class := a.plan.classOf(id)
		end = a.plan.bases[class+1]
		if g := a.trace.Inits[class]; g != nil && g != f {
			f.Inits = append(f.Inits, g)
		}
	}
}

// sorted sorts ids of the plan, and leaves each there once. Many of them are noted in a set that has a bit for each id: looking through it takes less time than sorting.
func (a *attribution) sorted(ids []int) []int {
	words := (a.plan.IDs() + 63) / 64
	if len(ids) < words/32 {
		slices.Sort(ids)
		return slices.Compact(ids)
	}
	if a.met == nil {
		a.met = make([]uint64, words)
	}
	for _, id := range ids {
		a.met[id/64] |= 1 << (id % 64)
	}
	out := ids[:0]
	for i, word := range a.met {
		for ; word != 0; word &= word - 1 {
			out = append(out, i*64+bits.TrailingZeros64(word))
		}
		a.met[i] = 0
	}
	return out
}
