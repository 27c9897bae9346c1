package project

import (
	"context"
	"slices"
	"strings"
	"sync"

	"winnow/internal/jvm/agent"
	"winnow/internal/rts"
)

// gather reads the logs and reports every test. Of a test that was to run and of which nothing is heard it says what can be said: that the user chose others on the
// command line; that the execution found no test at all, which is no answer; or that the framework passed it over. In the first two cases nothing is
// recorded of it, so it stays due (S3.3).
func (m *Module) gather(ctx context.Context, plan *agent.Plan, tests []rts.TestID, sink rts.Sink) error {
	l := &listener{Sink: sink, heard: map[rts.TestID]bool{}}
	if err := m.collect(ctx, plan, nil, l); err != nil {
		return err
	}
	why, reported := "", m.trace.reported
	if chosen := m.request.Chosen(); len(chosen) > 0 {
		why = "left out by " + strings.Join(chosen, " ") + " on the command line"
	} else if len(l.heard) == 0 && !m.trace.excluded && m.clean && reported != nil && !reported.any { // without reports nothing speaks against it
		why = "Surefire found no test at all; does its version fit the test framework?"
	}
	if why != "" {
		for _, id := range tests {
			if !l.heard[id] && ctx.Err() == nil {
				sink.NotRun(id, why)
			}
		}
		return nil
	}
	over := &listener{Sink: sink, heard: map[rts.TestID]bool{}}
	err := m.passedOver(ctx, m.trace, tests, l.heard, reported, over)
	m.over = over.order
	return err
}

// An UnheardError means that tests ran of which the agent knows nothing, or whose log cannot be read, so they have no record.
type UnheardError struct{ Problems []string }

func (e *UnheardError) Error() string {
	return "some tests ran and have no record: " + strings.Join(e.Problems, "; ")
}

// Unmarked is why it could not be noted that all tests are known, nil if it was or need not be. Without that the next run merely looks for new tests.
func (m *Module) Unmarked() error { return m.unmarked }

// PassedOver lists the tests that were to run and that the framework passed over in an execution that came to its end. They count as skipped.
func (m *Module) PassedOver() []rts.TestID { return m.over }

// FailedAround lists the classes around whose tests something failed: their tear-down, for example.
func (m *Module) FailedAround() []string {
	var out []string
	for class, failed := range m.around {
		if failed {
			out = append(out, class)
		}
	}
	slices.Sort(out)
	return out
}

// Lost says for each process whose record must not be trusted why, each reason once: its tests prove nothing.
func (m *Module) Lost() []string {
	if m.trace == nil {
		return nil
	}
	var out []string
	for _, r := range m.recorders() {
		if why := strings.TrimSpace(r.trace.Incomplete); why != "" && !slices.Contains(out, why) {
			out = append(out, why)
		}
	}
	return out
}

// A listener notes which tests a sink is told of.
type listener struct {
	rts.Sink
	mu    sync.Mutex
	heard map[rts.TestID]bool
	order []rts.TestID
}

// Done notes the test and hands it on.
func (l *listener) Done(res rts.Result) {
	l.mu.Lock()
	l.heard[res.Record.Test] = true
	l.order = append(l.order, res.Record.Test)
	l.mu.Unlock()
	l.Sink.Done(res)
}
