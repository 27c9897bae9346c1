package state

import (
	"maps"
	"math/bits"
	"slices"
)

// A follower finds out which methods of the project change what static fields lead to, wherever they got it, and which static fields lead to the same objects.
type follower struct {
	*cells
	sums     []summary
	touching []bool              // by method: it gets hold of what a cell leads to, or writes one
	tied     []int               // by cell: another one of its group, or itself
	asked    []bool              // by method: it was looked at
	tainted  []set               // by method: parameters that can be what a cell leads to
	wanted   []int32             // methods of which more parameters are tainted than before
	joined   map[Member]*summary // by virtual call: what the methods do that it can run
	partOf   [][]*summary        // by method: those of joined that it is part of
	last     bool                // summaries are done: fillers are noted
}

// follow finds what changes the static fields of the project by following references from method to method.
func (c *cells) follow() error {
	f := &follower{cells: c, sums: make([]summary, len(c.methods)), touching: make([]bool, len(c.methods)), asked: make([]bool, len(c.methods)), tainted: make([]set, len(c.methods)), tied: make([]int, len(c.all)), joined: map[Member]*summary{}, partOf: make([][]*summary, len(c.methods))}
	for i := range f.tied {
		f.tied[i] = i
		if c.all[i].ours {
			if _, err := c.regionOf(c.all[i]); err != nil {
				return err
			}
		}
	}
	var ours []int32
	for n := range c.methods {
		if f.followed(int32(n)) {
			ours = append(ours, int32(n))
		}
	}
	if err := f.summarizeAll(ours); err != nil {
		return err
	}
	f.last = true
	for _, n := range ours {
		if !f.touching[n] {
			continue
		}
		if _, err := f.solve(n); err != nil {
			return err
		}
		for at := range f.sums[n].keeps {
			c.all[at].passing = append(c.all[at].passing, n)
		}
	}
	f.share()
	return nil
}

// followed tells whether the body of a method is followed.
func (f *follower) followed(n int32) bool {
	b := f.methods[n].body
	return b != nil && b.Flow != nil && f.types[f.methods[n].class].ours
}

// names tells whether a method reads or writes a cell of the project by itself.
func (f *follower) names(n int32) bool {
	ours := func(c int) bool { return f.all[c].ours }
	return slices.ContainsFunc(f.reads[n], ours) || slices.ContainsFunc(f.writes[n], ours)
}

// want asks for the summary of a method that is given what a cell leads to.
func (s *solution) want(n int32, values []Value) {
	if !s.follower.followed(n) {
		return
	}
	before := s.tainted[n]
	for i, v := range values {
		if v.none() || i >= rootsAtMost || before.has(i) {
			continue
		}
		if of := s.inside(v.all()); s.hasCell(of) || s.ofParameters(of).meets(s.tainted[s.n]) {
			s.tainted[n].add(i)
		}
	}
	if s.tainted[n] != before {
		s.wanted = append(s.wanted, n)
	}
}

// hasCell tells whether there are cells among roots.
func (s *solution) hasCell(roots set) bool {
	for root := range s.cells {
		if roots.has(root) {
			return true
		}
	}
	return false
}

// A solution is what the sources of one body are. Sources of calls are made of others; roots are the others, and cells that calls return.
type solution struct {
	*follower
	n        int32
	flow     *Flow
	is       []Value     // by source: the roots
	made     set         // sources that are functions
	copies   set         // sources that are new arrays with what others hold
	holds    []set       // by root: roots that are kept in it
	same     []set       // by root: roots through which it goes: what changes it may change them
	cells    map[int]int // by root
	root     map[int]int // by cell
	out      summary
	grew     bool
	changed  map[effect]Value
	lazy     bool // see fillsItself
	gifts    set  // see giving
	sized    set  // roots whose size is used as a number
	asks     map[int]bool
	keyed    set // roots that are keys of maps
	vague    set // roots of cells of which the body has things that may only lead there
	advanced set
	wrote    map[int]set // by cell: roots that are written to it as they are
	kept     map[int]set // by cell: roots that are written to it
}

// solve finds the summary of a method; other tells whether it is another one than before.
func (f *follower) solve(n int32) (other bool, err error) {
	s := &solution{follower: f, n: n, flow: f.methods[n].body.Flow, cells: map[int]int{}, root: map[int]int{}, kept: map[int]set{}, wrote: map[int]set{}, changed: map[effect]Value{}, gifts: giving(f.methods[n].body), lazy: f.fillsItself(n), asks: map[int]bool{}}
	if err := s.start(); err != nil {
		return false, err
	}
	for s.grew = true; s.grew; {
		s.grew = false
		for i := range s.flow.Steps {
			if err := s.step(&s.flow.Steps[i]); err != nil {
				return false, err
			}
		}
	}
	s.summarize()
	other = !s.out.equal(&f.sums[n])
	f.sums[n] = s.out
	f.touching[n] = len(s.cells) > 0 || len(s.kept) > 0
	if f.last {
		return other, s.note()
	}
	return other, nil
}

// start makes the roots of the sources.
func (s *solution) start() error {
	count := len(s.flow.Sources)
	s.is, s.holds, s.same = make([]Value, count), make([]set, count), make([]set, count)
	s.copies = s.flow.copies()
	for i := range s.flow.Steps {
		if st := &s.flow.Steps[i]; st.Kind == Makes {
			s.made.add(st.Result)
		}
	}
	for i := range s.flow.Sources {
		from := &s.flow.Sources[i]
		if from.Parameter > 0 || from.New {
			s.is[i].Is.add(i)
		}
		for _, m := range from.Static {
			at, _, err := s.follower.field(m)
			if err != nil {
				return err
			}
			if !s.all[at].ours || at >= len(s.tied) {
				continue
			}
			if _, known := s.root[at]; !known && len(from.Static) == 1 {
				s.root[at], s.cells[i] = i, at
			}
			s.is[i].Is.add(s.rootOf(at))
		}
	}
	return nil
}

// rootOf is the root that stands for a cell.
func (s *solution) rootOf(cell int) int {
	if at, ok := s.root[cell]; ok {
		return at
	}
	at := len(s.holds)
	if at == rootsAtMost {
		at-- // it shares a root with others: the cells are taken for one
		f := s.follower
		f.tied[f.group(cell)] = f.group(s.cells[at])
	} else {
		s.holds, s.same = append(s.holds, set{}), append(s.same, set{})
		s.cells[at] = cell
	}
	s.root[cell] = at
	return at
}

// grow adds to a set.
func (s *solution) grow(to *set, more set) {
	if now := to.or(more); now != *to {
		*to = now
		s.grew = true
	}
}

// resolve finds the roots of a value.
func (s *solution) resolve(v Value) Value {
	var out Value
	v.Is.each(func(i int) { out = out.or(s.is[i]) })
	v.In.each(func(i int) {
		out.In, out.Of = out.In.or(s.inside(s.is[i].all())), out.Of.or(s.is[i].from())
	})
	out.Is, out.From = s.through(out.Is), ""
	return out
}

// through adds the roots through which others go.
func (s *solution) through(of set) set { return closure(of, s.same) }

// inside are roots with all that is kept in them.
func (s *solution) inside(of set) set {
	for {
		next := closure(closure(of, s.holds), s.same)
		if next == of {
			return of
		}
		of = next
	}
}

func closure(of set, more []set) set {
	for {
		next := of
		of.each(func(i int) { next = next.or(more[i]) })
		if next == of {
			return of
		}
		of = next
	}
}

func (s *solution) step(st *Step) error {
	switch st.Kind {
	case Changes:
		t, err := s.changedType(st.Type)
		if err != nil {
			return err
		}
		values := s.values(st)
		if t >= 0 || !st.Values[0].among(s.copies) {
			s.change(t, values[0], values[1:]...)
		}
		if len(values) > 1 {
			s.hold(values[0].all(), values[1].all())
		}
	case Advances:
		t, err := s.changedType(st.Type)
		if err != nil {
			return err
		}
		v := s.resolve(st.Values[0])
		s.change(t, v)
		s.grow(&s.advanced, v.all())
	case Sizes:
		s.grow(&s.sized, s.resolve(st.Values[0]).all())
	case Keeps:
		at, _, err := s.follower.field(st.Member)
		if err != nil {
			return err
		}
		if s.all[at].ours && at < len(s.tied) {
			v := s.resolve(st.Values[0])
			s.keep(at, s.inside(v.all()))
			s.wrote[at] = s.wrote[at].or(v.Is)
		}
	case Returns:
		v := s.resolve(st.Values[0])
		s.grow(&s.out.returns.Is, v.Is)
		s.grow(&s.out.returns.In, s.inside(v.all()))
		s.grow(&s.out.returns.Of, v.Of)
	case Calls:
		return s.call(st)
	case Makes:
		return s.function(st)
	}
	return nil
}

// changedType numbers a type.
func (s *solution) changedType(name string) (changed, error) {
	if name[0] == '[' {
		return changed(-1 - bits.TrailingZeros8(uint8(elementsOf(name)))), nil
	}
	return s.typeOf(name)
}

// matters tells whether a cell of the project can lead to objects of a type.
func (c *cells) matters(t changed) bool {
	known, ok := c.leads[t]
	if !ok {
		known = slices.ContainsFunc(c.all, func(at *cell) bool {
			return at.ours && at.region != nil && (c.affects(t, at.region) || c.affectsInside(t, at.region))
		})
		c.leads[t] = known
	}
	return known
}

// change notes that objects of a type are changed, and what is put into them, as far as it is followed.
func (s *solution) change(t changed, v Value, put ...Value) {
	s.effect(effect{t, !s.lazy || s.given(put)}, v)
}

func (s *solution) effect(e effect, v Value) {
	if v.none() || !s.matters(e.t) {
		return
	}
	v.From = ""
	old := s.changed[e]
	if now := old.or(v); now != old {
		s.changed[e] = now
		s.grew = true
	}
}

// given tells whether values come from parameters, the object of the method aside, and texts, which mostly are names of what is looked for.
func (s *solution) given(values []Value) bool {
	return slices.ContainsFunc(values, func(v Value) bool { return s.ofParameters(v.all()).meets(s.gifts) })
}

// giving is the parameters that a method may put somewhere for its caller.
func giving(b *Body) set {
	var out set
	first := 1
	if b.Static {
		first = 0
	}
	for i, t := range parameterTypes(b.Descriptor) {
		if followed(t) && first+i < rootsAtMost {
			out.add(first + i)
		}
	}
	return out
}

// fillsItself tells whether a method has the form of those that look at something and fill it with what they compute themselves. Tests do not: no other test calls them.
func (f *follower) fillsItself(n int32) bool {
	b, class := f.methods[n].body, f.types[f.methods[n].class].name
	if f.tests[class] {
		return false
	}
	result := returned(b.Descriptor)
	if !b.Branches && result == "V" {
		return false
	}
	return parameters(b.Descriptor) == "" || (result[0] == 'L' || result[0] == '[') && result != "L"+class+";"
}

func (s *solution) hold(of, kept set) {
	of.each(func(i int) { s.grow(&s.holds[i], kept) })
}

// keep notes what is written to a static field, with all that is in it.
func (s *solution) keep(cell int, roots set) {
	now := s.kept[cell]
	s.grow(&now, roots)
	s.kept[cell] = now
}

// values resolves the values of a step.
func (s *solution) values(st *Step) []Value {
	out := make([]Value, len(st.Values))
	for i, v := range st.Values {
		out[i] = s.resolve(v)
	}
	return out
}

// become makes the result of a call something.
func (s *solution) become(result int, v Value) {
	if result >= 0 {
		s.grow(&s.is[result].Is, v.Is)
		s.grow(&s.is[result].In, v.In)
		s.grow(&s.is[result].Of, v.Of)
	}
}

// summarize turns roots into parameters and cells.
func (s *solution) summarize() {
	for t, v := range s.changed {
		of := Value{Is: s.ofParameters(v.Is), In: s.ofParameters(v.In), Of: s.ofParameters(v.Of)}
		if !s.methods[s.n].body.Static {
			of.Of[0] &^= 1 // what an object changes in itself it has not given out
		}
		if !of.none() {
			if s.out.changes == nil {
				s.out.changes = map[effect]Value{}
			}
			s.out.changes[t] = of
		}
	}
	s.out.steps, s.out.sizes = s.ofParameters(s.advanced), s.ofParameters(s.sized)
	s.summarizeSizes()
	roots := s.out.returns
	s.out.returns = Value{Is: s.ofParameters(roots.Is), In: s.ofParameters(roots.In), Of: s.ofParameters(roots.Of)}
	for root, cell := range s.cells {
		if roots.Is.has(root) || roots.In.has(root) {
			if s.out.gets == nil {
				s.out.gets = map[int]got{}
			}
			switch {
			case roots.Is.has(root):
				s.out.gets[cell] = itself
			case roots.Of.has(root):
				s.out.gets[cell] = part
			default:
				s.out.gets[cell] = vaguely
			}
		}
	}
	for i := range s.flow.Sources {
		p := s.flow.Sources[i].Parameter
		if kept := s.ofParameters(closure(s.holds[i], s.holds)); p > 0 && !kept.empty() {
			if s.out.held == nil {
				s.out.held = map[int]set{}
			}
			s.out.held[p-1] = kept
		}
	}
	for cell, roots := range s.kept {
		if of := s.ofParameters(roots); !of.empty() {
			if s.out.keeps == nil {
				s.out.keeps = map[int]set{}
			}
			s.out.keeps[cell] = of
		}
	}
	for root, cell := range s.cells { // what is put into an object of a cell is kept in the cell
		if of := s.ofParameters(s.inside(s.holds[root])); !of.empty() {
			if s.out.keeps == nil {
				s.out.keeps = map[int]set{}
			}
			s.out.keeps[cell] = s.out.keeps[cell].or(of)
		}
	}
}

// summarizeSizes notes the cells whose size the method uses, unless it changes them: then it counts itself.
func (s *solution) summarizeSizes() {
	var touched set
	for _, v := range s.changed {
		touched = touched.or(v.all())
	}
	asks := maps.Clone(s.asks)
	for root, cell := range s.cells {
		if s.sized.has(root) {
			asks[cell] = true
		}
		if touched.has(root) {
			delete(asks, cell)
		}
	}
	if len(asks) > 0 {
		s.out.asks = asks
	}
}

// echoes tells whether the method keeps in a cell what it is given, and returns what is in the cell.
func (s *solution) echoes(at int) bool {
	_, gets := s.out.gets[at]
	given, keys := s.out.keeps[at], s.ofParameters(s.keyed)
	for i := range given {
		given[i] &^= keys[i]
	}
	return gets && !given.empty()
}

// ofParameters are the parameters among roots.
func (s *solution) ofParameters(roots set) set {
	var out set
	roots.each(func(i int) {
		if i < len(s.flow.Sources) && s.flow.Sources[i].Parameter > 0 && s.flow.Sources[i].Parameter <= rootsAtMost {
			out.add(s.flow.Sources[i].Parameter - 1)
		}
	})
	return out
}

// note notes what the method does to cells, and which cells it makes lead to the same.
func (s *solution) note() error {
	b := s.methods[s.n].body
	for root, at := range s.cells {
		cell := s.all[at]
		types, err := s.changes(root, cell)
		if err != nil {
			return err
		}
		initial := b.Name == "<clinit>" && cell.owner == s.methods[s.n].class
		if !initial && len(types) > 0 {
			if cell.types == nil {
				cell.types = map[int32][]changed{}
			}
			cell.types[s.n] = types
			cell.puts = append(cell.puts, s.n)
			if fields := s.onlyFields(root, cell); len(fields) > 0 {
				if cell.fields == nil {
					cell.fields = map[int32][]int32{}
				}
				cell.fields[s.n] = fields
			}
			if cell.plain && (s.advanced.has(root) || s.sized.has(root) || s.asks[at]) {
				cell.counting = append(cell.counting, s.n)
			}
		}
		if cell.plain && s.echoes(at) {
			cell.echoing = append(cell.echoing, s.n)
		}
		if err := s.tieRoots(at, s.inside(s.holds[root]), true); err != nil {
			return err
		}
	}
	writes := map[int][]int{}
	for _, at := range slices.Sorted(maps.Keys(s.kept)) {
		roots := s.kept[at]
		if err := s.tieRoots(at, roots, true); err != nil {
			return err
		}
		if err := s.tieRoots(at, s.wrote[at], false); err != nil {
			return err
		}
		if s.all[at].plain {
			roots.each(func(i int) { writes[i] = append(writes[i], at) })
		}
	}
	for _, to := range writes {
		for _, at := range to[1:] {
			if err := s.tie(to[0], at); err != nil {
				return err
			}
		}
	}
	return nil
}

// changes lists the types of what the method changes among that to which a cell leads.
func (s *solution) changes(root int, of *cell) (types []changed, err error) {
	r, err := s.regionOf(of)
	if err != nil {
		return nil, err
	}
	held := s.vague
	for i := range s.holds {
		if i != root {
			held = held.or(s.holds[i])
		}
	}
	for e, v := range s.changed {
		t := e.t
		if !of.plain && !e.sets {
			continue // what looks and fills is found without this
		}
		whole := v.Is.has(root) && (!of.empty && s.affects(t, r) && s.fits(t, of) || of.empty && s.affectsInside(t, r))
		inside := v.In.has(root) && (of.plain && s.affectsInside(t, r) || !of.plain && !held.has(root) && s.affects(t, r))
		given := v.Of.has(root) && !of.plain && (t < 0 || !s.follower.types[t].ours) // an object of the project gave it out
		if whole || inside || given && (r.objects || s.affects(t, r)) {
			types = append(types, t)
		}
	}
	return types, nil
}

// fits tells whether the object in a cell can be of a type.
func (s *solution) fits(t changed, of *cell) bool {
	if of.plain || of.function || t < 0 {
		return true
	}
	class, known := s.classes[fieldClass(of.descriptor)]
	return !known || s.meet(t, class)
}
