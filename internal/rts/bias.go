package rts

import (
	"slices"
	"strings"
)

// An Assumption is one named condition that a technique needs in order to be safe.
type Assumption struct {
	Name string
	Says string
}

// The assumptions in use. A technique lists those it needs; a new technique adds its own here.
var (
	Deterministic   = Assumption{"deterministic", "a test that runs twice on the same inputs behaves the same"}
	DigestsIdentify = Assumption{"digests-identify",
		"contents with equal 128-bit digests are equal"}
	TraceComplete = Assumption{"trace-complete",
		"recording sees every entity of the tracked kinds that a test uses"}
	StableWords = Assumption{"stable-words",
		"a semantic word acts as a deterministic function on the state it reads, and nothing else changes that state"}
	LexicalWords = Assumption{"lexical-words",
		"words with the same normalized text act alike"}
	ControlFlowKnown = Assumption{"control-flow-known",
		"the graph of a body has every edge that control can take in it"}
	SourceOrder = Assumption{"source-order",
		"the blocks of the pretty-printed source, in its order, show every path of control"}
	ReferencesKnown = Assumption{"references-known",
		"the entities that a function refers to can be read off its text"}
	ValueRule = Assumption{"value-rule",
		"the value of a cell is defined by its formula and the values of the cells that the formula reads"}
	CalculatorCorrect = Assumption{"calculator-correct",
		"the calculation engine computes the trusted functions correctly; its version is part of the fingerprint"}
	BranchesLazy = Assumption{"branches-lazy",
		"the value of IF, IFS, CHOOSE, SWITCH, IFERROR and IFNA depends on the condition and the taken branch alone"}
)

// A Bias is the set of assumptions under which a technique is safe. Fewer assumptions make a more general technique.
type Bias []Assumption

// Includes reports whether every assumption of c is one of b's: b's technique is then at most as general as c's.
func (b Bias) Includes(c Bias) bool {
	for _, a := range c {
		if !slices.Contains(b, a) {
			return false
		}
	}
	return true
}

// String returns the names of the assumptions, sorted, or "none".
func (b Bias) String() string {
	if len(b) == 0 {
		return "none"
	}
	names := make([]string, len(b))
	for i, a := range b {
		names[i] = a.Name
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
