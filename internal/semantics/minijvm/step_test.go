package minijvm

import (
	"os"
	"testing"
)

func example(t *testing.T, name string) Pair {
	t.Helper()
	text, err := os.ReadFile("../../../examples/lab/" + name)
	if err != nil {
		t.Fatal(err)
	}
	x, err := ParsePair(string(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return x
}

func TestFigure1(t *testing.T) {
	x := example(t, "figure1.lab")
	for _, p := range []*Program{x.Before, x.After} {
		if _, err := Verify(p, Paper); err != nil {
			t.Fatal(err)
		}
	}
	sets := map[string]string{}
	var s State
	StartState(x.Before, &s)
	got := map[string]Set{}
	for _, f := range Functions() {
		got[f.Name()] = f.Start(x.Before)
	}
	for !s.End() {
		for _, f := range Functions() {
			got[f.Name()] |= f.Collect(x.Before, &s)
		}
		if !Step(x.Before, &s) {
			t.Fatal("stuck")
		}
	}
	for name, set := range got {
		sets[name] = x.Before.Names.Text(set &^ SetOf(append(SystemExceptions(), Object, Start)...))
	}
	want := map[string]string{"naive": "{Test, C, D, E}", "smart": "{Test, C, D, E}", "ekstazi": "{Test, C, D, E}", "published": "{Test, D, E}"}
	for name, set := range want {
		if sets[name] != set {
			t.Errorf("%s collects %s, want %s", name, sets[name], set)
		}
	}
	if c, _ := s.ClassOf(int(s.Raised)); x.Before.Names.Class(c) != "E" {
		t.Errorf("before the change the test ends with\n%s", s.Text(x.Before.Names))
	}
	StartState(x.After, &s)
	if _, err := Run(x.After, &s, 0); err != nil || s.Raised >= 0 {
		t.Errorf("after the change the test ends with %v\n%s", err, s.Text(x.After.Names))
	}
}
