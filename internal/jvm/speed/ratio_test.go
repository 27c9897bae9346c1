package main

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		figures []float64
		want    spread
	}{
		{[]float64{2}, spread{2, 2, 2, 0}},
		{[]float64{3, 1}, spread{2, 1, 3, 0.5}},
		{[]float64{7, 1, 6, 2, 5, 3, 4}, spread{4, 1, 7, 1 - 2.0/128}},
		// From nine figures on the outermost ones can be left out.
		{[]float64{9, 8, 7, 6, 5, 4, 3, 2, 1}, spread{5, 2, 8, 1 - 2*10.0/512}},
	} {
		got := spreadOf(c.figures)
		if got.median != c.want.median || got.low != c.want.low || got.high != c.want.high || math.Abs(got.trust-c.want.trust) > 1e-12 {
			t.Errorf("%v: %+v, want %+v", c.figures, got, c.want)
		}
	}
}

func TestShow(t *testing.T) {
	m := &measurement{costs: map[string][]cost{}, first: cost{wall: 9 * time.Second, cpu: 8 * time.Second}, odd: []string{"round 1: nothing: Ran 2 tests"}}
	for i, name := range []string{"plain", "record", "shortcut", "compile", "nothing"} {
		m.costs[name] = []cost{{wall: time.Duration(i+1) * time.Second, cpu: time.Duration(i+2) * time.Second}}
	}
	var b strings.Builder
	if err := m.show(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| plain | 1.000 [1.000, 1.000] | 2.000 ", "| record / plain | 2.000 [2.000, 2.000] | 1.500 ", "| nothing / compile | 1.250 ", "first run, with instrumenting all libraries: 9.0 s, 8.0 s", "Not what it stands for: round 1: nothing"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestSummary(t *testing.T) {
	for _, c := range [][2]string{
		{"a\n\n b \n\n", "b"},
		{"note: Maven was not started: nothing\nlast\n", "note: Maven was not started: nothing"},
		{"", ""},
	} {
		if got := summary(c[0]); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}
