package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"winnow/internal/jvm/surefire"
)

// An evaluation is a directory in which steps are done.
type evaluation struct {
	dir    string
	plan   plan
	out    io.Writer
	winnow string // the program; built if empty
	digest string // of the program
	judge  judge
	clock  *clock
}

func (e *evaluation) run(ctx context.Context, projects []project) error {
	if err := e.prepare(ctx); err != nil {
		return err
	}
	e.clock = newClock(e.out, len(projects)*e.stepsOf())
	for _, p := range projects {
		if err := e.project(ctx, p); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return nil
}

// stepsOf is the number of steps of a project: three plain runs instead of one at the base, and the mutants.
func (e *evaluation) stepsOf() int { return 4*(e.plan.revisions+1) + 2 + len(e.plan.batches()) }

func (e *evaluation) prepare(ctx context.Context) error {
	if e.winnow == "" {
		e.winnow = filepath.Join(e.dir, "winnow")
		args := []string{"go", "build", "-o", e.winnow, "winnow/cmd/winnow"}
		if err := (command{log: filepath.Join(e.dir, "build.log"), args: args}).must(ctx); err != nil {
			return err
		}
	}
	var err error
	if e.winnow, err = filepath.Abs(e.winnow); err != nil {
		return err
	}
	data, err := os.ReadFile(e.winnow)
	if err != nil {
		return err
	}
	e.digest = fmt.Sprintf("%x", sha256.Sum256(data))[:16]
	e.judge, err = newJudge(ctx)
	return err
}

// A place is where a project is worked on.
type place struct {
	*evaluation
	project
}

func (p place) clone(kind string) string { return filepath.Join(p.dir, "clones", p.Name, kind) }

func (p place) result(name string) string {
	return filepath.Join(p.dir, "results", p.Name, name+".json")
}

func (p place) log(name string) string { return filepath.Join(p.dir, "logs", p.Name, name+".log") }

func (p place) data(name string) string { return filepath.Join(p.dir, "data", p.Name, name+".gz") }

func (e *evaluation) project(ctx context.Context, project project) error {
	p := place{e, project}
	revs, err := codeRevisions(ctx, p.Clone, p.Tip, most+1, e.plan.revisions+1)
	if err != nil {
		return err
	}
	last := 0
	for i, rev := range revs[:e.plan.revisions+1] {
		built, err := p.revision(ctx, i, last, rev)
		if err != nil {
			return err
		}
		if built {
			last = i
		}
		if !built && i == 0 {
			return fmt.Errorf("the base %s cannot be built; see %s", rev, filepath.Dir(p.log(name(0, "plain"))))
		}
	}
	return p.audited(ctx, last, revs[last])
}

// audited tries the mutants at a revision, batch by batch.
func (p place) audited(ctx context.Context, i int, rev string) error {
	for k, n := range p.plan.batches() {
		err := p.do(ctx, batchName(i, k), rev, func(ctx context.Context, name, rev string) (*step, error) {
			return p.mutants(ctx, name, rev, n, k*batch)
		})
		if errors.Is(err, errNoAudit) {
			if k == 0 {
				fmt.Fprintf(p.out, "%s: %v\n", p.Name, err)
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// usage is Winnow's exit code for a command line that it does not understand.
const usage = 2

// errNoAudit means that the program that is judged has no audit. The rest of the evaluation does not depend on it.
var errNoAudit = errors.New("this build of Winnow cannot audit: no mutants")

// name of a step: the number of the revision and what is done.
func name(i int, what string) string { return fmt.Sprintf("%02d-%s", i, what) }

// batchName is the name of the step that tries a batch of mutants, counted from 0.
func batchName(revision, batch int) string {
	return name(revision, fmt.Sprintf("mutants-%02d", batch+1))
}

// revision does the steps of a revision and tells whether it can be built. The last revision that could is before.
func (p place) revision(ctx context.Context, i, before int, rev string) (bool, error) {
	built, err := p.must(ctx, name(i, "plain"), rev, p.compiled)
	if err != nil || !built {
		p.clock.skip(3)
		return false, err
	}
	if i == 0 {
		for _, what := range []string{"plain-2", "plain-3"} {
			if err := p.do(ctx, name(i, what), rev, p.plain); err != nil {
				return false, err
			}
		}
	}
	if p.plan.revisions == 0 {
		p.clock.skip(1) // there is nothing to compare
	} else {
		built, err = p.must(ctx, name(i, "judge"), rev, func(ctx context.Context, name, rev string) (*step, error) {
			return p.underJudge(ctx, i, before, rev)
		})
	}
	if err != nil || !built {
		p.clock.skip(2)
		return false, err
	}
	for _, what := range []string{"winnow", "again"} {
		if err := p.do(ctx, name(i, what), rev, p.selective); err != nil {
			return false, err
		}
	}
	return true, p.settle(ctx, i, rev)
}

// must does a step that only a revision that can be built gets past.
func (p place) must(ctx context.Context, name, rev string, how func(context.Context, string, string) (*step, error)) (built bool, err error) {
	if err := p.do(ctx, name, rev, how); err != nil {
		return false, err
	}
	s, err := load(p.result(name))
	return err == nil && !s.Broken, err
}

// settle repeats the plain run twice if outcomes differ that could be those of unstable tests.
func (p place) settle(ctx context.Context, i int, rev string) error {
	h, err := p.history(i)
	if err != nil {
		return err
	}
	if i == 0 || len(h.suspects()) == 0 {
		return nil
	}
	for _, what := range []string{"rerun-1", "rerun-2"} {
		p.clock.more(1)
		if err := p.do(ctx, name(i, what), rev, p.plain); err != nil {
			return err
		}
	}
	return nil
}

// do does a step unless it was done.
func (p place) do(ctx context.Context, name, rev string, how func(context.Context, string, string) (*step, error)) error {
	done, err := load(p.result(name))
	if err != nil {
		return err
	}
	if done != nil && done.Revision != rev {
		return fmt.Errorf("%s is about revision %s, not %s: another list needs another directory", p.result(name), done.Revision, rev)
	}
	if done != nil {
		p.clock.skip(1)
		return nil
	}
	p.clock.start(p.Name + " " + name)
	s, err := how(ctx, name, rev)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.Revision = rev
	p.clock.end()
	return s.save(p.result(name))
}

func (p place) mvn(more ...string) []string {
	return append(append([]string{"mvn", "-B"}, p.Maven...), more...)
}

// compiled is the plain run that leaves the classes of a revision. A build that fails without a failing test is broken.
func (p place) compiled(ctx context.Context, name, rev string) (*step, error) {
	s, err := p.plain(ctx, name, rev)
	if err != nil {
		return nil, err
	}
	if s.Broken = s.Exit != 0 && !s.Outcomes.failing(); s.Broken {
		return s, nil
	}
	return s, p.judge.methods(ctx, p.clone("plain"), p.log(name+"-methods"), p.data(name+"-methods"))
}

// plain runs Maven as a developer does.
func (p place) plain(ctx context.Context, name, rev string) (*step, error) {
	root := p.clone("plain")
	if err := errors.Join(checkout(ctx, p.Clone, root, rev), surefire.Remove(root)); err != nil {
		return nil, err
	}
	f, err := command{dir: root, log: p.log(name), args: p.mvn("test")}.run(ctx)
	if err != nil {
		return nil, err
	}
	r, err := readReports(root)
	return &step{finished: f, Outcomes: r.outcomes}, err
}

// selective runs Winnow, with the records of the steps before it.
func (p place) selective(ctx context.Context, name, rev string) (*step, error) {
	root, store := p.clone("winnow"), filepath.Join(p.dir, "stores", p.Name)
	if err := errors.Join(checkout(ctx, p.Clone, root, rev), surefire.Remove(root), rewind(store, name)); err != nil {
		return nil, err
	}
	out := p.log(name) + ".json"
	c := command{dir: root, log: p.log(name), out: out, env: []string{"WINNOW_STORE=" + store},
		args: append([]string{p.winnow, "test", "--kind", "maven", "--json", "--", "-B"}, p.Maven...)}
	f, err := c.run(ctx)
	if err != nil {
		return nil, err
	}
	says, err := readStatement(out)
	if err != nil {
		return nil, err
	}
	if f.Exit == usage {
		return nil, fmt.Errorf("winnow: %s", says.Error)
	}
	r, err := readReports(root)
	return &step{finished: f, Outcomes: r.outcomes, Winnow: p.digest, Says: says}, err
}

// rewind makes the store what it was before a step: the step may have been interrupted.
func rewind(store, step string) error {
	before := store + ".before"
	mark := filepath.Join(before, "step")
	was, err := os.ReadFile(mark)
	if err == nil && string(was) == step {
		if err := os.RemoveAll(store); err != nil {
			return err
		}
		return copyTree(filepath.Join(before, "store"), store)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := errors.Join(os.RemoveAll(before), os.MkdirAll(store, 0o777), copyTree(store, filepath.Join(before, "store"))); err != nil {
		return err
	}
	return os.WriteFile(mark, []byte(step), 0o666)
}

func copyTree(from, to string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	return os.CopyFS(to, os.DirFS(from))
}

// mutants lets Winnow judge itself on mutants that are drawn at random, behind those of earlier steps.
func (p place) mutants(ctx context.Context, name, rev string, n, skip int) (*step, error) {
	root, store := p.clone("winnow"), filepath.Join(p.dir, "stores", p.Name)
	if err := errors.Join(checkout(ctx, p.Clone, root, rev), rewind(store, name)); err != nil {
		return nil, err
	}
	out := p.log(name) + ".json"
	c := command{dir: root, log: p.log(name), out: out, env: []string{"WINNOW_STORE=" + store},
		args: append([]string{p.winnow, "audit", "--kind", "maven", "--mutate", strconv.Itoa(n), "--skip", strconv.Itoa(skip), "--json", "--", "-B"}, p.Maven...)}
	f, err := c.run(ctx)
	if err != nil {
		return nil, err
	}
	if f.Exit == usage {
		return nil, errNoAudit // or no mutant is left
	}
	a, err := readAudit(out)
	return &step{finished: f, Winnow: p.digest, Audit: a}, err
}
