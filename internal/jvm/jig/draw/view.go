package draw

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/graph"
	"winnow/internal/jvm/jig"
	"winnow/internal/jvm/observed"
)

// A View is a graph with what a comparison found in it.
type View struct {
	Graph *jig.Graph
	// dangers are dangerous edges by node and label, marked the nodes at which differences show.
	dangers map[arrowKey]string
	marked  map[int32]bool
}

type arrowKey struct {
	node  int32
	label string
}

// Plain is the view of a graph that is compared with nothing.
func Plain(g *jig.Graph) *View { return &View{Graph: g} }

// Old is the view of a comparison's old graph.
func Old(c *jig.Comparison) *View {
	v := &View{Graph: c.Old, dangers: map[arrowKey]string{}}
	for _, d := range c.Dangers {
		v.dangers[arrowKey{d.From, d.Label}] = d.Kind.String()
	}
	return v
}

// New is the view of a comparison's new graph.
func New(c *jig.Comparison) *View {
	v := &View{Graph: c.New, marked: map[int32]bool{}}
	for _, d := range c.Dangers {
		if d.New >= 0 {
			v.marked[d.New] = true
		}
	}
	return v
}

// methodView makes the picture of one method.
type methodView struct {
	*View
	Picture
	first int32
	texts []string
	nodes []int32           // reachable, in order
	from  map[int32][]int32 // where control comes from, once for each edge
	of    map[int32]int     // nodes → box
}

// Method makes the picture of a method's body.
func (v *View) Method(m observed.Method) (*Picture, error) {
	from, _, ok := v.Graph.Body(m)
	if !ok {
		return nil, fmt.Errorf("%s has no code", m)
	}
	texts, err := v.Graph.Texts(m)
	if err != nil {
		return nil, err
	}
	d := &methodView{View: v, first: from, texts: texts, from: map[int32][]int32{}, of: map[int32]int{}}
	d.Title = m.String()
	d.reach()
	d.group()
	for _, n := range d.nodes {
		d.arrows(n)
	}
	return &d.Picture, nil
}

func (d *methodView) inside(n int32) bool { return n >= d.first && n < d.first+int32(len(d.texts)) }

// reach finds the nodes that control can reach.
func (d *methodView) reach() {
	seen := map[int32]bool{d.first: true}
	for work := []int32{d.first}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		d.nodes = append(d.nodes, n)
		for _, e := range d.Graph.Out(n) {
			if !d.inside(e.To) {
				continue
			}
			d.from[e.To] = append(d.from[e.To], n)
			if !seen[e.To] {
				seen[e.To] = true
				work = append(work, e.To)
			}
		}
	}
	slices.SortFunc(d.nodes, d.compare)
}

// compare orders nodes as the code has them, the entry first, exits last.
func (d *methodView) compare(a, b int32) int {
	place := func(n int32) int {
		at := d.Graph.Node(n)
		switch at.Kind {
		case jig.Entry:
			return -1
		case jig.Exit:
			return 1 << 20
		case jig.ThrowExit:
			return 1<<20 + 1
		case jig.Try, jig.Catch:
			return at.PC*4 + 1
		case jig.Return:
			return at.PC*4 + 3
		}
		return at.PC*4 + 2
	}
	return place(a) - place(b)
}

// group makes the boxes.
func (d *methodView) group() {
	for _, n := range d.nodes {
		if d.continues(n) {
			continue
		}
		at := d.box(Box{Shape: d.shape(n)})
		for d.put(n, at) {
			n = d.next(n)
		}
	}
}

// put adds a node to a box and tells whether the next one belongs there too.
func (d *methodView) put(n int32, box int) bool {
	d.of[n] = box
	b := &d.Boxes[box]
	b.Marked = b.Marked || d.marked[n]
	node := d.Graph.Node(n)
	if text := d.texts[n-d.first]; node.Kind != jig.Return || len(b.Lines) == 0 {
		if node.PC >= 0 && (node.Kind == jig.Plain || node.Kind == jig.Call) {
			text = fmt.Sprintf("%4d  %s", node.PC, text)
		}
		b.Lines = append(b.Lines, text)
	}
	next := d.next(n)
	return next >= 0 && d.continues(next)
}

// next is the node behind one that has a single way on inside the method; -1 if there is none.
func (d *methodView) next(n int32) int32 {
	next := int32(-1)
	for _, e := range d.Graph.Out(n) {
		if d.inside(e.To) {
			if next >= 0 {
				return -1
			}
			next = e.To
		}
	}
	return next
}

// continues tells whether a node belongs to the box of the node in front of it.
func (d *methodView) continues(n int32) bool {
	if len(d.from[n]) != 1 || d.marked[n] || !runs(d.Graph.Node(n).Kind) {
		return false
	}
	p := d.from[n][0]
	return runs(d.Graph.Node(p).Kind) && d.next(p) == n && !d.shown(p) && !d.dangerous(p)
}

func runs(k jig.Kind) bool { return k == jig.Plain || k == jig.Call || k == jig.Return }

// dangerous tells whether an edge that leaves a node inside the method is dangerous.
func (d *methodView) dangerous(n int32) bool {
	return slices.ContainsFunc(d.Graph.Out(n), func(e edge) bool { return d.dangers[arrowKey{n, e.Label}] != "" })
}

type edge = graph.Edge[string]

func (d *methodView) shape(n int32) Shape {
	switch d.Graph.Node(n).Kind {
	case jig.Entry, jig.Exit, jig.ThrowExit:
		return Pole
	case jig.Try, jig.Catch:
		return Guard
	}
	return Code
}

// shown tells whether the targets of a call are worth a box.
func (d *methodView) shown(n int32) bool {
	for _, e := range d.Graph.Out(n) {
		if d.Graph.Node(e.To).Kind == jig.Dispatch && d.worth(e.To) {
			return true
		}
	}
	return false
}

func (v *View) worth(dispatch int32) bool {
	return slices.ContainsFunc(v.Graph.Out(dispatch), func(e edge) bool {
		return v.Graph.Node(e.To).Kind == jig.Entry || v.dangers[arrowKey{dispatch, e.Label}] != "" || v.marked[e.To]
	})
}

// arrows makes the arrows that leave a node, but for those inside a box.
func (d *methodView) arrows(n int32) {
	for _, e := range d.Graph.Out(n) {
		switch {
		case d.Graph.Node(e.To).Kind == jig.Dispatch:
			if d.worth(e.To) {
				d.calls(&d.Picture, d.of[n], e)
			}
		case !d.inside(e.To), d.of[e.To] == d.of[n] && d.continues(e.To):
		default:
			a := Arrow{From: d.of[n], To: d.of[e.To], Label: e.Label, Danger: d.dangers[arrowKey{n, e.Label}]}
			if e.Label == jig.Path || e.Label == jig.Raised {
				a.Line = Dashed
			}
			d.Arrows = append(d.Arrows, a)
		}
	}
}

// calls draws the call edges of a dispatch node as if they left the call: one arrow for all receivers that bind to the same method, dangerous ones apart.
func (v *View) calls(p *Picture, from int, via edge) {
	type bundle struct {
		to     int32
		danger string
	}
	var order []bundle
	labels := map[bundle][]string{}
	for _, e := range v.Graph.Out(via.To) {
		b := bundle{e.To, v.dangers[arrowKey{via.To, e.Label}]}
		if labels[b] == nil {
			order = append(order, b)
		}
		labels[b] = append(labels[b], e.Label)
	}
	boxes := map[int32]int{}
	for _, b := range order {
		to, ok := boxes[b.to]
		if !ok {
			to = p.box(Box{Lines: []string{v.Graph.Name(b.to)}, Shape: Far, Marked: v.marked[b.to]})
			boxes[b.to] = to
		}
		p.Arrows = append(p.Arrows, Arrow{From: from, To: to, Label: few(labels[b]), Line: Dotted, Danger: b.danger})
	}
}

// few joins names, and counts those behind the third.
func few(names []string) string {
	if more := len(names) - 3; more > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), more)
	}
	return strings.Join(names, ", ")
}

// Class makes the picture of a class: how external code enters it, its methods, and how these call one another.
func (v *View) Class(class string) (*Picture, error) {
	p := &Picture{Title: class}
	boxes := map[int32]int{}
	far := func(n int32) int {
		if _, ok := boxes[n]; !ok {
			boxes[n] = p.box(Box{Lines: []string{v.Graph.Name(n)}, Shape: Far, Marked: v.marked[n]})
		}
		return boxes[n]
	}
	for _, m := range v.Graph.Methods() {
		if m.Class == class {
			n, _, _ := v.Graph.Body(m)
			boxes[n] = v.methodBox(p, m)
		}
	}
	v.outside(p, class, far)
	v.between(p, class, boxes)
	return p, nil
}

// methodBox is the box of a whole method, with the number of dangerous edges in it.
func (v *View) methodBox(p *Picture, m observed.Method) int {
	from, to, _ := v.Graph.Body(m)
	b := Box{Lines: []string{m.Name + m.Descriptor}, Shape: Code}
	dangers := 0
	for n := from; n < to; n++ {
		b.Marked = b.Marked || v.marked[n]
		for _, e := range v.Graph.Out(n) {
			if v.dangers[arrowKey{n, e.Label}] != "" {
				dangers++
			}
		}
	}
	if dangers > 0 {
		b.Lines = append(b.Lines, fmt.Sprintf("dangerous edges inside: %d", dangers))
		b.Marked = true
	}
	return p.box(b)
}

// outside draws the class entry, the default edge and the initializer.
func (v *View) outside(p *Picture, class string, box func(int32) int) {
	start := v.Graph.Start()
	for _, e := range v.Graph.Out(start) {
		at := v.Graph.Node(e.To)
		switch {
		case at.Kind == jig.ExternalCode:
			for _, c := range v.Graph.Out(e.To) {
				if v.Graph.Node(c.To).Class == class {
					v.arrow(p, e.To, c, box)
					for _, m := range v.Graph.Out(c.To) {
						v.arrow(p, c.To, m, box)
					}
				}
			}
		case at.Class == class, at.Method.Class == class && (at.Method.Name == "<clinit>" || v.dangers[arrowKey{start, e.Label}] != ""):
			v.arrow(p, start, e, box)
		}
	}
}

func (v *View) arrow(p *Picture, from int32, e edge, box func(int32) int) {
	f, t := box(from), box(e.To)
	p.Arrows = append(p.Arrows, Arrow{From: f, To: t, Label: e.Label, Danger: v.dangers[arrowKey{from, e.Label}]})
}

// A bond is the calls of one method of a class by another.
type bond struct {
	from, to int
	labels   []string
	danger   string
}

// between draws the calls among the methods of a class, and the dangerous ones of others.
func (v *View) between(p *Picture, class string, boxes map[int32]int) {
	var bonds []bond
	for _, m := range v.Graph.Methods() {
		if m.Class != class {
			continue
		}
		from, to, _ := v.Graph.Body(m)
		for n := from; n < to; n++ {
			for _, d := range v.Graph.Out(n) {
				if v.Graph.Node(d.To).Kind == jig.Dispatch {
					bonds = v.bind(p, boxes, boxes[from], d.To, bonds)
				}
			}
		}
	}
	for _, b := range bonds {
		p.Arrows = append(p.Arrows, Arrow{From: b.from, To: b.to, Label: few(b.labels), Line: Dotted, Danger: b.danger})
	}
}

// bind adds the call edges of a dispatch node.
func (v *View) bind(p *Picture, boxes map[int32]int, from int, dispatch int32, bonds []bond) []bond {
	for _, e := range v.Graph.Out(dispatch) {
		why := v.dangers[arrowKey{dispatch, e.Label}]
		to, known := boxes[e.To]
		if !known && why == "" {
			continue
		}
		if !known {
			to = p.box(Box{Lines: []string{v.Graph.Name(e.To)}, Shape: Far})
			boxes[e.To] = to
		}
		i := slices.IndexFunc(bonds, func(b bond) bool { return b.from == from && b.to == to && b.danger == why })
		if i < 0 {
			i = len(bonds)
			bonds = append(bonds, bond{from: from, to: to, danger: why})
		}
		if b := &bonds[i]; !slices.Contains(b.labels, e.Label) {
			b.labels = append(b.labels, e.Label)
		}
	}
	return bonds
}
