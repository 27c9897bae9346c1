// Package dejavu selects the tests that cover a dangerous edge of a control-flow graph.
//
// Words are statements, the order is the control-flow graph of a procedure, the equivalence machine compares normalized text. Both graphs
// are walked together from their entries; an edge whose targets differ, or whose label is gone, is dangerous. An edge that
// only the new graph has makes the edges into its node dangerous. Where a trace does not record edges, the body's adaptor
// says which recorded entries can stand for one (S2.2).
//
// Citation: G. Rothermel and M. J. Harrold, "A safe, efficient regression test selection technique", ACM TOSEM 6(2), 1997.
package dejavu

import (
	"winnow/internal/graph"
	"winnow/internal/rts"
	"winnow/internal/safespace"
	"winnow/internal/safety"
	"winnow/internal/technique"
)

// Technique describes DejaVu.
var Technique = technique.Technique{
	Name:        "dejavu",
	Title:       "dangerous edges of control-flow graphs",
	Citation:    "G. Rothermel, M. J. Harrold: A safe, efficient regression test selection technique. ACM TOSEM 6(2), 1997",
	Words:       "statements",
	Order:       "the control-flow graph of each procedure",
	Traces:      "edges covered, in any order",
	Equivalence: "equal normalized text",
	Bias: rts.Bias{rts.Deterministic, rts.DigestsIdentify, rts.TraceComplete, rts.StableWords, rts.LexicalWords,
		rts.ControlFlowKnown},
	ShownOn: "the synthetic language (tests only)",
}

// A Program is what DejaVu asks a front end.
type Program interface {
	// Now returns the present body of an entity, and whether it has one.
	Now(rts.Entity) ([]byte, bool)
	// Decode reads a body.
	Decode([]byte) (*Body, error)
}

// A Body is a procedure as a graph.
type Body struct {
	Graph graph.Graph[string]
	// Words are the normalized statements by node.
	Words []string
	// Entries is the adaptor: the recorded entries that can stand for an edge.
	Entries func(node int32, edge int) []uint32
	// Default is the label of the edge that is taken when no other label fits.
	Default string
}

// New returns a judge for the program's present state.
func New(p Program, old technique.Bodies, rules safety.Rules) technique.Judge {
	return &technique.Local{
		Now: p.Now, Old: old, Rules: rules, Harmless: "no changed edge was covered",
		Compare: func(before, now []byte) (*technique.Danger, error) {
			o, err := p.Decode(before)
			if err != nil {
				return nil, err
			}
			n, err := p.Decode(now)
			if err != nil {
				return nil, err
			}
			return walk(o, n, rules), nil
		},
	}
}

// walk compares two bodies and maps their dangerous edges to recorded entries.
func walk(old, new *Body, rules safety.Rules) *technique.Danger {
	opt := safespace.Options[string]{
		Equal:     func(a, b int32) bool { return old.Words[a] == new.Words[b] },
		Reentrant: safespace.DangerousEdges,
		NewLabel:  safespace.Redirect,
		Default:   old.Default, HasDefault: true,
	}
	if !rules.Hold(safety.NewLabelsCount) { // (S2.3)
		opt.NewLabel, opt.HasDefault = safespace.Default, false
	}
	res := safespace.Compare(old.Graph, new.Graph, opt)
	if res.RerunAll {
		return &technique.Danger{Whole: true, Why: "it differs from its first statement on"}
	}
	d := &technique.Danger{}
	for _, e := range res.Dangerous() {
		entries := old.Entries(e.Node, int(e.Index))
		if !rules.Hold(safety.AdaptorCovers) {
			entries = entries[:1] // (S2.2)
		}
		for _, entry := range entries {
			d.Add(entry, path(old, res, e))
		}
	}
	return d
}

// path renders the way to a dangerous edge as the statements on it.
func path(old *Body, res *safespace.Result[string], e safespace.Edge) []string {
	w, ok := res.Witness(e)
	if !ok {
		return nil
	}
	words := make([]string, 0, len(w.Path)+1)
	for _, step := range w.Path {
		words = append(words, old.Words[step.Node])
	}
	return append(words, w.Kind.String()+" at "+old.Words[w.Old])
}
