// Package testtube selects every test that used an entity whose checksum differs: the coarse and cheap end.
//
// Words are whole entities. There is no order: as an instance of SafeSpace the program is a complete directed graph over its
// entities with one extra word that every trace contains, so the only edges that can lead to SELECT are those into
// changed entities. An entity that was added or removed counts as changed for whoever looked for it. A trace is the
// set of functions entered, closed over the entities they refer to; the closure is the front end's work, which knows what a
// function refers to.
//
// Because a trace here is a set of entities and the equivalence machine compares digests, the engine's own comparison already
// is the walk over that graph. The judge adds nothing but the reason.
//
// Citation: Y.-F. Chen, D. S. Rosenblum, K.-P. Vo, "TestTube: a system for selective regression testing", ICSE 1994.
package testtube

import (
	"winnow/internal/rts"
	"winnow/internal/technique"
)

// Technique describes TestTube.
var Technique = technique.Technique{
	Name:        "testtube",
	Title:       "whole entities by checksum",
	Citation:    "Y.-F. Chen, D. S. Rosenblum, K.-P. Vo: TestTube, a system for selective regression testing. ICSE 1994",
	Words:       "functions, types, constants, global variables",
	Order:       "none: a complete graph with one word that every trace contains",
	Traces:      "the functions entered, closed over the entities they refer to",
	Equivalence: "equal checksums",
	Bias:        rts.Bias{rts.Deterministic, rts.DigestsIdentify, rts.TraceComplete, rts.ReferencesKnown, rts.StableWords},
	ShownOn:     "the synthetic language (tests only), spreadsheets",
}

// A Judge finds every difference to matter.
type Judge struct{}

var _ technique.Judge = Judge{}

// Judge returns one reason for each difference.
func (Judge) Judge(t technique.Trace) ([]rts.Reason, []rts.Difference, error) {
	reasons := make([]rts.Reason, len(t.Stale))
	for i, s := range t.Stale {
		reasons[i] = s.Reason()
	}
	return reasons, nil, nil
}
