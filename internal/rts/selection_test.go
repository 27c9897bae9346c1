package rts

import (
	"slices"
	"testing"
)

// TestSelectedUnlessProven covers (S1.1): only a proof without any reason leaves a test out.
func TestSelectedUnlessProven(t *testing.T) {
	reasons := []Reason{{Code: Pinned}}
	for _, c := range []struct {
		name string
		d    Decision
		want bool
	}{
		{"neither", Decision{}, true},
		{"reasons", Decision{Reasons: reasons}, true},
		{"proof", Decision{Proof: &Proof{}}, false},
		{"proof and empty reasons", Decision{Proof: &Proof{}, Reasons: []Reason{}}, false},
		{"both", Decision{Proof: &Proof{}, Reasons: reasons}, true},
		{"obsolete", Decision{Obsolete: "its query is gone"}, false},
	} {
		if got := c.d.Selected(); got != c.want {
			t.Errorf("%s: Selected() = %v", c.name, got)
		}
	}
}

func TestSelectedAndStranded(t *testing.T) {
	s := &Selection{Decisions: []Decision{
		{Test: Test{ID: "c"}, Reasons: []Reason{{Code: NoRecord}}},
		{Test: Test{ID: "b"}, Proof: &Proof{}},
		{Test: Test{ID: "a"}},
		{Test: Test{ID: "0"}, Obsolete: "its query is gone"},
	}}
	if got, want := s.Selected(), []TestID{"c", "a"}; !slices.Equal(got, want) {
		t.Errorf("Selected() = %v, want %v", got, want)
	}
	if got := s.Stranded(); len(got) != 1 || got[0] != &s.Decisions[3] {
		t.Errorf("Stranded() = %v", got)
	}
}

func TestBias(t *testing.T) {
	more, less := Bias{ValueRule, Deterministic}, Bias{Deterministic}
	for _, c := range []struct {
		b, c Bias
		want bool
	}{
		{nil, nil, true}, {less, nil, true}, {nil, less, false}, {more, less, true}, {less, more, false},
		{more, Bias{Deterministic, ValueRule}, true}, {Bias{ValueRule}, less, false},
		{less, Bias{{Deterministic.Name, "said otherwise"}}, false},
	} {
		if got := c.b.Includes(c.c); got != c.want {
			t.Errorf("%s includes %s: %v, want %v", c.b, c.c, got, c.want)
		}
	}
	if s := Bias(nil).String(); s != "none" {
		t.Errorf("no assumption prints as %q", s)
	}
	b := Bias{ValueRule, BranchesLazy, Deterministic}
	if got, want := b.String(), "branches-lazy, deterministic, value-rule"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if b[0] != ValueRule {
		t.Error("String sorted the bias itself")
	}
}

func TestReasonString(t *testing.T) {
	for _, c := range []struct {
		r    Reason
		want string
	}{
		{Reason{Code: NoRecord}, "no-record"},
		{Reason{Code: InputChanged, Entity: Entity{"cell", "A1"}, Path: []string{"B1", "A1"}}, "input-changed cell A1"},
		{Reason{Code: FailedLast, Detail: "error at 9"}, "failed-last (error at 9)"},
		{Reason{Code: InputChanged, Entity: Entity{"cell", "A1"}, Detail: "now B1"}, "input-changed cell A1 (now B1)"},
	} {
		if got := c.r.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
