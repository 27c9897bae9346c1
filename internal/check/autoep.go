package check

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"winnow/internal/check/campaign"
	"winnow/internal/check/evolve"
	"winnow/internal/check/pool"
	"winnow/internal/check/subject"
)

// A space is where first revisions come from: a constraint of the paper, or a feature.
type space struct {
	id       string
	programs func(seed uint64) iter.Seq2[int, *evolve.Program]
}

func spaces() ([]space, error) {
	var out []space
	for _, c := range evolve.Constraints() {
		out = append(out, space{c.ID, c.Programs})
	}
	features, err := evolve.Features()
	for _, f := range features {
		out = append(out, space{f.ID, f.Programs})
	}
	return out, err
}

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
	all, err := spaces()
	if err != nil {
		return Plan{}, err
	}
	chosen, err := choose(all, func(s space) string { return s.id }, cam.Constraints, "constraint", "JD", "F")
	if err != nil {
		return Plan{}, err
	}
	operators, err := choose(evolve.Operators(), func(o evolve.Operator) string { return o.ID }, cam.Operators, "operator", "E", "M")
	if err != nil {
		return Plan{}, err
	}
	return Plan{Pieces: len(chosen) * cam.Programs, Work: func(yield func(Work) bool) {
		for _, s := range chosen {
			for b := range bases(s, cam) {
				b.checker, b.campaign, b.operators = c, cam, operators
				if !yield(Work{Do: b.do}) {
					return
				}
			}
		}
	}}, nil
}

// bases walks the first revisions of a space, each with the one that follows it.
func bases(s space, cam *campaign.Campaign) iter.Seq[*baseWork] {
	return func(yield func(*baseWork) bool) {
		var last *baseWork
		for n, p := range s.programs(cam.Seed) {
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
			last = &baseWork{space: s.id, name: fmt.Sprintf("%s/%d", s.id, n), program: p}
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
	space     string
	name      string
	program   *evolve.Program
	next      *evolve.Program

	bench    *bench
	material *subject.Material
	tests    []evolve.Test
	sources  map[string]string // of the tests
	expect   map[pool.TestID]string
	share    pool.Isolation
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
		return add(&campaign.Entry{Program: b.name, Status: campaign.BaseNotUsable, Detail: string(p.status) + ": " + p.says, Constraint: b.space})
	case why != nil:
		return why
	}
	if !done(b.name) {
		e := &campaign.Entry{Program: b.name, Status: campaign.Base, Constraint: b.space, Millis: time.Since(start).Milliseconds()}
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

// prepare compiles the first revision, finds tests and runs them.
func (b *baseWork) prepare(ctx context.Context) error {
	c := b.checker
	code := b.program.Sources()
	classes, err := c.compile(ctx, code, nil)
	if err != nil {
		return err
	}
	b.tests, err = c.Pool.Sequences(ctx, pool.Wanted{Classes: classes, Resources: b.program.Resources, Seed: b.campaign.Seed, Lengths: b.campaign.Lengths, Most: b.campaign.Tests})
	if err != nil {
		return died(err)
	}
	if len(b.tests) == 0 {
		return &problem{campaign.NothingToTest, "no call can be made"}
	}
	b.share = sharing(code)
	b.sources = evolve.TestSources(b.tests)
	if classes, err = c.compileAll(ctx, code, b.sources); err != nil {
		return err
	}
	if b.material, err = b.bench.material(ctx, c.JDK, classes, b.program.Resources); err != nil {
		return err
	}
	return b.settle(ctx, classes)
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

func (c *Checker) compileAll(ctx context.Context, code, tests map[string]string) (map[string][]byte, error) {
	files := maps.Clone(code)
	maps.Copy(files, tests)
	return c.compile(ctx, files, nil)
}

// settle runs the tests three times, twice without recording and once with it, and drops those that end differently without it.
func (b *baseWork) settle(ctx context.Context, classes map[string][]byte) error {
	for _, t := range b.tests {
		b.material.Tests = append(b.material.Tests, pool.TestID{Class: t.Class(), Method: t.Name})
	}
	job := pool.Job{Classes: classes, Resources: b.program.Resources, Tests: b.material.Tests, Isolation: b.share}
	first, err := b.checker.Pool.Run(ctx, job)
	if err != nil {
		return died(err)
	}
	b.expect = states(first)
	job.Expect = b.expect
	second, err := b.checker.Pool.Run(ctx, job)
	if err != nil {
		return died(err)
	}
	again := states(second)
	b.tests = slices.DeleteFunc(b.tests, func(t evolve.Test) bool {
		id := pool.TestID{Class: t.Class(), Method: t.Name}
		return b.expect[id] != again[id]
	})
	if len(b.tests) < len(b.material.Tests) {
		return &problem{campaign.Flaky, fmt.Sprintf("%d of %d tests end differently when they run again", len(b.material.Tests)-len(b.tests), len(b.material.Tests))}
	}
	job.Record = true
	b.material.Plain = second
	b.material.Recorded, err = b.checker.Pool.Run(ctx, job)
	return died(err)
}

// variant checks one evolving program.
func (b *baseWork) variant(ctx context.Context, name string, v evolve.Variant, add func(*campaign.Entry) error) error {
	start := time.Now()
	c := b.checker
	m, err := b.evolved(ctx, v)
	var e *campaign.Entry
	if err == nil {
		t, failed := c.try(ctx, name, []bool{false, true, false}, []*subject.Material{b.material, b.material, m})
		e, err = c.entry(t, failed)
	} else {
		e, err = c.entry(nil, err)
	}
	if len(b.bench.made) > 1 {
		err = errors.Join(err, b.bench.drop())
	}
	if err != nil {
		return err
	}
	e.Program, e.Constraint, e.Operator = name, b.space, v.Operator
	if err := c.explain(ctx, b.whole(name, v), e); err != nil {
		return err
	}
	e.Millis = time.Since(start).Milliseconds()
	return add(e)
}

// evolved compiles the second revision with the tests of the first and runs them.
func (b *baseWork) evolved(ctx context.Context, v evolve.Variant) (*subject.Material, error) {
	c := b.checker
	code := v.Program.Sources()
	classes, err := c.compileAll(ctx, code, b.sources)
	if err != nil {
		return nil, err
	}
	m, err := b.bench.material(ctx, c.JDK, classes, v.Program.Resources)
	if err != nil {
		return nil, err
	}
	m.Tests = b.material.Tests
	return m, c.runIn(ctx, m, classes, b.expect, max(b.share, sharing(code)))
}

// whole is the evolving program with all its sources.
func (b *baseWork) whole(name string, v evolve.Variant) *Program {
	first := evolve.Revision{Sources: b.program.Sources(), Tests: b.sources, Resources: b.program.Resources}
	second := evolve.Revision{Sources: v.Program.Sources(), Tests: b.sources, Resources: v.Program.Resources}
	return &Program{
		Evolving:   evolve.Evolving{Name: name, Seed: b.campaign.Seed, Revisions: []evolve.Revision{first, first, second}},
		Constraint: b.space, Operator: v.Operator, Oracle: true,
	}
}
