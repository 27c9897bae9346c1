package statements

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"winnow/internal/semantics/generate"
	"winnow/internal/semantics/minijvm"
)

// sample checks three blocks of the bound.
const sample = 433

func TestExhaustiveSample(t *testing.T) {
	out, err := Exhaustive{Every: sample, Workers: 2}.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if f := out.Failure; f != nil {
		t.Fatalf("%s: %s\n%s", descriptions[f.Claim].claims, f.Detail, f.Pair)
	}
	if out.Pairs(minijvm.Missing) < 100_000 || out.Pairs(minijvm.Paper) < 5_000 {
		t.Errorf("only %d and %d pairs", out.Pairs(minijvm.Missing), out.Pairs(minijvm.Paper))
	}
	if total := uint64(out.Programs) * uint64(out.Neighbours); total < 10_000_000 {
		t.Errorf("the bound has only %d pairs", total)
	}
}

// TestExhaustiveNotices checks that the bound is large enough to find every clause that smart may lack.
func TestExhaustiveNotices(t *testing.T) {
	for _, c := range minijvm.Smart().Clauses() {
		f := minijvm.Smart().Lacking(c)
		out, err := Exhaustive{Every: 40, Workers: 2, lacking: f}.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if out.Failure == nil {
			t.Errorf("%s: nothing fails", f.Name())
		}
	}
}

// TestResume ends a run after each block; what comes out in the end is what one run gives.
func TestResume(t *testing.T) {
	file := filepath.Join(t.TempDir(), "progress")
	whole, err := Exhaustive{Every: 1049}.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; ; i++ {
		ctx, cancel := context.WithCancel(context.Background())
		out, err := Exhaustive{Every: 1049, Progress: file, Report: func(Progress) { cancel() }}.Run(ctx)
		cancel()
		if err == nil || out.Resumed == out.Blocks {
			if out.Tally != whole.Tally || i != out.Blocks+1 {
				t.Errorf("run %d: resumed gives\n%+v\nwant\n%+v", i, out.Tally, whole.Tally)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || out.Resumed != i-1 {
			t.Fatalf("run %d: resumed %d blocks, %v", i, out.Resumed, err)
		}
	}
}

// TestDamagedProgress damages every part of a progress file: it is refused, but for a last line that was cut off.
func TestDamagedProgress(t *testing.T) {
	file := filepath.Join(t.TempDir(), "progress")
	if _, err := (Exhaustive{Every: 1049, Progress: file}).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(good), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines", len(lines))
	}
	for name, x := range map[string]struct {
		text string
		ok   bool
	}{
		"whole":             {string(good), true},
		"cut off":           {string(good[:len(good)-10]), true},
		"empty":             {"", true},
		"a digit":           {strings.Replace(string(good), `"Steps":1`, `"Steps":2`, 1), false},
		"no first line":     {strings.Join(lines[1:], ""), false},
		"a line twice":      {string(good) + lines[1], false},
		"first line twice":  {lines[0] + string(good), false},
		"another file":      {"hello\nworld\n", false},
		"an end of a line":  {strings.Replace(string(good), "\n", " ", 1), false},
		"a line without it": {strings.Replace(string(good), `"tally":{`, `"other":{`, 1), false},
	} {
		if x.text == string(good) && name != "whole" {
			t.Fatalf("%s: nothing is damaged", name)
		}
		if err := os.WriteFile(file, []byte(x.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Exhaustive{Every: 1049, Progress: file}.Run(context.Background())
		if (err == nil) != x.ok || err != nil && !errors.Is(err, ErrProgress) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(file, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (Exhaustive{Every: 1048, Progress: file}).Run(context.Background()); !errors.Is(err, ErrProgress) {
		t.Errorf("progress of another part of the bound: %v", err)
	}
}

// FuzzProgress checks that a file is refused, or that what was taken from it is exactly what its whole lines say.
func FuzzProgress(f *testing.F) {
	line := func(body string) string { return body + " " + checksum(body) + "\n" }
	head := line(`{"check":"x","block":0}`)
	block := line(`{"block":3,"tally":{"Claims":[[],[]],"Unfinished":1,"Ran":2}}`)
	for _, text := range []string{"", head, head + block, head + block + "{", block, head + block + block, "hello\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file := filepath.Join(t.TempDir(), "progress")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := openProgress(file, "x")
		if err != nil {
			if after, _ := os.ReadFile(file); l != nil || !errors.Is(err, ErrProgress) || string(after) != string(text) {
				t.Fatalf("%v, with a result or a file that was altered", err)
			}
			return
		}
		if err := l.close(); err != nil {
			t.Fatal(err)
		}
		after, err := os.ReadFile(file)
		if err != nil || len(text) > 0 && strings.Contains(string(text), "\n") && !strings.HasPrefix(string(text), string(after)) {
			t.Fatalf("%q became %q, %v", text, after, err)
		}
		if n := strings.Count(string(after), "\n") - 1; n != len(l.blocks) {
			t.Fatalf("%d blocks of %d lines", len(l.blocks), n)
		}
	})
}

// BenchmarkPairs measures the exhaustive check on one core: pairs and steps of the machine per second.
func BenchmarkPairs(b *testing.B) {
	x := &exhausting{bound: generate.NewBound()}
	x.formed = make([]atomic.Uint32, x.bound.Programs())
	c := newChecker(minijvm.StepLimit)
	from, to := x.bound.Block(x.bound.Blocks() / 3)
	for i := from; i < to; i++ { // verify what the block needs, as a long run has done
		x.bound.EachNeighbour(i, func(n generate.Neighbour) { x.wellFormed(&c.verifier, n.Program) })
	}
	i := from
	b.ReportAllocs()
	for b.Loop() {
		if fail := x.program(c, i); fail != nil {
			b.Fatalf("%s: %s\n%s", descriptions[fail.Claim].claims, fail.Detail, fail.Pair)
		}
		if i++; i == to {
			i = from
		}
	}
	pairs := c.tally.Claims[minijvm.Missing][NaiveSafe].Pairs
	b.ReportMetric(float64(pairs)/b.Elapsed().Seconds(), "pairs/s")
	b.ReportMetric(float64(c.tally.Ran)/b.Elapsed().Seconds(), "steps/s")
}
