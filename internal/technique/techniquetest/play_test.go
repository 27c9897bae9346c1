package techniquetest

import (
	"slices"
	"testing"

	"winnow/internal/jvm/observed"
)

const program = `name play
seed 0
revision
revision
-- 0/src/p/A.java --
package p; public class A { static final int[] N = {1}; public static int one() { return N[0]; } }
-- 0/test/t/FirstTest.java --
package t; public class FirstTest { public void m() { if (p.A.one() != 1) throw new AssertionError(); } public void n() {} }
-- 1/src/p/A.java --
package p; public class A { static final int[] N = {2}; public static int one() { return N[0]; } }
-- 1/test/t/FirstTest.java --
package t; public class FirstTest { public void m() { if (p.A.one() != 1) throw new AssertionError(); } public void n() {} }
`

// entered selects tests that entered a method whose body is another one now.
type entered struct {
	runs   map[string]observed.Run
	before *observed.Program
}

func (e *entered) Select(now *observed.Program, tests []observed.Test) (observed.Selection, error) {
	out := observed.Selection{}
	for _, t := range tests {
		run, ok := e.runs[t.ID]
		if !ok || slices.ContainsFunc(run.Trace.Entered, func(m observed.Method) bool { return e.before.Body(m) != now.Body(m) }) {
			out[t.ID] = "new or changed"
		}
	}
	return out, nil
}

func (e *entered) Ran(now *observed.Program, runs []observed.Run) error {
	e.before = now
	for _, r := range runs {
		e.runs[r.Test.ID] = r
	}
	return nil
}

// TestPlay: the initializer that changes belongs to the test that uses its class, and the outcome is told.
func TestPlay(t *testing.T) {
	revisions := Observe(t, program)
	got := Play(t, &entered{runs: map[string]observed.Run{}}, revisions)
	want := [][]string{{"t.FirstTest.m", "t.FirstTest.n"}, {"t.FirstTest.m"}}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("selected %v, want %v", got, want)
	}
	if last := revisions[1].Runs; last[0].Passed || !last[1].Passed {
		t.Errorf("outcomes %+v", last)
	}
	p := revisions[0].Program
	if above, err := p.World().Supertypes("t/FirstTest"); err != nil || !slices.Contains(above, "java/lang/Object") || p.Internal("java/lang/Object") {
		t.Errorf("supertypes %v, %v", above, err)
	}
}
