package project

import (
	"context"
	"strings"
	"sync"

	"winnow/internal/jvm/agent"
	"winnow/internal/rts"
)

// gather reads the logs and reports every test. Where the user chose tests on the command line, one of which nothing is heard was not wanted this time: it is
// reported as not run and nothing is recorded of it, so it stays due (S3.3).
func (m *Module) gather(ctx context.Context, plan *agent.Plan, tests []rts.TestID, sink rts.Sink) error {
	chosen := m.request.Chosen()
	if len(chosen) == 0 {
		return m.collect(ctx, plan, tests, sink)
	}
	l := &listener{Sink: sink, heard: map[rts.TestID]bool{}}
	if err := m.collect(ctx, plan, nil, l); err != nil {
		return err
	}
	for _, id := range tests {
		if !l.heard[id] && ctx.Err() == nil {
			sink.NotRun(id, "left out by "+strings.Join(chosen, " ")+" on the command line")
		}
	}
	return nil
}

// A listener notes which tests a sink is told of.
type listener struct {
	rts.Sink
	mu    sync.Mutex
	heard map[rts.TestID]bool
}

// Done notes the test and hands it on.
func (l *listener) Done(res rts.Result) {
	l.mu.Lock()
	l.heard[res.Record.Test] = true
	l.mu.Unlock()
	l.Sink.Done(res)
}
