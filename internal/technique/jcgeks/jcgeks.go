package jcgeks

import (
	"winnow/internal/jvm/observed"
	"winnow/internal/rts"
	"winnow/internal/technique"
	"winnow/internal/technique/collected"
	"winnow/internal/technique/ekstazi"
)

// The assumptions of its own.
var (
	BodiesShowChanges  = rts.Assumption{Name: "bodies-show-changes", Says: "whatever changes in a class shows in a method body that is new or differs; nothing depends on a removed method"}
	TypesShowCallbacks = rts.Assumption{Name: "types-show-callbacks", Says: "a library calls back only methods of its own types, of the types of its parameters, and of their subtypes"}
	NoCallbacks        = rts.Assumption{Name: "no-callbacks", Says: "libraries do not call methods of the project"}
	ReflectionRepeats  = rts.Assumption{Name: "reflection-repeats", Says: "calls by reflection are those that were seen when the test last ran"}
)

// Technique describes JcgEks.
var Technique = technique.Technique{
	Name:        "jcgeks",
	Title:       "classes by checksum, then changed methods by a call graph: misses removed overrides",
	Citation:    "G. Zhang, L. Liu, Z. Chen, J. Wang: Hybrid regression test selection by integrating file and method dependences. ASE 2024",
	Words:       "classes and methods",
	Order:       "a static call graph with the reflective calls seen",
	Traces:      "the classes that Ekstazi collects, reflective calls, supertypes of instances; by test class",
	Equivalence: "equal checksums; equal method bodies",
	Bias: rts.Bias{rts.Deterministic, rts.DigestsIdentify, rts.TraceComplete, rts.StableWords, ekstazi.InitializersBegin, ekstazi.ReflectionRuns, collected.CodeOnly, BodiesShowChanges,
		TypesShowCallbacks, ReflectionRepeats},
	ShownOn: "Maven projects, by comparison",
}

// TechniqueNE describes JcgEks without the check of library calls.
var TechniqueNE = technique.Technique{
	Name:        "jcgeks-ne",
	Title:       "as jcgeks without library calls: misses what libraries call back",
	Citation:    Technique.Citation,
	Words:       Technique.Words,
	Order:       Technique.Order,
	Traces:      Technique.Traces,
	Equivalence: Technique.Equivalence,
	Bias:        append(Technique.Bias[:len(Technique.Bias):len(Technique.Bias)], NoCallbacks),
	ShownOn:     Technique.ShownOn,
}

// New makes a selector that checks library calls.
func New() observed.Selector { return newSelector(true) }

// NewNE makes a selector that does not.
func NewNE() observed.Selector { return newSelector(false) }
