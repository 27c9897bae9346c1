package vcs

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"winnow/internal/testenv"
)

func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@t"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func TestHeadAndAncestors(t *testing.T) {
	testenv.NeedsGit(t)
	ctx, dir := context.Background(), t.TempDir()
	if rev, _ := Head(ctx, dir); rev != "" {
		t.Fatalf("outside a repository: %q", rev)
	}
	if _, err := Ancestors(ctx, dir, "HEAD"); !errors.Is(err, ErrNoRepository) {
		t.Errorf("outside a repository: %v", err)
	}
	run(t, dir, "init", "-q")
	commit := func(content string) string {
		if err := os.WriteFile(filepath.Join(dir, "f"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		run(t, dir, "add", "f")
		run(t, dir, "commit", "-qm", content)
		rev, dirty := Head(ctx, dir)
		if dirty || len(rev) < 40 {
			t.Fatalf("Head = %q, %v", rev, dirty)
		}
		return rev
	}
	one := commit("1")
	two := commit("2")
	got, err := Ancestors(ctx, dir, one)
	if err != nil || !got[one] || got[two] {
		t.Errorf("Ancestors(%s) = %v, %v", one, got, err)
	}
	if _, err := Ancestors(ctx, dir, "nonsense"); err == nil {
		t.Error("an unknown revision was accepted")
	}
	if _, err := Ancestors(ctx, dir, "--all"); err == nil {
		t.Error("an option was taken for a revision")
	}
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte("3"), 0o644); err != nil {
		t.Fatal(err)
	}
	if rev, dirty := Head(ctx, dir); rev != two || !dirty {
		t.Errorf("Head = %q, %v; want %q, true", rev, dirty, two)
	}
}

// TestDirs: the directories of a repository are found from inside of it, from a linked work tree and from a submodule.
func TestDirs(t *testing.T) {
	testenv.NeedsGit(t)
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repo, other, outer := filepath.Join(base, "repo"), filepath.Join(base, "other"), filepath.Join(base, "outer")
	run(t, base, "init", "-q", repo)
	run(t, repo, "commit", "-q", "--allow-empty", "-m", "1")
	run(t, repo, "worktree", "add", "-q", other)
	run(t, base, "init", "-q", outer)
	run(t, outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repo, "sub")
	broken := filepath.Join(base, "broken")
	if err := errors.Join(os.MkdirAll(filepath.Join(repo, "a", "b"), 0o755), os.Mkdir(broken, 0o755), os.WriteFile(filepath.Join(broken, ".git"), []byte("nothing"), 0o644)); err != nil {
		t.Fatal(err)
	}
	git := filepath.Join(repo, ".git")
	for dir, want := range map[string][]string{
		repo: {git}, filepath.Join(repo, "a", "b"): {git}, other: {filepath.Join(git, "worktrees", "other"), git},
		filepath.Join(outer, "sub"): {filepath.Join(outer, ".git", "modules", "sub")}, broken: nil,
	} {
		if got := Dirs(dir); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}

// TestHeadWritesNothing: git would write the index anew when it finds a file touched and unchanged.
func TestHeadWritesNothing(t *testing.T) {
	testenv.NeedsGit(t)
	dir := t.TempDir()
	file, index := filepath.Join(dir, "f"), filepath.Join(dir, ".git", "index")
	run(t, dir, "init", "-q")
	if err := os.WriteFile(file, []byte("1"), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "add", "f")
	run(t, dir, "commit", "-qm", "1")
	before, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	if _, dirty := Head(context.Background(), dir); dirty {
		t.Error("a file that was only touched is taken to differ")
	}
	after, err := os.ReadFile(index)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the index was written anew (%v)", err)
	}
	run(t, dir, "status")
	if after, err = os.ReadFile(index); err != nil || bytes.Equal(before, after) {
		t.Errorf("git itself does not write it anew: this test shows nothing (%v)", err)
	}
}
