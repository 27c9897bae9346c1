// Package picture draws the charts of reports as SVG: bars and box plots.
//
// Every text is escaped; the pictures need no script and no other file. It is not a plotting library: it draws what reports have.
package picture

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
)

// colours tell series apart; they differ in lightness, too.
var colours = []string{"#555", "#1b6ca8", "#d98200", "#3a8f3a", "#a33", "#7a4fb5", "#888", "#00798c"}

const (
	wide    = 640.0
	left    = 150.0
	barHigh = 14.0
)

// A Bar is a value with a name and the text that says how much it is.
type Bar struct {
	Name  string
	Value float64
	Says  string
}

// A Group is bars under one name.
type Group struct {
	Name string
	Bars []Bar
}

// Bars draws groups below one another, all on one scale. A name has the same colour in every group.
func Bars(groups []Group) template.HTML {
	var names []string
	most := 0.0
	for _, g := range groups {
		for _, bar := range g.Bars {
			most = max(most, bar.Value)
			if !slices.Contains(names, bar.Name) {
				names = append(names, bar.Name)
			}
		}
	}
	if most == 0 {
		most = 1
	}
	var b strings.Builder
	y := 0.0
	for _, g := range groups {
		fmt.Fprintf(&b, `<text x="0" y="%.0f">%s</text>`, y+barHigh, template.HTMLEscapeString(g.Name))
		for _, bar := range g.Bars {
			long := bar.Value / most * (wide - left - 120)
			says := template.HTMLEscapeString(bar.Name + " " + bar.Says)
			fmt.Fprintf(&b, `<rect class="bar" x="%.0f" y="%.1f" width="%.1f" height="%.0f" fill="%s"><title>%s</title></rect>`, left, y+2, long, barHigh-3, colours[slices.Index(names, bar.Name)%len(colours)], says)
			fmt.Fprintf(&b, `<text class="small" x="%.1f" y="%.1f">%s</text>`, left+4+long, y+barHigh-3, says)
			y += barHigh
		}
		y += 8
	}
	return picture(y, b.String())
}

// A Sample is numbers from 0 with a name.
type Sample struct {
	Name   string
	Values []float64
}

// Boxes draws minimum, quartiles and maximum of samples on a scale from 0 to most. Numbers are printed with a format after they are multiplied by unit.
func Boxes(samples []Sample, most float64, format string, unit float64) template.HTML {
	const high = 24.0
	at := func(v float64) float64 { return left + v/most*(wide-left-20) }
	var b strings.Builder
	y := 0.0
	for i, s := range samples {
		if len(s.Values) == 0 {
			continue
		}
		v := slices.Sorted(slices.Values(s.Values))
		q := [5]float64{v[0], Quantile(v, 0.25), Quantile(v, 0.5), Quantile(v, 0.75), v[len(v)-1]}
		fmt.Fprintf(&b, `<text x="0" y="%.0f">%s</text><line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="#888"/>`, y+16, template.HTMLEscapeString(s.Name), at(q[0]), at(q[4]), y+12, y+12)
		fmt.Fprintf(&b, `<rect class="box" x="%.1f" y="%.1f" width="%.1f" height="16" fill="%s" fill-opacity="0.4" stroke="#333"><title>%s: %d values, quartiles `+strings.Repeat(format+" ", 5)+`</title></rect>`,
			at(q[1]), y+4, max(at(q[3])-at(q[1]), 1), colours[(i+1)%len(colours)], template.HTMLEscapeString(s.Name), len(v), q[0]*unit, q[1]*unit, q[2]*unit, q[3]*unit, q[4]*unit)
		fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="#000" stroke-width="2"/>`, at(q[2]), at(q[2]), y+4, y+20)
		y += high
	}
	for i := range 5 {
		x := float64(i) / 4 * most
		fmt.Fprintf(&b, `<text class="small" text-anchor="middle" x="%.1f" y="%.1f">`+format+`</text>`, at(x), y+12, x*unit)
	}
	return picture(y+16, b.String())
}

// Quantile is that of sorted values, between two of them if need be.
func Quantile(v []float64, q float64) float64 {
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
