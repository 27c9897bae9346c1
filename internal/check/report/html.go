package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"

	"winnow/internal/picture"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"percent": percent, "counts": counts, "bars": bars, "boxes": boxes, "times": timeRatios, "grid": gridOf,
}).Parse(pageText))

// HTML is the report as one page that needs nothing else.
func (s *Summary) HTML() ([]byte, error) {
	var b bytes.Buffer
	if err := page.Execute(&b, s); err != nil {
		return nil, fmt.Errorf("the page: %w", err)
	}
	return b.Bytes(), nil
}

// A gridTable is the grid with all operators as columns.
type gridTable struct {
	Operators []string
	Rows      []gridRow
}

type gridRow struct {
	Constraint string
	Bases      int
	Cells      []string
}

func gridOf(rows []Row) gridTable {
	var t gridTable
	for _, r := range rows {
		for _, c := range r.Cells {
			if !slices.Contains(t.Operators, c.Operator) {
				t.Operators = append(t.Operators, c.Operator)
			}
		}
	}
	slices.SortFunc(t.Operators, natural)
	for _, r := range rows {
		row := gridRow{r.Constraint, r.Bases, make([]string, len(t.Operators))}
		for _, c := range r.Cells {
			row.Cells[slices.Index(t.Operators, c.Operator)] = fmt.Sprintf("%d / %d", c.Generated, c.Compilable)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// bars draws cumulative times: for each project one bar for each subject.
func bars(projects []ProjectTimes) template.HTML {
	var groups []picture.Group
	for _, p := range projects {
		g := picture.Group{Name: p.Project}
		for _, name := range slices.Sorted(maps.Keys(p.Millis)) {
			seconds := float64(p.Millis[name]) / 1000
			g.Bars = append(g.Bars, picture.Bar{Name: name, Value: seconds, Says: fmt.Sprintf("%.1f s", seconds)})
		}
		groups = append(groups, g)
	}
	return picture.Bars(groups)
}

// boxes draws the parts of tests that subjects selected, by program.
func boxes(subjects []Subject) template.HTML {
	var all []picture.Sample
	for _, s := range subjects {
		all = append(all, picture.Sample{Name: s.Name, Values: s.Ratios})
	}
	return picture.Boxes(all, 1, "%.0f%%", 100)
}

// timeRatios draws the times of subjects as parts of that of retest-all, by project.
func timeRatios(projects []ProjectTimes) template.HTML {
	ratios := map[string][]float64{}
	most := 1.0
	for _, p := range projects {
		all, ok := p.Millis["retest-all"]
		if !ok || all == 0 {
			continue
		}
		for name, ms := range p.Millis {
			if name != "retest-all" {
				ratios[name] = append(ratios[name], float64(ms)/float64(all))
				most = max(most, float64(ms)/float64(all))
			}
		}
	}
	var samples []picture.Sample
	for _, name := range slices.Sorted(maps.Keys(ratios)) {
		samples = append(samples, picture.Sample{Name: name, Values: ratios[name]})
	}
	return picture.Boxes(samples, math.Ceil(most), "%.0f%%", 100)
}
