package check

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"winnow/internal/check/campaign"
	"winnow/internal/check/evolve"
	"winnow/internal/check/loss"
	"winnow/internal/check/pool"
	"winnow/internal/check/rule"
	"winnow/internal/check/subject"
)

// A Checker runs subjects inside this process on evolving programs.
type Checker struct {
	Pool *pool.Pool
	JDK  string // home
	// Subjects are judged; the baseline is not among them.
	Subjects []subject.Subject
	Rules    []*rule.Rule
	// Loss, if there is one, tells which tests execute changed methods.
	Loss *loss.Decoder

	causes causes
}

// A Program is an evolving program to check.
type Program struct {
	evolve.Evolving
	Constraint, Operator string
	// Oracle: a test fails if it does not end in the state in which it ended at the first revision. Otherwise it fails by throwing.
	Oracle bool
}

// A problem is why a program cannot be compared.
type problem struct {
	status campaign.Status
	says   string
}

func (p *problem) Error() string { return string(p.status) + ": " + p.says }

// Check compares the subjects on a program.
func (c *Checker) Check(ctx context.Context, p *Program) (*campaign.Entry, error) {
	t, err := c.Trial(ctx, p)
	e, err := c.entry(t, err)
	if e != nil {
		e.Program, e.Constraint, e.Operator = p.Name, p.Constraint, p.Operator
	}
	return e, err
}

// entry judges a trial, or says why there is none.
func (c *Checker) entry(t *rule.Trial, err error) (*campaign.Entry, error) {
	var why *problem
	switch {
	case errors.As(err, &why):
		return &campaign.Entry{Status: why.status, Detail: why.says}, nil
	case err != nil:
		return nil, err
	}
	return campaign.Judge(c.Rules, t), nil
}

// Trial runs everything on a program.
func (c *Checker) Trial(ctx context.Context, p *Program) (t *rule.Trial, err error) {
	bench, err := newBench()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, bench.close()) }()
	var same []bool
	var materials []*subject.Material
	var expect map[pool.TestID]string
	for r := range p.Revisions {
		same = append(same, r > 0 && p.Revisions[r].Equal(&p.Revisions[r-1]))
		if same[r] {
			materials = append(materials, materials[r-1])
			continue
		}
		m, err := c.revision(ctx, bench, &p.Revisions[r], expect)
		if err != nil {
			if r == 0 {
				err = base(err)
			}
			return nil, err
		}
		materials = append(materials, m)
		if r == 0 && p.Oracle {
			expect = states(m.Plain)
		}
	}
	return c.try(ctx, bench, p.Name, same, materials)
}

// try lets all subjects go through the revisions.
func (c *Checker) try(ctx context.Context, b *bench, name string, same []bool, materials []*subject.Material) (*rule.Trial, error) {
	lab := &subject.Lab{Name: name, Same: same, Material: materials}
	t, err := subject.Try(ctx, lab, append([]subject.Subject{subject.RetestAll{}}, c.Subjects...))
	if err != nil || c.Loss == nil {
		return t, err
	}
	return t, c.losses(ctx, b, t, materials)
}

// A bench has the files and materials of one piece of work.
type bench struct {
	dir    string
	made   []*subject.Material
	code   map[*subject.Material]map[string][]byte
	looked map[*subject.Material]*loss.Revision
}

func newBench() (*bench, error) {
	dir, err := os.MkdirTemp("", "winnow-check-*")
	return &bench{dir: dir, code: map[*subject.Material]map[string][]byte{}, looked: map[*subject.Material]*loss.Revision{}}, err
}

// material makes one with a directory of its own.
func (b *bench) material(ctx context.Context, jdk string, classes map[string][]byte, resources map[string]string) (*subject.Material, error) {
	m := &subject.Material{Resources: resources}
	dir := filepath.Join(b.dir, strconv.Itoa(len(b.made)))
	b.made = append(b.made, m)
	b.code[m] = classes
	return m, m.Classes(ctx, jdk, dir, classes)
}

// drop releases the last material.
func (b *bench) drop() error {
	last := len(b.made) - 1
	m := b.made[last]
	b.made = b.made[:last]
	delete(b.code, m)
	delete(b.looked, m)
	return errors.Join(m.Close(), os.RemoveAll(filepath.Join(b.dir, strconv.Itoa(last))))
}

func (b *bench) close() error {
	var errs []error
	for len(b.made) > 0 {
		errs = append(errs, b.drop())
	}
	return errors.Join(append(errs, os.RemoveAll(b.dir))...)
}

// base turns what does not compile into a base that is not usable.
func base(err error) error {
	var why *problem
	if errors.As(err, &why) && why.status == campaign.NotCompilable {
		return &problem{campaign.BaseNotUsable, why.says}
	}
	return err
}

func states(run *pool.Run) map[pool.TestID]string {
	out := map[pool.TestID]string{}
	for _, o := range run.Outcomes {
		out[o.Test] = o.State
	}
	return out
}

// revision compiles a revision and runs its tests.
func (c *Checker) revision(ctx context.Context, b *bench, r *evolve.Revision, expect map[pool.TestID]string) (*subject.Material, error) {
	files := map[string]string{}
	maps.Copy(files, r.Sources)
	maps.Copy(files, r.Tests)
	classes, err := c.compile(ctx, files, nil)
	if err != nil {
		return nil, err
	}
	m, err := b.material(ctx, c.JDK, classes, r.Resources)
	if err != nil {
		return nil, err
	}
	if m.Tests, err = m.FindTests(testClasses(r)); err != nil {
		return nil, err
	}
	if len(m.Tests) == 0 {
		return nil, &problem{campaign.NothingToTest, "no test"}
	}
	return m, c.run(ctx, m, classes, expect)
}

func (c *Checker) compile(ctx context.Context, files map[string]string, on map[string][]byte) (map[string][]byte, error) {
	made, err := c.Pool.Compile(ctx, pool.Source{Files: files, On: on})
	if err != nil {
		return nil, died(err)
	}
	if !made.OK {
		return nil, &problem{campaign.NotCompilable, firstLine(made.Diagnostics)}
	}
	return made.Classes, nil
}

// run runs the tests without and with recording, each in a class loader of its own.
func (c *Checker) run(ctx context.Context, m *subject.Material, classes map[string][]byte, expect map[pool.TestID]string) (err error) {
	job := pool.Job{Classes: classes, Resources: m.Resources, Tests: m.Tests, Expect: expect, Isolation: pool.PerTest}
	if m.Plain, err = c.Pool.Run(ctx, job); err != nil {
		return died(err)
	}
	job.Record, job.Detail, m.Detailed = true, c.detailed(), c.detailed()
	m.Recorded, err = c.Pool.Run(ctx, job)
	return died(err)
}

// detailed tells whether some subject wants more than methods entered.
func (c *Checker) detailed() bool {
	return slices.ContainsFunc(c.Subjects, func(s subject.Subject) bool { _, ok := s.(subject.Paper); return ok })
}

// died turns the end of a JVM into a problem of the program.
func died(err error) error {
	if errors.Is(err, pool.ErrDied) {
		return &problem{campaign.Died, firstLine(err.Error())}
	}
	return err
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s[:min(len(s), 300)]
}

// testClasses are the names of the classes whose sources are tests.
func testClasses(r *evolve.Revision) []string {
	var out []string
	for _, file := range slices.Sorted(maps.Keys(r.Tests)) {
		if name, ok := strings.CutSuffix(file, "Test.java"); ok {
			out = append(out, name+"Test")
		}
	}
	return out
}
