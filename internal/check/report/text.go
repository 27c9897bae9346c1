package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// Text writes a summary for people.
func (s *Summary) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "campaign   %s (%s, seed %d, JDK %d)\n", s.Name, s.Component, s.Seed, s.JDK)
	s.funnelText(&b)
	s.gridText(&b)
	s.subjectsText(&b)
	s.rulesText(&b)
	s.lossText(&b)
	s.timesText(&b)
	s.lengthText(&b)
	s.crashText(&b)
	s.causesText(&b)
	fmt.Fprintf(&b, "\nverdict    %s\n", s.Verdict())
	_, err := io.WriteString(w, b.String())
	return err
}

// Verdict is the verdict with the names that belong to it.
func (s *Summary) Verdict() string {
	out := string(s.Judgement.Verdict)
	if len(s.Judgement.Names) > 0 {
		out += ": " + strings.Join(s.Judgement.Names, ", ")
	}
	if !s.Finished {
		out += " (not all programs were looked at)"
	}
	return out
}

func (s *Summary) funnelText(b *strings.Builder) {
	f := &s.Funnel
	fmt.Fprintf(b, "programs   ")
	if f.Bases+f.Unusable > 0 {
		fmt.Fprintf(b, "%d first revisions (%d more not usable), ", f.Bases, f.Unusable)
	}
	fmt.Fprintf(b, "%d evolving, %d compilable, %d compared", f.Evolving, f.Compilable, f.Compared)
	if f.Died+f.Flaky+f.NotJudged > 0 {
		fmt.Fprintf(b, " (%d killed their JVM, %d unstable, %d not judged)", f.Died, f.Flaky, f.NotJudged)
	}
	fmt.Fprintf(b, "\ntests      %d at last revisions, %d fail newly\n", f.Tests, f.Failing)
	fmt.Fprintf(b, "violations %d in %d programs, %d groups\n", f.Violations, f.Violating, f.Groups)
}

// table writes rows of cells separated by tabs.
func table(b *strings.Builder, rows func(w io.Writer)) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	rows(w)
	w.Flush() // to a strings.Builder: no error
}

func (s *Summary) gridText(b *strings.Builder) {
	if len(s.Grid) == 0 {
		return
	}
	var operators []string
	for _, r := range s.Grid {
		for _, c := range r.Cells {
			if !slices.Contains(operators, c.Operator) {
				operators = append(operators, c.Operator)
			}
		}
	}
	slices.SortFunc(operators, natural)
	b.WriteString("\nGenerated and compilable evolving programs by constraint and operator:\n")
	table(b, func(w io.Writer) {
		fmt.Fprintf(w, "\tbase\t%s\t\n", strings.Join(operators, "\t"))
		for _, r := range s.Grid {
			fmt.Fprintf(w, "%s\t%d\t", r.Constraint, r.Bases)
			for _, op := range operators {
				i := slices.IndexFunc(r.Cells, func(c Cell) bool { return c.Operator == op })
				if i < 0 {
					fmt.Fprint(w, "0/0\t")
				} else {
					fmt.Fprintf(w, "%d/%d\t", r.Cells[i].Generated, r.Cells[i].Compilable)
				}
			}
			fmt.Fprintln(w)
		}
	})
}

func (s *Summary) subjectsText(b *strings.Builder) {
	b.WriteString("\nSubjects: programs on which each worked, crashed or is not applicable; tests selected at changed revisions; programs with violations by rule:\n")
	table(b, func(w io.Writer) {
		fmt.Fprintln(w, "\tworked\tcrashed\tn/a\tselected\tof\tpart\tviolations\t")
		for _, one := range s.Subjects {
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t\n", one.Name, one.Compared, one.Crashed, one.NotApplicable, one.Selected, one.Of, percent(one.Selected, one.Of), counts(one.Violations))
		}
	})
	for _, one := range s.Subjects {
		if one.Why != "" {
			fmt.Fprintf(b, "%s is not applicable: %s\n", one.Name, one.Why)
		}
	}
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(of))
}

func counts(m map[string]int) string {
	var out []string
	for _, k := range slices.SortedFunc(maps.Keys(m), natural) {
		out = append(out, fmt.Sprintf("%s:%d", k, m[k]))
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, " ")
}

func (s *Summary) rulesText(b *strings.Builder) {
	b.WriteString("\nRules: programs on which each could fire, and did:\n")
	for _, r := range s.Rules {
		sure := "likely"
		if r.Certain {
			sure = "certain"
		}
		fmt.Fprintf(b, "  %-3s %7d %6d  %s, %s: %s\n", r.ID, r.Applied, r.Violating, r.Kind, sure, r.Title)
	}
}

func (s *Summary) lossText(b *strings.Builder) {
	if len(s.Losses) == 0 {
		return
	}
	b.WriteString("\nAverage loss ratio: tests that execute a changed method and are left out; by the paper's definition (new revision only) and by ours (old and new):\n")
	for _, l := range s.Losses {
		fmt.Fprintf(b, "  %-16s %6.2f%% over %d revisions, %6.2f%% over %d\n", l.Subject, l.Paper, l.PaperRevisions, l.Ours, l.Revisions)
	}
	fmt.Fprintf(b, "  %d tests execute nothing that differs but methods that the compiler numbered otherwise; they count as no loss\n", s.Funnel.Renumbered)
}

func (s *Summary) timesText(b *strings.Builder) {
	if len(s.Projects) > 0 {
		b.WriteString("\nCumulative time by project, seconds:\n")
		for _, p := range s.Projects {
			fmt.Fprintf(b, "  %s:", p.Project)
			for _, name := range slices.Sorted(maps.Keys(p.Millis)) {
				fmt.Fprintf(b, " %s %.1f", name, float64(p.Millis[name])/1000)
			}
			b.WriteString("\n")
		}
	}
	for _, p := range s.LeftOut {
		fmt.Fprintf(b, "  left out: %s\n", p)
	}
}

func (s *Summary) lengthText(b *strings.Builder) {
	if len(s.Lengths) == 0 {
		return
	}
	b.WriteString("\nViolating tests by their length:\n")
	for _, l := range s.Lengths {
		fmt.Fprintf(b, "  %-9s %s\n", l.Group, counts(l.Tests))
	}
}

func (s *Summary) crashText(b *strings.Builder) {
	for i, c := range s.Crashes {
		if i == 0 {
			b.WriteString("\nCrashes:\n")
		}
		fmt.Fprintf(b, "  %s on %d programs, for example %s: %s\n", c.Subject, c.Programs, c.Example, c.Says)
	}
}

func (s *Summary) causesText(b *strings.Builder) {
	for i, c := range s.Causes {
		if i == 0 {
			b.WriteString("\nGroups of violations with a likely common cause:\n")
		}
		fmt.Fprintf(b, "  %s %s", c.Rule, c.Subject)
		if c.Operator != "" {
			fmt.Fprintf(b, " after %s", c.Operator)
		}
		fmt.Fprintf(b, ": %d programs, for example %s: %s\n", c.Programs, c.Example, c.Says)
		if c.Repeat != "" {
			fmt.Fprintf(b, "      repeat: %s\n", c.Repeat)
		}
	}
}
