package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/audit"
	"winnow/internal/jvm/maven"
	"winnow/internal/report"
	"winnow/internal/rts"
)

// auditFlags are the flags of `winnow audit`.
type auditFlags struct {
	mutate, last int
	skip         int
	seed         uint64
	repeat       string
}

func (a *app) auditCommand() *cobra.Command {
	f := &a.flags.audit
	c := &cobra.Command{
		Use:   "audit (--mutate N | --last N | --repeat FILE) [-- RUNNER-FLAGS]",
		Short: "Check on this project that no test is left out that should run",
		Long: `Runs all tests of states of the project for which a selection was made, and reports every test that was left out and did not
end as its proof says. It works in a scratch copy: neither the project nor its records are touched.

  --mutate N   changes class files in N small ways, one at a time. Every test that fails on a mutant must have been selected.
  --last N     goes through the last N commits, each recorded on top of the one before.

What is missed is written to .winnow/audit, with what is needed to repeat it.`,
		Example: `  winnow audit --mutate 50
  winnow audit --mutate 200 --seed 7 --json > audit.json
  winnow audit --mutate 50 --skip 50
  winnow audit --last 10 -- -o -pl core -am
  winnow audit --repeat .winnow/audit/1/case.json`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.ownArguments(c, args); err != nil {
				return err
			}
			return a.runAudit(c.Context(), c, args)
		},
	}
	c.Flags().IntVar(&f.mutate, "mutate", 0, "try `N` mutants of the project's own classes")
	c.Flags().IntVar(&f.skip, "skip", 0, "pass over the first `N` mutants that are drawn, which another audit tried")
	c.Flags().IntVar(&f.last, "last", 0, "replay the last `N` commits")
	c.Flags().StringVar(&f.repeat, "repeat", "", "repeat the case in `FILE`")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "the `SEED` that mutants are drawn with")
	c.Flags().StringVar(&a.flags.technique, "technique", "", "the selection `TECHNIQUE` (`winnow techniques` lists them)")
	return c
}

// check refuses what is not exactly one thing to do.
func (f auditFlags) check(c *cobra.Command) error {
	asked := 0
	for _, name := range []string{"mutate", "last", "repeat"} {
		if c.Flags().Changed(name) {
			asked++
		}
	}
	switch {
	case asked != 1:
		return usage("`winnow audit` takes one of --mutate, --last and --repeat")
	case c.Flags().Changed("skip") && (f.mutate < 1 || f.skip < 0):
		return usage("--skip takes a number from 0, and goes with --mutate")
	case c.Flags().Changed("mutate") && f.mutate < 1, c.Flags().Changed("last") && f.last < 1:
		return usage("--mutate and --last take a number from 1")
	}
	return nil
}

// An auditor audits one project in a scratch copy.
type auditor struct {
	*session // of the user's project; only read
	began    time.Time
	args     []string // for Maven
	scratch  string   // directory that is removed at the end
	inner    *app     // works in the scratch copy
	log      *bytes.Buffer
	result   auditResult
	stopped  bool // the user interrupted it
}

func (a *app) runAudit(ctx context.Context, c *cobra.Command, args []string) error {
	if err := a.flags.audit.check(c); err != nil {
		return err
	}
	style, err := a.style()
	if err != nil {
		return err
	}
	w, err := a.openRoot()
	if err != nil {
		return err
	}
	if _, err := a.recognise(w); err != nil {
		return err
	}
	if w.kind != mavenKind {
		return usage("%s: `winnow audit` works on Maven projects; `winnow test --shadow` checks any project as it is", w.shown)
	}
	w.location = a.storePath(w.root)
	scratch, err := os.MkdirTemp("", "winnow-audit-")
	if err != nil {
		return err
	}
	au := &auditor{session: &session{app: a, w: w, style: style}, began: time.Now(), args: args, scratch: scratch, log: &bytes.Buffer{}}
	au.result = auditResult{Schema: report.Schema, Command: "audit", Kind: w.kind, Project: w.shown, MissedText: []string{}, Cases: []string{}}
	err = au.run(ctx)
	return errors.Join(err, os.RemoveAll(scratch))
}

// run does what was asked for and shows it. What was found before an interrupt is shown too.
func (au *auditor) run(ctx context.Context) error {
	var err error
	f := au.flags.audit
	switch {
	case f.mutate > 0:
		err = au.mutate(ctx, f)
	case f.last > 0:
		err = au.replay(ctx, f.last)
	default:
		err = au.repeat(ctx, f.repeat)
	}
	if au.stopped = ctx.Err() != nil; err != nil && !au.stopped {
		return err
	}
	return au.show()
}

// inside makes an invocation that works on a project in the scratch directory, with a store of its own.
func (au *auditor) inside(root string) {
	b := &app{Machine: au.Machine, flags: au.flags, rules: au.rules, records: true}
	b.flags.project, b.flags.kind, b.flags.json, b.flags.shadow = root, mavenKind, false, false
	b.Dir, b.Out, b.Err, b.Terminal = root, au.log, au.log, false
	b.Getenv = func(name string) string {
		if name == storeVariable {
			return ""
		}
		return au.Getenv(name)
	}
	au.inner = b
}

// open opens the project in the scratch directory.
func (au *auditor) open(ctx context.Context) (*session, error) {
	w, ok, err := au.inner.maven(ctx)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, usage("%s: no Maven project", au.inner.Dir)
	}
	return &session{app: au.inner, w: w}, nil
}

// build runs Maven in the scratch directory, with a shadow or without, and returns what became of it.
func (au *auditor) build(ctx context.Context, sh *shadow) (h *mavenRun, outcome *maven.Outcome, err error) {
	s, err := au.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, s.w.close()) }()
	au.log.Reset()
	if h, err = s.mavenRun(ctx, true); err != nil {
		return nil, nil, err
	}
	h.shadow = sh
	outcome, err = h.build(ctx, au.args)
	if ctx.Err() != nil {
		return h, outcome, nil // what ended until then counts
	}
	if err != nil {
		return nil, nil, &fault{ExitBuild, err}
	}
	switch verdict := outcome.Verdict(); verdict {
	case maven.Succeeded, maven.TestsFailed, maven.TestsBroken:
		return h, outcome, nil
	default:
		return nil, nil, fmt.Errorf("%w: %s: %s", audit.ErrBuild, verdict, au.complaint())
	}
}

// complaint is the first error that Maven printed.
func (au *auditor) complaint() string {
	for line := range bytes.Lines(au.log.Bytes()) {
		if text, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("[ERROR] ")); ok && len(text) > 0 {
			return string(text)
		}
	}
	return "see Maven's output"
}

// broken shows Maven's output and says that the build fails.
func (au *auditor) broken(err error) error {
	if !errors.Is(err, audit.ErrBuild) {
		return err
	}
	fmt.Fprintf(au.Err, "%s", au.log.Bytes())
	return &fault{ExitBuild, fmt.Errorf("the project as it is cannot be audited: %w", err)}
}

// tryIt makes a trial of a build that came to some end. Without an outcome, Maven was not started.
func tryIt(h *mavenRun, outcome *maven.Outcome) *audit.Trial {
	if outcome == nil {
		return &audit.Trial{Selection: &rts.Selection{}}
	}
	return h.trial(testsEnded(outcome))
}

// copyProject copies the project and its records to the scratch directory.
func (au *auditor) copyProject() error {
	root, records := filepath.Join(au.scratch, filepath.Base(au.w.root)), filepath.Dir(au.w.location)
	skip := func(rel string) bool { return rel == storeDir }
	if err := audit.CopyTree(au.w.root, root, skip); err != nil {
		return fmt.Errorf("copying the project: %w", err)
	}
	skip = func(rel string) bool { return rel == "audit" }
	if _, err := os.Stat(records); err == nil {
		if err := audit.CopyTree(records, filepath.Join(root, storeDir), skip); err != nil {
			return fmt.Errorf("copying the records: %w", err)
		}
	}
	au.inside(root)
	return nil
}
