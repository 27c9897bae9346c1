package safespace

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// generator makes random programs and edited copies of them.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator {
	return generator{rand.New(rand.NewPCG(seed, 0x5afe))}
}

var (
	genWords  = []string{"a", "a", "a", "b", "b", "c"}
	genLabels = []string{"x", "y", "z", star}
)

func (g generator) word() string  { return genWords[g.IntN(len(genWords))] }
func (g generator) label() string { return genLabels[g.IntN(len(genLabels))] }

func (g generator) program() *program {
	p := &program{}
	for range 1 + g.IntN(6) {
		p.add(p.freshName(), g.word())
	}
	useStar := g.IntN(3) > 0
	for n := range p.words {
		for range g.IntN(4) {
			if l := g.label(); l != star || useStar {
				p.set(n, l, g.IntN(p.len()))
			}
		}
	}
	return p
}

func (p *program) freshName() string {
	for i := p.len(); ; i++ {
		if name := fmt.Sprintf("n%d", i); !slices.Contains(p.names, name) {
			return name
		}
	}
}

// pair returns a program and its new version: most often an edited copy,
// sometimes the same, sometimes an unrelated one.
func (g generator) pair() versions {
	old := g.program()
	if g.IntN(12) == 0 {
		return versions{old, g.program()}
	}
	new := old.clone()
	for range g.IntN(4) {
		g.edit(new)
	}
	if g.IntN(3) == 0 {
		new = g.renumber(new)
	}
	return versions{old, new}
}

// edit changes a program in one place.
func (g generator) edit(p *program) {
	edits := []func(*program){g.changeWord, g.retarget, g.addEdge, g.removeEdge, g.insert, g.bypass, g.duplicate, g.duplicate, g.merge}
	edits[g.IntN(len(edits))](p)
}

func (g generator) changeWord(p *program) { p.words[g.IntN(p.len())] = g.word() }

func (g generator) addEdge(p *program) { p.set(g.IntN(p.len()), g.label(), g.IntN(p.len())) }

// someArc returns a random edge, or nil if the node it looked at has none.
func (g generator) someArc(p *program) *arc {
	out := p.out[g.IntN(p.len())]
	if len(out) == 0 {
		return nil
	}
	return &out[g.IntN(len(out))]
}

func (g generator) retarget(p *program) {
	if a := g.someArc(p); a != nil {
		a.to = g.IntN(p.len())
	}
}

func (g generator) removeEdge(p *program) {
	n := g.IntN(p.len())
	if k := len(p.out[n]); k > 0 {
		i := g.IntN(k)
		p.out[n] = slices.Delete(p.out[n], i, i+1)
	}
}

// insert puts a node on an edge.
func (g generator) insert(p *program) {
	if a := g.someArc(p); a != nil {
		to := a.to
		a.to = p.len()
		p.set(p.add(p.freshName(), g.word()), g.label(), to)
	}
}

// bypass leads the edges into a node past it and deletes it.
func (g generator) bypass(p *program) {
	n := g.IntN(p.len())
	if n == 0 || len(p.out[n]) == 0 {
		return
	}
	p.lead(n, p.out[n][0].to, func() bool { return true })
	p.remove(n)
}

// duplicate copies a node and leads some of its edges to the copy.
func (g generator) duplicate(p *program) {
	n := g.IntN(p.len())
	c := p.add(p.freshName(), p.words[n])
	p.out[c] = slices.Clone(p.out[n])
	p.lead(n, c, func() bool { return g.IntN(2) == 0 })
}

// merge leads all edges into one node to another.
func (g generator) merge(p *program) {
	p.lead(g.IntN(p.len()), g.IntN(p.len()), func() bool { return true })
}

func (p *program) lead(from, to int, choose func() bool) {
	for _, out := range p.out {
		for i := range out {
			if out[i].to == from && choose() {
				out[i].to = to
			}
		}
	}
}

// renumber permutes all nodes but the start.
func (g generator) renumber(p *program) *program {
	order := append([]int{0}, g.Perm(p.len())...)
	order = slices.Concat(order[:1], slices.DeleteFunc(order[1:], func(n int) bool { return n == 0 }))
	place := make([]int, p.len())
	for i, n := range order {
		place[n] = i
	}
	q := &program{}
	for _, n := range order {
		c := q.add(p.names[n], p.words[n])
		for _, a := range p.out[n] {
			q.out[c] = append(q.out[c], arc{a.label, place[a.to]})
		}
	}
	return q
}

// versions are the two programs of one comparison.
type versions struct{ old, new *program }

func (v versions) String() string { return fmt.Sprintf("old:\n%snew:\n%s", v.old, v.new) }

func (v versions) clone() versions { return versions{v.old.clone(), v.new.clone()} }

// shrink makes the pair smaller as long as it fails.
func (v versions) shrink(fails func(versions) bool) versions {
	for {
		smaller, ok := v.firstFailing(fails)
		if !ok {
			return v
		}
		v = smaller
	}
}

func (v versions) firstFailing(fails func(versions) bool) (versions, bool) {
	for _, cut := range v.cuts() {
		w := v.clone()
		if cut(w) && fails(w) {
			return w, true
		}
	}
	return v, false
}

// cuts returns the ways to make the pair smaller. Each reports whether it did.
// Cuts of both programs come first: they keep what the two have in common.
func (v versions) cuts() []func(versions) bool {
	var cuts []func(versions) bool
	both := func(cut func(*program) bool) {
		cuts = append(cuts,
			func(w versions) bool { o, n := cut(w.old), cut(w.new); return o || n },
			func(w versions) bool { return cut(w.old) },
			func(w versions) bool { return cut(w.new) })
	}
	for n := max(v.old.len(), v.new.len()) - 1; n >= 0; n-- {
		both(func(p *program) bool { return p.cutNode(n) })
		for _, l := range genLabels {
			both(func(p *program) bool { return p.cutEdge(n, l) })
		}
		both(func(p *program) bool { return p.cutWord(n) })
	}
	return cuts
}

func (p *program) cutNode(n int) bool {
	if n == 0 || n >= p.len() {
		return false
	}
	p.remove(n)
	return true
}

func (p *program) cutEdge(n int, label string) bool {
	if n >= p.len() {
		return false
	}
	i := p.arcIndex(n, label)
	if i < 0 {
		return false
	}
	p.out[n] = slices.Delete(p.out[n], i, i+1)
	return true
}

func (p *program) cutWord(n int) bool {
	if n >= p.len() || p.words[n] == "a" {
		return false
	}
	p.words[n] = "a"
	return true
}
