package safespace

import (
	"math/rand/v2"
	"testing"
)

// TestPairSet judges the table by a map. Few old nodes with many new ones make
// keys that differ in one half only meet in the table.
func TestPairSet(t *testing.T) {
	const seed = 7
	for _, c := range []struct{ oldNodes, newNodes int32 }{{3, 1 << 30}, {1 << 30, 3}, {300, 300}, {1 << 30, 1 << 30}} {
		r := rand.New(rand.NewPCG(seed, 0))
		var s pairSet
		model := map[[2]int32]int32{}
		for range 100_000 {
			old, new := r.Int32N(c.oldNodes), r.Int32N(c.newNodes)
			want, ok := model[[2]int32{old, new}]
			if !ok {
				want = -1
			}
			if got := s.find(pairKey(old, new)); got != want {
				t.Fatalf("seed %d, %+v: pair (%d, %d) has number %d, want %d", seed, c, old, new, got, want)
			}
			if !ok {
				model[[2]int32{old, new}] = s.add(pairKey(old, new))
			}
		}
		for pair, i := range model {
			if old, new := splitKey(s.keys[i]); s.find(pairKey(old, new)) != i || pair != [2]int32{old, new} {
				t.Fatalf("seed %d, %+v: number %d is pair (%d, %d), want %v", seed, c, i, old, new, pair)
			}
		}
	}
}
