package smart

import (
	"os"
	"reflect"
	"testing"

	"winnow/internal/technique/techniquetest"
)

// TestFigure1: the tests that Ekstazi as published leaves out are selected, and no other.
func TestFigure1(t *testing.T) {
	text, err := os.ReadFile("../collected/testdata/figure1.txtar")
	if err != nil {
		t.Fatal(err)
	}
	got := techniquetest.Play(t, New(), techniquetest.Observe(t, string(text)))[1]
	if want := []string{"t.FigureTest.m", "t.LookupTest.m", "t.NewTest.m", "t.ReferenceTest.m"}; !reflect.DeepEqual(got, want) {
		t.Errorf("selected %v, want %v", got, want)
	}
}
