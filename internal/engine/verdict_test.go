package engine

import (
	"testing"
	"time"

	"winnow/internal/rts"
)

// TestModuleVerdicts has one module for each verdict, and some in between.
func TestModuleVerdicts(t *testing.T) {
	reason := func(code rts.Code, e rts.Entity) []rts.Reason { return []rts.Reason{{Code: code, Entity: e}} }
	tool, other := rts.Entity{Kind: rts.KindTool, Name: "go"}, rts.Entity{Kind: rts.KindTool, Name: "java"}
	proven := func(m string) rts.Decision { return rts.Decision{Test: rts.Test{Module: m}, Proof: &rts.Proof{}} }
	selected := func(m string, r []rts.Reason) rts.Decision {
		return rts.Decision{Test: rts.Test{Module: m}, Reasons: r}
	}
	for _, c := range []struct {
		name      string
		decisions []rts.Decision
		want      string
	}{
		{"no tests", nil, "m no-tests 0/0"},
		{"proven", []rts.Decision{proven("m"), proven("m")}, "m proven-empty 0/2"},
		{"some", []rts.Decision{proven("m"), selected("m", reason(rts.NoRecord, rts.Entity{}))}, "m exact 1/2"},
		{"all for one reason", []rts.Decision{selected("m", reason(rts.ToolchainChanged, tool)), selected("m", reason(rts.ToolchainChanged, tool))},
			"m full 2/2 toolchain-changed tool go"},
		{"all for the same code about other entities",
			[]rts.Decision{selected("m", reason(rts.ToolchainChanged, tool)), selected("m", reason(rts.ToolchainChanged, other))}, "m exact 2/2"},
		{"all for a reason about the single test", []rts.Decision{selected("m", reason(rts.InputChanged, tool)), selected("m", reason(rts.InputChanged, tool))},
			"m exact 2/2"},
		{"all failed before", []rts.Decision{selected("m", reason(rts.FailedLast, rts.Entity{}))}, "m exact 1/1"},
		{"all for different reasons", []rts.Decision{selected("m", reason(rts.NoRecord, rts.Entity{})), selected("m", reason(rts.InputChanged, tool))}, "m exact 2/2"},
		{"the common reason comes second",
			[]rts.Decision{
				selected("m", append(reason(rts.Pinned, rts.Entity{}), reason(rts.EnvChanged, tool)...)),
				selected("m", append(reason(rts.InputChanged, other), reason(rts.EnvChanged, tool)...)),
			}, "m full 2/2 env-changed tool go"},
		{"a gap in the middle",
			[]rts.Decision{selected("m", reason(rts.NoRecord, rts.Entity{})), selected("m", reason(rts.Opaque, rts.Entity{})), selected("m", reason(rts.NoRecord, rts.Entity{}))},
			"m exact 3/3"},
		{"neither reason nor proof", []rts.Decision{selected("m", nil)}, "m exact 1/1"},
	} {
		got := verdictsOf(&rts.Selection{Modules: verdicts([]string{"m"}, c.decisions)})
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	mixed := verdicts([]string{"a", "b", "c"}, []rts.Decision{proven("c"), selected("a", reason(rts.NoRecord, rts.Entity{})), proven("c")})
	if got, want := verdictsOf(&rts.Selection{Modules: mixed}), "a full 1/1 no-record, b no-tests 0/0, c proven-empty 0/2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWholesaleCodes goes through the closed list: only these reasons are not about the single test.
func TestWholesaleCodes(t *testing.T) {
	want := map[rts.Code]bool{
		rts.NoRecord: true, rts.NotAtBase: true, rts.Asked: true, rts.ToolchainChanged: true, rts.TechniqueAll: true, rts.Unsupported: true, rts.EnvChanged: true,
	}
	for _, c := range rts.Codes {
		if got := wholesale(c.Code); got != want[c.Code] {
			t.Errorf("wholesale(%s) = %v", c.Code, got)
		}
	}
}

func TestReportSummary(t *testing.T) {
	module := func(v ...rts.Verdict) []rts.ModuleVerdict {
		var all []rts.ModuleVerdict
		for _, x := range v {
			all = append(all, rts.ModuleVerdict{Verdict: x})
		}
		return all
	}
	for _, c := range []struct {
		modules []rts.ModuleVerdict
		want    rts.Verdict
	}{
		{nil, ""},
		{module(rts.ProvenEmpty), rts.ProvenEmpty},
		{module(rts.ProvenEmpty, rts.NoTests), rts.ProvenEmpty},
		{module(rts.ProvenEmpty, rts.Exact), rts.Exact},
		{module(rts.Exact, rts.ProvenEmpty), rts.Exact},
		{module(rts.Exact, rts.Full), rts.Full},
		{module(rts.Full, rts.Exact), rts.Full},
	} {
		r := Report{Selection: &rts.Selection{Modules: c.modules}}
		if got := r.Summary(rts.Meta{}).Verdict; got != string(c.want) {
			t.Errorf("%v gives %q, want %q", c.modules, got, c.want)
		}
	}
	r := Report{
		Selection: &rts.Selection{Decisions: []rts.Decision{{}, {}, {Proof: &rts.Proof{}}, {}, {}}},
		Results: []Result{
			{Record: rts.Record{Outcome: rts.Passed}}, {Record: rts.Record{Outcome: rts.Skipped}}, {Record: rts.Record{Outcome: rts.Killed}},
		},
		Took: time.Second, Saved: time.Minute, Interrupted: true,
	}
	got := r.Summary(rts.Meta{When: epoch, Revision: "r"})
	if got.Tests != 5 || got.Selected != 4 || got.Executed != 3 || got.Passed != 1 || got.Failed != 1 || got.Took != time.Second ||
		got.Saved != time.Minute || !got.Interrupted || !got.When.Equal(epoch) || got.Revision != "r" {
		t.Errorf("%+v", got)
	}
}
