package draw

import (
	"cmp"
	"math"
	"slices"
)

// Sizes, in pixels. A character of the font is 7.25 wide.
const (
	charWidth  = 7.25
	lineHeight = 15.0
	padding    = 7.0
	gapX       = 26.0
	gapY       = 52.0
	dummyWidth = 12.0
)

type point struct{ x, y float64 }

// A place is where a box or a bend of an arrow is: the middle of its top, and its size.
type place struct {
	x, y, w, h float64
	layer      int
	up, down   []int // places in the layers above and below
	bend       bool
}

// A layout is a picture with places. Boxes come first; bends follow.
type layout struct {
	p      *Picture
	places []place
	layers [][]int
	routes [][]int   // of each arrow: the places it passes, from the upper to the lower; nil for a loop at one box
	upward []bool    // of each arrow: it points to the upper end of its route
	bottom []float64 // of each layer
	w, h   float64
}

// arrange lays a picture out.
func arrange(p *Picture) *layout {
	l := &layout{p: p, routes: make([][]int, len(p.Arrows)), upward: make([]bool, len(p.Arrows))}
	for i := range p.Boxes {
		l.places = append(l.places, place{w: l.width(i), h: float64(len(shownLines(p.Boxes[i].Lines)))*lineHeight + 2*padding})
	}
	l.orient()
	l.rank()
	l.bends()
	l.sort()
	l.spread()
	l.stack()
	return l
}

// width is that of the longest line, or of the labels that are written above the box, side by side.
func (l *layout) width(box int) float64 {
	n := 4
	for _, line := range shownLines(l.p.Boxes[box].Lines) {
		n = max(n, len([]rune(short(line))))
	}
	arrows, longest := 0, 0
	for _, a := range l.p.Arrows {
		if a.To == box && a.From != box {
			arrows++
			if labelAtEnd(a) {
				longest = max(longest, len([]rune(labelOf(a)))+2)
			}
		}
	}
	return float64(max(n, arrows*longest))*charWidth + 2*padding
}

// labelAtEnd tells whether the label of an arrow is written where it ends: a long one has more room there.
func labelAtEnd(a Arrow) bool { return a.Line == Dotted || len(a.Label) > 10 }

// orient turns the arrows that close a cycle, so that the rest has none. The search keeps its own stack: a method may have thousands of boxes in a row.
func (l *layout) orient() {
	const open, done = 1, 2
	out := make([][]int, len(l.p.Boxes))
	for i, a := range l.p.Arrows {
		out[a.From] = append(out[a.From], i)
	}
	state := make([]int, len(l.p.Boxes))
	next := make([]int, len(l.p.Boxes))
	for root := range l.p.Boxes {
		if state[root] != 0 {
			continue
		}
		state[root] = open
		for stack := []int{root}; len(stack) > 0; {
			at := stack[len(stack)-1]
			if next[at] == len(out[at]) {
				state[at] = done
				stack = stack[:len(stack)-1]
				continue
			}
			i := out[at][next[at]]
			next[at]++
			switch to := l.p.Arrows[i].To; state[to] {
			case open:
				l.upward[i] = to != at
			case 0:
				state[to] = open
				stack = append(stack, to)
			}
		}
	}
}

// ends are the upper and the lower box of an arrow.
func (l *layout) ends(i int) (upper, lower int) {
	a := l.p.Arrows[i]
	if l.upward[i] {
		return a.To, a.From
	}
	return a.From, a.To
}

// rank gives each box a layer below all boxes that lead to it.
func (l *layout) rank() {
	waits := make([]int, len(l.p.Boxes))
	below := make([][]int, len(l.p.Boxes))
	for i, a := range l.p.Arrows {
		if a.From != a.To {
			upper, lower := l.ends(i)
			waits[lower]++
			below[upper] = append(below[upper], lower)
		}
	}
	var work []int
	for b := range l.p.Boxes {
		if waits[b] == 0 {
			work = append(work, b)
		}
	}
	for ; len(work) > 0; work = work[1:] {
		for _, b := range below[work[0]] {
			l.places[b].layer = max(l.places[b].layer, l.places[work[0]].layer+1)
			if waits[b]--; waits[b] == 0 {
				work = append(work, b)
			}
		}
	}
}

// bends makes the routes of arrows, with a place in each layer that they pass.
func (l *layout) bends() {
	for i, a := range l.p.Arrows {
		if a.From == a.To {
			continue
		}
		at, lower := l.ends(i)
		route := []int{at}
		for layer := l.places[at].layer + 1; layer < l.places[lower].layer; layer++ {
			n := len(l.places)
			l.places = append(l.places, place{w: dummyWidth, layer: layer, bend: true})
			l.join(at, n)
			route = append(route, n)
			at = n
		}
		l.join(at, lower)
		l.routes[i] = append(route, lower)
	}
	for i := range l.places {
		for len(l.layers) <= l.places[i].layer {
			l.layers = append(l.layers, nil)
		}
		l.layers[l.places[i].layer] = append(l.layers[l.places[i].layer], i)
	}
}

func (l *layout) join(upper, lower int) {
	l.places[upper].down = append(l.places[upper].down, lower)
	l.places[lower].up = append(l.places[lower].up, upper)
}

// sort orders each layer by the middle of the neighbours above, then below, several times, and keeps the order with the fewest crossings.
func (l *layout) sort() {
	rank := l.ranks()
	best, fewest := l.order(), l.crossings(rank)
	for sweep := range 12 {
		for k := range l.layers {
			layer, side := l.layers[k], func(p *place) []int { return p.up }
			if sweep%2 == 1 {
				layer, side = l.layers[len(l.layers)-1-k], func(p *place) []int { return p.down }
			}
			l.sortLayer(layer, side, rank)
		}
		if n := l.crossings(rank); n < fewest {
			best, fewest = l.order(), n
		}
	}
	l.layers = best
}

func (l *layout) order() [][]int {
	out := make([][]int, len(l.layers))
	for i := range out {
		out[i] = slices.Clone(l.layers[i])
	}
	return out
}

// ranks gives each place its position in its layer.
func (l *layout) ranks() []int {
	rank := make([]int, len(l.places))
	for _, layer := range l.layers {
		for i, n := range layer {
			rank[n] = i
		}
	}
	return rank
}

func (l *layout) sortLayer(layer []int, side func(*place) []int, rank []int) {
	want := map[int]float64{}
	for i, n := range layer {
		want[n] = float64(i)
		if near := side(&l.places[n]); len(near) > 0 {
			sum := 0
			for _, m := range near {
				sum += rank[m]
			}
			want[n] = float64(sum) / float64(len(near))
		}
	}
	slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(want[a], want[b]) })
	for i, n := range layer {
		rank[n] = i
	}
}

// crossings counts pairs of arrows that cross between layers.
func (l *layout) crossings(rank []int) int {
	n := 0
	for _, layer := range l.layers {
		var ends []int
		for _, at := range layer {
			first := len(ends)
			for _, to := range l.places[at].down {
				ends = append(ends, rank[to])
			}
			slices.Sort(ends[first:])
		}
		n += inversions(ends)
	}
	return n
}

// inversions counts pairs in the wrong order, by merging.
func inversions(s []int) int {
	if len(s) < 2 {
		return 0
	}
	mid := len(s) / 2
	left, right := slices.Clone(s[:mid]), slices.Clone(s[mid:])
	n := inversions(left) + inversions(right)
	slices.Sort(left)
	slices.Sort(right)
	j := 0
	for _, v := range left {
		for j < len(right) && right[j] < v {
			j++
		}
		n += j
	}
	return n
}

// spread gives each place its x: near the middle of its neighbours, in the order of its layer, and without overlap.
func (l *layout) spread() {
	for _, layer := range l.layers {
		x := 0.0
		for _, n := range layer {
			l.places[n].x = x + l.places[n].w/2
			x += l.places[n].w + gapX
		}
	}
	for round := range 24 {
		for k := range l.layers {
			layer := l.layers[k]
			if round%2 == 1 {
				layer = l.layers[len(l.layers)-1-k]
			}
			l.settle(layer, round%2 == 1, round >= 20)
		}
	}
	least := math.Inf(1)
	for i := range l.places {
		least = min(least, l.places[i].x-l.places[i].w/2)
	}
	for i := range l.places {
		p := &l.places[i]
		p.x -= least
		l.w = max(l.w, p.x+p.w/2)
	}
}

// A pool is a run of places that push against one another: they move together.
type pool struct{ sum, weight float64 }

func (p pool) at() float64 { return p.sum / p.weight }

// settle moves the places of a layer as near as possible, by least squares, to where their neighbours want them (isotonic regression by pooling).
func (l *layout) settle(layer []int, upwards, both bool) {
	var pools []pool
	var sizes []int
	offset, before := 0.0, 0.0
	offsets := make([]float64, len(layer))
	for i, n := range layer {
		p := &l.places[n]
		if i > 0 {
			offset += before + gapX + p.w/2
		}
		before = p.w / 2
		offsets[i] = offset
		x, weight := l.wish(p, upwards, both)
		pools, sizes = append(pools, pool{(x - offset) * weight, weight}), append(sizes, 1)
		for len(pools) > 1 && pools[len(pools)-2].at() > pools[len(pools)-1].at() {
			last := len(pools) - 1
			pools[last-1] = pool{pools[last-1].sum + pools[last].sum, pools[last-1].weight + pools[last].weight}
			sizes[last-1] += sizes[last]
			pools, sizes = pools[:last], sizes[:last]
		}
	}
	i := 0
	for k, p := range pools {
		for range sizes[k] {
			l.places[layer[i]].x = p.at() + offsets[i]
			i++
		}
	}
}

// wish is where a place wants to be, and how much: bends want straight lines most.
func (l *layout) wish(p *place, upwards, both bool) (x, weight float64) {
	near := p.up
	switch {
	case both:
		near = slices.Concat(p.up, p.down)
	case upwards:
		near = p.down
	}
	if len(near) == 0 {
		return p.x, 0.2
	}
	for _, n := range near {
		x += l.places[n].x
	}
	weight = 1
	if p.bend {
		weight = 4
	}
	return x / float64(len(near)), weight
}

// stack gives layers their y.
func (l *layout) stack() {
	y := 0.0
	for _, layer := range l.layers {
		h := 0.0
		for _, n := range layer {
			h = max(h, l.places[n].h)
		}
		for _, n := range layer {
			p := &l.places[n]
			p.y = y
			if p.bend {
				p.h = h
			}
		}
		l.bottom = append(l.bottom, y+h)
		y += h + gapY
	}
	l.h = max(0, y-gapY)
}
