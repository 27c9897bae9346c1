package safespace

import (
	"cmp"

	"winnow/internal/graph"
)

// sameLabels reports whether two nodes have the same labels, so that edges
// match by index.
func sameLabels[L cmp.Ordered](a, b []graph.Edge[L]) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Label != b[i].Label {
			return false
		}
	}
	return true
}

// nextOnlyIn returns the least index j' >= j of an edge of b whose label a
// lacks, or len(b). i is where the search in a begins; the index where it
// stopped is returned for the next call, so that a loop over all such edges
// costs one pass.
func nextOnlyIn[L cmp.Ordered](a, b []graph.Edge[L], i, j int) (int, int) {
	for ; j < len(b); j++ {
		for i < len(a) && a[i].Label < b[j].Label {
			i++
		}
		if i == len(a) || a[i].Label != b[j].Label {
			break
		}
	}
	return i, j
}

// indexOf returns the index of the edge with the label, or -1.
func indexOf[L cmp.Ordered](out []graph.Edge[L], label L) int {
	lo, hi := 0, len(out)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if out[mid].Label < label {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(out) && out[lo].Label == label {
		return lo
	}
	return -1
}

// match returns the index in out' of the edge that old edge i is matched with
// (C3), or -1.
func (c *comparison[L]) match(out, outNew []graph.Edge[L], i int) int {
	label := out[i].Label
	if i < len(outNew) && outNew[i].Label == label {
		return i
	}
	if j := indexOf(outNew, label); j >= 0 || !c.opt.HasDefault {
		return j
	}
	return indexOf(outNew, c.opt.Default)
}

// condemns reports whether the labels of the new node make every edge into
// the pair dangerous.
func (c *comparison[L]) condemns(out, outNew []graph.Edge[L]) bool {
	if c.opt.NewLabel == Default {
		return len(out) == 0 && len(outNew) > 0 // (C6)
	}
	_, j := nextOnlyIn(out, outNew, 0, 0)
	return j < len(outNew) // (C4)
}

// takesNewLabels reports whether labels that only the new node has are matched
// with old edge i (C5).
func (c *comparison[L]) takesNewLabels(out []graph.Edge[L], i int) bool {
	return c.opt.NewLabel == Default && c.opt.HasDefault && out[i].Label == c.opt.Default
}
