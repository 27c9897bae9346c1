package report

import (
	"encoding/json"
	"io"
	"time"

	"winnow/internal/audit"
	"winnow/internal/engine"
	"winnow/internal/rts"
)

// Schema is the version of the JSON output.
const Schema = 1

type jsonRun struct {
	Schema    int          `json:"schema"`
	Command   string       `json:"command"`
	Kind      string       `json:"kind"`
	Project   string       `json:"project"`
	Technique string       `json:"technique"`
	Exit      int          `json:"exit"`
	ExitSays  string       `json:"exit_says"`
	Notices   []string     `json:"notices,omitempty"`
	Totals    jsonTotals   `json:"totals"`
	Modules   []jsonModule `json:"modules"`
	Changes   []jsonChange `json:"changes"`
	Tests     []jsonTest   `json:"tests"`
	Obsolete  []rts.TestID `json:"obsolete"`
	Missing   []rts.TestID `json:"missing,omitempty"`
	Extra     []rts.TestID `json:"extra,omitempty"`
	Shadow    *jsonShadow  `json:"shadow,omitempty"`
	Repeated  []jsonRepeat `json:"repeated,omitempty"`
}

type jsonShadow struct {
	LeftOut     int          `json:"left_out"`
	NotCompared int          `json:"not_compared"`
	Missed      []audit.Miss `json:"missed"`
	Case        string       `json:"case,omitempty"`
}

type jsonRepeat struct {
	Test   rts.TestID `json:"test"`
	First  string     `json:"first"`
	Second string     `json:"second"`
	State  []string   `json:"state"`
}

type jsonTotals struct {
	Tests    int `json:"tests"`
	Selected int `json:"selected"`
	LeftOut  int `json:"left_out"`
	Obsolete int `json:"obsolete"`
	Executed int `json:"executed"`
	Passed   int `json:"passed"`
	Failed   int `json:"failed"`
	// NotRun are selected tests that were kept from running, and are still due.
	NotRun int `json:"not_run"`
	// Milliseconds.
	Took     int64 `json:"took_ms"`
	Saved    int64 `json:"saved_ms"`
	Recorded bool  `json:"recorded"`
}

type jsonModule struct {
	Module   string      `json:"module"`
	Verdict  rts.Verdict `json:"verdict"`
	Tests    int         `json:"tests"`
	Selected int         `json:"selected"`
	Why      *jsonReason `json:"why,omitempty"`
}

type jsonChange struct {
	Kind  rts.Kind `json:"kind"`
	Name  string   `json:"name"`
	Code  rts.Code `json:"code"`
	Tests int      `json:"tests"`
}

type jsonTest struct {
	ID       rts.TestID   `json:"id"`
	Module   string       `json:"module"`
	Selected bool         `json:"selected"`
	Reasons  []jsonReason `json:"reasons,omitempty"`
	Proof    *jsonProof   `json:"proof,omitempty"`
	Unproven bool         `json:"unproven,omitempty"`
	Outcome  string       `json:"outcome,omitempty"`
	Millis   *int64       `json:"duration_ms,omitempty"`
	Message  string       `json:"message,omitempty"`
	NotRun   string       `json:"not_run,omitempty"`
	Obsolete string       `json:"obsolete,omitempty"`
}

type jsonReason struct {
	Code   rts.Code `json:"code"`
	Kind   rts.Kind `json:"kind,omitempty"`
	Name   string   `json:"name,omitempty"`
	Path   []string `json:"path,omitempty"`
	Detail string   `json:"detail,omitempty"`
}

type jsonProof struct {
	When        time.Time        `json:"when"`
	Outcome     string           `json:"outcome,omitempty"`
	Revision    string           `json:"revision,omitempty"`
	Dirty       bool             `json:"dirty,omitempty"`
	Inputs      int              `json:"inputs"`
	Differences []jsonDifference `json:"differences,omitempty"`
}

type jsonDifference struct {
	Kind rts.Kind `json:"kind"`
	Name string   `json:"name"`
	Why  string   `json:"why"`
}

// JSON writes the run as one JSON object.
func (r *Run) JSON(w io.Writer) error {
	out := jsonRun{
		Schema: Schema, Command: r.Command, Kind: r.Kind, Project: r.Root, Technique: r.Technique, Exit: r.Exit, ExitSays: r.ExitSays,
		Notices: r.Notices, Modules: []jsonModule{}, Changes: []jsonChange{}, Tests: []jsonTest{}, Obsolete: []rts.TestID{},
	}
	if r.Selection != nil {
		r.fillSelection(&out)
	}
	if rep := r.Report; rep != nil {
		out.Missing, out.Extra = rep.Missing, rep.Extra
		t := &out.Totals
		t.Executed, t.Passed, t.Failed, t.NotRun = len(rep.Results), rep.Count(rts.Passed), rep.Bad(), len(rep.NotRun)
		t.Took, t.Saved = rep.Took.Milliseconds(), rep.Saved.Milliseconds()
		t.Recorded = rep.RecordErr == nil && rep.RunErr == nil && r.Unrecorded == ""
	}
	if s := r.Shadow; s != nil {
		out.Shadow = &jsonShadow{s.LeftOut, s.NotCompared, s.Missed, s.Case}
	}
	for _, x := range r.Repeated {
		out.Repeated = append(out.Repeated, jsonRepeat{x.Test, x.First.String(), x.Second.String(), x.State})
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(out)
}

func (r *Run) fillSelection(out *jsonRun) {
	for _, m := range r.Selection.Modules {
		jm := jsonModule{m.Module, m.Verdict, m.Tests, m.Selected, nil}
		if m.Why != nil {
			jm.Why = &reasonsOf([]rts.Reason{*m.Why})[0]
		}
		out.Modules = append(out.Modules, jm)
	}
	for _, c := range r.Selection.Changes {
		out.Changes = append(out.Changes, jsonChange{c.Entity.Kind, c.Entity.Name, c.Code, c.Tests})
	}
	results := r.results()
	for i := range r.Selection.Decisions {
		out.Tests = append(out.Tests, r.jsonTest(&r.Selection.Decisions[i], results))
	}
	out.Obsolete = append(out.Obsolete, r.Selection.Obsolete...)
	out.Totals.Tests = len(r.Selection.Decisions)
	out.Totals.Selected = len(r.Selection.Selected())
	out.Totals.Obsolete = len(r.Selection.Stranded())
	out.Totals.LeftOut = out.Totals.Tests - out.Totals.Selected - out.Totals.Obsolete
}

func (r *Run) results() map[rts.TestID]*engine.Result {
	byTest := map[rts.TestID]*engine.Result{}
	if r.Report != nil {
		for i := range r.Report.Results {
			byTest[r.Report.Results[i].Record.Test] = &r.Report.Results[i]
		}
	}
	return byTest
}

func (r *Run) jsonTest(d *rts.Decision, results map[rts.TestID]*engine.Result) jsonTest {
	t := jsonTest{ID: d.Test.ID, Module: d.Test.Module, Selected: d.Selected(), Reasons: reasonsOf(d.Reasons), Obsolete: d.Obsolete}
	if d.Proof != nil && !d.Selected() && d.Proof.Unproven {
		t.Unproven = true
	} else if d.Proof != nil && !d.Selected() {
		t.Proof = &jsonProof{When: d.Proof.Meta.When, Revision: d.Proof.Meta.Revision, Dirty: d.Proof.Meta.Dirty, Inputs: d.Proof.Inputs}
		if ended, ok := r.Proven[d.Test.ID]; ok {
			t.Proof.Outcome = ended.String()
		}
		for _, diff := range d.Proof.Differences {
			t.Proof.Differences = append(t.Proof.Differences, jsonDifference{diff.Entity.Kind, diff.Entity.Name, diff.Why})
		}
	}
	if res := results[d.Test.ID]; res != nil {
		ms := res.Record.Duration.Milliseconds()
		t.Outcome, t.Millis, t.Message = res.Record.Outcome.String(), &ms, res.Message
	}
	if r.Report != nil {
		t.NotRun = r.Report.NotRun[d.Test.ID]
	}
	return t
}

func reasonsOf(reasons []rts.Reason) []jsonReason {
	out := make([]jsonReason, len(reasons))
	for i, x := range reasons {
		out[i] = jsonReason{x.Code, x.Entity.Kind, x.Entity.Name, x.Path, x.Detail}
	}
	return out
}
