// Package testenv tells tests what the machine has. A test that needs more than Go asks here; without it the test is
// skipped with a reason that starts with "needs", so that skips can be counted and printed. If WINNOW_NO_SKIPS is set, as in CI, a
// missing part fails the test instead.
package testenv

import (
	"os"
	"os/exec"
	"testing"
)

// NeedsGit returns if git can be started.
func NeedsGit(t testing.TB) {
	t.Helper()
	need(t, "git", "git")
}

// NeedsLibreOffice returns the path of soffice.
func NeedsLibreOffice(t testing.TB) string {
	t.Helper()
	return need(t, "soffice", "LibreOffice (soffice)")
}

func need(t testing.TB, program, name string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		Missing(t, name, err)
	}
	return path
}

// Missing ends a test because the machine lacks what is named: it skips the test, or fails it if WINNOW_NO_SKIPS is set.
func Missing(t testing.TB, name string, err error) {
	t.Helper()
	if os.Getenv("WINNOW_NO_SKIPS") != "" {
		t.Fatalf("needs %s: %v", name, err)
	}
	t.Skipf("needs %s: %v", name, err)
}
