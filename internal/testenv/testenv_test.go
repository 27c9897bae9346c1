package testenv

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A fakeTB notes how a test was ended.
type fakeTB struct {
	testing.TB
	fatal, skip string
}

func (f *fakeTB) Helper() {}

func (f *fakeTB) Fatalf(format string, args ...any) {
	f.fatal = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (f *fakeTB) Skipf(format string, args ...any) {
	f.skip = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// ask calls a function that may end the test, and tells whether it returned.
func ask(need func(testing.TB)) (f *fakeTB, returned bool) {
	f = &fakeTB{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		need(f)
		returned = true
	}()
	<-done
	return f, returned
}

// program puts a program of the given name, and nothing else, on the path.
func program(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, name)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	return path
}

func TestPresent(t *testing.T) {
	path := program(t, "soffice")
	f, returned := ask(func(tb testing.TB) {
		if got := NeedsLibreOffice(tb); got != path {
			t.Errorf("found %s, want %s", got, path)
		}
	})
	if !returned || f.fatal+f.skip != "" {
		t.Errorf("returned %v, %q, %q", returned, f.fatal, f.skip)
	}
	program(t, "git")
	if f, returned := ask(NeedsGit); !returned || f.fatal+f.skip != "" {
		t.Errorf("git: returned %v, %q, %q", returned, f.fatal, f.skip)
	}
}

func TestMissingIsSkipped(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("WINNOW_NO_SKIPS", "")
	for name, need := range needs() {
		f, returned := ask(need)
		if returned || f.fatal != "" || !strings.HasPrefix(f.skip, "needs "+name) {
			t.Errorf("%s: returned %v, %q, %q", name, returned, f.fatal, f.skip)
		}
	}
}

func TestMissingFailsWithoutSkips(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("WINNOW_NO_SKIPS", "1")
	for name, need := range needs() {
		f, returned := ask(need)
		if returned || f.skip != "" || !strings.HasPrefix(f.fatal, "needs "+name) {
			t.Errorf("%s: returned %v, %q, %q", name, returned, f.fatal, f.skip)
		}
	}
}

func needs() map[string]func(testing.TB) {
	return map[string]func(testing.TB){
		"git": NeedsGit, "LibreOffice": func(tb testing.TB) { NeedsLibreOffice(tb) },
	}
}
