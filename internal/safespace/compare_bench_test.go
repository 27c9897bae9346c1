package safespace

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"winnow/internal/graph"
)

const (
	benchNodes   = 1_000_000
	benchChanged = 100
)

// benchProgram is a graph of two edges per node, with string labels, and the
// words beside it.
type benchProgram struct {
	graph.Graph[string]
	words []uint64
}

// newBenchProgram makes a program that looks like control flow: one edge to
// the next node, one to a node nearby or, in one case of 16, anywhere.
func newBenchProgram(tb testing.TB) benchProgram {
	r := rand.New(rand.NewPCG(1, 2))
	next, jump := strings.Clone("F"), strings.Clone("T") // not shared with the other program
	var b graph.Builder[string]
	b.Nodes(benchNodes)
	p := benchProgram{words: make([]uint64, benchNodes)}
	for n := range benchNodes {
		to := n + r.IntN(200) - 100
		if r.IntN(16) == 0 {
			to = r.IntN(benchNodes)
		}
		b.Edge(int32(n), next, int32((n+1)%benchNodes))
		b.Edge(int32(n), jump, int32((to+benchNodes)%benchNodes))
		p.words[n] = uint64(r.IntN(1000))
	}
	g, err := b.Build(0)
	if err != nil {
		tb.Fatal(err)
	}
	p.Graph = g
	return p
}

// walk visits a graph depth first and returns the number of edges it saw: the
// least that any comparison has to do, for each of the graphs.
func walk(g graph.Graph[string]) int {
	type frame struct{ node, next int32 }
	seen := make([]bool, g.NumNodes())
	stack := []frame{{g.Start(), 0}}
	seen[g.Start()] = true
	edges := 0
walk:
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		out := g.Out(f.node)
		for i := int(f.next); i < len(out); i++ {
			edges++
			if to := out[i].To; !seen[to] {
				seen[to] = true
				f.next = int32(i) + 1
				stack = append(stack, frame{to, 0})
				continue walk
			}
		}
		stack = stack[:len(stack)-1]
	}
	return edges
}

// BenchmarkCompare reports the time of a comparison divided by the time of
// walking both graphs (ratio) and the allocations per visited old edge.
func BenchmarkCompare(b *testing.B) {
	old, new := newBenchProgram(b), newBenchProgram(b)
	r := rand.New(rand.NewPCG(3, 4))
	for range benchChanged {
		new.words[1+r.IntN(benchNodes-1)] += 1000
	}
	for _, reentrant := range []Reentrant{Select, CrossSafeSpace, DangerousEdges} {
		opt := Options[string]{
			Equal:     func(n, m int32) bool { return old.words[n] == new.words[m] },
			Reentrant: reentrant, Default: star, HasDefault: true,
		}
		b.Run(reentrant.String(), func(b *testing.B) { benchCompare(b, old.Graph, new.Graph, opt) })
	}
}

func benchCompare(b *testing.B, old, new graph.Graph[string], opt Options[string]) {
	var walking, comparing time.Duration
	var allocs uint64
	edges, pairs := 0, 0
	var before, after runtime.MemStats
	for range b.N {
		runtime.GC() // neither side pays for the other's garbage
		start := time.Now()
		edges = walk(old)
		walk(new)
		walking += time.Since(start)

		runtime.GC()
		runtime.ReadMemStats(&before)
		start = time.Now()
		res := Compare(old, new, opt)
		comparing += time.Since(start)
		runtime.ReadMemStats(&after)
		allocs += after.Mallocs - before.Mallocs
		if pairs = res.Pairs; pairs < benchNodes*99/100 {
			b.Fatalf("compared only %d pairs", pairs)
		}
	}
	b.ReportMetric(comparing.Seconds()/walking.Seconds(), "ratio")
	b.ReportMetric(float64(comparing.Milliseconds())/float64(b.N), "compare-ms")
	b.ReportMetric(float64(walking.Milliseconds())/float64(b.N), "walk-ms")
	b.ReportMetric(float64(allocs)/float64(b.N)/float64(edges), "allocs/edge")
	b.ReportMetric(float64(pairs), "pairs")
	b.ReportMetric(0, "ns/op") // it would mix the two
}
