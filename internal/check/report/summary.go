package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"winnow/internal/check/campaign"
	"winnow/internal/check/rule"
)

// A Summary is all figures of a campaign.
type Summary struct {
	Name      string             `json:"name"`
	Component campaign.Component `json:"component"`
	Seed      uint64             `json:"seed"`
	JDK       int                `json:"jdk"`
	Judgement campaign.Judgement `json:"judgement"`
	Finished  bool               `json:"finished"`

	Funnel   Funnel         `json:"funnel"`
	Grid     []Row          `json:"grid,omitempty"` // by constraint, and in it by operator
	Subjects []Subject      `json:"subjects"`
	Rules    []RuleCount    `json:"rules"`
	Causes   []Cause        `json:"causes,omitempty"`
	Lengths  []Length       `json:"lengths,omitempty"`
	Projects []ProjectTimes `json:"projects,omitempty"`
	LeftOut  []string       `json:"left_out,omitempty"` // projects that are not in the cumulative times, with the reason
	Losses   []Loss         `json:"losses,omitempty"`
	Crashes  []Crash        `json:"crashes,omitempty"`
}

// A Funnel counts programs.
type Funnel struct {
	Bases      int `json:"bases"`        // first revisions that are usable
	Unusable   int `json:"bases_unused"` // first revisions that do not compile or have no tests
	Evolving   int `json:"evolving"`     // evolving programs made
	Compilable int `json:"compilable"`
	Died       int `json:"died"`
	Flaky      int `json:"flaky"`
	NotJudged  int `json:"not_judged"` // the baseline or the decoder did not come to an end, or nothing is there to run
	Compared   int `json:"compared"`
	Tests      int `json:"tests"` // at the last revisions of what was compared
	Failing    int `json:"newly_failing"`
	Violating  int `json:"violating"` // programs
	Violations int `json:"violations"`
	Groups     int `json:"groups"`
	Renumbered int `json:"renumbered"` // tests that execute nothing that differs but what compilers numbered otherwise
}

// A Row is a constraint with its operators.
type Row struct {
	Constraint string `json:"constraint"`
	Bases      int    `json:"bases"`
	Cells      []Cell `json:"cells"`
}

// A Cell counts the evolving programs of a constraint and an operator.
type Cell struct {
	Operator   string `json:"operator"`
	Generated  int    `json:"generated"`
	Compilable int    `json:"compilable"`
}

// A Subject is what a subject did on all programs.
type Subject struct {
	Name          string `json:"name"`
	Compared      int    `json:"compared"`       // programs on which it worked at every revision
	Crashed       int    `json:"crashed"`        // programs
	NotApplicable int    `json:"not_applicable"` // programs
	Why           string `json:"why,omitempty"`  // one reason why it is not applicable
	// Selected and Of are tests selected and tests there, at revisions that follow another and are no first ones.
	Selected int `json:"selected"`
	Of       int `json:"of"`
	// Ratios are the parts selected, by program, for pictures.
	Ratios     []float64      `json:"-"`
	Violations map[string]int `json:"violations,omitempty"` // programs by rule
	Bytes      int64          `json:"bytes,omitempty"`
}

// A RuleCount says how often a rule could fire, and on how many programs it did.
type RuleCount struct {
	ID        string    `json:"id"`
	Title     string    `json:"title"`
	Kind      rule.Kind `json:"kind"`
	Certain   bool      `json:"certain"`
	Applied   int       `json:"applied"`
	Violating int       `json:"violating"`
}

// A Cause is a group of violations.
type Cause struct {
	Rule     string `json:"rule"`
	Subject  string `json:"subject"`
	Operator string `json:"operator,omitempty"`
	Programs int    `json:"programs"`
	Example  string `json:"example"`
	Says     string `json:"says"`
	Source   string `json:"source,omitempty"`
	Repeat   string `json:"repeat,omitempty"` // the command
}

// A Length counts the violating tests of a length, by rule kind.
type Length struct {
	Group string         `json:"group"`
	Tests map[string]int `json:"tests"` // by rule
}

// ProjectTimes are cumulative times on a project, in milliseconds.
type ProjectTimes struct {
	Project string           `json:"project"`
	Millis  map[string]int64 `json:"millis"` // by subject
}

// A Loss is the average loss ratio of a subject, in percent, by both definitions; Revisions is how many it is over.
type Loss struct {
	Subject        string  `json:"subject"`
	Paper          float64 `json:"paper"`
	PaperRevisions int     `json:"paper_revisions"`
	Ours           float64 `json:"ours"`
	Revisions      int     `json:"revisions"`
}

// A Crash is a subject that broke down.
type Crash struct {
	Subject  string `json:"subject"`
	Says     string `json:"says"`
	Programs int    `json:"programs"`
	Example  string `json:"example"`
}

// Summarize makes the figures of a campaign.
func Summarize(c *campaign.Campaign, entries []*campaign.Entry, finished bool) *Summary {
	s := &Summary{Name: c.Name, Component: c.Component, Seed: c.Seed, JDK: c.JDK, Judgement: c.Verdict(entries, finished), Finished: finished}
	s.funnel(entries)
	s.grid(entries)
	s.subjects(entries)
	s.rules(c, entries)
	s.causes(entries)
	s.lengths(entries)
	s.times(entries)
	s.losses(entries)
	s.crashes(entries)
	return s
}

func (s *Summary) funnel(entries []*campaign.Entry) {
	f := &s.Funnel
	for _, e := range entries {
		switch e.Status {
		case campaign.Base:
			f.Bases++
			continue
		case campaign.BaseNotUsable:
			f.Unusable++
			continue
		}
		f.Evolving++
		if e.Status != campaign.NotCompilable {
			f.Compilable++
		}
		switch e.Status {
		case campaign.Died:
			f.Died++
		case campaign.Flaky:
			f.Flaky++
		case campaign.CannotBeJudged, campaign.NothingToTest:
			f.NotJudged++
		case campaign.Compared:
			f.Compared++
			f.Tests += e.Tests[len(e.Tests)-1]
			for _, n := range e.Failed {
				f.Failing += n
			}
			f.Violations += len(e.Violations)
			f.Renumbered += e.Renumbered
			if len(e.Violations) > 0 {
				f.Violating++
			}
		}
	}
	f.Groups = len(campaign.Causes(entries))
}

func (s *Summary) grid(entries []*campaign.Entry) {
	rows := map[string]*Row{}
	cells := map[string]map[string]*Cell{}
	for _, e := range entries {
		if e.Constraint == "" || s.Component != campaign.AutoEP {
			continue
		}
		row := rows[e.Constraint]
		if row == nil {
			row = &Row{Constraint: e.Constraint}
			rows[e.Constraint], cells[e.Constraint] = row, map[string]*Cell{}
		}
		if e.Status == campaign.Base {
			row.Bases++
		}
		if e.Operator == "" {
			continue
		}
		cell := cells[e.Constraint][e.Operator]
		if cell == nil {
			cell = &Cell{Operator: e.Operator}
			cells[e.Constraint][e.Operator] = cell
		}
		cell.Generated++
		if e.Status != campaign.NotCompilable {
			cell.Compilable++
		}
	}
	for name, row := range rows {
		for _, cell := range cells[name] {
			row.Cells = append(row.Cells, *cell)
		}
		slices.SortFunc(row.Cells, func(a, b Cell) int { return natural(a.Operator, b.Operator) })
		s.Grid = append(s.Grid, *row)
	}
	slices.SortFunc(s.Grid, func(a, b Row) int { return natural(a.Constraint, b.Constraint) })
}

// natural orders ids such as JD2 and JD10 by their numbers.
func natural(a, b string) int {
	letters := func(s string) string { return strings.TrimRight(s, "0123456789") }
	return cmp.Or(strings.Compare(letters(a), letters(b)), cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

func (s *Summary) subjects(entries []*campaign.Entry) {
	byName := map[string]*Subject{}
	var order []string
	for _, e := range entries {
		for _, d := range e.Subjects {
			one := byName[d.Subject]
			if one == nil {
				one = &Subject{Name: d.Subject, Violations: map[string]int{}}
				byName[d.Subject] = one
				order = append(order, d.Subject)
			}
			one.add(e, &d)
		}
		seen := map[string]bool{}
		for _, v := range e.Violations {
			if key := v.Subject + " " + v.Rule; !seen[key] && byName[v.Subject] != nil {
				seen[key] = true
				byName[v.Subject].Violations[v.Rule]++
			}
		}
	}
	for _, name := range order {
		s.Subjects = append(s.Subjects, *byName[name])
	}
}

func (one *Subject) add(e *campaign.Entry, d *campaign.Doing) {
	switch {
	case d.Crash != "":
		one.Crashed++
		return
	case d.NotApplicable != "":
		one.NotApplicable++
		one.Why = d.NotApplicable
		return
	}
	one.Compared++
	one.Bytes += d.Bytes
	selected, of := 0, 0
	for r, n := range d.Selected {
		if r > 0 && !e.SameAt(r) && n >= 0 {
			selected, of = selected+n, of+e.Tests[r]
		}
	}
	one.Selected, one.Of = one.Selected+selected, one.Of+of
	if of > 0 {
		one.Ratios = append(one.Ratios, float64(selected)/float64(of))
	}
}

func (s *Summary) rules(c *campaign.Campaign, entries []*campaign.Entry) {
	for _, r := range rule.All {
		if !slices.Contains(c.Rules, r.ID) {
			continue
		}
		count := RuleCount{ID: r.ID, Title: r.Title, Kind: r.Kind, Certain: r.Certain}
		for _, e := range entries {
			if slices.Contains(e.Applied, r.ID) {
				count.Applied++
			}
			if slices.ContainsFunc(e.Violations, func(v rule.Violation) bool { return v.Rule == r.ID }) {
				count.Violating++
			}
		}
		s.Rules = append(s.Rules, count)
	}
}

func (s *Summary) causes(entries []*campaign.Entry) {
	for _, c := range campaign.Causes(entries) {
		s.Causes = append(s.Causes, Cause{Rule: c.Rule, Subject: c.Subject, Operator: c.Operator, Programs: len(c.Programs), Example: c.Example, Says: c.Says, Source: c.Source})
	}
}

// lengths counts violating tests by the class that they are in: generated tests of one length are in one class.
func (s *Summary) lengths(entries []*campaign.Entry) {
	groups := map[string]map[string]int{}
	for _, e := range entries {
		for _, v := range e.Violations {
			for _, test := range v.Tests {
				group := strings.TrimPrefix(test, "t.")
				group, _, _ = strings.Cut(group, ".")
				if !strings.HasPrefix(group, "L") {
					continue
				}
				if groups[group] == nil {
					groups[group] = map[string]int{}
				}
				groups[group][v.Rule]++
			}
		}
	}
	for _, g := range slices.SortedFunc(maps.Keys(groups), func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) }) {
		s.Lengths = append(s.Lengths, Length{g, groups[g]})
	}
}

// times adds up the times of a project. One on which a subject crashed is left out for all.
func (s *Summary) times(entries []*campaign.Entry) {
	projects := map[string]*ProjectTimes{}
	out := map[string]string{}
	for _, e := range entries {
		for _, d := range e.Subjects {
			if d.Crash != "" && len(d.Millis) > 0 {
				out[e.Constraint] = e.Constraint + ": " + d.Subject + " crashes"
			}
		}
	}
	for _, e := range entries {
		for _, d := range e.Subjects {
			if len(d.Millis) == 0 || out[e.Constraint] != "" {
				continue
			}
			p := projects[e.Constraint]
			if p == nil {
				p = &ProjectTimes{Project: e.Constraint, Millis: map[string]int64{}}
				projects[e.Constraint] = p
			}
			for _, ms := range d.Millis {
				p.Millis[d.Subject] += ms
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(projects)) {
		s.Projects = append(s.Projects, *projects[name])
	}
	s.LeftOut = slices.Sorted(maps.Values(out))
}

func (s *Summary) losses(entries []*campaign.Entry) {
	byName := map[string]*Loss{}
	var order []string
	for _, e := range entries {
		for _, d := range e.Subjects {
			if len(d.All) == 0 {
				continue
			}
			l := byName[d.Subject]
			if l == nil {
				l = &Loss{Subject: d.Subject}
				byName[d.Subject], order = l, append(order, d.Subject)
			}
			l.Paper, l.PaperRevisions = addLoss(l.Paper, l.PaperRevisions, d.PaperLost, d.PaperAll)
			l.Ours, l.Revisions = addLoss(l.Ours, l.Revisions, d.Lost, d.All)
		}
	}
	for _, name := range order {
		l := byName[name]
		l.Paper, l.Ours = mean(l.Paper, l.PaperRevisions), mean(l.Ours, l.Revisions)
		s.Losses = append(s.Losses, *l)
	}
}

// addLoss adds the loss ratios of revisions where they are defined.
func addLoss(sum float64, n int, lost, all []int) (float64, int) {
	for r := range all {
		if all[r] > 0 {
			sum, n = sum+100*float64(lost[r])/float64(all[r]), n+1
		}
	}
	return sum, n
}

func mean(sum float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

func (s *Summary) crashes(entries []*campaign.Entry) {
	byKey := map[string]*Crash{}
	var order []string
	for _, e := range entries {
		for _, d := range e.Subjects {
			if d.Crash == "" {
				continue
			}
			key := d.Subject + "\x00" + d.Crash
			if byKey[key] == nil {
				byKey[key], order = &Crash{Subject: d.Subject, Says: d.Crash, Example: e.Program}, append(order, key)
			}
			byKey[key].Programs++
		}
	}
	for _, key := range order {
		s.Crashes = append(s.Crashes, *byKey[key])
	}
}
