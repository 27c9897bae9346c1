package synth

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"winnow/internal/engine"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/technique"
	"winnow/internal/technique/dejavu"
	"winnow/internal/technique/pythia"
	"winnow/internal/technique/testtube"
)

// A Subject is what a sequence judges: a technique, with one rule switched off or none, and perhaps a front end that lies.
type Subject struct {
	Technique string
	Rules     safety.Rules
	// Wrap may put something between the engine and the project.
	Wrap func(engine.Project) engine.Project
}

func (s Subject) engine(p *Project, st *store.Store, now func() time.Time) *engine.Engine {
	cfg := engine.Config{Rules: s.Rules, Now: now}
	switch s.Technique {
	case "dejavu":
		cfg.Technique = dejavu.Technique
		cfg.NewJudge = func(b technique.Bodies) technique.Judge { return dejavu.New(p, b, s.Rules) }
	case "pythia":
		cfg.Technique = pythia.Technique
		cfg.NewJudge = func(b technique.Bodies) technique.Judge { return pythia.New(p, b) }
	case "testtube":
		cfg.Technique = testtube.Technique
		cfg.NewJudge = func(technique.Bodies) technique.Judge { return testtube.Judge{} }
	}
	var project engine.Project = p
	if s.Wrap != nil {
		project = s.Wrap(p)
	}
	return &engine.Engine{Project: project, Store: st, Config: cfg}
}

// A Step of a sequence: go to an earlier state or edit the present one, then select and perhaps run.
type Step struct {
	Seed uint64
	// Edits is the number of edits; Goto, if not negative, goes back to the state after that step first.
	Edits, Goto int
	Run         RunKind
}

// A RunKind is what happens after a selection.
type RunKind int

// The kinds of runs.
const (
	RunSelected RunKind = iota
	RunNothing
	RunAllTests
	RunInterrupted
	RunFiltered
	RunForgetful // the runner silently forgets a test
	RunEdited    // somebody edits a file meanwhile
)

var runNames = [...]string{"run", "do not run", "run all", "interrupted run", "filtered run", "forgetful run", "run with an edit meanwhile"}

func (s Step) String() string {
	var b strings.Builder
	if s.Goto >= 0 {
		fmt.Fprintf(&b, "go to state %d, ", s.Goto)
	}
	fmt.Fprintf(&b, "%d edits, %s (seed %d)", s.Edits, runNames[s.Run], s.Seed)
	return b.String()
}

// A Sequence is a random program with random steps.
type Sequence struct {
	// Seed and Salt determine everything; different salts give different sequences for the same seeds.
	Seed, Salt uint64
	Steps      []Step
}

// program makes the program that the sequence starts with.
func (s Sequence) program() *Program {
	return Generate(rand.New(rand.NewPCG(s.Seed, 1+s.Salt<<8)))
}

// NewSequence makes a sequence of 2 to 6 edits after a first full run.
func NewSequence(seed, salt uint64) Sequence {
	r := rand.New(rand.NewPCG(seed, salt<<8))
	s := Sequence{Seed: seed, Salt: salt, Steps: []Step{{Seed: r.Uint64(), Goto: -1, Run: RunSelected}}}
	for i := range 2 + r.IntN(5) {
		st := Step{Seed: r.Uint64(), Edits: 1 + r.IntN(2), Goto: -1}
		if r.IntN(5) == 0 {
			st.Goto, st.Edits = r.IntN(i+1), r.IntN(2)
		}
		if k := r.IntN(12); k < len(runNames) {
			st.Run = RunKind(k)
		}
		s.Steps = append(s.Steps, st)
	}
	return s
}

// Figures add up what sequences did.
type Figures struct {
	Sequences, Selections, Tests, Selected, LeftOut, Runs int
}

// Add adds f to the figures.
func (g *Figures) Add(f Figures) {
	g.Sequences += f.Sequences
	g.Selections += f.Selections
	g.Tests += f.Tests
	g.Selected += f.Selected
	g.LeftOut += f.LeftOut
	g.Runs += f.Runs
}

// A Miss is a test that was left out or a failure that was hidden although the truth is otherwise.
type Miss struct {
	Step int
	Why  string
}

func (m *Miss) Error() string { return fmt.Sprintf("step %d: %s", m.Step, m.Why) }

// judge keeps what really happened.
type judge struct {
	subject Subject
	store   *store.Store
	clock   time.Time
	// results are the results of executed tests by the moment of the run.
	results map[string]Truth
	// outcomes are the outcomes seen of a test with everything as it is in one state.
	outcomes map[string]map[rts.Outcome]bool
	figures  Figures
}

// Play plays a sequence. The error is a *Miss, or says that the engine itself failed.
func (s Sequence) Play(subject Subject) (Figures, error) {
	j := &judge{
		subject: subject, store: store.New(&memory.Backend{}), clock: time.Unix(1000, 0).UTC(),
		results: map[string]Truth{}, outcomes: map[string]map[rts.Outcome]bool{},
	}
	j.figures.Sequences = 1
	p := s.program()
	var states []*Program
	for i, step := range s.Steps {
		r := rand.New(rand.NewPCG(step.Seed, 2))
		if step.Goto >= 0 && step.Goto < len(states) {
			p = states[step.Goto].Clone()
		}
		for range step.Edits {
			Edit(p, r)
		}
		states = append(states, p.Clone())
		if err := j.step(p, step, r); err != nil {
			if m, ok := err.(*Miss); ok {
				m.Step = i
			}
			return j.figures, err
		}
	}
	return j.figures, nil
}

func (j *judge) step(p *Program, step Step, r *rand.Rand) error {
	j.clock = j.clock.Add(time.Minute)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	project := Open(p, Accidents{Nonce: 2 + r.IntN(1000), Interrupt: cancel})
	eng := j.subject.engine(project, j.store, func() time.Time { return j.clock })
	if step.Run == RunAllTests {
		eng.Config.All, eng.Config.AllWhy = true, rts.Reason{Code: rts.Asked}
	}
	sel, err := eng.Select(ctx)
	if err != nil {
		return fmt.Errorf("select: %w", err)
	}
	if err := j.check(p, sel, r); err != nil {
		return err
	}
	if step.Run == RunNothing {
		return nil
	}
	return j.run(ctx, eng, project, sel, step, r)
}

// check holds the selection against the truth.
func (j *judge) check(p *Program, sel *rts.Selection, r *rand.Rand) error {
	j.figures.Selections++
	truth := RunAll(p, 2+r.IntN(1000))
	if len(truth) != len(sel.Decisions) {
		return &Miss{Why: fmt.Sprintf("%d decisions about %d tests", len(sel.Decisions), len(truth))}
	}
	state := p.String()
	for i := range sel.Decisions {
		d := &sel.Decisions[i]
		j.figures.Tests++
		if d.Selected() {
			j.figures.Selected++
			if len(d.Reasons) == 0 {
				return &Miss{Why: fmt.Sprintf("%s is selected without a reason", d.Test.ID)}
			}
			continue
		}
		j.figures.LeftOut++
		if why := j.wrong(state, d, truth[d.Test.ID]); why != "" {
			return &Miss{Why: fmt.Sprintf("%s was left out, but %s", d.Test.ID, why)}
		}
	}
	return nil
}

// wrong says why leaving a test out is wrong, or "".
func (j *judge) wrong(state string, d *rts.Decision, now Truth) string {
	if seen := j.outcomes[outcomeKey(state, d.Test.ID)]; seen[rts.Passed] && len(seen) > 1 {
		return "with everything as it is it both passed and did not pass"
	}
	before, ok := j.results[resultKey(d.Proof.Meta.When, d.Test.ID)]
	switch {
	case !ok:
		return "nothing was run that could be its proof"
	case before.Outcome != rts.Passed:
		return "its proof is a run that ended as " + before.Outcome.String()
	case now.Unseen:
		return ""
	case now.Flaky:
		return "" // leaving it out keeps it as flaky as it is
	case now.Outcome != rts.Passed:
		return "it ends as " + now.Outcome.String()
	case now.Result != before.Result:
		return "its result is another one"
	}
	return ""
}

func resultKey(when time.Time, t rts.TestID) string { return when.Format(time.RFC3339) + string(t) }

func outcomeKey(state string, t rts.TestID) string { return string(t) + "\n" + state }

func (j *judge) run(ctx context.Context, eng *engine.Engine, project *Project, sel *rts.Selection, step Step, r *rand.Rand) error {
	selected := sel.Selected()
	state := project.prog.String()
	if len(selected) > 0 {
		switch step.Run {
		case RunInterrupted:
			project.StopAfter = 1 + r.IntN(len(selected))
		case RunFiltered:
			out := selected[r.IntN(len(selected))]
			project.Filter = func(t rts.TestID) bool { return t != out }
		case RunForgetful:
			project.Drop = selected[r.IntN(len(selected))]
		case RunEdited:
			edit := rand.New(rand.NewPCG(step.Seed, 3))
			project.EditAfter = 1 + r.IntN(len(selected))
			project.Edit = func(files map[string]string) { files[fileName(edit)] = fmt.Sprint("edited", edit.IntN(3)) }
		}
	}
	rep, err := eng.Run(ctx, sel, rts.Meta{When: j.clock}, nil)
	if err != nil || rep.RunErr != nil || rep.RecordErr != nil {
		return fmt.Errorf("run: %v, %v, %v", err, rep.RunErr, rep.RecordErr)
	}
	j.figures.Runs++
	for i := range rep.Results {
		rec := rep.Results[i].Record
		j.results[resultKey(j.clock, rec.Test)] = Truth{Record: rec}
		if step.Run != RunEdited && !rec.Incomplete {
			key := outcomeKey(state, rec.Test)
			if j.outcomes[key] == nil {
				j.outcomes[key] = map[rts.Outcome]bool{}
			}
			j.outcomes[key][rec.Outcome] = true
		}
	}
	return j.reconciled(rep, project, selected)
}

// reconciled checks that a run which does not cover the selection says so.
func (j *judge) reconciled(rep *engine.Report, project *Project, selected []rts.TestID) error {
	ran := map[rts.TestID]bool{}
	for i := range rep.Results {
		ran[rep.Results[i].Record.Test] = true
	}
	for _, t := range selected {
		_, explained := rep.NotRun[t]
		if !ran[t] && !explained && !rep.Interrupted && !slices.Contains(rep.Missing, t) {
			return &Miss{Why: fmt.Sprintf("%s was selected and did not run, and the report does not say so", t)}
		}
	}
	return nil
}

// Shrink removes steps and edits as long as the sequence still fails.
func (s Sequence) Shrink(subject Subject) Sequence {
	fails := func(t Sequence) bool {
		_, err := t.Play(subject)
		return err != nil
	}
	for smaller := true; smaller; {
		smaller = false
		for i := len(s.Steps) - 1; i > 0; i-- {
			t := Sequence{s.Seed, s.Salt, slices.Delete(slices.Clone(s.Steps), i, i+1)}
			if fails(t) {
				s, smaller = t, true
			}
		}
		for i := range s.Steps {
			if s.Steps[i].Edits == 0 {
				continue
			}
			t := Sequence{s.Seed, s.Salt, slices.Clone(s.Steps)}
			t.Steps[i].Edits--
			if fails(t) {
				s, smaller = t, true
			}
		}
	}
	return s
}

// Describe prints the sequence with every state of the program and what the subject does with it.
func (s Sequence) Describe() string {
	var b strings.Builder
	p := s.program()
	var states []*Program
	for i, step := range s.Steps {
		fmt.Fprintf(&b, "step %d: %s\n", i, step)
		r := rand.New(rand.NewPCG(step.Seed, 2))
		if step.Goto >= 0 && step.Goto < len(states) {
			p = states[step.Goto].Clone()
		}
		for range step.Edits {
			fmt.Fprintf(&b, "  %s\n", Edit(p, r))
		}
		states = append(states, p.Clone())
		fmt.Fprintf(&b, "%s\n", p)
	}
	return b.String()
}
