package safespace

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/internal/graph"
)

// star is the default label of all test programs.
const star = "*"

// A program is a small graph with words that can be edited and printed:
//
//	entry | start     | e->loop
//	loop  | while     | F->exit T->body
//
// gives for each node its name, its word and its edges. The first is the start.
type program struct {
	names []string
	words []string
	out   [][]arc
}

type arc struct {
	label string
	to    int
}

func (p *program) len() int { return len(p.words) }

func (p *program) clone() *program {
	q := &program{names: slices.Clone(p.names), words: slices.Clone(p.words)}
	for _, out := range p.out {
		q.out = append(q.out, slices.Clone(out))
	}
	return q
}

func (p *program) add(name, word string) int {
	p.names = append(p.names, name)
	p.words = append(p.words, word)
	p.out = append(p.out, nil)
	return p.len() - 1
}

// set makes the edge with the label lead to the node.
func (p *program) set(from int, label string, to int) {
	if i := p.arcIndex(from, label); i >= 0 {
		p.out[from][i].to = to
		return
	}
	p.out[from] = append(p.out[from], arc{label, to})
	slices.SortFunc(p.out[from], func(x, y arc) int { return strings.Compare(x.label, y.label) })
}

func (p *program) arcIndex(from int, label string) int {
	return slices.IndexFunc(p.out[from], func(a arc) bool { return a.label == label })
}

func (p *program) labels(n int) []string {
	var ls []string
	for _, a := range p.out[n] {
		ls = append(ls, a.label)
	}
	return ls
}

// remove deletes a node, which must not be the start, and the edges into it.
func (p *program) remove(n int) {
	p.names = slices.Delete(p.names, n, n+1)
	p.words = slices.Delete(p.words, n, n+1)
	p.out = slices.Delete(p.out, n, n+1)
	for i, out := range p.out {
		p.out[i] = slices.DeleteFunc(out, func(a arc) bool { return a.to == n })
		for j := range p.out[i] {
			if p.out[i][j].to > n {
				p.out[i][j].to--
			}
		}
	}
}

func (p *program) String() string {
	var b strings.Builder
	for i := range p.words {
		fmt.Fprintf(&b, "%s | %s |", p.names[i], p.words[i])
		for _, a := range p.out[i] {
			fmt.Fprintf(&b, " %s->%s", a.label, p.names[a.to])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (p *program) graph() graph.Graph[string] {
	var b graph.Builder[string]
	b.Nodes(p.len())
	for n, out := range p.out {
		for _, a := range out {
			b.Edge(int32(n), a.label, int32(a.to))
		}
	}
	g, err := b.Build(0)
	if err != nil {
		panic(err) // only a defect of the tests makes such a program
	}
	return g
}

// node returns the number of the named node.
func (p *program) node(t *testing.T, name string) int32 {
	t.Helper()
	i := slices.Index(p.names, name)
	if i < 0 {
		t.Fatalf("no node %q in\n%s", name, p)
	}
	return int32(i)
}

// edge returns the edge between two named nodes.
func (p *program) edge(t *testing.T, from, to string) Edge {
	t.Helper()
	n, c := p.node(t, from), p.node(t, to)
	i := slices.IndexFunc(p.out[n], func(a arc) bool { return a.to == int(c) })
	if i < 0 {
		t.Fatalf("no edge (%s, %s) in\n%s", from, to, p)
	}
	return Edge{n, int32(i)}
}

// edgeName prints an edge as the papers do: (4, 5).
func (p *program) edgeName(e Edge) string {
	return fmt.Sprintf("(%s, %s)", p.names[e.Node], p.names[p.out[e.Node][e.Index].to])
}

func mustParse(t *testing.T, text string) *program {
	t.Helper()
	p, err := parseProgram(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return p
}

func parseProgram(text string) (*program, error) {
	p := &program{}
	var arcs []string
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		f := strings.Split(line, "|")
		if len(f) != 3 {
			return nil, fmt.Errorf("line %q has %d fields, want 3", line, len(f))
		}
		p.add(strings.TrimSpace(f[0]), strings.TrimSpace(f[1]))
		arcs = append(arcs, f[2])
	}
	for n, text := range arcs {
		for _, s := range strings.Fields(text) {
			label, to, _ := strings.Cut(s, "->")
			i := slices.Index(p.names, to)
			if i < 0 || p.arcIndex(n, label) >= 0 {
				return nil, fmt.Errorf("bad edge %q", s)
			}
			p.set(n, label, i)
		}
	}
	return p, nil
}

// equalWords is the equivalence machine of the tests: identity of words.
func equalWords(old, new *program) func(n, m int32) bool {
	return func(n, m int32) bool { return old.words[n] == new.words[m] }
}

func options(old, new *program, r Reentrant, l NewLabel) Options[string] {
	return Options[string]{Equal: equalWords(old, new), Reentrant: r, NewLabel: l, Default: star, HasDefault: true}
}

func TestProgramRoundTrip(t *testing.T) {
	for seed := range uint64(200) {
		p := newGenerator(seed).program()
		q, err := parseProgram(p.String())
		if err != nil || q.String() != p.String() {
			t.Fatalf("seed %d: printed\n%sread back\n%v, %v", seed, p, q, err)
		}
	}
}
