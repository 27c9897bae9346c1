package retest

import (
	"testing"

	"winnow/internal/jvm/cfg"
	"winnow/internal/jvm/jig"
	"winnow/internal/jvm/observed"
)

type edge = cfg.Edge

// flowOf is the control flow of a method.
func flowOf(t *testing.T, p *observed.Program, m observed.Method) *cfg.Graph {
	t.Helper()
	g, err := (&jig.Builder{}).Build(p)
	if err != nil {
		t.Fatal(err)
	}
	flow, err := jig.NewFlow(g).Graph(m)
	if err != nil {
		t.Fatal(err)
	}
	return flow
}
