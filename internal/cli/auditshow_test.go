package cli

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/internal/audit"
	"winnow/internal/jvm/maven"
	"winnow/internal/report"
	"winnow/internal/rts"
)

// aResult is an audit with something of everything.
func aResult() *auditor {
	miss := audit.Miss{Test: "A#b", Proven: "passed", Outcome: "failed", Message: "m", Differences: []audit.Difference{{Kind: "class", Name: "p/A", Why: "w"}}, Recorded: audit.Origin{Revision: "abc", Dirty: true}}
	trial := &audit.Trial{Selection: &rts.Selection{Decisions: make([]rts.Decision, 4)}}
	a := &audit.Mutants{Base: trial, Plain: 2 * time.Second, Unstable: []rts.TestID{"A#u"}, Unexplained: []string{"B"}, Tried: []audit.Mutation{
		{Mutant: "m1", Status: audit.Killed, Tests: 4, Selected: 1, Killing: []rts.TestID{"A#a"}},
		{Mutant: "m2", Status: audit.Missed, Tests: 4, Selected: 2, Killing: []rts.TestID{"A#b"}, Missed: []audit.Miss{miss}},
		{Mutant: "m3", Status: audit.AllSelected, Tests: 4, Selected: 4},
		{Mutant: "m4", Status: audit.Unbuildable, Says: "why"},
		{Mutant: "m5", Status: audit.Survived, Tests: 4},
		{Mutant: "m6", Status: audit.TimedOut, Tests: 4, Selected: 1, NotCompared: 2},
	}}
	au := &auditor{session: &session{app: &app{}}, began: time.Now()}
	au.result = auditResult{Schema: report.Schema, Command: "audit", Notices: []string{"n"}, MissedText: []string{"A#b on m2"}, Cases: []string{"c/case.json"}}
	au.result.mutantResult = &mutantResult{Seed: 7, Classes: 2}
	au.result.fillMutants(a, 9)
	return au
}

// replayResult is a replay with something of everything.
func replayResult() []audit.Step {
	return []audit.Step{
		{Revision: audit.Revision{ID: "0123456789ab", Title: "first"}, Comparison: audit.Comparison{Tests: 4, Selected: 4, Missed: []audit.Miss{}}},
		{Revision: audit.Revision{ID: "123456789abc", Title: "second"}, Unbuildable: "the build fails", Before: "0123456789ab", Comparison: audit.Comparison{Missed: []audit.Miss{}}},
		{Revision: audit.Revision{ID: "23456789abcd", Title: "third"}, Before: "0123456789ab",
			Comparison: audit.Comparison{Tests: 4, Selected: 1, LeftOut: 3, NotCompared: 1, Failed: 1, Missed: []audit.Miss{}, Unexplained: []string{"B"}}},
	}
}

func TestAuditText(t *testing.T) {
	au := aResult()
	text, _, _ := strings.Cut(au.text(), "audit ")
	want := `note      n
mutants   6 of 9, seed 7, classes: 2; tests: 4 in 2.0 s
          1 killed · 1 survived · 1 select every test and were not run · 1 timed out · 1 unbuildable · 1 missed
selected  25.0 % of the tests on average where tests ran; 0.5 tests per mutant killed it
cut short m6: 2 of 3 tests left out did not end, and nothing is said of them
unstable  A#u does not agree with itself; nothing is said of it
note      the build reports a failure of B, which no known test explains
MISSED    A#b on m2
repeat    winnow `
	if text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	au.result = auditResult{}
	au.result.fillSteps(replayResult(), 5)
	text, _, _ = strings.Cut(au.text(), "audit ")
	want = `revisions 2 of 5, of which 1 could not be built
          012345678 4 tests · 4 selected · 0 left out · 0 failed · 0 missed (recorded first)
          123456789 the build fails
          234567890 4 tests · 1 selected · 3 left out · 1 failed · 0 missed
`
	if text = strings.ReplaceAll(text, "23456789a", "234567890"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// TestAuditJSONIsDocumented checks that docs/json.md names every field.
func TestAuditJSONIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(doc), "## `winnow audit --json`")
	section, _, ended := strings.Cut(section, "\n## ")
	if !ok || !ended {
		t.Fatal("docs/json.md has no section about audits")
	}
	au := aResult()
	au.result.fillSteps(replayResult(), 5)
	data, err := json.Marshal(au.result)
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	seen := 0
	check := func(object map[string]any) {
		for name := range object {
			seen++
			if !strings.Contains(section, "`"+name+"`") && !strings.Contains(section, "`"+name+"[]`") {
				t.Errorf("docs/json.md does not have %s", name)
			}
		}
	}
	check(v)
	for _, list := range []string{"tried", "revisions"} {
		for _, x := range v[list].([]any) {
			check(x.(map[string]any))
		}
	}
	if seen < 60 {
		t.Errorf("only %d fields were looked at", seen)
	}
}

func TestAuditExit(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(au *auditor)
		want Exit
	}{
		{"missed", func(*auditor) {}, ExitMissed},
		{"missed and stopped", func(au *auditor) { au.stopped = true }, ExitMissed},
		{"stopped", func(au *auditor) { au.stopped, au.result.MissedText = true, nil }, ExitInterrupted},
		{"nothing missed", func(au *auditor) { au.result.MissedText = nil }, ExitOK},
		{"nothing built", func(au *auditor) {
			au.result = auditResult{}
			au.result.fillSteps(replayResult()[1:2], 1)
		}, ExitBuild},
	} {
		au := aResult()
		au.Out = &strings.Builder{}
		c.edit(au)
		if got := au.exit(au.show()); got != c.want || au.result.Exit != int(c.want) {
			t.Errorf("%s: exit code %d, want %d", c.name, got, c.want)
		}
	}
}

func TestFailedClasses(t *testing.T) {
	dir, since := t.TempDir(), time.Now()
	reports := filepath.Join(dir, "target", "surefire-reports")
	if err := os.MkdirAll(reports, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"TEST-p.A.xml":   `<testsuite><testcase name="ok" classname="p.A"/><testcase name="bad" classname="p.A"><failure/></testcase></testsuite>`,
		"TEST-p.B.xml":   `<testsuite><testcase name="bad" classname="p.B$In"><error/></testcase><testcase name="off" classname="p.C"><skipped/></testcase></testsuite>`,
		"TEST-p.Old.xml": `<testsuite><testcase name="bad" classname="p.Old"><failure/></testcase></testsuite>`,
		"TEST-p.Cut.xml": `<testsuite><testcase name="bad" classname="p.Cut"><fail`,
		"other.xml":      `<testsuite><testcase name="bad" classname="p.Other"><failure/></testcase></testsuite>`,
	} {
		if err := os.WriteFile(filepath.Join(reports, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old := since.Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(reports, "TEST-p.Old.xml"), old, old); err != nil {
		t.Fatal(err)
	}
	got := failedClasses(&maven.Request{BaseDir: dir}, since)
	if want := map[string]string{"p.A": "bad", "p.B$In": "bad"}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestClassOfTest(t *testing.T) {
	for id, want := range map[rts.TestID]string{
		"p.ATest#one()": "p.ATest", "p.BTest/In#nested()": "p.BTest$In", "core/x!p.ATest/In#a": "core/x!p.ATest$In", "[engine:other]/[x:y]": "", "junit3:a(b)": "",
	} {
		if got := classOfTest(id); got != want {
			t.Errorf("%s is of %q, want %q", id, got, want)
		}
	}
}
