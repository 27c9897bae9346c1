package report

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"winnow/internal/audit"
	"winnow/internal/engine"
	"winnow/internal/rts"
)

// TestMain makes local time the same everywhere.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

var recorded = rts.Meta{When: time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC), Revision: "0123456789abcdef", Technique: "cells"}

const module = "budget.xlsx"

func cell(name string) rts.Entity { return rts.Entity{Kind: "cell", Name: "[budget.xlsx]" + name} }

func test(name string) rts.Test { return rts.Test{ID: module + "#" + rts.TestID(name), Module: module} }

// selected is a decision to run a test, proven one to leave it out.
func selected(name string, reasons ...rts.Reason) rts.Decision {
	return rts.Decision{Test: test(name), Reasons: reasons}
}

func proven(name string, differences ...rts.Difference) rts.Decision {
	return rts.Decision{Test: test(name), Proof: &rts.Proof{Meta: recorded, Inputs: 12, Differences: differences}}
}

func ended(name string, outcome rts.Outcome, message string) engine.Result {
	return engine.Result{Record: rts.Record{Test: test(name).ID, Outcome: outcome, Duration: 1500 * time.Microsecond}, Message: message}
}

// newRun has one module with the given verdict and decisions.
func newRun(v rts.Verdict, why *rts.Reason, decisions ...rts.Decision) *Run {
	m := rts.ModuleVerdict{Module: module, Verdict: v, Tests: len(decisions), Why: why}
	for i := range decisions {
		if decisions[i].Selected() {
			m.Selected++
		}
	}
	return &Run{
		Command: "test", Kind: "sheet", Root: ".", Technique: "cells",
		Records:   Records{Tests: len(decisions), Newest: recorded, Location: ".winnow/store.db"},
		Selection: &rts.Selection{Modules: []rts.ModuleVerdict{m}, Decisions: decisions},
	}
}

// ran adds what running gave.
func (r *Run) ran(results ...engine.Result) *Run {
	r.Report = &engine.Report{Selection: r.Selection, Results: results, Took: 250 * time.Millisecond}
	return r
}

var (
	changed = rts.Reason{Code: rts.InputChanged, Entity: cell("Summary!B4"), Path: []string{"Summary!D1", "Summary!C1", "Summary!B4"}, Detail: "now Summary!B5"}
	setUp   = rts.Reason{Code: rts.InputRemoved, Entity: rts.Entity{Kind: rts.KindFile, Name: "rates.csv"}, Path: []string{"set-up of Budget", "rates.csv"}}
	noted   = rts.Reason{Code: rts.NoRecord}
	failed  = rts.Reason{Code: rts.FailedLast, Detail: "failed 2024-05-06 07:08"}
	branch  = rts.Difference{Entity: cell("Summary!B9"), Why: "the changed branch was not taken"}
)

// situations are the runs that the tests show.
func situations() map[string]*Run {
	all := map[string]*Run{}
	first := newRun(rts.Full, &noted, selected("full price", noted), selected("discount", noted))
	first.Records = Records{Location: ".winnow/store.db"}
	all["first-run"] = first.ran(ended("full price", rts.Passed, ""), ended("discount", rts.Passed, ""))

	same := newRun(rts.ProvenEmpty, nil, proven("full price"), proven("discount")).ran()
	same.Report.Saved = 3 * time.Second
	same.Proven = map[rts.TestID]rts.Outcome{test("discount").ID: rts.Skipped}
	all["nothing-changed"] = same

	exact := newRun(rts.Exact, nil, selected("full price", changed, setUp), proven("discount", branch))
	exact.Selection.Changes = []rts.Change{
		{Entity: cell("Summary!B4"), Code: rts.InputChanged, Tests: 1}, {Entity: cell("Summary!B9"), Code: rts.InputChanged},
		{Entity: setUp.Entity, Code: rts.InputRemoved, Tests: 1},
	}
	exact.Records.Newest.Dirty = true
	exact.Selection.Decisions[1].Proof.Meta.Dirty = true
	exact.ran(ended("full price", rts.Passed, "")).Report.Saved = 750 * time.Millisecond
	all["exact"] = exact

	bare := newRun(rts.Exact, nil, proven("full price"), proven("discount")).ran()
	bare.Technique = "clover"
	bare.Selection.Decisions[1].Proof = &rts.Proof{Unproven: true}
	all["without-proof"] = bare

	tool := rts.Reason{Code: rts.ToolchainChanged, Entity: rts.Entity{Kind: rts.KindTool, Name: "calculator"}}
	full := newRun(rts.Full, &tool, selected("full price", tool), selected("discount", failed, tool))
	full.Selection.Changes = []rts.Change{{Entity: tool.Entity, Code: rts.ToolchainChanged, Tests: 2}}
	all["full"] = full.ran(ended("full price", rts.Passed, ""), ended("discount", rts.Passed, ""))

	bad := newRun(rts.Exact, nil, selected("a", changed), selected("b", failed), selected("c", changed), selected("d", changed), proven("e"))
	bad.Exit, bad.ExitSays = 1, "a test failed"
	all["failing"] = bad.ran(ended("a", rts.Failed, `D1 is 5, expected 6 <"&">`), ended("b", rts.Errored, "NOW() cannot be vouched for"),
		ended("c", rts.Killed, "exit status 3"), ended("d", rts.Skipped, ""))

	missing := newRun(rts.Exact, nil, selected("a", changed), selected("b", changed), proven("c")).ran(ended("a", rts.Passed, ""), ended("c", rts.Passed, ""))
	missing.Report.Missing, missing.Report.Extra = []rts.TestID{test("b").ID}, []rts.TestID{test("c").ID}
	all["missing"] = missing

	cut := newRun(rts.Exact, nil, selected("a", changed), selected("b", changed), proven("c")).ran(ended("a", rts.Passed, ""))
	cut.Report.Interrupted, cut.Report.NotRun = true, map[rts.TestID]string{test("b").ID: "interrupted"}
	all["interrupted"] = cut

	filtered := newRun(rts.Exact, nil, selected("a", changed), selected("b", changed), selected("c", changed), selected("d", failed)).ran(ended("a", rts.Passed, ""))
	filtered.Report.NotRun = map[rts.TestID]string{test("b").ID: "left out by -Dtest=A on the command line", test("c").ID: "left out by -Dtest=A on the command line", test("d").ID: "it is gone"}
	all["filtered"] = filtered

	order := newRun(rts.Full, &setUp, selected("a", changed), selected("b", changed), proven("c")).ran(ended("a", rts.Passed, ""), ended("b", rts.Failed, "D1 is 5"), ended("c", rts.Passed, ""))
	order.Repeated = []Repeated{{test("a").ID, rts.Failed, rts.Passed, []string{"p.Mode.quick"}}, {test("b").ID, rts.Killed, rts.Failed, []string{"p.Mode.quick", "p.Mode.slow"}}}
	all["order"] = order

	lost := newRun(rts.Exact, nil, selected("a", changed), proven("c")).ran(ended("a", rts.Passed, ""))
	lost.Report.RecordErr = errors.New("disk full")
	all["not-recorded"] = lost

	shadow := newRun(rts.Exact, nil, selected("a", changed), proven("b", branch), proven("c")).ran(ended("a", rts.Passed, ""), ended("b", rts.Failed, "D1 is 5"), ended("c", rts.Passed, ""))
	shadow.Exit, shadow.ExitSays = 8, "a test was missed"
	shadow.Shadow = &Shadow{Comparison: audit.Comparison{Tests: 3, Selected: 1, LeftOut: 2, Missed: []audit.Miss{{
		Test: test("b").ID, Proven: "passed", Outcome: "failed", Message: "D1 is 5", Inputs: 3, Differences: []audit.Difference{{Kind: "cell", Name: "B2", Why: "branch"}},
		Recorded: audit.Origin{When: time.Date(2024, 5, 6, 7, 0, 0, 0, time.UTC), Revision: "abc", Dirty: true},
	}}}, Case: ".winnow/audit/1/case.json"}
	all["shadow"] = shadow

	all["obsolete"] = strandedRun()
	all["no-tests"] = newRun(rts.NoTests, nil).ran()
	all["build-failed"] = newRun(rts.NoTests, nil).ran()
	all["build-failed"].Failed = "The build failed apart from its tests; Maven's messages are above."
	all["select"] = selectRun()
	return all
}

// strandedRun has tests that exist no more, and one that asks about something that is gone.
func strandedRun() *Run {
	gone := rts.Decision{Test: test("margin"), Obsolete: "its query is gone: there is no name margin"}
	r := newRun(rts.Exact, nil, proven("a"), gone)
	r.Selection.Modules[0].Obsolete = 1
	for i := range 6 {
		r.Selection.Obsolete = append(r.Selection.Obsolete, test(fmt.Sprint("old ", i)).ID)
	}
	r.Exit, r.ExitSays = 1, "a test asks about something that is gone"
	return r.ran()
}

// selectRun runs nothing; it has notices, and more tests and changes than are shown.
func selectRun() *Run {
	var decisions []rts.Decision
	var changes []rts.Change
	for i := range 11 {
		c := rts.Reason{Code: rts.InputChanged, Entity: cell(fmt.Sprint("Data!A", i+1))}
		decisions = append(decisions, selected(fmt.Sprint("t", i), c))
		changes = append(changes, rts.Change{Entity: c.Entity, Code: c.Code, Tests: 1})
	}
	r := newRun(rts.Exact, nil, append(decisions, proven("z"))...)
	r.Command, r.Selection.Changes = "select", changes
	r.Notices = []string{"the store was damaged; it is kept as store.db.damaged", "nothing is recorded"}
	return r
}
