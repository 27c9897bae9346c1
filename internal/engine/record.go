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

// A recorder is the sink of one run. It stores what has ended every second or so, so that finished results count even if the run is
// cut short. Results are made ready for that beside the run, one after the other.
type recorder struct {
	mu     sync.Mutex
	ctx    context.Context // without cancellation: what has ended is stored after an interrupt too
	store  *store.Store
	meta   rts.Meta
	report *Report
	watch  func(Result)
	now    func() time.Time
	every  time.Duration // see Config.StoreEvery
	// settled returns what the project is now, nil if that need not be asked (S1.9).
	settled func() (rts.Snapshot, error)
	unkept  map[rts.TestID]bool // tests of which nothing is stored

	numbers int // of shared footprints
	flushed time.Time
	took    time.Duration // to store the last time

	todo  chan func() // for the goroutine that makes results ready
	ended chan struct{}
	// What follows belongs to that goroutine until it has ended.
	shared []rts.Footprint
	bodies map[digest.Digest][]byte
	bundle *bundle // what will be stored next; nil if there is nothing
	failed error
	moved  map[rts.Entity]int // inputs that are not what tests found → tests that will run again for it
}

var _ Sink = (*recorder)(nil)

// start starts the goroutine that makes results ready. The recorder's lock is held by those who wait for it, so it never takes that.
func (r *recorder) start() *recorder {
	r.bodies = map[digest.Digest][]byte{}
	r.todo, r.ended = make(chan func(), 256), make(chan struct{})
	go func() {
		defer close(r.ended)
		for do := range r.todo {
			do()
		}
	}()
	return r
}

func (r *recorder) Shared(f rts.Footprint) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.todo <- func() {
		f.Uses = rts.SortUses(f.Uses) // here and not in add, for it may be stored many times
		r.shared = append(r.shared, f)
	}
	r.numbers++
	return r.numbers - 1
}

func (r *recorder) Body(d digest.Digest, body []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.todo <- func() { r.bodies[d] = body }
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
		r.todo <- func() { r.add(res) }
	}
	if r.watch != nil {
		r.watch(res)
	}
	if r.flushed.IsZero() {
		r.flushed = r.now()
	}
	if start := r.now(); start.Sub(r.flushed) >= max(r.every, 4*r.took) {
		stored := make(chan struct{})
		r.todo <- func() {
			defer close(stored)
			r.flush()
		}
		<-stored
		r.flushed = r.now()
		r.took = r.flushed.Sub(start)
	}
}

// finish stores the rest.
func (r *recorder) finish() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.todo <- r.flush
	close(r.todo)
	<-r.ended
	for _, e := range slices.SortedFunc(maps.Keys(r.moved), rts.Entity.Compare) {
		r.report.Troubles = append(r.report.Troubles, fmt.Errorf("%s is not what the tests found: it changed meanwhile, or they had another one; what used it (%d tests) will run again", e, r.moved[e]))
	}
	return r.failed
}

// unknown is a snapshot in which nothing can be determined.
type unknown struct{}

func (unknown) Digest(rts.Entity) digest.Digest { return digest.Unknown }

// add makes a result ready: its footprint gets a place in the next recording, with the shared ones and the bodies that it needs.
func (r *recorder) add(res Result) {
	if r.failed != nil {
		return
	}
	b := r.bundle
	if b == nil {
		b = &bundle{recorder: r, rec: &rts.Recording{Meta: r.meta, Bodies: map[digest.Digest][]byte{}}, placed: map[int]int{}, same: map[digest.Digest]int{}, checked: map[int]*rts.Entity{}}
		r.bundle = b
	}
	own := res.Own
	own.Uses = rts.SortUses(own.Uses)
	own.Includes = make([]int, len(res.Own.Includes))
	for i, n := range res.Own.Includes {
		own.Includes[i] = b.place(n)
	}
	record := res.Record
	record.Footprint = b.add(own)
	b.rec.Records = append(b.rec.Records, record)
}

// flush stores what is ready. After a failure to record nothing more is tried; it is reported, and the tests stay selected (S4.4).
func (r *recorder) flush() {
	if r.failed != nil || r.bundle == nil {
		return
	}
	snap, err := r.settled()
	if err != nil {
		// Whether an input changed meanwhile is not known, so no test that used anything may become a proof by this run.
		r.report.Troubles = append(r.report.Troubles, fmt.Errorf("inputs could not be looked at again, so these tests will run again: %w", err))
		snap = unknown{}
	}
	r.bundle.settle(snap)
	r.failed = r.store.Append(r.ctx, r.bundle.rec)
	r.bundle = nil
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

// add takes a footprint with sorted uses.
func (b *bundle) add(f rts.Footprint) int {
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

// settle makes the records incomplete whose inputs are not any more what they were (S1.9).
func (b *bundle) settle(settled rts.Snapshot) {
	for i := range b.rec.Records {
		record := &b.rec.Records[i]
		e := b.moved(record.Footprint, settled)
		if e == nil {
			continue
		}
		record.Incomplete = true
		if settled != (unknown{}) { // of which it is not known whether it moved
			if b.recorder.moved == nil {
				b.recorder.moved = map[rts.Entity]int{}
			}
			b.recorder.moved[*e]++
		}
	}
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
