package project

import (
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/table"
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
	r.own = map[*agent.Footprint]string{}
	for _, t := range r.trace.Tests {
		if !t.Empty {
			r.own[t.Own] = t.Group
		}
		run := byKey[t.Group]
		if run == nil {
			run = &testRun{in: r}
			byKey[t.Group] = run
			r.runs = append(r.runs, run)
		}
		run.traces = append(run.traces, t)
	}
}

// setAside keeps classes without a test apart if tests of them are known: these were left out, or are told to be passed over. A group that is no class of the project tells nothing, and neither does a suite whose classes
// were left out.
func (m *Module) setAside(c *collected) {
	known := m.withTests(slices.Values(m.options.Known))
	for _, runs := range c.runs {
		if t := runs[0].traces[0]; !t.Empty || t.Method != "" {
			addEnclosing(known, internalName(t.Class))
		}
	}
	c.order = slices.DeleteFunc(c.order, func(key string) bool {
		run := c.runs[key][0]
		t := run.traces[0]
		class := internalName(t.Class)
		if !t.Empty || t.Method != "" || !known[class] && m.program.Digest(class) != digest.Absent && (!c.excluded || m.hasTests(class)) {
			return false
		}
		c.empty = append(c.empty, c.runs[key]...)
		delete(c.runs, key)
		return true
	})
}

// hasTests tells whether a class or one above it declares a test, or may.
func (m *Module) hasTests(class string) bool {
	for class != "" && !m.program.JDK(class) {
		t, err := m.program.Table(class)
		if err != nil || t == nil || len(t.Interfaces) > 0 || slices.ContainsFunc(t.Methods, func(of table.Method) bool { return of.IsTest() }) {
			return true
		}
		class = t.Super
	}
	return false
}

// inherits tells whether the test depends on what others did.
func (run *testRun) inherits() bool {
	return slices.ContainsFunc(run.traces, func(t *agent.TestTrace) bool { return len(run.in.needs[t]) > 0 })
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
	elsewhere, err := r.elsewhere(run.traces)
	if err != nil {
		return err
	}
	res.Own.Includes = append(append(res.Own.Includes, inits...), elsewhere...)
	return r.includeCoarse(res, coarse)
}

// around makes the footprints known that a test has besides its own: those of the groups around it, which are given, what the process did before and after all tests, and what runs the tests.
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
	out, err := r.harness()
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		n, err := r.footprint(f)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// harness makes the footprint known of the classes that ran the tests of the process: each counts as a whole, whichever test needed it (S8.4). There is none if they have probes.
func (r *recorder) harness() ([]int, error) {
	if r.harnessed != nil || !r.rules.Hold(safety.UnwatchedCounts) {
		return r.harnessed, nil
	}
	r.harnessed = []int{}
	var names []string
	for _, k := range r.trace.Defined {
		of := r.plan.Detail(k)
		if !of.Harness {
			continue
		}
		i, err := r.class(of.Name)
		if err != nil {
			return nil, err
		}
		if i >= 0 && r.program.Content(of.Name) != of.Digest && r.rules.Hold(safety.OtherClassDiffers) { // (S8.5)
			r.classes[i].same = false
		}
		names = append(names, of.Name)
	}
	if len(names) == 0 {
		return nil, nil
	}
	n, err := r.asWholes("what runs the tests", names)
	if err != nil {
		return nil, err
	}
	r.harnessed = append(r.harnessed, n)
	return r.harnessed, nil
}

// asWholes makes a footprint known of classes that count as a whole each.
func (r *recorder) asWholes(label string, names []string) (int, error) {
	r.turn++
	s := &stretch{whole: map[int]bool{}, inits: map[*agent.Footprint]bool{}}
	for _, name := range names {
		if err := r.wholly(s, name); err != nil {
			return 0, err
		}
	}
	inits, err := r.initializers(s.inits)
	if err != nil {
		return 0, err
	}
	return r.sink.Shared(rts.Footprint{Label: label, Uses: r.uses(s), Includes: inits}), nil
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
	names := r.unwatched(n)
	if len(names) == 0 || !r.rules.Hold(safety.UnwatchedCounts) {
		return nil
	}
	number, ok := r.coarse[len(names)]
	if !ok {
		var err error
		if number, err = r.asWholes("classes that could not be watched", names); err != nil {
			return err
		}
		r.coarse[len(names)] = number
	}
	res.Own.Includes = append(res.Own.Includes, number)
	return nil
}

// A coarseClass is a class without probes, and its place in the trace.
type coarseClass struct {
	at   int
	name string
}

// unwatched lists the classes of the program among the first classes without probes, each once. Of most programs there are few, but tests that generate classes have thousands.
func (r *recorder) unwatched(first int) []string {
	if r.without == nil {
		r.without = []coarseClass{}
		known := map[string]bool{}
		for i, c := range r.trace.Coarse {
			if c.Name != "" && !known[c.Name] && r.program.Digest(c.Name) != digest.Absent && !r.program.JDK(c.Name) {
				r.without = append(r.without, coarseClass{i, c.Name})
			}
			known[c.Name] = true
		}
	}
	var out []string
	for _, c := range r.without {
		if c.at < first {
			out = append(out, c.name)
		}
	}
	return out
}

// unhooked tells whether the JVM did not tell about files, properties and the like.
func (r *testRun) unhooked() bool {
	return !r.in.trace.Start.Hooked || r.has(agent.NoHook)
}

func (r *testRun) has(code agent.ProblemCode) bool {
	return slices.ContainsFunc(r.in.trace.Problems, func(p agent.Problem) bool { return p.Code == code })
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
