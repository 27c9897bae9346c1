package check

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"winnow/internal/check/campaign"
)

// A Work is a piece of a campaign that one goroutine does: one or more evolving programs that share something.
type Work struct {
	// Do checks the programs that are not done, and hands over an entry for each.
	Do func(ctx context.Context, done func(program string) bool, add func(*campaign.Entry) error) error
}

// A Plan is the work of a campaign in order.
type Plan struct {
	Work iter.Seq[Work]
	// Pieces is how much work there is, 0 if that is not known.
	Pieces int
}

// Progress is how far a campaign is.
type Progress struct {
	Pieces, Done      int
	Programs          int // with an entry
	Compared          int
	Violations        int
	Elapsed, Remained time.Duration // Remained is estimated; 0 if it is not known
}

// Run does a plan. It ends when all is done, when as many programs were compared as the campaign wants, when its time is over, or with ctx; finished tells whether it was one of the first two.
func Run(ctx context.Context, c *campaign.Campaign, plan Plan, log *campaign.Log, watch func(Progress)) (finished bool, err error) {
	r := &runner{campaign: c, log: log, watch: watch, start: time.Now(), progress: Progress{Pieces: plan.Pieces}}
	for _, e := range log.Entries() {
		r.count(e)
	}
	r.before = r.progress.Compared
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	if c.Time > 0 {
		timer := time.AfterFunc(c.Time, func() { r.stop(cancel) })
		defer timer.Stop()
	}
	work := make(chan Work)
	var group sync.WaitGroup
	for range c.Workers {
		group.Go(func() { r.worker(inner, cancel, work) })
	}
	finished = r.feed(inner, plan, work)
	close(work)
	group.Wait()
	if ctx.Err() != nil {
		return false, errors.Join(r.err, ctx.Err())
	}
	return r.enough || finished && !r.stopped, r.err
}

type runner struct {
	campaign *campaign.Campaign
	log      *campaign.Log
	watch    func(Progress)
	start    time.Time
	before   int

	mu       sync.Mutex
	progress Progress
	stopped  bool // the time is over
	enough   bool // as many programs were compared as the campaign wants
	err      error
}

// stop ends a campaign whose time is over.
func (r *runner) stop(cancel func()) {
	r.mu.Lock()
	r.stopped = true
	r.mu.Unlock()
	cancel()
}

// feed hands out the work; false if it did not come to the end.
func (r *runner) feed(ctx context.Context, plan Plan, work chan<- Work) bool {
	for w := range plan.Work {
		select {
		case work <- w:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

func (r *runner) worker(ctx context.Context, cancel func(), work <-chan Work) {
	for w := range work {
		err := w.Do(ctx, r.log.Done, func(e *campaign.Entry) error { return r.add(e, cancel) })
		r.mu.Lock()
		if err != nil && ctx.Err() == nil && r.err == nil {
			r.err = err
			cancel()
		}
		r.progress.Done++
		r.tell()
		r.mu.Unlock()
	}
}

// add keeps an entry.
func (r *runner) add(e *campaign.Entry, cancel func()) error {
	if err := r.log.Add(e); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count(e)
	if n := r.campaign.Evolving; n > 0 && r.progress.Compared >= n {
		r.enough = true
		cancel()
	}
	r.tell()
	return nil
}

func (r *runner) count(e *campaign.Entry) {
	r.progress.Programs++
	if e.Status == campaign.Compared {
		r.progress.Compared++
	}
	r.progress.Violations += len(e.Violations)
}

// tell shows the progress; the lock is held.
func (r *runner) tell() {
	if r.watch == nil {
		return
	}
	p := &r.progress
	p.Elapsed = time.Since(r.start)
	p.Remained = 0
	if p.Pieces > 0 && p.Done > 0 && p.Done <= p.Pieces {
		p.Remained = p.Elapsed / time.Duration(p.Done) * time.Duration(p.Pieces-p.Done)
	}
	if n := r.campaign.Evolving; n > 0 && p.Compared > r.before {
		p.Remained = min(p.Remained, p.Elapsed/time.Duration(p.Compared-r.before)*time.Duration(n-min(n, p.Compared)))
	}
	if limit := r.campaign.Time; limit > 0 && (p.Remained == 0 || p.Remained > limit-p.Elapsed) {
		p.Remained = max(limit-p.Elapsed, 0)
	}
	r.watch(*p)
}

// Programs is the plan for programs that share nothing.
func (c *Checker) Programs(all []*Program) Plan {
	return Plan{Pieces: len(all), Work: func(yield func(Work) bool) {
		for _, p := range all {
			if !yield(Work{Do: func(ctx context.Context, done func(string) bool, add func(*campaign.Entry) error) error {
				return c.single(ctx, p, done, add)
			}}) {
				return
			}
		}
	}}
}

func (c *Checker) single(ctx context.Context, p *Program, done func(string) bool, add func(*campaign.Entry) error) error {
	if done(p.Name) {
		return nil
	}
	start := time.Now()
	e, err := c.Check(ctx, p)
	if err != nil {
		return err
	}
	if err := c.explain(ctx, p, e); err != nil {
		return err
	}
	e.Millis = time.Since(start).Milliseconds()
	return add(e)
}
