package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"winnow/internal/audit"
	"winnow/internal/report"
	"winnow/internal/rts"
)

// An auditResult is what an audit found, as JSON has it.
type auditResult struct {
	Schema   int      `json:"schema"`
	Command  string   `json:"command"`
	Kind     string   `json:"kind"`
	Project  string   `json:"project"`
	Exit     int      `json:"exit"`
	ExitSays string   `json:"exit_says"`
	Notices  []string `json:"notices,omitempty"`

	// MissedText has a line for each test that was missed.
	MissedText []string `json:"missed"`
	Cases      []string `json:"cases"`
	Took       int64    `json:"took_ms"`

	*mutantResult
	*stepResult
}

// A mutantResult is about mutants.
type mutantResult struct {
	Seed        uint64           `json:"seed"`
	Classes     int              `json:"classes"`
	Asked       int              `json:"asked"`
	Mutants     int              `json:"mutants"`
	Killed      int              `json:"killed"`
	Survived    int              `json:"survived"`
	AllSelected int              `json:"all_selected"`
	TimedOut    int              `json:"timed_out"`
	Unbuildable int              `json:"unbuildable"`
	MissedOn    int              `json:"missed_mutants"`
	Tests       int              `json:"tests"`
	Plain       int64            `json:"plain_ms"`
	Unstable    []rts.TestID     `json:"unstable,omitempty"`
	Unexplained []string         `json:"unexplained,omitempty"`
	Tried       []audit.Mutation `json:"tried"`
}

// A stepResult is about revisions.
type stepResult struct {
	AskedRevisions int          `json:"asked_revisions"`
	Unbuilt        int          `json:"unbuildable_revisions"`
	Revisions      []audit.Step `json:"revisions"`
}

func (r *auditResult) fillMutants(a *audit.Mutants, asked int) {
	m := r.mutantResult
	if m == nil {
		m = &mutantResult{}
		r.mutantResult = m
	}
	m.Asked, m.Mutants, m.Tried = asked, len(a.Tried), a.Tried
	m.Killed, m.Survived, m.AllSelected = a.Count(audit.Killed), a.Count(audit.Survived), a.Count(audit.AllSelected)
	m.TimedOut, m.Unbuildable, m.MissedOn = a.Count(audit.TimedOut), a.Count(audit.Unbuildable), a.Count(audit.Missed)
	m.Plain, m.Unstable, m.Unexplained = a.Plain.Milliseconds(), a.Unstable, a.Unexplained
	if a.Base != nil {
		m.Tests = len(a.Base.Selection.Decisions)
	}
	if m.Tried == nil {
		m.Tried = []audit.Mutation{}
	}
}

func (r *auditResult) fillSteps(steps []audit.Step, asked int) {
	s := &stepResult{AskedRevisions: asked, Revisions: steps}
	if steps == nil {
		s.Revisions = []audit.Step{}
	}
	for i := range steps {
		if steps[i].Unbuildable != "" {
			s.Unbuilt++
		}
	}
	r.stepResult = s
}

// show shows what was found and turns it into an exit code.
func (au *auditor) show() error {
	code := ExitOK
	switch {
	case len(au.result.MissedText) > 0:
		code = ExitMissed
	case au.stopped:
		code = ExitInterrupted
	case au.result.stepResult != nil && au.result.Unbuilt == len(au.result.Revisions):
		code = ExitBuild
	}
	au.result.Exit, au.result.ExitSays, au.result.Took = int(code), code.says(), time.Since(au.began).Milliseconds()
	var err error
	if au.flags.json {
		err = writeJSON(au.Out, au.result)
	} else {
		_, err = fmt.Fprint(au.Out, au.text())
	}
	if err != nil || code == ExitOK {
		return err
	}
	return quit{code}
}

// text is the result for people.
func (au *auditor) text() string {
	var b strings.Builder
	line := func(word, format string, args ...any) {
		fmt.Fprintf(&b, "%s%s %s\n", au.style.Bold(word), strings.Repeat(" ", max(0, 9-len(word))), fmt.Sprintf(format, args...))
	}
	for _, n := range au.result.Notices {
		line("note", "%s", au.style.Yellow(n))
	}
	if m := au.result.mutantResult; m != nil {
		m.text(line)
	}
	if s := au.result.stepResult; s != nil {
		s.text(line)
	}
	au.closing(line)
	return b.String()
}

func (m *mutantResult) text(line func(word, format string, args ...any)) {
	of := ""
	if m.Mutants < m.Asked {
		of = fmt.Sprintf(" of %d", m.Asked)
	}
	line("mutants", "%d%s, seed %d, classes: %d; tests: %d in %s", m.Mutants, of, m.Seed, m.Classes, m.Tests, report.Duration(time.Duration(m.Plain)*time.Millisecond))
	line("", "%d killed · %d survived · %d select every test and were not run · %d timed out · %d unbuildable · %d missed",
		m.Killed, m.Survived, m.AllSelected, m.TimedOut, m.Unbuildable, m.MissedOn)
	if n, selected, killing := m.ran(); n > 0 {
		line("selected", "%.1f %% of the tests on average where tests ran; %.1f tests per mutant killed it", selected, killing)
	}
	for i := range m.Tried {
		if t := &m.Tried[i]; t.NotCompared > 0 {
			line("cut short", "%s: %d of %d tests left out did not end, and nothing is said of them", t.Mutant, t.NotCompared, t.Tests-t.Selected)
		}
	}
	for _, id := range m.Unstable {
		line("unstable", "%s does not agree with itself; nothing is said of it", id)
	}
	for _, group := range m.Unexplained {
		line("note", "the build reports a failure of %s, which no known test explains", group)
	}
}

// ran returns the number of mutants for which tests ran, the average share of tests that were selected for them, and of those that killed.
func (m *mutantResult) ran() (n int, selected, killing float64) {
	for i := range m.Tried {
		t := &m.Tried[i]
		if t.Tests == 0 || !slices.Contains([]audit.Status{audit.Killed, audit.Survived, audit.TimedOut, audit.Missed}, t.Status) {
			continue
		}
		n++
		selected += 100 * float64(t.Selected) / float64(t.Tests)
		killing += float64(len(t.Killing))
	}
	return n, selected / max(1, float64(n)), killing / max(1, float64(n))
}

func (s *stepResult) text(line func(word, format string, args ...any)) {
	tried := max(0, len(s.Revisions)-1)
	line("revisions", "%d of %d, of which %d could not be built", tried, s.AskedRevisions, s.Unbuilt)
	for i := range s.Revisions {
		r := &s.Revisions[i]
		says := stepSays(r)
		if i == 0 {
			says += " (recorded first)"
		}
		line("", "%s %s", short(r.ID), says)
	}
}

func (au *auditor) closing(line func(word, format string, args ...any)) {
	missed := au.result.MissedText
	for _, text := range missed {
		line(au.style.Red("MISSED"), "%s", text)
	}
	for _, file := range au.result.Cases {
		line("repeat", "winnow audit --repeat %s", file)
	}
	switch {
	case au.stopped:
		line("audit", "interrupted after %s; %d tests missed so far", report.Duration(time.Since(au.began)), len(missed))
	case len(missed) == 0:
		line("audit", "no test was missed, in %s", report.Duration(time.Since(au.began)))
	default:
		line("audit", "%d tests were left out that did not end as proven, in %s", len(missed), report.Duration(time.Since(au.began)))
	}
}
