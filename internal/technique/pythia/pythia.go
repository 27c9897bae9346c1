// Package pythia selects the tests that cover a block in which a text comparison of the two pretty-printed sources finds a difference.
//
// Words are the basic blocks of the pretty-printed source, in the order of the text; no control-flow graph is needed. A line that is
// gone condemns its block. A line that is new condemns the block of the line that safely precedes it, since control that reaches the new
// line has passed there; and because a text comparison may place a new line on either side of equal ones, the block of the line
// that follows it too. If the structure of the source changed, the block that safely precedes is the entry. As an instance of SafeSpace the old program is a star whose edges lead to its blocks; in the new
// program the same label leads to what the text comparison has made of that block.
//
// Citation: F. I. Vokolos and P. G. Frankl, "Pythia: a regression test selection tool based on textual differencing", IFIP TC5 WG5.4, 1997.
package pythia

import (
	"slices"
	"strings"

	"winnow/internal/graph"
	"winnow/internal/rts"
	"winnow/internal/safespace"
	"winnow/internal/technique"
)

// Technique describes Pythia.
var Technique = technique.Technique{
	Name:        "pythia",
	Title:       "blocks by text comparison of pretty-printed sources",
	Citation:    "F. I. Vokolos, P. G. Frankl: Pythia, a regression test selection tool based on textual differencing. IFIP TC5 WG5.4, 1997",
	Words:       "basic blocks of pretty-printed source",
	Order:       "implied by the source",
	Traces:      "blocks covered, in any order",
	Equivalence: "no difference in a text comparison of the sources",
	Bias: rts.Bias{rts.Deterministic, rts.DigestsIdentify, rts.TraceComplete, rts.StableWords, rts.LexicalWords,
		rts.SourceOrder},
	ShownOn: "the synthetic language (tests only)",
}

// A Program is what Pythia asks a front end.
type Program interface {
	// Now returns the present body of an entity, and whether it has one.
	Now(rts.Entity) ([]byte, bool)
	// Blocks cuts a body into blocks.
	Blocks([]byte) (*Source, error)
}

// A Source is a pretty-printed body.
type Source struct {
	Lines []string
	// Block has, parallel to Lines, the number of the block that a line belongs to. Block 0 is the entry: it precedes the first line.
	Block []int
	// Entries has the recorded entries that can stand for each block.
	Entries [][]uint32
}

// New returns a judge for the program's present state.
func New(p Program, old technique.Bodies) technique.Judge {
	return &technique.Local{
		Now: p.Now, Old: old, Harmless: "no changed block was covered",
		Compare: func(before, now []byte) (*technique.Danger, error) {
			o, err := p.Blocks(before)
			if err != nil {
				return nil, err
			}
			n, err := p.Blocks(now)
			if err != nil {
				return nil, err
			}
			return walk(o, n), nil
		},
	}
}

// walk compares the two stars and maps the dangerous edges to entries.
func walk(old, new *Source) *technique.Danger {
	words := compareText(old, new)
	star := starOf(len(old.Entries))
	res := safespace.Compare(star, star, safespace.Options[int]{
		Equal: func(a, b int32) bool { return a == 0 && b == 0 || words[a-1] == "" },
	})
	d := &technique.Danger{}
	for _, e := range res.Dangerous() {
		for _, entry := range old.Entries[e.Index] {
			d.Add(entry, []string{words[e.Index]})
		}
	}
	return d
}

// starOf has a start node and an edge to each block, labelled with its number.
func starOf(blocks int) graph.Graph[int] {
	edges := make([]graph.Edge[int], blocks)
	for i := range edges {
		edges[i] = graph.Edge[int]{Label: i, To: int32(i + 1)}
	}
	return star(edges)
}

type star []graph.Edge[int]

func (s star) NumNodes() int { return len(s) + 1 }
func (s star) Start() int32  { return 0 }
func (s star) Out(n int32) []graph.Edge[int] {
	if n == 0 {
		return s
	}
	return nil
}

// compareText returns for each old block "" if nothing in it differs, else the first line that does.
func compareText(old, new *Source) []string {
	words := make([]string, len(old.Entries))
	note := func(block int, line string) {
		if words[block] == "" {
			words[block] = line
		}
	}
	if !slices.Equal(structure(old.Lines), structure(new.Lines)) {
		// A text comparison may match the lines of a new statement with those of an old one that begins alike, and so place the difference
		// inside a branch that is not concerned. The block that safely precedes any such difference is the entry.
		note(0, "the structure differs")
	}
	before := func(i int) int { // the block of the line that precedes old line i
		if i == 0 {
			return 0
		}
		return old.Block[i-1]
	}
	i := 0
	matched := common(old.Lines, new.Lines)
	for _, m := range matched {
		for ; i < m.old; i++ {
			note(old.Block[i], "- "+old.Lines[i])
		}
		if m.insertedBefore {
			note(before(m.old), "+ before "+old.Lines[m.old])
			note(old.Block[m.old], "+ before "+old.Lines[m.old])
		}
		i = m.old + 1
	}
	for ; i < len(old.Lines); i++ {
		note(old.Block[i], "- "+old.Lines[i])
	}
	last := len(matched) - 1
	if len(new.Lines) > 0 && (last < 0 || matched[last].new != len(new.Lines)-1) {
		note(before(len(old.Lines)), "+ at the end")
	}
	return words
}

// structure returns the lines that open or close something.
func structure(lines []string) []string {
	var out []string
	for _, l := range lines {
		if strings.HasSuffix(l, "{") || strings.HasSuffix(l, "}") {
			out = append(out, l)
		}
	}
	return out
}

// A match is a pair of equal lines of a longest common subsequence.
type match struct {
	old, new       int
	insertedBefore bool
}

// common returns a longest common subsequence.
func common(a, b []string) []match {
	n, m := len(a), len(b)
	best := make([][]int, n+1)
	for i := range best {
		best[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if a[i] == b[j] {
				best[i][j] = best[i+1][j+1] + 1
			} else {
				best[i][j] = max(best[i+1][j], best[i][j+1])
			}
		}
	}
	var out []match
	for i, j, last := 0, 0, -1; i < n && j < m; {
		switch {
		case a[i] == b[j]:
			out = append(out, match{i, j, j > last+1})
			last = j
			i++
			j++
		case best[i+1][j] >= best[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
