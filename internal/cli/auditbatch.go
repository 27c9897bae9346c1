package cli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"winnow/internal/audit"
	"winnow/internal/jvm/maven"
	"winnow/internal/rts"
)

// A mutantBatch tries several mutants in one Maven process: after the phases that compile, the goals that run tests are asked for once for each of them, and once
// more. Each time the extension asks what to do, and then is the moment to put the next mutant in its place and to take the one before away: the last time before
// Maven goes on to another module.
type mutantBatch struct {
	*mutated
	names []string
	limit time.Duration

	mu     sync.Mutex
	count  map[string]int // executions that were asked about, of each module
	now    *mutantRun
	trials map[string]*audit.Trial
	odd    map[string]bool // have to be tried alone
	err    error
}

// A mutantRun is a test execution with a mutant in place.
type mutantRun struct {
	*mavenRun
	name  string
	began time.Time
	undo  func() error
	over  bool // Maven says that the execution is
	ended bool // and that it succeeded
}

// testGoal runs the tests of an execution, whose name follows.
const testGoal = "org.apache.maven.plugins:maven-surefire-plugin:test@"

// TryAll tries mutants at one go, if the project runs all its tests in the phase test. Otherwise it tries none.
func (m *mutated) TryAll(ctx context.Context, mutants []string, limit time.Duration) (map[string]*audit.Trial, error) {
	if len(mavenArgs(m.args)) == len(m.args) { // the arguments have a phase or goal
		return nil, nil
	}
	var goals []string
	for _, r := range m.requests {
		if r.Mojo.Artifact != "maven-surefire-plugin" || r.Mojo.Phase != "test" {
			return nil, nil
		}
		if goal := testGoal + r.Mojo.Execution; !slices.Contains(goals, goal) {
			goals = append(goals, goal)
		}
	}
	mutants, trials, err := m.worthwhile(ctx, mutants)
	if err != nil || len(mutants) == 0 {
		return trials, err
	}
	args := append(slices.Clone(m.args), "process-test-classes")
	for range len(mutants) + 1 {
		args = append(args, goals...)
	}
	b := &mutantBatch{mutated: m, names: mutants, limit: limit, count: map[string]int{}, trials: trials, odd: map[string]bool{}}
	m.log.Reset()
	_, err = maven.Run(ctx, maven.Options{Dir: m.inner.Dir, Args: args, Stdout: m.log, Stderr: m.log, Handler: b, Compiled: true})
	b.settle()
	if ctx.Err() != nil {
		return nil, b.err
	}
	for name := range b.odd {
		delete(b.trials, name)
	}
	return b.trials, errors.Join(err, b.err)
}

// worthwhile leaves the mutants away with which every test is selected: of these the selection is all there is to a trial. With a single execution that is seen when it is planned.
func (m *mutated) worthwhile(ctx context.Context, mutants []string) (some []string, settled map[string]*audit.Trial, err error) {
	settled = map[string]*audit.Trial{}
	if len(m.requests) == 1 {
		return mutants, settled, nil
	}
	for _, name := range mutants {
		if name != "" {
			sel, err := m.Choose(ctx, name)
			if err != nil {
				return nil, nil, err
			}
			if n := len(sel.Decisions); n > 0 && len(sel.Selected()) == n {
				settled[name] = &audit.Trial{Selection: sel}
				continue
			}
		}
		some = append(some, name)
	}
	return some, settled, nil
}

// Plan settles the execution before and prepares the next.
func (b *mutantBatch) Plan(ctx context.Context, r *maven.Request) (maven.Answer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.now != nil && !b.now.over {
		return maven.Answer{}, errors.New("this build runs modules at the same time, so mutants are tried one by one")
	}
	b.settle()
	key := executionOf(r)
	if !slices.ContainsFunc(b.requests, func(known *maven.Request) bool { return executionOf(known) == key }) {
		return maven.Answer{Action: maven.Skip, Text: "the module has no such execution"}, nil
	}
	n := b.count[key]
	b.count[key]++
	if n >= len(b.names) {
		return maven.Answer{Action: maven.Skip, Text: "every mutant was tried"}, nil
	}
	name := b.names[n]
	if name != "" && !b.concerned(name)(r) {
		return maven.Answer{Action: maven.Skip, Text: "nothing on its class path is another"}, nil
	}
	return b.begin(ctx, name, r)
}

// begin puts a mutant in its place and makes the selection.
func (b *mutantBatch) begin(ctx context.Context, name string, r *maven.Request) (maven.Answer, error) {
	run := &mutantRun{name: name, began: time.Now(), undo: func() error { return nil }}
	if name != "" {
		var err error
		if run.undo, err = b.place(name); err != nil {
			return maven.Answer{}, err
		}
	}
	s, err := b.open(ctx)
	if err != nil {
		return maven.Answer{}, errors.Join(err, run.undo())
	}
	if run.mavenRun, err = s.mavenRun(ctx, true); err != nil {
		return maven.Answer{}, errors.Join(err, s.w.close(), run.undo())
	}
	run.shadow = &shadow{aside: true, limit: b.limit}
	if name != "" && len(b.requests) == 1 {
		run.shadow.needless = func(m *mavenModule) bool { return len(m.sel.Selected()) == len(m.sel.Decisions) }
	}
	b.now = run
	return run.Plan(ctx, r)
}

// settle takes the mutant away that is in place, and keeps what came of it. The execution is over.
func (b *mutantBatch) settle() {
	run := b.now
	if b.now = nil; run == nil {
		return
	}
	for _, m := range run.modules {
		m.Ended(run.ended)
		<-m.done
	}
	run.join()
	t := run.mavenRun.trial(run.ended)
	t.Took = time.Since(run.began)
	if t.Late = t.Took >= b.limit && stopped(t); t.Late {
		t.Whole = false
	} else if !run.usual(t, b.limit) {
		b.odd[run.name] = true
	}
	b.trials[run.name] = mergeTrials(b.trials[run.name], t)
	b.err = errors.Join(b.err, run.undo(), run.w.close())
}

// stopped tells whether a test was running at the end.
func stopped(t *audit.Trial) bool {
	for _, end := range t.Ends {
		if end.Outcome == rts.OutcomeNone {
			return true
		}
	}
	return false
}

// usual tells whether an execution came to its end and every test was heard of, or whether none had to run.
func (r *mutantRun) usual(t *audit.Trial, limit time.Duration) bool {
	if len(r.modules) == 0 {
		return false // Winnow could not look at the module
	}
	for _, m := range r.modules {
		if r.shadow.spares(m) {
			continue
		}
		if !r.ended || !t.Whole || t.Took >= limit || m.unrecorded() {
			return false
		}
		for i := range m.sel.Decisions {
			d := &m.sel.Decisions[i]
			if end := t.Ends[d.Test.ID]; d.Obsolete == "" && end.Outcome == rts.OutcomeNone {
				return false
			}
		}
	}
	return true
}

// mergeTrials puts the trials of two modules together.
func mergeTrials(a, b *audit.Trial) *audit.Trial {
	if a == nil {
		return b
	}
	a.Selection.Decisions = append(a.Selection.Decisions, b.Selection.Decisions...)
	maps.Copy(a.Proven, b.Proven)
	maps.Copy(a.Ends, b.Ends)
	maps.Copy(a.Groups, b.Groups)
	a.Whole, a.Late, a.Took = a.Whole && b.Whole, a.Late || b.Late, a.Took+b.Took
	return a
}

// Event learns that an execution is over.
func (b *mutantBatch) Event(e maven.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	run := b.now
	if run == nil || run.over {
		return
	}
	if ends := e.Type == maven.MojoSucceeded || e.Type == maven.MojoFailed; ends && e.Mojo.Artifact == "maven-surefire-plugin" {
		run.over, run.ended = true, e.Type == maven.MojoSucceeded
	}
	run.Event(e)
}
