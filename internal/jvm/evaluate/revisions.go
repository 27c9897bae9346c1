package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s in %s: %w: %s", args[0], dir, err, bytes.TrimSpace(stderr.Bytes()))
	}
	return string(out), nil
}

var sources = []string{"*.java", "*.kt", "*.groovy", "*.scala"}

// codeRevisions returns the last code-changing revisions of a tip, oldest first: n of them, or at least as many as are needed.
func codeRevisions(ctx context.Context, dir, tip string, n, needed int) ([]string, error) {
	list, err := git(ctx, dir, append([]string{"rev-list", "--first-parent", tip, "--"}, sources...)...)
	if err != nil {
		return nil, err
	}
	var found []string
	for rev := range strings.FieldsSeq(list) {
		diff, err := git(ctx, dir, append([]string{"diff", "-U0", rev + "^1", rev, "--"}, sources...)...)
		if err != nil {
			break // the first revision of all has no parent
		}
		if !changesCode(diff) {
			continue
		}
		if found = append(found, rev); len(found) == n {
			break
		}
	}
	if len(found) < needed {
		return nil, fmt.Errorf("%s has only %d code-changing revisions up to %s, not %d", dir, len(found), tip, needed)
	}
	slices.Reverse(found)
	return found, nil
}

// changesCode tells whether a diff without context changes a line that is neither blank nor a comment.
func changesCode(diff string) bool {
	for line := range strings.Lines(diff) {
		if strings.HasPrefix(line, "+++") || strings.HasPrefix(line, "---") || line[0] != '+' && line[0] != '-' {
			continue
		}
		if text := strings.TrimSpace(line[1:]); text != "" && !isComment(text) {
			return true
		}
	}
	return false
}

func isComment(text string) bool {
	for _, start := range []string{"*", "//", "/*"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// checkout makes a directory hold a revision. What a build left there stays, as it does for a developer.
func checkout(ctx context.Context, clone, dir, rev string) error {
	if _, err := os.Stat(dir); err != nil {
		if _, err := git(ctx, clone, "clone", "--quiet", "--no-checkout", clone, dir); err != nil {
			return err
		}
	}
	_, err := git(ctx, dir, "checkout", "--quiet", "--force", "--detach", rev)
	return err
}
