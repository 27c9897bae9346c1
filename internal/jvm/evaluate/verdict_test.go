package main

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// A scene is a project with two revisions. Test class p.ATest executes p/A.m, p.BTest does not.
type scene struct {
	place
	t *testing.T
}

func newScene(t *testing.T) scene {
	s := scene{place{&evaluation{dir: t.TempDir(), plan: plan{revisions: 1}}, project{Name: "x"}}, t}
	passed := outcomes{"p.ATest#a": {"passed", 2}, "p.BTest#b": {"passed", 1}}
	for i := range 2 {
		s.put(name(i, "judge"), &step{Revision: strings.Repeat("r", 40), Sessions: map[string][]string{"1": {"p.ATest"}, "2": {"p.BTest"}}})
		s.put(name(i, "plain"), &step{Revision: strings.Repeat("r", 40), Outcomes: passed, finished: finished{Seconds: 20, CPU: 10}})
		s.put(name(i, "winnow"), &step{Outcomes: passed, finished: finished{Seconds: 5, CPU: 5}, Says: &statement{}})
		s.put(name(i, "again"), &step{finished: finished{Seconds: 1, CPU: 1}, Says: &statement{}})
		s.methods(i, "p/A\tm()V\tsame\n")
		s.pack(name(i, "judge-executed"), "M p/A\tm()V\nS 1 0\nS 2\n")
	}
	return s
}

func (s scene) put(name string, step *step) {
	s.t.Helper()
	if err := step.save(s.result(name)); err != nil {
		s.t.Fatal(err)
	}
}

func (s scene) pack(name, text string) {
	s.t.Helper()
	plain := s.data(name) + ".text"
	write(s.t, plain, text)
	if err := compress(plain, s.data(name)); err != nil {
		s.t.Fatal(err)
	}
}

func (s scene) methods(i int, text string) { s.pack(name(i, "plain-methods"), text) }

// says returns the table and whether it has misses.
func (s scene) says() (string, bool) {
	s.t.Helper()
	var out strings.Builder
	err := s.table(&out, []project{s.project})
	if err != nil && !errors.Is(err, errMisses) {
		s.t.Fatal(err)
	}
	return out.String(), err != nil
}

func TestNothingMissed(t *testing.T) {
	s := newScene(t)
	s.methods(1, "p/A\tm()V\tchanged\n")
	got, missed := s.says()
	if missed || !strings.Contains(got, "| x | 1 (0) | 2 (3) | 0 | 100.0 % | 100.0 % | 1 (0) | 0 (0) | 0 | – | 0 | 10.0 | 0.50 | 0.50 | 0.10 |") || !strings.Contains(got, "plain 20.0 s; first 0.25, revisions 0.25, unchanged 0.05") {
		t.Errorf("missed %v:\n%s", missed, got)
	}
}

func TestMisses(t *testing.T) {
	onlyB := &step{Outcomes: outcomes{"p.BTest#b": {"passed", 1}}, Says: &statement{}}
	failing := outcomes{"p.ATest#a": {"failed", 2}, "p.BTest#b": {"passed", 1}}
	for _, test := range []struct {
		name string
		set  func(s scene)
		want string // "" for no miss
	}{
		{"class left out, nothing changed", func(s scene) { s.put("01-winnow", onlyB) }, ""},
		{"class left out, executes what changed", func(s scene) {
			s.put("01-winnow", onlyB)
			s.methods(1, "p/A\tm()V\tchanged\n")
		}, "no test of p.ATest was run, which executes p/A.m()V"},
		{"class left out, executed what is gone", func(s scene) {
			s.put("01-winnow", onlyB)
			s.methods(1, "")
			s.pack("01-judge-executed", "S 1\nS 2\n")
		}, "no test of p.ATest was run"},
		{"one of a suite left out", func(s scene) {
			s.put("01-winnow", onlyB)
			s.methods(1, "p/A\tm()V\tchanged\n")
			for i := range 2 {
				s.put(name(i, "judge"), &step{Revision: strings.Repeat("r", 40), Sessions: map[string][]string{"1": {"p.ATest", "p.BTest"}}})
			}
		}, ""},
		{"a whole suite left out", func(s scene) {
			s.put("01-winnow", &step{Outcomes: outcomes{}, Says: &statement{}})
			s.methods(1, "p/A\tm()V\tchanged\n")
			for i := range 2 {
				s.put(name(i, "judge"), &step{Revision: strings.Repeat("r", 40), Sessions: map[string][]string{"1": {"p.ATest", "p.BTest"}}})
			}
		}, "no test of p.ATest,p.BTest was run, which executes p/A.m()V"},
		{"reported as skipped is not run", func(s scene) {
			s.put("01-winnow", &step{Outcomes: outcomes{"p.ATest#a": {"skipped", 2}, "p.BTest#b": {"passed", 1}}, Says: &statement{}})
			s.methods(1, "p/A\tm()V\tchanged\n")
		}, "no test of p.ATest was run"},
		{"newly failing, not run", func(s scene) {
			s.put("01-plain", &step{Outcomes: failing})
			s.put("01-winnow", onlyB)
		}, "p.ATest#a fails now and was not run"},
		{"newly failing, unstable", func(s scene) {
			s.put("01-plain", &step{Outcomes: failing})
			s.put("01-rerun-1", &step{Outcomes: outcomes{"p.ATest#a": {"passed", 2}, "p.BTest#b": {"passed", 1}}})
			s.put("01-winnow", onlyB)
		}, ""},
		{"another outcome", func(s scene) { s.put("01-plain", &step{Outcomes: failing}) }, `p.ATest#a is "passed", in plain Maven "failed"`},
		{"another ending", func(s scene) {
			s.put("01-again", &step{finished: finished{Exit: 6}, Says: &statement{Error: "a crash"}})
		}, "revision 1: Winnow ended with status 6: a crash"},
		{"mutant", func(s scene) { s.put("01-mutants-01", audited("missed")) }, "mutant p/A m"},
		{"killed mutant", func(s scene) { s.put("01-mutants-01", audited("killed")) }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t)
			test.set(s)
			got, missed := s.says()
			if missed != (test.want != "") || !strings.Contains(got, test.want) {
				t.Errorf("missed %v, want %q:\n%s", missed, test.want, got)
			}
		})
	}
}

func audited(status string) *step {
	return &step{Audit: &audit{Tried: []mutant{{Name: "p/A m", Status: status}}}}
}

func TestFirstRunIsCompared(t *testing.T) {
	s := newScene(t)
	s.put("00-winnow", &step{Outcomes: outcomes{"p.ATest#a": {"passed", 1}, "p.BTest#b": {"passed", 1}}, Says: &statement{}})
	if got, _ := s.says(); !strings.Contains(got, "base: p.ATest#a is {passed 1}, in plain Maven {passed 2}") {
		t.Error(got)
	}
}

func TestRunAgainNeedsAReason(t *testing.T) {
	s := newScene(t)
	says := &statement{}
	says.Tests = []told{{ID: "p.ATest#a(int)", Reasons: []reason{{Code: "external"}}}, {ID: "p.BTest#b()", Reasons: []reason{{Code: "input-changed"}}}}
	s.put("01-again", &step{Outcomes: outcomes{"p.ATest#a": {"passed", 2}, "p.BTest#b": {"passed", 1}}, Says: says})
	got, _ := s.says()
	if !strings.Contains(got, `revision 1: p.BTest#b ran again, reason "input-changed"`) || strings.Contains(got, "p.ATest#a ran again") || !strings.Contains(got, "| 1 external, 1 input-changed |") {
		t.Error(got)
	}
}

func TestBatchesOfMutants(t *testing.T) {
	s := newScene(t)
	s.put("00-mutants-01", audited("missed"))
	s.put("01-mutants-01", &step{Audit: &audit{Tried: []mutant{{Name: "a", Status: "killed"}, {Name: "b", Status: "survived"}}}})
	s.put("01-mutants-02", &step{Audit: &audit{Tried: []mutant{{Name: "a", Status: "killed"}, {Name: "c", Status: "all-selected"}}}})
	got, missed := s.says()
	if missed || !strings.Contains(got, "| 1 + 1 of 3 (0) |") {
		t.Errorf("missed %v:\n%s", missed, got)
	}
	if got := (plan{mutants: 60}).batches(); len(got) != 2 || got[0] != 50 || got[1] != 10 {
		t.Errorf("60 mutants in batches: %v", got)
	}
}

func TestTheBaseAloneNeedsNoJudge(t *testing.T) {
	s := newScene(t)
	for i := range 2 {
		for _, what := range []string{"judge", "plain", "winnow", "again"} {
			if file := s.result(name(i, what)); i == 1 || what == "judge" {
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	got, missed := s.says()
	if missed || !strings.Contains(got, "| x | 0 (0) | 2 (3) | 0 | – | – | 0 (0) |") || !strings.Contains(got, "from rrrrrrrrrrrr to rrrrrrrrrrrr") {
		t.Errorf("missed %v:\n%s", missed, got)
	}
}
