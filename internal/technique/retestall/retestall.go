// Package retestall selects every test, always: the technique that makes no assumption at all, the top of the order of techniques
// and the yardstick for every other one.
//
// Citation: H. K. N. Leung and L. White, "Insights into regression testing", Conference on Software Maintenance, 1989.
package retestall

import (
	"winnow/internal/rts"
	"winnow/internal/technique"
)

// Technique describes retest-all.
var Technique = technique.Technique{
	Name:        "retest-all",
	Title:       "run everything",
	Citation:    "H. K. N. Leung, L. White: Insights into regression testing. Conference on Software Maintenance, 1989",
	Words:       "the program as one word",
	Order:       "none",
	Traces:      "none",
	Equivalence: "nothing is equivalent",
	ShownOn:     "every kind of project",
}

// Reason is the reason for every test.
var Reason = rts.Reason{Code: rts.TechniqueAll, Detail: "retest-all runs everything"}
