package jig

import (
	"fmt"
	"slices"

	"winnow/internal/jvm/cfg"
	"winnow/internal/jvm/observed"
)

// A Flow says which recorded edges of control flow stand for edges of a graph. It must not be used by several goroutines at once.
type Flow struct {
	g      *Graph
	graphs map[observed.Method]*cfg.Graph
}

// NewFlow returns the flow of a graph.
func NewFlow(g *Graph) *Flow { return &Flow{g: g, graphs: map[observed.Method]*cfg.Graph{}} }

// A Cover is what shows that a test took an edge of a body: that it entered the method and, if there are Edges, covered one of them. These are numbers of cfg.Graph.Edges. Taking the edge implies the cover; the
// converse holds only as far as coverage can tell.
type Cover struct {
	Method observed.Method
	Edges  []int
}

// Graph is the control flow of a method that has code.
func (f *Flow) Graph(m observed.Method) (*cfg.Graph, error) {
	if g := f.graphs[m]; g != nil {
		return g, nil
	}
	class := f.g.Program.Class(m.Class)
	if class == nil {
		return nil, fmt.Errorf("%s: no such class", m)
	}
	for i := range class.File.Methods {
		member := &class.File.Methods[i]
		if name, desc := class.File.MemberName(member); name != m.Name || desc != m.Descriptor {
			continue
		}
		code, err := class.File.Code(member)
		if err == nil && code == nil {
			err = fmt.Errorf("no code")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m, err)
		}
		g, err := cfg.Of(class.File, code)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m, err)
		}
		f.graphs[m] = g
		return g, nil
	}
	return nil, fmt.Errorf("%s: no such method", m)
}

// Node is the cover of executing a node of a body.
func (f *Flow) Node(n int32) (Cover, error) {
	at := f.g.Node(n)
	if at.PC < 0 {
		return Cover{Method: at.Method}, nil
	}
	flow, err := f.Graph(at.Method)
	if err != nil {
		return Cover{}, err
	}
	if at.Kind == Catch {
		return Cover{at.Method, f.handlers(flow, n)}, nil
	}
	return Cover{at.Method, into(flow, at.PC)}, nil
}

// into are the edges into the block of an instruction.
func into(flow *cfg.Graph, pc int) []int { return flow.Blocks[flow.Block(pc)].Pred }

// Edge is the cover of an edge that leaves a node of a body.
func (f *Flow) Edge(from int32, label string) (Cover, error) {
	at := f.g.Node(from)
	if at.PC < 0 {
		return Cover{Method: at.Method}, nil
	}
	flow, err := f.Graph(at.Method)
	if err != nil {
		return Cover{}, err
	}
	c := Cover{Method: at.Method}
	switch {
	case at.Kind == Try && label == Raised:
		c.Edges = f.raised(flow, from)
	case at.Kind == Catch && label == Caught:
		c.Edges = caught(flow, at.PC)
	case at.Kind == Catch:
		c.Edges = f.passed(flow, from)
	default:
		c.Edges = leaving(flow, at, label)
	}
	return c, nil
}

// leaving are the edges of control flow that an edge of an instruction means. Where there is none of its own, since the instruction does not end its block, or since it is a call, those into the block.
func leaving(flow *cfg.Graph, at Node, label string) []int {
	b := flow.Blocks[flow.Block(at.PC)]
	if at.PC != b.LastPC || at.Kind == Try || label == Path || label == Called {
		return b.Pred
	}
	var out []int
	for _, e := range b.Succ {
		if means(flow.Edges[e], label) {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		return b.Pred
	}
	return out
}

// means tells whether an edge of control flow is what a label says.
func means(e cfg.Edge, label string) bool {
	switch label {
	case True:
		return e.Kind == cfg.Taken
	case False:
		return e.Kind == cfg.Fall
	case Next:
		return e.Kind != cfg.Exception && e.Kind != cfg.Throw
	case Default:
		return e.Kind == cfg.Case && e.Label == cfg.Default
	}
	return e.Kind == cfg.Case && e.Label == label
}

// caught are the edges into a handler: the recording notes that it was entered, for all of them.
func caught(flow *cfg.Graph, pc int) []int {
	var out []int
	for _, e := range into(flow, pc) {
		if flow.Edges[e].Kind == cfg.Exception {
			out = append(out, e)
		}
	}
	return out
}

// handlers are the edges into the handler of a catch node and those behind it in the chain.
func (f *Flow) handlers(flow *cfg.Graph, n int32) []int {
	var out []int
	for f.g.Node(n).Kind == Catch {
		out = append(out, caught(flow, f.g.Node(n).PC)...)
		next := f.g.target(n, Raised)
		if next < 0 {
			break
		}
		n = next
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// target is where the edge with a label leads; -1 if there is none.
func (g *Graph) target(n int32, label string) int32 {
	for _, e := range g.Out(n) {
		if e.Label == label {
			return e.To
		}
	}
	return -1
}

// escapes tells whether exceptions can pass all of a chain of catch nodes.
func (f *Flow) escapes(n int32) bool {
	for n >= 0 && f.g.Node(n).Kind == Catch {
		n = f.g.target(n, Raised)
	}
	return n >= 0
}

// raised is the cover of an exception that reaches a try node's handlers. One that none of them catches leaves no trace in the method, since no handler is added to rethrow it: then the cover is that of entering the
// try block here.
func (f *Flow) raised(flow *cfg.Graph, try int32) []int {
	chain := f.g.target(try, Raised)
	if f.escapes(chain) {
		return into(flow, f.g.Node(try).PC)
	}
	return f.handlers(flow, chain)
}

// passed is the cover of an exception that a catch node does not catch.
func (f *Flow) passed(flow *cfg.Graph, catch int32) []int {
	next := f.g.target(catch, Raised)
	if next >= 0 && !f.escapes(next) {
		return f.handlers(flow, next)
	}
	var out []int
	from, to, _ := f.g.Body(f.g.Node(catch).Method)
	for n := from; n < to; n++ {
		if at := f.g.Node(n); at.Kind == Try && f.chained(f.g.target(n, Raised), catch) {
			out = append(out, into(flow, at.PC)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// chained tells whether a catch node is in a chain.
func (f *Flow) chained(chain, catch int32) bool {
	for n := chain; n >= 0 && f.g.Node(n).Kind == Catch; n = f.g.target(n, Raised) {
		if n == catch {
			return true
		}
	}
	return false
}
