package safespace

import (
	"fmt"
	"hash/fnv"
	"slices"
)

// A test of the random programs is a number: it makes the decision at a node a
// deterministic function of the words executed so far.
type testCase uint64

// values are what a decision can yield. No edge is ever labelled w, so that it
// takes a default edge or ends the run.
var values = []string{"x", "y", "z", "w"}

const maxWords = 14

func (t testCase) decide(history []string) string {
	h := fnv.New64a()
	fmt.Fprint(h, uint64(t), history)
	return values[(h.Sum64()>>7)%uint64(len(values))]
}

// A run is what a test does on a program, cut after maxWords words.
type run struct {
	words []string
	nodes []int
	trace []int // edge indices
	// uncovered is set if the run ended because its value had no edge, though
	// the node has others: what assumption (A4) excludes.
	uncovered bool
}

func (t testCase) run(p *program) run {
	at := 0
	r := run{words: []string{p.words[0]}, nodes: []int{0}}
	for len(r.words) < maxWords && len(p.out[at]) > 0 {
		i := p.take(at, t.decide(r.words))
		if i < 0 {
			r.uncovered = true
			break
		}
		at = p.out[at][i].to
		r.trace = append(r.trace, i)
		r.nodes = append(r.nodes, at)
		r.words = append(r.words, p.words[at])
	}
	return r
}

// take returns the edge that a value takes: its own, else the default, else -1.
func (p *program) take(n int, value string) int {
	if i := p.arcIndex(n, value); i >= 0 {
		return i
	}
	return p.arcIndex(n, star)
}

func (r run) covers(e Edge) bool {
	for i, x := range r.trace {
		if (Edge{int32(r.nodes[i]), int32(x)}) == e {
			return true
		}
	}
	return false
}

// acceptance is what the graph automaton says of a trace: whether it accepts
// it, with and without the rule on default edges, and whether all pairs of
// nodes that it met have the same labels.
type acceptance struct{ accepts, acceptsPlain, sameLabels bool }

// graphAutomaton walks the trace of a run on the old program in the graph of
// the new one.
func graphAutomaton(v versions, r run) acceptance {
	a := acceptance{v.old.words[0] == v.new.words[0], v.old.words[0] == v.new.words[0], true}
	n, m := 0, 0
	for _, i := range r.trace {
		if !a.acceptsPlain {
			return a
		}
		old, new := v.old.labels(n), v.new.labels(m)
		a.sameLabels = a.sameLabels && slices.Equal(old, new)
		label := old[i]
		j := v.new.take(m, label)
		if j < 0 {
			return acceptance{sameLabels: a.sameLabels}
		}
		if label == star && slices.ContainsFunc(new, func(l string) bool { return !slices.Contains(old, l) }) {
			a.accepts = false
		}
		n, m = v.old.out[n][i].to, v.new.out[m][j].to
		if v.old.words[n] != v.new.words[m] {
			a.accepts, a.acceptsPlain = false, false
		}
	}
	if a.acceptsPlain {
		a.sameLabels = a.sameLabels && slices.Equal(v.old.labels(n), v.new.labels(m))
	}
	return a
}
