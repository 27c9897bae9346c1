package project

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
)

// reports are what Surefire says of the execution, by class.
type reports struct {
	passed map[string]bool
	bad    map[string]int // how often
	any    bool           // some test is mentioned, however it ended
}

// reported reads Surefire's reports; nil if it writes none.
func (m *Module) reported() (*reports, error) {
	dir := m.request.Text("reportsDirectory")
	if dir == "" || m.request.Is("disableXmlReport") {
		return nil, nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "TEST-*.xml"))
	if err != nil {
		return nil, err
	}
	out := &reports{passed: map[string]bool{}, bad: map[string]int{}}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil || info.ModTime().Before(m.since) {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		out.read(string(data))
	}
	return out, nil
}

// read takes the tests of a report, as Surefire writes it: in each, what became of it comes first.
func (r *reports) read(report string) {
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
		outcome := ""
		if !strings.HasSuffix(head, "/") {
			outcome, _ = strings.CutPrefix(strings.TrimSpace(body[:min(len(body), 256)]), "<")
		}
		switch {
		case strings.HasPrefix(outcome, "skipped"), strings.HasPrefix(outcome, "flakyFailure"):
		case strings.HasPrefix(outcome, "error"), strings.HasPrefix(outcome, "failure"):
			r.bad[topClass(class)]++
		default:
			r.passed[class] = true
		}
	}
}

// failedAround lists the classes in which more failed than tests, as Surefire says: something around them did, such as their tear-down. Their tests prove nothing then (S3.5).
func (c *collected) failedAround(reported *reports) map[string]bool {
	out := map[string]bool{}
	if reported == nil {
		return out
	}
	failed := map[string]int{}
	for _, runs := range c.runs {
		for _, run := range runs {
			for _, t := range run.traces {
				if t.Outcome == agent.Failed {
					failed[topClass(t.Class)]++
				}
			}
		}
	}
	for class, n := range reported.bad {
		out[class] = n > failed[class]
	}
	return out
}

// unheard compares with Surefire's own reports: no test may run without being mentioned (S3.1).
func (m *Module) unheard(c *collected, reported *reports) error {
	heard := map[string]bool{}
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
			}
		}
	}
	var silent []string
	if reported == nil {
		reported = &reports{}
	}
	for _, class := range slices.Sorted(maps.Keys(reported.passed)) {
		// A framework that does not tell classes has others in its reports.
		if !heard[topClass(class)] && !heard[""] {
			silent = append(silent, class)
		}
	}
	if len(silent) == 0 && len(c.problems) == 0 {
		return nil
	}
	c.whole = false
	for _, class := range silent {
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
