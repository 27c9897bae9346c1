package synth

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"winnow/internal/engine"
	"winnow/internal/rts"
	"winnow/internal/safety"
)

var (
	sequences = flag.Int("sequences", 1500, "number of random edit sequences for each technique")
	first     = flag.Uint64("seed", 1, "seed of the first sequence")
)

// playAll plays n sequences on all cores and returns the figures and the failing sequence with the smallest seed.
func playAll(subject Subject, salt uint64, n int, stopAtFirst bool) (Figures, *Sequence, error) {
	var mu sync.Mutex
	var total Figures
	var worst *Sequence
	var fault error
	next := *first
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				mu.Lock()
				seed := next
				next++
				stop := seed >= *first+uint64(n) || (stopAtFirst && worst != nil)
				mu.Unlock()
				if stop {
					return
				}
				s := NewSequence(seed, salt)
				f, err := s.Play(subject)
				mu.Lock()
				total.Add(f)
				if err != nil && (worst == nil || s.Seed < worst.Seed) {
					worst, fault = &s, err
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return total, worst, fault
}

// TestSequences judges every technique against running everything. The full judgement is
//
//	go test ./internal/synth -run TestSequences -sequences 34000 -timeout 60m
//
// which plays 102,000 different sequences.
func TestSequences(t *testing.T) {
	// Each technique gets sequences of its own.
	for salt, name := range []string{"dejavu", "pythia", "testtube"} {
		t.Run(name, func(t *testing.T) {
			subject := Subject{Technique: name}
			f, worst, err := playAll(subject, uint64(salt), *sequences, true)
			if worst != nil {
				report(t, *worst, subject, err)
			}
			t.Logf("%s: %d sequences, %d selections, %d runs; of %d tests %d selected, %d left out; 0 misses",
				name, f.Sequences, f.Selections, f.Runs, f.Tests, f.Selected, f.LeftOut)
			if f.LeftOut*10 < f.Tests {
				t.Errorf("only %d of %d tests left out: nothing was judged", f.LeftOut, f.Tests)
			}
		})
	}
}

func report(t *testing.T, s Sequence, subject Subject, err error) {
	t.Helper()
	small := s.Shrink(subject)
	_, again := small.Play(subject)
	t.Fatalf("seed %d: %v\nshrunk to %d steps: %v\n%s\nrepeat: go test ./internal/synth -run TestSequences/%s -seed %d -sequences 1",
		s.Seed, err, len(small.Steps), again, small.Describe(), subject.Technique, s.Seed)
}

// unrunPasses reports tests that were kept from running as passed: (S3.3) switched off.
type unrunPasses struct{ *Project }

func (u unrunPasses) Run(ctx context.Context, tests []rts.TestID, sink engine.Sink) error {
	return u.Project.Run(ctx, tests, lyingSink{sink})
}

type lyingSink struct{ engine.Sink }

func (l lyingSink) NotRun(t rts.TestID, _ string) {
	l.Done(engine.Result{Record: rts.Record{Test: t, Outcome: rts.Passed}})
}

// TestBrokenVariants switches each rule off in turn: the sequences must find a miss.
func TestBrokenVariants(t *testing.T) {
	rules := []safety.Rule{
		safety.NoRecordSelects, safety.OnlyPassProves, safety.InputsUnchanged, safety.OwnRevision, safety.AgreementNeeded,
		safety.SharedCounts, safety.CompleteOnly, safety.UnknownDiffers, safety.SettledInputs, safety.AlwaysSelected,
		safety.ErrorSelects, safety.FingerprintCounts, safety.AppearanceCounts, safety.DeclaredCounts, safety.MissingBodyIsWhole,
		safety.AdaptorCovers, safety.NewLabelsCount, safety.ReconcileRuns,
	}
	for _, rule := range rules {
		t.Run(string(rule), func(t *testing.T) {
			mustMiss(t, Subject{Technique: "dejavu", Rules: safety.Without(rule)})
		})
	}
	t.Run("S3.3", func(t *testing.T) {
		mustMiss(t, Subject{Technique: "dejavu", Wrap: func(p engine.Project) engine.Project { return unrunPasses{p.(*Project)} }})
	})
}

func mustMiss(t *testing.T, subject Subject) {
	t.Helper()
	const enough = 20000
	f, worst, err := playAll(subject, 0, enough, true)
	var miss *Miss
	if worst == nil || !errors.As(err, &miss) {
		t.Fatalf("not found in %d sequences: %v", f.Sequences, err)
	}
	small := worst.Shrink(subject)
	_, again := small.Play(subject)
	t.Logf("found after %d sequences by seed %d, shrunk to %d steps: %v", f.Sequences, worst.Seed, len(small.Steps), again)
}

func TestPrintParse(t *testing.T) {
	for seed := range uint64(500) {
		for name, body := range Generate(rand.New(rand.NewPCG(seed, 1))).Funcs {
			text := Print(body)
			back, err := Parse(text)
			if err != nil || Print(back) != text {
				t.Fatalf("seed %d, %s: %v\n%s\n%s", seed, name, err, text, Print(back))
			}
		}
	}
	if _, err := Parse("bogus 1\n"); err == nil {
		t.Error("an unknown statement was accepted")
	}
	if _, err := Parse("if 2 {\n}\n"); err == nil {
		t.Error("an if without else was accepted")
	}
}
