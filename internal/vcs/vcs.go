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
	"os"
	"os/exec"
	"path/filepath"
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

// Dirs returns the directories in which git keeps what is checked out in a directory and what it knows of branches, none outside a repository. It does not need git.
func Dirs(dir string) []string {
	for {
		at := filepath.Join(dir, ".git")
		if info, err := os.Stat(at); err == nil && info.IsDir() {
			return []string{at}
		} else if err == nil {
			return linked(at)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil
		}
		dir = up
	}
}

// linked returns the directories of a work tree or submodule, whose .git is a file that names the first.
func linked(file string) []string {
	first := named(file, "gitdir:")
	if first == "" {
		return nil
	}
	if common := named(filepath.Join(first, "commondir"), ""); common != "" {
		return []string{first, common}
	}
	return []string{first}
}

// named is the path that a file of git holds, "" if it holds none.
func named(file, before string) string {
	text, err := os.ReadFile(file)
	path, ok := strings.CutPrefix(string(text), before)
	if path = strings.TrimSpace(path); err != nil || !ok || path == "" {
		return ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), path)
	}
	return path
}

// command is one of git, which does not write the index anew when it is only asked for differences.
func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GIT_OPTIONAL_LOCKS=0")
	return cmd
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := command(ctx, dir, args...)
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
