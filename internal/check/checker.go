package check

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"winnow/internal/check/campaign"
	"winnow/internal/check/evolve"
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
	var why *problem
	switch {
	case errors.As(err, &why):
		return &campaign.Entry{Program: p.Name, Status: why.status, Detail: why.says, Constraint: p.Constraint, Operator: p.Operator}, nil
	case err != nil:
		return nil, err
	}
	e := campaign.Judge(c.Rules, t)
	e.Constraint, e.Operator = p.Constraint, p.Operator
	return e, nil
}

// Trial runs everything on a program.
func (c *Checker) Trial(ctx context.Context, p *Program) (*rule.Trial, error) {
	l, err := c.open(ctx, p)
	if err != nil {
		return nil, err
	}
	t, err := subject.Try(ctx, &l.Lab, append([]subject.Subject{subject.RetestAll{}}, c.Subjects...))
	return t, errors.Join(err, l.close())
}

// A lab is a program with its materials.
type lab struct {
	subject.Lab
	made []*subject.Material
}

func (l *lab) close() error {
	var errs []error
	for _, m := range l.made {
		errs = append(errs, m.Close())
	}
	return errors.Join(append(errs, os.RemoveAll(l.Dir))...)
}

// open compiles and runs all revisions.
func (c *Checker) open(ctx context.Context, p *Program) (*lab, error) {
	dir, err := os.MkdirTemp("", "winnow-check-*")
	if err != nil {
		return nil, err
	}
	l := &lab{Lab: subject.Lab{Name: p.Name, Dir: dir}}
	var expect map[pool.TestID]string
	for r := range p.Revisions {
		same := r > 0 && p.Revisions[r].Equal(&p.Revisions[r-1])
		l.Same = append(l.Same, same)
		if same {
			l.Material = append(l.Material, l.Material[r-1])
			continue
		}
		m, err := c.material(ctx, &p.Revisions[r], path.Join(dir, fmt.Sprint(r)), expect)
		if m != nil {
			l.made = append(l.made, m)
		}
		if err != nil {
			if r == 0 {
				err = base(err)
			}
			return nil, errors.Join(err, l.close())
		}
		l.Material = append(l.Material, m)
		if r == 0 && p.Oracle {
			expect = states(m.Plain)
		}
	}
	return l, nil
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

// material compiles a revision and runs its tests.
func (c *Checker) material(ctx context.Context, r *evolve.Revision, dir string, expect map[pool.TestID]string) (*subject.Material, error) {
	files := maps.Clone(r.Sources)
	if files == nil {
		files = map[string]string{}
	}
	maps.Copy(files, r.Tests)
	made, err := c.Pool.Compile(ctx, pool.Source{Files: files})
	if err != nil {
		return nil, died(err)
	}
	if !made.OK {
		return nil, &problem{campaign.NotCompilable, firstLine(made.Diagnostics)}
	}
	m := &subject.Material{Resources: r.Resources}
	if err := m.Classes(ctx, c.JDK, dir, made.Classes); err != nil {
		return m, err
	}
	if m.Tests, err = m.FindTests(testClasses(r)); err != nil {
		return m, err
	}
	if len(m.Tests) == 0 {
		return m, &problem{campaign.NothingToTest, "no test"}
	}
	return m, c.run(ctx, m, made.Classes, expect)
}

// run runs the tests without and with recording.
func (c *Checker) run(ctx context.Context, m *subject.Material, classes map[string][]byte, expect map[pool.TestID]string) (err error) {
	job := pool.Job{Classes: classes, Resources: m.Resources, Tests: m.Tests, Expect: expect, Isolation: pool.PerTest}
	if m.Plain, err = c.Pool.Run(ctx, job); err != nil {
		return died(err)
	}
	job.Record = true
	m.Recorded, err = c.Pool.Run(ctx, job)
	return died(err)
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
