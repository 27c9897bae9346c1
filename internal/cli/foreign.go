package cli

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/internal/engine"
	"winnow/internal/jvm/maven"
	"winnow/internal/rts"
)

// A foreignRun is a test execution that ran as without Winnow. What became of its tests is known from the reports of Surefire alone, and none of it is recorded.
type foreignRun struct {
	request *maven.Request
	why     string
	since   time.Time
	took    time.Duration
}

// name is the execution's name for people.
func (f *foreignRun) name() string {
	parts := strings.Split(f.request.Module, ":")
	name := parts[min(1, len(parts)-1)]
	if f.request.Mojo.Execution != "default-test" {
		name += "@" + f.request.Mojo.Execution
	}
	return name
}

// isForeign tells whether a known test belongs to an execution that ran as without Winnow.
func (h *mavenRun) isForeign(id rts.TestID) bool {
	return slices.ContainsFunc(h.foreign, func(f *foreignRun) bool {
		scope, _, ok := strings.Cut(string(id), "!")
		return ok && scope+"!" == h.scope(f.request) || !ok && h.scope(f.request) == ""
	})
}

// joinForeign adds what the reports tell of tests that ran as without Winnow: each was selected, because nothing could be left out.
func (h *mavenRun) joinForeign(all *rts.Selection, rep *engine.Report) {
	if len(h.foreign) == 0 {
		return
	}
	known, err := h.known(h.ctx)
	if err != nil {
		known = nil // then tests have the names of the reports
	}
	for _, f := range h.foreign {
		why := rts.Reason{Code: rts.Unsupported, Detail: f.why}
		results := h.reportedResults(f, known)
		for i := range results {
			test := rts.Test{ID: results[i].Record.Test, Module: f.name()}
			all.Decisions = append(all.Decisions, rts.Decision{Test: test, Reasons: []rts.Reason{why}})
		}
		if n := len(results); n > 0 {
			all.Modules = append(all.Modules, rts.ModuleVerdict{Module: f.name(), Verdict: rts.Full, Tests: n, Selected: n, Why: &why})
		}
		rep.Results = append(rep.Results, results...)
		rep.Took += f.took
	}
}

// reportedResults reads the outcomes of an execution. Cases that have the name of one known test are that test.
func (h *mavenRun) reportedResults(f *foreignRun, known []rts.TestID) []engine.Result {
	var order []rts.TestID
	found := map[rts.TestID]*engine.Result{}
	for _, c := range surefireCases(f.request, f.since) {
		id := knownAs(h.scope(f.request), c, known)
		res := found[id]
		if res == nil {
			res = &engine.Result{Record: rts.Record{Test: id, Outcome: c.outcome()}}
			found[id], order = res, append(order, id)
		}
		res.Record.Duration += c.duration()
		if bad := c.problem(); bad != nil && res.Message == "" {
			res.Record.Outcome, res.Message = c.outcome(), strings.TrimSpace(bad.Message)
		} else if res.Record.Outcome == rts.Skipped {
			res.Record.Outcome = c.outcome()
		}
	}
	var out []engine.Result
	for _, id := range order {
		out = append(out, *found[id])
	}
	return out
}

// knownAs is the name of a test case: that of the known test which it can only be, or one made from the report.
func knownAs(scope string, c surefireCase, known []rts.TestID) rts.TestID {
	class := scope + strings.ReplaceAll(onceClass(c.Class), "$", "/")
	bare, _, _ := strings.Cut(c.Name, "(")
	bare, _, _ = strings.Cut(bare, "[")
	var hits []rts.TestID
	for _, id := range known {
		of, method, _ := strings.Cut(string(id), "#")
		if onceClass(of) == class && methodName(method) == bare {
			hits = append(hits, id)
		}
	}
	if len(hits) == 1 {
		return hits[0]
	}
	return rts.TestID(class + "#" + c.Name)
}

// methodName is the name of the method without what Winnow puts behind it.
func methodName(method string) string {
	if i := strings.IndexAny(method, "([{:"); i >= 0 {
		return method[:i]
	}
	return method
}

// A surefireReport is what Surefire writes about a class.
type surefireReport struct {
	Cases []surefireCase `xml:"testcase"`
}

// A surefireCase is one test, or one invocation of it.
type surefireCase struct {
	Class   string           `xml:"classname,attr"`
	Name    string           `xml:"name,attr"`
	Time    string           `xml:"time,attr"`
	Failure *surefireProblem `xml:"failure"`
	Error   *surefireProblem `xml:"error"`
	Skipped *surefireProblem `xml:"skipped"`
}

type surefireProblem struct {
	Message string `xml:"message,attr"`
}

// problem is what went wrong, nil if nothing did.
func (c *surefireCase) problem() *surefireProblem {
	if c.Failure != nil {
		return c.Failure
	}
	return c.Error
}

func (c *surefireCase) outcome() rts.Outcome {
	switch {
	case c.problem() != nil:
		return rts.Failed
	case c.Skipped != nil:
		return rts.Skipped
	}
	return rts.Passed
}

// duration is the time that the report gives; Surefire writes thousands with commas.
func (c *surefireCase) duration() time.Duration {
	seconds, err := strconv.ParseFloat(strings.ReplaceAll(c.Time, ",", ""), 64)
	if err != nil {
		return 0
	}
	return time.Duration(seconds * float64(time.Second))
}

// surefireCases returns the cases in the reports that were written since a moment, in the order of files. A report that cannot be read is passed over: where the
// agent runs, it is the first witness; where it does not, Maven's word decides about the run.
func surefireCases(r *maven.Request, since time.Time) []surefireCase {
	dir := r.Text("reportsDirectory")
	if dir == "" {
		dir = filepath.Join(r.BaseDir, "target", "surefire-reports")
	}
	files, err := filepath.Glob(filepath.Join(dir, "TEST-*.xml"))
	if err != nil {
		return nil
	}
	var out []surefireCase
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil || info.ModTime().Before(since.Truncate(time.Second)) {
			continue
		}
		var rep surefireReport
		data, err := os.ReadFile(file)
		if err != nil || xml.Unmarshal(data, &rep) != nil {
			continue
		}
		out = append(out, rep.Cases...)
	}
	return out
}
