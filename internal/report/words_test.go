package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"winnow/internal/rts"
)

func TestInterruptedClaimsNothing(t *testing.T) {
	r := situations()["interrupted"]
	r.Report.RecordErr = errors.New("disk full")
	var b bytes.Buffer
	if err := r.Summary(&b, Style{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "what ended is recorded") {
		t.Errorf("\n%s", &b)
	}
}

func TestUnfinishedIsCounted(t *testing.T) {
	r := newRun(rts.Exact, nil, selected("a", changed)).ran(ended("a", rts.OutcomeNone, ""))
	var b bytes.Buffer
	if err := r.Summary(&b, Style{}); err != nil {
		t.Fatal(err)
	}
	if want := "Ran 1 test in 250 ms: 1 not finished\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestSelectedWithoutReason(t *testing.T) {
	r := newRun(rts.Exact, nil, selected("a"), proven("b"))
	if err := r.Heading(&bytes.Buffer{}, Style{}); err != nil {
		t.Fatal(err)
	}
}

func TestPlural(t *testing.T) {
	for word, want := range map[string]string{"query": "2 queries", "settings": "2 settings", "cell": "2 cells", "class": "2 classes"} {
		if got := count(2, word); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
