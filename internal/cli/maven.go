package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"winnow/internal/engine"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/maven"
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
	meta  rts.Meta
	out   io.Writer // where Maven's output goes
	files *vfs.Files
	seen  *classpath.Seen
	cache string
	// shadow, if not nil, makes all tests run.
	shadow *shadow

	mu      sync.Mutex // one module looks at the store at a time
	modules []*mavenModule
	notes   []string
	left    bool // some tests ran as without Winnow
}

// A mavenModule is one test execution.
type mavenModule struct {
	*project.Module
	request *maven.Request
	engine  *engine.Engine
	sel     *rts.Selection
	proven  map[rts.TestID]rts.Outcome // with a shadow only: how the proofs end
	rep     *engine.Report
	doubted []rts.TestID // failed with these inputs
	err     error
	done    chan struct{}
}

// buildMaven runs Maven for a command that tests or selects.
func (a *app) buildMaven(ctx context.Context, w *workspace, command string, args []string) error {
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
	if done, err := h.taken(ctx, args); done {
		return err
	}
	if a.flags.shadow {
		h.shadow = &shadow{}
	}
	before, err := vfs.Stamps(w.root, h.output)
	if err != nil {
		return errors.Join(&fault{ExitProject, err}, w.close())
	}
	outcome, err := h.build(ctx, args)
	if err == nil && outcome.Verdict() == maven.Succeeded {
		if err := h.keepShortcut(ctx, args, before); err != nil {
			s.run.Notices = append(s.run.Notices, fmt.Sprintf("the next run will start Maven even if nothing changes: %v", err))
		}
	}
	if h.shadow != nil && outcome != nil {
		s.compare(ctx, h.trial(outcome), h.meta, args)
	}
	return h.show(ctx, outcome, err)
}

// build runs Maven and waits for what becomes of its test executions.
func (h *mavenRun) build(ctx context.Context, args []string) (*maven.Outcome, error) {
	h.began = time.Now()
	opts := maven.Options{Dir: h.w.root, Args: mavenArgs(args), Stdout: h.out, Stderr: h.Err, Handler: h, NoTests: !h.runs}
	outcome, err := maven.Run(ctx, opts)
	h.finish()
	h.join()
	h.unbuilt(context.WithoutCancel(ctx))
	run := &h.session.run
	if err := h.keepSeen(); err != nil {
		run.Notices = append(run.Notices, fmt.Sprintf("what was seen of files could not be kept: %v", err))
	}
	run.Notices = slices.Concat(h.w.notices, run.Notices, h.notes)
	return outcome, err
}

func (s *session) mavenRun(ctx context.Context, runs bool) (*mavenRun, error) {
	h := &mavenRun{session: s, ctx: ctx, runs: runs, out: s.Out}
	if s.flags.json {
		h.out = s.Err
	}
	dir := filepath.Dir(s.w.location)
	key, err := storeKey(dir, runs)
	if err != nil {
		return nil, &fault{ExitInternal, err}
	}
	h.files = vfs.NewFiles(rootsOf(s.w.root)).Keyed(key)
	if h.cache, err = cacheDir(s.Getenv); err != nil {
		return nil, &fault{ExitInternal, err}
	}
	h.seen = readSeen(filepath.Join(dir, "seen"))
	h.meta = s.w.meta(ctx, "")
	h.meta.When = nowUTC()
	return h, nil
}

// storeKey returns the secret of a store, which is made with the first recording.
func storeKey(dir string, create bool) ([]byte, error) {
	file := filepath.Join(dir, "key")
	key, err := os.ReadFile(file)
	if err == nil || !errors.Is(err, fs.ErrNotExist) || !create {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return key, err
	}
	key = make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return key, os.WriteFile(file, key, 0o600)
}

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
	if !h.runs {
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
		text := fmt.Sprintf("%s: Winnow cannot look at this module, so all its tests run: %v", r.Module, err)
		h.leave(text)
		return maven.Answer{Text: text}, nil
	}
	if !h.runs {
		m.Decline("winnow select runs no test")
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

// look makes the selection of a module that is about to be tested.
func (h *mavenRun) look(ctx context.Context, r *maven.Request) (*mavenModule, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m, err := h.inspect(ctx, r)
	if err == nil {
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
	m.Module, err = project.Look(ctx, r, project.Options{
		Root: h.w.root, Files: h.files, Dir: filepath.Join(filepath.Dir(h.w.location), "jvm"), Cache: h.cache, Seen: h.seen, Known: known, Isolate: h.flags.isolate, Rules: h.rules,
	})
	if err != nil {
		return nil, err
	}
	p, err := h.w.cfg.Declare(m.Module, h.files, h.files.Roots(), h.w.root)
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
	if h.shadow != nil {
		if m.proven, err = provenOutcomes(ctx, h.w.store, m.sel); err != nil {
			return nil, err
		}
	}
	h.meta.Technique = m.engine.Config.Technique.Name
	return m, nil
}

// known lists the tests that have records.
func (h *mavenRun) known(ctx context.Context) ([]rts.TestID, error) {
	known, err := (&engine.Engine{Store: h.w.store}).Known(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]rts.TestID, 0, len(known))
	for id := range known {
		ids = append(ids, id)
	}
	return ids, nil
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
	for i := range m.sel.Decisions {
		d := &m.sel.Decisions[i]
		if slices.ContainsFunc(d.Reasons, func(r rts.Reason) bool { return r.Code == rts.FailedLast }) {
			m.doubted = append(m.doubted, d.Test.ID)
		}
	}
	m.Doubt(m.doubted)
	e, sel := h.shadow.engine(m)
	m.rep, m.err = e.Run(h.ctx, sel, h.meta, nil)
	if len(sel.Selected()) == 0 && m.Unlisted() == "" && (!e.Config.Shadow || len(sel.Decisions) == 0) {
		m.Decline("no test of this module can be affected")
	}
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
	case maven.Answered:
		if e.Answer.Action == maven.Unchanged && e.Answer.Reason != maven.ChosenByHandler {
			h.leave(fmt.Sprintf("%s %s: not recorded, and nothing left out: %s", e.Module, e.Mojo, e.Answer.Text))
		}
	}
}

// leave notes that tests ran as without Winnow.
func (h *mavenRun) leave(text string) {
	h.note(text)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left = true
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
	}
}

// unbuilt notes known tests of modules that the build did not reach.
func (h *mavenRun) unbuilt(ctx context.Context) {
	known, err := h.known(ctx)
	if err != nil {
		return // what cannot be read was told by who needed it
	}
	n := 0
	for _, id := range known {
		if !slices.ContainsFunc(h.modules, func(m *mavenModule) bool { return m.Owns(id) }) {
			n++
		}
	}
	if n > 0 {
		h.note(fmt.Sprintf("%d known tests belong to modules that this build did not test", n))
	}
}

// join makes one selection and one report of all modules.
func (h *mavenRun) join() {
	all := &rts.Selection{}
	rep := &engine.Report{Selection: all, NotRun: map[rts.TestID]string{}}
	for _, m := range h.modules {
		mergeSelections(all, m.sel)
		if m.rep != nil {
			mergeReports(rep, m.rep)
		}
		rep.RunErr = errors.Join(rep.RunErr, m.err)
	}
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
	all.RunErr, all.RecordErr = errors.Join(all.RunErr, more.RunErr), errors.Join(all.RecordErr, more.RecordErr)
	all.Troubles = append(all.Troubles, more.Troubles...)
	all.Took += more.Took
	all.Saved += more.Saved
}

// show shows the end of a build and turns it into an exit code.
func (h *mavenRun) show(ctx context.Context, outcome *maven.Outcome, err error) error {
	s := h.session
	var records error
	if s.engine = (&engine.Engine{Store: s.w.store}); s.run.Selection != nil {
		s.run.Records, records = s.records(context.WithoutCancel(ctx))
	}
	if err != nil && ctx.Err() == nil {
		return errors.Join(&fault{ExitBuild, err}, s.w.close())
	}
	if err := errors.Join(records, h.remember(context.WithoutCancel(ctx))); err != nil {
		s.run.Notices = append(s.run.Notices, err.Error())
	}
	if !s.flags.json {
		fmt.Fprintln(s.Out)
		if err := s.run.Heading(s.Out, s.style); err != nil {
			return err
		}
		if !h.runs {
			h.would()
		}
	}
	if rep := s.run.Report; rep != nil {
		if rep.RunErr != nil {
			fmt.Fprintf(s.Err, "winnow: %v\n", rep.RunErr)
		}
		if err := s.w.store.AddRun(context.WithoutCancel(ctx), rep.Summary(h.meta)); err != nil && rep.RecordErr == nil {
			rep.Troubles = append(rep.Troubles, fmt.Errorf("the history could not be written: %w", err))
		}
		s.mend(context.WithoutCancel(ctx))
	}
	return s.finish(h.code(ctx, outcome))
}

// would says what a run would do.
func (h *mavenRun) would() {
	sel := h.session.run.Selection
	fmt.Fprintf(h.Out, "%d of %d known tests would run\n", len(sel.Selected()), len(sel.Decisions))
	for _, m := range h.modules {
		if why := m.Unlisted(); why != "" {
			fmt.Fprintf(h.Out, "%s may have new tests, which would run too: %s\n", m.Name(), why)
		}
	}
}

// code turns a finished build into an exit code: Maven's word first, then what is known of the tests.
func (h *mavenRun) code(ctx context.Context, outcome *maven.Outcome) Exit {
	if ctx.Err() != nil {
		return ExitInterrupted
	}
	verdict := outcome.Verdict()
	switch verdict {
	case maven.Succeeded, maven.TestsFailed:
	case maven.Unattached:
		fmt.Fprintf(h.Err, "winnow: Maven did not load Winnow's extension, so tests ran as without it, if at all\n")
		return ExitBuild
	default:
		return ExitBuild
	}
	if shadow := h.session.run.Shadow; shadow != nil && len(shadow.Missed) > 0 {
		return ExitMissed
	}
	if verdict == maven.TestsFailed {
		return ExitTests
	}
	if !h.runs {
		if len(h.session.run.Selection.Decisions) == 0 && !h.unlisted() {
			return ExitNoTests
		}
		return ExitOK
	}
	code := h.session.code()
	if n := h.doubtful(); n > 0 && code == ExitOK {
		return ExitTests
	}
	if code == ExitNoTests && len(h.session.run.Selection.Decisions) == 0 && h.unchanged(outcome) {
		return ExitOK // tests ran as without Winnow, and Maven says that they passed
	}
	return code
}

// doubtful counts the tests that failed before with the same inputs and passed now, while others were left out. It says so for each.
func (h *mavenRun) doubtful() int {
	n := 0
	for _, m := range h.modules {
		if m.rep == nil || len(m.sel.Selected()) == len(m.sel.Decisions) {
			continue
		}
		for i := range m.rep.Results {
			r := &m.rep.Results[i].Record
			if r.Outcome.Proves() && slices.Contains(m.doubted, r.Test) {
				n++
				fmt.Fprintf(h.Err, "winnow: %s failed with the same inputs before and passed now, while other tests were left out: it is unstable, or depends on them; `winnow test --all` decides\n", r.Test)
			}
		}
	}
	return n
}

// unlisted tells whether some module has tests that are not known yet.
func (h *mavenRun) unlisted() bool {
	return slices.ContainsFunc(h.modules, func(m *mavenModule) bool { return m.Unlisted() != "" })
}

// unchanged tells whether tests ran without Winnow.
func (h *mavenRun) unchanged(outcome *maven.Outcome) bool {
	return slices.ContainsFunc(outcome.Answers(), func(e maven.Event) bool {
		return e.Answer.Action == maven.Unchanged && e.Answer.Reason != maven.TestsSkipped
	})
}
