// Package draw shows the part of a Java Interclass Graph that belongs to a method or a class, as SVG or as text.
//
// Terms:
//
//   - A picture has boxes and arrows. A box stands for a node or for a run of instructions without a way in or out between them; an arrow for an edge, with its label.
//   - A dangerous arrow is a dangerous edge of the old graph. A marked box of the new graph is where the difference shows.
//   - Calls whose targets are all external, with no dangerous edge, have no arrow: the instruction says what is called.
//
// Guarantee: equal graphs give equal pictures, and each dangerous edge of the method, or at the class's entry, is in the picture of the old graph.
//
// The layout is the package's own: layers from the top down, as few crossings as sorting by neighbours finds. It is for people; nothing is computed from it.
package draw

// A Shape is how a box looks.
type Shape uint8

// The shapes.
const (
	Code  Shape = iota // instructions
	Pole               // entries and exits
	Guard              // try and catch
	Far                // a node of another part of the graph
)

// A Box is a node of a picture.
type Box struct {
	Lines []string
	Shape Shape
	// Marked: the new graph differs here.
	Marked bool
}

// A Line is how an arrow looks.
type Line uint8

// The lines.
const (
	Solid  Line = iota // control
	Dashed             // a path edge, or an exception on its way
	Dotted             // a call
)

// An Arrow is an edge of a picture.
type Arrow struct {
	From, To int // boxes
	Label    string
	Line     Line
	// Danger says why the edge is dangerous; "" if it is not.
	Danger string
}

// A Picture is a part of a graph.
type Picture struct {
	Title  string
	Boxes  []Box
	Arrows []Arrow
}

func (p *Picture) box(b Box) int {
	p.Boxes = append(p.Boxes, b)
	return len(p.Boxes) - 1
}

// Dangers is the number of dangerous arrows.
func (p *Picture) Dangers() int {
	n := 0
	for _, a := range p.Arrows {
		if a.Danger != "" {
			n++
		}
	}
	return n
}
