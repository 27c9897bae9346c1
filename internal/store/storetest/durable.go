package storetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"winnow/internal/store"
)

// RunDurable checks a backend whose content outlives it. Opening the same folder again gives the same store, also while
// it is open already.
func RunDurable(t *testing.T, open func(t *testing.T, dir string) store.Backend) {
	Run(t, func(t *testing.T) store.Backend { return open(t, t.TempDir()) })
	t.Run("Reopen", func(t *testing.T) { testReopen(t, open) })
	t.Run("TwoHandles", func(t *testing.T) { testTwoHandles(t, open) })
}

// testReopen closes and opens the store between any two recordings.
func testReopen(t *testing.T, open func(t *testing.T, dir string) store.Backend) {
	check(t, func(h History, r *rand.Rand) error {
		dir, snap := t.TempDir(), newSnapshot(r)
		for i, rec := range h {
			b := open(t, dir)
			run := store.Run{When: time.Unix(int64(i), 0).UTC(), Tests: i}
			err := errors.Join(b.AddRun(context.Background(), run), store.New(b).Append(context.Background(), rec), b.Close())
			if err != nil {
				return err
			}
		}
		b := open(t, dir)
		runs, err := b.Runs(context.Background(), len(h)+1)
		if err == nil && (len(runs) != len(h) || !slices.IsSortedFunc(runs, func(a, b store.Run) int { return b.Tests - a.Tests })) {
			err = errors.New("run summaries are lost or out of order")
		}
		return errors.Join(err, expect(store.New(b), h, snap), b.Close())
	})
}

// testTwoHandles appends through two handles at once.
func testTwoHandles(t *testing.T, open func(t *testing.T, dir string) store.Backend) {
	dir := t.TempDir()
	h := NewHistory(rand.New(rand.NewPCG(*first, 5)), 16)
	stores := []*store.Store{store.New(open(t, dir)), store.New(open(t, dir))}
	errs := make([]error, len(stores))
	var wg sync.WaitGroup
	for i, s := range stores {
		wg.Go(func() { errs[i] = appendAll(s, h[i*8:(i+1)*8]) })
	}
	wg.Wait()
	for i, s := range stores {
		errs = append(errs, expect(s, h, newSnapshot(rand.New(rand.NewPCG(*first, uint64(i))))))
	}
	for _, s := range stores {
		errs = append(errs, s.Close())
	}
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}
