package project

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"winnow/internal/digest"
	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/state"
	"winnow/internal/rts"
	"winnow/internal/safety"
)

// A run of a test is all that one process did for it: one trace, or one for each invocation.
type testRun struct {
	in     *recorder
	traces []*agent.TestTrace
}

// own lists the footprints of the run, each once.
func (run *testRun) own() []*agent.Footprint {
	var own []*agent.Footprint
	known := map[*agent.Footprint]bool{}
	for _, t := range run.traces {
		if !known[t.Own] {
			known[t.Own] = true
			own = append(own, t.Own)
		}
	}
	return own
}

// gatherRuns sorts the tests of the process by what they are runs of.
func (r *recorder) gatherRuns() {
	byKey := map[string]*testRun{}
	for _, t := range r.trace.Tests {
		run := byKey[t.Group]
		if run == nil {
			run = &testRun{in: r}
			byKey[t.Group] = run
			r.runs = append(r.runs, run)
		}
		run.traces = append(run.traces, t)
	}
}

// collected is what all processes of an execution did.
type collected struct {
	order []string // keys, as they were met
	runs  map[string][]*testRun
	first *recorder // of the first process
	// absent are the tests that are left out.
	absent *absent
	// whole: every process noted its end, and nothing is missing.
	whole    bool
	excluded bool // the framework found tests that were left out
	problems []string
}

// collect reads the logs and reports every test.
func (m *Module) collect(ctx context.Context, plan *agent.Plan, tests []rts.TestID, sink rts.Sink) error {
	c := &collected{runs: map[string][]*testRun{}, whole: true}
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
	defer lib.path.Close()
	defer func() { m.readers, m.opened = nil, nil }()
	if c.absent, err = m.absent(); err != nil {
		return err
	}
	for _, log := range logs {
		if err := m.process(plan, lib, log, sink, c); err != nil {
			c.whole = false
			c.problems = append(c.problems, fmt.Sprintf("%s: %v", filepath.Base(log), err))
		}
	}
	m.trace = c
	if err := m.tell(lib, c); err != nil {
		return err
	}
	reported, err := m.reported()
	if err != nil {
		return err
	}
	m.around = c.failedAround(reported)
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

// unheard compares with Surefire's own reports: no test may run without being mentioned (S3.1).
func (m *Module) unheard(c *collected, reported *reports) error {
	heard := map[string]bool{}
	for _, runs := range c.runs {
		for _, run := range runs {
			for _, t := range run.traces {
				top := topClass(t.Class)
				heard[top], heard[top[strings.LastIndexByte(top, '.')+1:]] = true, true // some engines report without the package
			}
		}
	}
	var silent []string
	if reported == nil {
		reported = &reports{}
	}
	for _, class := range slices.Sorted(maps.Keys(reported.passed)) {
		// A framework that does not tell classes has others in its reports.
		if !heard[topClass(class)] && !heard[""] {
			silent = append(silent, class)
		}
	}
	if len(silent) == 0 && len(c.problems) == 0 {
		return nil
	}
	c.whole = false
	for _, class := range silent {
		c.problems = append(c.problems, "Surefire ran tests of "+class+", and the agent knows of none")
	}
	return &UnheardError{c.problems}
}

// topClass is the class around a nested one. Frameworks and reports differ in which of them they name. Of a parameterized class they name the invocation: p.A[1].
func topClass(class string) string {
	if end := strings.IndexAny(class, "$["); end >= 0 {
		return class[:end]
	}
	return class
}

// failedAround lists the classes in which more failed than tests, as Surefire says: something around them did, such as their tear-down. Their tests prove nothing then (S3.5).
func (c *collected) failedAround(reported *reports) map[string]bool {
	out := map[string]bool{}
	if reported == nil {
		return out
	}
	failed := map[string]int{}
	for _, runs := range c.runs {
		for _, run := range runs {
			for _, t := range run.traces {
				if t.Outcome == agent.Failed {
					failed[topClass(t.Class)]++
				}
			}
		}
	}
	for class, n := range reported.bad {
		out[class] = n > failed[class]
	}
	return out
}

// passedOver is about tests that were to run and of which the framework said nothing. In an execution that came to its end that is an answer: they are disabled with
// their class, or not among those that the user wants. Then it holds as long as the class and the choice stay the same. Otherwise nothing is known.
func (m *Module) passedOver(ctx context.Context, c *collected, tests []rts.TestID, heard map[rts.TestID]bool, reported *reports, sink rts.Sink) error {
	for _, id := range tests {
		if heard[id] || ctx.Err() != nil {
			continue
		}
		local, _ := m.scope.local(string(id))
		class, _ := classOf(local)
		binary := strings.ReplaceAll(class, "/", ".")
		if class == "" || !c.whole || !m.clean || c.first == nil || reported == nil || reported.bad[topClass(binary)] > 0 || m.program.Digest(class) == digest.Absent {
			sink.NotRun(id, "the framework did not report it: it is filtered out, belongs to a group that failed, or is gone")
			continue
		}
		res, err := m.absence(id, class, c.first)
		if err != nil {
			return err
		}
		sink.Done(res)
	}
	return nil
}

// absence is the record of a test that the framework passed over.
func (m *Module) absence(id rts.TestID, class string, r *recorder) (rts.Result, error) {
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
	filter := m.scope.entity(rts.KindTool, filterItem)
	uses := append(r.uses(s), rts.Use{Entity: filter, Digest: m.Digest(filter)})
	return rts.Result{
		Record:  rts.Record{Test: id, Outcome: rts.Skipped},
		Own:     rts.Footprint{Uses: append(uses, m.tools.uses(m.scope)...), Includes: around},
		Message: "the framework passed it over",
	}, nil
}

// reports are what Surefire says of the execution, by class.
type reports struct {
	passed map[string]bool
	bad    map[string]int // how often
	any    bool           // some test is mentioned, however it ended
}

// testCase is a test in a report of Surefire.
var testCase = regexp.MustCompile(`<testcase [^>]*?classname="([^"]*)"[^>]*?/?>(?:\s*<(skipped|error|failure|flakyFailure))?`)

// reported reads Surefire's reports; nil if it writes none.
func (m *Module) reported() (*reports, error) {
	dir := m.request.Text("reportsDirectory")
	if dir == "" || m.request.Is("disableXmlReport") {
		return nil, nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "TEST-*.xml"))
	if err != nil {
		return nil, err
	}
	out := &reports{passed: map[string]bool{}, bad: map[string]int{}}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil || info.ModTime().Before(m.since) {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, t := range testCase.FindAllSubmatch(data, -1) {
			out.any = true
			switch class := string(t[1]); string(t[2]) {
			case "":
				out.passed[class] = true
			case "error", "failure":
				out.bad[topClass(class)]++
			}
		}
	}
	return out, nil
}

// library opens the class files of the execution.
func (m *Module) library() (*library, error) {
	path, err := classpath.OpenPath(m.program.Feature(), append([]string{m.jdk}, m.classPath()...)...)
	if err != nil {
		return nil, err
	}
	return &library{path: path, jdk: m.program.JDK, root: m.options.Root, known: map[string]*state.Class{}}, nil
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
	ev := &events{
		scope: m.scope, snap: m.snapshot, dir: trace.Start.Dir, since: m.since, testClasses: m.request.TestClasses, own: m.machinery(plan), build: filepath.Dir(m.request.TestClasses), classes: m.classDirectories(), left: m.snapshot.files.Fresh(), writers: map[string][]*agent.Footprint{}, within: map[string][]string{}, properties: map[string][]*agent.Footprint{}, last: map[string]bool{}, listens: map[string]bool{},
	}
	r := newRecorder(newCensus(m.scope, m.program, plan, trace, m.options.Rules), sink, ev)
	if c.first == nil {
		c.first = r
	}
	r.gatherRuns()
	if !m.options.EndsOnly {
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
				ev.note(f)
				if class, ok := strings.CutPrefix(f.Name, jupiter+"[class:"); ok && !strings.Contains(class, "/") {
					r.groups[internalName(strings.TrimSuffix(class, "]"))] = true
				}
			}
		}
	}
	if trace.Closing != nil {
		ev.noteLast(trace.Closing)
	}
	r.keep()
	return nil
}

// classDirectories lists the directories of the class path.
func (m *Module) classDirectories() []string {
	return slices.DeleteFunc(slices.Clone(m.classPath()), func(p string) bool {
		info, err := os.Stat(p)
		return err != nil || !info.IsDir()
	})
}

// machinery lists the paths that belong to the JVM, to Surefire and to Winnow.
func (m *Module) machinery(plan *agent.Plan) []string {
	own := []string{m.jdk, m.options.Dir, m.options.Cache, filepath.Dir(plan.Logs), "/proc", "/sys", "/dev"}
	for _, p := range m.classPath() {
		if info, err := os.Stat(p); err != nil || !info.IsDir() {
			own = append(own, p) // a jar is known by its classes and resources
		}
	}
	target := filepath.Dir(m.request.TestClasses)
	return append(own, filepath.Join(target, "surefire"), filepath.Join(target, "surefire-reports"), filepath.Join(os.TempDir(), "surefire"))
}

// report gives every test to the sink.
func (m *Module) report(ctx context.Context, plan *agent.Plan, sink rts.Sink, c *collected) (map[rts.TestID]bool, error) {
	heard := map[rts.TestID]bool{}
	base := sink.Shared(rts.Footprint{Label: "fingerprint", Uses: m.fingerprintUses(plan)})
	for _, key := range c.order {
		id := m.testID(key)
		res, err := m.result(ctx, id, base, c.runs[key])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", id, err)
		}
		heard[id] = true
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
	if err := m.trace.absent.include(&res, runs[0].in.sink, found); err != nil {
		return rts.Result{}, err
	}
	slices.Sort(res.Own.Includes)
	res.Own.Includes = slices.Compact(res.Own.Includes)
	res.Record.Outcome = worst(ends)
	if res.Record.Outcome == rts.Killed && ctx.Err() != nil {
		res.Record.Outcome = rts.OutcomeNone
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

// An ending is how one invocation ended.
type ending struct {
	key     string
	outcome agent.Outcome
}

// worst is the outcome of a test with several invocations.
func worst(ends []ending) rts.Outcome {
	has := func(o agent.Outcome) bool {
		return slices.ContainsFunc(ends, func(e ending) bool { return e.outcome == o })
	}
	switch {
	case has(agent.Failed):
		return rts.Failed
	case has(agent.Unfinished):
		return rts.Killed
	case has(agent.Passed):
		return rts.Passed
	}
	return rts.Skipped
}

// flaky tells whether every invocation that failed passed at another time.
func flaky(ends []ending) bool {
	failed := false
	for _, e := range ends {
		if e.outcome != agent.Failed {
			continue
		}
		failed = true
		if !slices.ContainsFunc(ends, func(f ending) bool { return f.key == e.key && f.outcome == agent.Passed }) {
			return false
		}
	}
	return failed
}

// unhooked tells whether the JVM did not tell about files, properties and the like.
func (r *testRun) unhooked() bool {
	return !r.in.trace.Start.Hooked || r.has(agent.NoHook)
}

func (r *testRun) has(code agent.ProblemCode) bool {
	return slices.ContainsFunc(r.in.trace.Problems, func(p agent.Problem) bool { return p.Code == code })
}

// add adds what the process did for the test.
func (run *testRun) add(res *rts.Result) error {
	r := run.in
	own, shared, coarse := run.own(), map[*agent.Footprint]bool{}, 0
	for _, t := range run.traces {
		for _, f := range t.Shared {
			shared[f] = true
		}
		coarse = max(coarse, len(t.Coarse))
	}
	s, err := r.stretch(own...)
	if err != nil {
		return err
	}
	for _, t := range run.traces {
		for _, f := range r.needs[t] {
			s.inits[f] = true
		}
	}
	var uses []rts.Use
	for _, f := range own {
		more, err := r.eventUses(s, f)
		if err != nil {
			return err
		}
		uses = append(uses, more...)
	}
	if class := run.traces[0].Class; class != "" && r.rules.Hold(safety.OwnClassCounts) { // (S8.6)
		if err := run.ownClass(s, internalName(class)); err != nil {
			return err
		}
	}
	res.Own.Uses = append(res.Own.Uses, append(r.uses(s), uses...)...)
	around, err := r.around(shared)
	if err != nil {
		return err
	}
	if r.rules.Hold(safety.AroundCounts) { // (S8.3)
		res.Own.Includes = append(res.Own.Includes, around...)
	}
	inits, err := r.initializers(s.inits)
	if err != nil {
		return err
	}
	res.Own.Includes = append(res.Own.Includes, inits...)
	return r.includeCoarse(res, coarse)
}

// around makes the footprints known that a test has besides its own: those of the groups around it, which are given, and what the process did before and after all tests.
func (r *recorder) around(groups map[*agent.Footprint]bool) ([]int, error) {
	all := []*agent.Footprint{r.trace.Process}
	if r.trace.Closing != nil {
		all = append(all, r.trace.Closing)
	}
	for f := range groups {
		if f != r.trace.Process {
			all = append(all, f)
		}
	}
	var out []int
	for _, f := range all {
		n, err := r.footprint(f)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// ownClass adds what the framework looked at to run the test: its class and those around it.
func (run *testRun) ownClass(s *stretch, class string) error {
	r := run.in
	_, method := classOf(nameOf(run.traces[0].Group))
	framed := method != "" && r.declaresTest(class, method)
	for _, t := range run.traces {
		framed = framed && r.onlyFramework(append([]*agent.Footprint{t.Own}, t.Shared...)...)
	}
	for _, name := range enclosing(class) {
		add := r.reflected
		if framed {
			add = func(s *stretch, name string) error { return r.framed(s, name, method) }
		}
		if err := add(s, name); err != nil {
			return err
		}
	}
	return nil
}

// includeCoarse adds the classes that were defined without probes before the test ended, each as a whole (S8.4).
func (r *recorder) includeCoarse(res *rts.Result, n int) error {
	names := map[string]bool{}
	for _, c := range r.trace.Coarse[:n] {
		if c.Name != "" && !names[c.Name] && r.program.Digest(c.Name) != digest.Absent && !r.program.JDK(c.Name) {
			names[c.Name] = true
		}
	}
	if len(names) == 0 || !r.rules.Hold(safety.UnwatchedCounts) {
		return nil
	}
	number, ok := r.coarse[len(names)]
	if !ok {
		r.turn++
		s := &stretch{whole: map[int]bool{}, inits: map[*agent.Footprint]bool{}}
		for name := range names {
			if err := r.wholly(s, name); err != nil {
				return err
			}
		}
		inits, err := r.initializers(s.inits)
		if err != nil {
			return err
		}
		number = r.sink.Shared(rts.Footprint{Label: "classes that could not be watched", Uses: r.uses(s), Includes: inits})
		r.coarse[len(names)] = number
	}
	res.Own.Includes = append(res.Own.Includes, number)
	return nil
}
