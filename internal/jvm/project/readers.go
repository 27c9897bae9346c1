package project

import (
	"os"
	"path/filepath"
	"time"

	"winnow/internal/jvm/agent"
)

// readers read the logs of the processes of an execution, by their path.
type readers map[string]*agent.Reader

// readEvery is how often logs are looked at while tests run.
const readEvery = 200 * time.Millisecond

// readLogs reads logs as they are written, until the execution has ended: one core is often idle while tests run.
func readLogs(plan *agent.Plan, ended <-chan struct{}) readers {
	r := readers{}
	for {
		select {
		case <-ended:
			return r
		case <-time.After(readEvery):
		}
		entries, err := os.ReadDir(plan.Logs)
		if err != nil {
			continue // who reads them in the end will say it
		}
		for _, e := range entries {
			r.of(plan, filepath.Join(plan.Logs, e.Name())).Read()
		}
	}
}

// of is the reader of a log.
func (r readers) of(plan *agent.Plan, path string) *agent.Reader {
	if r[path] == nil {
		r[path] = agent.NewReader(plan, path)
	}
	return r[path]
}
