package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A cost is what a command took.
type cost struct {
	wall, cpu time.Duration
	says      string // the last line of its output
}

// A measurement is the costs of all rounds, by the name of the run.
type measurement struct {
	dir, scratch string
	maven        []string
	winnow       string
	progress     io.Writer
	first        cost
	costs        map[string][]cost
	odd          []string // runs that did not do what they stand for
}

// build makes the program that is measured.
func build(ctx context.Context, dir string) (string, error) {
	file := filepath.Join(dir, "winnow")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", file, "winnow/cmd/winnow")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return file, nil
}

// rounds runs everything.
func (m *measurement) rounds(ctx context.Context, n int) error {
	m.costs = map[string][]cost{}
	if _, err := m.plain(ctx); err != nil {
		return err
	}
	var err error
	if m.first, err = m.test(ctx); err != nil {
		return err
	}
	for i := range n {
		if err := m.round(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// round runs each command once.
func (m *measurement) round(ctx context.Context, i int) error {
	steps := []struct {
		name string
		run  func(context.Context) (cost, error)
		want string // what the output must have if the run is to stand for its name
	}{
		{"plain", m.plain, ""},
		{"record", m.record, ""},
		{"shortcut", m.again, "Maven was not started"},
		{"compile", m.compile, ""},
		{"nothing", m.nothing, "Ran nothing"},
	}
	for _, s := range steps {
		c, err := s.run(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Fprintf(m.progress, "round %d: %-8s %6.1f s, %6.1f s of processor time; %s\n", i+1, s.name, c.wall.Seconds(), c.cpu.Seconds(), c.says)
		if !strings.Contains(c.says, s.want) {
			m.odd = append(m.odd, fmt.Sprintf("round %d: %s: %s", i+1, s.name, c.says))
		}
		m.costs[s.name] = append(m.costs[s.name], c)
	}
	return nil
}

func (m *measurement) plain(ctx context.Context) (cost, error) {
	return m.command(ctx, append([]string{"mvn", "test"}, m.maven...)...)
}

func (m *measurement) compile(ctx context.Context) (cost, error) {
	return m.command(ctx, append([]string{"mvn", "test", "-DskipTests"}, m.maven...)...)
}

func (m *measurement) test(ctx context.Context, flags ...string) (cost, error) {
	return m.command(ctx, slices.Concat([]string{m.winnow, "test", "--kind", "maven", "--project", m.dir}, flags, []string{"--"}, m.maven)...)
}

func (m *measurement) record(ctx context.Context) (cost, error) {
	if err := os.RemoveAll(m.store()); err != nil {
		return cost{}, err
	}
	return m.test(ctx)
}

func (m *measurement) again(ctx context.Context) (cost, error) { return m.test(ctx) }

func (m *measurement) nothing(ctx context.Context) (cost, error) { return m.test(ctx, "--no-shortcut") }

func (m *measurement) store() string { return filepath.Join(m.scratch, "store") }

// command runs a command to its end. That tests fail is told by its output.
func (m *measurement) command(ctx context.Context, args ...string) (cost, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = m.dir, &out, &out
	cmd.Env = append(os.Environ(), "WINNOW_STORE="+m.store(), "WINNOW_CACHE="+filepath.Join(m.scratch, "cache"), "NO_COLOR=1")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	start := time.Now()
	err := cmd.Run()
	c := cost{wall: time.Since(start), says: summary(out.String())}
	if ctx.Err() != nil {
		return c, ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() != 1 {
		return c, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out.String())
	}
	if err != nil && exit == nil {
		return c, err
	}
	c.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if exit != nil {
		c.says = "failed: " + c.says
	}
	return c, nil
}

// summary is what a run says of itself: that Maven was not started, how many tests ran, or its last line.
func summary(out string) string {
	last := ""
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, "Maven was not started") {
			return line
		}
		if line != "" {
			last = line
		}
	}
	return last
}
