package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/internal/jvm/maven"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/vfs"
)

func TestForeignResults(t *testing.T) {
	dir, since := t.TempDir(), time.Now()
	reports := filepath.Join(dir, "m", "target", "surefire-reports")
	if err := os.MkdirAll(reports, 0o755); err != nil {
		t.Fatal(err)
	}
	text := `<testsuite>
<testcase name="one" classname="p.A" time="1,000.5"/>
<testcase name="many(int)[1]" classname="p.A" time="0.1"/>
<testcase name="many(int)[2]" classname="p.A" time="0.2"><failure message="no&#10;"/></testcase>
<testcase name="in" classname="p.A$In"><error message="worse"/></testcase>
<testcase name="off" classname="p.A"><skipped/></testcase>
<testcase name="again" classname="p.A" time="x"><flakyFailure message="once"/></testcase>
<testcase name="twice" classname="p.A"/></testsuite>`
	if err := os.WriteFile(filepath.Join(reports, "TEST-p.A.xml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	h := &mavenRun{session: &session{w: &workspace{root: dir}}}
	f := &foreignRun{request: &maven.Request{Module: "g:m:1", BaseDir: filepath.Join(dir, "m"), Mojo: maven.Mojo{Execution: "default-test"}}, since: since}
	known := []rts.TestID{"m!p.A#one()", "m!p.A#many(int)[]", "p.A#off()", "m!p.A#twice()", "m!p.A#twice(int)", "m!p.A/In#in()"}
	var got []string
	for _, r := range h.reportedResults(f, known) {
		got = append(got, fmt.Sprint(r.Record.Test, " ", r.Record.Outcome, " ", r.Record.Duration, " ", r.Message))
	}
	want := []string{
		"m!p.A#one() passed 16m40.5s ", "m!p.A#many(int)[] failed 300ms no", "m!p.A/In#in() failed 0s worse", "m!p.A#off skipped 0s ", "m!p.A#again passed 0s ", "m!p.A#twice passed 0s ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	h.foreign = []*foreignRun{f}
	for id, is := range map[rts.TestID]bool{"m!p.A#one()": true, "p.A#off()": false, "other!p.A#one()": false} {
		if h.isForeign(id) != is {
			t.Errorf("%s: foreign is %v", id, !is)
		}
	}
}

// TestReached: a build that fails before its tests has an explanation of its own, whatever made it fail.
func TestReached(t *testing.T) {
	failed := func(artifact string) maven.Event {
		return maven.Event{Type: maven.MojoFailed, Mojo: maven.Mojo{Artifact: artifact}}
	}
	attached := maven.Event{Type: maven.Attached}
	for _, c := range []struct {
		name    string
		outcome *maven.Outcome
		want    string
	}{
		{"not started", nil, ""},
		{"no JDK", &maven.Outcome{ExitCode: 1}, "Maven could not start"},
		{"compile error", &maven.Outcome{ExitCode: 1, Events: []maven.Event{attached, failed("maven-compiler-plugin")}}, "do not compile"},
		{"broken POM", &maven.Outcome{ExitCode: 1, Events: []maven.Event{attached, {Type: maven.Result}}}, "the build failed before its tests; "},
		{"no extension", &maven.Outcome{}, "did not load Winnow's extension"},
		{"no tests", &maven.Outcome{Events: []maven.Event{attached, {Type: maven.Result}}}, ""},
	} {
		h := &mavenRun{}
		got := h.reached(c.outcome)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if h.foreign = []*foreignRun{{}}; h.reached(c.outcome) != "" {
			t.Errorf("%s: tests ran, and it is said that they did not", c.name)
		}
	}
}

// TestNowhereToWrite: a project whose data cannot be written is tested all the same, and nothing is said to be recorded.
func TestNowhereToWrite(t *testing.T) {
	dir, _ := mavenProject(t)
	if err := os.Mkdir(filepath.Join(dir, storeDir), 0o755); err != nil {
		t.Fatal(err)
	}
	// Where directories are wanted there are files, which is an obstacle for every user.
	for _, name := range []string{"jvm", "last.json.tmp"} {
		if err := vfs.WriteWhole(filepath.Join(dir, storeDir, name), nil); err != nil {
			t.Fatal(err)
		}
	}
	i := invoke(t, safety.Rules{}, dir, "test", "--json", "--", "-q", "-o")
	i.want(t, ExitOK, `"passed": 2`, `"recorded": false`, "cannot be written")
}
