package project

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"winnow/internal/jvm/agent"
	"winnow/internal/rts"
)

// An UnrecordedError means that the agent could not be prepared. All tests of the execution run as without Winnow, and nothing of them is recorded.
type UnrecordedError struct{ Err error }

func (e *UnrecordedError) Error() string {
	return fmt.Sprintf("Winnow cannot record this run, so all tests run: %v", e.Err)
}

// Unwrap returns the cause.
func (e *UnrecordedError) Unwrap() error { return e.Err }

// prepare makes the agent's plan, and the JVM option that brings the agent in. Where the project's data cannot be written, because the disk is full or the place is
// read-only, the plan is made among the temporary files: what is known can still be used.
func (m *Module) prepare(ctx context.Context, tests []rts.TestID) (*agent.Plan, string, error) {
	exclude := m.leaveOut(tests)
	plan, option, err := m.plan(ctx, filepath.Join(m.Dir(), "agent"), exclude)
	if err == nil || ctx.Err() != nil {
		return plan, option, err
	}
	aside, failed := os.MkdirTemp("", "winnow-agent-")
	if failed != nil {
		return nil, "", errors.Join(err, failed)
	}
	if plan, option, failed = m.plan(ctx, aside, exclude); failed != nil {
		return nil, "", errors.Join(err, os.RemoveAll(aside))
	}
	m.aside = aside
	return plan, option, nil
}

// leaveOut notes the known tests that are not to run, and returns their keys.
func (m *Module) leaveOut(tests []rts.TestID) []string {
	due := map[rts.TestID]bool{}
	for _, id := range tests {
		due[id] = true
		if _, method := m.MethodOf(id); method == wholeClass {
			m.unlisted = "a class that had no test may have some"
		}
	}
	var exclude []string
	for _, t := range m.tests {
		if !due[t.ID] {
			local, _ := m.scope.local(string(t.ID))
			exclude = append(exclude, keyOf(local))
			m.excluded[t.ID] = true
		}
	}
	return exclude
}

// plan makes the agent's plan in a directory.
func (m *Module) plan(ctx context.Context, dir string, exclude []string) (*agent.Plan, string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, "", err
	}
	// A directory of its own: another run of the same project must not take these logs for its own.
	logs, err := os.MkdirTemp(dir, "logs-")
	if err != nil {
		return nil, "", err
	}
	plan, err := agent.Build(ctx, agent.Options{
		JDK: m.jdk, ClassPath: m.classPath(), Exclude: exclude, Dir: dir, Logs: logs, Seen: m.options.Seen, Cache: m.options.Cache.packs(),
		Detail: m.options.Observe != nil,
	})
	if err != nil {
		return nil, "", errors.Join(err, os.RemoveAll(logs))
	}
	option, err := plan.Option()
	if err != nil {
		return nil, "", errors.Join(err, os.RemoveAll(logs))
	}
	return plan, option, nil
}
