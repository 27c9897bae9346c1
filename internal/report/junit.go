package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"winnow/internal/engine"
	"winnow/internal/rts"
)

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property,omitempty"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitProblem `xml:"failure"`
	Error   *junitProblem `xml:"error"`
	Skipped *struct{}     `xml:"skipped"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
}

// JUnit writes the tests that ran as JUnit XML, one suite a module. A test that was left out is a property of its suite, not a skipped
// test: a dashboard must not show as skipped what is proven.
func (r *Run) JUnit(w io.Writer) error {
	var out junitSuites
	if r.Selection != nil {
		results := r.results()
		for _, m := range r.Selection.Modules {
			out.Suites = append(out.Suites, r.junitSuite(m, results))
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (r *Run) junitSuite(m rts.ModuleVerdict, results map[rts.TestID]*engine.Result) junitSuite {
	s := junitSuite{Name: m.Module, Properties: []junitProperty{{"winnow.verdict", string(m.Verdict)}}}
	var total time.Duration
	for i := range r.Selection.Decisions {
		d := &r.Selection.Decisions[i]
		if d.Test.Module != m.Module {
			continue
		}
		res := results[d.Test.ID]
		switch {
		case res != nil:
			total += res.Record.Duration
			s.add(m.Module, d.Test.ID, res)
		case d.Obsolete != "":
			s.add(m.Module, d.Test.ID, &engine.Result{Record: rts.Record{Outcome: rts.Errored}, Message: "obsolete: " + d.Obsolete})
		case !d.Selected():
			s.Properties = append(s.Properties, junitProperty{"winnow.proven", string(d.Test.ID)})
		default:
			s.Properties = append(s.Properties, junitProperty{"winnow.not-run", string(d.Test.ID)})
		}
	}
	s.Time = seconds(total)
	return s
}

func (s *junitSuite) add(module string, id rts.TestID, res *engine.Result) {
	c := junitCase{Name: strings.TrimPrefix(string(id), module+"#"), Class: module, Time: seconds(res.Record.Duration)}
	s.Tests++
	switch res.Record.Outcome {
	case rts.Passed:
	case rts.Failed:
		s.Failures++
		c.Failure = &junitProblem{res.Message}
	case rts.Skipped:
		s.Skipped++
		c.Skipped = &struct{}{}
	default:
		s.Errors++
		c.Error = &junitProblem{res.Message}
	}
	s.Cases = append(s.Cases, c)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
