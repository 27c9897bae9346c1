package autoep

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"winnow/internal/check/evolve"
	"winnow/internal/check/pool"
)

// A Config says how bases and cases are made. Only Pool is needed.
type Config struct {
	Pool      *pool.Pool
	Seed      uint64
	Lengths   []int // of call sequences, at most; default 1, 2, 4, 100
	Most      int   // tests of each length; default 50
	Isolation pool.Isolation
	Detail    bool // recorded runs have edges, receivers and reflective calls
}

func (c Config) withDefaults() Config {
	if len(c.Lengths) == 0 {
		c.Lengths = []int{1, 2, 4, 100}
	}
	if c.Most == 0 {
		c.Most = 50
	}
	return c
}

// seed is that of one program: it does not depend on which others there are.
func (c *Config) seed(name string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", c.Seed, name) // a hash cannot fail
	return h.Sum64()
}

// The errors of programs that give no base or no case.
var (
	ErrNotCompilable = errors.New("it does not compile")
	ErrNoTests       = errors.New("there is nothing to call in it, or all tests are flaky")
)

// A Base is a first revision.
type Base struct {
	Name     string // "JD3/17"
	Program  *evolve.Program
	Tests    []evolve.Test
	IDs      []pool.TestID // of the tests, in their order
	Revision evolve.Revision
	Code     map[string][]byte // classes without those of tests
	Classes  map[string][]byte // all classes
	V0       *pool.Run         // of all tests, recorded
	States   map[pool.TestID]string
	Flaky    int // tests that were left out
}

// Prepare makes a base of a program. Errors wrap ErrNotCompilable, ErrNoTests or pool.ErrDied if the program is to blame.
func Prepare(ctx context.Context, c Config, name string, p *evolve.Program) (*Base, error) {
	c = c.withDefaults()
	b := &Base{Name: name, Program: p, Revision: evolve.Revision{Sources: p.Sources(), Resources: p.Resources}}
	if err := b.prepare(ctx, c); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

func (b *Base) prepare(ctx context.Context, c Config) (err error) {
	if b.Code, err = compile(ctx, c, b.Revision.Sources, nil); err != nil {
		return err
	}
	wanted := pool.Wanted{Classes: b.Code, Resources: b.Program.Resources, Seed: c.seed(b.Name), Lengths: c.Lengths, Most: c.Most}
	if b.Tests, err = c.Pool.Sequences(ctx, wanted); err != nil {
		return err
	}
	if err := b.withTests(ctx, c); err != nil {
		return err
	}
	flaky, err := b.flaky(ctx, c)
	if err != nil || len(flaky) == 0 {
		return err
	}
	b.Flaky = len(flaky)
	b.Tests = slices.DeleteFunc(b.Tests, func(t evolve.Test) bool { return flaky[pool.TestID{Class: t.Class(), Method: t.Name}] })
	return b.withTests(ctx, c)
}

// withTests compiles the tests and runs them.
func (b *Base) withTests(ctx context.Context, c Config) error {
	if len(b.Tests) == 0 {
		return ErrNoTests
	}
	b.Revision.Tests = evolve.TestSources(b.Tests)
	tests, err := compile(ctx, c, b.Revision.Tests, b.Code)
	if err != nil {
		return fmt.Errorf("tests: %w", err)
	}
	b.Classes = maps.Clone(b.Code)
	maps.Copy(b.Classes, tests)
	b.IDs = nil
	for i := range b.Tests {
		b.IDs = append(b.IDs, pool.TestID{Class: b.Tests[i].Class(), Method: b.Tests[i].Name})
	}
	b.V0, err = c.Pool.Run(ctx, pool.Job{Classes: b.Classes, Resources: b.Program.Resources, Tests: b.IDs, Isolation: c.Isolation, Record: true, Detail: c.Detail})
	if err != nil {
		return err
	}
	b.States = states(b.V0)
	for i := range b.V0.Outcomes { // what a test does on the base is what it is to do
		if o := &b.V0.Outcomes[i]; o.Result == pool.Failed {
			o.Result = pool.Passed
		}
	}
	return nil
}

func states(r *pool.Run) map[pool.TestID]string {
	out := make(map[pool.TestID]string, len(r.Outcomes))
	for i := range r.Outcomes {
		out[r.Outcomes[i].Test] = r.Outcomes[i].State
	}
	return out
}

// flaky runs the tests a second time, in the opposite order and without recording.
func (b *Base) flaky(ctx context.Context, c Config) (map[pool.TestID]bool, error) {
	back := slices.Clone(b.IDs)
	slices.Reverse(back)
	run, err := c.Pool.Run(ctx, pool.Job{Classes: b.Classes, Resources: b.Program.Resources, Tests: back, Isolation: c.Isolation})
	if err != nil {
		return nil, err
	}
	out := map[pool.TestID]bool{}
	for _, o := range run.Outcomes {
		if o.State != b.States[o.Test] {
			out[o.Test] = true
		}
	}
	return out, nil
}

func compile(ctx context.Context, c Config, files map[string]string, on map[string][]byte) (map[string][]byte, error) {
	done, err := c.Pool.Compile(ctx, pool.Source{Files: files, On: on})
	if err != nil {
		return nil, err
	}
	if !done.OK {
		first, _, _ := strings.Cut(done.Diagnostics, "\n")
		return nil, fmt.Errorf("%w: %s", ErrNotCompilable, first)
	}
	return done.Classes, nil
}

// A Case is an evolving program of a base.
type Case struct {
	Base     *Base
	Variant  evolve.Variant
	Evolving evolve.Evolving   // the base, the base again, the variant
	Classes  map[string][]byte // of the last revision, tests included
}

// Evolve makes a case of a variant of a base. The error wraps ErrNotCompilable if the variant does not compile together with the tests of the base.
func Evolve(ctx context.Context, c Config, b *Base, v evolve.Variant) (*Case, error) {
	c = c.withDefaults()
	out := &Case{Base: b, Variant: v}
	next := evolve.Revision{Sources: v.Program.Sources(), Tests: b.Revision.Tests, Resources: v.Program.Resources}
	name := fmt.Sprintf("%s %s %s", b.Name, v.Operator, v.Place)
	out.Evolving = evolve.Evolving{Name: name, Seed: c.Seed, Revisions: []evolve.Revision{b.Revision, b.Revision, next}}
	files := maps.Clone(next.Sources)
	maps.Copy(files, next.Tests)
	var err error
	if out.Classes, err = compile(ctx, c, files, nil); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}

// Run runs the last revision; a test passes if it ends in the state in which it ended on the base.
func (k *Case) Run(ctx context.Context, c Config, record bool) (*pool.Run, error) {
	return c.Pool.Run(ctx, pool.Job{Classes: k.Classes, Resources: k.Variant.Program.Resources, Tests: k.Base.IDs, Expect: k.Base.States, Isolation: c.Isolation, Record: record, Detail: record && c.Detail})
}
