package project

import (
	"html"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/agent"
)

// reports are what Surefire says of the execution.
type reports struct {
	passed map[mention]bool
	bad    map[mention]int // how often
	any    bool            // some test is mentioned, however it ended
	// phrased: the files of the reports are named for people.
	phrased bool
	// isClass tells whether the project has the top-level class of a binary name.
	isClass func(name string) bool
}

// A mention is how a report names the class of a test: by what is written there, which can be a name for people (@DisplayName, on demand) or what an engine takes for a class, and by its file, which Surefire names after the class or
// suite that it ran.
type mention struct{ written, file string }

// of is the top-level class that is meant, of known ones; what is written if that is none of them.
func (n mention) of(known map[string]bool) (class string, ok bool) {
	for _, name := range []string{n.written, n.file} {
		if known[topClass(name)] {
			return topClass(name), true
		}
	}
	return topClass(n.written), false
}

// reported reads Surefire's reports; nil if it writes none.
func (m *Module) reported() (*reports, error) {
	dir := m.request.Text("reportsDirectory")
	if dir == "" || m.request.Is("disableXmlReport") || m.request.Is("statelessTestsetReporter/disable") {
		return nil, nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "TEST-*.xml"))
	if err != nil {
		return nil, err
	}
	out := newReports()
	out.phrased = m.request.Is("statelessTestsetReporter/usePhrasedFileName")
	out.isClass = func(name string) bool { return m.program.Digest(internalName(topClass(name))) != digest.Absent }
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil || info.ModTime().Before(m.since) {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "TEST-"), ".xml")
		if suffix := m.request.Text("reportNameSuffix"); suffix != "" {
			name = strings.TrimSuffix(name, "-"+suffix)
		}
		out.read(name, string(data))
	}
	return out, nil
}

func newReports() *reports {
	return &reports{passed: map[mention]bool{}, bad: map[mention]int{}, isClass: func(string) bool { return false }}
}

// read takes the tests of a report, as Surefire writes it: in each, what became of it comes first.
func (r *reports) read(file, report string) {
	for {
		_, rest, ok := strings.Cut(report, "<testcase ")
		if !ok {
			return
		}
		head, body, _ := strings.Cut(rest, ">")
		report = body
		_, class, ok := strings.Cut(head, `classname="`)
		if !ok {
			continue
		}
		class, _, _ = strings.Cut(class, `"`)
		r.any = true
		of := mention{html.UnescapeString(class), file}
		outcome := ""
		if !strings.HasSuffix(head, "/") {
			outcome, _ = strings.CutPrefix(strings.TrimSpace(body[:min(len(body), 256)]), "<")
		}
		switch {
		case strings.HasPrefix(outcome, "skipped"), strings.HasPrefix(outcome, "flakyFailure"):
		case strings.HasPrefix(outcome, "error"), strings.HasPrefix(outcome, "failure"):
			r.bad[of]++
		default:
			r.passed[of] = true
		}
	}
}

// failed tells whether a report has a failure that may be one of a top-level class.
func (r *reports) failed(class string) bool {
	for of := range r.bad {
		if topClass(of.written) == class || topClass(of.file) == class || r.phrased && !r.isClass(of.written) {
			return true
		}
	}
	return false
}

// failedAround lists the classes in which more failed than tests, as Surefire says: something around them did, such as their tear-down. Their tests prove nothing then (S3.5). A failure that cannot be told to
// belong to a class speaks against all of them.
func (c *collected) failedAround(reported *reports) map[string]bool {
	out := map[string]bool{}
	if reported == nil {
		return out
	}
	tests, failed := map[string]bool{}, map[string]int{}
	for _, runs := range c.runs {
		for _, run := range runs {
			for _, t := range run.traces {
				tests[topClass(t.Class)] = true
				if t.Outcome == agent.Failed {
					failed[topClass(t.Class)]++
				}
			}
		}
	}
	bad, nowhere := map[string]int{}, 0
	for of, n := range reported.bad {
		if class, ok := of.of(tests); ok || reported.isClass(of.written) {
			bad[class] += n
		} else {
			nowhere += n
		}
	}
	for class, n := range bad {
		out[class] = n > failed[class]
		delete(failed, class)
	}
	for _, n := range failed {
		nowhere -= n
	}
	for class := range tests {
		out[class] = out[class] || nowhere > 0
	}
	return out
}

// unheard compares with Surefire's own reports: no test may run without being mentioned (S3.1).
func (m *Module) unheard(c *collected, reported *reports) error {
	heard, suites := map[string]bool{}, map[string]bool{}
	for _, runs := range c.runs {
		for _, run := range runs {
			for _, t := range run.traces {
				if t.Empty {
					continue
				}
				top := topClass(t.Class)
				heard[top], heard[top[strings.LastIndexByte(top, '.')+1:]] = true, true // some engines report without the package
				if strings.HasSuffix(t.Method, ")") {
					heard[t.Method] = true // Surefire 3.5 has m(int) for the class of a test of Jupiter 5.4
				}
				if _, suite, ok := strings.Cut(t.Key, "[suite:"); ok {
					suite, _, _ = strings.Cut(suite, "]")
					suites[topClass(suite)] = true
				}
			}
		}
	}
	if reported == nil {
		reported = newReports()
	}
	silent := map[string]bool{}
	for of := range reported.passed {
		// A framework that does not tell classes has others in its reports.
		if heard[topClass(of.written)] || heard[""] {
			continue
		}
		if !reported.isClass(of.written) && (reported.phrased || heard[topClass(of.file)] || suites[topClass(of.file)]) {
			continue // a name for people
		}
		silent[of.written] = true
	}
	if len(silent) == 0 && len(c.problems) == 0 {
		return nil
	}
	c.whole = false
	for _, class := range slices.Sorted(maps.Keys(silent)) {
		c.problems = append(c.problems, "Surefire ran tests of "+class+", and the agent knows of none")
	}
	return &UnheardError{c.problems}
}

// topClass is the class around a nested one. Frameworks and reports differ in which of them they name. Of a parameterized class they name the invocation: p.A[1].
func topClass(class string) string {
	if end := strings.IndexAny(class, "$["); end >= 0 {
		return class[:end]
	}
	return class
}
