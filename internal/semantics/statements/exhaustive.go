package statements

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"winnow/internal/semantics/generate"
	"winnow/internal/semantics/minijvm"
)

// Exhaustive says how to check all pairs of the bound. The zero value checks all of it on one core and keeps nothing.
type Exhaustive struct {
	// Workers is the number of goroutines; 0 means 1.
	Workers int
	// Progress is the file that keeps what was done, so that a run that was ended can go on; empty means none.
	Progress string
	// Every checks one block out of so many; 0 and 1 mean all.
	Every int
	// Report, if set, is told after each block how far the run is.
	Report func(Progress)

	lacking *minijvm.Function // in place of smart, for tests
}

// A Progress is how far an exhaustive run is.
type Progress struct {
	Done, Blocks int
	Pairs        uint64
	// Rate is the number of pairs per second in this run, Left the time that the rest will take at this rate.
	Rate float64
	Left time.Duration
}

// A Bounded is the result of an exhaustive run.
type Bounded struct {
	Tally
	// Programs and Neighbours are the size of the bound, well-formed or not.
	Programs, Neighbours int
	Blocks, Resumed      int
	// Took is the time of this run without the blocks that were done before, and Checked the number of pairs it checked.
	Took    time.Duration
	Checked uint64
	Failure *Failure
}

// WellFormed returns the number of programs that were checked in a strength.
func (b *Bounded) WellFormed(s minijvm.Strength) uint64 { return b.Claims[s][NaiveIsSmart].Programs }

// Pairs returns the number of pairs that were checked in a strength.
func (b *Bounded) Pairs(s minijvm.Strength) uint64 { return b.Claims[s][NaiveSafe].Pairs }

// Run checks all claims about programs and pairs, except those that need histories, on every program of the bound and each of its neighbours. If the context ends it
// returns its error; what was done is in the progress file.
func (e Exhaustive) Run(ctx context.Context) (*Bounded, error) {
	x := e.exhausting()
	x.out = Bounded{Programs: x.bound.Programs(), Neighbours: x.bound.Neighbours(), Blocks: (x.bound.Blocks() + x.Every - 1) / x.Every}
	log, err := openProgress(e.Progress, x.identity())
	if err != nil {
		return nil, err
	}
	x.log = log
	for _, b := range log.blocks {
		x.out.Add(&b)
	}
	x.out.Resumed = len(log.blocks)
	x.formed = make([]atomic.Uint32, x.bound.Programs())
	err = errors.Join(x.run(ctx), log.close())
	x.out.Took = time.Since(x.started)
	return &x.out, err
}

func (e Exhaustive) exhausting() *exhausting {
	x := &exhausting{Exhaustive: e, bound: generate.NewBound(), started: time.Now()}
	x.Workers, x.Every = max(1, e.Workers), max(1, e.Every)
	return x
}

// ready tells, before anything is done, whether the progress file can be used.
func (e Exhaustive) ready() error {
	if e.Progress == "" {
		return nil
	}
	log, err := openProgress(e.Progress, e.exhausting().identity())
	if err != nil {
		return err
	}
	return log.close()
}

// exhausting is one exhaustive run.
type exhausting struct {
	Exhaustive
	bound   *generate.Bound
	log     *progressLog
	formed  []atomic.Uint32 // for every program that was looked at: looked, and its strengths
	started time.Time

	mu     sync.Mutex
	out    Bounded
	failed error // the progress file could not be written
}

const looked = 1 << 8

// wellFormed returns the strengths in which the program with a number is well-formed. Each is verified once, or rarely twice.
func (x *exhausting) wellFormed(v *minijvm.Verifier, i int) strengths {
	if f := x.formed[i].Load(); f != 0 {
		return strengths(f)
	}
	f := formed(v, x.bound.Program(i))
	x.formed[i].Store(uint32(f) | looked)
	return f
}

// formed returns the strengths in which a program is well-formed.
func formed(v *minijvm.Verifier, p *minijvm.Program) strengths {
	switch {
	case v.Check(p, minijvm.Missing) != nil:
		return 0
	case v.Check(p, minijvm.Paper) != nil:
		return strengthOf(minijvm.Missing)
	}
	return strengthOf(minijvm.Missing) | strengthOf(minijvm.Paper)
}

// each runs work in several goroutines; they share the numbers below n.
func each(workers, n int, work func(next func() (int, bool))) {
	var mu sync.Mutex
	i := 0
	next := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		i++
		return i - 1, i <= n
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { work(next) })
	}
	wg.Wait()
}

func (x *exhausting) run(ctx context.Context) error {
	each(x.Workers, x.bound.Blocks(), func(next func() (int, bool)) {
		c := newChecker(minijvm.StepLimit)
		if x.lacking != nil {
			c.functions[smartSet] = x.lacking
		}
		for b, ok := next(); ok && ctx.Err() == nil && !x.over(); b, ok = next() {
			if b%x.Every != 0 || x.wasDone(b) {
				continue
			}
			c.tally = Tally{}
			fail := x.block(ctx, c, b)
			if ctx.Err() != nil {
				return
			}
			x.done(b, &c.tally, fail)
		}
	})
	return errors.Join(ctx.Err(), x.failed)
}

func (x *exhausting) wasDone(b int) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	_, done := x.log.blocks[b]
	return done
}

// over tells whether the run has found what ends it.
func (x *exhausting) over() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.failed != nil || x.out.Failure != nil
}

// block checks the programs of one block.
func (x *exhausting) block(ctx context.Context, c *checker, b int) *Failure {
	for i, to := x.bound.Block(b); i < to; i++ {
		if ctx.Err() != nil {
			return nil
		}
		if fail := x.program(c, i); fail != nil {
			return fail
		}
	}
	return nil
}

// program checks one program and all its neighbours.
func (x *exhausting) program(c *checker, i int) *Failure {
	first := x.wellFormed(&c.verifier, i)
	if first == 0 {
		return nil
	}
	p := x.bound.Program(i)
	ended, fail := c.program(p, first)
	if fail != nil || !ended {
		return fail
	}
	q := &minijvm.Program{}
	x.bound.EachNeighbour(i, func(n generate.Neighbour) {
		in := first & x.wellFormed(&c.verifier, n.Program)
		if in == 0 || fail != nil {
			return
		}
		q.Assign(p, n.ID, n.Class)
		fail = c.pair(q, minijvm.SetOf(n.ID), in)
	})
	return fail
}

// done adds a block to the result and to the progress file.
func (x *exhausting) done(b int, t *Tally, fail *Failure) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if fail != nil {
		x.out.Failure = fail
		return
	}
	x.out.Add(t)
	x.out.Checked += t.Claims[minijvm.Missing][NaiveSafe].Pairs
	x.failed = errors.Join(x.failed, x.log.add(b, t))
	if x.Report != nil {
		x.Report(x.progress())
	}
}

func (x *exhausting) progress() Progress {
	p := Progress{Done: len(x.log.blocks), Blocks: x.out.Blocks, Pairs: x.out.Pairs(minijvm.Missing)}
	took := time.Since(x.started)
	p.Rate = float64(x.out.Checked) / took.Seconds()
	p.Left = took / time.Duration(max(1, p.Done-x.out.Resumed)) * time.Duration(p.Blocks-p.Done)
	return p
}
