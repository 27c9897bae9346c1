package jcgeks

import (
	"embed"
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/observed"
	"winnow/internal/rts"
	"winnow/internal/technique/ekstazi"
	"winnow/internal/technique/techniquetest"
)

//go:embed testdata/*.txt
var programs embed.FS

func observe(t *testing.T, name string) []techniquetest.Revision {
	t.Helper()
	text, err := programs.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return techniquetest.Observe(t, string(text))
}

// check plays a selector and compares the tests that it selects from the second revision on, as "T1 T2". The first selects all.
func check(t *testing.T, name string, s observed.Selector, revisions []techniquetest.Revision, want ...string) {
	t.Helper()
	var got []string
	for _, selected := range techniquetest.Play(t, s, revisions)[1:] {
		for i, id := range selected {
			selected[i] = strings.TrimSuffix(strings.TrimPrefix(id, "t."), "Test.t")
		}
		got = append(got, strings.Join(selected, " "))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s selects %q, want %q", name, got, want)
	}
}

// failing are the tests that fail at a revision.
func failing(r techniquetest.Revision) []string {
	var out []string
	for _, run := range r.Runs {
		if !run.Passed {
			out = append(out, run.Test.ID)
		}
	}
	return out
}

// TestMotivation is the example of Figure 1, with Supplier as Lib1 and Optional as Lib2, and once more without a change: the checksums of T1, which is filtered out, are those of the second revision then.
func TestMotivation(t *testing.T) {
	revisions := observe(t, "motivation")
	check(t, "ekstazi", ekstazi.New(), revisions, "T1 T2 T3", "")
	check(t, "jcgeks", New(), revisions, "T2 T3", "")
	check(t, "jcgeks-ne", NewNE(), revisions, "T2", "")

	call := observed.Call{From: observed.Method{Class: "t/T2Test", Name: "t", Descriptor: "()V"}, To: observed.Method{Class: "p/B", Name: "get", Descriptor: "()Ljava/lang/Object;"}}
	check(t, "jcgeks with recorded calls", New(), recorded(revisions, call), "T2 T3", "")
	call.From.Class = "x/Library"
	check(t, "jcgeks with calls that a library does", New(), recorded(revisions, call), "T2 T3", "")
	check(t, "jcgeks with no recorded calls", New(), recorded(revisions), "T3", "")
	stopped(t, revisions)
}

// recorded are revisions whose traces have the calls by reflection that T2 does.
func recorded(revisions []techniquetest.Revision, calls ...observed.Call) []techniquetest.Revision {
	var out []techniquetest.Revision
	for _, r := range revisions {
		r.Runs = slices.Clone(r.Runs)
		for i := range r.Runs {
			trace := *r.Runs[i].Trace
			trace.Detailed, trace.Reflective = true, nil
			if r.Runs[i].Test.Class == "t/T2Test" {
				trace.Reflective = calls
			}
			r.Runs[i].Trace = &trace
		}
		out = append(out, r)
	}
	return out
}

// stopped: tests that were selected but did not run are selected at the next revision.
func stopped(t *testing.T, revisions []techniquetest.Revision) {
	t.Helper()
	s := New()
	var tests []observed.Test
	for _, run := range revisions[0].Runs {
		tests = append(tests, run.Test)
	}
	for i, want := range []int{3, 2, 2} {
		selected, err := s.Select(revisions[i].Program, tests)
		if err != nil {
			t.Fatal(err)
		}
		if len(selected) != want {
			t.Errorf("revision %d of a run that stopped: %v", i, selected)
		}
		runs := revisions[0].Runs
		if i > 0 {
			runs = nil
		}
		if err := s.Ran(revisions[i].Program, runs); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFigure7: a thread runs what changed.
func TestFigure7(t *testing.T) {
	revisions := observe(t, "figure7")
	check(t, "jcgeks", New(), revisions, "StreamWatchdog")
	check(t, "jcgeks-ne", NewNE(), revisions, "")
	if got := failing(revisions[1]); !reflect.DeepEqual(got, []string{"t.StreamWatchdogTest.t"}) {
		t.Errorf("%v fail", got)
	}
}

// TestRemovedOverride: that an override is gone selects a test only if no method changed, in which case all of the first step are selected.
func TestRemovedOverride(t *testing.T) {
	revisions := observe(t, "removed")
	check(t, "ekstazi", ekstazi.New(), revisions[:2], "Over Unrelated")
	check(t, "jcgeks", New(), revisions[:2], "Unrelated")
	if got := failing(revisions[1]); !reflect.DeepEqual(got, []string{"t.OverTest.t"}) {
		t.Errorf("%v fail: the test that is missed should", got)
	}
	alone := []techniquetest.Revision{revisions[0], revisions[2]}
	check(t, "jcgeks", New(), alone, "Over")
}

// TestDetails, revision by revision: a new override; a field by its initializer; hashCode, which a set calls back on an Object, with the test that failed before; compareTo, which a sorted set calls back after a
// cast: missed, although its test fails.
func TestDetails(t *testing.T) {
	revisions := observe(t, "details")
	check(t, "jcgeks", New(), revisions, "Added", "Field", "Equal Field Sorted", "Field")
	check(t, "jcgeks-ne", NewNE(), revisions, "Added", "Field", "Field", "Field")
	if got := failing(revisions[4]); !slices.Equal(got, []string{"t.FieldTest.t", "t.SortedTest.t"}) {
		t.Errorf("%v fail", got)
	}
}

func TestDescriptions(t *testing.T) {
	for _, d := range []struct {
		name string
		bias rts.Bias
	}{{Technique.Name, Technique.Bias}, {TechniqueNE.Name, TechniqueNE.Bias}} {
		if !d.bias.Includes(rts.Bias{BodiesShowChanges}) || d.bias.Includes(rts.Bias{NoCallbacks}) != (d.name == "jcgeks-ne") {
			t.Errorf("%s: %v", d.name, d.bias)
		}
	}
	if !strings.Contains(Technique.Title, "misses") || !strings.Contains(TechniqueNE.Title, "misses") {
		t.Errorf("%q, %q", Technique.Title, TechniqueNE.Title)
	}
}
