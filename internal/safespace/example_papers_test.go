package safespace

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The program avg of Harrold et al., Figure 1, with the edges of Table 2. The
// seed has the figure's caption only, so the statements are given in words;
// which statement precedes which follows from the text: (4, 5) is dangerous
// because the targets of the edges labelled T differ, so 5a stands before 5.
const (
	avgOld = `
		entry | entry                         | e->1
		1     | count = 0                     | e->2
		2     | read n                        | e->3
		3     | while not EOF                 | T->4 F->9
		4     | if n < 0                      | T->5 F->6
		5     | return error                  | e->exit
		6     | numarray[count] = n           | e->7
		7     | count++                       | e->8
		8     | read n                        | e->3
		9     | avg = calcavg(numarray, count) | e->10
		10    | return avg                    | e->exit
		exit  | exit                          |`
	avgNew = `
		entry | entry                         | e->1
		1     | count = 0                     | e->2
		2     | read n                        | e->3
		3     | while not EOF                 | T->4 F->9
		4     | if n < 0                      | T->5a F->6
		5a    | print bad input               | e->5
		5     | return error                  | e->exit
		6     | numarray[count] = n           | e->8
		8     | read n                        | e->3
		9     | avg = calcavg(numarray, count) | e->10
		10    | return avg                    | e->exit
		exit  | exit                          |`
)

// avgTraces are the runs of the tests of Table 1 as sequences of nodes.
var avgTraces = []string{
	"entry 1 2 3 9 10 exit",                               // an empty file
	"entry 1 2 3 4 5 exit",                                // -1
	"entry 1 2 3 4 6 7 8 3 4 6 7 8 3 4 6 7 8 3 9 10 exit", // 1 2 3
}

// avgCoverage is Table 2.
var avgCoverage = map[string][]int{
	"(entry, 1) (1, 2) (2, 3)":    {1, 2, 3},
	"(3, 9) (9, 10) (10, exit)":   {1, 3},
	"(3, 4)":                      {2, 3},
	"(4, 5) (5, exit)":            {2},
	"(4, 6) (6, 7) (7, 8) (8, 3)": {3},
}

// steps turns a sequence of node names into edges.
func steps(t *testing.T, p *program, names string) []Edge {
	t.Helper()
	var edges []Edge
	nodes := strings.Fields(names)
	for i := range len(nodes) - 1 {
		edges = append(edges, p.edge(t, nodes[i], nodes[i+1]))
	}
	return edges
}

func indices(edges []Edge) []int {
	var is []int
	for _, e := range edges {
		is = append(is, int(e.Index))
	}
	return is
}

func TestAvg(t *testing.T) {
	v := versions{mustParse(t, avgOld), mustParse(t, avgNew)}
	for _, x := range instances(0) {
		r := x.compare(v)
		if r.RerunAll {
			t.Fatalf("%v: rerun all", x)
		}
		var dangerous []string
		for _, e := range r.Dangerous() {
			dangerous = append(dangerous, v.old.edgeName(e))
		}
		if want := []string{"(4, 5)", "(6, 7)"}; !slices.Equal(dangerous, want) {
			t.Errorf("%v: dangerous edges %v, want %v", x, dangerous, want)
		}
		var bySet, byWalk []int
		for i, trace := range avgTraces {
			edges := steps(t, v.old, trace)
			if _, ok := r.SelectSet(func(e Edge) bool { return slices.Contains(edges, e) }); ok {
				bySet = append(bySet, i+1)
			}
			if _, ok := r.SelectWalk(slices.Values(indices(edges))); ok {
				byWalk = append(byWalk, i+1)
			}
		}
		if want := []int{2, 3}; !slices.Equal(bySet, want) || !slices.Equal(byWalk, want) {
			t.Errorf("%v: tests %v by edges, %v by traces, want %v", x, bySet, byWalk, want)
		}
	}
}

// TestAvgCoverage checks the traces against the paper's coverage matrix.
func TestAvgCoverage(t *testing.T) {
	p := mustParse(t, avgOld)
	rows := 0
	for names, tests := range avgCoverage {
		for name := range strings.SplitSeq(names[1:len(names)-1], ") (") {
			rows++
			from, to, _ := strings.Cut(name, ", ")
			var got []int
			for i, trace := range avgTraces {
				if slices.Contains(steps(t, p, trace), p.edge(t, from, to)) {
					got = append(got, i+1)
				}
			}
			if !slices.Equal(got, tests) {
				t.Errorf("edge (%s) is covered by %v, want %v", name, got, tests)
			}
		}
	}
	if g := p.graph(); rows != 13 || g.NumNodes() != 12 {
		t.Errorf("%d edges in the matrix, want the 13 of the graph", rows)
	}
}

// The spreadsheet example of Bible and Rothermel: an edge leads from a cell to
// each cell it reads, and from the start to the query cells. The new version
// has a cell more, which one changed formula refers to. The seed lost the
// formulas; these have the shape it describes.
const (
	sheetOld = `
		start    | start                  | entry->entry solution->solution
		a        | read                   |
		b        | read                   |
		c        | read                   |
		invalid  | or(a = 0, b < 0)       | a->a b->b
		entry    | if(invalid, "bad", c)  | invalid->invalid c->c
		solution | b + c                  | b->b c->c`
	sheetNew = `
		start    | start                  | entry->entry solution->solution
		a        | read                   |
		b        | read                   |
		c        | read                   |
		twice    | 2 * c                  | c->c
		invalid  | or(a = 0, b < 0)       | a->a b->b
		entry    | if(invalid, "bad", c)  | invalid->invalid c->c
		solution | b + twice              | b->b twice->twice`
)

func TestSpreadsheet(t *testing.T) {
	v := versions{mustParse(t, sheetOld), mustParse(t, sheetNew)}
	tests := map[string][]string{ // query cell, and the edges read for its value
		"entry":    {"start entry", "entry invalid", "invalid a", "invalid b", "entry c"},
		"solution": {"start solution", "solution b", "solution c"},
	}
	for _, x := range instances(0) {
		r := x.compare(v)
		var selected []string
		for query, trace := range tests {
			var edges []Edge
			for _, e := range trace {
				edges = append(edges, steps(t, v.old, e)...)
			}
			w, ok := r.SelectSet(func(e Edge) bool { return slices.Contains(edges, e) })
			if ok {
				selected = append(selected, fmt.Sprintf("%s by %s, %v", query, v.old.edgeName(w.Path[len(w.Path)-1]), w.Kind))
			}
		}
		if want := []string{"solution by (start, solution), word differs"}; !slices.Equal(selected, want) {
			t.Errorf("%v: selected %q, want %q", x, selected, want)
		}
	}
}

// The reentrant example of Bible and Rothermel: the new program has node A
// twice. Both programs have the same traces; the basic solution selects
// needlessly, the cross safe space does not.
const (
	reentrantOld = `
		A | a | loop->A next->B
		B | b | back->A`
	reentrantNew = `
		A1 | a | loop->A1 next->B
		B  | b | back->A2
		A2 | a | loop->A1 next->B`
)

func TestReentrantFigure(t *testing.T) {
	v := versions{mustParse(t, reentrantOld), mustParse(t, reentrantNew)}
	back := v.old.edge(t, "B", "A")
	for x, want := range map[instance][]Edge{
		{Select, Redirect, 0}:         {back},
		{CrossSafeSpace, Redirect, 0}: {},
		{DangerousEdges, Redirect, 0}: {},
	} {
		r := x.compare(v)
		if got := r.Dangerous(); !slices.Equal(got, want) || r.RerunAll {
			t.Errorf("%v: dangerous edges %v, want %v", x, got, want)
		}
		_, selected := r.SelectWalk(slices.Values(indices(steps(t, v.old, "A A B A A B A"))))
		if selected != (len(want) > 0) {
			t.Errorf("%v: selected %v", x, selected)
		}
	}
	if r := (instance{CrossSafeSpace, Redirect, 0}).compare(v); r.Pairs != 3 {
		t.Errorf("the cross safe space has %d pairs, want 3", r.Pairs)
	}
}
