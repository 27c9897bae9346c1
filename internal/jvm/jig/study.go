package jig

import (
	"slices"

	"winnow/internal/jvm/cfg"
	"winnow/internal/jvm/observed"
)

// A Study answers the question of the second study of the paper: would selection by edges select fewer tests than selection by methods?
type Study struct {
	// Methods are the dangerous methods: those that a dangerous edge lies in or leads into from a root.
	Methods int `json:"dangerous_methods"`
	// OnAllPaths are those of them in which every path from the entry to an exit takes a dangerous edge: edges buy nothing there.
	OnAllPaths int `json:"on_all_paths"`
	// Edges is the number of dangerous edges. A call edge counts once, however many calls of the same reference share it.
	Edges int `json:"dangerous_edges"`
}

// Share is the share of the dangerous methods that are dangerous on all paths; 0 if there are none.
func (s Study) Share() float64 {
	if s.Methods == 0 {
		return 0
	}
	return float64(s.OnAllPaths) / float64(s.Methods)
}

// Study counts dangerous methods. Exceptional edges are no paths here, as in cfg.Graph.OnAllPaths. A call edge that is taken for some receivers only makes the method of its call dangerous, but not on all paths.
func (c *Comparison) Study() (Study, error) {
	flow := NewFlow(c.Old)
	dangerous := map[observed.Method][]int{} // covers that a path must take; one with -1 has every path
	for _, d := range c.Dangers {
		if err := c.blame(flow, d, dangerous); err != nil {
			return Study{}, err
		}
	}
	out := Study{Methods: len(dangerous), Edges: len(c.Dangers)}
	for m, edges := range dangerous {
		if slices.Contains(edges, -1) {
			out.OnAllPaths++
			continue
		}
		g, err := flow.Graph(m)
		if err != nil {
			return Study{}, err
		}
		if Avoids(g, nil) && !Avoids(g, edges) {
			out.OnAllPaths++
		}
	}
	return out, nil
}

// blame adds a dangerous edge to the methods that it is in.
func (c *Comparison) blame(flow *Flow, d Danger, to map[observed.Method][]int) error {
	from := c.Old.Node(d.From)
	switch from.Kind {
	case Dispatch:
		for _, n := range c.Old.Callers(d.From) {
			m := c.Old.Node(n).Method
			if !c.Visited(n) {
				continue
			}
			cover := Cover{Method: m}
			if d.Label == Next {
				var err error
				if cover, err = flow.Node(n); err != nil {
					return err
				}
			}
			to[m] = append(to[m], cover.Edges...)
		}
	case Start:
		if at := c.Old.Node(d.To); at.Kind == Entry {
			to[at.Method] = append(to[at.Method], -1)
		}
	case ExternalCode, ClassEntry, NoInitializer:
	default:
		cover, err := flow.Edge(d.From, d.Label)
		if err != nil {
			return err
		}
		if from.Kind == Entry {
			cover.Edges = []int{-1}
		}
		to[cover.Method] = append(to[cover.Method], cover.Edges...)
	}
	return nil
}

// Avoids tells whether some path from the entry to an exit, without exceptional edges, takes none of some edges. For one edge it is the opposite of cfg.Graph.OnAllPaths, but in methods that have no such path at all.
func Avoids(g *cfg.Graph, edges []int) bool {
	blocked := func(e int) bool { return g.Edges[e].Kind == cfg.Exception || slices.Contains(edges, e) }
	if blocked(0) {
		return false
	}
	seen := make([]bool, len(g.Blocks))
	seen[0] = true
	for work := []int{0}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range g.Blocks[b].Succ {
			to := g.Edges[e].To
			switch {
			case blocked(e):
			case to < 0:
				return true
			case !seen[to]:
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	return false
}
