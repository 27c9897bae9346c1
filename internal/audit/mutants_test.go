package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"winnow/internal/rts"
)

// A fake is a subject that does as it is told: for each mutant the trials, one after the other, the last one again and again.
type fake struct {
	t      *testing.T
	trials map[string][]string // "hang" ends with the context, then is the next one
	tried  []string
	stop   func() // called before the mutant named stop is tried
}

const fine = "A#a passed passed\nA#b passed passed"

func (f *fake) next(mutant string) string {
	list := f.trials[mutant]
	if len(list) == 0 {
		return fine
	}
	if len(list) > 1 {
		f.trials[mutant] = list[1:]
	}
	return list[0]
}

func (f *fake) Choose(_ context.Context, mutant string) (*rts.Selection, error) {
	text := fine
	if list := f.trials[mutant]; len(list) > 0 && list[0] != "hang" && list[0] != "broken" && list[0] != "error" {
		text = list[0]
	}
	return parseTrial(f.t, text).Selection, nil
}

func (f *fake) Try(ctx context.Context, mutant string, only []rts.TestID) (*Trial, error) {
	f.tried = append(f.tried, fmt.Sprintf("%s%v", mutant, only))
	if mutant == "stop" {
		f.stop()
	}
	text := f.next(mutant)
	switch text {
	case "broken":
		return nil, fmt.Errorf("%w: it does not compile", ErrBuild)
	case "error":
		return nil, errors.New("disk full")
	case "hang":
		<-ctx.Done()
		tr := parseTrial(f.t, f.next(mutant))
		tr.Whole = false
		return tr, nil
	}
	return parseTrial(f.t, text), nil
}

func run(t *testing.T, f *fake, mutants ...string) (*Mutants, error) {
	t.Helper()
	f.t = t
	a := &Mutants{Subject: f, Slack: time.Second}
	return a, a.Run(context.Background(), mutants)
}

func TestStatuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		trials []string
		want   Status
		missed string
	}{
		{"survived", []string{fine}, Survived, ""},
		{"killed by a selected test", []string{"A#a selected failed\nA#b passed passed"}, Killed, ""},
		{"all selected", []string{"A#a selected failed\nA#b selected passed"}, AllSelected, ""},
		{"unbuildable", []string{"broken"}, Unbuildable, ""},
		{"missed", []string{"A#a passed failed\nA#b passed passed"}, Missed, "A#a failed"},
		{"missed beside a selected test", []string{"A#a passed failed\nA#b selected failed"}, Missed, "A#a failed"},
		{"not run", []string{"A#a passed -\nA#b selected passed"}, Missed, "A#a not run"},
		{"failed once", []string{"A#a passed failed\nA#b passed passed", fine}, Killed, ""},
		{"hangs in a selected test", []string{"hang", "A#a selected interrupted\nA#b passed -"}, TimedOut, ""},
		{"hangs in a test left out", []string{"hang", "A#a passed interrupted\nA#b selected passed", "hang", "A#a passed interrupted\nA#b selected -"}, Missed, "A#a does not end"},
		{"time is up in a test left out", []string{"hang", "A#a passed interrupted\nA#b selected passed", "A#a passed passed\nA#b selected -"}, TimedOut, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := run(t, &fake{trials: map[string][]string{"m": c.trials}}, "m")
			if err != nil {
				t.Fatal(err)
			}
			m := a.Tried[0]
			missed := ""
			for _, x := range m.Missed {
				missed += string(x.Test) + " " + x.Outcome
			}
			if cut := c.trials[0] == "hang"; cut != (m.NotCompared > 0) {
				t.Errorf("%d tests not compared", m.NotCompared)
			}
			if m.Status != c.want || missed != c.missed || a.Count(c.want) != 1 {
				t.Errorf("%s %q, want %s %q", m.Status, missed, c.want, c.missed)
			}
		})
	}
}

func TestUnstableTestsAreNoMisses(t *testing.T) {
	fails := "A#a passed failed\nA#b passed passed"
	for _, c := range []struct {
		name   string
		trials map[string][]string
		want   []rts.TestID
	}{
		{"fails without a mutant at first", map[string][]string{"": {fails, fine}, "m": {fails}}, []rts.TestID{"A#a"}},
		{"fails without a mutant later", map[string][]string{"": {fine, fails}, "m": {fails}}, []rts.TestID{"A#a"}},
		{"fails once with the mutant", map[string][]string{"m": {fails, fine}}, []rts.TestID{"A#a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := run(t, &fake{trials: c.trials}, "m")
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(a.Unstable, c.want) || a.Count(Missed) != 0 {
				t.Errorf("unstable %v, missed %d", a.Unstable, a.Count(Missed))
			}
		})
	}
}

func TestAllSelectedIsNotRun(t *testing.T) {
	f := &fake{trials: map[string][]string{"m": {"A#a selected failed\nA#b selected failed"}}}
	if _, err := run(t, f, "m"); err != nil {
		t.Fatal(err)
	}
	if want := []string{"[]"}; !slices.Equal(f.tried, want) {
		t.Errorf("tried %v, want %v", f.tried, want)
	}
}

func TestHangingRunsThoseLeftOutAlone(t *testing.T) {
	f := &fake{trials: map[string][]string{"m": {"hang", "A#a passed interrupted\nA#b selected passed", fine}}}
	if _, err := run(t, f, "m"); err != nil {
		t.Fatal(err)
	}
	if want := []string{"[]", "m[]", "m[A#a]"}; !slices.Equal(f.tried, want) {
		t.Errorf("tried %v, want %v", f.tried, want)
	}
}

func TestInterruptKeepsWhatWasTried(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	f := &fake{t: t, stop: cancel, trials: map[string][]string{"stop": {"hang", fine}}}
	told := 0
	a := &Mutants{Subject: f, Watch: func(*Mutation, int, int, time.Duration) { told++ }}
	err := a.Run(ctx, []string{"m", "stop", "n"})
	if !errors.Is(err, context.Canceled) || len(a.Tried) != 1 || told != 1 {
		t.Errorf("%v, %d tried, %d told", err, len(a.Tried), told)
	}
}

func TestErrorsEndTheAudit(t *testing.T) {
	if a, err := run(t, &fake{trials: map[string][]string{"m": {"error"}}}, "m", "n"); err == nil || len(a.Tried) != 0 {
		t.Errorf("%v, %d tried", err, len(a.Tried))
	}
	if _, err := run(t, &fake{trials: map[string][]string{"": {"broken"}}}, "m"); !errors.Is(err, ErrBuild) {
		t.Errorf("%v", err)
	}
}

// A batcher is a fake that tries mutants at one go, but those whose first trial is "alone".
type batcher struct {
	fake
	goes [][]string
	base string // what the program as it is does at one go
}

func (b *batcher) TryAll(_ context.Context, mutants []string, _ time.Duration) (map[string]*Trial, error) {
	b.goes = append(b.goes, mutants)
	out := map[string]*Trial{}
	for _, name := range mutants {
		switch list := b.trials[name]; {
		case name == "":
			out[name] = parseTrial(b.t, b.base)
		case len(list) > 0 && list[0] == "alone":
			b.trials[name] = list[1:]
		case len(list) > 0 && list[0] == "late":
			b.trials[name] = list[1:]
			out[name] = parseTrial(b.t, b.next(name))
			out[name].Late, out[name].Whole = true, false
		default:
			out[name] = parseTrial(b.t, b.next(name))
		}
	}
	return out, nil
}

// TestLateAtOneGo: a mutant that a selected test does not end with is not tried again; where a test that was left out was running, those left out run alone.
func TestLateAtOneGo(t *testing.T) {
	b := &batcher{fake: fake{t: t}, base: fine}
	b.trials = map[string][]string{
		"selected": {"late", "A#a selected interrupted\nA#b passed -"},
		"left":     {"late", "A#a passed interrupted\nA#b selected passed", "hang", "A#a passed interrupted\nA#b selected -"},
	}
	a := &Mutants{Subject: b, Slack: time.Second}
	if err := a.Run(context.Background(), []string{"selected", "left", "fine"}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []Status{TimedOut, Missed, Survived} {
		if m := a.Tried[i]; m.Status != want {
			t.Errorf("%s: %s, want %s", m.Mutant, m.Status, want)
		}
	}
	if want := []string{"[]", "left[A#a]"}; !slices.Equal(b.tried, want) {
		t.Errorf("tried %v, want %v", b.tried, want)
	}
}

func TestSeveralAtOneGo(t *testing.T) {
	missed := "A#a passed failed\nA#b passed passed"
	names := []string{"fine", "killed", "missed", "unstable", "all", "alone", "broken", "m8", "m9", "m10", "m11", "m12", "m13"}
	want := []Status{Survived, Killed, Missed, Killed, AllSelected, Killed, Unbuildable, Survived, Survived, Survived, Survived, Survived, Survived}
	for _, c := range []struct {
		name, base string
		goes       int
		tried      []string
	}{
		{"as one by one", fine, 2, []string{"[]", "missed[]", "[]", "unstable[]", "[]", "alone[]", "broken[]"}},
		{"the program as it is ends otherwise", "A#a passed passed\nA#b passed failed", 1, nil},
		{"a test is not heard of", "A#a passed passed\nA#b passed -", 1, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &batcher{fake: fake{t: t}, base: c.base}
			b.trials = map[string][]string{
				"killed": {"A#a selected failed\nA#b passed passed"}, "missed": {missed}, "unstable": {missed, fine},
				"all": {"A#a selected failed\nA#b selected passed"}, "alone": {"alone", "A#a selected failed\nA#b passed passed"}, "broken": {"alone", "broken"},
			}
			if c.tried == nil { // at one go nothing is said of them
				for name, list := range b.trials {
					b.trials[name] = append([]string{list[0]}, list...)
				}
				b.trials["unstable"] = []string{missed, missed, fine}
				b.trials["alone"], b.trials["broken"] = b.trials["alone"][1:], b.trials["broken"][1:]
			}
			a := &Mutants{Subject: b, Slack: time.Second}
			if err := a.Run(context.Background(), names); err != nil {
				t.Fatal(err)
			}
			for i, m := range a.Tried {
				if m.Status != want[i] {
					t.Errorf("%s: %s, want %s", m.Mutant, m.Status, want[i])
				}
			}
			if len(b.goes) != c.goes || c.tried != nil && !slices.Equal(b.tried, c.tried) {
				t.Errorf("%d goes, tried alone %q", len(b.goes), b.tried)
			}
		})
	}
}
