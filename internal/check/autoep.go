package check

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"strings"
	"time"

	"winnow/internal/check/campaign"
	"winnow/internal/check/evolve"
	"winnow/internal/check/evolve/autoep"
	"winnow/internal/check/pool"
	"winnow/internal/check/rule"
	"winnow/internal/check/subject"
)

// ErrUnknown is wrapped by errors about names in a campaign that do not exist.
var ErrUnknown = errors.New("does not exist")

// choose picks things by ids. "paper" and "modern" stand for those whose ids begin with one of the letters, "all" for all.
func choose[T any](all []T, id func(T) string, wanted []string, what, paper, modern string) ([]T, error) {
	var out []T
	for _, w := range wanted {
		n := len(out)
		for _, x := range all {
			name := id(x)
			if name == w || w == "all" || w == "paper" && strings.HasPrefix(name, paper) || w == "modern" && strings.HasPrefix(name, modern) {
				out = append(out, x)
			}
		}
		if len(out) == n {
			return nil, fmt.Errorf("%s %s %w", what, w, ErrUnknown)
		}
	}
	return out, nil
}

// AutoEP is the plan for generated programs.
func (c *Checker) AutoEP(cam *campaign.Campaign) (Plan, error) {
	chosen, operators, err := c.choice(cam)
	if err != nil {
		return Plan{}, err
	}
	return Plan{Pieces: len(chosen) * cam.Programs, Work: func(yield func(Work) bool) {
		for _, o := range chosen {
			for b := range bases(o, cam) {
				b.checker, b.campaign, b.operators = c, cam, operators
				if !yield(Work{Do: b.do}) {
					return
				}
			}
		}
	}}, nil
}

// bases walks first revisions, each with the one that follows it.
func bases(o autoep.Origin, cam *campaign.Campaign) iter.Seq[*baseWork] {
	return func(yield func(*baseWork) bool) {
		var last *baseWork
		for n, p := range o.Programs {
			if last != nil {
				last.next = p
				if !yield(last) {
					return
				}
				last = nil
			}
			if n >= cam.Programs {
				return
			}
			last = &baseWork{origin: o.ID, name: fmt.Sprintf("%s/%d", o.ID, n), program: p}
		}
		if last != nil {
			yield(last)
		}
	}
}

// A baseWork is a first revision and all that evolves from it.
type baseWork struct {
	checker   *Checker
	campaign  *campaign.Campaign
	operators []evolve.Operator
	origin    string
	name      string
	program   *evolve.Program
	next      *evolve.Program

	bench    *bench
	base     *autoep.Base
	material *subject.Material
}

// variants are the second revisions, with the names of the evolving programs.
func (b *baseWork) variants() iter.Seq2[string, evolve.Variant] {
	return func(yield func(string, evolve.Variant) bool) {
		for _, o := range b.operators {
			all := o.Apply(b.program, b.next)
			if n := b.campaign.Each; n > 0 && len(all) > n {
				all = draw(all, n, b.name)
			}
			for _, v := range all {
				if !yield(b.name+"/"+o.ID+"/"+v.Place, v) {
					return
				}
			}
		}
	}
}

// draw takes some of the variants, spread over the list by a number that follows from the name.
func draw(all []evolve.Variant, n int, name string) []evolve.Variant {
	h := fnv.New32a()
	h.Write([]byte(name)) // it cannot fail
	start := int(h.Sum32() % uint32(len(all)))
	var out []evolve.Variant
	for i := range n {
		out = append(out, all[(start+i*len(all)/n)%len(all)])
	}
	return out
}

func (b *baseWork) do(ctx context.Context, done func(string) bool, add func(*campaign.Entry) error) (err error) {
	due := !done(b.name)
	for name := range b.variants() {
		due = due || !done(name)
	}
	if !due {
		return nil
	}
	start := time.Now()
	if b.bench, err = newBench(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.bench.close()) }()
	why := base(b.prepare(ctx))
	var p *problem
	switch {
	case errors.As(why, &p):
		if done(b.name) {
			return nil
		}
		return add(&campaign.Entry{Program: b.name, Status: campaign.BaseNotUsable, Detail: string(p.status) + ": " + p.says, Constraint: b.origin})
	case why != nil:
		return why
	}
	if !done(b.name) {
		e := &campaign.Entry{Program: b.name, Status: campaign.Base, Constraint: b.origin, Millis: time.Since(start).Milliseconds()}
		if err := add(e); err != nil {
			return err
		}
	}
	for name, v := range b.variants() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if done(name) {
			continue
		}
		if err := b.variant(ctx, name, v, add); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (b *baseWork) config(share pool.Isolation) autoep.Config {
	return autoep.Config{Pool: b.checker.Pool, Seed: b.campaign.Seed, Lengths: b.campaign.Lengths, Most: b.campaign.Tests, Isolation: share, Detail: b.checker.detailed()}
}

// prepare compiles the first revision, finds tests that end the same twice, and runs them with and without recording.
func (b *baseWork) prepare(ctx context.Context) (err error) {
	c := b.config(sharing(b.program.Sources()))
	if b.base, err = autoep.Prepare(ctx, c, b.name, b.program); err != nil {
		return blamed(err)
	}
	if b.material, err = b.bench.material(ctx, b.checker.JDK, b.base.Classes, b.program.Resources); err != nil {
		return err
	}
	b.material.Tests, b.material.Recorded, b.material.Detailed = b.base.IDs, b.base.V0, c.Detail
	b.material.Plain, err = b.checker.Pool.Run(ctx, pool.Job{Classes: b.base.Classes, Resources: b.program.Resources, Tests: b.base.IDs, Expect: b.base.States, Isolation: c.Isolation})
	return blamed(err)
}

// blamed turns what a program is to blame for into a problem.
func blamed(err error) error {
	switch {
	case errors.Is(err, autoep.ErrNotCompilable):
		return &problem{campaign.NotCompilable, firstLine(err.Error())}
	case errors.Is(err, autoep.ErrNoTests):
		return &problem{campaign.NothingToTest, firstLine(err.Error())}
	}
	return died(err)
}

// sharing lets tests share a class loader if the program has no static state through which they could meet.
func sharing(code map[string]string) pool.Isolation {
	for _, text := range code {
		if strings.Contains(text, "static ") || strings.Contains(text, "enum ") {
			return pool.PerTest
		}
	}
	return pool.PerProgram
}

// variant checks one evolving program.
func (b *baseWork) variant(ctx context.Context, name string, v evolve.Variant, add func(*campaign.Entry) error) error {
	start := time.Now()
	c := b.checker
	k, m, err := b.evolved(ctx, v)
	var t *rule.Trial
	if err == nil {
		t, err = c.try(ctx, b.bench, name, []bool{false, true, false}, []*subject.Material{b.material, b.material, m})
	}
	e, err := c.entry(t, err)
	if m != nil {
		err = errors.Join(err, b.bench.drop())
	}
	if err != nil {
		return err
	}
	e.Program, e.Constraint, e.Operator = name, b.origin, v.Operator
	if k != nil {
		p := &Program{Evolving: k.Evolving, Constraint: b.origin, Operator: v.Operator, Oracle: true}
		if err := c.explain(ctx, p, e); err != nil {
			return err
		}
	}
	e.Millis = time.Since(start).Milliseconds()
	return add(e)
}

// evolved compiles the second revision with the tests of the first and runs them.
func (b *baseWork) evolved(ctx context.Context, v evolve.Variant) (*autoep.Case, *subject.Material, error) {
	share := max(sharing(b.program.Sources()), sharing(v.Program.Sources()))
	cfg := b.config(share)
	k, err := autoep.Evolve(ctx, cfg, b.base, v)
	if err != nil {
		return nil, nil, blamed(err)
	}
	m, err := b.bench.material(ctx, b.checker.JDK, k.Classes, v.Program.Resources)
	if err != nil {
		return k, m, err
	}
	m.Tests = b.base.IDs
	if m.Plain, err = k.Run(ctx, cfg, false); err != nil {
		return k, m, died(err)
	}
	m.Detailed = cfg.Detail
	m.Recorded, err = k.Run(ctx, cfg, true)
	return k, m, died(err)
}
