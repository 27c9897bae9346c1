package project

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"winnow/internal/digest"
	"winnow/internal/jvm/agent"
	"winnow/internal/rts"
)

// A Watch is an execution that ran without being recorded in a store: what would have been recorded is kept in memory, with what the processes told.
type Watch struct {
	*Module
	ledger *ledger
}

// Watch runs all tests of the execution that are not left out by the build itself, and waits for its end.
func (m *Module) Watch(ctx context.Context) (*Watch, error) {
	w := &Watch{Module: m, ledger: &ledger{done: map[rts.TestID]rts.Result{}}}
	var all []rts.TestID
	for _, t := range m.tests {
		all = append(all, t.ID)
	}
	if err := m.Run(ctx, all, w.ledger); err != nil {
		return nil, err
	}
	return w, nil
}

// Clean tells whether the execution came to its end and nothing of it is missing.
func (w *Watch) Clean() bool { return w.clean && w.trace.whole }

// Processes is the number of JVMs that told something.
func (w *Watch) Processes() int { return len(w.recorders()) }

// Tests is the number of tests that ended.
func (w *Watch) Tests() int { return len(w.ledger.done) }

// Classes lists the top-level classes of the tests, in the order in which they began.
func (w *Watch) Classes() []string {
	var out []string
	seen := map[string]bool{}
	for _, key := range w.trace.order {
		for _, run := range w.trace.runs[key] {
			class := topClass(run.traces[0].Class)
			if class != "" && !seen[class] {
				seen[class] = true
				out = append(out, class)
			}
		}
	}
	return out
}

// Within lists a top-level class and the classes inside of it that have tests, sorted.
func (w *Watch) Within(class string) []string {
	names := map[string]bool{class: true}
	for _, runs := range w.trace.runs {
		for _, run := range runs {
			if of := run.traces[0].Class; strings.HasPrefix(of, class+"$") {
				names[of] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// An Always is a reason why some tests run every time.
type Always struct {
	Why   string       `json:"why"`
	Tests []rts.TestID `json:"tests"`
}

// Always lists why tests run every time: they depend on what is outside the project, or on what cannot be tracked, or belong to an engine that is not known.
func (w *Watch) Always() []Always {
	tests := map[string][]rts.TestID{}
	for id, res := range w.ledger.done {
		whys := map[string]bool{}
		if t := w.Found(id); t.Always != "" {
			whys[t.AlwaysWhy] = true
		}
		w.ledger.each(res.Own, func(_ string, u rts.Use) {
			if u.Entity.Kind == rts.KindExternal || u.Entity.Kind == rts.KindOpaque {
				whys[u.Entity.String()] = true
			}
		})
		for why := range whys {
			tests[why] = append(tests[why], id)
		}
	}
	var out []Always
	for _, why := range slices.Sorted(maps.Keys(tests)) {
		slices.Sort(tests[why])
		out = append(out, Always{why, tests[why]})
	}
	return out
}

// Problems says what could not be watched, in words: places without hooks, logs that are cut, classes that could not be read.
func (w *Watch) Problems() []string {
	out := slices.Clone(w.trace.problems)
	for _, r := range w.recorders() {
		if !r.trace.Start.Hooked {
			out = append(out, "the JDK has not all its hooks: files, properties and the like cannot be tracked, so every test runs every time")
		}
		for _, p := range r.trace.Problems {
			out = append(out, p.Code.String()+": "+p.Text)
		}
		if r.trace.Incomplete != "" {
			out = append(out, "not to be trusted: "+r.trace.Incomplete)
		}
		if !r.trace.Finished {
			out = append(out, fmt.Sprintf("a JVM (process %d) did not note its end", r.trace.Start.PID))
		}
		out = append(out, r.plan.Problems...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Unwatched lists the classes of the class path that ran without probes, each with the reason.
func (w *Watch) Unwatched() []string {
	var out []string
	for _, r := range w.recorders() {
		for _, c := range r.trace.Coarse {
			if c.Name != "" && !r.program.JDK(c.Name) && r.program.Digest(c.Name) != digest.Absent {
				out = append(out, strings.ReplaceAll(c.Name, "/", ".")+": "+c.Reason.String())
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// recorders are those of all processes that ran a test, in the order in which tests were met.
func (m *Module) recorders() []*recorder {
	var out []*recorder
	for _, key := range m.trace.order {
		for _, run := range m.trace.runs[key] {
			if !slices.Contains(out, run.in) {
				out = append(out, run.in)
			}
		}
	}
	return out
}

// A ledger keeps what is reported.
type ledger struct {
	mu     sync.Mutex
	shared []rts.Footprint
	done   map[rts.TestID]rts.Result
}

var _ rts.Sink = (*ledger)(nil)

func (l *ledger) Shared(f rts.Footprint) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shared = append(l.shared, f)
	return len(l.shared) - 1
}

func (l *ledger) Body(digest.Digest, []byte) {}

func (l *ledger) Done(res rts.Result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done[res.Record.Test] = res
}

func (l *ledger) NotRun(rts.TestID, string) {}

// each gives all uses of a footprint with those that it includes, and the label of the one that has it.
func (l *ledger) each(own rts.Footprint, yield func(label string, u rts.Use)) {
	seen := map[int]bool{}
	todo := []rts.Footprint{own}
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, u := range f.Uses {
			yield(f.Label, u)
		}
		for _, n := range f.Includes {
			if !seen[n] {
				seen[n] = true
				todo = append(todo, l.shared[n])
			}
		}
	}
}

// stretchesOf lists what a test did by itself and with the groups around it, with initializers, but not the start of its process: that is the same whatever
// tests follow.
func stretchesOf(run *testRun) []*agent.Footprint {
	var out []*agent.Footprint
	seen := map[*agent.Footprint]bool{}
	var add func(f *agent.Footprint)
	add = func(f *agent.Footprint) {
		if seen[f] || starts(f) {
			return
		}
		seen[f] = true
		out = append(out, f)
		for _, i := range f.Inits {
			add(i)
		}
	}
	for _, t := range run.traces {
		add(t.Own)
		for _, f := range t.Shared {
			add(f)
		}
	}
	return out
}
