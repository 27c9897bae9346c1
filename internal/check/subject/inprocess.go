package subject

import (
	"context"
	"fmt"
	"slices"
	"time"

	"winnow/internal/check/pool"
	"winnow/internal/check/rule"
	"winnow/internal/digest"
	"winnow/internal/engine"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/technique"
	"winnow/internal/technique/methods"
)

// A Technique is a technique of Winnow inside this process.
type Technique struct {
	Description
	// Classes: footprints hold only whole classes of which a method was entered. Otherwise they are the product's.
	Classes bool
	// NewJudge makes the technique's judge; nil means that every difference matters.
	NewJudge func(technique.Bodies, methods.Now, safety.Rules) technique.Judge
	// Reverse: tests are listed and recorded in the reverse order. Twice: everything runs two times at each revision.
	Reverse, Twice bool
	// Rules are the safety rules in force.
	Rules safety.Rules
}

// Techniques is the list of those that can be named in a campaign, the product's default first.
var Techniques = []Technique{
	{Description: Description{Name: "methods", Title: "Winnow's default: methods entered, classes touched, calls that find another method", Role: rule.Selecting, Family: "methods"}, NewJudge: methods.New},
	{Description: Description{Name: "methods~reverse", Title: "the default, tests in reverse order", Role: rule.Selecting, Family: "methods"}, NewJudge: methods.New, Reverse: true},
	{Description: Description{Name: "methods~twice", Title: "the default, every revision run twice", Role: rule.Selecting, Family: "methods"}, NewJudge: methods.New, Twice: true},
	{Description: Description{Name: "testtube", Title: "classes touched with their supertypes, by checksum without debug information", Role: rule.Selecting}},
	{Description: Description{Name: "classes", Title: "classes of which a method was entered, by checksum: a model of Ekstazi", Role: rule.Selecting}, Classes: true},
}

// Describe says what it is.
func (t Technique) Describe() Description { return t.Description }

// Begin starts with an empty store.
func (t Technique) Begin(_ context.Context, lab *Lab) (Session, error) {
	if lab.Material == nil {
		return notApplicable("it works on programs inside this process only"), nil
	}
	return &techniqueSession{technique: t, lab: lab, store: store.New(&memory.Backend{}), clock: time.Unix(1_700_000_000, 0).UTC()}, nil
}

// notApplicable is a session that says why at every step.
type notApplicable string

func (n notApplicable) Step(context.Context, int) (rule.Step, error) {
	return rule.Step{NotApplicable: string(n)}, nil
}

func (n notApplicable) Close() error { return nil }

type techniqueSession struct {
	technique Technique
	lab       *Lab
	store     *store.Store
	clock     time.Time
}

func (s *techniqueSession) Close() error { return s.store.Close() }

// Step selects, runs and records one revision.
func (s *techniqueSession) Step(ctx context.Context, r int) (rule.Step, error) {
	step, err := s.once(ctx, r)
	if err == nil && s.technique.Twice {
		_, err = s.once(ctx, r)
	}
	return step, err
}

func (s *techniqueSession) once(ctx context.Context, r int) (rule.Step, error) {
	p := &revision{material: s.lab.Material[r], tracer: s.lab.Material[r].trace(), technique: &s.technique}
	e := &engine.Engine{Project: p, Store: s.store, Config: engine.Config{Now: s.tick, Rules: s.technique.Rules}}
	if judge := s.technique.NewJudge; judge != nil {
		e.Config.NewJudge = func(b technique.Bodies) technique.Judge { return judge(b, p, s.technique.Rules) }
	}
	sel, err := e.Select(ctx)
	if err != nil {
		return rule.Step{}, err
	}
	rep, err := e.Run(ctx, sel, rts.Meta{When: s.tick()}, nil)
	if err != nil {
		return rule.Step{}, err
	}
	if rep.RunErr != nil {
		return rule.Step{}, rep.RunErr
	}
	return stepOf(sel, rep)
}

// tick is a clock of its own: a campaign gives the same whenever it runs.
func (s *techniqueSession) tick() time.Time {
	s.clock = s.clock.Add(time.Millisecond)
	return s.clock
}

// stepOf says what the engine did in the words of a trial.
func stepOf(sel *rts.Selection, rep *engine.Report) (rule.Step, error) {
	if rep.RecordErr != nil {
		return rule.Step{Crash: "recording: " + rep.RecordErr.Error()}, nil
	}
	step := rule.Step{Outcomes: map[string]rule.Outcome{}, Excepted: map[string]string{}, Causes: map[string]string{}}
	for i := range sel.Decisions {
		d := &sel.Decisions[i]
		if !d.Selected() {
			continue
		}
		name := string(d.Test.ID)
		step.Selected = append(step.Selected, name)
		if len(d.Reasons) == 0 {
			return rule.Step{Crash: name + " is selected without a reason"}, nil
		}
		step.Causes[name] = d.Reasons[0].String()
		if slices.ContainsFunc(d.Reasons, func(r rts.Reason) bool { return r.Code == rts.External || r.Code == rts.Opaque }) {
			step.Excepted[name] = d.Reasons[0].String()
		}
	}
	for i := range rep.Results {
		res := &rep.Results[i]
		step.Outcomes[string(res.Record.Test)] = rule.Outcome{Failed: !res.Record.Outcome.Proves(), State: res.Message}
	}
	return step, nil
}

// A revision is a project as the engine sees it: what a front end would tell of a revision.
type revision struct {
	material  *Material
	tracer    *tracer
	technique *Technique
}

var _ engine.Project = (*revision)(nil)

// Modules is one.
func (p *revision) Modules() []string { return []string{"program"} }

// Tests lists the tests.
func (p *revision) Tests() []rts.Test {
	var out []rts.Test
	for _, t := range p.material.Tests {
		out = append(out, rts.Test{ID: rts.TestID(t.String()), Module: "program"})
	}
	if p.technique.Reverse {
		slices.Reverse(out)
	}
	return out
}

// Digest tells what an entity is now.
func (p *revision) Digest(e rts.Entity) digest.Digest {
	switch e.Kind {
	case methods.KindClass:
		return p.material.program.Digest(e.Name)
	case kindResource:
		return p.material.resource(e.Name)
	}
	return digest.Unknown
}

// Find is for the judge of package methods.
func (p *revision) Find(e rts.Entity) (methods.Program, string, bool) {
	return p.material.program, e.Name, e.Kind == methods.KindClass
}

// Run reports the tests as the recorded run has them.
func (p *revision) Run(ctx context.Context, tests []rts.TestID, sink engine.Sink) error {
	var done []rts.Result
	for _, id := range tests {
		o := p.tracer.ended[string(id)]
		if o == nil || o.Result == pool.NotRun {
			sink.NotRun(id, "its JVM died before")
			continue
		}
		f, err := p.tracer.footprint(o)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		res := rts.Result{Record: rts.Record{Test: id, Outcome: ending(o.Result), Incomplete: p.material.Recorded.Lost}, Message: o.State}
		res.Own.Uses = f.uses
		if p.technique.Classes {
			res.Own.Uses = f.classes
		}
		done = append(done, res)
	}
	for d, body := range p.tracer.bodies {
		sink.Body(d, body)
	}
	for _, res := range done {
		sink.Done(res)
	}
	return ctx.Err()
}

func ending(r pool.Result) rts.Outcome {
	switch r {
	case pool.Passed:
		return rts.Passed
	case pool.Failed:
		return rts.Failed
	case pool.Killed:
		return rts.Killed
	}
	return rts.Errored
}
