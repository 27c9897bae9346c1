package agent

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestForget: plans, jars and logs of long ago go; what this run takes, what is young, and what others keep there stay.
func TestForget(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-2 * stale)
	for _, name := range []string{"plan-1", "plan-2", "agent-1.jar", "logs-1/x", "packs/1", "notes"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
		for p := path; p != dir; p = filepath.Dir(p) {
			if err := os.Chtimes(p, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "logs-2"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := writeOnce(filepath.Join(dir, "plan-2"), []byte("old")); err != nil { // as if taken by a run
		t.Fatal(err)
	}
	forget(dir)
	var left []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := []string{"logs-2", "notes", "packs", "plan-2"}; !slices.Equal(left, want) {
		t.Errorf("left are %v, want %v", left, want)
	}
}
