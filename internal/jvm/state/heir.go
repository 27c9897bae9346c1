package state

import (
	"cmp"
	"math"
	"slices"

	"winnow/internal/jvm/agent"
)

// A start is a place from which a test inherits: a method that fills a cell, and one that reads the cell for the test.
type start struct {
	cell   int
	reader int32
	filler int32
}

// An heir finds out what one test after another inherits. Marks of a test are the number of its turn, so that nothing has to be cleared.
type heir struct {
	*stretches
	number  map[*agent.Footprint]int
	crosses []bool    // by class: see crossing
	gives   [][]int32 // by cell: see gives
	given   []int32   // by class: the test reads a static field that gives it
	live    [][]int   // by method: cells it reads that are filled or give objects
	touches [][]int32 // by method: the initializers of classes that it touches, as numbers of footprints
	direct  [][]int32 // by method: what it calls whatever objects there are
	sites   [][]int32 // by method: numbers of its virtual calls
	site    [][]perhaps
	brings  []brought // by method: see enter
	askers  []asker
	since   []uint64 // by method: when it was first entered
	ends    uint64   // when the test ended
	turn    int32

	own      []int32 // by method: the test entered it
	gain     []int32 // by method: it is inherited
	followed []int32 // by method
	cell     []int32
	called   []int32 // by site
	there    []int32 // by kind
	extended int32   // the test has a method that asks for something in JUnit's stores
	foot     []int32 // by footprint
	seen     []int32 // by footprint: it is among what was handed to the test
	full     []int32 // by footprint of a test: with all that comes with that test
	listed   []int32 // by footprint: see handed

	stored    []bool     // by class: it belongs to JUnit's stores
	functions int32      // where functions begin in lists by kind
	waiting   [][]waiter // by kind
	kept      []int32    // kinds with waiters

	loosely map[int32][]int32 // see everything
	handing map[int32][]made  // see handers
	starts  []start
	idle    []start    // reads of cells of objects that no other test made, as far as it is known
	far     []int32    // starts that do not count unless the test enters their filler
	makers  []int32    // by class: the test itself made an object of it
	early   []bool     // by class: an initializer made an object of it
	wild    []wildness // by method
	root    []int32    // by method that was followed: its start
	gained  []int32
	fresh   []int32 // methods whose names and reads have not been looked at
	todo    []int32

	into       [][]int32 // by method: see seeInto
	seesAll    []bool    // by method
	asks       []bool    // by method: see asksStores
	watches    []bool    // by method: see findWatching
	mocks      []bool    // by method
	watched    []int32   // methods that watch and that the test has
	mocked     int32     // the test has a method that mocks
	inside     []int32   // by class: the test reads fields of such objects
	everywhere int32     // the test may read any field
	hidden     []start   // what changes nothing that the test looks at, as far as it is known

	gifts   []gift
	calm    []start // they hand nothing over, as far as it is known; see fillsOnce
	marked  []mark
	offered []int32 // by method: it is a setter among the gifts
	makings []int   // by class: see countMakings
	single  []bool  // by class: tests share an object of it; see shareObjects
	grouped map[int32][]group
	// enterers are by method and callers; see entering.
	enterers map[string]enterers
	mayAsk   []bool             // by method: it asks, or calls one that does
	asksAt   []bool             // by site: a method that it can run does
	met      []int32            // by method: see meet
	begins   []uint64           // by footprint: when it began
	beside   [][]int32          // by footprint of a test: what the test shares
	before   [][]Handed         // by footprint of a test: what was handed to it
	whose    []*agent.TestTrace // by footprint of a test: the test, when it is known what was handed to it
	told     []int              // by footprint of a test: when that became known
}

// A brought says what entering a method brings, so that the lists of most methods need not be looked at.
type brought struct {
	class int32 // of whose objects it is a method; -1 if of none
	more  bool  // some of makes, touches, asks, seesAll, into and live
}

// A waiter is a method that is called from a place as soon as there is an object of some kind.
type waiter struct {
	to, root int32
}

// itself are the footprints that are of no other method's tests, by number: what a test did, and what happened before it began.
func (h *heir) itself(t *agent.TestTrace) []int {
	out := []int{h.number[t.Own]}
	if t.Before != nil {
		out = append(out, h.number[t.Before])
	}
	return out
}

// test finds what a test inherits: gained has it.
func (h *heir) test(t *agent.TestTrace) {
	h.turn++
	h.starts, h.gained, h.todo, h.fresh, h.far, h.idle = h.starts[:0], h.gained[:0], h.todo[:0], h.fresh[:0], h.far[:0], h.idle[:0]
	h.gifts, h.calm, h.marked, h.hidden, h.watched = h.gifts[:0], h.calm[:0], h.marked[:0], h.hidden[:0], h.watched[:0]
	for _, k := range h.itself(t) {
		for _, n := range h.has[k] {
			for _, class := range h.constructs[n] {
				h.makers[class] = h.turn
			}
		}
	}
	for _, k := range h.kept {
		h.waiting[k] = h.waiting[k][:0]
	}
	h.kept = h.kept[:0]
	h.ends = t.End
	if t.Outcome == agent.Unfinished || t.End == 0 {
		h.ends = math.MaxUint64
	}
	h.footprint(int32(h.number[t.Own]))
	for _, f := range t.Shared {
		h.footprint(int32(h.number[f]))
	}
	for {
		switch {
		case len(h.fresh) > 0:
			n := h.fresh[len(h.fresh)-1]
			h.fresh = h.fresh[:len(h.fresh)-1]
			h.enter(n)
		case len(h.todo) > 0:
			n := h.todo[len(h.todo)-1]
			h.todo = h.todo[:len(h.todo)-1]
			h.follow(n)
		default:
			if !h.late() {
				return
			}
		}
	}
}

// footprint adds what a footprint entered to what the test has.
func (h *heir) footprint(k int32) {
	if h.foot[k] == h.turn {
		return
	}
	h.foot[k] = h.turn
	for _, n := range h.has[k] {
		if h.own[n] != h.turn {
			h.own[n] = h.turn
			h.newly(n)
		}
	}
	h.see(k)
	for _, c := range h.readIn[k] {
		h.look(c, h.has[k][0])
	}
}

// enter notes what a method brings: objects, initializers, state that it reads.
func (h *heir) enter(n int32) {
	brings := h.brings[n]
	if brings.more {
		h.have(h.makes[n])
	}
	if brings.class >= 0 {
		h.have1(brings.class)
	}
	if !brings.more {
		return
	}
	for _, k := range h.touches[n] {
		h.footprint(k)
	}
	if h.asks[n] {
		h.extended = h.turn
	}
	if h.seesAll[n] {
		h.everywhere = h.turn
	}
	for _, class := range h.into[n] {
		h.inside[class] = h.turn
	}
	for _, c := range h.live[n] {
		h.look(c, n)
	}
}

// look notes that a method of the test reads a cell.
func (h *heir) look(c int, n int32) {
	if h.cell[c] == h.turn {
		return
	}
	h.cell[c] = h.turn
	if h.cells.all[c].steady() { // neither it nor an object that it gives is another one for others (S8.16)
		return
	}
	for _, class := range h.gives[c] {
		h.given[class] = h.turn
	}
	if h.lasts(c) {
		h.read(c, n)
	} else {
		h.idle = append(h.idle, start{cell: c, reader: n})
	}
}

// lasts tells whether a cell can be one of an object that another test made.
func (h *heir) lasts(c int) bool {
	of := h.cells.all[c]
	if h.extended != h.turn && h.stored[of.owner] {
		return false // JUnit finds there what it put there itself: extensions have other names for theirs
	}
	return of.static || h.crosses[of.owner] || h.given[of.owner] == h.turn
}

// read starts at what fills a cell that a method reads. What the test has not entered counts if it names the field: then the value may come from there.
func (h *heir) read(c int, reader int32) {
	of := h.cells.all[c]
	h.written(c, of)
	if of.rows {
		for _, f := range of.writers {
			h.offer(c, f)
		}
		return
	}
	for _, f := range of.fillers {
		switch from := (start{c, reader, f}); {
		case h.since[f] > h.ends:
		case h.unseen(of, f):
			h.hidden = append(h.hidden, from)
		default:
			h.begin(from)
		}
	}
}

// begin starts at what fills a cell.
func (h *heir) begin(from start) {
	of, f := h.cells.all[from.cell], from.filler
	at := int32(len(h.starts))
	h.starts = append(h.starts, from)
	foreign := of.static || h.makers[of.owner] != h.turn || h.early[of.owner]
	_, near := slices.BinarySearch(of.near, f)
	near = near || !of.static && h.single[h.methods[f].class] // an object in a field of the test class may give out what the test changes
	whole := false                                            // all footprints that have the filler are handed over
	if sets := near && h.sets(f, of); sets && h.fillsOnce(f, of) {
		h.calm = append(h.calm, from)
	} else if sets {
		h.offer(from.cell, f)
		whole = h.own[f] != h.turn && len(h.in[f]) == 0
	}
	if whole {
		h.far = append(h.far, at)
	} else if h.own[f] == h.turn || near && foreign && (of.static || h.single[of.owner] || !h.tests[h.types[h.methods[f].class].name]) {
		h.hand(f)
		h.reach(f, at)
	} else {
		h.far = append(h.far, at)
	}
}

// hand notes the objects that others may have given to a method that fills a cell. If the test has entered it, it is one of the project that looks and fills: then what the test gave to it does not matter.
func (h *heir) hand(n int32) {
	b := h.methods[n].body
	if b == nil || parameters(b.Descriptor) == "" {
		return
	}
	own := h.own[n] == h.turn
	if own && (!h.types[h.methods[n].class].ours || !h.answers(n)) {
		return
	}
	for _, k := range h.handers(n) {
		if k.since <= h.ends {
			h.have1(k.kind)
		}
	}
	if own {
		return
	}
	for _, m := range h.in[n] {
		if h.since[m] <= h.ends {
			h.have(h.makes[m])
		}
	}
}

// A made is a kind of objects, and when all methods had been entered that make one and hand it on.
type made struct {
	kind  kind
	since uint64
}

// handers lists what the callers of a method can give to it: objects of the types that it takes that they make, or theirs, as long as they may hand on what they are given. It is asked for with every test, and found out once.
func (h *heir) handers(n int32) []made {
	out, known := h.handing[n]
	if known {
		return out
	}
	var takes []string
	for _, t := range parameterTypes(h.methods[n].body.Descriptor) {
		if t[0] == 'L' && !slices.Contains(frozen[1:], fieldClass(t)) {
			takes = append(takes, fieldClass(t))
		}
	}
	first, done := map[kind]uint64{}, map[int32]uint64{}
	level := map[int32]uint64{n: 0}
	for depth := 0; depth <= wrappers && len(takes) > 0 && len(level) > 0; depth++ {
		next := map[int32]uint64{}
		for to, at := range level {
			for _, m := range h.in[to] {
				since := max(at, h.since[m])
				if was, seen := done[m]; seen && was <= since {
					continue // from there on all is known
				}
				done[m] = since
				if b := h.methods[m].body; b == nil || parameters(b.Descriptor) != "" {
					next[m] = since
				}
				for _, k := range h.makes[m] {
					if was, seen := first[k]; (!seen || since < was) && slices.ContainsFunc(takes, func(of string) bool { return h.fits(k, of) }) {
						first[k] = since
					}
				}
			}
		}
		level = next
	}
	for k, since := range first {
		out = append(out, made{k, since})
	}
	slices.SortFunc(out, func(a, b made) int { return cmp.Compare(a.kind, b.kind) })
	h.handing[n] = out
	return out
}

// fits tells whether an object of a kind can be of a type.
func (h *heir) fits(k kind, of string) bool {
	class, known := h.classes[of]
	if of == "java/lang/Object" || !known {
		return true
	}
	if k < 0 {
		k, known = h.classes[h.made[-k-1].Interface]
		return !known || h.isA(k, class)
	}
	return h.isA(k, class)
}

// late starts at methods of which it was not known that the test has them.
func (h *heir) late() bool {
	found := false
	idle := h.idle
	h.idle = h.idle[:0]
	for _, s := range idle {
		if h.lasts(s.cell) {
			h.read(s.cell, s.reader)
			found = true
		} else {
			h.idle = append(h.idle, s)
		}
	}
	hidden := h.hidden
	h.hidden = h.hidden[:0]
	for _, s := range hidden {
		if h.unseen(h.cells.all[s.cell], s.filler) {
			h.hidden = append(h.hidden, s)
		} else {
			h.begin(s)
			found = true
		}
	}
	for _, at := range h.far {
		if f := h.starts[at].filler; h.own[f] == h.turn && h.followed[f] != h.turn {
			h.reach(f, at)
			found = true
		}
	}
	return found
}

// reach goes to a method: it is inherited unless the test has it, and followed.
func (h *heir) reach(n, root int32) {
	if h.followed[n] == h.turn || h.since[n] > h.ends || h.types[h.methods[n].class].frame {
		return
	}
	h.followed[n] = h.turn
	h.root[n] = root
	h.todo = append(h.todo, n)
	if h.own[n] != h.turn && h.gain[n] != h.turn {
		h.gain[n] = h.turn
		h.gained = append(h.gained, n)
		h.fresh = append(h.fresh, n)
	}
}

// follow goes to all that a method can call.
func (h *heir) follow(n int32) {
	root := h.root[n]
	if h.wild[n] != tame {
		h.everything(root, n)
	}
	for _, m := range h.direct[n] {
		h.reach(m, root)
	}
	for _, at := range h.sites[n] {
		if h.called[at] == h.turn {
			continue
		}
		h.called[at] = h.turn
		h.dispatch(h.site[at], root)
	}
}

// dispatch follows a virtual call: to the methods of objects that there are, and of others as soon as there are some.
func (h *heir) dispatch(to []perhaps, root int32) {
	for _, p := range to {
		if h.followed[p.to] == h.turn {
			continue
		}
		k := h.index(p.of)
		if h.there[k] == h.turn {
			h.reach(p.to, root)
			continue
		}
		if len(h.waiting[k]) == 0 {
			h.kept = append(h.kept, k)
		}
		h.waiting[k] = append(h.waiting[k], waiter{p.to, root})
	}
}

// index is the place of a kind in lists.
func (h *heir) index(k kind) int32 {
	if k < 0 {
		return h.functions - k - 1
	}
	return k
}

func (h *heir) have(kinds []kind) {
	for _, k := range kinds {
		h.have1(k)
	}
}

// have1 notes that there is an object of a kind; an object of a class is one of its supertypes, too.
func (h *heir) have1(k kind) {
	if h.there[h.index(k)] == h.turn {
		return
	}
	if k < 0 {
		h.arrive(h.index(k))
		return
	}
	for _, up := range h.types[k].above {
		if h.there[up] != h.turn {
			h.arrive(up)
		}
	}
}

func (h *heir) arrive(k int32) {
	h.there[k] = h.turn
	for _, w := range h.waiting[k] {
		h.reach(w.to, w.root)
	}
	h.waiting[k] = h.waiting[k][:0]
}

// everything: a method that can run anything ran, in each footprint that has it, what nothing else there can have run. It runs methods of objects only if there are such objects; if it makes objects
// without a constructor it may have made any.
func (h *heir) everything(root, n int32) {
	list, ok := h.loosely[n]
	if !ok {
		for _, k := range h.with[n] {
			list = append(list, h.unexplained(k)...)
		}
		slices.Sort(list)
		list = slices.Compact(list)
		h.loosely[n] = list
	}
	conjures := h.wild[n] == conjurer
	for _, m := range list {
		b := h.methods[m].body
		if conjures || b == nil || b.Static || b.Name == "<init>" {
			h.reach(m, root)
		} else {
			h.dispatch([]perhaps{{of: h.methods[m].class, to: m}}, root)
		}
	}
}
