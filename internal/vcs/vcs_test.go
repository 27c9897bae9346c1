package vcs

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

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
