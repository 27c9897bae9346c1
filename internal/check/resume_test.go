package check

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/check/campaign"
	"winnow/internal/check/rule"
	"winnow/internal/check/subject"
)

// fakeMaven runs no test: it notes that it was started, and writes a report for each module.
const fakeMaven = `#!/bin/sh
echo started >> "$WINNOW_STARTED"
for m in m*; do
  mkdir -p $m/target/surefire-reports
  echo '<testsuite name="T"><testcase name="t" classname="T"/></testsuite>' > $m/target/surefire-reports/TEST-T.xml
done
`

// TestResume: what a tool did on a batch is not done again when the campaign broke off later.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	started := filepath.Join(dir, "started")
	if err := os.WriteFile(filepath.Join(dir, "mvn"), []byte(fakeMaven), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("WINNOW_STARTED", started)
	cam, err := campaign.Parse("test", []byte("component cases\ncommand mine mvn\n"))
	if err != nil {
		t.Fatal(err)
	}
	// each run is a process of its own that knows the log only
	run := func(tool *subject.Tool) ([]*campaign.Entry, error) {
		log, err := campaign.OpenLog(filepath.Join(dir, "log"), cam, "test")
		if err != nil {
			t.Fatal(err)
		}
		b := &Builder{Tools: []*subject.Tool{tool}, Rules: rule.All, Dir: t.TempDir(), Batch: 2, Log: log}
		_, err = Run(context.Background(), cam, b.Plan(slices.Values(twoPrograms()), 2), log, nil)
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		return log.Entries(), err
	}
	if entries, err := run(subject.Command("mine", []string{filepath.Join(dir, "missing")})); err == nil || len(entries) != 0 {
		t.Fatalf("a tool that is not there: %d entries, %v", len(entries), err)
	}
	if n := count(t, started); n != 3 {
		t.Fatalf("Maven was started %d times", n)
	}
	entries, err := run(subject.Command("mine", []string{"mvn"}))
	if err != nil || len(entries) != 2 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	if n := count(t, started); n != 6 { // three for the baseline in the first run, three for the tool in the second
		t.Errorf("Maven was started %d times", n)
	}
	for _, e := range entries {
		if e.Status != campaign.Compared || !slices.Equal(e.Tests, []int{1, 1, 1}) || !slices.Equal(e.Subjects[0].Selected, []int{1, 1, 1}) {
			t.Errorf("%+v", e)
		}
	}
}

func twoPrograms() []*MavenProgram {
	var out []*MavenProgram
	for _, name := range []string{"a", "b"} {
		p := &MavenProgram{Same: []bool{false, true, false}}
		p.Name = name
		p.Files.Revisions = []map[string]string{{}, {}, {}}
		out = append(out, p)
	}
	return out
}

func count(t *testing.T, file string) int {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(data), "\n")
}
