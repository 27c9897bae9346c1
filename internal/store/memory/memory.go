// Package memory is a store backend that keeps everything in the process. It is for tests and for runs that must
// leave no trace; it behaves as a durable backend does until the process ends.
package memory

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"winnow/internal/digest"
	"winnow/internal/store"
	"winnow/internal/store/segment"
)

// A Backend keeps segments in memory. The zero value is an empty store.
type Backend struct {
	mu   sync.Mutex
	segs []*segment.Encoded // replaced as a whole, never modified: a view keeps its own slice
	runs []store.Run
}

var _ store.Backend = (*Backend)(nil)

// View returns the present state.
func (b *Backend) View(context.Context) (store.BackendView, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return view(b.segs), nil
}

// Replace adds and drops segments.
func (b *Backend) Replace(_ context.Context, add []*segment.Encoded, drop []digest.Digest) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := slices.Clone(b.segs)
	for _, id := range drop {
		i := view(next).find(id)
		if i < 0 {
			return store.ErrConflict
		}
		next = slices.Delete(next, i, i+1)
	}
	for _, e := range add {
		if view(next).find(e.ID) < 0 {
			next = append(next, e)
		}
	}
	b.segs = next
	return nil
}

// AddRun appends a run summary.
func (b *Backend) AddRun(_ context.Context, run store.Run) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.runs = append(b.runs, run)
	return nil
}

// Runs returns the newest run summaries.
func (b *Backend) Runs(_ context.Context, n int) ([]store.Run, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	newest := slices.Clone(b.runs)
	slices.Reverse(newest)
	return newest[:min(n, len(newest))], nil
}

// Close does nothing.
func (b *Backend) Close() error { return nil }

type view []*segment.Encoded

func (v view) find(id digest.Digest) int {
	return slices.IndexFunc(v, func(e *segment.Encoded) bool { return e.ID == id })
}

func (v view) get(id digest.Digest) (*segment.Encoded, error) {
	if i := v.find(id); i >= 0 {
		return v[i], nil
	}
	return nil, fmt.Errorf("%w: no segment %s", store.ErrCorrupt, id.Short())
}

func (v view) Segments() ([]digest.Digest, error) {
	ids := make([]digest.Digest, len(v))
	for i, e := range v {
		ids[i] = e.ID
	}
	return ids, nil
}

func (v view) Index(id digest.Digest) ([]byte, error) {
	e, err := v.get(id)
	if err != nil {
		return nil, err
	}
	return e.Index, nil
}

func (v view) Suspects(id digest.Digest) ([]byte, error) {
	e, err := v.get(id)
	if err != nil {
		return nil, err
	}
	return e.Suspects, nil
}

func (v view) Block(id digest.Digest, n int) ([]byte, error) {
	e, err := v.get(id)
	if err != nil {
		return nil, err
	}
	if n < 0 || n >= len(e.Blocks) {
		return nil, fmt.Errorf("%w: segment %s has no block %d", store.ErrCorrupt, id.Short(), n)
	}
	return e.Blocks[n], nil
}

func (v view) Close() error { return nil }
