package fineekstazi

import (
	"os"
	"reflect"
	"testing"

	"winnow/internal/technique/techniquetest"
)

// TestChanges: a test class is selected if its call graph reaches a changed body, or does not reach a changed class at all. The missed tests fail after the change, and are left out as published.
// UnreachedTest uses a class of which it does not reach what changed.
func TestChanges(t *testing.T) {
	text, err := os.ReadFile("testdata/changes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	revisions := techniquetest.Observe(t, string(text))
	got := techniquetest.Play(t, New(), revisions)[1]
	if want := []string{"t.BodyTest.m", "t.ReflectTest.m", "t.StartTest.m"}; !reflect.DeepEqual(got, want) {
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
		"t.CallbackTest.m", // the JDK calls compareTo
		"t.DigitsTest.m",   // 1234 and 4321 have the same digits
		"t.GrandTest.m",    // the override is two levels below
		"t.HideTest.m",     // a field was only added
		"t.LambdaTest.m",   // no edge from invokedynamic
		"t.OverrideTest.m", // a method was only added
		"t.SideTest.m",     // no edge to the static initializer
		"t.TypeTest.m",     // interfaces do not count
	}; !reflect.DeepEqual(missed, want) {
		t.Errorf("missed %v, want %v", missed, want)
	}
}
