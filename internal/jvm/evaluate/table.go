package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A line is what the table says about a project.
type line struct {
	name, about    string
	base, tip      string
	built, broken  int
	methods, cases int // at the base
	unstable       []string
	pairs          int // of test class and revision that the judge calls affected
	shared         int // JVMs under the judge with more than one test class
	newlyFailing   int
	missed         misses
	differences    []string // of the first run
	methodsRun     share    // over all revisions
	classesRun     share
	atRevisions    []share
	idle           map[string]int
	bad            []string // tests that ran although nothing had changed
	audit          *audit
	wall, cpu      times
	programs       map[string]bool
}

// misses are by the judge that found them.
type misses struct{ affected, failing, outcomes, mutants []string }

func (m misses) all() []string { return slices.Concat(m.affected, m.failing, m.outcomes, m.mutants) }

// A share is a part of a number.
type share struct{ part, whole int }

func (s *share) add(part, whole int) {
	s.part += part
	s.whole += whole
}

func (s share) String() string {
	if s.whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(s.part)/float64(s.whole))
}

// times are those of one kind, wall or processor: of the plain runs at the base, and as ratios of the first run, of the runs at the revisions, and of those with
// nothing changed.
type times struct {
	plain                  float64
	first, then, unchanged ratio
}

// A ratio is of times: Winnow's to those of plain Maven. A time that was not measured makes it unknown.
type ratio struct {
	winnow, plain float64
	unknown       bool
}

func (r *ratio) add(winnow, plain float64) {
	r.winnow += winnow
	r.plain += plain
	r.unknown = r.unknown || winnow == 0 || plain == 0
}

func (r ratio) String() string {
	if r.plain == 0 || r.unknown {
		return "–"
	}
	return fmt.Sprintf("%.2f", r.winnow/r.plain)
}

// summarize draws the conclusions about a project.
func (h *history) summarize() (line, error) {
	l := line{name: h.Name, about: h.About, unstable: sorted(h.unstable), idle: map[string]int{}, programs: map[string]bool{}}
	for _, r := range h.revisions {
		if r.broken() {
			l.broken++
		}
	}
	all := h.built()
	for i, r := range all {
		l.programs[r.winnow.Winnow] = true
		l.tip = r.plains[0].Revision
		l.shared += r.unjudged()
		l.addIdle(h, r)
		if i == 0 {
			l.atBase(h, r)
			continue
		}
		if err := l.addRevision(h, all[i-1], r); err != nil {
			return l, err
		}
	}
	for _, s := range h.audits {
		if l.audit == nil {
			l.audit = &audit{}
		}
		l.audit.add(s.Audit)
		l.programs[s.Winnow] = true
	}
	if l.audit != nil {
		l.missed.mutants = l.audit.misses()
	}
	return l, nil
}

func (l *line) addIdle(h *history, r revision) {
	byReason, bad := h.idle(r)
	for code, n := range byReason {
		l.idle[code] += n
	}
	l.bad = append(l.bad, bad...)
	l.wall.unchanged.add(r.again.Seconds, r.plains[0].Seconds)
	l.cpu.unchanged.add(r.again.CPU, r.plains[0].CPU)
}

func (l *line) atBase(h *history, r revision) {
	l.base = r.plains[0].Revision
	l.methods, l.cases = len(r.plains[0].Outcomes), r.plains[0].Outcomes.cases()
	l.differences = h.first(r)
	for _, p := range r.plains {
		l.wall.plain += p.Seconds / float64(len(r.plains))
		l.cpu.plain += p.CPU / float64(len(r.plains))
	}
	l.wall.first.add(r.winnow.Seconds, l.wall.plain)
	l.cpu.first.add(r.winnow.CPU, l.cpu.plain)
}

func (l *line) addRevision(h *history, before, now revision) error {
	l.built++
	l.wall.then.add(now.winnow.Seconds, now.plains[0].Seconds)
	l.cpu.then.add(now.winnow.CPU, now.plains[0].CPU)
	ran, all := now.winnow.Outcomes.ran(), now.plains[0].Outcomes.ran()
	classes := outermostOf(ran)
	l.methodsRun.add(len(ran), len(all))
	l.classesRun.add(len(classes), len(outermostOf(all)))
	l.atRevisions = append(l.atRevisions, share{len(ran), len(all)})
	l.newlyFailing += len(h.newlyFailing(before, now))
	l.missed.failing = append(l.missed.failing, h.unnoticed(before, now)...)
	l.missed.outcomes = append(l.missed.outcomes, h.otherOutcomes(now)...)
	affected, err := h.affected(before, now)
	if err != nil {
		return err
	}
	l.pairs += len(affected)
	for _, class := range sorted(affected) {
		if !slices.ContainsFunc(strings.Split(class, ","), func(c string) bool { return classes[c] }) {
			l.missed.affected = append(l.missed.affected, fmt.Sprintf("revision %d (%.12s): no test of %s was run, which executes %s", now.number, now.plains[0].Revision, class,
				strings.Replace(affected[class], "\t", ".", 1)))
		}
	}
	return nil
}

// table prints what is known about the projects, as Markdown.
func (e *evaluation) table(w io.Writer, projects []project) error {
	var lines []line
	for _, p := range projects {
		h, err := (place{e, p}).history(e.plan.revisions)
		if err != nil {
			return err
		}
		l, err := h.summarize()
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		lines = append(lines, l)
	}
	fmt.Fprintln(w, "| project | revisions (not buildable) | test methods (cases) | unstable | run | classes run | affected classes (missed) | newly failing (missed) | other outcomes | mutants: killed + all tests selected (missed) | run again unchanged | plain, CPU s | first | revisions | unchanged |")
	fmt.Fprintln(w, "|"+strings.Repeat("---|", 15))
	missed := 0
	for _, l := range lines {
		l.row(w)
		missed += len(l.missed.all())
	}
	for _, l := range lines {
		l.details(w)
	}
	if missed > 0 {
		return fmt.Errorf("%w: %d", errMisses, missed)
	}
	return nil
}

func (l line) row(w io.Writer) {
	mutants := "–"
	if l.audit != nil {
		mutants = fmt.Sprintf("%d + %d of %d (%d)", l.audit.count("killed", "missed", "timed-out"), l.audit.count("all-selected"), len(l.audit.Tried), l.audit.count("missed"))
	}
	fmt.Fprintf(w, "| %s | %d (%d) | %d (%d) | %d | %s | %s | %d (%d) | %d (%d) | %d | %s | %s | %.1f | %s | %s | %s |\n", l.name, l.built, l.broken, l.methods, l.cases,
		len(l.unstable), l.methodsRun, l.classesRun, l.pairs, len(l.missed.affected), l.newlyFailing, len(l.missed.failing), len(l.missed.outcomes),
		mutants, reasons(l.idle), l.cpu.plain, l.cpu.first, l.cpu.then, l.cpu.unchanged)
}

func reasons(idle map[string]int) string {
	var words []string
	for _, code := range sorted(idle) {
		shown := code
		if shown == "" {
			shown = "no reason"
		}
		words = append(words, fmt.Sprintf("%d %s", idle[code], shown))
	}
	if len(words) == 0 {
		return "0"
	}
	return strings.Join(words, ", ")
}

func (l line) details(w io.Writer) {
	fmt.Fprintf(w, "\n**%s**", l.name)
	if l.about != "" {
		fmt.Fprintf(w, " (%s)", l.about)
	}
	fmt.Fprintf(w, ": from %.12s to %.12s.\n", l.base, l.tip)
	if len(l.atRevisions) > 0 {
		words := make([]string, len(l.atRevisions))
		for i, s := range l.atRevisions {
			words[i] = fmt.Sprintf("%d of %d", s.part, s.whole)
		}
		fmt.Fprintf(w, "\nTest methods run at the revisions: %s.\n", strings.Join(words, ", "))
	}
	fmt.Fprintf(w, "\nWall times: plain %.1f s; first %s, revisions %s, unchanged %s.\n", l.wall.plain, l.wall.first, l.wall.then, l.wall.unchanged)
	if len(l.programs) > 1 {
		fmt.Fprintf(w, "\nThe steps were done with %d different builds of Winnow.\n", len(l.programs))
	}
	if l.shared > 0 {
		fmt.Fprintf(w, "\n%d JVMs under the judge ran more than one test class.\n", l.shared)
	}
	for _, part := range []struct {
		title string
		lines []string
	}{
		{"Misses", l.missed.all()}, {"Unlike plain Maven in the first run", l.differences}, {"Run again without a good reason", l.bad}, {"Unstable", l.unstable},
	} {
		if len(part.lines) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s:\n\n", part.title)
		for _, text := range part.lines[:min(len(part.lines), 40)] {
			fmt.Fprintf(w, "- %s\n", text)
		}
		if more := len(part.lines) - 40; more > 0 {
			fmt.Fprintf(w, "- and %d more\n", more)
		}
	}
}
