package synth

import (
	"strconv"

	"winnow/internal/graph"
)

// Default is the label of the branch that a switch takes when no other label fits.
const Default = "*"

// A Node is one word with its way out. Straight nodes have one edge labelled "".
type Node struct {
	Stmt Stmt // without its branches
	Word string
	Out  []graph.Edge[string] // sorted by label
	// Probe has, parallel to Out, the number of the probe on that edge, or 0: probe 0 is the entry of the body.
	Probe []uint32
}

// A Code is a body as a control-flow graph: node 0 is the entry, node 1 the exit.
type Code struct {
	Nodes  []Node
	Probes uint32
	// covers has, for each node, the probes that may have been the last to fire before control reached it.
	covers [][]uint32
	// at has the node of each statement of the lowered body.
	at map[*Stmt]int32
}

// Lower makes the control-flow graph of a body. Only branches carry probes, so what is recorded is not the edges that a
// technique compares: the adaptor Entries stands between them.
func Lower(body []Stmt) *Code {
	c := &Code{Probes: 1, at: map[*Stmt]int32{}}
	c.node("entry", Stmt{})
	c.node("exit", Stmt{})
	c.link(0, "", c.lower(body, 1), 0)
	c.cover()
	return c
}

func (c *Code) node(word string, s Stmt) int32 {
	c.Nodes = append(c.Nodes, Node{Word: word, Stmt: s})
	return int32(len(c.Nodes) - 1)
}

// link adds an edge; edges of one node are added in the order of their labels.
func (c *Code) link(from int32, label string, to int32, probe uint32) {
	n := &c.Nodes[from]
	n.Out = append(n.Out, graph.Edge[string]{Label: label, To: to})
	n.Probe = append(n.Probe, probe)
}

// lower adds the nodes of a body that continues at next, and returns where it starts. Probes are numbered in the order of the text.
func (c *Code) lower(body []Stmt, next int32) int32 {
	if len(body) == 0 {
		return next
	}
	s := body[0]
	n := c.node(s.head(), Stmt{Op: s.Op, K: s.K, Name: s.Name})
	c.at[&body[0]] = n
	rest := c.lower(body[1:], next)
	switch s.Op {
	case "if":
		f, t := c.probe(), c.probe()
		c.link(n, "F", c.lower(s.Else, rest), f)
		c.link(n, "T", c.lower(s.Then, rest), t)
	case "switch":
		c.link(n, Default, c.lower(s.Else, rest), c.probe())
		for _, k := range s.Cases {
			c.link(n, strconv.Itoa(k.Label), c.lower(k.Body, rest), c.probe())
		}
	default:
		c.link(n, "", rest, 0)
	}
	return n
}

func (c *Code) probe() uint32 {
	c.Probes++
	return c.Probes - 1
}

// cover computes which probes can be the last before each node: those on its incoming edges, and through edges without a probe those
// of the node before.
func (c *Code) cover() {
	c.covers = make([][]uint32, len(c.Nodes))
	c.covers[0] = []uint32{0}
	for changed := true; changed; {
		changed = false
		for i := range c.Nodes {
			n := &c.Nodes[i]
			for k, e := range n.Out {
				from := c.covers[i]
				if n.Probe[k] != 0 {
					from = []uint32{n.Probe[k]}
				}
				changed = c.merge(e.To, from) || changed
			}
		}
	}
}

func (c *Code) merge(n int32, probes []uint32) bool {
	grown := false
	for _, p := range probes {
		if !contains(c.covers[n], p) {
			c.covers[n] = append(c.covers[n], p)
			grown = true
		}
	}
	return grown
}

func contains(list []uint32, v uint32) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

// Entries is the adaptor: the probes that can stand for an edge.
func (c *Code) Entries(node int32, edge int) []uint32 {
	if p := c.Nodes[node].Probe[edge]; p != 0 {
		return []uint32{p}
	}
	return c.covers[node]
}

// NumNodes, Start and Out make a Code a graph.Graph.
func (c *Code) NumNodes() int { return len(c.Nodes) }

// Start returns the entry.
func (c *Code) Start() int32 { return 0 }

// Out returns the edges of a node.
func (c *Code) Out(n int32) []graph.Edge[string] { return c.Nodes[n].Out }

var _ graph.Graph[string] = (*Code)(nil)
