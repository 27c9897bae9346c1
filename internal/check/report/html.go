package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strings"
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

// colours tell subjects apart; they differ in lightness, too.
var colours = []string{"#555", "#1b6ca8", "#d98200", "#3a8f3a", "#a33", "#7a4fb5", "#888", "#00798c"}

const (
	wide    = 640.0
	left    = 150.0
	barHigh = 14.0
)

// bars draws cumulative times: for each project one bar for each subject.
func bars(projects []ProjectTimes) template.HTML {
	var names []string
	most := int64(1)
	for _, p := range projects {
		for name, ms := range p.Millis {
			most = max(most, ms)
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	var b strings.Builder
	y := 0.0
	for _, p := range projects {
		fmt.Fprintf(&b, `<text x="0" y="%.0f">%s</text>`, y+barHigh, template.HTMLEscapeString(p.Project))
		for i, name := range names {
			ms, ok := p.Millis[name]
			if !ok {
				continue
			}
			fmt.Fprintf(&b, `<rect class="bar" x="%.0f" y="%.1f" width="%.1f" height="%.0f" fill="%s"><title>%s: %.1f s</title></rect>`,
				left, y+2, float64(ms)/float64(most)*(wide-left-120), barHigh-3, colours[i%len(colours)], template.HTMLEscapeString(name), float64(ms)/1000)
			fmt.Fprintf(&b, `<text class="small" x="%.1f" y="%.1f">%s %.1f s</text>`, left+4+float64(ms)/float64(most)*(wide-left-120), y+barHigh-3, template.HTMLEscapeString(name), float64(ms)/1000)
			y += barHigh
		}
		y += 8
	}
	return picture(y, b.String())
}

// A sample is numbers from 0 with a name.
type sample struct {
	name   string
	values []float64
}

// boxes draws the parts of tests that subjects selected, by program.
func boxes(subjects []Subject) template.HTML {
	var all []sample
	for _, s := range subjects {
		all = append(all, sample{s.Name, s.Ratios})
	}
	return boxPlots(all, 1, "%.0f%%", 100)
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
	var samples []sample
	for _, name := range slices.Sorted(maps.Keys(ratios)) {
		samples = append(samples, sample{name, ratios[name]})
	}
	return boxPlots(samples, math.Ceil(most), "%.0f%%", 100)
}

// boxPlots draws minimum, quartiles and maximum of samples on a scale that begins at 0.
func boxPlots(samples []sample, most float64, format string, unit float64) template.HTML {
	const high = 24.0
	at := func(v float64) float64 { return left + v/most*(wide-left-20) }
	var b strings.Builder
	y := 0.0
	for i, s := range samples {
		if len(s.values) == 0 {
			continue
		}
		v := slices.Sorted(slices.Values(s.values))
		q := [5]float64{v[0], quantile(v, 0.25), quantile(v, 0.5), quantile(v, 0.75), v[len(v)-1]}
		fmt.Fprintf(&b, `<text x="0" y="%.0f">%s</text><line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="#888"/>`, y+16, template.HTMLEscapeString(s.name), at(q[0]), at(q[4]), y+12, y+12)
		fmt.Fprintf(&b, `<rect class="box" x="%.1f" y="%.1f" width="%.1f" height="16" fill="%s" fill-opacity="0.4" stroke="#333"><title>%s: %d values, quartiles `+strings.Repeat(format+" ", 5)+`</title></rect>`,
			at(q[1]), y+4, max(at(q[3])-at(q[1]), 1), colours[(i+1)%len(colours)], template.HTMLEscapeString(s.name), len(v), q[0]*unit, q[1]*unit, q[2]*unit, q[3]*unit, q[4]*unit)
		fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="#000" stroke-width="2"/>`, at(q[2]), at(q[2]), y+4, y+20)
		y += high
	}
	for i := range 5 {
		x := float64(i) / 4 * most
		fmt.Fprintf(&b, `<text class="small" text-anchor="middle" x="%.1f" y="%.1f">`+format+`</text>`, at(x), y+12, x*unit)
	}
	return picture(y+16, b.String())
}

// quantile is that of sorted values, between two of them if need be.
func quantile(v []float64, q float64) float64 {
	x := q * float64(len(v)-1)
	i := int(x)
	if i+1 >= len(v) {
		return v[len(v)-1]
	}
	return v[i] + (x-float64(i))*(v[i+1]-v[i])
}

// picture puts shapes into an SVG; all texts in them are escaped.
func picture(high float64, shapes string) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg role="img" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f">%s</svg>`, wide, high, wide, high, shapes))
}
