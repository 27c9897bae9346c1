package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"winnow/internal/audit"
	"winnow/internal/engine"
	"winnow/internal/rts"
)

func TestShadow(t *testing.T) {
	miss := audit.Miss{Test: "A#a", Proven: "passed", Outcome: "failed", Message: "1 is not 2"}
	for _, c := range []struct {
		shadow Shadow
		want   string
	}{
		{Shadow{Comparison: audit.Comparison{Tests: 140, LeftOut: 120}}, "shadow: 120 of 140 tests would have been left out; all of them ended as proven\n"},
		{Shadow{Comparison: audit.Comparison{Tests: 1}}, "shadow: 0 of 1 test would have been left out\n"},
		{Shadow{Comparison: audit.Comparison{Tests: 9, LeftOut: 8, NotCompared: 8}}, "shadow: 8 of 9 tests would have been left out; none of them ended, so nothing can be said\n"},
		{Shadow{Comparison: audit.Comparison{Tests: 9, LeftOut: 8, NotCompared: 3}}, "shadow: 8 of 9 tests would have been left out; 5 of them ended, all as proven\n"},
		{Shadow{Comparison: audit.Comparison{Tests: 9, LeftOut: 8, Missed: []audit.Miss{miss}}, Case: ".winnow/audit/1/case.json"},
			"MISSED A#a would have been left out: passed before, failed now\n  1 is not 2\n" +
				"shadow: 8 of 9 tests would have been left out; 1 of them did not end as proven\n  `winnow audit --repeat .winnow/audit/1/case.json` repeats it\n"},
	} {
		run := &Run{Selection: &rts.Selection{}, Report: &engine.Report{}, Shadow: &c.shadow}
		var b bytes.Buffer
		if err := run.Summary(&b, Style{}); err != nil {
			t.Fatal(err)
		}
		if _, got, _ := strings.Cut(b.String(), "\n"); got != c.want {
			t.Errorf("got\n%swant\n%s", got, c.want)
		}
		var data bytes.Buffer
		if err := run.JSON(&data); err != nil {
			t.Fatal(err)
		}
		var out struct {
			Shadow struct {
				LeftOut int `json:"left_out"`
				Missed  []audit.Miss
				Case    string
			}
		}
		if err := json.Unmarshal(data.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
		if s := out.Shadow; s.LeftOut != c.shadow.LeftOut || len(s.Missed) != len(c.shadow.Missed) || s.Case != c.shadow.Case {
			t.Errorf("JSON has %+v", s)
		}
	}
}

// TestShadowSavesNothing checks that tests that ran are not said to be saved.
func TestShadowSavesNothing(t *testing.T) {
	sel := &rts.Selection{Decisions: []rts.Decision{{Test: rts.Test{ID: "A#a"}, Proof: &rts.Proof{}}}}
	rep := &engine.Report{Results: []engine.Result{{Record: rts.Record{Test: "A#a", Outcome: rts.Passed}}}}
	run := &Run{Selection: sel, Report: rep, Shadow: &Shadow{}}
	if got, want := run.closing(Style{}), "Ran 1 test in 0 ms: 1 passed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestUnasked checks that tests which ran although they need not are not told twice without a word.
func TestUnasked(t *testing.T) {
	sel := &rts.Selection{Decisions: []rts.Decision{{Test: rts.Test{ID: "A#a"}, Proof: &rts.Proof{}}, {Test: rts.Test{ID: "A#b"}, Proof: &rts.Proof{}}}}
	rep := &engine.Report{Results: []engine.Result{{Record: rts.Record{Test: "A#a", Outcome: rts.Passed}, Unasked: "for a reason"}}}
	run := &Run{Selection: sel, Report: rep}
	if got, want := run.closing(Style{}), "Ran 1 test in 0 ms: 1 passed · 2 proven unaffected (1 of them ran: for a reason)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
