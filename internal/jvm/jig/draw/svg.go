package draw

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// A Panel is a picture with the heading that says what it shows.
type Panel struct {
	Heading string
	Picture *Picture // nil if there is nothing to show
	Note    string   // in place of a picture
}

const (
	maxLine   = 90 // characters of a line; the whole line is in the tooltip
	maxLines  = 24 // lines of a box
	margin    = 24.0
	headSpace = 58.0
	footSpace = 52.0
	panelGap  = 64.0
)

func short(line string) string {
	if r := []rune(line); len(r) > maxLine {
		return string(r[:maxLine-1]) + "…"
	}
	return line
}

// shownLines leaves out the middle of a long box.
func shownLines(lines []string) []string {
	if len(lines) <= maxLines {
		return lines
	}
	keep := maxLines / 2
	out := slices.Clone(lines[:keep])
	out = append(out, fmt.Sprintf("      … %d more instructions …", len(lines)-2*keep+1))
	return append(out, lines[len(lines)-keep+1:]...)
}

func labelOf(a Arrow) string {
	label := short(a.Label)
	if a.Danger != "" {
		label = strings.TrimSpace(label + " dangerous")
	}
	return label
}

const style = `text{font:12px "DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#1b1f24;white-space:pre}
.h{font-weight:bold;font-size:14px}.s{fill:#57606a}
.b{fill:#fff;stroke:#57606a}.p{fill:#e6ebf1;stroke:#57606a}.g{fill:#fff3d6;stroke:#9a6700}.f{fill:#ddf4e4;stroke:#1a7f37}
.m{stroke:#cf222e;stroke-width:2.5}
path{fill:none;stroke:#57606a}.d{stroke:#cf222e;stroke-width:3}
.l{fill:#0a4a8f;paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}.x{fill:#cf222e;font-weight:bold}`

// SVG writes panels side by side.
func SVG(w io.Writer, title string, panels ...Panel) error {
	var b bytes.Buffer
	x, height := margin, 0.0
	for _, p := range panels {
		width, h := panelOf(&b, p, x)
		x += width + panelGap
		height = max(height, h)
	}
	width := max(x-panelGap+margin, 2*margin+float64(len(legend))*charWidth)
	height += headSpace + footSpace + margin
	out := new(bytes.Buffer)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(out, "<title>%s</title>\n<style>%s</style>\n", escape(title), style)
	out.WriteString(`<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#57606a;stroke:none"/></marker>` +
		`<marker id="r" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#cf222e;stroke:none"/></marker></defs>` + "\n")
	fmt.Fprintf(out, `<rect width="%.0f" height="%.0f" fill="#fff"/>`+"\n", width, height)
	out.Write(b.Bytes())
	fmt.Fprintf(out, `<text class="s" x="%.0f" y="%.0f">%s</text>`+"\n</svg>\n", margin, height-margin, legend)
	_, err := w.Write(out.Bytes())
	return err
}

const legend = "solid: control   dashed: path edge, exception   dotted: call, labelled with the class of the receiver   red: dangerous edge (old), where it differs (new)"

// panelOf draws a panel and returns its size.
func panelOf(b *bytes.Buffer, p Panel, x float64) (w, h float64) {
	fmt.Fprintf(b, `<text class="h" x="%.1f" y="%.1f">%s</text>`+"\n", x, margin+8, escape(p.Heading))
	headings := []string{p.Heading}
	if p.Picture == nil {
		headings = append(headings, p.Note)
		fmt.Fprintf(b, `<text class="s" x="%.1f" y="%.1f">%s</text>`+"\n", x, margin+28, escape(p.Note))
	} else {
		headings = append(headings, p.Picture.Title)
		fmt.Fprintf(b, `<text class="s" x="%.1f" y="%.1f">%s</text>`+"\n", x, margin+28, escape(p.Picture.Title))
		l := arrange(p.Picture)
		fmt.Fprintf(b, `<g transform="translate(%.1f %.1f)">`+"\n", x, margin+headSpace)
		l.draw(b)
		b.WriteString("</g>\n")
		w, h = l.w+30, l.h // room for loops at one box
	}
	for _, text := range headings {
		w = max(w, float64(len([]rune(text)))*8.5)
	}
	return w, h
}

func (l *layout) draw(b *bytes.Buffer) {
	var labels bytes.Buffer
	out, in := l.ports()
	for i, a := range l.p.Arrows {
		l.arrow(b, &labels, i, a, out[i], in[i])
	}
	for i, box := range l.p.Boxes {
		l.box(b, l.places[i], box)
	}
	b.Write(labels.Bytes())
}

var classes = [...]string{Code: "b", Pole: "p", Guard: "g", Far: "f"}

func (l *layout) box(b *bytes.Buffer, at place, box Box) {
	class := classes[box.Shape]
	if box.Marked {
		class += " m"
	}
	round := 3.0
	if box.Shape == Pole || box.Shape == Far {
		round = at.h / 2
	}
	fmt.Fprintf(b, `<g><title>%s</title><rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f"/>`, escape(strings.Join(box.Lines, "\n")), class, at.x-at.w/2, at.y, at.w, at.h, min(round, 14))
	for i, line := range shownLines(box.Lines) {
		y := at.y + padding + float64(i)*lineHeight + 11.5
		if box.Shape == Code && len(box.Lines) > 1 {
			fmt.Fprintf(b, `<text x="%.1f" y="%.1f">%s</text>`, at.x-at.w/2+padding, y, escape(short(line)))
		} else {
			fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`, at.x, y, escape(strings.TrimSpace(short(line))))
		}
	}
	b.WriteString("</g>\n")
}

// ports gives each arrow the points where it leaves the upper and meets the lower box: side by side, in the order of where it goes.
func (l *layout) ports() (upper, lower []point) {
	upper, lower = make([]point, len(l.routes)), make([]point, len(l.routes))
	starts, ends := map[int][]int{}, map[int][]int{}
	for i, r := range l.routes {
		if r != nil {
			starts[r[0]] = append(starts[r[0]], i)
			ends[r[len(r)-1]] = append(ends[r[len(r)-1]], i)
		}
	}
	for box, arrows := range starts {
		l.deal(box, arrows, upper, func(i int) int { return l.routes[i][1] }, true)
	}
	for box, arrows := range ends {
		l.deal(box, arrows, lower, func(i int) int { r := l.routes[i]; return r[len(r)-2] }, false)
	}
	return upper, lower
}

func (l *layout) deal(box int, arrows []int, to []point, next func(int) int, bottom bool) {
	p := l.places[box]
	slices.SortStableFunc(arrows, func(a, b int) int { return cmp.Compare(l.places[next(a)].x, l.places[next(b)].x) })
	step := (p.w - 16) / float64(len(arrows))
	if bottom {
		step = min(step, 90)
	}
	for k, i := range arrows {
		to[i] = point{p.x + (float64(k)-float64(len(arrows)-1)/2)*step, p.y}
		if bottom {
			to[i].y += p.h
		}
	}
}

// arrow draws one arrow through its bends, and its label near the end that tells most.
func (l *layout) arrow(b, labels *bytes.Buffer, i int, a Arrow, from, to point) {
	var points []point
	r := l.routes[i]
	if r == nil {
		p := l.places[a.From]
		x, y := p.x+p.w/2, p.y+p.h/2
		path := fmt.Sprintf("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", x, y-5, x+26, y-18, x+26, y+18, x, y+5)
		l.stroke(b, labels, a, path, point{x + 24, y})
		return
	}
	points = append(points, from)
	start := 0 // where the curve begins: below all boxes of the layer, so that it crosses none
	if bottom := l.bottom[l.places[r[0]].layer]; bottom > from.y+1 {
		points = append(points, point{from.x, bottom})
		start = 1
	}
	for _, n := range r[1 : len(r)-1] {
		p := l.places[n]
		points = append(points, point{p.x, p.y}, point{p.x, p.y + p.h})
	}
	points = append(points, to)
	at := mix(points[start], points[start+1], 0.36)
	if labelAtEnd(a) {
		at = point{points[len(points)-1].x, points[len(points)-1].y - 13}
	}
	if l.upward[i] {
		slices.Reverse(points)
		at = mix(points[0], points[1], 0.36)
	}
	l.stroke(b, labels, a, curve(points), at)
}

func mix(a, b point, t float64) point {
	s := t * t * (3 - 2*t) // as a curve with upright ends goes
	return point{a.x + (b.x-a.x)*s, a.y + (b.y-a.y)*t}
}

// curve goes through points with upright tangents.
func curve(points []point) string {
	var s strings.Builder
	fmt.Fprintf(&s, "M%.1f %.1f", points[0].x, points[0].y)
	for i := 1; i < len(points); i++ {
		p, q := points[i-1], points[i]
		if math.Abs(p.x-q.x) < 0.5 {
			fmt.Fprintf(&s, "L%.1f %.1f", q.x, q.y)
			continue
		}
		mid := (p.y + q.y) / 2
		fmt.Fprintf(&s, "C%.1f %.1f %.1f %.1f %.1f %.1f", p.x, mid, q.x, mid, q.x, q.y)
	}
	return s.String()
}

func (l *layout) stroke(b, labels *bytes.Buffer, a Arrow, path string, at point) {
	class, marker, dash := "", "a", ""
	if a.Danger != "" {
		class, marker = ` class="d"`, "r"
	}
	switch a.Line {
	case Dashed:
		dash = ` stroke-dasharray="7 4"`
	case Dotted:
		dash = ` stroke-dasharray="2 3"`
	}
	fmt.Fprintf(b, `<path%s d="%s"%s marker-end="url(#%s)">`, class, path, dash, marker)
	if a.Danger != "" {
		fmt.Fprintf(b, "<title>dangerous: %s</title>", escape(a.Danger))
	}
	b.WriteString("</path>\n")
	if label := labelOf(a); label != "" {
		kind := "l"
		if a.Danger != "" {
			kind = "l x"
		}
		fmt.Fprintf(labels, `<text class="%s" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n", kind, at.x, at.y+4, escape(label))
	}
}

// escape makes text safe for XML, which has no control characters.
func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0xFFFE || r == 0xFFFF || r >= 0xD800 && r < 0xE000 {
			return '\uFFFD'
		}
		return r
	}, s))
}
