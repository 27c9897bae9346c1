package ekstazi

import (
	"os"
	"testing"

	"winnow/internal/technique/techniquetest"
)

// TestFigure1: none of the tests would pass after the change, and none is selected: the classes that changed were not collected, because their initialization failed before it began, or because a static method was
// looked up through them.
func TestFigure1(t *testing.T) {
	text, err := os.ReadFile("../collected/testdata/figure1.txtar")
	if err != nil {
		t.Fatal(err)
	}
	revisions := techniquetest.Observe(t, string(text))
	for _, run := range revisions[1].Runs {
		if run.Passed != (run.Test.ID == "t.OtherTest.m") {
			t.Errorf("%s passed after the change: %t", run.Test.ID, run.Passed)
		}
	}
	if got := techniquetest.Play(t, New(), revisions)[1]; len(got) != 0 {
		t.Errorf("selected %v", got)
	}
}
