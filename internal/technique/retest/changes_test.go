package retest

import (
	"os"
	"strings"
	"testing"

	"winnow/internal/jvm/observed"
	"winnow/internal/technique/techniquetest"
)

// TestChanges: one revision with many changes. A test named hit… takes a dangerous edge and must be selected at every level; one named miss… must be at none; one named edge… only where no edges are recorded.
func TestChanges(t *testing.T) {
	text, err := os.ReadFile("testdata/changes.txtar")
	must(t, err)
	revisions := techniquetest.Observe(t, string(text))
	for level := Edges; level <= Methods; level++ {
		s := New(level)
		must(t, s.Ran(revisions[0].Program, revisions[0].Runs))
		for _, run := range revisions[0].Runs {
			if !run.Passed {
				t.Fatalf("%s fails", run.Test.ID)
			}
		}
		var tests []observed.Test
		for _, run := range revisions[1].Runs {
			tests = append(tests, run.Test)
		}
		got, err := s.Select(revisions[1].Program, tests)
		must(t, err)
		for _, run := range revisions[1].Runs {
			why, selected := got[run.Test.ID]
			switch name := run.Test.Method; {
			case strings.HasPrefix(name, "hit") && !selected:
				t.Errorf("level %d: %s is not selected", level, run.Test.ID)
			case strings.HasPrefix(name, "miss") && selected:
				t.Errorf("level %d: %s is selected: %s", level, run.Test.ID, why)
			case strings.HasPrefix(name, "edge") && level == Edges && run.Trace.Detailed && selected:
				t.Errorf("level %d: %s is selected: %s", level, run.Test.ID, why)
			case strings.HasPrefix(name, "edge") && level == Methods && !selected:
				t.Errorf("level %d: %s is not selected, so it shows nothing", level, run.Test.ID)
			}
		}
	}
}
