package statements

import (
	"testing"

	"winnow/internal/semantics/generate"
	"winnow/internal/semantics/minijvm"
)

// BenchmarkPairs measures the exhaustive check on one core: pairs and steps of the machine per second.
func BenchmarkPairs(b *testing.B) {
	x := &exhausting{bound: generate.NewBound()}
	x.formed = make([]strengths, x.bound.Programs())
	var v minijvm.Verifier
	for i := range x.formed {
		x.formed[i] = formed(&v, x.bound.Program(i))
	}
	c := newChecker(minijvm.StepLimit)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		i = (i + 7919) % len(x.formed)
		if x.formed[i] == 0 {
			continue
		}
		if fail := x.program(c, i); fail != nil {
			b.Fatalf("%v %s\n%s", descriptions[fail.Claim], fail.Detail, fail.Pair)
		}
	}
	pairs := c.tally.Claims[minijvm.Missing][NaiveSafe].Pairs
	b.ReportMetric(float64(pairs)/b.Elapsed().Seconds(), "pairs/s")
	b.ReportMetric(float64(c.tally.Ran)/b.Elapsed().Seconds(), "steps/s")
}
