package callgraph

import (
	"bytes"
	"slices"
	"strings"

	"winnow/internal/jvm/observed"
)

// A Graph is the call graph of a revision by class hierarchy analysis. It does not change.
type Graph struct {
	// Done says what making the graph took.
	Done Work

	now     *observed.Program
	linker  *linker
	classes map[string]*class
	links   map[site]*callees
}

// Work is what making a graph took.
type Work struct {
	Read     int // classes whose bodies were read
	Linked   int // different sites that were linked
	Rejoined int // classes whose edges were put together; the others have those of the graph before
}

// A class is an internal class with the edges of its bodies.
type class struct {
	file   []byte
	bodies []body
	out    map[observed.Method][]observed.Method
}

// Build makes the graph of a revision.
func Build(now *observed.Program) (*Graph, error) { return update(nil, now, affected) }

// Update makes the graph of a revision from that of another one. The old graph stays as it is.
func Update(old *Graph, now *observed.Program) (*Graph, error) { return update(old, now, affected) }

// update makes a graph. The sites for which danger says so are linked again.
func update(old *Graph, now *observed.Program, danger func(before, after *Graph) func(site) bool) (*Graph, error) {
	g := &Graph{now: now, linker: newLinker(now), classes: map[string]*class{}, links: map[site]*callees{}}
	for _, name := range now.Names() {
		if err := g.read(old, now.Class(name)); err != nil {
			return nil, err
		}
	}
	again := func(site) bool { return true }
	if old != nil {
		again = danger(old, g)
	}
	for _, name := range now.Names() {
		g.join(old, name, again)
	}
	return g, nil
}

// read takes the bodies of a class from the old graph if its file is the same. The file decides and not the checksum, which has other names for what compilers number.
func (g *Graph) read(old *Graph, c *observed.Class) error {
	if old != nil {
		if was := old.classes[c.Name]; was != nil && bytes.Equal(was.file, c.Bytes) {
			g.classes[c.Name] = was
			return nil
		}
	}
	bodies, err := read(c.File)
	g.classes[c.Name] = &class{file: c.Bytes, bodies: bodies}
	g.Done.Read++
	return err
}

// join gives a class its edges.
func (g *Graph) join(old *Graph, name string, again func(site) bool) {
	c := g.classes[name]
	same := old != nil && old.classes[name] == c
	for i := range c.bodies {
		for _, s := range c.bodies[i].sites {
			same = g.link(old, s, again) && same
		}
	}
	if same {
		return
	}
	c = &class{file: c.file, bodies: c.bodies, out: map[observed.Method][]observed.Method{}}
	for i := range c.bodies {
		c.out[c.bodies[i].method] = g.edges(&c.bodies[i])
	}
	g.classes[name] = c
	g.Done.Rejoined++
}

// link makes the callees of a site known, and tells whether they are those of the old graph.
func (g *Graph) link(old *Graph, s site, again func(site) bool) bool {
	var was *callees
	if old != nil {
		was = old.links[s]
	}
	now := g.links[s]
	if now == nil {
		if now = was; was == nil || again(s) {
			now = g.linker.link(s)
			g.Done.Linked++
		}
		if was != nil && was != now && was.equal(now) {
			now = was
		}
		g.links[s] = now
	}
	return now == was
}

// edges are the callees of all sites of a body, sorted.
func (g *Graph) edges(b *body) []observed.Method {
	var out []observed.Method
	for _, s := range b.sites {
		c := g.links[s]
		out = append(append(out, c.resolved...), c.inits...)
		for _, r := range c.receivers {
			out = append(out, r.target)
		}
	}
	return sorted(out)
}

func sorted(methods []observed.Method) []observed.Method {
	slices.SortFunc(methods, observed.Method.Compare)
	return slices.Clip(slices.Compact(methods))
}

// Out are the methods that a method can call, sorted; none of an external one.
func (g *Graph) Out(m observed.Method) []observed.Method {
	if c := g.classes[m.Class]; c != nil {
		return c.out[m]
	}
	return nil
}

// Methods are the methods of an internal class in the order of its file, those without code included.
func (g *Graph) Methods(class string) []observed.Method {
	c := g.classes[class]
	if c == nil {
		return nil
	}
	out := make([]observed.Method, len(c.bodies))
	for i := range c.bodies {
		out[i] = c.bodies[i].method
	}
	return out
}

// Reachable are the methods to which a way leads from some methods, these included.
func (g *Graph) Reachable(from ...observed.Method) map[observed.Method]bool {
	return reach(from, g.Out)
}

// Reaching are the methods from which a way leads to some methods, these included. More edges can be given, from callers to what they call.
func (g *Graph) Reaching(to []observed.Method, more map[observed.Method][]observed.Method) map[observed.Method]bool {
	in := map[observed.Method][]observed.Method{}
	add := func(from observed.Method, to []observed.Method) {
		for _, m := range to {
			in[m] = append(in[m], from)
		}
	}
	for _, c := range g.classes {
		for from, out := range c.out {
			add(from, out)
		}
	}
	for from, out := range more {
		add(from, out)
	}
	return reach(to, func(m observed.Method) []observed.Method { return in[m] })
}

func reach(from []observed.Method, next func(observed.Method) []observed.Method) map[observed.Method]bool {
	seen := map[observed.Method]bool{}
	work := slices.Clone(from)
	for len(work) > 0 {
		m := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[m] {
			seen[m] = true
			work = append(work, next(m)...)
		}
	}
	return seen
}

// String has a line for each edge, "p/A.m()V p/B.n()V", sorted by class and in the order of its file.
func (g *Graph) String() string {
	var b strings.Builder
	for _, name := range g.now.Names() {
		for _, from := range g.Methods(name) {
			for _, to := range g.Out(from) {
				b.WriteString(from.String() + " " + to.String() + "\n")
			}
		}
	}
	return b.String()
}
