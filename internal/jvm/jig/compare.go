package jig

import (
	"fmt"

	"winnow/internal/safespace"
)

// A Danger is a dangerous edge of the old graph.
type Danger struct {
	From, To int32 // nodes of the old graph
	Label    string
	Kind     safespace.Kind
	New      int32 // the node of the new graph at which the difference shows
}

// A Comparison is what walking two graphs together has shown.
type Comparison struct {
	Old, New *Graph
	// Dangers are the dangerous edges, sorted by node and label. Call edges are those of dispatch nodes.
	Dangers []Danger
	visited []bool
}

// Compare walks two graphs together.
func Compare(old, new *Graph) (*Comparison, error) {
	c := &Comparison{Old: old, New: new, visited: make([]bool, old.NumNodes())}
	res := safespace.Compare[string](old, new, safespace.Options[string]{
		Equal: func(o, n int32) bool {
			if !old.words[o].Same(new.words[n]) {
				return false
			}
			c.visited[o] = true
			return true
		},
		Reentrant: safespace.DangerousEdges, NewLabel: safespace.Default, Default: Default, HasDefault: true,
	})
	if res.RerunAll {
		return nil, fmt.Errorf("the start nodes of two graphs differ") // they have no word but their kind
	}
	for _, e := range res.Dangerous() {
		w, _ := res.Witness(e)
		out := old.Out(e.Node)[e.Index]
		c.Dangers = append(c.Dangers, Danger{From: e.Node, To: out.To, Label: out.Label, Kind: w.Kind, New: w.New})
	}
	return c, nil
}

// Visited tells whether the walk came to a node of the old graph, and found a node of the new one that acts alike.
func (c *Comparison) Visited(n int32) bool { return c.visited[n] }

// String shows a danger by its ends, as "p/A.m()V@7 -T-> p/A.m()V@12: word differs".
func (c *Comparison) String(d Danger) string {
	return fmt.Sprintf("%s -%s-> %s: %s", c.Old.Name(d.From), d.Label, c.Old.Name(d.To), d.Kind)
}

// Name is a short name of a node: its method and the offset of its instruction, or what it stands for.
func (g *Graph) Name(n int32) string {
	at := g.Node(n)
	switch at.Kind {
	case Start, ExternalCode:
		return at.Text
	case ClassEntry:
		return at.Text + " class entry"
	case DefaultMethods:
		return at.Text + " default"
	case NoInitializer:
		return at.Text + " without initializer"
	case Dispatch:
		return "call of " + at.Text
	case ExternalEntry:
		return "external " + at.Text
	case ExternalExit:
		return "exit of external " + at.Text
	case Failure:
		return "fails: " + at.Text
	case Entry:
		return at.Method.String() + " entry"
	case Exit:
		return at.Method.String() + " exit"
	case ThrowExit:
		return at.Method.String() + " exceptional exit"
	case Return:
		return fmt.Sprintf("%s@%d return", at.Method, at.PC)
	case Try:
		return fmt.Sprintf("%s@%d try", at.Method, at.PC)
	case Catch:
		return fmt.Sprintf("%s@%d catch", at.Method, at.PC)
	}
	return fmt.Sprintf("%s@%d", at.Method, at.PC)
}
