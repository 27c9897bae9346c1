package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/engine"
	"winnow/internal/jvm/project"
	"winnow/internal/report"
	"winnow/internal/rts"
	"winnow/internal/sheet"
	"winnow/internal/store"
)

func (a *app) testCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "test [flags] [-- RUNNER-FLAGS]",
		Short: "Run the tests that a change can affect",
		Long: `Looks at the project, compares it with what each test was recorded on, runs the tests that something changed for, and
records what they used. In a Maven project Maven compiles and starts Surefire as always.

Exit codes: 0 what ran passed, or nothing had to run; 1 a test failed; 4 nothing ran although something had to; 7 the build failed. ` + "`winnow help exit-codes`" + ` has all.`,
		Example: `  winnow test                       run what is affected
  winnow test --all                 run everything
  winnow test --shadow              run everything, and check what would have been left out
  winnow test --json > run.json     for programs
  winnow test --mark marked.xlsx    colour changed cells and the queries to look at
  winnow test -- -pl core -am       what follows -- is for Maven
  winnow test -- -Dtest=CartTest    only these, as far as they are affected; others that are due stay due`,
		RunE: func(c *cobra.Command, args []string) error { return a.runTests(c.Context(), c, args) },
	}
	a.selectionFlags(c)
	c.Flags().StringVar(&a.flags.junit, "junit", "", "write JUnit XML to `FILE`")
	c.Flags().StringVar(&a.flags.mark, "mark", "", "write a copy of the workbook with what changed coloured to `FILE`")
	c.Flags().BoolVar(&a.flags.shadow, "shadow", false, "run all tests, and say whether those that would have been left out ended as proven")
	c.Flags().BoolVar(&a.flags.isolate, "isolate", false, "give every test class a JVM of its own")
	c.Flags().BoolVar(&a.flags.noRepeat, "no-repeat", false, "do not run tests again, with others, that may have ended as they did because those were left out")
	c.Flags().BoolVar(&a.flags.noShortcut, "no-shortcut", false, "start the build even if nothing has changed")
	return c
}

func (a *app) selectCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "select [flags] [-- RUNNER-FLAGS]",
		Short: "Show what would run; run nothing, record nothing",
		Long:  `Makes the selection and shows it. A Maven project is built as far as its tests, because what is compiled is what counts; no test runs.`,
		Example: `  winnow select
  winnow select --json | jq -r '.tests[] | select(.selected) | .id'
  winnow select --base origin/main
  winnow select -- -o -pl core      what follows -- is for Maven`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.ownArguments(c, args); err != nil {
				return err
			}
			return a.runSelect(c.Context(), args)
		},
	}
	a.selectionFlags(c)
	c.Flags().StringVar(&a.flags.mark, "mark", "", "write a copy of the workbook with what changed coloured to `FILE`")
	return c
}

// A session is one command on one project.
type session struct {
	*app
	w      *workspace
	engine *engine.Engine
	style  report.Style
	run    report.Run
}

// begin opens the project and selects.
func (a *app) begin(ctx context.Context, command string) (*session, error) {
	style, err := a.style()
	if err != nil {
		return nil, err
	}
	w, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	s := &session{app: a, w: w, style: style}
	choose := func() error { return s.choose(ctx) }
	if w.kind == mavenKind {
		choose = func() error { return s.recall(ctx) }
	}
	if err := a.withStore(ctx, w, choose); err != nil {
		return nil, errors.Join(err, w.close())
	}
	s.run.Command, s.run.Kind, s.run.Root, s.run.Notices = command, w.kind, w.shown, w.notices
	if w.kind != mavenKind {
		s.run.Technique = s.engine.Config.Technique.Name
	}
	return s, nil
}

// choose makes the selection.
func (s *session) choose(ctx context.Context) error {
	var err error
	if s.engine, err = s.app.engine(ctx, s.w); err != nil {
		return err
	}
	if s.run.Selection, err = s.engine.Select(ctx); err != nil {
		return err
	}
	s.run.Records, err = s.records(ctx)
	return err
}

// records describes the data that was found.
func (s *session) records(ctx context.Context) (report.Records, error) {
	r := report.Records{Location: s.w.location}
	if rel, err := filepath.Rel(s.Dir, r.Location); err == nil && filepath.IsLocal(rel) {
		r.Location = rel
	}
	known, err := s.engine.Known(ctx)
	if err != nil {
		return r, err
	}
	for i := range s.run.Selection.Decisions {
		if meta, ok := known[s.run.Selection.Decisions[i].Test.ID]; ok {
			r.Tests++
			if !meta.When.Before(r.Newest.When) {
				r.Newest = meta
			}
		}
	}
	return r, nil
}

// finish shows the end of a run and turns it into an exit code.
func (s *session) finish(code Exit) error {
	s.run.Exit, s.run.ExitSays = int(code), code.says()
	err := s.show()
	if err = errors.Join(err, s.w.close()); err != nil {
		return err
	}
	if code == ExitOK {
		return nil
	}
	return quit{code}
}

// show writes the results first: nothing that goes wrong with a further file may hide them.
func (s *session) show() error {
	var err error
	if s.flags.json {
		err = s.run.JSON(s.Out)
	} else {
		err = s.run.Summary(s.Out, s.style)
	}
	if s.flags.mark != "" {
		err = errors.Join(err, s.markWorkbook())
	}
	if s.flags.junit != "" {
		err = errors.Join(err, writeFile(s.path(s.flags.junit), s.run.JUnit))
	}
	return err
}

// targets checks that the files to be written can be, before any test runs.
func (a *app) targets() error {
	if m := a.flags.mark; m != "" {
		if ext := strings.ToLower(filepath.Ext(m)); ext != ".xlsx" && ext != ".xlsm" {
			return usage("--mark %s: a marked copy is a workbook; choose a name that ends in .xlsx", m)
		}
	}
	if ext := strings.ToLower(filepath.Ext(a.flags.junit)); ext == ".xlsx" || ext == ".xlsm" || ext == sheet.SuiteSuffix {
		return usage("--junit %s would overwrite a file of the project; choose a name that ends in .xml", a.flags.junit)
	}
	for flag, name := range map[string]string{"--mark": a.flags.mark, "--junit": a.flags.junit} {
		if name == "" {
			continue
		}
		if info, err := os.Stat(filepath.Dir(a.path(name))); err != nil || !info.IsDir() {
			return usage("%s %s: there is no directory %s", flag, name, filepath.Dir(name))
		}
		if info, err := os.Stat(a.path(name)); err == nil && info.IsDir() {
			return usage("%s %s is a directory", flag, name)
		}
	}
	return nil
}

// maven opens the project if it is one of Maven's.
func (a *app) maven(ctx context.Context) (*workspace, bool, error) {
	w, err := a.openRoot()
	if err != nil {
		return nil, false, err
	}
	if _, err := a.recognise(w); err != nil || w.kind != mavenKind {
		return nil, false, err
	}
	if err := a.openStore(ctx, w); err != nil {
		return nil, true, err
	}
	return w, true, nil
}

func (a *app) runSelect(ctx context.Context, args []string) error {
	if err := a.targets(); err != nil {
		return err
	}
	if w, ok, err := a.maven(ctx); ok || err != nil {
		if err != nil {
			return err
		}
		return a.buildMaven(ctx, w, "select", args)
	}
	if err := a.noRunner(args); err != nil {
		return err
	}
	s, err := a.begin(ctx, "select")
	if err != nil {
		return err
	}
	code := ExitOK
	if len(s.run.Selection.Decisions) == 0 {
		code = ExitNoTests // (S3.2)
	}
	if !a.flags.json {
		if err := s.run.Heading(a.Out, s.style); err != nil {
			return err
		}
		if code == ExitNoTests {
			fmt.Fprintln(a.Out, s.style.Yellow("No tests were found."))
		} else {
			fmt.Fprintf(a.Out, "%d of %d tests would run\n", len(s.run.Selection.Selected()), len(s.run.Selection.Decisions))
		}
	}
	return s.finish(code)
}

func (a *app) runTests(ctx context.Context, c *cobra.Command, args []string) error {
	if err := errors.Join(a.ownArguments(c, args), a.targets()); err != nil {
		return err
	}
	a.records = true
	if w, ok, err := a.maven(ctx); ok || err != nil {
		if err != nil {
			return err
		}
		return a.buildMaven(ctx, w, "test", args)
	}
	if err := a.noRunner(args); err != nil {
		return err
	}
	s, err := a.begin(ctx, "test")
	if err != nil {
		return err
	}
	if !a.flags.json {
		if err := s.run.Heading(a.Out, s.style); err != nil {
			return err
		}
	}
	meta := s.w.meta(ctx, s.run.Technique)
	meta.When = nowUTC()
	progress := &progress{s: s, total: len(s.run.Selection.Selected())}
	var proven map[rts.TestID]rts.Outcome
	if a.flags.shadow {
		s.engine.Config.Shadow, progress.total = true, len(s.run.Selection.Decisions)
		if proven, err = provenOutcomes(ctx, s.w.store, s.run.Selection); err != nil {
			return errors.Join(err, s.w.close())
		}
	}
	s.run.Report, err = s.engine.Run(ctx, s.run.Selection, meta, progress.ended)
	progress.clear()
	if err != nil {
		return errors.Join(err, s.w.close())
	}
	if a.flags.shadow {
		s.compare(ctx, s.trial(proven), meta, nil)
	}
	if s.run.Report.RunErr != nil {
		fmt.Fprintf(a.Err, "winnow: %v\n", s.run.Report.RunErr)
	}
	// The history is no evidence; that it cannot be written says nothing about the run, and the failure to record is already reported.
	if err := s.w.store.AddRun(context.WithoutCancel(ctx), s.run.Report.Summary(meta)); err != nil && s.run.Report.RecordErr == nil {
		s.run.Report.Troubles = append(s.run.Report.Troubles, fmt.Errorf("the history could not be written: %w", err))
	}
	s.mend(context.WithoutCancel(ctx))
	return s.finish(s.code())
}

// mend repairs a store whose housekeeping met damage, so that it is not met again.
func (s *session) mend(ctx context.Context) {
	trouble := s.w.store.Trouble()
	if trouble == nil {
		return
	}
	rep := s.run.Report
	if !errors.Is(trouble, store.ErrCorrupt) {
		rep.Troubles = append(rep.Troubles, trouble)
		return
	}
	before := len(s.w.notices)
	if err := s.w.store.Close(); err != nil {
		rep.Troubles = append(rep.Troubles, trouble, err)
		return
	}
	s.w.store = nil
	if err := s.app.recoverStore(ctx, s.w, trouble); err != nil {
		rep.Troubles = append(rep.Troubles, err)
	}
	for _, n := range s.w.notices[before:] {
		rep.Troubles = append(rep.Troubles, errors.New(n))
	}
}

// ownArguments refuses arguments before "--": what follows it is for the test runner.
func (a *app) ownArguments(c *cobra.Command, args []string) error {
	dash := c.ArgsLenAtDash()
	switch {
	case dash < 0 && len(args) > 0:
		return usage("%q is no argument of `winnow %s`; `winnow why %s` explains a single test, and options for Maven follow --", args[0], c.Name(), args[0])
	case dash > 0:
		return usage("%q is no argument of `winnow %s`", args[0], c.Name())
	}
	return nil
}

// noRunner refuses arguments for a runner that does not exist.
func (a *app) noRunner(args []string) error {
	if len(args) > 0 {
		return usage("%q is for Maven, and there is no Maven project here; other projects have no test runner that could take it", args[0])
	}
	return nil
}

// code turns a finished run into an exit code. The order matters: what hides other findings comes first.
func (s *session) code() Exit {
	rep := s.run.Report
	switch {
	case rep.Interrupted:
		return ExitInterrupted
	case errors.As(rep.RunErr, new(*project.UnheardError)):
		return ExitMismatch
	case rep.RunErr != nil:
		return ExitProject
	case s.run.Shadow != nil && len(s.run.Shadow.Missed) > 0:
		return ExitMissed
	case rep.Bad() > 0 || len(s.run.Selection.Stranded()) > 0:
		return ExitTests
	case len(rep.Missing) > 0 || len(rep.Extra) > 0: // (S3.1)
		return ExitMismatch
	case len(s.run.Selection.Decisions) == 0, len(rep.Results) == 0 && len(rep.NotRun) > 0: // (S3.2)
		return ExitNoTests
	}
	return ExitOK
}

// progress shows how far a run is: on a terminal one line that is written again and again, elsewhere what did not pass, and a line
// now and then.
type progress struct {
	s           *session
	done, total int
	told        time.Time
}

// tellEvery is how often a run says how far it is where nobody is looking.
const tellEvery = 15 * time.Second

func (p *progress) ended(res engine.Result) {
	p.done++
	p.clear()
	if !p.s.flags.json && res.Record.Outcome != rts.Passed {
		if err := report.Result(p.s.Out, p.s.style, &res); err != nil {
			return // the summary will meet the same error and report it
		}
	}
	switch {
	case p.done == p.total:
	case p.s.Terminal:
		fmt.Fprintf(p.s.Err, "\r%d of %d  %s\x1b[K", p.done, p.total, res.Record.Test)
	case p.told.IsZero():
		p.told = time.Now()
	case time.Since(p.told) >= tellEvery:
		p.told = time.Now()
		fmt.Fprintf(p.s.Err, "%d of %d tests have run\n", p.done, p.total)
	}
}

func (p *progress) clear() {
	if p.s.Terminal && p.done > 0 {
		fmt.Fprint(p.s.Err, "\r\x1b[K")
	}
}

// markWorkbook writes the coloured copy.
func (s *session) markWorkbook() error {
	n, err := s.w.sheets.Mark(s.run.Selection, s.path(s.flags.mark))
	if err != nil {
		return &fault{ExitUsage, fmt.Errorf("--mark: %w", err)}
	}
	if !s.flags.json {
		fmt.Fprintf(s.Out, "marked %d cells in %s\n", n, s.flags.mark)
	}
	return nil
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return &fault{ExitUsage, err}
	}
	return errors.Join(write(f), f.Close())
}
