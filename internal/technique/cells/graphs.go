package cells

import (
	"cmp"
	"fmt"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/graph"
	"winnow/internal/rts"
	"winnow/internal/safety"
)

// Blank is the word of an entity that does not exist.
const Blank = ""

// part is added to the label of a hole to name the part of an area that was read cell by cell, as INDEX does.
const part int64 = 1 << 40

// PartKind is the kind of nodes that stand for the part of an area that was read.
const PartKind rts.Kind = "part"

// partWord is the word of such a node; the size of the area is part of the formula's word.
const partWord = "part"

// end is the label of an edge that every node has: a formula of which nothing was read has a way out too.
const end int64 = -1

type node struct {
	entity rts.Entity
	word   string
	out    []graph.Edge[int64]
}

// oldGraph is a recorded trace as a graph. Node 0 is the start, node 1 the end.
type oldGraph struct {
	judge  *Judge
	uses   map[rts.Entity]rts.Use
	set    map[rts.Entity]string
	nodes  []node
	ids    map[rts.Entity]int32
	starts []graph.Edge[int64]
	// offsets are the places in areas of which only parts were read.
	offsets map[int64]bool
	index   Index
}

func (g *oldGraph) from(label int64, e rts.Entity) {
	if g.ids == nil {
		g.ids = map[rts.Entity]int32{}
		g.nodes = []node{{}, {word: "end"}}
	}
	g.starts = append(g.starts, graph.Edge[int64]{Label: label, To: g.id(e)})
}

func (g *oldGraph) id(e rts.Entity) int32 {
	id, ok := g.ids[e]
	if !ok {
		id = int32(len(g.nodes))
		g.ids[e] = id
		g.nodes = append(g.nodes, node{entity: e})
	}
	return id
}

// build completes every node that can be reached. Nodes are added at the end while it runs.
func (g *oldGraph) build() error {
	g.nodes[0].out = g.starts
	for i := 2; i < len(g.nodes); i++ {
		if err := g.fill(i); err != nil {
			return err
		}
	}
	return nil
}

// complete tells whether everything that was read is part of the graph.
func (g *oldGraph) complete() bool {
	for e := range g.uses {
		if _, reached := g.ids[e]; !reached && g.judge.program.Graphed(e.Kind) && !g.judge.program.Leads(e.Kind) {
			return false
		}
	}
	return true
}

// fill gives a node its word and its edges.
func (g *oldGraph) fill(i int) error {
	e := g.nodes[i].entity
	if e.Kind == PartKind {
		g.fillPart(i)
		return nil
	}
	if name, ok := g.set[e]; ok {
		g.nodes[i].word = "set " + name
		return nil
	}
	u, ok := g.uses[e]
	if !ok {
		return fmt.Errorf("%s was read and is not in the trace", e)
	}
	if u.Digest == digest.Absent {
		return nil
	}
	n, err := g.judge.recorded(u)
	if err != nil {
		return err
	}
	out := []graph.Edge[int64]{{Label: end, To: 1}}
	var parts []graph.Edge[int64]
	for _, r := range n.Reads {
		_, used := g.uses[r.Entity]
		if _, isSet := g.set[r.Entity]; used || isSet {
			out = append(out, graph.Edge[int64]{Label: r.Label, To: g.id(r.Entity)})
		} else if g.readInPart(r.Entity) {
			parts = append(parts, graph.Edge[int64]{Label: r.Label + part, To: g.id(rts.Entity{Kind: PartKind, Name: r.Entity.Name})})
		}
	}
	out = append(out, parts...)
	if !g.judge.rules.Hold(safety.EveryReadCompared) && len(out) > 2 {
		out = out[:2] // (S5.6)
	}
	g.nodes[i].word, g.nodes[i].out = n.Word+g.judge.program.Inside(e, g.set), out
	return nil
}

// readInPart tells whether some cell of an area was read, or is set, although the area as a whole was not read.
func (g *oldGraph) readInPart(area rts.Entity) bool {
	found := false
	g.eachInside(area, func(int64, rts.Entity) { found = true })
	return found
}

// eachInside calls f for the cells of an area that were read or are set.
func (g *oldGraph) eachInside(area rts.Entity, f func(offset int64, cell rts.Entity)) {
	if g.index == nil {
		g.index = g.judge.program.Index(func(yield func(rts.Entity) bool) {
			for e := range g.uses {
				if _, isSet := g.set[e]; !isSet && !yield(e) {
					return
				}
			}
			for e := range g.set {
				if !yield(e) {
					return
				}
			}
		})
	}
	g.index.Inside(area, f)
}

// fillPart leads from a part of an area to the cells of it that were read or are set.
func (g *oldGraph) fillPart(i int) {
	out := []graph.Edge[int64]{{Label: end, To: 1}}
	g.eachInside(g.nodes[i].entity, func(offset int64, cell rts.Entity) {
		if g.offsets == nil {
			g.offsets = map[int64]bool{}
		}
		g.offsets[offset] = true
		out = append(out, graph.Edge[int64]{Label: offset, To: g.id(cell)})
	})
	slices.SortFunc(out, func(a, b graph.Edge[int64]) int { return cmp.Compare(a.Label, b.Label) })
	g.nodes[i].word, g.nodes[i].out = partWord, out
}

func (g *oldGraph) NumNodes() int                   { return len(g.nodes) }
func (g *oldGraph) Start() int32                    { return 0 }
func (g *oldGraph) Out(n int32) []graph.Edge[int64] { return g.nodes[n].out }

// newGraph is the present program as a graph. Only what the walk asks for is looked at.
type newGraph struct {
	judge *Judge
	old   *oldGraph
	set   map[rts.Entity]string
	nodes []node
	ids   map[rts.Entity]int32
	err   error
}

func (g *newGraph) from(label int64, e rts.Entity) {
	if g.ids == nil {
		g.ids = map[rts.Entity]int32{}
		g.nodes = []node{{}, {word: "end"}}
	}
	to := g.id(e)
	g.nodes[0].out = append(g.nodes[0].out, graph.Edge[int64]{Label: label, To: to})
}

// id adds the node of an entity with its word; its edges are added when they are asked for.
func (g *newGraph) id(e rts.Entity) int32 {
	if id, ok := g.ids[e]; ok {
		return id
	}
	id := int32(len(g.nodes))
	g.ids[e] = id
	g.nodes = append(g.nodes, node{entity: e})
	if name, ok := g.set[e]; ok {
		g.nodes[id].word = "set " + name
		return id
	}
	switch {
	case e == (rts.Entity{}):
		g.nodes[id].word = "nothing"
		return id
	case e.Kind == PartKind:
		g.nodes[id].word = partWord
		return id
	}
	n, err := g.judge.present(e)
	if err != nil && g.err == nil {
		g.err = err
	}
	g.nodes[id].word = n.Word
	if n.Word != Blank {
		g.nodes[id].word += g.judge.program.Inside(e, g.set)
	}
	return id
}

func (g *newGraph) NumNodes() int { return len(g.nodes) }
func (g *newGraph) Start() int32  { return 0 }

func (g *newGraph) Out(n int32) []graph.Edge[int64] {
	if n < 2 || g.nodes[n].out != nil {
		return g.nodes[n].out
	}
	e := g.nodes[n].entity
	if _, ok := g.set[e]; ok || e == (rts.Entity{}) || g.nodes[n].word == Blank {
		return nil
	}
	out := []graph.Edge[int64]{{Label: end, To: 1}}
	if e.Kind == PartKind {
		for offset := range g.old.offsets {
			if cell, ok := g.judge.program.At(e, offset); ok {
				out = append(out, graph.Edge[int64]{Label: offset, To: g.id(cell)})
			}
		}
	} else {
		now, err := g.judge.present(e)
		if err != nil && g.err == nil {
			g.err = err
		}
		for _, r := range now.Reads {
			out = append(out, graph.Edge[int64]{Label: r.Label, To: g.id(r.Entity)})
			if len(g.old.offsets) > 0 {
				out = append(out, graph.Edge[int64]{Label: r.Label + part, To: g.id(rts.Entity{Kind: PartKind, Name: r.Entity.Name})})
			}
		}
	}
	slices.SortFunc(out, func(a, b graph.Edge[int64]) int { return cmp.Compare(a.Label, b.Label) })
	g.nodes[n].out = out
	return out
}

// recorded reads the node of a recorded use.
func (j *Judge) recorded(u rts.Use) (Node, error) {
	if n, ok := j.then[u.Entity][u.Digest]; ok {
		return n, nil
	}
	body, ok, err := j.old.Body(u.Digest)
	if err != nil {
		return Node{}, err
	}
	if !ok { // (S2.1)
		return Node{}, fmt.Errorf("the recorded content of %s is not known", u.Entity)
	}
	n, err := j.program.Old(u, body)
	if err != nil {
		return Node{}, err
	}
	if j.then[u.Entity] == nil {
		j.then[u.Entity] = map[digest.Digest]Node{}
	}
	j.then[u.Entity][u.Digest] = n
	return n, nil
}

// present reads the node of an entity as it is now.
func (j *Judge) present(e rts.Entity) (Node, error) {
	if n, ok := j.now[e]; ok {
		return n, nil
	}
	n, err := j.program.New(e)
	if err == nil {
		j.now[e] = n
	}
	return n, err
}
