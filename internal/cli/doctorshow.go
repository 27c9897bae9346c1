package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"winnow/internal/jvm/maven"
	"winnow/internal/jvm/project"
)

// A doctorReport is what `winnow doctor` shows.
type doctorReport struct {
	Schema   int             `json:"schema"`
	Command  string          `json:"command"`
	Project  string          `json:"project"`
	Winnow   string          `json:"winnow"`
	Maven    string          `json:"maven"`
	Home     string          `json:"maven_home"`
	Java     string          `json:"maven_java"`
	Modules  []*doctorModule `json:"modules"`
	Left     []string        `json:"left_alone,omitempty"` // executions that Winnow does not take part in, and why
	Lost     int             `json:"lost"`
	Exit     Exit            `json:"exit"`
	ExitSays string          `json:"exit_says"`
}

// A doctorModule is one test execution.
type doctorModule struct {
	Name      string           `json:"name"`
	Surefire  string           `json:"surefire"`
	JDK       string           `json:"jdk"`
	Java      string           `json:"java"`
	Tests     int              `json:"tests"`
	Classes   int              `json:"classes"`
	JVMs      int              `json:"jvms"`
	Gate      string           `json:"coverage_gate,omitempty"`
	Problems  []string         `json:"problems,omitempty"`
	Unwatched []string         `json:"unwatched,omitempty"`
	Always    []project.Always `json:"always,omitempty"`
	// Sample says what was compared, or why nothing was.
	Sample   string                `json:"sample,omitempty"`
	Compared []*project.Comparison `json:"compared,omitempty"`
}

// describe fills in what the first run shows.
func (d *checkup) describe(h *watching) {
	r := &d.result
	build := h.outcome.Build
	r.Maven, r.Home, r.Java = build.Maven, build.MavenHome, build.Java+" ("+build.JavaHome+")"
	for _, e := range h.outcome.Answers() {
		if e.Answer.Action == maven.Unchanged {
			r.Left = append(r.Left, fmt.Sprintf("%s %s: %s", e.Module, e.Mojo, e.Answer.Text))
		}
	}
	for _, m := range h.modules {
		r.Modules = append(r.Modules, m.describe())
	}
}

func (m *watchedModule) describe() *doctorModule {
	jdk := m.Setting().JDK
	out := &doctorModule{Name: m.Name(), Surefire: m.request.Mojo.Version, JDK: jdk, Java: javaVersion(jdk), Gate: m.request.CoverageGate}
	out.Problems = append(out.Problems, m.request.ProviderProblems...)
	if m.watch == nil {
		out.Problems = append(out.Problems, fmt.Sprintf("not watched: %v", m.err))
		return out
	}
	out.Tests, out.Classes, out.JVMs = m.watch.Tests(), len(m.watch.Classes()), m.watch.Processes()
	out.Problems = append(out.Problems, m.watch.Problems()...)
	if !m.watch.Clean() {
		out.Problems = append(out.Problems, "the run did not come to its end, so the next one looks for new tests again")
	}
	out.Unwatched, out.Always = m.watch.Unwatched(), m.watch.Always()
	return out
}

// javaVersion reads the version of a JDK, "" if it does not tell.
func javaVersion(home string) string {
	text, err := os.ReadFile(filepath.Join(home, "release"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(line, "JAVA_VERSION="); ok {
			return strings.Trim(strings.TrimSpace(v), `"`)
		}
	}
	return ""
}

// show shows the result and turns it into an exit code.
func (d *checkup) show() error {
	code, says := ExitOK, "what the sample uses alone is in its records"
	switch {
	case d.result.Lost > 0:
		code, says = ExitLost, "records lack something that tests use when they run alone"
	case len(d.result.Modules) == 0:
		code, says = ExitNoTests, ExitNoTests.says()
	}
	d.result.Exit, d.result.ExitSays = code, says
	var err error
	if d.flags.json {
		err = writeJSON(d.Out, d.result)
	} else {
		_, err = io.WriteString(d.Out, d.result.text())
	}
	if err == nil && code != ExitOK {
		return quit{code}
	}
	return err
}

// A doctorText is a report for people in the making: a word, and what is said about it.
type doctorText struct{ strings.Builder }

func (b *doctorText) line(word, format string, args ...any) {
	fmt.Fprintf(b, "%-10s %s\n", word, fmt.Sprintf(format, args...))
}

func (r *doctorReport) text() string {
	var b doctorText
	b.line("winnow", "%s", strings.TrimPrefix(r.Winnow, "winnow "))
	b.line("Maven", "%s in %s, on Java %s", r.Maven, r.Home, r.Java)
	for _, left := range r.Left {
		b.line("left alone", "%s", left)
	}
	if len(r.Modules) == 0 {
		b.line("tests", "no test execution that Winnow can take part in was met")
	}
	for _, m := range r.Modules {
		m.text(&b)
	}
	if r.Lost > 0 {
		b.line("", "`winnow test --isolate` gives every test class a JVM of its own, so that no test can disturb another's record")
	}
	return b.String()
}

func (m *doctorModule) text(b *doctorText) {
	fmt.Fprintln(b)
	b.line("module", "%s: Surefire %s, JDK %s in %s", m.Name, m.Surefire, m.Java, m.JDK)
	b.line("tests", "%s of %s in %s", count(m.Tests, "test"), count(m.Classes, "class"), count(m.JVMs, "JVM"))
	if m.Gate != "" {
		b.line("coverage", "%s judges the coverage of all tests, so all of them run", m.Gate)
	}
	for _, p := range m.Problems {
		b.line("problem", "%s", p)
	}
	switch {
	case m.JVMs == 0:
		b.line("hooks", "not known: no JVM with tests told anything")
	case len(m.Problems) == 0:
		b.line("hooks", "all in place")
	}
	if n := len(m.Unwatched); n > 0 {
		b.line("unwatched", "%s without probes, each counts as a whole: %s", count(n, "class"), some(m.Unwatched))
	}
	for _, a := range m.Always {
		b.line("always", "%s: %s", a.Why, someTests(a.Tests))
	}
	if len(m.Always) == 0 {
		b.line("always", "no test has to run every time")
	}
	m.sample(b)
}

// sample says what the comparison showed.
func (m *doctorModule) sample(b *doctorText) {
	if len(m.Compared) == 0 {
		if m.Sample != "" {
			b.line("alone", "%s", m.Sample)
		}
		return
	}
	var tests, methods, inputs, always int
	var lost []project.Loss
	for _, c := range m.Compared {
		tests, methods, inputs, always = tests+c.Tests, methods+c.Methods, inputs+c.Inputs, always+c.Always
		lost = append(lost, c.Lost...)
	}
	b.line("alone", "%s, each in a JVM of its own: %s, %s and %s compared", m.Sample, count(tests, "test"), count(methods, "method"), count(inputs, "input"))
	if always > 0 {
		b.line("", "%d not compared: run every time", always)
	}
	for _, c := range m.Compared {
		if len(c.Differing) > 0 {
			b.line("differ", "not compared, because they end otherwise alone: %s", someTests(c.Differing))
		}
		for _, p := range c.Passed {
			b.line("passed on", "%s that %s enters alone only, %s; in its records all the same", count(p.Methods, "method"), p.Class, because(p.Polluted))
		}
	}
	for _, l := range lost {
		b.line("lost", "%s: %s, %s", l.Test, l.Used, because(l.Polluted))
	}
	if len(lost) == 0 {
		b.line("lost", "nothing")
	}
}

// because says who changed what a test finds.
func because(p project.Polluted) string {
	switch {
	case p.By == "":
		return "for no reason that could be found"
	case p.State == "":
		return fmt.Sprintf("because of %s; no state that explains it could be found", p.By)
	}
	return fmt.Sprintf("because of %s: state %s, written by %s, read by %s", p.By, p.State, p.Writer, p.Reader)
}

// count is a number with its noun.
func count(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
