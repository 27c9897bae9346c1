// Package vcs asks git about revisions. It is the only user of git, and git is optional: without it, or outside a repository, there is no
// revision and everything else works.
//
// A revision is a label on records for people and for --base; nothing here decides whether a test is affected.
package vcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// ErrNoRepository means that there is no git repository here, or no git.
var ErrNoRepository = errors.New("not in a git repository")

// Head returns the commit that is checked out and whether the tree differs from it, "" if there is none.
func Head(ctx context.Context, dir string) (revision string, dirty bool) {
	rev, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		return "", false
	}
	status, err := git(ctx, dir, "status", "--porcelain", "--untracked-files=normal")
	return rev, err != nil || status != ""
}

// Ancestors returns the commit that rev names and all its ancestors.
func Ancestors(ctx context.Context, dir, rev string) (map[string]bool, error) {
	if _, err := git(ctx, dir, "rev-parse", "--git-dir"); err != nil {
		return nil, fmt.Errorf("--base %s: %w", rev, ErrNoRepository)
	}
	out, err := git(ctx, dir, "rev-list", "--end-of-options", rev)
	if err != nil {
		return nil, fmt.Errorf("--base %s: %w", rev, err)
	}
	commits := map[string]bool{}
	for line := range strings.Lines(out) {
		commits[strings.TrimSpace(line)] = true
	}
	return commits, nil
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	var out, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problem
	if err := cmd.Run(); err != nil {
		// The first line says what is wrong; what follows is advice on git's own command line.
		if text, _, _ := strings.Cut(strings.TrimSpace(problem.String()), "\n"); text != "" {
			return "", errors.New(text)
		}
		return "", err
	}
	return strings.TrimSpace(out.String()), nil
}
