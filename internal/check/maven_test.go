//go:build deep

package check

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/check/campaign"
	"winnow/internal/check/cases"
	"winnow/internal/check/rule"
	"winnow/internal/check/subject"
)

var (
	only = flag.String("only", "", "the `ids` of the conditions, separated by commas; all if not given")
)

// TestConditions: R6 and R7 hold for Winnow's command line wherever a published tool breaks down, and a change is noticed.
func TestConditions(t *testing.T) {
	if n := len(cases.Conditions()); n != 14 {
		t.Errorf("%d conditions", n)
	}
	program := filepath.Join(t.TempDir(), "winnow")
	if out, err := exec.Command("go", "build", "-o", program, "winnow/cmd/winnow").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	rules, err := rule.Find([]string{"R1", "R5", "R6", "R7", "I1", "I3", "I4", "I7"})
	if err != nil {
		t.Fatal(err)
	}
	keep := t.TempDir()
	b := &Builder{Tools: []*subject.Tool{subject.Winnow(program)}, Rules: rules, Dir: t.TempDir(), Timeout: time.Minute, Batch: 14, Keep: keep}
	var programs []*MavenProgram
	for _, c := range cases.Conditions() {
		if *only == "" || slices.Contains(strings.Split(*only, ","), c.ID) {
			programs = append(programs, ForCondition(&c))
		}
	}
	for w := range b.Plan(slices.Values(programs), len(programs)).Work {
		err := w.Do(context.Background(), func(string) bool { return false }, func(e *campaign.Entry) error {
			if e.Status != campaign.Compared {
				t.Errorf("%s: %s %s", e.Program, e.Status, e.Detail)
			}
			for _, v := range e.Violations {
				t.Errorf("%s: %v", e.Program, v)
			}
			for _, d := range e.Subjects {
				t.Logf("%s: of %v tests %s selects %v %s", e.Program, e.Tests, d.Subject, d.Selected, d.Crash)
				if d.Crash != "" || len(d.Selected) != 3 || d.Selected[2] == 0 {
					t.Errorf("%s: %s crashes or does not notice the change", e.Program, d.Subject)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if t.Failed() {
		logs, err := filepath.Glob(filepath.Join(keep, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, log := range logs {
			if data, err := os.ReadFile(log); err == nil {
				t.Logf("%s:\n%s", filepath.Base(log), data)
			}
		}
	}
}
