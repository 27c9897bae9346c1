package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	var out strings.Builder
	c := newTally(&out)
	for _, line := range []string{
		`{"Action":"output","Package":"p","Test":"A","Output":"secret of a passing test\n"}`,
		`{"Action":"pass","Package":"p","Test":"A"}`,
		`{"Action":"output","Package":"p","Test":"B","Output":"why it failed\n"}`,
		`{"Action":"fail","Package":"p","Test":"B"}`,
		`{"Action":"output","Package":"p","Test":"C","Output":"    x_test.go:3: needs LibreOffice: not found\n"}`,
		`{"Action":"skip","Package":"p","Test":"C"}`,
		`{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}`,
		`{"Action":"fail","Package":"p"}`,
		`not json`,
	} {
		c.line([]byte(line))
	}
	if code := c.close(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	want := "why it failed\nFAIL\tp\t0.1s\nnot json\nskipped 1: needs LibreOffice: not found\n1 passed, 1 failed, 1 skipped\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestNothingRunIsAFailure(t *testing.T) {
	if newTally(&strings.Builder{}).close() == 0 {
		t.Error("no tests at all must not be a success")
	}
}

func TestSkipsFailInCI(t *testing.T) {
	c := newTally(&strings.Builder{})
	c.packages["p"] = &count{passed: 1, skipped: 1, reasons: []string{"needs LibreOffice"}}
	t.Setenv("WINNOW_NO_SKIPS", "")
	if c.close() != 0 {
		t.Error("a skip is no failure on a machine that lacks something")
	}
	t.Setenv("WINNOW_NO_SKIPS", "1")
	if c.close() == 0 {
		t.Error("a skip must fail in CI")
	}
}

// TestAgain has a module of its own: one test fails once, and with it, by a panic, its package; another fails always.
func TestAgain(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	file("go.mod", "module m\n\ngo 1.26\n")
	file("good/a_test.go", "package good\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) {}\n")
	file("once/a_test.go", "package once\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestA(t *testing.T) {}\n\nfunc TestB(t *testing.T) {\n"+
		"\tif _, err := os.Stat(\"seen\"); err != nil {\n\t\tos.WriteFile(\"seen\", nil, 0o644)\n\t\tpanic(\"first time\")\n\t}\n}\n\nfunc TestC(t *testing.T) {}\n")
	t.Chdir(dir)
	var out strings.Builder
	if code := run([]string{"--again"}, &out); code != 0 || !strings.Contains(out.String(), "FAILED, tested once more: m/once\n") ||
		!strings.HasSuffix(out.String(), "UNSTABLE, failed once and passed when repeated: m/once\n4 passed, 0 failed, 0 skipped\n") {
		t.Errorf("exit code %d, says\n%s", code, out.String())
	}
	file("bad/a_test.go", "package bad\n\nimport \"testing\"\n\nfunc TestBad(t *testing.T) { t.Fail() }\n")
	out.Reset()
	if code := run([]string{"--again"}, &out); code != 1 || !strings.HasSuffix(out.String(), "\n4 passed, 1 failed, 0 skipped\n") || strings.Contains(out.String(), "UNSTABLE") {
		t.Errorf("exit code %d, says\n%s", code, out.String())
	}
	out.Reset()
	os.Remove("once/seen")
	if code := run(nil, &out); code != 1 || strings.Contains(out.String(), "once more") {
		t.Errorf("without --again: exit code %d, says\n%s", code, out.String())
	}
}
