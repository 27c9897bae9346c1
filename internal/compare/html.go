package compare

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"

	"winnow/internal/picture"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"percent":  func(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) },
	"seconds":  func(x float64) string { return fmt.Sprintf("%.3f s", x) },
	"measured": Figure.measured, "figures": Figures, "boxes": boxes, "bars": bars,
}).Parse(pageText))

// HTML is the comparison as one page that needs nothing else.
func HTML(projects []Project) ([]byte, error) {
	var all []Line
	for _, p := range projects {
		all = append(all, p.Lines...)
	}
	var b bytes.Buffer
	err := page.Execute(&b, struct {
		Projects []Project
		All      []Line
	}{projects, all})
	if err != nil {
		return nil, fmt.Errorf("the page: %w", err)
	}
	return b.Bytes(), nil
}

// boxes draws the parts of test classes that techniques select, by revision.
func boxes(lines []Line, tests bool) template.HTML {
	values := map[string][]float64{}
	for i := range lines {
		l := &lines[i]
		switch {
		case l.Failed != "" || l.Classes == 0:
		case tests:
			values[l.Technique] = append(values[l.Technique], float64(l.SelectedTests)/float64(l.Tests))
		default:
			values[l.Technique] = append(values[l.Technique], float64(l.SelectedClasses)/float64(l.Classes))
		}
	}
	var samples []picture.Sample
	for _, f := range Figures(lines) {
		samples = append(samples, picture.Sample{Name: f.Technique, Values: values[f.Technique]})
	}
	return picture.Boxes(samples, 1, "%.0f%%", 100)
}

// bars draws the modelled time of all revisions of each project.
func bars(projects []Project) template.HTML {
	var groups []picture.Group
	for _, p := range projects {
		total := map[string]float64{}
		for i := range p.Lines {
			total[p.Lines[i].Technique] += p.Lines[i].Seconds
		}
		g := picture.Group{Name: p.Name}
		for _, f := range Figures(p.Lines) {
			g.Bars = append(g.Bars, picture.Bar{Name: f.Technique, Value: total[f.Technique], Says: fmt.Sprintf("%.1f s", total[f.Technique])})
		}
		groups = append(groups, g)
	}
	return picture.Bars(groups)
}
