package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/internal/audit"
	"winnow/internal/jvm/maven"
	"winnow/internal/jvm/mutate"
	"winnow/internal/report"
	"winnow/internal/rts"
	"winnow/internal/vcs"
)

// A mutated is a project in the scratch directory whose classes can be mutated.
type mutated struct {
	*auditor
	requests []*maven.Request
	places   map[string]string // directory of a class
}

// mutate tries mutants that are drawn at random.
func (au *auditor) mutate(ctx context.Context, f auditFlags) error {
	m, err := au.recorded(ctx)
	if err != nil {
		return err
	}
	classes, err := m.ownClasses()
	if err != nil {
		return err
	}
	drawn, err := mutate.Sample(f.seed, f.skip+f.mutate, classes)
	if err != nil {
		return &fault{ExitProject, err}
	}
	if len(drawn) <= f.skip {
		return usage("%s: the classes of the project have %d mutants, of which %d are passed over", au.w.shown, len(drawn), f.skip)
	}
	drawn = drawn[f.skip:]
	au.result.mutantResult = &mutantResult{Seed: f.seed, Classes: len(classes)}
	names := make([]string, len(drawn))
	for i := range drawn {
		names[i] = drawn[i].String()
	}
	return au.tryMutants(ctx, m, names)
}

// recorded makes a copy of the project of which everything is recorded.
func (au *auditor) recorded(ctx context.Context) (*mutated, error) {
	if err := au.copyProject(); err != nil {
		return nil, err
	}
	fmt.Fprintln(au.Err, "recording in a scratch copy, as far as it is needed …")
	h, _, err := au.build(ctx, nil)
	if err != nil {
		return nil, au.broken(err)
	}
	au.result.Notices = append(au.result.Notices, h.notes...)
	m := &mutated{auditor: au, places: map[string]string{}}
	for _, module := range h.modules {
		m.requests = append(m.requests, module.request)
	}
	if len(m.requests) == 0 && ctx.Err() == nil {
		fmt.Fprintf(au.Err, "%s", au.log.Bytes())
		return nil, &fault{ExitNoTests, errors.New("no tests ran with Winnow, so there is nothing to audit")}
	}
	return m, ctx.Err()
}

// ownClasses reads the project's main classes: those in directories on a class path that are not of tests.
func (m *mutated) ownClasses() (map[string][]byte, error) {
	classes := map[string][]byte{}
	for _, dir := range m.mainDirs() {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".class") {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			name := strings.TrimSuffix(filepath.ToSlash(rel), ".class")
			if m.places[name] != "" || strings.HasPrefix(name, "META-INF/") || filepath.Base(name) == "module-info" {
				return nil // hidden by another one, or for other releases
			}
			m.places[name] = dir
			classes[name], err = os.ReadFile(path)
			return err
		})
		if err != nil {
			return nil, &fault{ExitProject, err}
		}
	}
	return classes, nil
}

// mainDirs are the directories with main classes, in the order of the class paths.
func (m *mutated) mainDirs() []string {
	var dirs []string
	for _, r := range m.requests {
		for _, place := range append([]string{r.Classes}, r.ClassPath...) {
			rel, err := filepath.Rel(m.inner.Dir, place)
			info, missing := os.Stat(place)
			own := err == nil && filepath.IsLocal(rel) && missing == nil && info.IsDir()
			if own && !slices.Contains(dirs, place) && !m.ofTests(place) {
				dirs = append(dirs, place)
			}
		}
	}
	return dirs
}

func (m *mutated) ofTests(dir string) bool {
	return slices.ContainsFunc(m.requests, func(r *maven.Request) bool { return r.TestClasses == dir }) || filepath.Base(dir) == "test-classes"
}

// place puts a mutant in the place of its class and returns what undoes it. The time of the file stays: no build tool is to notice.
func (m *mutated) place(mutant string) (undo func() error, err error) {
	change, err := mutate.Parse(mutant)
	if err != nil {
		return nil, usage("%v", err)
	}
	file := filepath.Join(m.places[change.Class], filepath.FromSlash(change.Class)+".class")
	info, err := os.Stat(file)
	if err != nil {
		return nil, usage("%s: there is no such class: %v", mutant, err)
	}
	original, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	data, err := change.Apply(original)
	if err != nil {
		return nil, usage("%v", err)
	}
	write := func(data []byte) error {
		return errors.Join(os.WriteFile(file, data, info.Mode().Perm()), os.Chtimes(file, info.ModTime(), info.ModTime()))
	}
	return func() error { return write(original) }, write(data)
}

// concerned tells whether an execution has the class of a mutant on its class path.
func (m *mutated) concerned(mutant string) func(r *maven.Request) bool {
	change, err := mutate.Parse(mutant)
	if err != nil {
		return nil
	}
	dir := m.places[change.Class]
	return func(r *maven.Request) bool { return r.Classes == dir || slices.Contains(r.ClassPath, dir) }
}

// Choose makes the selection with a mutant in place, without Maven: what Surefire will do is known from the run before.
func (m *mutated) Choose(ctx context.Context, mutant string) (sel *rts.Selection, err error) {
	undo, err := m.place(mutant)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, undo()) }()
	s, err := m.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.w.close()) }()
	h, err := s.mavenRun(ctx, false)
	if err != nil {
		return nil, err
	}
	concerned := m.concerned(mutant)
	for _, r := range m.requests {
		if !concerned(r) {
			continue
		}
		if _, err := h.look(ctx, r); err != nil {
			return nil, err
		}
	}
	h.join()
	return h.session.run.Selection, nil
}

// Try runs tests with a mutant in place. Maven has compiled when it is put there.
func (m *mutated) Try(ctx context.Context, mutant string, only []rts.TestID) (t *audit.Trial, err error) {
	sh := &shadow{aside: true, onward: true, only: only}
	var undo func() error
	if mutant != "" {
		sh.concerns = m.concerned(mutant)
		sh.prepare = func(*maven.Request) error {
			if undo != nil {
				return nil
			}
			var err error
			undo, err = m.place(mutant)
			return err
		}
	}
	defer func() {
		if undo != nil {
			err = errors.Join(err, undo())
		}
	}()
	h, outcome, err := m.build(ctx, sh)
	if err != nil {
		return nil, err
	}
	return tryIt(h, outcome), nil
}

// tryMutants tries mutants and keeps what came of it.
func (au *auditor) tryMutants(ctx context.Context, m *mutated, names []string) error {
	fmt.Fprintln(au.Err, "running all tests once without a mutant …")
	a := &audit.Mutants{Subject: m}
	a.Watch = func(t *audit.Mutation, done, total int, left time.Duration) {
		au.tellMutant(t, done, total, left)
		if len(t.Missed) > 0 {
			au.missedMutant(ctx, m, t)
		}
	}
	err := a.Run(ctx, names)
	au.result.fillMutants(a, len(names))
	return au.broken(err)
}

func (au *auditor) tellMutant(t *audit.Mutation, done, total int, left time.Duration) {
	line := fmt.Sprintf("%d/%d %s: %s · %d of %d tests selected", done, total, t.Status, t.Mutant, t.Selected, t.Tests)
	if n := len(t.Killing); n > 0 {
		line += fmt.Sprintf(" · %d killing", n)
	}
	if done < total {
		line += fmt.Sprintf(" · about %s left", report.Duration(left))
	}
	fmt.Fprintln(au.Err, line)
}

// missedMutant writes the case of a mutant that was missed.
func (au *auditor) missedMutant(ctx context.Context, m *mutated, t *audit.Mutation) {
	c := &audit.Case{Mutant: t.Mutant, Arguments: au.args, Missed: t.Missed}
	c.To, c.ToDirty = vcs.Head(ctx, au.w.root)
	c.From, c.FromDirty = c.To, c.ToDirty
	files := map[string][]byte{}
	if change, err := mutate.Parse(t.Mutant); err == nil {
		file := filepath.Join(m.places[change.Class], filepath.FromSlash(change.Class)+".class")
		if data, err := os.ReadFile(file); err == nil {
			files["original.class"] = data
			if data, err = change.Apply(data); err == nil {
				files["mutated.class"] = data
			}
		}
	}
	au.keep(ctx, c, files)
	for _, miss := range t.Missed {
		au.tellMiss(miss, "on "+t.Mutant)
	}
}

// keep writes a case and says where it is.
func (au *auditor) keep(ctx context.Context, c *audit.Case, files map[string][]byte) {
	file, err := au.keepCase(ctx, c, files)
	if err != nil {
		au.result.Notices = append(au.result.Notices, fmt.Sprintf("no case to repeat was written: %v", err))
		return
	}
	au.result.Cases = append(au.result.Cases, file)
}

// tellMiss reports a miss at once.
func (au *auditor) tellMiss(miss audit.Miss, where string) {
	fmt.Fprintf(au.Err, "%s %s was left out: %s before, %s now %s\n", au.style.Red("MISSED"), miss.Test, miss.Proven, miss.Outcome, where)
	if miss.Message != "" {
		fmt.Fprintf(au.Err, "  %s\n", miss.Message)
	}
	au.result.MissedText = append(au.result.MissedText, fmt.Sprintf("%s %s", miss.Test, where))
}
