package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"winnow/internal/digest"
	"winnow/internal/rts"
	"winnow/internal/store"
)

// flushEvery bounds how much of a long run a kill can lose. Where storing takes long it is done less often, so that it takes a fifth of the time at most:
// what recordings share is stored with each of them.
const flushEvery = time.Second

// A recorder is the sink of one run. It stores what has ended every flushEvery or so, so that finished results count even if the run is
// cut short.
type recorder struct {
	mu     sync.Mutex
	ctx    context.Context // without cancellation: what has ended is stored after an interrupt too
	store  *store.Store
	meta   rts.Meta
	report *Report
	watch  func(Result)
	now    func() time.Time
	// settled returns what the project is now, nil if that need not be asked (S1.9).
	settled func() (rts.Snapshot, error)
	unkept  map[rts.TestID]bool // tests of which nothing is stored

	shared  []rts.Footprint
	bodies  map[digest.Digest][]byte
	pending []Result
	flushed time.Time
	took    time.Duration // to store the last time
	failed  error
	moved   map[rts.Entity]int // inputs that are not what tests found → tests that will run again for it
}

var _ Sink = (*recorder)(nil)

func (r *recorder) Shared(f rts.Footprint) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shared = append(r.shared, f)
	return len(r.shared) - 1
}

func (r *recorder) Body(d digest.Digest, body []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bodies == nil {
		r.bodies = map[digest.Digest][]byte{}
	}
	r.bodies[d] = body
}

// NotRun notes a test that was kept from running. Nothing is recorded for it, so it stays selected (S3.3).
func (r *recorder) NotRun(test rts.TestID, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.NotRun[test] = why
}

func (r *recorder) Done(res Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Results = append(r.report.Results, res)
	if !r.unkept[res.Record.Test] {
		r.pending = append(r.pending, res)
	}
	if r.watch != nil {
		r.watch(res)
	}
	if r.flushed.IsZero() {
		r.flushed = r.now()
	}
	if start := r.now(); start.Sub(r.flushed) >= max(flushEvery, 4*r.took) {
		r.flush()
		r.flushed = r.now()
		r.took = r.flushed.Sub(start)
	}
}

// finish stores the rest.
func (r *recorder) finish() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.flush()
	for _, e := range slices.SortedFunc(maps.Keys(r.moved), rts.Entity.Compare) {
		r.report.Troubles = append(r.report.Troubles, fmt.Errorf("%s is not what the tests found: it changed meanwhile, or they had another one; what used it (%d tests) will run again", e, r.moved[e]))
	}
	return r.failed
}

// unknown is a snapshot in which nothing can be determined.
type unknown struct{}

func (unknown) Digest(rts.Entity) digest.Digest { return digest.Unknown }

// flush stores the pending results. After a failure to record nothing more is tried; it is reported, and the tests stay selected (S4.4).
func (r *recorder) flush() {
	if r.failed != nil || len(r.pending) == 0 {
		return
	}
	snap, err := r.settled()
	if err != nil {
		// Whether an input changed meanwhile is not known, so no test that used anything may become a proof by this run.
		r.report.Troubles = append(r.report.Troubles, fmt.Errorf("inputs could not be looked at again, so these tests will run again: %w", err))
		snap = unknown{}
	}
	r.failed = r.store.Append(r.ctx, r.recording(snap))
	r.pending = nil
}

// recording makes a recording of the pending results with the shared footprints and bodies that they need.
func (r *recorder) recording(settled rts.Snapshot) *rts.Recording {
	rec := &rts.Recording{Meta: r.meta, Bodies: map[digest.Digest][]byte{}}
	b := &bundle{recorder: r, rec: rec, placed: map[int]int{}, same: map[digest.Digest]int{}, checked: map[int]*rts.Entity{}}
	for _, res := range r.pending {
		own := res.Own
		for i, n := range own.Includes {
			if i == 0 {
				own.Includes = make([]int, len(res.Own.Includes))
			}
			own.Includes[i] = b.place(n)
		}
		record := res.Record
		record.Footprint = b.add(own)
		if e := b.moved(record.Footprint, settled); e != nil {
			record.Incomplete = true
			if settled != (unknown{}) { // of which it is not known whether it moved
				if r.moved == nil {
					r.moved = map[rts.Entity]int{}
				}
				r.moved[*e]++
			}
		}
		rec.Records = append(rec.Records, record)
	}
	return rec
}

// A bundle collects footprints for one recording, equal ones once.
type bundle struct {
	recorder *recorder
	rec      *rts.Recording
	placed   map[int]int
	same     map[digest.Digest]int
	checked  map[int]*rts.Entity // footprint → an input that moved
}

func (b *bundle) place(n int) int {
	if i, ok := b.placed[n]; ok {
		return i
	}
	f := b.recorder.shared[n]
	includes := make([]int, len(f.Includes))
	for i, inc := range f.Includes {
		includes[i] = b.place(inc)
	}
	f.Includes = includes
	i := b.add(f)
	b.placed[n] = i
	return i
}

func (b *bundle) add(f rts.Footprint) int {
	f.Uses = rts.SortUses(f.Uses)
	key := f.Content()
	if i, ok := b.same[key]; ok {
		return i
	}
	for _, u := range f.Uses {
		if body, ok := b.recorder.bodies[u.Digest]; ok {
			b.rec.Bodies[u.Digest] = body
		}
	}
	b.rec.Footprints = append(b.rec.Footprints, f)
	i := len(b.rec.Footprints) - 1
	b.same[key] = i
	return i
}

// moved returns an input that is not any more what the footprint says it was, nil if there is none (S1.9).
func (b *bundle) moved(footprint int, settled rts.Snapshot) *rts.Entity {
	if settled == nil {
		return nil
	}
	moved, known := b.checked[footprint]
	if known {
		return moved
	}
	f := &b.rec.Footprints[footprint]
	for i, u := range f.Uses {
		if !u.Digest.Same(settled.Digest(u.Entity)) {
			moved = &f.Uses[i].Entity
			break
		}
	}
	for i := 0; moved == nil && i < len(f.Includes); i++ {
		moved = b.moved(f.Includes[i], settled)
	}
	b.checked[footprint] = moved
	return moved
}
