package compare

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"winnow/internal/jvm/jig"
)

// A Project is the lines of one project.
type Project struct {
	Name      string   `json:"project"`
	Revisions []string `json:"revisions"` // those that have lines
	// Unbuildable are revisions that did not build, each with the reason.
	Unbuildable []string `json:"unbuildable"`
	Lines       []Line   `json:"lines"`
	// Study counts dangerous methods over all revisions.
	Study jig.Study `json:"study"`
}

// A Figure is what a technique did on one project, or on all.
type Figure struct {
	Technique string
	Revisions int
	// Classes and Tests are the mean parts selected of the test classes and of the tests, Net the part of the classes without those selected only for what techniques on classes do not track.
	Classes, Tests, Net float64
	// Analysis is the mean of the measured seconds; Time the modelled time of all revisions as a part of retest-all's.
	Analysis, Time float64
	// Measured is the time of all runs that were measured as a part of plain Maven's at the same revisions, MeasuredAt how many these are.
	Measured   float64
	MeasuredAt int
	Missed     int
	// PaperALR and OursALR are means over Judged revisions (by the definition each).
	PaperALR, OursALR       float64
	PaperJudged, OursJudged int
	Failed                  int
}

// RetestAll is the name of the column that everything is a part of.
const RetestAll = "retest-all"

// Measured adds to the lines of a revision what was measured there, by technique. Nothing is added unless retest-all is among it: what it would be a part of is not known.
func Measured(lines []Line, seconds map[string]float64) {
	if seconds[RetestAll] <= 0 {
		return
	}
	for i := range lines {
		lines[i].Measured = seconds[lines[i].Technique]
	}
}

// Figures sums lines up by technique, in the order in which techniques come.
func Figures(lines []Line) []Figure {
	all, plain := map[string]float64{}, map[string]float64{} // seconds of retest-all, modelled and measured
	var order []string
	sums := map[string]*sum{}
	for i := range lines {
		if lines[i].Technique == RetestAll {
			all[lines[i].Revision], plain[lines[i].Revision] = lines[i].Seconds, lines[i].Measured
		}
	}
	for i := range lines {
		l := &lines[i]
		s := sums[l.Technique]
		if s == nil {
			s = &sum{Figure: Figure{Technique: l.Technique}}
			sums[l.Technique] = s
			order = append(order, l.Technique)
		}
		s.add(l, all[l.Revision], plain[l.Revision])
	}
	var out []Figure
	for _, name := range order {
		out = append(out, sums[name].figure())
	}
	return out
}

type sum struct {
	Figure
	seconds, whole  float64
	measured, plain float64
}

func (s *sum) add(l *Line, whole, plain float64) {
	if l.Failed != "" {
		s.Failed++
		return
	}
	if l.Classes == 0 {
		return
	}
	s.Revisions++
	s.Classes += float64(l.SelectedClasses) / float64(l.Classes)
	s.Net += float64(l.SelectedClasses-l.Beyond) / float64(l.Classes)
	s.Tests += float64(l.SelectedTests) / float64(l.Tests)
	s.Analysis += l.Analysis
	s.seconds += l.Seconds
	s.whole += whole
	if l.Measured > 0 {
		s.measured += l.Measured
		s.plain += plain
		s.MeasuredAt++
	}
	s.Missed += len(l.Missed)
	if l.Paper >= 0 {
		s.PaperALR += l.Paper
		s.PaperJudged++
	}
	if l.Ours >= 0 {
		s.OursALR += l.Ours
		s.OursJudged++
	}
}

func (s *sum) figure() Figure {
	f := s.Figure
	for _, x := range []*float64{&f.Classes, &f.Tests, &f.Net, &f.Analysis} {
		*x = part(*x, float64(s.Revisions))
	}
	f.PaperALR, f.OursALR = part(f.PaperALR, float64(f.PaperJudged)), part(f.OursALR, float64(f.OursJudged))
	f.Time, f.Measured = part(s.seconds, s.whole), part(s.measured, s.plain)
	return f
}

// measured is the measured part in words.
func (f Figure) measured() string {
	if f.MeasuredAt == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*f.Measured)
}

// part is 0 of nothing.
func part(x, of float64) float64 {
	if of == 0 {
		return 0
	}
	return x / of
}

// Text writes the tables: each project, and all together if there are several.
func Text(w io.Writer, projects []Project) error {
	var b strings.Builder
	var all []Line
	for _, p := range projects {
		fmt.Fprintf(&b, "%s: %d revisions compared", p.Name, len(p.Revisions))
		if n := len(p.Unbuildable); n > 0 {
			fmt.Fprintf(&b, ", %d did not build", n)
		}
		b.WriteString("\n")
		b.WriteString(table(Figures(p.Lines)))
		fmt.Fprintf(&b, "dangerous methods: %d, of which every path takes a dangerous edge: %d (%.0f%%)\n\n", p.Study.Methods, p.Study.OnAllPaths, 100*p.Study.Share())
		all = append(all, p.Lines...)
	}
	if len(projects) > 1 {
		fmt.Fprintf(&b, "all %d projects\n%s", len(projects), table(Figures(all)))
	}
	b.WriteString("Parts are means over revisions. Net leaves out test classes selected only for what techniques on classes do not track. Analysis is measured;\n" +
		"end-to-end is modelled from recorded durations, as a part of retest-all's; measured is the time of whole commands, as a part of plain Maven's. ALR: mean loss ratio, by the paper on JcgEks / with the old revision's executions.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func table(figures []Figure) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "technique\tclasses\tnet\ttests\tanalysis\tend-to-end\tmeasured\tmissed\tALR\tfailed\t")
	for _, f := range figures {
		alr := "-"
		if f.OursJudged > 0 {
			alr = fmt.Sprintf("%.2f%% / %.2f%%", 100*f.PaperALR, 100*f.OursALR)
		}
		fmt.Fprintf(t, "%s\t%.1f%%\t%.1f%%\t%.1f%%\t%.3f s\t%.1f%%\t%s\t%d\t%s\t%d\t\n", f.Technique, 100*f.Classes, 100*f.Net, 100*f.Tests, f.Analysis, 100*f.Time, f.measured(), f.Missed, alr, f.Failed)
	}
	t.Flush() // it writes to memory
	return b.String()
}
