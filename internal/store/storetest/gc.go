package storetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/internal/rts"
	"winnow/internal/store"
)

// testGC checks what is kept, what is dropped, and that no proof comes of it (S4.3).
func (o Opener) testGC(t *testing.T) {
	check(t, func(h History, r *rand.Rand) error {
		groups, gone := r.IntN(3), rts.TestID(fmt.Sprint("m#", r.IntN(8)))
		keep := func(t rts.TestID) bool { return t != gone }
		return o.opened(t, 1, func(s []*store.Store) error {
			if err := appendAll(s[0], h); err != nil {
				return err
			}
			before, err := statements(s[0])
			if err != nil {
				return err
			}
			dropped, err := s[0].GC(context.Background(), groups, keep)
			if err != nil {
				return err
			}
			after, err := statements(s[0])
			if err != nil {
				return err
			}
			if dropped != len(before)-len(after) {
				return fmt.Errorf("GC says %d dropped; %d records became %d", dropped, len(before), len(after))
			}
			return judgeGC(h.Statements(), after, groups, keep)
		})
	})
}

func judgeGC(before, after []Statement, groups int, keep func(rts.TestID) bool) error {
	for _, p := range NewProofs(before, after) {
		return errors.New("new proof " + p)
	}
	must := newestGroups(before, groups, keep)
	have := map[string]bool{}
	for _, s := range after {
		have[s.String()] = true
		if !keep(s.Test) {
			return fmt.Errorf("not dropped: %s", s)
		}
	}
	for _, s := range must {
		if !have[s.String()] {
			return fmt.Errorf("dropped: %s", s)
		}
		delete(have, s.String())
	}
	return extras(after, have)
}

// extras checks that what is kept beyond the newest groups speaks against a pass that is kept.
func extras(after []Statement, extra map[string]bool) error {
	for _, s := range after {
		if !extra[s.String()] {
			continue
		}
		needed := slices.ContainsFunc(after, func(pass Statement) bool {
			return pass.Test == s.Test && pass.Outcome.Proves() && !conflict(pass, s)
		})
		if s.Outcome.Proves() || !needed {
			return fmt.Errorf("kept for nothing: %s", s)
		}
	}
	return nil
}

// conflict reports whether two records cannot hold together. A record whose own uses conflict never holds; whether it
// is kept does not matter.
func conflict(a, b Statement) bool {
	_, aHolds := union(a.Uses, nil)
	_, bHolds := union(b.Uses, nil)
	_, both := union(a.Uses, b.Uses)
	return aHolds && bHolds && !both
}

// newestGroups returns, of each test to be kept, the records of the newest groups; of a group the newest record of each
// outcome, complete and incomplete apart.
func newestGroups(all []Statement, groups int, keep func(rts.TestID) bool) []Statement {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b Statement) int { return cmp.Compare(b.When.Unix(), a.When.Unix()) })
	var kept []Statement
	known := map[rts.TestID]map[string]map[ending]bool{}
	for _, s := range sorted {
		if !keep(s.Test) {
			continue
		}
		if known[s.Test] == nil {
			known[s.Test] = map[string]map[ending]bool{}
		}
		group := known[s.Test]
		if group[s.inputs()] == nil {
			if len(group) >= groups {
				continue
			}
			group[s.inputs()] = map[ending]bool{}
		}
		end := ending{s.Outcome, s.Incomplete}
		if !group[s.inputs()][end] {
			group[s.inputs()][end] = true
			kept = append(kept, s)
		}
	}
	return kept
}

type ending struct {
	outcome    rts.Outcome
	incomplete bool
}
