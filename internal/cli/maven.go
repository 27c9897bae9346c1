package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"winnow/internal/engine"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/maven"
	"winnow/internal/jvm/observed"
	"winnow/internal/jvm/project"
	"winnow/internal/rts"
	"winnow/internal/vfs"
)

// mavenKind is the kind of a Maven project.
const mavenKind = "maven"

// A mavenRun is one build. It answers for each test execution and keeps what became of it.
type mavenRun struct {
	*session
	ctx   context.Context
	runs  bool // tests are run, not only chosen
	began time.Time
	args  []string // the user's, for Maven
	meta  rts.Meta
	out   io.Writer // where Maven's output goes
	files *vfs.Files
	seen  *classpath.Seen
	cease func() // ends what reads ahead
	cache *project.Cache
	// shadow, if not nil, makes all tests run.
	shadow *shadow
	// once are the tests that run once more, by executionOf, each with the reasons.
	once map[string]map[rts.TestID][]rts.Reason

	mu      sync.Mutex // one module looks at the store at a time
	modules []*mavenModule
	foreign []*foreignRun
	notes   []string
	left    bool     // some tests ran as without Winnow
	vain    []string // paths beside the tree that POMs name and that are not there; see pomLeaves
	unkept  error    // why not all could be kept
}

// A mavenModule is one test execution.
type mavenModule struct {
	*project.Module
	request *maven.Request
	engine  *engine.Engine
	sel     *rts.Selection
	proven  map[rts.TestID]rts.Outcome // with a shadow only: how the proofs end
	rep     *engine.Report
	paper   *paperRun             // decides, if not nil
	doubted []rts.TestID          // failed with these inputs
	begun   map[rts.TestID]string // left out, and read what a test began to change; see begun
	// unbacked were left out, and change what a test reads that passed without them; see there.
	unbacked map[rts.TestID]string
	// analysis is how long the selection took.
	analysis time.Duration
	err      error
	done     chan struct{}
}

// buildMaven runs Maven for a command that tests or selects.
func (a *app) buildMaven(ctx context.Context, w *workspace, command string, args []string) error {
	start := time.Now()
	style, err := a.style()
	if err == nil && a.flags.mark != "" {
		err = usage("--mark: a Maven project has no workbook to mark")
	}
	if err != nil {
		return errors.Join(err, w.close())
	}
	s := &session{app: a, w: w, style: style}
	s.run.Command, s.run.Kind, s.run.Root = command, w.kind, w.shown
	h, err := s.mavenRun(ctx, command == "test")
	if err != nil {
		return errors.Join(err, w.close())
	}
	release, err := s.alone(ctx)
	if err != nil {
		return errors.Join(err, w.close())
	}
	defer release()
	if done, err := h.taken(ctx, args); done {
		return err
	}
	if a.flags.shadow {
		h.shadow = &shadow{}
	}
	before, err := h.stamps(h.output)
	if err != nil {
		return errors.Join(&fault{ExitProject, err}, w.close())
	}
	outcome, err := h.build(ctx, args)
	if err == nil {
		outcome, err = h.repeat(ctx, args, outcome)
	}
	if err == nil && outcome.Verdict() == maven.Succeeded {
		h.keeps(h.keepShortcut(ctx, args, before))
	}
	if h.shadow != nil && outcome != nil {
		s.compare(ctx, h.trial(testsEnded(outcome)), h.meta, args)
	}
	if rep := s.run.Report; rep != nil {
		rep.Took = time.Since(start) // what people wait for: Maven, the tests and what is done with them
	}
	return h.show(ctx, outcome, err)
}

// build runs Maven and waits for what becomes of its test executions.
func (h *mavenRun) build(ctx context.Context, args []string) (*maven.Outcome, error) {
	h.began, h.args = time.Now(), args
	opts := maven.Options{Dir: h.w.root, Args: mavenArgs(args), Stdout: h.out, Stderr: h.Err, Handler: h, NoTests: !h.runs}
	h.cease = sync.OnceFunc(h.ahead(ctx))
	outcome, err := maven.Run(ctx, opts)
	h.cease()
	h.finish()
	h.join()
	h.unbuilt(context.WithoutCancel(ctx), outcome)
	h.keeps(h.keepSeen())
	if h.runs {
		_ = h.cache.Clean() // what cannot be removed now can be next time
	}
	run := &h.session.run
	run.Notices = slices.Concat(h.w.notices, run.Notices, h.notes)
	return outcome, err
}

// keeps notes that something of the run could not be kept. The first failure speaks for those that follow from it.
func (h *mavenRun) keeps(err error) {
	if h.unkept == nil {
		h.unkept = err
	}
}

func (s *session) mavenRun(ctx context.Context, runs bool) (*mavenRun, error) {
	h := &mavenRun{session: s, ctx: ctx, runs: runs, out: s.Out, cease: func() {}}
	if s.flags.json {
		h.out = s.Err
	}
	dir := filepath.Dir(s.w.location)
	key, err := storeKey(dir, runs && !s.w.unstored)
	if err != nil {
		return nil, &fault{ExitInternal, err}
	}
	h.files = vfs.NewFiles(rootsOf(s.w.root)).Keyed(key)
	cache, err := cacheDir(s.Getenv)
	if err != nil {
		return nil, &fault{ExitInternal, err}
	}
	h.cache = project.NewCache(cache)
	h.seen = readSeen(filepath.Join(dir, "seen"))
	h.meta = s.w.meta(ctx, "")
	h.meta.When = nowUTC()
	return h, nil
}

// jvmDir is where the data of test executions are.
func (s *session) jvmDir() string { return filepath.Join(filepath.Dir(s.w.location), "jvm") }

// cacheDir is where data go that belong to no project.
func cacheDir(getenv func(string) string) (string, error) {
	if dir := getenv("WINNOW_CACHE"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "winnow"), err
}

// readSeen reads what was seen of files. Without it they are read again.
func readSeen(file string) *classpath.Seen {
	if data, err := os.ReadFile(file); err == nil {
		if seen, err := classpath.DecodeSeen(data); err == nil {
			return seen
		}
	}
	return new(classpath.Seen)
}

func (h *mavenRun) keepSeen() error {
	if !h.runs || h.w.unstored {
		return nil
	}
	return vfs.WriteWhole(filepath.Join(filepath.Dir(h.w.location), "seen"), h.seen.Append(nil))
}

// valued are Maven's options that take their value from the next argument.
var valued = []string{"-f", "--file", "-pl", "--projects", "-P", "--activate-profiles", "-s", "--settings", "-gs", "--global-settings", "-t", "--toolchains", "-gt", "--global-toolchains",
	"-rf", "--resume-from", "-T", "--threads", "-l", "--log-file", "-D", "--define", "-b", "--builder", "-emp", "--encrypt-master-password", "-ep", "--encrypt-password", "--color"}

// mavenArgs adds the phase test to arguments that name no phase or goal.
func mavenArgs(args []string) []string {
	for i, arg := range args {
		if !strings.HasPrefix(arg, "-") && (i == 0 || !slices.Contains(valued, args[i-1])) {
			return args
		}
	}
	return append(slices.Clone(args), "test")
}

// Plan decides about a test execution.
func (h *mavenRun) Plan(ctx context.Context, r *maven.Request) (maven.Answer, error) {
	if h.shadow.passes(r) {
		return maven.Answer{Action: maven.Skip, Text: "nothing on its class path is another"}, nil
	}
	m, err := h.look(ctx, r)
	if err != nil {
		if ctx.Err() != nil {
			return maven.Answer{}, err
		}
		return maven.Answer{Text: fmt.Sprintf("Winnow cannot look at this module, so all its tests run: %v", err)}, nil
	}
	if why := h.idle(m); why != "" {
		m.Decline(why)
		close(m.done)
		return <-m.Answer(), nil
	}
	h.tell(m)
	if strings.Contains(r.ArgLine, "org.jacoco.agent") {
		h.note(m.Name() + ": JaCoCo sees the classes as Winnow has changed them and reports no coverage of this run; for coverage run Maven without Winnow")
	}
	go h.run(m)
	select {
	case answer := <-m.Answer():
		return h.shadow.answer(r, answer), nil
	case <-ctx.Done():
		return maven.Answer{}, ctx.Err()
	}
}

// idle says why no test of a module runs, whatever is selected; "" if tests do.
func (h *mavenRun) idle(m *mavenModule) string {
	switch {
	case !h.runs:
		return "winnow select runs no test"
	case h.shadow.spares(m):
		return "every test is selected, so none can be missed"
	}
	return ""
}

// look makes the selection of a module that is about to be tested.
func (h *mavenRun) look(ctx context.Context, r *maven.Request) (*mavenModule, error) {
	h.cease()
	h.mu.Lock()
	defer h.mu.Unlock()
	start := time.Now()
	m, err := h.inspect(ctx, r)
	if err == nil {
		m.analysis = time.Since(start)
		h.modules = append(h.modules, m)
	}
	return m, err
}

// inspect makes the selection of a module.
func (h *mavenRun) inspect(ctx context.Context, r *maven.Request) (*mavenModule, error) {
	if err := h.shadow.begin(r); err != nil {
		return nil, err
	}
	m := &mavenModule{request: r, done: make(chan struct{})}
	known, err := h.known(ctx)
	if err != nil {
		return nil, err
	}
	files := h.files.Fresh() // the build and the tests of other modules may have written some
	m.Module, err = project.Look(ctx, r, project.Options{
		Root: h.w.root, Files: files, Dir: h.jvmDir(), Own: filepath.Dir(h.w.location), Cache: h.cache, Seen: h.seen, Known: known, Isolate: h.flags.isolate, Rules: h.rules, Observe: h.observer(r, m),
		EndsOnly: h.shadow != nil && h.shadow.aside, Limit: h.shadow.patience(),
	})
	if err != nil {
		return nil, err
	}
	p, err := h.w.cfg.Declare(m.Module, files, files.Roots(), h.w.root)
	if err != nil {
		return nil, err
	}
	if m.engine, err = h.mavenEngine(ctx, h.w, p, m.Module); err != nil {
		return nil, err
	}
	if gate := r.CoverageGate; gate != "" {
		// A gate that judges a partial figure would fail the build.
		m.engine.Config.All, m.engine.Config.AllWhy = true, rts.Reason{Code: rts.Unsupported, Detail: gate + " judges the coverage of all tests"}
	}
	if m.sel, err = m.engine.Select(ctx); err != nil {
		return nil, err
	}
	m.join(h.once[executionOf(r)])
	if err := errors.Join(h.accompany(ctx, m), h.back(ctx, m)); err != nil {
		return nil, err
	}
	if err := h.byPaper(ctx, m); err != nil {
		return nil, err
	}
	if h.shadow != nil {
		if m.proven, err = provenOutcomes(ctx, h.w.store, m.sel); err != nil {
			return nil, err
		}
	}
	h.meta.Technique = m.engine.Config.Technique.Name
	if m.paper != nil {
		h.meta.Technique = m.paper.paper.Name
		h.notes = append(h.notes, m.paper.says(m.Name()))
	}
	return m, nil
}

// observer is what an execution tells its observations to; nil if nobody wants them.
func (h *mavenRun) observer(r *maven.Request, m *mavenModule) func(*observed.Unit) error {
	if paperNamed(h.flags.technique) == nil {
		return h.shadow.observer(r)
	}
	return func(u *observed.Unit) error {
		if m.paper == nil { // everything was asked for; it is part of the history all the same
			p := paperNamed(h.flags.technique)
			m.paper = &paperRun{paper: p, dir: h.paperDir(p, r)}
			m.paper.count()
		}
		return m.paper.keep(u)
	}
}

// known lists the tests that have records.
func (h *mavenRun) known(ctx context.Context) ([]rts.TestID, error) {
	return (&engine.Engine{Store: h.w.store}).KnownTests(ctx)
}

// tell says before the tests of a module start what was decided.
func (h *mavenRun) tell(m *mavenModule) {
	selected, all := len(m.sel.Selected()), len(m.sel.Decisions)
	line := fmt.Sprintf("%d of %d known tests run", selected, all)
	switch {
	case h.shadow != nil && all > 0:
		line = fmt.Sprintf("all of %d known tests run; %d would be left out", all, all-selected)
	case all == 0:
		line = "no records yet, all tests run"
	case selected == 0 && m.Unlisted() != "":
		line = fmt.Sprintf("none of %d known tests need run; looking for new ones, because %s", all, m.Unlisted())
	case selected == 0:
		line = fmt.Sprintf("none of %d tests need run", all)
	}
	fmt.Fprintf(h.out, "%s %s: %s\n", h.style.Bold("winnow"), m.Name(), line)
}

// run executes the selection of a module and records it.
func (h *mavenRun) run(m *mavenModule) {
	defer close(m.done)
	m.doubted = m.failedBefore()
	m.Doubt(m.doubted)
	if h.shadow == nil {
		m.Without(h.absence(m))
	}
	e, sel := h.shadow.engine(m)
	m.rep, m.err = e.Run(h.ctx, sel, h.meta, nil)
	if len(sel.Selected()) == 0 && m.Unlisted() == "" && (!e.Config.Shadow || len(sel.Decisions) == 0) {
		m.Decline("no test of this module can be affected")
	}
}

// unrecorded tells whether the module's tests ran without Winnow after all, because the agent could not be prepared.
func (m *mavenModule) unrecorded() bool {
	var failed *project.UnrecordedError
	return m.rep != nil && errors.As(m.rep.RunErr, &failed)
}

// Event learns that an execution is over.
func (h *mavenRun) Event(e maven.Event) {
	switch e.Type {
	case maven.MojoSucceeded, maven.MojoFailed:
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, m := range h.modules {
			if m.request.Module == e.Module && m.request.Mojo == e.Mojo {
				m.Ended(e.Type == maven.MojoSucceeded || e.Failure() == maven.TestsFailed)
			}
		}
		for _, f := range h.foreign {
			if f.request.Module == e.Module && f.request.Mojo == e.Mojo {
				f.took = e.Time.Sub(f.since)
			}
		}
	case maven.Answered:
		if e.Answer.Action == maven.Unchanged {
			h.leave(e)
		}
	}
}

// leave notes that tests run as without Winnow.
func (h *mavenRun) leave(e maven.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left = true
	h.notes = append(h.notes, fmt.Sprintf("%s %s: not recorded, and nothing left out: %s", e.Module, e.Mojo, e.Answer.Text))
	if e.Request != nil && e.Answer.Reason != maven.TestsSkipped {
		h.foreign = append(h.foreign, &foreignRun{request: e.Request, why: e.Answer.Text, since: e.Time})
	}
}

func (h *mavenRun) note(text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.notes = append(h.notes, text)
}

// finish waits for all modules.
func (h *mavenRun) finish() {
	for _, m := range h.modules {
		m.Ended(false)
		<-m.done
		var err error
		m.begun, err = h.begun(h.kept(), m)
		h.keeps(err)
		m.unbacked, err = h.unbacked(h.kept(), m)
		h.keeps(err)
		for _, why := range m.Lost() {
			h.note(fmt.Sprintf("%s: what a JVM of tests did was not recorded whole (%s); its tests prove nothing and will run again. `winnow doctor` tells more", m.Name(), why))
		}
		around := m.FailedAround()
		if more := len(around) - 5; more > 1 { // it cannot be told where
			around = append(around[:4], counted(more+1, "more class", "more classes"))
		}
		for _, class := range around {
			h.note(fmt.Sprintf("%s: something around the tests of %s failed, such as its tear-down; they prove nothing and will run again", m.Name(), class))
		}
		if n := len(m.PassedOver()); n > 0 {
			h.note(fmt.Sprintf("%s: %s by the framework, as skipped: disabled with the class, or left out by the build's own choice of tests", m.Name(),
				counted(n, "known test was passed over", "known tests were passed over")))
		}
	}
}

// unbuilt notes known tests of modules that the build did not reach.
func (h *mavenRun) unbuilt(ctx context.Context, outcome *maven.Outcome) {
	known, err := h.known(ctx)
	if err != nil {
		return // what cannot be read was told by who needed it
	}
	n := 0
	for _, id := range known {
		if !slices.ContainsFunc(h.modules, func(m *mavenModule) bool { return m.Owns(id) }) && !h.isForeign(id) {
			n++
		}
	}
	if n == 0 || outcome == nil || h.reached(outcome) != "" {
		return
	}
	note := counted(n, "known test belongs", "known tests belong") + " to modules that this build did not test"
	if outcome.Verdict() == maven.TestsFailed && !h.onward() {
		note += "; `winnow test -- -fn` goes on after tests that fail"
	}
	h.note(note)
}

// onward tells whether the user wants the build to go on after failures.
func (h *mavenRun) onward() bool {
	return slices.ContainsFunc(h.args, func(arg string) bool {
		return slices.Contains([]string{"-fae", "--fail-at-end", "-fn", "--fail-never"}, arg)
	})
}

func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// join makes one selection and one report of all modules.
func (h *mavenRun) join() {
	all := &rts.Selection{}
	rep := &engine.Report{Selection: all, NotRun: map[rts.TestID]string{}}
	for _, m := range h.modules {
		if m.unrecorded() {
			continue // it is among the foreign ones
		}
		mergeSelections(all, m.sel)
		if m.rep != nil {
			mergeReports(rep, m.rep)
		}
		rep.RunErr = errors.Join(rep.RunErr, m.err)
		h.keeps(m.Unmarked())
	}
	h.joinForeign(all, rep)
	h.session.run.Selection = all
	h.session.run.Technique = h.meta.Technique
	if h.runs {
		h.session.run.Report = rep
	}
}

func mergeSelections(all, more *rts.Selection) {
	all.Modules = append(all.Modules, more.Modules...)
	all.Decisions = append(all.Decisions, more.Decisions...)
	all.Obsolete = append(all.Obsolete, more.Obsolete...)
	all.Changes = mergeChanges(all.Changes, more.Changes)
}

func mergeChanges(all, more []rts.Change) []rts.Change {
	for _, c := range more {
		if i := slices.IndexFunc(all, func(a rts.Change) bool { return a.Entity == c.Entity }); i >= 0 {
			all[i].Tests += c.Tests
		} else {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b rts.Change) int { return a.Entity.Compare(b.Entity) })
	return all
}

func mergeReports(all, more *engine.Report) {
	all.Results = append(all.Results, more.Results...)
	for id, why := range more.NotRun {
		all.NotRun[id] = why
	}
	all.Missing, all.Extra = append(all.Missing, more.Missing...), append(all.Extra, more.Extra...)
	all.Interrupted = all.Interrupted || more.Interrupted
	all.RunErr = errors.Join(all.RunErr, more.RunErr)
	if all.RecordErr == nil { // the others say the same of the same store
		all.RecordErr = more.RecordErr
	}
	all.Troubles = append(all.Troubles, more.Troubles...)
	all.Took += more.Took
	all.Saved += more.Saved
}
