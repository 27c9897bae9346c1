package project

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/internal/jvm/agent"
)

// readers read the logs of the processes of an execution, by their path.
type readers map[string]*agent.Reader

// readEvery is how often logs are looked at while tests run.
const readEvery = 200 * time.Millisecond

// follow reads logs as they are written, and the classes that they name, until the execution has ended: one core is often idle while tests run. What cannot be read is told by who reads it in the end.
// JVMs with the agent's option that take too long are killed.
func (m *Module) follow(plan *agent.Plan, option string) {
	m.readers = readers{}
	lib, err := m.library()
	for {
		select {
		case <-m.ended:
			m.opened = lib
			return
		case <-time.After(readEvery):
		}
		if m.options.Limit > 0 && time.Since(m.since) > m.options.Limit {
			killWith(option)
		}
		logs, _ := filepath.Glob(filepath.Join(plan.Logs, "*"))
		for _, path := range logs {
			r := m.readers.of(plan, path)
			before := len(r.Defined())
			r.Read()
			for _, class := range r.Defined()[before:] {
				if of := plan.Detail(class); err == nil && !m.options.EndsOnly && !of.Harness {
					lib.lookUp(of.Name)
				}
			}
		}
	}
}

// killWith kills the processes that were started with an argument. Only Linux tells.
func killWith(argument string) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range all {
		data, err := os.ReadFile(file)
		if err != nil || !slices.Contains(strings.Split(string(data), "\x00"), argument) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill() // it may be gone
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
