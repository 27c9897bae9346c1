package project

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/internal/digest"
	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/classpath"
	"winnow/internal/rts"
	"winnow/internal/safety"
)

// collected is what all processes of an execution did.
type collected struct {
	order []string // keys, as they were met
	runs  map[string][]*testRun
	first *recorder // of the first process
	// around is what is the same for all processes.
	around *surroundings
	// empty are the classes without a test of which tests are known.
	empty []*testRun
	// absent are the tests that are left out.
	absent *absent
	// whole: every process noted its end, and nothing is missing.
	whole    bool
	excluded bool // the framework found tests that were left out
	stopped  bool // Surefire may have given up after a failure, so who was skipped may only have come too late
	problems []string
	reported *reports // nil if Surefire writes none
}

// collect reads the logs and reports every test.
func (m *Module) collect(ctx context.Context, plan *agent.Plan, tests []rts.TestID, sink rts.Sink) error {
	c := &collected{runs: map[string][]*testRun{}, around: m.surroundings(plan), whole: true}
	logs, err := filepath.Glob(filepath.Join(plan.Logs, "*"))
	if err != nil {
		return err
	}
	slices.Sort(logs)
	if m.readers == nil {
		m.readers = readers{}
	}
	lib := m.opened
	if lib == nil {
		if lib, err = m.library(); err != nil {
			return err
		}
	}
	defer lib.close()
	defer func() { m.readers, m.opened = nil, nil }()
	if c.absent, err = m.absent(sink); err != nil {
		return err
	}
	for _, log := range logs {
		if err := m.process(plan, lib, log, sink, c); err != nil {
			c.whole = false
			c.problems = append(c.problems, fmt.Sprintf("%s: %v", filepath.Base(log), err))
		}
	}
	m.setAside(c)
	m.trace = c
	if err := m.tell(lib, c); err != nil {
		return err
	}
	reported, err := m.reported()
	if err != nil {
		return err
	}
	c.reported = reported
	m.around = c.failedAround(reported)
	c.stopped = m.request.StopsAfterFailures() && (c.failed() || len(m.FailedAround()) > 0)
	heard, err := m.report(ctx, plan, sink, c)
	if err != nil {
		return err
	}
	if err := m.unheard(c, reported); err != nil {
		return err
	}
	if err := m.passedOver(ctx, c, tests, heard, reported, sink); err != nil {
		return err
	}
	if c.whole && m.clean && ctx.Err() == nil {
		m.unmarked = m.complete(heard)
	}
	return nil
}

// failed tells whether a test failed.
func (c *collected) failed() bool {
	for _, runs := range c.runs {
		for _, run := range runs {
			if slices.ContainsFunc(run.traces, func(t *agent.TestTrace) bool { return t.Outcome == agent.Failed }) {
				return true
			}
		}
	}
	return false
}

// passedOver is about tests that were to run and of which the framework said nothing. In an execution that came to its end that is an answer: they are disabled with
// their class, or not among those that the user wants. Then it holds as long as the class and the choice stay the same. Otherwise nothing is known.
func (m *Module) passedOver(ctx context.Context, c *collected, tests []rts.TestID, heard map[rts.TestID]bool, reported *reports, sink rts.Sink) error {
	having, named := m.withTests(maps.Keys(heard)), m.methodsOf(slices.Collect(maps.Keys(heard)))
	for _, id := range tests {
		if heard[id] || ctx.Err() != nil {
			continue
		}
		class, method := m.MethodOf(id)
		binary := strings.ReplaceAll(class, "/", ".")
		replaced := method == wholeClass && having[class] || named[methodOf{class, method}] > 0 && m.movedTest(id) // its tests speak for themselves
		if c.first == nil || !replaced && (class == "" || !c.whole || c.stopped || !m.clean || reported == nil || reported.failed(topClass(binary)) || m.program.Digest(class) == digest.Absent) {
			sink.NotRun(id, "the framework did not report it: it is filtered out, belongs to a group that failed, or is gone")
			continue
		}
		res, err := m.absence(id, class, c)
		if err != nil {
			return err
		}
		sink.Done(res)
	}
	return nil
}

// absence is the record of a test that the framework passed over. If its class had no test at all, what happened there decided about that.
func (m *Module) absence(id rts.TestID, class string, c *collected) (rts.Result, error) {
	r := c.first
	s, err := r.stretch()
	if err != nil {
		return rts.Result{}, err
	}
	for _, name := range enclosing(class) {
		if err := r.reflected(s, name); err != nil {
			return rts.Result{}, err
		}
	}
	around, err := r.around(nil)
	if err != nil {
		return rts.Result{}, err
	}
	uses := append(r.uses(s), m.toolUse(filterItem))
	res := rts.Result{
		Record:  rts.Record{Test: id, Outcome: rts.Skipped},
		Own:     rts.Footprint{Uses: append(uses, m.tools.uses(m.scope)...), Includes: around},
		Message: "the framework passed it over",
	}
	for _, run := range c.empty {
		if of := internalName(run.traces[0].Class); of == class || strings.HasPrefix(class, of+"$") || strings.HasPrefix(of, class+"$") {
			if err := run.add(&res); err != nil {
				return rts.Result{}, err
			}
		}
	}
	slices.Sort(res.Own.Includes)
	res.Own.Includes = slices.Compact(res.Own.Includes)
	return res, nil
}

// toolUse is the use of an item of the fingerprint that does not belong to every test.
func (m *Module) toolUse(item string) rts.Use {
	e := m.scope.entity(rts.KindTool, item)
	return rts.Use{Entity: e, Digest: m.Digest(e)}
}

// library opens the class files of the execution.
func (m *Module) library() (*library, error) {
	path, err := classpath.OpenPath(m.program.Feature(), append([]string{m.jdk}, m.classPath()...)...)
	if err != nil {
		return nil, err
	}
	return &library{path: path, jdk: m.program.JDK, root: m.options.Root, known: map[string]*volume{}, shelves: map[string]*shelf{}}, nil
}

// complete notes that all tests of this state of the project are known.
func (m *Module) complete(heard map[rts.TestID]bool) error {
	if err := os.MkdirAll(m.Dir(), 0o755); err != nil {
		return err
	}
	return os.WriteFile(m.marker(), []byte(m.discovery.String()+" "+m.knownDigest(heard)), 0o644)
}

// process reads what one JVM did.
func (m *Module) process(plan *agent.Plan, lib *library, path string, sink rts.Sink, c *collected) error {
	trace, cut, err := m.readers.of(plan, path).Trace()
	if err != nil {
		return err
	}
	if cut != nil || !trace.Finished || trace.Incomplete != "" {
		c.whole = false
	}
	c.excluded = c.excluded || len(trace.Excluded) > 0
	ev := newEvents(c.around, trace.Start.Dir)
	c.around.processes++
	r := newRecorder(newCensus(m.scope, m.program, plan, trace, m.options.Rules), sink, ev)
	if c.first == nil {
		c.first = r
	}
	r.gatherRuns()
	if !m.options.EndsOnly {
		r.shareFactories(lib)
		if err := r.inherit(lib, c.absent.puts); err != nil {
			return err
		}
	}
	for _, run := range r.runs {
		key := run.traces[0].Group
		if c.runs[key] == nil {
			c.order = append(c.order, key)
		}
		c.runs[key] = append(c.runs[key], run)
	}
	noted := map[*agent.Footprint]bool{}
	for _, t := range trace.Tests {
		c.whole = c.whole && t.Outcome != agent.Unfinished
		for _, f := range append([]*agent.Footprint{t.Own}, t.Shared...) {
			if !noted[f] {
				noted[f] = true
				r.note(f)
				if class, ok := groupClass(f.Name); ok {
					r.groups[class] = true
				}
			}
		}
	}
	if trace.Closing != nil {
		r.noteLast(trace.Closing)
	}
	r.keep()
	r.findNatives()
	return nil
}

// report gives every test to the sink.
func (m *Module) report(ctx context.Context, plan *agent.Plan, sink rts.Sink, c *collected) (map[rts.TestID]bool, error) {
	heard := map[rts.TestID]bool{}
	base := sink.Shared(rts.Footprint{Label: "fingerprint", Uses: m.fingerprintUses(plan)})
	for _, key := range c.order {
		id := m.testID(key)
		heard[id] = true
		if m.excluded[id] && c.runs[key][0].traces[0].Empty {
			continue // it is no test, so it cannot be left out
		}
		res, err := m.result(ctx, id, base, c.runs[key])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", id, err)
		}
		if m.doubted[id] && len(m.excluded) > 0 && res.Record.Outcome.Proves() {
			res.Record.Incomplete = true
		}
		if m.excluded[id] {
			res.Unasked = "its runner cannot leave out single tests"
		}
		res.Own.Uses = m.counting(res.Own.Uses)
		sink.Done(res)
	}
	return heard, nil
}

// fingerprintUses are what every test of the execution uses.
func (m *Module) fingerprintUses(plan *agent.Plan) []rts.Use {
	uses := m.tools.uses(m.scope)
	for _, name := range environment {
		e := rts.Entity{Kind: rts.KindEnv, Name: name}
		uses = append(uses, rts.Use{Entity: e, Digest: m.files.Digest(e)})
	}
	return uses
}

// result joins all runs of a test.
func (m *Module) result(ctx context.Context, id rts.TestID, base int, runs []*testRun) (rts.Result, error) {
	res := rts.Result{Record: rts.Record{Test: id}, Own: rts.Footprint{Includes: []int{base}}}
	var ends []ending
	var found []int
	for _, run := range runs {
		if m.options.EndsOnly {
			res.Record.Incomplete = true
		} else if run.traces[0].Empty && !m.options.Rules.Hold(safety.EmptyCounts) { // (S8.15)
			continue
		} else if err := run.add(&res); err != nil {
			return rts.Result{}, err
		}
		for _, t := range run.traces {
			found = append(append(found, run.in.left[t]...), m.trace.absent.outsideFields(run.in.events, t)...)
		}
		for _, t := range run.traces {
			ends = append(ends, ending{t.Key, t.Outcome})
			if t.Begin > 0 && t.End > t.Begin { // what was skipped never began
				res.Record.Duration += time.Duration(t.End - t.Begin)
			}
			if t.Outcome == agent.Failed && res.Message == "" {
				res.Message = t.Why
			}
		}
		around := slices.ContainsFunc(run.traces, func(t *agent.TestTrace) bool { return m.around[topClass(t.Class)] || t.Around })
		res.Record.Incomplete = res.Record.Incomplete || run.in.trace.Incomplete != "" || around
	}
	if err := m.trace.absent.include(&res, found); err != nil {
		return rts.Result{}, err
	}
	slices.Sort(res.Own.Includes)
	res.Own.Includes = slices.Compact(res.Own.Includes)
	res.Record.Outcome = worst(ends)
	if res.Record.Outcome == rts.Killed && ctx.Err() != nil {
		res.Record.Outcome = rts.OutcomeNone
	}
	if !res.Record.Outcome.Proves() || slices.ContainsFunc(runs, (*testRun).inherits) { // (S8.10); one that fails may do so for lack of others
		res.Own.Uses = append(res.Own.Uses, m.toolUse(buildsItem))
	}
	if invoked := func(run *testRun) bool {
		return slices.ContainsFunc(run.traces, func(t *agent.TestTrace) bool { return t.Key != t.Group })
	}; m.trace.stopped && (res.Record.Outcome == rts.Skipped || slices.ContainsFunc(runs, invoked)) {
		res.Record.Incomplete = true // it may not have come to run, or not all of its invocations
	}
	if m.request.RerunsFailing() > 0 && flaky(ends) {
		// Surefire tried again until it passed: that proves nothing.
		res.Record.Outcome, res.Record.Incomplete = rts.Passed, true
	}
	if slices.ContainsFunc(runs, func(r *testRun) bool { return r.unhooked() }) {
		res.Own.Uses = append(res.Own.Uses, opaque("files, properties and the like, which this JVM does not tell"))
	}
	return res, nil
}

// counting drops the uses that a rule which is switched off would keep.
func (m *Module) counting(uses []rts.Use) []rts.Use {
	rules := m.options.Rules
	return slices.DeleteFunc(uses, func(u rts.Use) bool {
		return u.Digest == digest.Absent && !rules.Hold(safety.VainCounts) || u.Digest == outside && !rules.Hold(safety.OutsideCounts)
	})
}
