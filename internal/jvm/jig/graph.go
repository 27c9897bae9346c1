package jig

import (
	"slices"
	"sort"

	"winnow/internal/digest"
	"winnow/internal/graph"
	"winnow/internal/jvm/observed"
)

// A Graph is the Java Interclass Graph of a program. It must not be changed.
type Graph struct {
	*graph.Static[string]
	Program *observed.Program

	words  []digest.Digest
	bodies []*body
	first  []int32 // number of each body's first node; and behind the last
	// special are the nodes in front of the bodies, by number.
	special []special
	index   map[observed.Method]int32 // of bodies
	files   map[string]string         // canonical names of internal classes → names in the files
	calls   map[int32][]int32         // dispatch nodes → nodes that lead there
	made    map[string][]int32        // internal classes → nodes that instantiate them
	news    []int32                   // nodes that instantiate any class by new, ascending
	statics map[string][]int32        // internal classes → nodes that use their static fields
	below   map[string][]string       // types → internal subtypes, themselves included if internal
}

// A special is a node that belongs to no body.
type special struct {
	kind Kind
	text string
	// class is the file name of the internal class of a class entry, a default node or an initializer that does nothing.
	class string
}

// A Node is what a node of a graph stands for.
type Node struct {
	Kind Kind
	// Method is the method of a node of a body.
	Method observed.Method
	// PC is the offset of the instruction; of a try node that of the instruction behind it, of a catch node that of the handler. -1 if there is none.
	PC int
	// Text names a node that belongs to no body.
	Text string
	// Class is the internal class of a class entry, a default node or an initializer that does nothing.
	Class string
}

// Node describes a node.
func (g *Graph) Node(n int32) Node {
	if int(n) < len(g.special) {
		s := g.special[n]
		return Node{Kind: s.kind, PC: -1, Text: s.text, Class: s.class}
	}
	i := g.bodyOf(n)
	b := g.bodies[i]
	at := b.nodes[n-g.first[i]]
	out := Node{Kind: at.kind, Method: b.method, PC: -1}
	if at.at >= 0 {
		out.PC = int(b.pcs[at.at])
	}
	return out
}

// bodyOf is the index of the body that a node belongs to.
func (g *Graph) bodyOf(n int32) int {
	return sort.Search(len(g.bodies), func(i int) bool { return g.first[i+1] > n })
}

// Methods are the methods that have a body, in the order of classes and declarations.
func (g *Graph) Methods() []observed.Method {
	out := make([]observed.Method, len(g.bodies))
	for i, b := range g.bodies {
		out[i] = b.method
	}
	return out
}

// Body is the range of the nodes of a method; false if it has none.
func (g *Graph) Body(m observed.Method) (from, to int32, ok bool) {
	i, ok := g.index[m]
	if !ok {
		return 0, 0, false
	}
	return g.first[i], g.first[i+1], true
}

// Callers are the calls and method handles that lead to a dispatch node.
func (g *Graph) Callers(dispatch int32) []int32 { return g.calls[dispatch] }

// Made are the instantiations of an internal class, lambdas of an interface among them.
func (g *Graph) Made(class string) []int32 { return g.made[class] }

// Statics are the uses of static fields that an internal class declares.
func (g *Graph) Statics(class string) []int32 { return g.statics[class] }

// Below are the internal classes that are, extend or implement a type, sorted.
func (g *Graph) Below(class string) []string { return g.below[class] }

// File is the name that an internal class has in its file, given the label of an edge; "" if there is none.
func (g *Graph) File(label string) string { return g.files[label] }

// Word is what a node does: nodes with the same word are taken to act alike.
func (g *Graph) Word(n int32) digest.Digest { return g.words[n] }

// Instantiates tells whether a node makes an object by new.
func (g *Graph) Instantiates(n int32) bool {
	_, ok := slices.BinarySearch(g.news, n)
	return ok
}

// Constructors are the constructors of an internal class.
func (g *Graph) Constructors(class string) []observed.Method {
	var out []observed.Method
	for _, b := range g.bodies {
		if b.method.Class == class && b.method.Name == "<init>" {
			out = append(out, b.method)
		}
	}
	return out
}
