package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A command is a program that is run in a directory, with its output in a log.
type command struct {
	dir  string
	log  string // standard output and error, unless out is set: then only standard error
	out  string
	env  []string
	args []string
}

// A finished command: how it ended, after how long, and the processor time that it and its children used.
type finished struct {
	Exit    int     `json:"exit"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu,omitempty"`
}

// run fails only if the command cannot be run or was interrupted, not if it ends with another status than 0.
func (c command) run(ctx context.Context) (finished, error) {
	if err := os.MkdirAll(filepath.Dir(c.log), 0o777); err != nil {
		return finished{}, err
	}
	log, err := os.Create(c.log)
	if err != nil {
		return finished{}, err
	}
	defer log.Close()
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, log, log
	cmd.Env = append(os.Environ(), c.env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	if c.out != "" {
		out, err := os.Create(c.out)
		if err != nil {
			return finished{}, err
		}
		defer out.Close()
		cmd.Stdout = out
	}
	start := time.Now()
	err = cmd.Run()
	took := time.Since(start).Seconds()
	if ctx.Err() != nil {
		return finished{}, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return finished{}, err
	}
	state := cmd.ProcessState
	return finished{Exit: state.ExitCode(), Seconds: took, CPU: (state.UserTime() + state.SystemTime()).Seconds()}, nil
}

// must runs a command that has to succeed.
func (c command) must(ctx context.Context) error {
	f, err := c.run(ctx)
	if err == nil && f.Exit != 0 {
		err = fmt.Errorf("%s ended with status %d; see %s", c.args[0], f.Exit, c.log)
	}
	return err
}
