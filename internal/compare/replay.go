package compare

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"winnow/internal/check/loss"
	"winnow/internal/jvm/jig"
	"winnow/internal/jvm/observed"
)

// A Technique is a column of the comparison.
type Technique struct {
	Name string
	// New starts a history; nil for the product's own, whose selections are in the revisions.
	New func() observed.Selector
}

// A Chosen is why the product selects a test.
type Chosen struct {
	Reason string
	// Beyond: every reason is something that techniques on classes do not track, such as a file or the JDK.
	Beyond bool
}

// A Revision is what was recorded of a revision of a project.
type Revision struct {
	ID, Title string
	// Units are the test executions, by name.
	Units map[string]*observed.Unit
	// Default are the tests that the product selects, by ID.
	Default map[string]Chosen
	// Seconds is what the build took with all tests, Analysis what the product's own selection took of it.
	Seconds, Analysis float64
}

// A Line is what a technique did at one revision.
type Line struct {
	Revision        string `json:"revision"`
	Technique       string `json:"technique"`
	Tests           int    `json:"tests"`
	Classes         int    `json:"classes"`
	SelectedTests   int    `json:"selected_tests"`
	SelectedClasses int    `json:"selected_classes"`
	// Beyond are the classes of which every selected test is selected for something that techniques on classes do not track.
	Beyond int `json:"beyond"`
	// Analysis is measured, Seconds is modelled.
	Analysis float64  `json:"analysis_seconds"`
	Seconds  float64  `json:"modelled_seconds"`
	Measured float64  `json:"measured_seconds,omitempty"` // of a whole command; 0 if it was not run
	Missed   []string `json:"missed"`
	// Paper and Ours are the loss ratios; negative without a value.
	Paper float64 `json:"loss_paper"`
	Ours  float64 `json:"loss"`
	// Lost are classes of T_o (ours) that are not selected, each with one method.
	Lost map[string]string `json:"lost"`
	// Failed is why the technique could not answer.
	Failed string `json:"failed,omitempty"`
}

// A Replay lets techniques go through the revisions of one project, one after the other.
type Replay struct {
	Techniques []Technique
	// Judge decodes classes; nil if losses are not wanted.
	Judge *loss.Decoder

	// Study is that of dangerous methods, over all revisions.
	Study jig.Study

	shelf   observed.Shelf
	before  map[string]*past
	running map[string]map[string]observed.Selector // by technique and unit
	failed  map[string]string
}

// A past is what was the case at the revision before.
type past struct {
	passed map[string]bool
	judged *loss.Revision
	jig    *jig.Graph
	graphs *jig.Builder // it keeps what did not change
}

// Step goes to the next revision. The first one has no lines: everything runs there.
func (r *Replay) Step(ctx context.Context, now *Revision) ([]Line, error) {
	first := r.before == nil
	if first {
		r.before, r.running, r.failed = map[string]*past{}, map[string]map[string]observed.Selector{}, map[string]string{}
	}
	world := map[string]*unit{}
	for _, name := range slices.Sorted(maps.Keys(now.Units)) {
		u, err := r.unit(ctx, name, now.Units[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", now.ID, name, err)
		}
		world[name] = u
	}
	var lines []Line
	for _, t := range r.Techniques {
		lines = append(lines, r.line(t, now, world))
	}
	for name, u := range world {
		r.before[name] = &past{u.passed, u.judged, u.jig, u.graphs}
	}
	if first {
		return nil, nil
	}
	return lines, nil
}

// Close releases what the programs of all revisions are read from.
func (r *Replay) Close() error { return r.shelf.Close() }

// A unit is a test execution as all techniques see it.
type unit struct {
	program    *observed.Program
	tests      []observed.Test
	runs       map[string]*observed.Run
	passed     map[string]bool
	judged     *loss.Revision
	comparison *loss.Comparison // nil without a judge or a revision before
	was        *past
	jig        *jig.Graph
	graphs     *jig.Builder
}

func (r *Replay) unit(ctx context.Context, name string, from *observed.Unit) (*unit, error) {
	program, err := r.shelf.Program(from)
	if err != nil {
		return nil, err
	}
	u := &unit{program: program, runs: map[string]*observed.Run{}, passed: map[string]bool{}, was: r.before[name]}
	for i := range from.Runs {
		run := &from.Runs[i]
		u.tests = append(u.tests, run.Test)
		u.runs[run.Test.ID], u.passed[run.Test.ID] = run, run.Passed
	}
	if err := r.study(u); err != nil {
		return nil, err
	}
	if r.Judge == nil {
		return u, nil
	}
	if u.judged, err = r.Judge.Decode(ctx, from.Classes); err != nil {
		return nil, err
	}
	for id, run := range u.runs {
		for _, m := range run.Trace.Entered {
			u.judged.Executed[id] = append(u.judged.Executed[id], loss.Name(m.Class, m.Name, m.Descriptor))
		}
	}
	if u.was != nil {
		u.comparison = loss.Compare(u.was.judged, u.judged)
	}
	return u, nil
}

// study adds the dangerous methods of a revision.
func (r *Replay) study(u *unit) (err error) {
	u.graphs = &jig.Builder{}
	if u.was != nil {
		u.graphs = u.was.graphs
	}
	if u.jig, err = u.graphs.Build(u.program); err != nil || u.was == nil {
		return err
	}
	c, err := jig.Compare(u.was.jig, u.jig)
	if err != nil {
		return err
	}
	s, err := c.Study()
	r.Study.Methods += s.Methods
	r.Study.OnAllPaths += s.OnAllPaths
	r.Study.Edges += s.Edges
	return err
}

// line lets one technique select and tells it what ran.
func (r *Replay) line(t Technique, now *Revision, world map[string]*unit) Line {
	l := Line{Revision: now.ID, Technique: t.Name, Lost: map[string]string{}, Failed: r.failed[t.Name]}
	count := tally{line: &l, paper: map[string]bool{}, ours: map[string]bool{}, lostPaper: map[string]bool{}}
	rest := now.Seconds
	for _, name := range slices.Sorted(maps.Keys(world)) {
		u := world[name]
		for _, run := range u.runs {
			rest -= run.Seconds
		}
		selected := observed.Selection{}
		if l.Failed == "" {
			var err error
			start := time.Now()
			if selected, err = r.choose(t, name, u, now); err != nil {
				l.Failed = err.Error()
				r.failed[t.Name] = l.Failed
			}
			l.Analysis += time.Since(start).Seconds()
		}
		count.unit(name, u, selected, now.Default, t.New == nil)
	}
	if t.New == nil {
		l.Analysis = now.Analysis
		rest -= now.Analysis // it is part of what the build took
	}
	l.Seconds += max(rest, 0) + l.Analysis
	count.ratios()
	return l
}

// choose asks a technique, and tells it about what it chose.
func (r *Replay) choose(t Technique, name string, u *unit, now *Revision) (observed.Selection, error) {
	if t.New == nil {
		out := observed.Selection{}
		for _, test := range u.tests {
			if c, ok := now.Default[test.ID]; ok {
				out[test.ID] = c.Reason
			}
		}
		return out, nil
	}
	if r.running[t.Name] == nil {
		r.running[t.Name] = map[string]observed.Selector{}
	}
	s := r.running[t.Name][name]
	if s == nil {
		s = t.New()
		r.running[t.Name][name] = s
	}
	selected, err := s.Select(u.program, u.tests)
	if err != nil {
		return nil, err
	}
	var ran []observed.Run
	for _, test := range u.tests {
		if _, ok := selected[test.ID]; ok {
			ran = append(ran, *u.runs[test.ID])
		}
	}
	return selected, s.Ran(u.program, ran)
}
