package project

import (
	"path/filepath"
	"time"

	"winnow/internal/jvm/agent"
)

// readers read the logs of the processes of an execution, by their path.
type readers map[string]*agent.Reader

// readEvery is how often logs are looked at while tests run.
const readEvery = 200 * time.Millisecond

// follow reads logs as they are written, and the classes that they name, until the execution has ended: one core is often idle while tests run. What cannot be read is told by who reads it in the end.
func (m *Module) follow(plan *agent.Plan) {
	m.readers = readers{}
	lib, err := m.library()
	for {
		select {
		case <-m.ended:
			m.opened = lib
			return
		case <-time.After(readEvery):
		}
		logs, _ := filepath.Glob(filepath.Join(plan.Logs, "*"))
		for _, path := range logs {
			r := m.readers.of(plan, path)
			before := len(r.Defined())
			r.Read()
			for _, class := range r.Defined()[before:] {
				if err == nil && !m.options.EndsOnly {
					_, _ = lib.Class(plan.Detail(class).Name)
				}
			}
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
