package project

import "testing"

func TestTieOf(t *testing.T) {
	for text, want := range map[string]Tie{
		label("state(p.Mode.quick)"):                 {"p.Mode.quick", "p/Mode", false},
		label("state(p/Outer$In.x)"):                 {"p.Outer$In.x", "p/Outer$In", false},
		label("state(p.Mode.quick)") + " and 3 more": {"p.Mode.quick and 3 more", "p/Mode", true},
	} {
		if got, ok := TieOf(text); !ok || got != want {
			t.Errorf("%q: %+v %v, want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{label("process"), label("init(p.A)"), label("p.ATest"), label("state(org/junit/platform/engine/support/store/X.value)"), ""} {
		if got, ok := TieOf(text); ok {
			t.Errorf("%q is taken for %+v", text, got)
		}
	}
}
