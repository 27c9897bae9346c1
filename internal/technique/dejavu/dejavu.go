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
	"fmt"
	"slices"

	"winnow/internal/digest"
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
func New(p Program, old technique.Bodies, rules safety.Rules) *Judge {
	return &Judge{program: p, old: old, rules: rules, known: map[version]*danger{}}
}

// A Judge compares bodies, each pair of versions once.
type Judge struct {
	program Program
	old     technique.Bodies
	rules   safety.Rules
	known   map[version]*danger
}

type version struct {
	entity rts.Entity
	old    digest.Digest
}

// A danger is what differs between two versions of a body.
type danger struct {
	whole   bool
	why     string // of whole
	entries []uint32
	paths   map[uint32][]string
}

// Judge returns a reason for each difference that the trace covers.
func (j *Judge) Judge(t technique.Trace) (reasons []rts.Reason, harmless []rts.Difference, err error) {
	for _, s := range t.Stale {
		d, err := j.compare(s)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", s.Use.Entity, err)
		}
		switch r, hit := d.covered(s); {
		case hit:
			reasons = append(reasons, r)
		default:
			harmless = append(harmless, rts.Difference{Entity: s.Use.Entity, Why: "no changed edge was covered"})
		}
	}
	return reasons, harmless, nil
}

// covered tells whether a use is touched by the danger.
func (d *danger) covered(s technique.Stale) (rts.Reason, bool) {
	r := s.Reason()
	if d.whole || s.Use.Entries == nil {
		r.Detail = d.why
		return r, true
	}
	for _, e := range d.entries {
		if _, ok := slices.BinarySearch(s.Use.Entries, e); ok {
			r.Path = append(r.Path, d.paths[e]...)
			return r, true
		}
	}
	return rts.Reason{}, false
}

func (j *Judge) compare(s technique.Stale) (*danger, error) {
	key := version{s.Use.Entity, s.Use.Digest}
	if d, ok := j.known[key]; ok {
		return d, nil
	}
	d, err := j.bodies(s)
	if err != nil {
		return nil, err
	}
	j.known[key] = d
	return d, nil
}

// bodies finds the two versions. If either is missing the whole entity counts as changed (S2.1).
func (j *Judge) bodies(s technique.Stale) (*danger, error) {
	now, ok := j.program.Now(s.Use.Entity)
	if !ok {
		return &danger{whole: true}, nil
	}
	before, ok, err := j.old.Body(s.Use.Digest)
	if err != nil {
		return nil, err
	}
	if !ok {
		return &danger{whole: j.rules.Hold(safety.MissingBodyIsWhole), why: "its recorded body is not known"}, nil
	}
	old, err := j.program.Decode(before)
	if err != nil {
		return nil, err
	}
	new, err := j.program.Decode(now)
	if err != nil {
		return nil, err
	}
	return j.walk(old, new), nil
}

func (j *Judge) walk(old, new *Body) *danger {
	opt := safespace.Options[string]{
		Equal:     func(a, b int32) bool { return old.Words[a] == new.Words[b] },
		Reentrant: safespace.DangerousEdges,
		NewLabel:  safespace.Redirect,
		Default:   old.Default, HasDefault: true,
	}
	if !j.rules.Hold(safety.NewLabelsCount) { // (S2.3)
		opt.NewLabel, opt.HasDefault = safespace.Default, false
	}
	res := safespace.Compare(old.Graph, new.Graph, opt)
	if res.RerunAll {
		return &danger{whole: true, why: "it differs from its first statement on"}
	}
	d := &danger{paths: map[uint32][]string{}}
	for _, e := range res.Dangerous() {
		entries := old.Entries(e.Node, int(e.Index))
		if !j.rules.Hold(safety.AdaptorCovers) {
			entries = entries[:1] // (S2.2)
		}
		for _, entry := range entries {
			d.entries = append(d.entries, entry)
			if d.paths[entry] == nil {
				d.paths[entry] = path(old, res, e)
			}
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
