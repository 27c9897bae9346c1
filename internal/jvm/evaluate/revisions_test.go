package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestChangesCode(t *testing.T) {
	for _, test := range []struct {
		name, diff string
		want       bool
	}{
		{"nothing", "", false},
		{"code", "--- a/A.java\n+++ b/A.java\n@@ -1 +1 @@\n-int a;\n+int b;\n", true},
		{"removed code", "--- a/A.java\n+++ b/A.java\n@@ -1 +0,0 @@\n-int a;\n", true},
		{"comments", "--- a/A.java\n+++ b/A.java\n@@ -1,3 +1,3 @@\n-  // a\n+  /* b */\n-   * c\n", false},
		{"blank lines", "--- a/A.java\n+++ b/A.java\n@@ -1,0 +1,2 @@\n+\n+\t \n", false},
		{"only a new file's name", "diff --git a/A.java b/B.java\nrename from A.java\nrename to B.java\n", false},
	} {
		if got := changesCode(test.diff); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// repository makes a repository with a revision for each map of files, and returns its directory and the revisions.
func repository(t *testing.T, revisions ...map[string]string) (string, []string) {
	t.Helper()
	dir := t.TempDir()
	do := func(args ...string) string {
		t.Helper()
		out, err := git(t.Context(), dir, append([]string{"-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	do("init", "--quiet")
	var all []string
	for _, files := range revisions {
		for name, text := range files {
			write(t, filepath.Join(dir, name), text)
		}
		do("add", ".")
		do("commit", "--quiet", "-m", "m")
		all = append(all, do("rev-parse", "HEAD")[:40])
	}
	return dir, all
}

func TestCodeRevisions(t *testing.T) {
	dir, revs := repository(t,
		map[string]string{"A.java": "class A {}\n"},
		map[string]string{"A.java": "class A { int a; }\n"},
		map[string]string{"readme": "x"},
		map[string]string{"A.java": "// c\nclass A { int a; }\n"},
		map[string]string{"B.kt": "class B\n"},
		map[string]string{"A.java": "// c\nclass A { int b; }\n"},
	)
	got, err := codeRevisions(t.Context(), dir, "HEAD", 2, 2)
	if want := []string{revs[4], revs[5]}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	got, err = codeRevisions(t.Context(), dir, revs[4], 2, 2)
	if want := []string{revs[1], revs[4]}; err != nil || !slices.Equal(got, want) {
		t.Errorf("up to an earlier tip: got %v, %v; want %v", got, err, want)
	}
	if got, err := codeRevisions(t.Context(), dir, "HEAD", 9, 9); err == nil {
		t.Errorf("more than there are: got %v and no error", got)
	}
}

func TestCheckoutKeepsWhatABuildLeft(t *testing.T) {
	clone, revs := repository(t, map[string]string{"A.java": "1"}, map[string]string{"A.java": "2"})
	dir := filepath.Join(t.TempDir(), "work")
	if err := checkout(t.Context(), clone, dir, revs[1]); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"built": "b", "A.java": "edited"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := checkout(t.Context(), clone, dir, revs[0]); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"built": "b", "A.java": "1"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
		}
	}
}
