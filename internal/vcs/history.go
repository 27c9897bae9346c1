package vcs

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// A Commit is one of a history.
type Commit struct{ Revision, Title string }

// Log returns the newest commits up to HEAD, following first parents, the oldest first.
func Log(ctx context.Context, dir string, n int) ([]Commit, error) { return LogOf(ctx, dir, n) }

// LogOf is Log for commits that change a file which one of the patterns matches.
func LogOf(ctx context.Context, dir string, n int, patterns ...string) ([]Commit, error) {
	if _, err := git(ctx, dir, "rev-parse", "--git-dir"); err != nil {
		return nil, ErrNoRepository
	}
	args := []string{"log", "--first-parent", "--reverse", "--format=%H %s", "-n", strconv.Itoa(n), "HEAD", "--"}
	for _, p := range patterns {
		args = append(args, ":(glob)"+p)
	}
	out, err := git(ctx, dir, args...)
	if err != nil {
		return nil, err
	}
	var all []Commit
	for line := range strings.Lines(out) {
		rev, title, _ := strings.Cut(strings.TrimSpace(line), " ")
		all = append(all, Commit{rev, title})
	}
	return all, nil
}

// Clone makes a clone of the repository that a directory is in, without a checkout, and returns the directory in it that corresponds to the given one.
func Clone(ctx context.Context, dir, to string) (string, error) {
	top, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", ErrNoRepository
	}
	prefix, err := git(ctx, dir, "rev-parse", "--show-prefix")
	if err != nil {
		return "", err
	}
	if _, err := git(ctx, dir, "clone", "--quiet", "--no-checkout", "--", top, to); err != nil {
		return "", fmt.Errorf("cloning %s: %w", top, err)
	}
	return filepath.Join(to, filepath.FromSlash(prefix)), nil
}

// Fetch brings what is new in the repository that a clone was made of.
func Fetch(ctx context.Context, clone string) error {
	if _, err := git(ctx, clone, "fetch", "--quiet", "origin", "HEAD"); err != nil {
		return fmt.Errorf("fetching into %s: %w", clone, err)
	}
	return nil
}

// Checkout makes the tree of a clone that of a revision. Files that git ignores stay.
func Checkout(ctx context.Context, clone, revision string) error {
	if _, err := git(ctx, clone, "-c", "advice.detachedHead=false", "checkout", "--quiet", "--force", "--detach", revision); err != nil {
		return fmt.Errorf("checking out %s: %w", revision, err)
	}
	return nil
}

// Changes returns the differences of the tree from HEAD as a patch. Files that git does not track are not in it.
func Changes(ctx context.Context, dir string) ([]byte, error) {
	return command(ctx, dir, "diff", "--binary", "HEAD").Output()
}

// Apply applies a patch that Changes made to a clone's tree.
func Apply(ctx context.Context, clone, patch string) error {
	_, err := git(ctx, clone, "apply", "--whitespace=nowarn", "--", patch)
	return err
}
