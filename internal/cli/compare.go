package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/audit"
	"winnow/internal/check/loss"
	"winnow/internal/check/pool"
	"winnow/internal/check/subject"
	"winnow/internal/compare"
	"winnow/internal/digest"
	"winnow/internal/jvm/maven"
	"winnow/internal/jvm/observed"
	"winnow/internal/report"
	"winnow/internal/rts"
	"winnow/internal/vcs"
	"winnow/internal/vfs"
)

// compareFlags are the flags of `winnow compare`.
type compareFlags struct {
	last       int
	techniques []string
	html       string
	noLoss     bool
	measure    bool
}

func (a *app) compareCommand() *cobra.Command {
	f := &a.flags.compare
	c := &cobra.Command{
		Use:   "compare [PROJECT…] [-- RUNNER-FLAGS]",
		Short: "What several techniques would have run at the last revisions of projects",
		Long: `Goes through the last revisions that change code, in a clone beside Winnow's other caches, runs all tests of each once, and lets every technique say what it would have run there. Each
technique knows about a test only what it saw when it last selected it. Some of the techniques are unsafe by design; ` + "`winnow techniques`" + ` says what each assumes.

Recorded revisions are kept: the command can be stopped, and the same build of Winnow goes on where it was. docs/comparing.md explains the columns.`,
		Example: `  winnow compare --last 10
  winnow compare --last 10 --technique ekstazi,jcgeks,methods --html compare.html
  winnow compare ../commons-cli ../gson --last 10 --json -- -o`,
		RunE: func(c *cobra.Command, args []string) error {
			projects, flags := args, []string(nil)
			if n := c.ArgsLenAtDash(); n >= 0 {
				projects, flags = args[:n], args[n:]
			}
			return a.runCompare(c.Context(), projects, flags)
		},
	}
	c.Flags().IntVar(&f.last, "last", 10, "compare at the last `N` revisions that change code")
	c.Flags().StringSliceVar(&f.techniques, "technique", nil, "the `TECHNIQUES` to compare, separated by commas (default: all)")
	c.Flags().StringVar(&f.html, "html", "", "write a page with pictures to `FILE`")
	c.Flags().BoolVar(&f.noLoss, "no-loss", false, "do not look for tests that execute changed methods and are left out")
	c.Flags().BoolVar(&f.measure, "measure", false, "also run the revisions with plain Maven, with smart and with the default, one after the other, and measure the time of each")
	c.Flags().BoolVar(&a.flags.isolate, "isolate", false, "one JVM for each test class, as the loss ratio of the papers wants it")
	return c
}

// codeFiles are files whose change makes a revision one to compare at.
var codeFiles = []string{"**/*.java", "**/*.kt", "**/*.scala", "**/*.groovy"}

func (a *app) runCompare(ctx context.Context, dirs, flags []string) error {
	if a.flags.compare.last < 1 {
		return usage("--last takes a number from 1")
	}
	chosen, err := chooseTechniques(a.flags.compare.techniques)
	if err != nil {
		return err
	}
	if len(dirs) == 0 {
		dirs = []string{a.flags.project}
	}
	judge, done, err := a.judge(ctx)
	if err != nil {
		return err
	}
	var projects []compare.Project
	for _, dir := range dirs {
		p, err := a.compareProject(ctx, dir, flags, chosen, judge)
		if err != nil {
			return errors.Join(err, done())
		}
		projects = append(projects, *p)
	}
	return errors.Join(a.showCompared(projects), done())
}

// chooseTechniques finds techniques by name. Retest-all is always there: the others' times are parts of its.
func chooseTechniques(names []string) ([]compare.Technique, error) {
	compared := comparedTechniques()
	if len(names) == 0 {
		return compared, nil
	}
	out := compared[:1:1]
	for _, name := range names {
		i := slices.IndexFunc(compared, func(t compare.Technique) bool { return t.Name == name })
		if i < 0 {
			var all []string
			for _, t := range compared {
				all = append(all, t.Name)
			}
			return nil, usage("--technique %s cannot be compared; use some of %s", name, strings.Join(all, ", "))
		}
		if i > 0 {
			out = append(out, compared[i])
		}
	}
	return out, nil
}

// judge starts the decoder that knows changed methods, if losses are wanted.
func (a *app) judge(ctx context.Context) (*loss.Decoder, func() error, error) {
	if a.flags.compare.noLoss {
		return nil, func() error { return nil }, nil
	}
	const feature = 17 // later JDKs have no ASM inside
	jdk, err := subject.FindJDK(feature, a.Getenv)
	if err != nil {
		return nil, nil, &fault{ExitUsage, fmt.Errorf("%w; or use --no-loss", err)}
	}
	p, err := pool.Open(ctx, pool.Config{JDK: jdk, Workers: 1, Timeout: 5 * time.Minute, Options: loss.Options})
	if err != nil {
		return nil, nil, err
	}
	d, err := loss.New(ctx, p)
	if err != nil {
		return nil, nil, errors.Join(err, p.Close())
	}
	return d, p.Close, nil
}

// A comparer goes through the revisions of one project.
type comparer struct {
	*auditor
	dir   string // where its clone and records are
	clone string
}

func (a *app) compareProject(ctx context.Context, dir string, flags []string, techniques []compare.Technique, judge *loss.Decoder) (p *compare.Project, err error) {
	b := *a
	b.flags.project = dir
	style, err := b.style()
	if err != nil {
		return nil, err
	}
	w, err := b.openRoot()
	if err != nil {
		return nil, err
	}
	if _, err := b.recognise(w); err != nil {
		return nil, err
	}
	if w.kind != mavenKind {
		return nil, usage("%s: `winnow compare` works on Maven projects", w.shown)
	}
	commits, err := vcs.LogOf(ctx, w.root, b.flags.compare.last+1, codeFiles...)
	if err != nil {
		return nil, &fault{ExitUsage, fmt.Errorf("%s: %w", w.shown, err)}
	}
	if len(commits) < 2 {
		return nil, usage("%s has no two revisions that change code", w.shown)
	}
	c := &comparer{auditor: &auditor{session: &session{app: &b, w: w, style: style}, began: time.Now(), args: flags, log: &bytes.Buffer{}}}
	if err := c.prepare(ctx, commits[0].Revision); err != nil {
		return nil, err
	}
	p = &compare.Project{Name: filepath.Base(w.root)}
	replay := compare.Replay{Techniques: techniques, Judge: judge}
	defer func() { err = errors.Join(err, replay.Close()) }()
	for i, commit := range commits {
		rev, err := c.revision(ctx, commit, i, len(commits))
		switch {
		case errors.Is(err, audit.ErrBuild) && i > 0:
			p.Unbuildable = append(p.Unbuildable, commit.Revision+": "+err.Error())
			continue
		case err != nil:
			return nil, c.broken(err)
		}
		lines, err := replay.Step(ctx, rev)
		if err != nil {
			return nil, err
		}
		if b.flags.compare.measure {
			seconds, err := c.measure(ctx, commit, i)
			if err != nil {
				return nil, err
			}
			compare.Measured(lines, seconds)
		}
		p.Lines = append(p.Lines, lines...)
		if len(lines) > 0 {
			p.Revisions = append(p.Revisions, commit.Revision)
		}
	}
	p.Study = replay.Study
	return p, nil
}

// prepare makes the clone, or finds the one of an earlier run of this program that began at the same revision with the same flags.
func (c *comparer) prepare(ctx context.Context, first string) error {
	cache, err := cacheDir(c.Getenv)
	if err != nil {
		return err
	}
	program, err := self()
	if err != nil {
		return err
	}
	var key digest.Builder
	for _, part := range append([]string{program, c.w.root, first, strconv.FormatBool(c.flags.isolate)}, c.args...) {
		key.AddString(part)
	}
	c.dir = filepath.Join(cache, "compare", filepath.Base(c.w.root)+"-"+key.Sum().Short())
	clone, inner, err := c.keptClone(ctx, c.dir)
	if err != nil {
		return err
	}
	c.clone = clone
	c.inside(inner)
	return nil
}

// keptClone returns the clone of the project that is kept in a directory, up to date, and where the project is in it. If it is not there, or cannot be used, the directory is made anew.
func (c *comparer) keptClone(ctx context.Context, dir string) (clone, inner string, err error) {
	clone, root := filepath.Join(dir, "clone", filepath.Base(c.w.root)), filepath.Join(dir, "root")
	if known, err := os.ReadFile(root); err == nil {
		if rev, _ := vcs.Head(ctx, clone); rev != "" {
			return clone, string(known), vcs.Fetch(ctx, clone)
		}
	}
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(filepath.Dir(clone), 0o755)); err != nil {
		return "", "", err
	}
	if inner, err = vcs.Clone(ctx, c.w.root, clone); err != nil {
		return "", "", &fault{ExitUsage, fmt.Errorf("%s: %w", c.w.shown, err)}
	}
	return clone, inner, os.WriteFile(root, []byte(inner), 0o644)
}

// A kept revision is what a file says of one. Its units are in files of their own.
type keptRevision struct {
	ID, Title         string
	Unbuildable       string
	Seconds, Analysis float64
	Default           map[string]compare.Chosen
	Units             []string // names; the file of number i is i.unit
}

// revision gives what is recorded of a revision, and records it if need be.
func (c *comparer) revision(ctx context.Context, commit vcs.Commit, i, n int) (*compare.Revision, error) {
	dir := filepath.Join(c.dir, "revisions", commit.Revision)
	kept, err := readKept(dir)
	if errors.Is(err, fs.ErrNotExist) {
		kept, err = c.record(ctx, commit, dir)
	}
	if err != nil {
		return nil, err
	}
	says := fmt.Sprintf("%d tests selected by the default, %.0f s", len(kept.Default), kept.Seconds)
	if kept.Unbuildable != "" {
		says = kept.Unbuildable
	}
	fmt.Fprintf(c.Err, "%s %d/%d %s %s\n", filepath.Base(c.w.root), i, n-1, short(commit.Revision), says)
	if kept.Unbuildable != "" {
		return nil, fmt.Errorf("%w: %s", audit.ErrBuild, kept.Unbuildable)
	}
	rev := &compare.Revision{ID: commit.Revision, Title: commit.Title, Units: map[string]*observed.Unit{}, Default: kept.Default, Seconds: kept.Seconds, Analysis: kept.Analysis}
	for i, name := range kept.Units {
		if rev.Units[name], err = loadUnit(filepath.Join(dir, fmt.Sprintf("%d.unit", i))); err != nil {
			return nil, fmt.Errorf("%w; remove %s and try again", err, dir)
		}
	}
	return rev, nil
}

func readKept(dir string) (*keptRevision, error) {
	data, err := os.ReadFile(filepath.Join(dir, "revision.json"))
	if err != nil {
		return nil, err
	}
	k := &keptRevision{}
	if err := json.Unmarshal(data, k); err != nil {
		return nil, fmt.Errorf("%s: %w; remove it and try again", dir, err)
	}
	return k, nil
}

func loadUnit(file string) (*observed.Unit, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	u, err := observed.Load(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return u, nil
}

// record runs all tests of a revision and keeps what they did.
func (c *comparer) record(ctx context.Context, commit vcs.Commit, dir string) (*keptRevision, error) {
	if err := vcs.Checkout(ctx, c.clone, commit.Revision); err != nil {
		return nil, fmt.Errorf("%w: %w", audit.ErrBuild, err) // some clones lack files of some revisions
	}
	if err := errors.Join(os.MkdirAll(dir, 0o755), c.rewind(commit.Revision)); err != nil {
		return nil, err
	}
	k := &keptRevision{ID: commit.Revision, Title: commit.Title, Default: map[string]compare.Chosen{}}
	observe := func(r *maven.Request, u *observed.Unit) error {
		var b bytes.Buffer
		if err := u.Save(&b); err != nil {
			return err
		}
		k.Units = append(k.Units, r.Module+" "+r.Mojo.Execution)
		return vfs.WriteWhole(filepath.Join(dir, fmt.Sprintf("%d.unit", len(k.Units)-1)), b.Bytes())
	}
	start := time.Now()
	h, outcome, err := c.build(ctx, &shadow{onward: true, selected: true, observe: observe})
	k.Seconds = time.Since(start).Seconds()
	switch {
	case errors.Is(err, audit.ErrBuild):
		k.Unbuildable = err.Error()
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case outcome.Verdict() == maven.TestsBroken:
		k.Unbuildable = "its tests came to no end: " + c.complaint() // what they would have run is not known
	case len(k.Units) == 0:
		k.Unbuildable = "no test of it was recorded: it has none, they are skipped, or its set-up is one that Winnow leaves alone (winnow doctor says which)"
	default:
		k.fill(h)
	}
	data, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	return k, vfs.WriteWhole(filepath.Join(dir, "revision.json"), data)
}

// rewind makes the store what it was before a revision, if an attempt at that revision was interrupted: what had ended until then is recorded, and would not be selected again.
func (c *comparer) rewind(revision string) error {
	store, before := filepath.Join(c.inner.Dir, storeDir), filepath.Join(c.dir, "before")
	kept, mark := filepath.Join(before, "store"), filepath.Join(before, "revision")
	if was, err := os.ReadFile(mark); err == nil && string(was) == revision {
		return replaceTree(store, kept)
	}
	if err := os.RemoveAll(mark); err != nil {
		return err
	}
	if err := errors.Join(os.MkdirAll(before, 0o755), replaceTree(kept, store)); err != nil {
		return err
	}
	return os.WriteFile(mark, []byte(revision), 0o644)
}

// replaceTree makes a directory a copy of another one, which need not be there.
func replaceTree(to, from string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.CopyFS(to, os.DirFS(from)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// fill notes what the product selected.
func (k *keptRevision) fill(h *mavenRun) {
	for _, m := range h.modules {
		k.Analysis += m.analysis.Seconds()
		for i := range m.sel.Decisions {
			d := &m.sel.Decisions[i]
			if !d.Selected() {
				continue
			}
			beyond := !slices.ContainsFunc(d.Reasons, func(r rts.Reason) bool { return r.Entity == (rts.Entity{}) || m.Internal(r.Entity) })
			k.Default[string(d.Test.ID)] = compare.Chosen{Reason: d.Reasons[0].String(), Beyond: beyond}
		}
	}
}

func (a *app) showCompared(projects []compare.Project) error {
	if file := a.flags.compare.html; file != "" {
		data, err := compare.HTML(projects)
		if err != nil {
			return err
		}
		if err := os.WriteFile(a.path(file), data, 0o644); err != nil {
			return &fault{ExitUsage, err}
		}
	}
	if a.flags.json {
		return writeJSON(a.Out, map[string]any{"schema": report.Schema, "command": "compare", "projects": projects})
	}
	return compare.Text(a.Out, projects)
}
