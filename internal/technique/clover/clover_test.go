package clover

import (
	"os"
	"reflect"
	"testing"

	"winnow/internal/technique/techniquetest"
)

// TestChanges: tests are selected one by one. What the source has no method for is missed.
func TestChanges(t *testing.T) {
	text, err := os.ReadFile("testdata/changes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	revisions := techniquetest.Observe(t, string(text))
	got := techniquetest.Play(t, New(), revisions)[1]
	if want := []string{"t.SeenTest.callback", "t.SeenTest.constructor", "t.SeenTest.inherited", "t.SeenTest.lambda_"}; !reflect.DeepEqual(got, want) {
		t.Errorf("selected %v, want %v", got, want)
	}
	known := map[string]bool{}
	for _, name := range got {
		known[name] = true
	}
	var missed []string
	for _, run := range revisions[1].Runs {
		if !run.Passed && !known[run.Test.ID] {
			missed = append(missed, run.Test.ID)
		}
	}
	if want := []string{
		"t.UnseenTest.initial", // the value is set by a constructor that the compiler wrote
		"t.UnseenTest.start",   // a static initializer
	}; !reflect.DeepEqual(missed, want) {
		t.Errorf("missed %v, want %v", missed, want)
	}
}
