package state

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
)

// A Node is what the filling of a cell has entered, to be included by all that read the cell.
type Node struct {
	Label    string // "state(class.field)"
	Methods  []int  // ids of the plan, sorted
	Includes []int  // nodes of cells that this filling read
}

// An Inheritance says what footprints of a process have to include because of state that outlives a test.
type Inheritance struct {
	Nodes []Node
	// Of has, for each footprint of the trace, the nodes it includes, sorted. Of a test, those of its own footprint and of all that it shares count.
	Of map[*agent.Footprint][]int
}

// Inherit finds out what footprints of a process inherit from others.
func Inherit(program Program, plan *agent.Plan, trace *agent.Trace) (*Inheritance, error) {
	return inherit(program, plan, trace)
}

func inherit(program Program, plan numbered, trace *agent.Trace) (*Inheritance, error) {
	s, err := newStretches(program, plan, trace)
	if err != nil {
		return nil, fmt.Errorf("inherit: %w", err)
	}
	fills, err := s.fills()
	if err != nil {
		return nil, fmt.Errorf("inherit: %w", err)
	}
	return s.inheritance(fills), nil
}

// stretches are the footprints of a process in terms of its graph.
type stretches struct {
	*cells
	from   []*agent.Footprint
	has    [][]int32       // by footprint: entered methods, sorted
	shared []bool          // by footprint: it is not a test's own
	tests  map[string]bool // classes with tests
}

func newStretches(program Program, plan numbered, trace *agent.Trace) (*stretches, error) {
	s := &stretches{tests: map[string]bool{}}
	own := map[*agent.Footprint]bool{}
	for _, t := range trace.Tests {
		own[t.Own] = true
		s.tests[strings.ReplaceAll(t.Class, ".", "/")] = true
	}
	g := newGraph(program, plan)
	for _, f := range footprints(trace) {
		var in []int32
		for _, id := range f.Methods {
			n, err := g.node(id)
			if err != nil {
				return nil, err
			}
			in = append(in, n)
		}
		slices.Sort(in)
		s.from, s.has, s.shared = append(s.from, f), append(s.has, in), append(s.shared, !own[f])
	}
	var err error
	s.cells, err = g.cells()
	return s, err
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

// fills finds for each cell that may outlive a test what was entered to fill it.
func (s *stretches) fills() ([]*bitSet, error) {
	f := newFilling(s)
	if err := f.start(); err != nil {
		return nil, err
	}
	for again := true; again; {
		again = false
		for c, of := range s.all {
			if f.sets[c] != nil || of.static || len(of.fillers) == 0 || !f.outlives(of.owner) {
				continue
			}
			again = true
			if err := f.cell(c); err != nil {
				return nil, err
			}
		}
	}
	return f.sets, nil
}

// A filling is the work of finding fillings. A class lasts if an object of it can outlive a test: if one was made by an initializer, in the set-up of a
// group, by the process, or by the filling of a cell that lasts. Static cells last, and the cells of classes that last.
type filling struct {
	*walk
	by     []*bitSet // by method
	sets   []*bitSet // by cell
	lasts  []bool    // by class
	object int32     // java/lang/Object
}

func newFilling(s *stretches) *filling {
	w := &walk{stretches: s, with: s.where(), inside: newBits(len(s.methods)), stamp: make([]int, len(s.methods)), roots: make([][]int32, len(s.from))}
	object := s.classes["java/lang/Object"]
	return &filling{walk: w, object: object, by: make([]*bitSet, len(s.methods)), sets: make([]*bitSet, len(s.all)), lasts: make([]bool, len(s.types))}
}

func (f *filling) start() error {
	for k := range f.has {
		if f.shared[k] {
			f.keep(f.has[k], f.fieldsOf(f.has[k]))
		}
	}
	for c, of := range f.all {
		if of.static && len(of.fillers) > 0 {
			if err := f.cell(c); err != nil {
				return err
			}
			f.given(of)
		}
	}
	return nil
}

// fieldsOf lists the cells that methods write.
func (f *filling) fieldsOf(methods []int32) []*cell {
	var out []*cell
	for _, n := range methods {
		for _, c := range f.writes[n] {
			out = append(out, f.all[c])
		}
	}
	return out
}

// keep notes the classes of objects that methods make and that cells can hold.
func (f *filling) keep(methods []int32, in []*cell) {
	var of []int32
	for _, c := range in {
		if c.descriptor[0] == '[' || c.descriptor[0] == 'L' {
			class, ok := f.classes[elementClass(fieldClass(c.descriptor))]
			if ok && f.types[class].jdk {
				class, ok = f.object, true // a collection or the like, of anything
			}
			if ok && !slices.Contains(of, class) {
				of = append(of, class)
			}
		}
	}
	for _, n := range methods {
		class := f.methods[n].class
		if b := f.methods[n].body; f.lasts[class] || b != nil && b.Name != "<init>" && b.Name != "" {
			continue
		}
		f.lasts[class] = slices.ContainsFunc(of, func(t int32) bool { return f.isA(class, t) })
	}
}

// given notes the classes of which callers of those that fill a cell make objects: they may hand them over.
func (f *filling) given(of *cell) {
	for _, n := range of.fillers {
		if b := f.methods[n].body; b == nil || parameters(b.Descriptor) == "" {
			continue
		}
		for _, m := range f.in[n] {
			if b := f.methods[m].body; b != nil {
				for _, name := range b.News {
					if class, ok := f.classes[name]; ok {
						f.lasts[class] = true
					}
				}
			}
		}
	}
}

// outlives tells whether an object with the fields of a class can outlive a test.
func (f *filling) outlives(class int32) bool {
	if f.lasts[class] {
		return true
	}
	for sub := range f.types[class].under {
		if f.lasts[sub] {
			return true
		}
	}
	return false
}

// cell finds the filling of a cell and the objects that it makes.
func (f *filling) cell(c int) error {
	f.sets[c] = newBits(len(f.methods))
	for _, n := range f.all[c].fillers {
		if f.by[n] == nil {
			f.by[n] = newBits(len(f.methods))
			if err := f.follow(n, f.by[n]); err != nil {
				return err
			}
		}
		f.sets[c].addAll(f.by[n])
	}
	f.keep(slices.Collect(f.sets[c].each), []*cell{f.all[c]})
	return nil
}

// where lists for each method the footprints that entered it.
func (s *stretches) where() [][]int32 {
	out := make([][]int32, len(s.methods))
	for k, in := range s.has {
		for _, n := range in {
			out[n] = append(out[n], int32(k))
		}
	}
	return out
}

// A walk goes along calls inside the footprints that have a method. A call of a type of the JDK leads to methods of objects that there are: made on the
// way, found in fields that were read on the way, or handed to the start by its callers.
type walk struct {
	*stretches
	with    [][]int32
	inside  *bitSet // methods that were entered in a footprint with the start
	todo    []int32
	there   map[kind]bool    // kinds of objects
	waiting map[kind][]int32 // methods that run as soon as there is an object of the kind
	looked  map[int]bool     // cells
	stamp   []int            // by method: the last footprint whose roots were sought and that has it, counted from 1
	roots   [][]int32
}

// follow adds to a set what can be reached from a method.
func (w *walk) follow(start int32, into *bitSet) error {
	w.inside.clear()
	for _, k := range w.with[start] {
		w.inside.addList(w.has[k])
	}
	w.todo, w.there, w.waiting, w.looked = w.todo[:0], map[kind]bool{}, map[kind][]int32{}, map[int]bool{}
	w.reach(start, into)
	w.have(w.madeBy([]int32{start}), into)
	for len(w.todo) > 0 {
		n := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		if b := w.methods[n].body; b == nil || b.anything() && !w.types[w.methods[n].class].frame {
			w.everything(start, n, into)
		}
		if err := w.visit(n, into); err != nil {
			return err
		}
	}
	return nil
}

// visit goes on from a method.
func (w *walk) visit(n int32, into *bitSet) error {
	w.have(w.makes[n], into)
	w.have([]kind{w.methods[n].class}, into)
	for _, c := range w.reads[n] {
		if !w.looked[c] {
			w.looked[c] = true
			w.have(w.holds(w.all[c]), into)
		}
	}
	for _, p := range w.loose[n] {
		switch {
		case !w.inside.has(p.to) || into.has(p.to):
		case w.there[p.of]:
			w.reach(p.to, into)
		default:
			w.waiting[p.of] = append(w.waiting[p.of], p.to)
		}
	}
	next, err := w.calls(n)
	if err != nil {
		return err
	}
	for _, m := range next {
		if w.inside.has(m) {
			w.reach(m, into)
		}
	}
	return nil
}

// have notes that there are objects of some kinds; an object of a class is one of its supertypes, too.
func (w *walk) have(kinds []kind, into *bitSet) {
	for _, k := range kinds {
		if w.there[k] {
			continue
		}
		all := []kind{k}
		if k >= 0 {
			all = w.types[k].above
		}
		for _, k := range all {
			w.there[k] = true
			for _, n := range w.waiting[k] {
				w.reach(n, into)
			}
			delete(w.waiting, k)
		}
	}
}

func (w *walk) reach(n int32, into *bitSet) {
	if !into.has(n) {
		into.add(n)
		w.todo = append(w.todo, n)
	}
}

// everything: a method that can run anything, entered in the same footprints as the start, ran what nothing else there can have run.
func (w *walk) everything(start, n int32, into *bitSet) {
	a, b := w.with[start], w.with[n]
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			for _, m := range w.unexplained(a[i]) {
				w.reach(m, into)
			}
			i, j = i+1, j+1
		}
	}
}

// unexplained lists the methods of a footprint that no other method of it calls. Those of test classes are left out: the framework calls them.
func (w *walk) unexplained(k int32) []int32 {
	if w.roots[k] != nil {
		return w.roots[k]
	}
	for _, n := range w.has[k] {
		w.stamp[n] = int(k) + 1
	}
	out := []int32{}
	for _, n := range w.has[k] {
		called := slices.ContainsFunc(w.in[n], func(m int32) bool { return m != n && w.stamp[m] == int(k)+1 })
		if t := w.types[w.methods[n].class]; !called && !t.frame && !w.tests[t.name] {
			out = append(out, n)
		}
	}
	w.roots[k] = out
	return out
}

// inheritance makes the nodes of the filled cells that someone reads.
func (s *stretches) inheritance(fills []*bitSet) *Inheritance {
	out := &Inheritance{Of: map[*agent.Footprint][]int{}}
	number := make([]int, len(s.all))
	for c, set := range fills {
		number[c] = -1
		if set == nil || len(s.all[c].readers) == 0 {
			continue
		}
		number[c] = len(out.Nodes)
		out.Nodes = append(out.Nodes, Node{Label: "state(" + s.all[c].label + ")"})
	}
	for c, set := range fills {
		if number[c] < 0 {
			continue
		}
		node := &out.Nodes[number[c]]
		var in []int32
		for n := range set.each {
			in = append(in, n)
			node.Methods = append(node.Methods, s.methods[n].id)
		}
		slices.Sort(node.Methods)
		node.Includes = slices.DeleteFunc(s.read(in, number), func(i int) bool { return i == number[c] })
	}
	for k, f := range s.from {
		out.Of[f] = s.read(s.has[k], number)
	}
	return out
}

// read lists the nodes of the cells that methods read.
func (s *stretches) read(methods []int32, number []int) []int {
	var out []int
	for _, n := range methods {
		for _, c := range s.reads[n] {
			if number[c] >= 0 {
				out = append(out, number[c])
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Test lists the nodes that a test includes, those that nodes include among them, sorted.
func (i *Inheritance) Test(t *agent.TestTrace) []int {
	todo := slices.Clone(i.Of[t.Own])
	for _, f := range t.Shared {
		todo = append(todo, i.Of[f]...)
	}
	seen := make([]bool, len(i.Nodes))
	var out []int
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
			todo = append(todo, i.Nodes[n].Includes...)
		}
	}
	slices.Sort(out)
	return out
}
