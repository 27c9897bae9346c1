package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"winnow/internal/compare"
	"winnow/internal/jvm/maven"
	"winnow/internal/vcs"
	"winnow/internal/vfs"
)

// measured are the techniques whose end-to-end time is measured. Plain Maven stands for retest-all.
var measured = []string{compare.RetestAll, "smart", "methods"}

// measure runs a revision for each of the measured techniques in a clone of its own, in turn, and returns the seconds of each. A command that was interrupted is not measured when it is repeated:
// the technique may have seen part of the revision.
func (c *comparer) measure(ctx context.Context, commit vcs.Commit, turn int) (map[string]float64, error) {
	file := filepath.Join(c.dir, "revisions", commit.Revision, "measured.json")
	seconds := map[string]float64{}
	if data, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(data, &seconds); err != nil {
			return nil, fmt.Errorf("%s: %w; remove it and try again", file, err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	keep := func() error {
		data, err := json.Marshal(seconds)
		if err != nil {
			return err
		}
		return vfs.WriteWhole(file, data)
	}
	for i := range measured {
		name := measured[(i+turn)%len(measured)]
		took, begun := seconds[name]
		if took > 0 {
			continue
		}
		seconds[name] = 0 // it has begun
		if err := keep(); err != nil {
			return nil, err
		}
		took, err := c.timed(ctx, name, commit.Revision)
		if err != nil {
			return nil, fmt.Errorf("%s at %s: %w", name, short(commit.Revision), err)
		}
		if !begun {
			seconds[name] = took
		}
		if err := keep(); err != nil {
			return nil, err
		}
		fmt.Fprintf(c.Err, "%s %s %s: %.1f s\n", filepath.Base(c.w.root), short(commit.Revision), name, took)
	}
	return seconds, nil
}

// timed lets a technique run a revision: checkout apart, the whole command counts.
func (c *comparer) timed(ctx context.Context, name, revision string) (float64, error) {
	clone, inner, err := c.keptClone(ctx, filepath.Join(c.dir, "measured", name))
	if err != nil {
		return 0, err
	}
	if err := vcs.Checkout(ctx, clone, revision); err != nil {
		return 0, err
	}
	log := &bytes.Buffer{}
	start := time.Now()
	if name == compare.RetestAll {
		err = maven.Plain(ctx, inner, mavenArgs(c.args), log)
	} else {
		err = c.asCommand(inner, name, log)
	}
	took := time.Since(start).Seconds()
	if err != nil {
		return 0, fmt.Errorf("%w\n%s", err, log)
	}
	return took, ctx.Err()
}

// asCommand is `winnow test` as a user gives it.
func (c *comparer) asCommand(dir, technique string, log *bytes.Buffer) error {
	args := []string{"test", "--project", dir, "--kind", mavenKind}
	if technique != "methods" {
		args = append(args, "--technique", technique)
	}
	m := Machine{Out: log, Err: log, Getenv: c.inner.Getenv, Dir: dir}
	if code := Exit(Main(append(append(args, "--"), c.args...), m)); code != ExitOK && code != ExitTests {
		return fmt.Errorf("exit code %d: %s", code, code.says())
	}
	return nil
}
