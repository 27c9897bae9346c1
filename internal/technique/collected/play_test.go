package collected_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"winnow/internal/jvm/observed"
	"winnow/internal/technique/clover"
	"winnow/internal/technique/ekstazi"
	"winnow/internal/technique/fineekstazi"
	"winnow/internal/technique/hyrts"
	"winnow/internal/technique/smart"
	"winnow/internal/technique/techniquetest"
)

var techniques = []struct {
	name string
	make func() observed.Selector
}{
	{"ekstazi", ekstazi.New}, {"smart", smart.New}, {"hyrts", hyrts.New}, {"hyrts-f", hyrts.NewFiles}, {"fine-ekstazi", fineekstazi.New}, {"clover", clover.New},
}

// short names the tests of a selection without their package and method, if the class is selected as a whole.
func short(selected []string) string {
	for i, name := range selected {
		selected[i] = strings.TrimPrefix(name, "t.")
	}
	return strings.Join(selected, " ")
}

// TestHistory: new tests, failed tests, tests that last ran at another revision, and tests that were added, are treated alike by all techniques; those of clover one by one.
func TestHistory(t *testing.T) {
	text, err := os.ReadFile("testdata/history.txtar")
	if err != nil {
		t.Fatal(err)
	}
	revisions := techniquetest.Observe(t, string(text))
	classes := []string{
		"FirstTest.m FirstTest.z SecondTest.m", // new
		"FirstTest.m FirstTest.z",              // A changed
		"FirstTest.m FirstTest.z SecondTest.m", // A is as it was at first, B changed, and SecondTest fails
		"SecondTest.m",                         // it failed before
		"SecondTest.m",                         // B changed, and it failed before
		"FirstTest.late FirstTest.m FirstTest.z",
		"",
	}
	methods := []string{"FirstTest.m FirstTest.z SecondTest.m", "FirstTest.m", "FirstTest.m SecondTest.m", "SecondTest.m", "SecondTest.m", "FirstTest.late", ""}
	for _, technique := range techniques {
		want := classes
		if technique.name == "clover" {
			want = methods
		}
		var got []string
		for _, selected := range techniquetest.Play(t, technique.make(), revisions) {
			got = append(got, short(selected))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: selected %q\nwant %q", technique.name, got, want)
		}
	}
}
