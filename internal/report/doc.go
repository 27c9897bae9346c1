// Package report shows what a run did: as calm text for people, as JSON for programs, as JUnit XML for build servers.
//
// One vocabulary serves all three: the verdicts and reason codes of package rts. The JSON has a version, Schema; fields are only ever
// added to a version. docs/json.md describes it.
//
// This package decides nothing and reads nothing.
package report

import (
	"winnow/internal/audit"
	"winnow/internal/engine"
	"winnow/internal/rts"
	"winnow/internal/store"
)

// A Run is everything there is to show about one run. What was not done is nil or zero.
type Run struct {
	Command string // test or select
	Kind    string // kind of project
	Root    string // the project's root, as the user would write it
	// Technique is the name of the technique.
	Technique string
	Selection *rts.Selection
	Report    *engine.Report // nil if nothing was run
	// Records describes the data that was found.
	Records Records
	// Unrecorded says why not all of the run is recorded, beside what the report says of that; "" if all is.
	Unrecorded string
	// Notices are what the user should know about the run itself, for example that the store was repaired.
	Notices []string
	// Exit is the exit code and what it means.
	Exit     int
	ExitSays string
	// Failed says what failed besides tests, "" if nothing did.
	Failed string
	// Shadow is what came of tests that the selection leaves out and that ran nevertheless; nil if they did not run.
	Shadow *Shadow
	// Proven says how the records ended that are proofs, as far as that was asked for.
	Proven map[rts.TestID]rts.Outcome
	// Repeated are tests that failed while others were left out and ran again beside them. What they ended with then is what the run reports.
	Repeated []Repeated
	// History is the newest earlier runs.
	History []store.Run
}

// A Shadow compares tests that were to be left out with their proofs.
type Shadow struct {
	audit.Comparison
	// Case is the file with which what was missed can be repeated, "" if nothing was missed or it cannot be.
	Case string
}

// A Repeated is a test that failed while others were left out, and then ran with those that may change what it looks at.
type Repeated struct {
	Test          rts.TestID
	First, Second rts.Outcome
	// State is what ties it to tests that had been left out.
	State []string
}

// Records describes the data that was found.
type Records struct {
	Tests    int // tests with at least one record
	Newest   rts.Meta
	Location string
}
