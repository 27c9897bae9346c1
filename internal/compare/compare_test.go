package compare

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"winnow/internal/check/loss"
	"winnow/internal/check/pool"
	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/observed"
	"winnow/internal/technique/techniquetest"
)

const program = `name compare
seed 0
revision
revision
-- 0/src/p/A.java --
package p; public class A { public static int one() { return 1; } public static int two() { return 2; } }
-- 0/test/t/FirstTest.java --
package t; public class FirstTest { public void m() { if (p.A.one() != 1) throw new AssertionError(); } public void n() {} }
-- 0/test/t/SecondTest.java --
package t; public class SecondTest { public void m() { if (p.A.two() != 2) throw new AssertionError(); } }
-- 1/src/p/A.java --
package p; public class A { public static int one() { return 3; } public static int two() { return 2; } }
-- 1/test/t/FirstTest.java --
package t; public class FirstTest { public void m() { if (p.A.one() != 1) throw new AssertionError(); } public void n() {} }
-- 1/test/t/SecondTest.java --
package t; public class SecondTest { public void m() { if (p.A.two() != 2) throw new AssertionError(); } }
`

// all selects everything, lazy only what it does not know, broken fails at the second revision.
type all struct{}

func (all) Select(_ *observed.Program, tests []observed.Test) (observed.Selection, error) {
	out := observed.Selection{}
	for _, t := range tests {
		out[t.ID] = "all"
	}
	return out, nil
}
func (all) Ran(*observed.Program, []observed.Run) error { return nil }

type lazy struct{ known map[string]bool }

func (l lazy) Select(_ *observed.Program, tests []observed.Test) (observed.Selection, error) {
	out := observed.Selection{}
	for _, t := range tests {
		if !l.known[t.ID] {
			out[t.ID] = "new"
		}
	}
	return out, nil
}

func (l lazy) Ran(_ *observed.Program, runs []observed.Run) error {
	for _, r := range runs {
		l.known[r.Test.ID] = true
	}
	return nil
}

type broken struct{ lazy }

func (b broken) Select(now *observed.Program, tests []observed.Test) (observed.Selection, error) {
	if len(b.known) > 0 {
		return nil, errors.New("it breaks down")
	}
	return b.lazy.Select(now, tests)
}

// revisions runs the program; each test takes a second and the build two more.
func revisions(t *testing.T) []*Revision {
	var out []*Revision
	for i, seen := range techniquetest.Observe(t, program) {
		u := &observed.Unit{Classes: map[string][]byte{}, JDK: jvmtest.JDK(t, techniquetest.Feature), Feature: techniquetest.Feature, Runs: seen.Runs}
		for k := range u.Runs {
			u.Runs[k].Seconds = 1
		}
		for _, name := range seen.Program.Names() {
			u.Classes[name] = seen.Program.Class(name).Bytes
		}
		out = append(out, &Revision{ID: string(rune('a' + i)), Units: map[string]*observed.Unit{"main": u}, Seconds: 5, Default: map[string]Chosen{"t.FirstTest.m": {"p/A changed", false}, "t.SecondTest.m": {"a file", true}}})
	}
	return out
}

func TestReplay(t *testing.T) {
	ctx := context.Background()
	p, err := pool.Open(ctx, pool.Config{JDK: jvmtest.JDK(t, techniquetest.Feature), Workers: 1, Dir: t.TempDir(), Options: loss.Options})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	judge, err := loss.New(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	r := Replay{Judge: judge, Techniques: []Technique{
		{Name: RetestAll, New: func() observed.Selector { return all{} }},
		{Name: "lazy", New: func() observed.Selector { return lazy{map[string]bool{}} }},
		{Name: "broken", New: func() observed.Selector { return broken{lazy{map[string]bool{}}} }},
		{Name: "default"},
	}}
	defer r.Close()
	var lines []Line
	for i, rev := range revisions(t) {
		got, err := r.Step(ctx, rev)
		if err != nil || i == 0 && got != nil {
			t.Fatal(got, err)
		}
		lines = append(lines, got...)
	}
	if len(lines) != 4 {
		t.Fatalf("%d lines", len(lines))
	}
	everything, none, bad, product := lines[0], lines[1], lines[2], lines[3]
	if everything.SelectedTests != 3 || everything.SelectedClasses != 2 || len(everything.Missed) != 0 || everything.Paper != 0 || everything.Ours != 0 || everything.Seconds < 5 {
		t.Errorf("all: %+v", everything)
	}
	if none.SelectedTests != 0 || !slices.Equal(none.Missed, []string{"t.FirstTest.m"}) || none.Paper != 1 || none.Ours != 1 || none.Lost["t/FirstTest"] != "p/A.one()I" || none.Seconds > 3 {
		t.Errorf("lazy: %+v", none)
	}
	if bad.Failed != "it breaks down" {
		t.Errorf("broken: %+v", bad)
	}
	if product.SelectedTests != 2 || product.SelectedClasses != 2 || product.Beyond != 1 || len(product.Missed) != 0 {
		t.Errorf("default: %+v", product)
	}
	if r.Study.Methods != 1 || r.Study.OnAllPaths != 1 {
		t.Errorf("study %+v", r.Study)
	}
	Measured(lines, map[string]float64{"lazy": 3}) // nothing to compare with
	if f := Figures(lines); f[1].MeasuredAt != 0 {
		t.Errorf("measured: %+v", f[1])
	}
	Measured(lines, map[string]float64{RetestAll: 12, "lazy": 3})
	if f := Figures(lines); f[0].Measured != 1 || f[1].Measured != 0.25 || f[1].MeasuredAt != 1 || f[3].MeasuredAt != 0 {
		t.Errorf("measured: %+v", f)
	}
	faces(t, lines)
}

// faces checks the text and the page.
func faces(t *testing.T, lines []Line) {
	project := []Project{{Name: "demo <1>", Revisions: []string{"b"}, Lines: lines}}
	var text bytes.Buffer
	if err := Text(&text, project); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"demo <1>: 1 revisions compared", "lazy     0.0%    0.0%    0.0%", "100.00% / 100.00%", "25.0%"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	page, err := HTML(project)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(page, []byte("demo &lt;1&gt;")) || !bytes.Contains(page, []byte("lazy at b misses t.FirstTest.m")) || bytes.Contains(page, []byte("ZgotmplZ")) {
		t.Errorf("the page is not as it should be:\n%s", page)
	}
}
