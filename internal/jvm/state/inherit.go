package state

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
)

// A Node is a part of what tests inherit.
type Node struct {
	Label   string   // "state(class.field)": the state through which it is inherited
	Methods []int    // ids of the plan, sorted
	Reads   []string // the static fields that its methods read, as in Notes
}

// An Inheritance says what the tests of a process have to include because of state that outlives a test.
type Inheritance struct {
	Nodes []Node
	// Tests has, for each test of the trace, the nodes it inherits itself, sorted.
	Tests map[*agent.TestTrace][]int
	// Handed has, for each test, the footprints that it includes as a whole: values that it finds may come from there. With them come others; see All.
	Handed map[*agent.TestTrace][]Handed
	// Filled has, for each test, what others may have asked the JDK for to fill state that it finds.
	Filled map[*agent.TestTrace][]Filled
	// Absent has, for each test, which of the puts of absent tests it would have found, by their number.
	Absent map[*agent.TestTrace][]int
	// Notes are those of the footprints that have any.
	Notes map[*agent.Footprint]*Notes
}

// All lists the nodes and footprints that a test includes: what it inherits and was handed itself, and all that comes with the tests that handed something to it.
func (in *Inheritance) All(t *agent.TestTrace) (nodes []int, handed []*agent.Footprint) {
	seen := map[*agent.TestTrace]bool{t: true}
	for todo := []*agent.TestTrace{t}; len(todo) > 0; {
		of := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		nodes = append(nodes, in.Tests[of]...)
		if of != t {
			handed = append(handed, of.Shared...)
		}
		for _, h := range in.Handed[of] {
			handed = append(handed, h.Footprint)
			if h.Test != nil && !seen[h.Test] {
				seen[h.Test] = true
				todo = append(todo, h.Test)
			}
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes), handed
}

// Inherit finds out what tests of a process inherit from others. Absent are what tests put into fields that are known and did not run. A defect of this package is an error: the tests have run, and their
// outcomes are to be told.
func Inherit(program Program, plan *agent.Plan, trace *agent.Trace, absent []Put) (out *Inheritance, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("what the tests left behind cannot be told, because of a defect of Winnow: %v\n%s", p, debug.Stack())
		}
	}()
	return inherit(program, plan, trace, absent)
}

func inherit(program Program, plan numbered, trace *agent.Trace, absent []Put) (*Inheritance, error) {
	h, err := newHeir(program, plan, trace)
	if err != nil {
		return nil, fmt.Errorf("inherit: %w", err)
	}
	h.trust(absent)
	out := &bequest{heir: h, known: map[string]int{}, latest: map[int]int{}, cellOf: slices.Repeat([]int{-1}, len(h.methods)), all: &Inheritance{Tests: map[*agent.TestTrace][]int{}, Handed: map[*agent.TestTrace][]Handed{}, Filled: map[*agent.TestTrace][]Filled{}, Absent: map[*agent.TestTrace][]int{}, Notes: h.notes()}}
	h.marks() // those of the notes are none of a test
	missing := h.absences(absent)
	tests := ofFootprints(trace.Tests)
	tested := testAhead(h, tests)
	for i, t := range tests {
		out.heir = tested()
		out.add(t)
		out.all.Handed[t] = out.handed(t, i+1)
		out.all.Filled[t] = out.filled()
		if found := missing.of(out.heir); len(found) > 0 {
			out.all.Absent[t] = found
		}
	}
	for i := len(trace.Tests) - 2; i >= 0; i-- {
		if t, next := trace.Tests[i], trace.Tests[i+1]; t.Own == next.Own {
			out.all.Tests[t], out.all.Handed[t], out.all.Filled[t] = out.all.Tests[next], out.all.Handed[next], out.all.Filled[next]
			if found := out.all.Absent[next]; found != nil {
				out.all.Absent[t] = found
			}
		}
	}
	return out.all, nil
}

// ofFootprints lists the tests, of those that follow one another and have the same footprint the last: what that one inherits has what the others do.
func ofFootprints(tests []*agent.TestTrace) []*agent.TestTrace {
	var out []*agent.TestTrace
	for i, t := range tests {
		if i+1 == len(tests) || tests[i+1].Own != t.Own {
			out = append(out, t)
		}
	}
	return out
}

// testAhead looks at tests, several at a time. The function that it returns waits for the next one; what the heir found there stays until the function is called again.
func testAhead(h *heir, tests []*agent.TestTrace) func() *heir {
	heirs := []*heir{h}
	for len(heirs) < min(runtime.GOMAXPROCS(0), 4, len(tests)) { // each finds out anew what it keeps for later tests
		heirs = append(heirs, h.twin())
	}
	done := make([]chan any, len(heirs)) // a panic, or nothing
	start := func(i int) {
		if i >= len(tests) {
			return
		}
		at := i % len(heirs)
		of, ready := heirs[at], make(chan any, 1)
		done[at] = ready
		of.turn = int32(i) // no two tests have the same marks
		go func() {
			defer close(ready)
			defer func() {
				if p := recover(); p != nil {
					ready <- p
				}
			}()
			of.test(tests[i])
		}()
	}
	for i := range heirs {
		start(i)
	}
	next := 0
	return func() *heir {
		if next > 0 {
			start(next - 1 + len(heirs)) // with the heir that was asked for last
		}
		at := next % len(heirs)
		next++
		if p := <-done[at]; p != nil {
			panic(p)
		}
		return heirs[at]
	}
}

// A bequest makes nodes; equal ones are made once.
type bequest struct {
	*heir
	known  map[string]int
	latest map[int]int // by cell: the node that was asked for last, which the next test often has too
	cellOf []int       // by method: the cell through which it was inherited last, or -1
	gains  []uint64    // cell << 32 | id of a method
	ids    []int
	all    *Inheritance
}

// add makes nodes of what the heir has inherited, one for each cell.
func (b *bequest) add(t *agent.TestTrace) {
	b.gains = b.gains[:0]
	for _, n := range b.gained {
		b.gains = append(b.gains, uint64(b.through(n))<<32|uint64(b.methods[n].id))
	}
	slices.Sort(b.gains)
	var nodes []int
	for i := 0; i < len(b.gains); {
		cell := b.gains[i] >> 32
		b.ids = b.ids[:0]
		for ; i < len(b.gains) && b.gains[i]>>32 == cell; i++ {
			b.ids = append(b.ids, int(uint32(b.gains[i])))
		}
		nodes = append(nodes, b.node(int(cell)))
	}
	slices.Sort(nodes)
	b.all.Tests[t] = nodes
}

// through is the cell through which the test inherits a method. There may be several: it is the one of earlier tests if that is one of them, for then the test shares more with these.
func (b *bequest) through(n int32) int {
	was := b.cellOf[n]
	if was < 0 || b.cell[was] != b.turn || !b.lasts(was) {
		b.cellOf[n] = b.starts[b.root[n]].cell
	}
	return b.cellOf[n]
}

// node is that of a cell with the methods in ids.
func (b *bequest) node(cell int) int {
	if last, ok := b.latest[cell]; ok && slices.Equal(b.all.Nodes[last].Methods, b.ids) {
		return last
	}
	label := "state(" + b.cells.all[cell].label + ")"
	key := []byte(label)
	for _, id := range b.ids {
		key = binary.AppendUvarint(key, uint64(id))
	}
	at, ok := b.known[string(key)]
	if !ok {
		at = len(b.all.Nodes)
		b.known[string(key)] = at
		b.all.Nodes = append(b.all.Nodes, Node{label, slices.Clone(b.ids), b.looksAt(b.ids)})
	}
	b.latest[cell] = at
	return at
}

// looksAt lists the static fields that methods read, given by their ids.
func (b *bequest) looksAt(ids []int) []string {
	var out []string
	for _, id := range ids {
		n := b.nodes[id]
		for _, c := range b.reads[n] {
			if of := b.cells.all[c]; b.noted(of) && !b.blind(n, of) {
				out = append(out, of.label)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// stretches are the footprints of a process in terms of its graph.
type stretches struct {
	*cells
	from   []*agent.Footprint
	has    [][]int32 // by footprint: entered methods, sorted
	shared []bool    // by footprint: it is not a test's own
	with   [][]int32 // by method: footprints that have it
	stamp  []int     // by method: the last footprint whose roots were sought and that has it, counted from 1
	roots  [][]int32 // by footprint: see unexplained
	names  [][]int32 // by method: see namedBy
	// Reflection: cells that a footprint may have read, and footprints that may have written a cell.
	readIn    [][]int
	writtenIn [][]int32
	looked    [][]int32 // by footprint: see lookedAt
	undone    []bool    // by footprint: see takeBack
	earlier   [][]int32 // by footprint of a test: the methods of what happened before it
	namedIn   []int     // by class: the last footprint whose roots were sought and that names it, counted from 1
}

func newStretches(program Program, plan numbered, trace *agent.Trace) (*stretches, error) {
	s := &stretches{}
	g := newGraph(program, plan)
	own, before := map[*agent.Footprint]bool{}, map[*agent.Footprint]*agent.Footprint{}
	for _, t := range trace.Tests {
		own[t.Own], own[t.Before], before[t.Own] = true, true, t.Before
		g.tests[strings.ReplaceAll(t.Class, ".", "/")] = true
	}
	methods := map[*agent.Footprint][]int32{}
	for _, f := range footprints(trace) { // what happened before a test comes before the test
		var in []int32
		for _, id := range f.Methods {
			n, err := g.node(id)
			if err != nil {
				return nil, err
			}
			in = append(in, n)
		}
		slices.Sort(in)
		methods[f] = in
		s.from, s.has, s.shared, s.earlier = append(s.from, f), append(s.has, in), append(s.shared, !own[f]), append(s.earlier, methods[before[f]])
	}
	var err error
	if s.cells, err = g.cells(); err != nil {
		return nil, err
	}
	for _, f := range s.from {
		s.looked = append(s.looked, s.lookedAt(f))
	}
	s.watch(trace)
	s.reflection()
	s.takeBack()
	return s, s.fillAll()
}

// footprints lists all footprints of a trace, each once.
func footprints(trace *agent.Trace) []*agent.Footprint {
	var out []*agent.Footprint
	seen := map[*agent.Footprint]bool{}
	add := func(f *agent.Footprint) {
		if !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	add(trace.Process)
	for _, f := range trace.Found {
		add(f)
	}
	for _, t := range trace.Tests {
		for _, f := range t.Shared {
			add(f)
		}
		add(t.Own)
	}
	var classes []int
	for c := range trace.Inits {
		classes = append(classes, c)
	}
	slices.Sort(classes)
	for _, c := range classes {
		add(trace.Inits[c])
	}
	return out
}
