package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/maven"
	"winnow/internal/jvm/project"
	"winnow/internal/report"
	"winnow/internal/vfs"
)

func (a *app) doctorCommand() *cobra.Command {
	sample := 10
	c := &cobra.Command{
		Use:   "doctor [--sample N] [-- MAVEN-ARGS]",
		Short: "What Winnow sees of this machine and project, and whether records lack something",
		Long: `Says which Maven, JDK and Surefire run the tests, what is not supported, and which tests run every time and why.

Then it runs all tests as the build does, and a sample of the test classes a second time with a JVM for each class. What a test uses there must be in what was
recorded of it beside the other tests. If it is not, another test did it instead: the test, the state that kept the result, and the method that wrote it are
named, as far as they can be told.

Nothing is recorded: the store stays as it is.

Exit codes: 0 nothing is lost; 11 something is: ` + "`winnow test --isolate`" + ` records one JVM per class, which nothing can disturb.`,
		Example: `  winnow doctor
  winnow doctor --sample 50 -- -o -pl core`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.ownArguments(c, args); err != nil {
				return err
			}
			if sample < 0 {
				return usage("--sample takes a number from 0")
			}
			return a.doctor(c.Context(), sample, args)
		},
	}
	c.Flags().IntVar(&sample, "sample", sample, "run `N` test classes of each module alone, spread over the run; 0 compares nothing")
	return c
}

func (a *app) doctor(ctx context.Context, sample int, args []string) error {
	w, err := a.openRoot()
	if err != nil {
		return err
	}
	if _, err := a.recognise(w); err != nil {
		return err
	}
	if w.kind != mavenKind {
		return usage("%s: `winnow doctor` examines Maven projects; spreadsheets share no state between tests", w.shown)
	}
	style, err := a.style()
	if err != nil {
		return err
	}
	w.location = a.storePath(w.root)
	scratch, err := os.MkdirTemp("", "winnow-doctor-")
	if err != nil {
		return err
	}
	d := &checkup{session: &session{app: a, w: w, style: style}, sample: sample, args: mavenArgs(args), scratch: scratch}
	d.result = doctorReport{Schema: report.Schema, Command: "doctor", Project: w.shown, Winnow: a.versionText(), Modules: []*doctorModule{}}
	err = d.examine(ctx)
	return errors.Join(err, os.RemoveAll(scratch))
}

// A checkup is one examination.
type checkup struct {
	*session
	sample  int
	args    []string
	scratch string
	result  doctorReport
}

// examine does both runs and shows the result.
func (d *checkup) examine(ctx context.Context) error {
	d.progress("running all tests as the build does")
	shared, err := d.watch(ctx, "shared", nil)
	if err != nil {
		return err
	}
	d.describe(shared)
	if chosen := d.choose(shared); len(chosen) > 0 {
		d.progress("running a sample with one JVM per test class")
		alone, err := d.watch(ctx, "alone", shared.patterns(chosen))
		if err != nil {
			return err
		}
		if err := d.compare(shared, alone, chosen); err != nil {
			return err
		}
	}
	return d.show()
}

func (d *checkup) progress(text string) {
	if d.Terminal {
		fmt.Fprintf(d.Err, "winnow doctor: %s\n", text)
	}
}

// watch runs the build once. Chosen names the test classes of each execution that run, each in a JVM of its own; nil runs all as usual.
func (d *checkup) watch(ctx context.Context, name string, chosen map[string]string) (*watching, error) {
	key, err := storeKey(filepath.Dir(d.w.location), false)
	if err != nil {
		return nil, &fault{ExitInternal, err}
	}
	cache, err := cacheDir(d.Getenv)
	if err != nil {
		return nil, &fault{ExitInternal, err}
	}
	h := &watching{root: d.w.root, dir: filepath.Join(d.scratch, name), cache: project.NewCache(cache), chosen: chosen, ctx: ctx,
		files: vfs.NewFiles(rootsOf(d.w.root)).Keyed(key), seen: readSeen(filepath.Join(filepath.Dir(d.w.location), "seen"))}
	var log bytes.Buffer
	h.outcome, err = maven.Run(ctx, maven.Options{Dir: d.w.root, Args: d.args, Stdout: &log, Stderr: &log, Handler: h})
	h.finish()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &fault{ExitBuild, err}
	}
	switch verdict := h.outcome.Verdict(); verdict {
	case maven.Succeeded, maven.TestsFailed:
		return h, nil
	default:
		fmt.Fprintf(d.Err, "%s", log.Bytes())
		return nil, &fault{ExitBuild, fmt.Errorf("the build cannot be examined: %s", verdict)}
	}
}

// choose takes test classes of each execution, spread evenly over its run and the last one among them: it has most tests before it.
func (d *checkup) choose(shared *watching) map[string][]string {
	out := map[string][]string{}
	for i, m := range shared.modules {
		if m.watch == nil || d.sample == 0 {
			continue
		}
		if !m.request.ReusesForks() {
			d.result.Modules[i].Sample = "not compared: the build itself gives every test class a JVM of its own"
			continue
		}
		all := m.watch.Classes()
		var some []string
		for k := range min(d.sample, len(all)) {
			some = append(some, all[(k+1)*len(all)/min(d.sample, len(all))-1])
		}
		if len(some) > 0 {
			out[m.key()] = some
			d.result.Modules[i].Sample = fmt.Sprintf("%d of %d test classes", len(some), len(all))
		}
	}
	return out
}

// compare compares the sample.
func (d *checkup) compare(shared, alone *watching, chosen map[string][]string) error {
	for i, m := range shared.modules {
		classes := chosen[m.key()]
		if len(classes) == 0 {
			continue
		}
		out := d.result.Modules[i]
		other := alone.find(m.key())
		if other == nil || other.watch == nil {
			return &fault{ExitBuild, fmt.Errorf("%s: the sample could not be run alone", out.Name)}
		}
		for _, class := range classes {
			c, err := m.watch.Compare(other.watch, class)
			if err != nil {
				return fmt.Errorf("%s: %w", class, err)
			}
			out.Compared = append(out.Compared, c)
			d.result.Lost += len(c.Lost)
		}
	}
	return nil
}

// watching takes part in a build and watches its executions.
type watching struct {
	ctx       context.Context
	root, dir string
	cache     *project.Cache
	chosen    map[string]string // by execution: a value of Surefire's parameter test
	files     *vfs.Files
	seen      *classpath.Seen
	outcome   *maven.Outcome

	mu      sync.Mutex
	modules []*watchedModule
}

// A watchedModule is one test execution.
type watchedModule struct {
	*project.Module
	request *maven.Request
	watch   *project.Watch
	err     error
	done    chan struct{}
}

func (m *watchedModule) key() string { return m.request.Module + " " + m.request.Mojo.String() }

// Plan starts to watch an execution.
func (h *watching) Plan(ctx context.Context, r *maven.Request) (maven.Answer, error) {
	m := &watchedModule{request: r, done: make(chan struct{})}
	only := h.chosen[m.key()]
	if h.chosen != nil && only == "" {
		return maven.Answer{Action: maven.Skip, Text: "no class of it is in the sample"}, nil
	}
	if err := h.look(ctx, m); err != nil {
		return maven.Answer{Text: fmt.Sprintf("Winnow cannot look at this module: %v", err)}, nil
	}
	go func() {
		defer close(m.done)
		m.watch, m.err = m.Watch(h.ctx)
	}()
	select {
	case answer := <-m.Answer():
		if only != "" {
			answer.Set = append(answer.Set, maven.Parameter{Path: "test", Value: only})
		}
		return answer, nil
	case <-ctx.Done():
		return maven.Answer{}, ctx.Err()
	}
}

func (h *watching) look(ctx context.Context, m *watchedModule) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var err error
	m.Module, err = project.Look(ctx, m.request, project.Options{Root: h.root, Files: h.files, Dir: h.dir, Cache: h.cache, Seen: h.seen, Isolate: h.chosen != nil})
	if err == nil {
		h.modules = append(h.modules, m)
	}
	return err
}

// Event learns that an execution is over.
func (h *watching) Event(e maven.Event) {
	if e.Type != maven.MojoSucceeded && e.Type != maven.MojoFailed {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.modules {
		if m.request.Module == e.Module && m.request.Mojo == e.Mojo {
			m.Ended(e.Type == maven.MojoSucceeded || e.Failure() == maven.TestsFailed)
		}
	}
}

// finish waits for all executions.
func (h *watching) finish() {
	for _, m := range h.modules {
		m.Ended(false)
		<-m.done
	}
}

// patterns are the values of Surefire's parameter that make it run classes, with the tests inside of them.
func (h *watching) patterns(chosen map[string][]string) map[string]string {
	out := map[string]string{}
	for key, classes := range chosen {
		var list []string
		for _, class := range classes {
			list = append(list, h.find(key).watch.Within(class)...)
		}
		// Maven would take a dollar sign for an expression.
		out[key] = strings.ReplaceAll(strings.Join(list, ","), "$", "?")
	}
	return out
}

func (h *watching) find(key string) *watchedModule {
	if i := slices.IndexFunc(h.modules, func(m *watchedModule) bool { return m.key() == key }); i >= 0 {
		return h.modules[i]
	}
	return nil
}
