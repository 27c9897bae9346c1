package cli

import (
	"fmt"
	"io"
	"strings"

	"winnow/internal/report"
	"winnow/internal/semantics/minijvm"
)

// labRan is the JSON of `winnow lab run`.
type labRan struct {
	Schema  int    `json:"schema"`
	Command string `json:"command"`
	Exit    Exit   `json:"exit"`
	Before  labRun `json:"before"`
	// After, Changed and Judged are there if the file has a change.
	After   *labRun     `json:"after,omitempty"`
	Changed []string    `json:"changed,omitempty"`
	Judged  []labJudged `json:"judged,omitempty"`
}

// labRun is one run of a program.
type labRun struct {
	WellFormed string              `json:"well_formed"`
	Steps      int                 `json:"steps"`
	Ended      bool                `json:"ended"`
	Outcome    string              `json:"outcome"`
	Final      []string            `json:"final_state"`
	Collected  map[string][]string `json:"collected"`

	program *minijvm.Program
	state   *minijvm.State
	sets    []minijvm.Set
}

// labJudged says what a function makes of a change.
type labJudged struct {
	Function string `json:"function"`
	LeftOut  bool   `json:"left_out"`
	// Same tells whether the final state is the same after the change.
	Same bool   `json:"same_final_state"`
	Says string `json:"says"`
}

// carryOut runs a program with all functions.
func (l *lab) carryOut(p *minijvm.Program) labRun {
	r := labRun{WellFormed: strength(p), Collected: map[string][]string{}, program: p, state: &minijvm.State{}}
	functions := minijvm.Functions()
	for _, f := range functions {
		r.sets = append(r.sets, f.Start(p))
	}
	minijvm.StartState(p, r.state)
	for !r.state.End() && r.Steps < l.flags.steps {
		for i, f := range functions {
			r.sets[i] |= f.Collect(p, r.state)
		}
		if !minijvm.Step(p, r.state) {
			break // not possible: the program is verified
		}
		r.Steps++
	}
	for i, f := range functions {
		r.Collected[f.Name()] = shownSet(p, r.sets[i])
	}
	r.Ended = r.state.End()
	r.Outcome = outcome(p, r.state)
	r.Final = strings.Split(strings.TrimSuffix(r.state.Text(p.Names), "\n"), "\n")
	return r
}

func outcome(p *minijvm.Program, s *minijvm.State) string {
	c, raised := s.ClassOf(int(s.Raised))
	switch {
	case !s.End():
		return "does not end within the step limit"
	case raised:
		return "raises " + p.Names.Class(c)
	}
	return "ends normally"
}

func (l *lab) run(name string) error {
	if l.flags.steps < 1 {
		return usage("--steps %d: want 1 or more", l.flags.steps)
	}
	pair, err := l.read(name)
	if err != nil {
		return err
	}
	out := &labRan{Schema: report.Schema, Command: "lab run", Before: l.carryOut(pair.Before)}
	if pair.After != nil {
		after := l.carryOut(pair.After)
		out.After = &after
		out.judge(pair.Before.Changed(pair.After))
	}
	if !out.Before.Ended || out.After != nil && !out.After.Ended {
		out.Exit = ExitTests
	}
	if l.app.flags.json {
		err = writeJSON(l.Out, out)
	} else {
		err = out.text(l.Out)
	}
	if err == nil && out.Exit != ExitOK {
		return quit{out.Exit}
	}
	return err
}

// judge compares what functions collected with what changed.
func (x *labRan) judge(changed minijvm.Set) {
	names := x.Before.program.Names
	for _, c := range changed.All() {
		x.Changed = append(x.Changed, names.Class(c))
	}
	same := x.Before.Ended && x.After.Ended && x.Before.state.Equal(x.After.state)
	for i, f := range minijvm.Functions() {
		hit := x.Before.sets[i] & changed
		j := labJudged{Function: f.Name(), LeftOut: x.Before.Ended && hit == 0, Same: same}
		switch {
		case !x.Before.Ended:
			j.Says = "selected: the run did not end"
		case hit != 0:
			j.Says = "selected: " + strings.Trim(names.Text(hit), "{}") + " changed"
		case same:
			j.Says = "left out, and ends the same"
		default:
			j.Says = "left out, but ends differently: not safe"
		}
		x.Judged = append(x.Judged, j)
	}
}

func (x *labRan) text(w io.Writer) error {
	var b strings.Builder
	x.Before.text(&b)
	if x.After != nil {
		fmt.Fprintf(&b, "\nAfter the change of %s:\n", strings.Join(x.Changed, ", "))
		x.After.text(&b)
		b.WriteString("\nThe test, by what was collected before the change:\n")
		for _, j := range x.Judged {
			fmt.Fprintf(&b, "  %-9s  %s\n", j.Function, j.Says)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *labRun) text(b *strings.Builder) {
	fmt.Fprintf(b, "well-formed  %s\n", r.WellFormed)
	fmt.Fprintf(b, "outcome      %s, after %d steps\n", r.Outcome, r.Steps)
	for i, line := range r.Final {
		fmt.Fprintf(b, "%-11s  %s\n", map[bool]string{true: "final state"}[i == 0], line)
	}
	for i, f := range minijvm.Functions() {
		fmt.Fprintf(b, "%-11s  %-9s  %s\n", map[bool]string{true: "collected"}[i == 0], f.Name(), strings.Join(r.Collected[f.Name()], " "))
	}
}

// labTraced is the JSON of `winnow lab trace`.
type labTraced struct {
	Schema  int       `json:"schema"`
	Command string    `json:"command"`
	Exit    Exit      `json:"exit"`
	Steps   []labStep `json:"steps"`
	Outcome string    `json:"outcome"`
}

// labStep is one step: what is about to happen, the state after it, and what each function collects at it.
type labStep struct {
	Number   int                 `json:"number"`
	Frame    string              `json:"frame"`
	Does     string              `json:"does"`
	State    []string            `json:"state_after"`
	Collects map[string][]string `json:"collects"`
}

func (l *lab) trace(name string) error {
	if l.flags.steps < 1 {
		return usage("--steps %d: want 1 or more", l.flags.steps)
	}
	pair, err := l.read(name)
	if err != nil {
		return err
	}
	p := pair.Before
	if l.flags.after {
		if p = pair.After; p == nil {
			return usage("--after: %s has no change", name)
		}
	}
	out := l.follow(p)
	switch {
	case l.app.flags.json:
		err = writeJSON(l.Out, out)
	case l.flags.brief:
		err = out.brief(l.Out)
	default:
		err = out.text(l.Out)
	}
	if err == nil && out.Exit != ExitOK {
		return quit{out.Exit}
	}
	return err
}

// follow runs a program and keeps what there is to see of each step.
func (l *lab) follow(p *minijvm.Program) *labTraced {
	out := &labTraced{Schema: report.Schema, Command: "lab trace"}
	var s minijvm.State
	minijvm.StartState(p, &s)
	for !s.End() && len(out.Steps) < l.flags.steps {
		f, _ := s.Top()
		step := labStep{Number: len(out.Steps) + 1, Frame: fmt.Sprintf("%s.%s:%d", p.Names.Class(f.Class), p.Names.Member(f.Method), f.PC), Collects: map[string][]string{}}
		step.Does = does(p, &s)
		for _, fn := range minijvm.Functions() {
			step.Collects[fn.Name()] = shownSet(p, fn.Collect(p, &s))
		}
		if !minijvm.Step(p, &s) {
			break // not possible: the program is verified
		}
		step.State = strings.Split(strings.TrimSuffix(s.Text(p.Names), "\n"), "\n")
		out.Steps = append(out.Steps, step)
	}
	out.Outcome = outcome(p, &s)
	if !s.End() {
		out.Exit = ExitTests
	}
	return out
}

// does says what the next step is about.
func does(p *minijvm.Program, s *minijvm.State) string {
	f, _ := s.Top()
	list := s.Inits(len(s.Frames()) - 1)
	switch {
	case f.ICS == minijvm.Calling:
		return fmt.Sprintf("Calling %s, which is %s", p.Names.Class(f.Init), s.Flag(f.Init))
	case f.ICS == minijvm.Called && len(list) > 0:
		return "Called: run clinit of " + p.Names.Class(list[len(list)-1])
	case f.ICS == minijvm.Throwing && len(list) > 0:
		return fmt.Sprintf("Throwing: %s has failed", p.Names.Class(list[len(list)-1]))
	case f.ICS == minijvm.Throwing:
		return "Throwing: raise the exception"
	}
	in := p.Class(f.Class).Method(f.Method).Code[f.PC]
	return in.Text(p.Names)
}

func (x *labTraced) text(w io.Writer) error {
	var b strings.Builder
	for _, s := range x.Steps {
		fmt.Fprintf(&b, "step %d  %s  %s\n", s.Number, s.Frame, s.Does)
		for _, f := range minijvm.Functions() {
			fmt.Fprintf(&b, "    %-9s collects %s\n", f.Name(), setText(s.Collects[f.Name()]))
		}
		for _, line := range s.State {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	fmt.Fprintf(&b, "The test %s.\n", x.Outcome)
	_, err := io.WriteString(w, b.String())
	return err
}

func setText(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, " ")
}

// brief shows one line per step: what happens, and which classes a function collects that it had not yet. Built-in classes are left out.
func (x *labTraced) brief(w io.Writer) error {
	var b strings.Builder
	seen := map[string]map[string]bool{}
	fmt.Fprintf(&b, "%4s  %-15s  %-33s", "step", "frame", "what happens")
	for _, f := range minijvm.Functions() {
		seen[f.Name()] = map[string]bool{}
		fmt.Fprintf(&b, "  %-9s", f.Name())
	}
	b.WriteString("\n")
	for _, s := range x.Steps {
		line := fmt.Sprintf("%4d  %-15s  %-33s", s.Number, s.Frame, s.Does)
		for _, f := range minijvm.Functions() {
			line += fmt.Sprintf("  %-9s", strings.Join(fresh(seen[f.Name()], s.Collects[f.Name()]), " "))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	fmt.Fprintf(&b, "The test %s.\n", x.Outcome)
	_, err := io.WriteString(w, b.String())
	return err
}

// fresh returns the names that were not seen yet, and remembers them.
func fresh(seen map[string]bool, names []string) []string {
	var out []string
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}
