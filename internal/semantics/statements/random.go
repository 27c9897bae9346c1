package statements

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"winnow/internal/semantics"
	"winnow/internal/semantics/generate"
	"winnow/internal/semantics/minijvm"
)

// randomLimit is the step limit for random programs, some of which run for ever.
const randomLimit = 400

// Random says how many random programs to check.
type Random struct {
	// Seed makes the run repeatable. The same seed gives the same programs on any number of cores.
	Seed uint64
	// Batches of batchSize programs are made, each with a seed of its own; 0 means 1.
	Batches int
	Workers int
	// Strength is how well-formed programs are.
	Strength minijvm.Strength
	// Report, if set, is told how many batches are done.
	Report func(done int)

	lacking *minijvm.Function // in place of smart, for tests
}

const (
	batchSize = 200
	// changesPerProgram is the number of changes that each random program is compared with.
	changesPerProgram = 6
	// Every generic law is checked on one program out of so many, because the generic definitions copy every state.
	genericEvery = 10
	historyLong  = 4
)

// Sampled is the result of a random check. Failure is the one of the first batch that failed, so that it does not depend on the number of cores.
type Sampled struct {
	Tally
	Failure *Failure
	// FailedSeed is the seed of the batch that failed.
	FailedSeed uint64
}

// Run checks all claims on random programs and changes.
func (r Random) Run(ctx context.Context) (*Sampled, error) {
	var mu sync.Mutex
	out, first, done := &Sampled{}, max(1, r.Batches), 0
	each(max(1, r.Workers), max(1, r.Batches), func(next func() (int, bool)) {
		for i, ok := next(); ok && ctx.Err() == nil; i, ok = next() {
			tally, fail := r.batch(ctx, r.Seed+uint64(i))
			mu.Lock()
			out.Add(tally)
			if done++; r.Report != nil {
				r.Report(done)
			}
			if fail != nil && i < first {
				first, out.Failure, out.FailedSeed = i, fail, r.Seed+uint64(i)
			}
			stop := out.Failure != nil
			mu.Unlock()
			if stop {
				return
			}
		}
	})
	return out, ctx.Err()
}

// batch checks the programs of one seed.
func (r Random) batch(ctx context.Context, seed uint64) (*Tally, *Failure) {
	b := &batch{source: generate.NewSource(generate.Config{Strength: r.Strength}, seed), checker: newChecker(randomLimit), in: strengthOf(r.Strength)}
	if r.lacking != nil {
		b.functions[smartSet] = r.lacking
	}
	for i := 0; i < batchSize && ctx.Err() == nil; i++ {
		if fail := b.one(i); fail != nil {
			return &b.tally, fail
		}
	}
	return &b.tally, nil
}

type batch struct {
	*checker
	source *generate.Source
	in     strengths
}

// one makes a program and checks it with some changes.
func (b *batch) one(i int) *Failure {
	p := b.source.Program()
	ended, fail := b.program(p, b.in)
	if fail != nil || !ended {
		return fail
	}
	for range changesPerProgram {
		q, _ := b.source.Change(p)
		if q == nil {
			continue
		}
		if fail := b.pair(q, p.Changed(q), b.in); fail != nil {
			return fail
		}
	}
	if i%genericEvery == 0 {
		return b.generic(p)
	}
	return nil
}

// generic checks the laws of the general definitions on the instance that the small JVM is.
func (b *batch) generic(p *minijvm.Program) *Failure {
	begin := minijvm.Collecting{}.Begin(p)
	for _, f := range b.functions {
		sem := minijvm.Collecting{Collector: f}
		err := errors.Join(
			semantics.SameEnds[*minijvm.Program, *minijvm.State, minijvm.Set](sem, (*minijvm.State).Equal, p, begin, randomLimit),
			semantics.EndIsFinal[*minijvm.Program, *minijvm.State](sem, p, &b.trace.states[b.trace.steps]))
		if err != nil {
			return b.failure(SameStates, b.in, nil, f.Name()+": "+err.Error())
		}
	}
	b.tally.count(b.in, SameStates, Count{Programs: 1, Steps: uint64(3 * b.trace.steps)})
	return b.history(p)
}

// history follows a test along changes: deselected at each, it must end as at the beginning (5.2).
func (b *batch) history(p *minijvm.Program) *Failure {
	test, list := p.Class(minijvm.Test), []*minijvm.Program{p}
	for range historyLong {
		if q, _ := b.source.Change(list[len(list)-1]); q != nil && q.Class(minijvm.Test).Equal(test) {
			list = append(list, q)
		}
	}
	n := Count{Programs: uint64(len(list)), Pairs: uint64(len(list) - 1)}
	for _, f := range b.functions {
		deselected, err := follow(f, list...)
		if err != nil {
			return b.failure(Histories, b.in, list[len(list)-1], fmt.Sprintf("%s, %d changes: %v", f.Name(), len(list)-1, err))
		}
		n.Held += uint64(deselected)
		n.Steps += uint64((1 + deselected) * b.trace.steps)
	}
	b.tally.count(b.in, Histories, n)
	return nil
}

// follow follows the test of the first program along the others, and returns how many of its outputs are deselected throughout.
func follow(f *minijvm.Function, list ...*minijvm.Program) (int, error) {
	r := semantics.Based[*minijvm.Program, *minijvm.Class, *minijvm.State, minijvm.Set](minijvm.Collecting{Collector: f}, randomLimit)
	return semantics.Transitive(r, list[0].Class(minijvm.Test), list)
}
