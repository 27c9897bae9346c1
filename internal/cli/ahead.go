package cli

import (
	"context"
	"maps"
	"slices"
	"sync"

	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/verify"
)

// ahead reads, while Maven starts, what it will most likely take to select: the records, and what is known of the jars and the JDK of the last run's executions. It decides nothing,
// and what it cannot read is told by who needs it. The function that it returns ends it.
func (h *mavenRun) ahead(ctx context.Context) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	var reading sync.WaitGroup
	reading.Go(func() {
		used := h.openAhead(ctx)
		settings, _ := verify.ReadSettings(h.jvmDir())
		paths := map[string][]string{} // by JDK: executions share most of them
		for _, s := range settings {
			paths[s.JDK] = append(paths[s.JDK], s.ClassPath...)
		}
		for jdk, path := range paths {
			slices.Sort(path)
			h.cache.Ahead(ctx, jdk, slices.Compact(path), h.seen, used)
		}
	})
	return func() { stop(); reading.Wait() }
}

// openAhead opens the records and counts what a proof says of each. It returns what tests used.
func (h *mavenRun) openAhead(ctx context.Context) (used []rts.Entity) {
	_ = withView(ctx, h.w.store, func(v *store.View) error {
		newest := map[rts.TestID]store.Stored{} // a proof is most often one of these
		v.Records(func(r store.Stored) {
			if of, known := newest[r.Test]; !known || r.Meta.When.After(of.Meta.When) {
				newest[r.Test] = r
			}
		})
		for _, r := range slices.SortedFunc(maps.Values(newest), func(a, b store.Stored) int { return a.Ref.Compare(b.Ref) }) {
			if ctx.Err() == nil {
				v.CountUses(r.Ref)
			}
		}
		v.Entities(func(e rts.Entity) { used = append(used, e) })
		return nil
	})
	return used
}
