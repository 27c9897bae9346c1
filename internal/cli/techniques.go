package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/internal/config"
	"winnow/internal/report"
	"winnow/internal/rts"
	"winnow/internal/technique"
	"winnow/internal/technique/cells"
	"winnow/internal/technique/dejavu"
	"winnow/internal/technique/methods"
	"winnow/internal/technique/pythia"
	"winnow/internal/technique/retestall"
	"winnow/internal/technique/testtube"
)

// techniques is the list of all techniques, the default one first.
var techniques = append([]technique.Technique{cells.Technique, methods.Technique, retestall.Technique, testtube.Technique, dejavu.Technique, pythia.Technique}, ofPapers()...)

func ofPapers() []technique.Technique {
	var out []technique.Technique
	for _, p := range papers {
		out = append(out, p.Technique)
	}
	return out
}

// onSheets are the techniques that --technique takes for spreadsheets.
var onSheets = []string{cells.Technique.Name, retestall.Technique.Name, testtube.Technique.Name}

// onMaven are those for Maven projects.
var onMaven = append([]string{methods.Technique.Name, retestall.Technique.Name, testtube.Technique.Name}, paperNames()...)

func paperNames() []string {
	var out []string
	for _, p := range papers {
		out = append(out, p.Name)
	}
	return out
}

func (a *app) unknownTechnique(name, kind string) error {
	usable := onSheets
	if kind == mavenKind {
		usable = onMaven
	}
	for _, t := range techniques {
		if t.Name == name {
			return usage("--technique %s does not run on projects of kind %s (%s); use %s", name, kind, t.ShownOn, strings.Join(usable, ", "))
		}
	}
	msg := fmt.Sprintf("--technique %s is not known; `winnow techniques` lists them", name)
	var names []string
	for _, t := range techniques {
		names = append(names, t.Name)
	}
	if near := config.Nearest(name, names); near != "" {
		msg = fmt.Sprintf("--technique %s is not known; did you mean %s?", name, near)
	}
	return usage("%s", msg)
}

func (a *app) techniquesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "techniques",
		Short:   "The selection techniques, what each assumes and where it comes from",
		Example: "  winnow techniques\n  winnow techniques --order\n  winnow test --technique testtube",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			switch {
			case a.flags.json:
				return techniquesJSON(a.Out)
			case a.flags.order:
				return drawOrder(a.Out, techniques)
			}
			return describeTechniques(a.Out)
		},
	}
	c.Flags().BoolVar(&a.flags.order, "order", false, "draw which technique is more general than which")
	return c
}

func describeTechniques(w io.Writer) error {
	var b strings.Builder
	for i, t := range techniques {
		mark := ""
		if i == 0 {
			mark = " (default)"
		}
		fmt.Fprintf(&b, "%s%s: %s\n", t.Name, mark, t.Title)
		fmt.Fprintf(&b, "  runs on      %s\n  words        %s\n  order        %s\n  traces       %s\n  equivalence  %s\n", t.ShownOn, t.Words, t.Order, t.Traces, t.Equivalence)
		fmt.Fprintf(&b, "  assumes      %s\n  from         %s\n\n", t.Bias, t.Citation)
	}
	b.WriteString("Assumptions:\n")
	for _, as := range assumptions() {
		fmt.Fprintf(&b, "  %-19s %s\n", as.Name, as.Says)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// assumptions lists every assumption that some technique makes.
func assumptions() []rts.Assumption {
	var all []rts.Assumption
	for _, t := range techniques {
		for _, as := range t.Bias {
			if !slices.Contains(all, as) {
				all = append(all, as)
			}
		}
	}
	slices.SortFunc(all, func(a, b rts.Assumption) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// drawOrder draws the techniques from the most general downwards: below a technique stand those that assume all it assumes and more, as far as no other
// technique lies between.
func drawOrder(w io.Writer, all []technique.Technique) error {
	var b strings.Builder
	b.WriteString("more general (fewer assumptions)\n")
	for _, t := range all {
		if len(parents(t, all)) == 0 {
			drawBelow(&b, t, all, "", true, true)
		}
	}
	b.WriteString("more specific (more assumptions)\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func drawBelow(b *strings.Builder, t technique.Technique, all []technique.Technique, indent string, last, top bool) {
	branch, next := "├─ ", "│  "
	if last {
		branch, next = "└─ ", "   "
	}
	if top {
		branch, next = "", ""
	}
	fmt.Fprintf(b, "%s%s%s\n", indent, branch, t.Name)
	below := children(t, all)
	for i, c := range below {
		own := without(c.Bias, t.Bias)
		lead := indent + next
		fmt.Fprintf(b, "%s│  + %s\n", lead, own)
		drawBelow(b, c, all, lead, i == len(below)-1, false)
	}
}

func without(a, b rts.Bias) rts.Bias {
	var out rts.Bias
	for _, x := range a {
		if !slices.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}

// strictlyMore tells whether t assumes all that u assumes, and more.
func strictlyMore(t, u technique.Technique) bool {
	return t.Bias.Includes(u.Bias) && !u.Bias.Includes(t.Bias)
}

// children are the techniques directly below t.
func children(t technique.Technique, all []technique.Technique) []technique.Technique {
	var out []technique.Technique
	for _, c := range all {
		if slices.ContainsFunc(parents(c, all), func(p technique.Technique) bool { return p.Name == t.Name }) {
			out = append(out, c)
		}
	}
	return out
}

// parents are the techniques directly above t.
func parents(t technique.Technique, all []technique.Technique) []technique.Technique {
	var above []technique.Technique
	for _, u := range all {
		if strictlyMore(t, u) {
			above = append(above, u)
		}
	}
	return slices.DeleteFunc(above, func(u technique.Technique) bool {
		return slices.ContainsFunc(above, func(v technique.Technique) bool { return strictlyMore(v, u) })
	})
}

func techniquesJSON(w io.Writer) error {
	type entry struct {
		Name        string   `json:"name"`
		Title       string   `json:"title"`
		Default     bool     `json:"default"`
		Citation    string   `json:"citation"`
		RunsOn      string   `json:"runs_on"`
		Words       string   `json:"words"`
		Order       string   `json:"order"`
		Traces      string   `json:"traces"`
		Equivalence string   `json:"equivalence"`
		Assumes     []string `json:"assumes"`
	}
	entries := make([]entry, len(techniques))
	for i, t := range techniques {
		names := []string{}
		for _, as := range t.Bias {
			names = append(names, as.Name)
		}
		entries[i] = entry{t.Name, t.Title, i == 0, t.Citation, t.ShownOn, t.Words, t.Order, t.Traces, t.Equivalence, names}
	}
	return writeJSON(w, map[string]any{"schema": report.Schema, "command": "techniques", "techniques": entries})
}
