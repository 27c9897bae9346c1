package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"winnow/internal/audit"
	"winnow/internal/engine"
	"winnow/internal/jvm/maven"
	"winnow/internal/jvm/observed"
	"winnow/internal/report"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/vcs"
)

// A shadow makes a Maven build run the tests that are left out too. A nil one changes nothing.
type shadow struct {
	// prepare is called before a test execution is looked at; nil if there is nothing to do.
	prepare func(r *maven.Request) error
	// concerns tells whether an execution takes part; nil if all do.
	concerns func(r *maven.Request) bool
	// only are the tests to run; nil if all are.
	only []rts.TestID
	// aside keeps the results out of the store.
	aside bool
	// selected keeps only the results of tests that are selected, as if the others had not run.
	selected bool
	// observe, if not nil, is told what each execution was and what its tests did.
	observe func(r *maven.Request, u *observed.Unit) error
	// onward lets the build go on to the next module after tests that fail.
	onward bool
	// needless tells of a module with its selection that its tests need not run; nil if all run.
	needless func(m *mavenModule) bool
	// limit, if not 0, is how long the tests of an execution may take. The build goes on afterwards, as it does after tests that fail.
	limit time.Duration
}

// passes tells whether an execution takes no part.
func (s *shadow) passes(r *maven.Request) bool {
	return s != nil && s.concerns != nil && !s.concerns(r)
}

// observer is what an execution tells its observations to; nil if nobody wants them.
func (s *shadow) observer(r *maven.Request) func(*observed.Unit) error {
	if s == nil || s.observe == nil {
		return nil
	}
	return func(u *observed.Unit) error { return s.observe(r, u) }
}

func (s *shadow) begin(r *maven.Request) error {
	if s == nil || s.prepare == nil {
		return nil
	}
	return s.prepare(r)
}

// answer lets the build go on after failing tests where other modules wait for them.
func (s *shadow) answer(r *maven.Request, a maven.Answer) maven.Answer {
	if s == nil || a.Action != maven.WithOptions {
		return a
	}
	if s.limit > 0 || s.onward && len(r.Modules) > 1 {
		a.Set = append(a.Set, maven.Parameter{Path: "testFailureIgnore", Value: "true"})
	}
	if s.limit > 0 {
		a.Set = append(a.Set, maven.Parameter{Path: "forkedProcessTimeoutInSeconds", Value: strconv.Itoa(int(s.limit.Seconds()) + 1)})
	}
	return a
}

// patience is how long to wait for the tests of an execution: somewhat longer than Surefire does, which does not always end them; 0 if for ever.
func (s *shadow) patience() time.Duration {
	if s == nil || s.limit == 0 {
		return 0
	}
	return s.limit + 10*time.Second
}

// spares tells whether the tests of a module need not run.
func (s *shadow) spares(m *mavenModule) bool { return s != nil && s.needless != nil && s.needless(m) }

// engine returns the engine that runs the tests of a module, and the selection that it runs.
func (s *shadow) engine(m *mavenModule) (*engine.Engine, *rts.Selection) {
	if s == nil {
		return m.engine, m.sel
	}
	e := *m.engine
	if s.aside {
		e.Store = store.New(&memory.Backend{})
	}
	if s.only == nil {
		e.Config.Shadow, e.Config.KeepSelected = true, s.selected
		return &e, m.sel
	}
	sel := &rts.Selection{}
	for _, id := range s.only {
		if m.Owns(id) {
			sel.Decisions = append(sel.Decisions, rts.Decision{Test: m.Found(id), Reasons: []rts.Reason{{Code: rts.Asked}}})
		}
	}
	return &e, sel
}

// provenOutcomes says of each test that is left out how the record ended that is its proof.
func provenOutcomes(ctx context.Context, from *store.Store, sel *rts.Selection) (map[rts.TestID]rts.Outcome, error) {
	v, err := from.View(ctx)
	if err != nil {
		return nil, err
	}
	proofs := map[rts.TestID]rts.Meta{}
	for i := range sel.Decisions {
		if d := &sel.Decisions[i]; d.Proof != nil && !d.Selected() {
			proofs[d.Test.ID] = d.Proof.Meta
		}
	}
	proven := map[rts.TestID]rts.Outcome{}
	v.Records(func(r store.Stored) {
		if meta, ok := proofs[r.Test]; ok && meta == r.Meta && r.Outcome.Proves() {
			proven[r.Test] = r.Outcome
		}
	})
	return proven, v.Close()
}

// trial is what a run shows about its selection.
func (s *session) trial(proven map[rts.TestID]rts.Outcome) *audit.Trial {
	rep := s.run.Report
	t := &audit.Trial{Selection: s.run.Selection, Proven: proven, Ends: map[rts.TestID]audit.End{}, Whole: !rep.Interrupted && rep.RunErr == nil}
	for i := range rep.Results {
		res := &rep.Results[i]
		t.Ends[res.Record.Test] = audit.End{Outcome: res.Record.Outcome, Message: res.Message}
	}
	return t
}

// trial is what a build shows about its selections, if it came to its end or not. Surefire's reports are the second witness.
func (h *mavenRun) trial(ended bool) *audit.Trial {
	proven := map[rts.TestID]rts.Outcome{}
	for _, m := range h.modules {
		for id, o := range m.proven {
			proven[id] = o
		}
	}
	t := h.session.trial(proven)
	t.Whole = t.Whole && ended
	t.Groups, t.GroupOf = map[string]string{}, classOfTest
	for _, m := range h.modules {
		t.Whole = t.Whole && len(m.request.Chosen()) == 0 // a test that the user does not want is not missed
		for class, text := range failedClasses(m.request, h.began) {
			t.Groups[h.scope(m.request)+class] = text
		}
	}
	return t
}

// testsEnded tells whether a build came to its end, whatever its tests say.
func testsEnded(outcome *maven.Outcome) bool {
	verdict := outcome.Verdict()
	return verdict == maven.Succeeded || verdict == maven.TestsFailed
}

// scope is what the names of an execution's tests begin with.
func (h *mavenRun) scope(r *maven.Request) string {
	rel, err := filepath.Rel(h.w.root, r.BaseDir)
	if err != nil || rel == "." {
		rel = ""
	}
	if rel = filepath.ToSlash(rel); r.Mojo.Execution != "default-test" {
		rel += "@" + r.Mojo.Execution
	}
	if rel == "" {
		return ""
	}
	return rel + "!"
}

// classOfTest is the class of a test by its name, with its scope; "" if the name does not tell.
func classOfTest(id rts.TestID) string {
	class, _, ok := strings.Cut(string(id), "#")
	if !ok {
		return ""
	}
	class = onceClass(class)
	scope, local, scoped := strings.Cut(class, "!")
	if !scoped {
		return strings.ReplaceAll(class, "/", "$")
	}
	return scope + "!" + strings.ReplaceAll(local, "/", "$")
}

// failedClasses returns the classes that Surefire's reports of this build tell failures of, each with the name of one test case.
func failedClasses(r *maven.Request, since time.Time) map[string]string {
	found := map[string]string{}
	for _, c := range surefireCases(r, since) {
		if c.problem() != nil {
			found[onceClass(c.Class)] = c.Name
		}
	}
	return found
}

// compare puts into the report what a run shows about its selection, and writes a case if a test was missed.
func (s *session) compare(ctx context.Context, t *audit.Trial, meta rts.Meta, args []string) {
	s.run.Shadow = &report.Shadow{Comparison: t.Compare()}
	for _, group := range s.run.Shadow.Unexplained {
		s.run.Notices = append(s.run.Notices, fmt.Sprintf("the build reports a failure of %s, which no known test explains", group))
	}
	missed := s.run.Shadow.Missed
	if len(missed) == 0 {
		return
	}
	file, err := s.keepCase(ctx, &audit.Case{
		From: missed[0].Recorded.Revision, FromDirty: missed[0].Recorded.Dirty, To: meta.Revision, ToDirty: meta.Dirty, Arguments: args, Missed: missed,
	}, nil)
	if err != nil {
		s.run.Notices = append(s.run.Notices, fmt.Sprintf("no case to repeat was written: %v", err))
	}
	s.run.Shadow.Case = file
}

// errNoRevision means that a state of the project cannot be had again.
var errNoRevision = errors.New("the project has no revisions to go back to")

// keepCase writes a case beside the project's records and returns its file, as the user would name it.
func (s *session) keepCase(ctx context.Context, c *audit.Case, files map[string][]byte) (string, error) {
	if c.Mutant == "" && (c.From == "" || c.To == "") {
		return "", errNoRevision
	}
	c.Technique = s.flags.technique
	if c.ToDirty {
		patch, err := vcs.Changes(ctx, s.w.root)
		if err != nil {
			return "", err
		}
		if files == nil {
			files = map[string][]byte{}
		}
		files[audit.PatchFile] = patch
	}
	dir := filepath.Join(filepath.Dir(s.w.location), "audit")
	if rel, err := filepath.Rel(s.Dir, dir); err == nil && filepath.IsLocal(rel) {
		dir = rel
	}
	if !filepath.IsAbs(dir) { // the name is for the user, who is in Dir
		return writeCase(c, s.Dir, dir, files)
	}
	return c.Write(dir, files)
}

// writeCase writes a case to a directory relative to another one, and returns the relative name of its file.
func writeCase(c *audit.Case, base, dir string, files map[string][]byte) (string, error) {
	file, err := c.Write(filepath.Join(base, dir), files)
	if err != nil {
		return "", err
	}
	return filepath.Rel(base, file)
}
