package main

import (
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	var out strings.Builder
	c := &tally{out: &out, reasons: map[string]int{}, output: map[string][]string{}}
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
	if code := c.close(true); code != 1 {
		t.Errorf("exit code %d", code)
	}
	want := "why it failed\nFAIL\tp\t0.1s\nnot json\nskipped 1: needs LibreOffice: not found\n1 passed, 1 failed, 1 skipped\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestNothingRunIsAFailure(t *testing.T) {
	c := &tally{out: &strings.Builder{}}
	if c.close(false) == 0 {
		t.Error("no tests at all must not be a success")
	}
}

func TestSkipsFailInCI(t *testing.T) {
	c := &tally{out: &strings.Builder{}, passed: 1, skipped: 1}
	t.Setenv("WINNOW_NO_SKIPS", "")
	if c.close(false) != 0 {
		t.Error("a skip is no failure on a machine that lacks something")
	}
	t.Setenv("WINNOW_NO_SKIPS", "1")
	if c.close(false) == 0 {
		t.Error("a skip must fail in CI")
	}
}
