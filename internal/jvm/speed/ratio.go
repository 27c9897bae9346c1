package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// A spread is the median of some figures and an interval around it.
type spread struct {
	median, low, high float64
	// trust is the probability with which the interval contains the true median.
	trust float64
}

// spreadOf takes the narrowest interval between two of the figures that has 95 %, or that between the smallest and the largest if that has less.
func spreadOf(figures []float64) spread {
	f := slices.Clone(figures)
	slices.Sort(f)
	n := len(f)
	s := spread{median: (f[(n-1)/2] + f[n/2]) / 2}
	for k := 0; k <= (n-1)/2; k++ {
		trust := 1 - 2*below(n, k)
		if k > 0 && trust < 0.95 {
			break
		}
		s.low, s.high, s.trust = f[k], f[n-1-k], trust
	}
	return s
}

// below is the probability that at most k of n figures are below the median.
func below(n, k int) float64 {
	sum, ways, all := 0.0, 1.0, 1.0
	for range n {
		all *= 2
	}
	for i := 0; i <= k; i++ {
		sum += ways / all
		ways = ways * float64(n-i) / float64(i+1)
	}
	return sum
}

func (s spread) String() string {
	return fmt.Sprintf("%.3f [%.3f, %.3f]", s.median, s.low, s.high)
}

// ratios compares two runs round by round.
func (m *measurement) ratios(a, b string, of func(cost) time.Duration) spread {
	var out []float64
	for i := range m.costs[a] {
		out = append(out, of(m.costs[a][i]).Seconds()/of(m.costs[b][i]).Seconds())
	}
	return spreadOf(out)
}

func (m *measurement) seconds(a string, of func(cost) time.Duration) spread {
	var out []float64
	for _, c := range m.costs[a] {
		out = append(out, of(c).Seconds())
	}
	return spreadOf(out)
}

func wall(c cost) time.Duration { return c.wall }
func cpu(c cost) time.Duration  { return c.cpu }

// show prints the figures.
func (m *measurement) show(w io.Writer) error {
	var b strings.Builder
	n := len(m.costs["plain"])
	fmt.Fprintf(&b, "%d rounds; medians, with intervals of %.1f %%\n\n", n, 100*m.seconds("plain", wall).trust)
	fmt.Fprintf(&b, "| run | wall, s | processor, s |\n|---|---|---|\n")
	for _, name := range []string{"plain", "record", "shortcut", "compile", "nothing"} {
		fmt.Fprintf(&b, "| %s | %v | %v |\n", name, m.seconds(name, wall), m.seconds(name, cpu))
	}
	fmt.Fprintf(&b, "\n| ratio | wall | processor |\n|---|---|---|\n")
	for _, pair := range [][2]string{{"record", "plain"}, {"nothing", "compile"}, {"shortcut", "compile"}} {
		fmt.Fprintf(&b, "| %s / %s | %v | %v |\n", pair[0], pair[1], m.ratios(pair[0], pair[1], wall), m.ratios(pair[0], pair[1], cpu))
	}
	fmt.Fprintf(&b, "\nThe very first run, with instrumenting all libraries: %.1f s, %.1f s of processor time.\n", m.first.wall.Seconds(), m.first.cpu.Seconds())
	for _, odd := range m.odd {
		fmt.Fprintf(&b, "Not what it stands for: %s\n", odd)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
