package store

import (
	"math/rand/v2"
	"testing"

	"winnow/internal/store/segment"
)

// TestCounter compares counts with walks, in any order: chains and random graphs have hubs that grow, shrink and have nothing in common.
func TestCounter(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		of := make([]segment.FootprintInfo, 1+r.IntN(60))
		for n := range of {
			of[n].Uses = r.IntN(5)
			for m := range n {
				if m == n-1 && r.IntN(4) > 0 || r.IntN(12) == 0 {
					of[n].Includes = append(of[n].Includes, uint32(m))
				}
			}
		}
		c := newCounter(&View{segs: []*segment.Index{{Footprints: of}}, reached: make([][]uint32, 1)}, 0)
		for range 3 {
			for _, n := range r.Perm(len(of)) {
				if got, want := c.count(n), walked(of, n, map[int]bool{}); got != want {
					t.Fatalf("seed %d: footprint %d of %v: %d uses, want %d", seed, n, of, got, want)
				}
			}
		}
	}
}

func walked(of []segment.FootprintInfo, n int, seen map[int]bool) int {
	if seen[n] {
		return 0
	}
	seen[n] = true
	uses := of[n].Uses
	for _, inc := range of[n].Includes {
		uses += walked(of, int(inc), seen)
	}
	return uses
}
