// Package cells selects spreadsheet tests: a test is affected if, on the way from its query cell through the cells that its evaluation
// really read, some formula is another one now.
//
// Words are formulas with their references replaced by numbered holes. The order is the reversed cell relation graph: an edge from a cell to
// each cell that it reads, labelled with the number of the hole; it is acyclic. A trace is the part of that graph which was evaluated, as
// a set of cells. The equivalence machine compares words. Because words do not name cells, and both graphs are walked together from the two query
// cells, a formula that has moved with everything it reads is the same formula: a row inserted elsewhere changes nothing.
//
// A hole whose cell was not read for this test (a branch of IF that was not taken) has no edge in the recorded graph, and what the
// new graph has there does not matter. A new reference appears inside a changed formula, so new edges need no rule of their own. A cell that
// the test sets stands for the value given, not for its formula.
//
// Tests with the same trace share one footprint, and a footprint is decided once: these are the bins of the technique.
//
// Citation: J. Bible and G. Rothermel, "A unifying framework supporting the analysis and development of safe regression test selection
// techniques", Oregon State University, 1999.
package cells

import (
	"fmt"
	"iter"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/safespace"
	"winnow/internal/safety"
	"winnow/internal/technique"
)

// Technique describes the technique for spreadsheets.
var Technique = technique.Technique{
	Name:  "cells",
	Title: "the cells that were evaluated, formula by formula",
	Citation: "J. Bible, G. Rothermel: A unifying framework supporting the analysis and development of safe regression test selection " +
		"techniques. Oregon State University, 1999",
	Words:       "cell formulas with holes for what they read",
	Order:       "an edge from a cell to each cell that it reads; acyclic",
	Traces:      "the cells that were evaluated for the query cell, in any order",
	Equivalence: "equal normalized formulas",
	Bias: rts.Bias{rts.Deterministic, rts.DigestsIdentify, rts.TraceComplete, rts.LexicalWords, rts.ValueRule, rts.CalculatorCorrect,
		rts.BranchesLazy},
	ShownOn: "spreadsheets",
}

// A Node is one word and what it reads.
type Node struct {
	Word  string
	Reads []Read
}

// A Read is an edge: the hole and the entity that stands in it. Labels of one node are ascending and not negative.
type Read struct {
	Label  int64
	Entity rts.Entity
}

// A Start is where a trace begins: the query cell then and now. If Now is the zero Entity the query names nothing any more.
type Start struct {
	Label    string
	Old, New rts.Entity
}

// A Program is what the technique asks a front end.
type Program interface {
	// Starts returns where a trace begins, and the cells that the test sets, then and now, each under the name that the test gives it.
	Starts(uses []rts.Use) (starts, set []Start, err error)
	// Old reads the body of a recorded use.
	Old(u rts.Use, body []byte) (Node, error)
	// New returns what an entity is now.
	New(e rts.Entity) (Node, error)
	// Leads tells whether entities of this kind only say where a trace starts.
	Leads(k rts.Kind) bool
	// Inside describes which of the set cells lie in an entity that stands for several cells, "" for any other entity.
	Inside(e rts.Entity, set map[rts.Entity]string) string
	// Index prepares a set of entities for the question which cells of it lie in an area.
	Index(entities iter.Seq[rts.Entity]) Index
	// At returns the cell that lies at an offset of an area.
	At(area rts.Entity, offset int64) (rts.Entity, bool)
	// Graphed tells whether entities of this kind are nodes of the graph; all others are compared as wholes.
	Graphed(k rts.Kind) bool
}

// An Index tells which of its cells lie in an area, and where in it.
type Index interface {
	Inside(area rts.Entity, f func(offset int64, cell rts.Entity))
}

// New returns a judge for the program's present state.
func New(p Program, old technique.Bodies, rules safety.Rules) *Judge {
	return &Judge{program: p, old: old, rules: rules, then: map[rts.Entity]map[digest.Digest]Node{}, now: map[rts.Entity]Node{}}
}

// A Judge walks traces.
type Judge struct {
	program Program
	old     technique.Bodies
	rules   safety.Rules
	// then and now are the nodes read so far: traces overlap.
	then map[rts.Entity]map[digest.Digest]Node
	now  map[rts.Entity]Node
}

// Judge walks the recorded graph together with the present one, unless something that is no part of the graph differs.
func (j *Judge) Judge(t technique.Trace) (reasons []rts.Reason, harmless []rts.Difference, err error) {
	for _, s := range t.Stale {
		if !j.program.Graphed(s.Use.Entity.Kind) {
			reasons = append(reasons, s.Reason())
		}
	}
	if len(reasons) > 0 {
		return reasons, nil, nil
	}
	uses, err := t.All()
	if err != nil {
		return nil, nil, err
	}
	reasons, err = j.walk(uses, t.Stale)
	if err != nil || len(reasons) > 0 {
		return reasons, nil, err
	}
	for _, s := range t.Stale {
		harmless = append(harmless, rts.Difference{Entity: s.Use.Entity, Why: "it has moved together with what it reads, or was not read on the way to the query"})
	}
	return nil, harmless, nil
}

// walk compares the recorded graph with the present one.
func (j *Judge) walk(uses []rts.Use, stale []technique.Stale) ([]rts.Reason, error) {
	starts, set, err := j.program.Starts(uses)
	if err != nil {
		return nil, err
	}
	old := &oldGraph{judge: j, uses: map[rts.Entity]rts.Use{}, set: map[rts.Entity]string{}}
	for _, u := range uses {
		if v, ok := old.uses[u.Entity]; ok && v.Digest != u.Digest {
			return nil, fmt.Errorf("%s was recorded with two contents", u.Entity)
		}
		old.uses[u.Entity] = u
	}
	now := &newGraph{judge: j, old: old, set: map[rts.Entity]string{}}
	for _, s := range set {
		// An input that stands for nothing any more, or for the same cell as another one, cannot be set.
		if _, taken := now.set[s.New]; taken || s.New == (rts.Entity{}) {
			return []rts.Reason{{Code: rts.InputChanged, Entity: s.Old, Detail: "the input " + s.Label + " stands for another cell now"}}, nil
		}
		old.set[s.Old], now.set[s.New] = s.Label, s.Label
	}
	for i, s := range starts {
		old.from(int64(i), s.Old)
		now.from(int64(i), s.New)
	}
	if err := old.build(); err != nil {
		return nil, err
	}
	res := safespace.Compare(old, now, safespace.Options[int64]{
		Equal:     func(a, b int32) bool { return old.nodes[a].word == now.nodes[b].word },
		Reentrant: safespace.DangerousEdges,
		NewLabel:  safespace.Default, // a hole that was not evaluated does not count
	})
	if now.err != nil {
		return nil, now.err
	}
	return append(j.reasons(res, old, now), j.unreached(old, set, stale)...), nil
}

// unreached returns a reason for each difference in something that was read but that no hole of the recorded formulas leads to. The walk has not
// compared it, so it counts (S5.6). The same holds for an input that stands for another cell now: unless every read is in the graph, it may have been
// read in a way that the walk does not know.
func (j *Judge) unreached(old *oldGraph, set []Start, stale []technique.Stale) []rts.Reason {
	if !j.rules.Hold(safety.EveryReadCompared) {
		return nil
	}
	var out []rts.Reason
	for _, s := range stale {
		if _, reached := old.ids[s.Use.Entity]; !reached && !j.program.Leads(s.Use.Entity.Kind) {
			out = append(out, s.Reason())
		}
	}
	for _, s := range set {
		if s.Old != s.New && !old.complete() {
			out = append(out, rts.Reason{Code: rts.InputChanged, Entity: s.Old, Detail: "the input " + s.Label + " stands for another cell now"})
		}
	}
	return out
}

// reasons turns dangerous edges into reasons, one for each entity.
func (j *Judge) reasons(res *safespace.Result[int64], old *oldGraph, now *newGraph) []rts.Reason {
	var out []rts.Reason
	seen := map[rts.Entity]bool{}
	for _, e := range res.Dangerous() {
		w, _ := res.Witness(e)
		r := explain(w, old, now)
		if !seen[r.Entity] {
			seen[r.Entity] = true
			out = append(out, r)
		}
	}
	if res.RerunAll && len(out) == 0 {
		out = append(out, rts.Reason{Code: rts.InternalError, Detail: "the starts differ"})
	}
	return out
}

// explain names the first difference and the way to it.
func explain(w safespace.Witness, old *oldGraph, now *newGraph) rts.Reason {
	r := rts.Reason{Code: rts.InputChanged, Entity: old.nodes[w.Old].entity}
	for _, step := range w.Path {
		if step.Node != 0 {
			r.Path = append(r.Path, old.nodes[step.Node].entity.Name)
		}
	}
	r.Path = append(r.Path, r.Entity.Name)
	if w.New < 0 || w.Kind != safespace.WordDiffers {
		return r
	}
	to := now.nodes[w.New]
	switch {
	case to.word == Blank:
		r.Code = rts.InputRemoved
	case old.nodes[w.Old].word == Blank:
		r.Code = rts.InputAppeared
	}
	if to.entity != r.Entity && to.entity != (rts.Entity{}) {
		r.Detail = "now " + to.entity.Name
	}
	return r
}
