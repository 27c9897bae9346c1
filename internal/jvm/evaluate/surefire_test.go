package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"winnow/internal/jvm/surefire"
)

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestReadReports(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "target/surefire-reports/TEST-p.ATest.xml"), `<testsuite name="p.ATest"><properties>
<property name="evaluate.session" value="7-1"/></properties>
<testcase name="a" classname="p.ATest"/>
<testcase name="b(int)[1]" classname="p.ATest"/>
<testcase name="b(int)[2]" classname="p.ATest"><failure message="m">trace</failure></testcase>
<testcase name="c{String}[1]" classname="p.ATest$Inner"><error/></testcase>
<testcase name="d" classname="p.ATest"><skipped/></testcase>
</testsuite>`)
	write(t, filepath.Join(root, "core/target/surefire-reports/TEST-p.BTest.xml"), `<testsuite name="p.BTest"><testcase name="" classname="p.BTest"><error/></testcase></testsuite>`)
	write(t, filepath.Join(root, "src/target/surefire-reports/TEST-p.No.xml"), `no report of this project`)
	r, err := readReports(root)
	if err != nil {
		t.Fatal(err)
	}
	want := outcomes{"p.ATest#a": {"passed", 1}, "p.ATest#b": {"failed", 2}, "p.ATest$Inner#c": {"error", 1}, "p.ATest#d": {"skipped", 1}, "core!p.BTest#(class)": {"error", 1}}
	if !maps.Equal(r.outcomes, want) {
		t.Errorf("outcomes: got %v\nwant %v", r.outcomes, want)
	}
	if got := sorted(r.sessions["7-1"]); !slices.Equal(got, []string{"p.ATest"}) {
		t.Errorf("classes of the session: %v", got)
	}
	if got := sorted(outermostOf(r.outcomes.ran())); !slices.Equal(got, []string{"core!p.BTest", "p.ATest"}) {
		t.Errorf("classes that ran: %v", got)
	}
	if got := r.outcomes.cases(); got != 6 {
		t.Errorf("%d cases, want 6", got)
	}
	if err := surefire.Remove(root); err != nil {
		t.Fatal(err)
	}
	if r, err = readReports(root); err != nil || len(r.outcomes) > 0 {
		t.Errorf("after removal: %v, %v", r.outcomes, err)
	}
}

func TestDamagedReportIsAnError(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "target/surefire-reports/TEST-p.ATest.xml"), `<testsuite name="p.ATest"><testcase`)
	if r, err := readReports(root); err == nil {
		t.Errorf("got %v and no error", r.outcomes)
	}
}
