package vcs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"winnow/internal/testenv"
)

func TestHistory(t *testing.T) {
	testenv.NeedsGit(t)
	ctx, dir := context.Background(), t.TempDir()
	if _, err := Log(ctx, dir, 3); !errors.Is(err, ErrNoRepository) {
		t.Errorf("outside a repository: %v", err)
	}
	if _, err := Clone(ctx, dir, filepath.Join(t.TempDir(), "c")); !errors.Is(err, ErrNoRepository) {
		t.Errorf("outside a repository: %v", err)
	}
	run(t, dir, "init", "-q")
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(content string) {
		if err := os.WriteFile(filepath.Join(sub, "f"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, content := range []string{"1\n", "2\n", "3\n"} {
		write(content)
		run(t, dir, "add", "-A")
		run(t, dir, "commit", "-qm", "to "+content)
	}
	commits, err := Log(ctx, sub, 2)
	if err != nil || len(commits) != 2 || commits[0].Title != "to 2" || commits[1].Title != "to 3" {
		t.Fatalf("Log: %v, %v", commits, err)
	}
	write("local\n")
	patch, err := Changes(ctx, sub)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "patch")
	if err := os.WriteFile(file, patch, 0o644); err != nil {
		t.Fatal(err)
	}
	clone := filepath.Join(t.TempDir(), "clone")
	inside, err := Clone(ctx, sub, clone)
	if err != nil || inside != filepath.Join(clone, "sub") {
		t.Fatalf("Clone: %q, %v", inside, err)
	}
	content := func(want string) {
		t.Helper()
		if got, err := os.ReadFile(filepath.Join(inside, "f")); err != nil || string(got) != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	for i, want := range []string{"2\n", "3\n"} {
		if err := Checkout(ctx, clone, commits[i].Revision); err != nil {
			t.Fatal(err)
		}
		content(want)
	}
	if err := Apply(ctx, clone, file); err != nil {
		t.Fatal(err)
	}
	content("local\n")
	if err := Checkout(ctx, clone, commits[0].Revision); err != nil {
		t.Fatal(err)
	}
	content("2\n")
	if err := Checkout(ctx, clone, "nonsense"); err == nil {
		t.Error("an unknown revision was checked out")
	}
}
