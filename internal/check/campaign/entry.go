package campaign

import (
	"slices"

	"winnow/internal/check/rule"
)

// A Status is what became of an evolving program.
type Status string

// The statuses. Only what was compared can be violated.
const (
	Compared       Status = "compared"
	Base           Status = "base"            // no evolving program: a first revision from which some are made
	NotCompilable  Status = "not-compilable"  // its last revision
	BaseNotUsable  Status = "base-not-usable" // its first revision does not compile, or has no tests
	Died           Status = "died"            // a JVM hung or died in it
	Flaky          Status = "flaky"           // tests ended differently on the same code
	NothingToTest  Status = "no-tests"
	CannotBeJudged Status = "not-judged" // the baseline did not come to an end
)

// An Entry is what came of one evolving program.
type Entry struct {
	// Program names it; together with the campaign it can be made again.
	Program string `json:"program"`
	Status  Status `json:"status"`
	Detail  string `json:"detail,omitempty"`
	// Constraint and Operator are those of AutoEP; elsewhere Constraint is the project.
	Constraint string `json:"constraint,omitempty"`
	Operator   string `json:"operator,omitempty"`

	Revisions  int              `json:"revisions,omitempty"`
	Same       []bool           `json:"same,omitempty"`   // by revision: it equals the one before
	Tests      []int            `json:"tests,omitempty"`  // by revision
	Failed     []int            `json:"failed,omitempty"` // newly, by revision, with retest-all
	Subjects   []Doing          `json:"subjects,omitempty"`
	Violations []rule.Violation `json:"violations,omitempty"`
	// Trial is kept where something is violated.
	Trial *rule.Trial `json:"trial,omitempty"`
	// Renumbered counts tests that execute nothing that differs but what got another number by the compiler.
	Renumbered int `json:"renumbered,omitempty"`
	// Applied are the rules that could have fired.
	Applied []string `json:"applied,omitempty"`
	// Sources are texts of the program, made smaller, for violations of which it is the first example.
	Sources []Source `json:"sources,omitempty"`
	// Millis is the time that the program took.
	Millis int64 `json:"millis,omitempty"`
}

// Tried is what one subject did on a program that is not compared yet: a campaign that is cut short does not run the subject on it again.
type Tried struct {
	Program string      `json:"program"`
	Subject string      `json:"tried"`
	Steps   []rule.Step `json:"steps"`
	Millis  []int64     `json:"took"` // by revision
}

// A Source is the text of a program on which a subject violates a rule.
type Source struct {
	Rule    string `json:"rule"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
}

// Doing is what a subject did on a program.
type Doing struct {
	Subject       string    `json:"subject"`
	Role          rule.Role `json:"role,omitempty"`
	Selected      []int     `json:"selected,omitempty"` // by revision; -1 where it was not carried out
	NotApplicable string    `json:"not_applicable,omitempty"`
	Crash         string    `json:"crash,omitempty"`
	CrashAt       int       `json:"crash_at,omitempty"`
	// Millis is its time by revision, Bytes what it keeps in the end; only where it is a process of its own.
	Millis []int64 `json:"millis,omitempty"`
	Bytes  int64   `json:"bytes,omitempty"`
	// Losses are |T_o \ T_s| and |T_o| by revision, where they were looked at: by the definition of the paper, and by ours.
	PaperLost []int `json:"paper_lost,omitempty"`
	PaperAll  []int `json:"paper_all,omitempty"`
	Lost      []int `json:"lost,omitempty"`
	All       []int `json:"all,omitempty"`
}

// Judge makes the entry of a trial.
func Judge(rules []*rule.Rule, t *rule.Trial) *Entry {
	e := &Entry{Program: t.Program, Status: Compared, Revisions: len(t.Same), Same: t.Same}
	if err := t.Check(); err != nil {
		e.Status, e.Detail = CannotBeJudged, err.Error()
		return e
	}
	for r := range t.Same {
		e.Tests = append(e.Tests, len(t.Histories[0].Steps[r].Outcomes))
		e.Failed = append(e.Failed, newly(t, r))
	}
	if slices.Max(e.Tests) == 0 {
		e.Status = NothingToTest
		return e
	}
	for i := range t.Histories[1:] {
		d := doing(&t.Histories[i+1])
		d.PaperLost, d.PaperAll = lost(t.Paper, &t.Histories[i+1])
		d.Lost, d.All = lost(t.Touched, &t.Histories[i+1])
		e.Subjects = append(e.Subjects, d)
	}
	for _, r := range t.Renumbered {
		e.Renumbered += len(r)
	}
	for _, r := range rules {
		if r.Applies(t) {
			e.Applied = append(e.Applied, r.ID)
		}
	}
	e.Violations = rule.Judge(rules, t)
	if len(e.Violations) > 0 {
		e.Trial = t
	}
	return e
}

func newly(t *rule.Trial, r int) int {
	n := 0
	for test, o := range t.Histories[0].Steps[r].Outcomes {
		if r > 0 && o.Failed {
			if before, ok := t.Histories[0].Steps[r-1].Outcomes[test]; ok && !before.Failed {
				n++
			}
		}
	}
	return n
}

func doing(h *rule.History) Doing {
	d := Doing{Subject: h.Subject, Role: h.Role}
	for r := range h.Steps {
		s := &h.Steps[r]
		n := len(s.Selected)
		if !s.Done() {
			n = -1
		}
		d.Selected = append(d.Selected, n)
		if s.NotApplicable != "" && d.NotApplicable == "" {
			d.NotApplicable = s.NotApplicable
		}
		if s.Crash != "" && d.Crash == "" {
			d.Crash, d.CrashAt = s.Crash, r
		}
	}
	return d
}

// lost counts by revision the tests that execute what differs, and those of them that did not run. A revision at which the subject was not carried out has none.
func lost(touched []map[string]string, h *rule.History) (missing, all []int) {
	for r := range touched {
		m, n := 0, 0
		if s := &h.Steps[r]; s.Done() {
			n = len(touched[r])
			for test := range touched[r] {
				if _, ran := s.Outcomes[test]; !ran {
					m++
				}
			}
		}
		missing, all = append(missing, m), append(all, n)
	}
	return missing, all
}

// A Cause is a likely common cause of violations: the same rule, subject, operator and kind of witness.
type Cause struct {
	Rule, Subject, Operator string
	Programs                []string // with such a violation
	Example, Says           string   // one of them, and what is said of it
	Source                  string   // text of the example
}

// Causes groups the violations of entries, most programs first.
func Causes(entries []*Entry) []*Cause {
	byKey := map[[3]string]*Cause{}
	var out []*Cause
	for _, e := range entries {
		for _, v := range e.Violations {
			key := [3]string{v.Rule, v.Subject, e.Operator}
			c := byKey[key]
			if c == nil {
				c = &Cause{Rule: v.Rule, Subject: v.Subject, Operator: e.Operator, Says: v.Says}
				byKey[key] = c
				out = append(out, c)
			}
			if n := len(c.Programs); n == 0 || c.Programs[n-1] != e.Program {
				c.Programs = append(c.Programs, e.Program)
			}
			i := slices.IndexFunc(e.Sources, func(s Source) bool { return s.Rule == v.Rule && s.Subject == v.Subject })
			if c.Source == "" && i >= 0 {
				c.Example, c.Says, c.Source = e.Program, v.Says, e.Sources[i].Text
			}
		}
	}
	for _, c := range out {
		if c.Example == "" {
			c.Example = c.Programs[0]
		}
	}
	slices.SortStableFunc(out, func(a, b *Cause) int { return len(b.Programs) - len(a.Programs) })
	return out
}

// A Verdict is what a campaign comes to.
type Verdict string

// The verdicts, the worst last.
const (
	Clean            Verdict = "clean"
	Unfinished       Verdict = "unfinished"         // there was no time for all of it
	Violated         Verdict = "violated"           // a rule
	Crashed          Verdict = "crashed"            // a subject broke down, and no rule is violated
	NothingCompared  Verdict = "nothing-compared"   // no program could be compared
	NothingCompiled  Verdict = "nothing-compiled"   // no program compiled
	SubjectNeverUsed Verdict = "subject-never-used" // a subject was not applicable on every program
)

// Judgement is the verdict on a campaign, with the names that belong to it.
type Judgement struct {
	Verdict Verdict  `json:"verdict"`
	Names   []string `json:"names,omitempty"`
}

// Verdict says what entries of a campaign come to. Broken subjects are there to be violated: their violations do not count.
func (c *Campaign) Verdict(entries []*Entry, finished bool) Judgement {
	compared := slices.DeleteFunc(slices.Clone(entries), func(e *Entry) bool { return e.Status != Compared })
	compiled := slices.ContainsFunc(entries, func(e *Entry) bool { return e.Status != NotCompilable && e.Status != BaseNotUsable && e.Status != Base })
	switch {
	case !compiled:
		return Judgement{NothingCompiled, nil}
	case len(compared) == 0:
		return Judgement{NothingCompared, nil}
	}
	if names := unused(compared); len(names) > 0 {
		return Judgement{SubjectNeverUsed, names}
	}
	var violated, crashed []string
	for _, e := range compared {
		for _, v := range e.Violations {
			if !slices.ContainsFunc(e.Subjects, func(d Doing) bool { return d.Subject == v.Subject && d.Role == rule.Broken }) {
				violated = appendOnce(violated, v.Rule+" "+v.Subject)
			}
		}
		for _, d := range e.Subjects {
			if d.Crash != "" {
				crashed = appendOnce(crashed, d.Subject)
			}
		}
	}
	slices.Sort(violated)
	switch {
	case len(violated) > 0:
		return Judgement{Violated, violated}
	case len(crashed) > 0:
		return Judgement{Crashed, crashed}
	case !finished:
		return Judgement{Unfinished, nil}
	}
	return Judgement{Clean, nil}
}

func appendOnce(to []string, s string) []string {
	if slices.Contains(to, s) {
		return to
	}
	return append(to, s)
}

// unused are the subjects that were not applicable on any program.
func unused(compared []*Entry) []string {
	used := map[string]bool{}
	var all []string
	for _, e := range compared {
		for _, d := range e.Subjects {
			all = appendOnce(all, d.Subject)
			used[d.Subject] = used[d.Subject] || slices.ContainsFunc(d.Selected, func(n int) bool { return n >= 0 }) || d.Crash != ""
		}
	}
	return slices.DeleteFunc(all, func(s string) bool { return used[s] })
}

// SameAt tells whether a revision equals the one before.
func (e *Entry) SameAt(r int) bool { return r < len(e.Same) && e.Same[r] }
