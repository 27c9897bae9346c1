package hyrts

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/observed"
	"winnow/internal/technique/techniquetest"
)

// without takes receivers and edges from a recording.
func without(revisions []techniquetest.Revision) []techniquetest.Revision {
	out := slices.Clone(revisions)
	for i := range out {
		out[i].Runs = slices.Clone(out[i].Runs)
		for j := range out[i].Runs {
			run := &out[i].Runs[j]
			run.Trace = &observed.Trace{Entered: run.Trace.Entered, Libraries: run.Trace.Libraries}
		}
	}
	return out
}

// with gives a recording without details the receivers of method v, by test class.
func with(revisions []techniquetest.Revision, receivers map[string]string) []techniquetest.Revision {
	out := without(revisions)
	for i := range out {
		for j := range out[i].Runs {
			trace := out[i].Runs[j].Trace
			trace.Detailed = true
			for _, m := range trace.Entered {
				if receiver := receivers[out[i].Runs[j].Test.Class]; m.Name == "v" && receiver != "" {
					trace.Received = append(trace.Received, observed.Received{Method: m, Type: receiver})
				}
			}
		}
	}
	return out
}

func selected(t *testing.T, s observed.Selector, revisions []techniquetest.Revision) string {
	t.Helper()
	names := techniquetest.Play(t, s, revisions)[1]
	for i, name := range names {
		names[i] = strings.TrimSuffix(strings.TrimPrefix(name, "t."), "Test.m")
	}
	return strings.Join(names, " ")
}

// TestChanges: what each kind of change selects. Hide and Start fail after the change and are missed, as published: a field that hides another, and a static initializer that was added.
// Sibling, Lambda and Make use classes that changed elsewhere.
func TestChanges(t *testing.T) {
	text, err := os.ReadFile("testdata/changes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	revisions := techniquetest.Observe(t, string(text))
	var failing []string
	for _, run := range revisions[1].Runs {
		if !run.Passed {
			failing = append(failing, run.Test.ID)
		}
	}
	if want := []string{"t.GrandTest.m", "t.HeaderTest.m", "t.HideTest.m", "t.OverrideTest.m", "t.StartTest.m"}; !reflect.DeepEqual(failing, want) {
		t.Errorf("after the change %v fail, want %v", failing, want)
	}
	receivers := map[string]string{"t/BaseTest": "p/B", "t/OverrideTest": "p/C", "t/GrandTest": "p/G", "t/RemovedTest": "p/D"}
	for _, c := range []struct {
		name      string
		make      func() observed.Selector
		revisions []techniquetest.Revision
		want      string
	}{
		{"receivers", New, with(revisions, receivers), "Body Grand Header NewLambda Override Removed"},
		{"no receivers recorded", New, without(revisions), "Base Body Grand Header NewLambda Override Removed"},
		{"HyRTSf", NewFiles, with(revisions, receivers), "Body Grand Header Make NewLambda Override Removed"},
	} {
		if got := selected(t, c.make(), c.revisions); got != c.want {
			t.Errorf("%s: selected %s\nwant %s", c.name, got, c.want)
		}
	}
}
