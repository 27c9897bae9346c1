package audit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"winnow/internal/rts"
)

// ErrBuild means that a state of the program cannot be tried, because its build fails apart from its tests.
var ErrBuild = errors.New("the build fails")

// A Subject is a program that mutants are tried on. The empty name stands for the program as it is.
type Subject interface {
	// Choose makes the selection with the mutant in place, and runs nothing.
	Choose(ctx context.Context, mutant string) (*rts.Selection, error)
	// Try makes the selection with the mutant in place and then runs all tests, or only those that are given. When the context ends, it returns soon, with
	// what is known so far and without error.
	Try(ctx context.Context, mutant string, only []rts.TestID) (*Trial, error)
}

// A Batcher is a Subject that can try several mutants at one go, which saves what every build does before its tests.
type Batcher interface {
	// TryAll makes the selection and then runs all tests, for one mutant after the other. It may leave tests away if every one is selected. The run of each may
	// take the limit. The result has the trials that came to their end in the ordinary way or were stopped while a test ran: others have to be tried alone. When the context ends, it returns soon.
	TryAll(ctx context.Context, mutants []string, limit time.Duration) (map[string]*Trial, error)
}

// A Status is what became of a mutant.
type Status string

// The statuses. A mutant has the first one that applies.
const (
	Unbuildable Status = "unbuildable"  // the build fails with it, apart from its tests
	AllSelected Status = "all-selected" // every test is selected, so none can be missed; not run
	Missed      Status = "missed"       // a test that was left out did not end as proven, twice
	TimedOut    Status = "timed-out"    // the time limit ended the run, with a test that was selected
	Killed      Status = "killed"       // a test failed that did not fail without it
	Survived    Status = "survived"     // no test noticed
)

// A Mutation is a mutant that was tried.
type Mutation struct {
	Mutant   string       `json:"mutant"`
	Status   Status       `json:"status"`
	Tests    int          `json:"tests"`
	Selected int          `json:"selected"`
	Killing  []rts.TestID `json:"killing,omitempty"`
	Missed   []Miss       `json:"missed,omitempty"`
	// NotCompared is the number of tests that were left out and of which nothing can be said, because the run did not come to its end.
	NotCompared int    `json:"not_compared,omitempty"`
	Says        string `json:"says,omitempty"` // why it is unbuildable
	Took        int64  `json:"took_ms"`
}

// A Mutants audit tries mutants one by one.
type Mutants struct {
	Subject Subject
	// Watch is told of every mutant that was tried, and how long the rest will take by the times so far; it may be nil.
	Watch func(m *Mutation, done, total int, left time.Duration)
	// Slack is added to the time limit of a run, three times that of the run without a mutant; 10 s by default.
	Slack time.Duration

	// Base is the trial without a mutant, Plain the time that it took.
	Base  *Trial
	Plain time.Duration
	// Tried are the mutants that were tried.
	Tried []Mutation
	// Unstable are the tests that do not agree with themselves, sorted. Unexplained are failures that belong to no known test.
	Unstable    []rts.TestID
	Unexplained []string

	proved bool // several at one go end like one alone
	single bool // they do not
}

const defaultSlack = 10 * time.Second

// Run tries the mutants. When the context ends it stops, and what was tried stands.
func (a *Mutants) Run(ctx context.Context, mutants []string) error {
	if err := a.begin(ctx); err != nil {
		return err
	}
	start := time.Now()
	var early map[string]*Trial
	for i, name := range mutants {
		if i%batch == 0 {
			var err error
			if early, err = a.batch(ctx, mutants[i:min(i+batch, len(mutants))]); err != nil {
				return err
			}
		}
		m, err := a.try(ctx, name, early[name])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		a.Tried = append(a.Tried, *m)
		if a.Watch != nil {
			a.Watch(m, i+1, len(mutants), time.Since(start)/time.Duration(i+1)*time.Duration(len(mutants)-i-1))
		}
	}
	return nil
}

// begin runs all tests as the program is.
func (a *Mutants) begin(ctx context.Context) error {
	start := time.Now()
	var err error
	if a.Base, err = a.Subject.Try(ctx, "", nil); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	a.Plain = time.Since(start)
	for _, m := range a.Base.Compare().Missed {
		a.doubt(m.Test)
	}
	return nil
}

// batch is how many mutants are tried at one go, fewest how many are worth it.
const (
	batch  = 10
	fewest = 3
)

// batch tries mutants at one go, if the subject can. The first time it tries the program as it is, too: unless all tests end as they did, mutants are tried one by one.
func (a *Mutants) batch(ctx context.Context, mutants []string) (map[string]*Trial, error) {
	b, ok := a.Subject.(Batcher)
	if !ok || a.single || len(mutants) < fewest {
		return nil, nil
	}
	names := mutants
	if !a.proved {
		names = append([]string{""}, mutants...)
	}
	trials, err := b.TryAll(ctx, names, a.limit())
	if err != nil || ctx.Err() != nil {
		return nil, errors.Join(err, ctx.Err())
	}
	if !a.proved && !a.same(trials[""]) {
		a.single = true
		return nil, nil
	}
	a.proved = true
	return trials, nil
}

// same tells whether a trial without a mutant ended like the first one, but for unstable tests.
func (a *Mutants) same(t *Trial) bool {
	if t == nil || len(t.Ends) != len(a.Base.Ends) {
		return false
	}
	for id, end := range a.Base.Ends {
		if now, heard := t.Ends[id]; !heard || now.Outcome != end.Outcome && !slices.Contains(a.Unstable, id) {
			return false
		}
	}
	return true
}

// doubt notes a test that does not agree with itself.
func (a *Mutants) doubt(id rts.TestID) {
	if i, found := slices.BinarySearch(a.Unstable, id); !found {
		a.Unstable = slices.Insert(a.Unstable, i, id)
	}
}

// try tries a mutant, unless it was tried with others.
func (a *Mutants) try(ctx context.Context, name string, early *Trial) (*Mutation, error) {
	start := time.Now()
	m := &Mutation{Mutant: name}
	defer func() { m.Took = time.Since(start).Milliseconds() }()
	sel, err := a.chosen(ctx, name, early)
	if err != nil {
		return nil, err
	}
	m.Tests, m.Selected = len(sel.Decisions), len(sel.Selected())
	if m.Tests > 0 && m.Tests == m.Selected {
		m.Status = AllSelected
		return m, nil
	}
	if early != nil {
		start = start.Add(-early.Took)
		return m, a.judge(ctx, m, early)
	}
	t, err := a.limited(ctx, name, nil)
	if errors.Is(err, ErrBuild) {
		m.Status, m.Says = Unbuildable, err.Error()
		return m, nil
	}
	if err != nil || ctx.Err() != nil {
		return m, err
	}
	return m, a.judge(ctx, m, t)
}

func (a *Mutants) chosen(ctx context.Context, name string, early *Trial) (*rts.Selection, error) {
	if early != nil {
		return early.Selection, nil
	}
	return a.Subject.Choose(ctx, name)
}

// limit is how long a run may take.
func (a *Mutants) limit() time.Duration {
	if a.Slack == 0 {
		return 3*a.Plain + defaultSlack
	}
	return 3*a.Plain + a.Slack
}

// limited runs tests with the time limit.
func (a *Mutants) limited(ctx context.Context, name string, only []rts.TestID) (*Trial, error) {
	limited, cancel := context.WithTimeout(ctx, a.limit())
	defer cancel()
	t, err := a.Subject.Try(limited, name, only)
	if t != nil {
		t.Late = limited.Err() != nil && ctx.Err() == nil
	}
	return t, err
}

func (a *Mutants) judge(ctx context.Context, m *Mutation, t *Trial) error {
	c := t.Compare()
	m.Tests, m.Selected, m.NotCompared, m.Killing = c.Tests, c.Selected, c.NotCompared, t.killing(a.Base)
	a.explain(c.Unexplained)
	missed, err := a.confirm(ctx, m.Mutant, a.certain(c.Missed))
	if err == nil && t.Late && len(t.running()) > 0 {
		var more []Miss
		more, err = a.hanging(ctx, m.Mutant, t)
		missed = append(missed, more...)
	}
	if err != nil || ctx.Err() != nil {
		return err
	}
	m.Missed = missed
	switch {
	case len(missed) > 0:
		m.Status = Missed
	case t.Late:
		m.Status = TimedOut
	case len(m.Killing) > 0:
		m.Status = Killed
	default:
		m.Status = Survived
	}
	return nil
}

func (a *Mutants) explain(groups []string) {
	for _, g := range groups {
		if !slices.Contains(a.Unexplained, g) {
			a.Unexplained = append(a.Unexplained, g)
		}
	}
}

// certain leaves the tests away that are known to be unstable.
func (a *Mutants) certain(missed []Miss) []Miss {
	return slices.DeleteFunc(slices.Clone(missed), func(m Miss) bool { return slices.Contains(a.Unstable, m.Test) })
}

// confirm keeps the misses that happen again with the mutant and do not happen without it. The others are unstable tests.
func (a *Mutants) confirm(ctx context.Context, name string, missed []Miss) ([]Miss, error) {
	if len(missed) == 0 {
		return nil, nil
	}
	again, err := a.limited(ctx, name, nil)
	if err != nil || ctx.Err() != nil {
		return nil, err
	}
	plain, err := a.limited(ctx, "", nil)
	if err != nil || ctx.Err() != nil {
		return nil, err
	}
	was, differs := byTest(again.Compare().Missed), byTest(plain.Compare().Missed)
	var out []Miss
	for _, m := range missed {
		_, heard := again.Ends[m.Test]
		_, repeats := was[m.Test]
		_, alone := differs[m.Test]
		if (repeats || again.Late && !heard) && !alone { // where time ran out earlier this time, the first run counts
			out = append(out, m)
		} else {
			a.doubt(m.Test)
		}
	}
	return out, nil
}

// hanging finds the tests among those left out that do not come to an end. They run without the selected ones, which may have used up the time.
func (a *Mutants) hanging(ctx context.Context, name string, t *Trial) ([]Miss, error) {
	alone, err := a.limited(ctx, name, t.leftOut())
	if err != nil || !alone.Late {
		return nil, err
	}
	var out []Miss
	for _, d := range alone.running() {
		out = append(out, alone.miss(d, "does not end", fmt.Sprintf("it was running when the time limit of %v was reached", a.limit().Round(time.Second))))
	}
	return out, nil
}

func byTest(missed []Miss) map[rts.TestID]Miss {
	out := map[rts.TestID]Miss{}
	for _, m := range missed {
		out[m.Test] = m
	}
	return out
}

// Count returns the number of mutants with a status.
func (a *Mutants) Count(s Status) int {
	n := 0
	for i := range a.Tried {
		if a.Tried[i].Status == s {
			n++
		}
	}
	return n
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
