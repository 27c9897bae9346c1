// Package cli is the command line: it reads flags, wires a front end, a store and a technique together, and shows what comes out.
//
// This is the only place where concrete parts are wired. It takes no decision about tests.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"winnow/internal/report"
	"winnow/internal/safety"
)

// An Exit is the code that the program ends with.
type Exit int

// The exit codes. They are part of the interface; docs/cli.md and `winnow help exit-codes` list them.
const (
	ExitOK       Exit = 0
	ExitTests    Exit = 1
	ExitUsage    Exit = 2
	ExitProject  Exit = 3
	ExitNoTests  Exit = 4
	ExitMismatch Exit = 5
	ExitInternal Exit = 6
	ExitBuild    Exit = 7
	ExitMissed   Exit = 8
	ExitProof    Exit = 9
	ExitOpen     Exit = 10
	ExitLost     Exit = 11
	ExitViolated Exit = 12
	ExitCrashed  Exit = 13
	ExitSubject  Exit = 14
	// ExitNothingCompiled and ExitNothingCompared are for campaigns that came to nothing.
	ExitNothingCompiled Exit = 15
	ExitNothingCompared Exit = 16
	ExitInterrupted     Exit = 130
)

// exits explains every code.
var exits = []struct {
	Code Exit
	Says string
}{
	{ExitOK, "every selected test passed, or none was selected and every test has a proof"},
	{ExitTests, "a test failed, could not be carried out, or asks about something that is gone"},
	{ExitUsage, "the command line, the configuration or the choice of project is wrong"},
	{ExitProject, "the project cannot be read: a workbook or a class file is damaged, a file of tests is malformed"},
	{ExitNoTests, "nothing ran although something had to: there is no test at all, or all were kept from running"},
	{ExitMismatch, "the tests that ran are not the tests that were selected, or some of them left no record"},
	{ExitInternal, "winnow itself failed, or its store cannot be used"},
	{ExitBuild, "the build failed apart from its tests: no Maven, a broken POM, a compile error, a JVM that crashed; see its output"},
	{ExitMissed, "a test that would have been left out did not end as its proof says"},
	{ExitProof, "a stored proof does not hold"},
	{ExitOpen, "a stored proof could not be established again"},
	{ExitLost, "records lack something that tests use when they run alone"},
	{ExitViolated, "a checked tool violates a rule"},
	{ExitCrashed, "a checked tool broke down"},
	{ExitSubject, "a tool that a campaign names is missing, or works on none of its programs"},
	{ExitNothingCompiled, "no program of a campaign compiles"},
	{ExitNothingCompared, "no program of a campaign could be compared"},
	{ExitInterrupted, "interrupted; the tests that had ended are recorded"},
}

func (e Exit) says() string {
	for _, x := range exits {
		if x.Code == e {
			return x.Says
		}
	}
	return ""
}

// A fault is an error with the exit code that it leads to.
type fault struct {
	code Exit
	err  error
}

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

// quit ends with a code whose explanation was already shown.
type quit struct{ code Exit }

func (q quit) Error() string { return q.code.says() }

func usage(format string, args ...any) error {
	return &fault{ExitUsage, fmt.Errorf(format, args...)}
}

// A Machine is what the program sees of the outside.
type Machine struct {
	Out, Err io.Writer
	Getenv   func(string) string
	Dir      string // working directory
	// Terminal tells whether Err is a terminal.
	Terminal bool
}

// System returns the real machine.
func System() Machine {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	return Machine{
		Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Dir: dir,
		Terminal: term.IsTerminal(int(os.Stderr.Fd())) && term.IsTerminal(int(os.Stdout.Fd())),
	}
}

// Main runs the program and returns its exit code.
func Main(args []string, m Machine) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{Machine: m}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(m.Out)
	root.SetErr(m.Err)
	return int(a.exit(root.ExecuteContext(ctx)))
}

// exit shows an error and returns the exit code for it.
func (a *app) exit(err error) Exit {
	var f *fault
	var q quit
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &q):
		return q.code
	case errors.Is(err, context.Canceled):
		return a.complain(errors.New("interrupted"), ExitInterrupted)
	case errors.As(err, &f):
		return a.complain(err, f.code)
	case strings.HasPrefix(err.Error(), "unknown command"): // cobra's own check of arguments
		return a.complain(err, ExitUsage)
	}
	return a.complain(err, ExitInternal)
}

// complain tells a person, and with --json a program too, what went wrong.
func (a *app) complain(err error, code Exit) Exit {
	fmt.Fprintf(a.Err, "winnow: %v\n", err)
	if a.flags.json {
		failure := struct {
			Schema   int    `json:"schema"`
			Exit     Exit   `json:"exit"`
			ExitSays string `json:"exit_says"`
			Error    string `json:"error"`
		}{report.Schema, code, code.says(), err.Error()}
		if writeJSON(a.Out, failure) != nil {
			return ExitInternal
		}
	}
	return code
}

// An app is one invocation.
type app struct {
	Machine
	flags flags
	// records means that the command may make a store.
	records bool
	// rules are the safety rules in force for Maven projects; tests switch one off.
	rules safety.Rules
}

// flags are the flags of all commands; a command takes those it understands.
type flags struct {
	project, kind, technique, base, color, junit, mark string
	all, json, isolate, noShortcut, noRepeat           bool
	order, code                                        bool
	keep, release                                      int
	shadow                                             bool
	audit                                              auditFlags
	compare                                            compareFlags
}

const long = `Winnow runs exactly the tests that a change can affect, and can prove why every other test need not run.

  winnow test             run the tests that something changed for
  winnow select           show what would run, and run nothing
  winnow why TEST         why a test is selected
  winnow why-not TEST     the proof that a test need not run

A test is left out only if it passed before with the same inputs (methods, classes, cells, files, settings, tools), or with differences
that are shown not to matter to it. What is not known is selected, and the reason is given.

It serves Maven projects and spreadsheets. No file of a project is edited; what is recorded lies in .winnow at its root. The
first winnow test records all tests, later ones run what a change can affect. What follows -- is for Maven.`

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "winnow",
		Short:         "Run exactly the tests that a change can affect",
		Long:          long,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	p := root.PersistentFlags()
	p.StringVar(&a.flags.project, "project", "", "the project's root `DIRECTORY` (default: found from here upwards)")
	p.StringVar(&a.flags.kind, "kind", "", "the `KIND` of project, where there are several: sheet, maven")
	p.StringVar(&a.flags.color, "color", "auto", "colours: auto, always or never")
	p.BoolVar(&a.flags.json, "json", false, "write JSON to standard output (docs/json.md)")
	complete(root, "kind", sheetKind, mavenKind)
	complete(root, "color", "auto", "always", "never")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage("%v; `%s --help` lists the flags", err, c.CommandPath())
	})
	root.AddCommand(a.testCommand(), a.selectCommand(), a.whyCommand(), a.whyNotCommand(), a.impactCommand(), a.statusCommand(),
		a.techniquesCommand(), a.storeCommand(), a.inspectCommand(), a.graphCommand(), a.auditCommand(), a.compareCommand(), a.verifyCommand(), a.doctorCommand(), a.checkCommand(), a.labCommand(), a.versionCommand(), exitCodesTopic())
	return root
}

// knownCommand refuses a word that is no command, with the commands that may be meant.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		return usage("`%s` has no command %q; did you mean %s?", c.CommandPath(), args[0], strings.Join(near, " or "))
	}
	return usage("`%s` has no command %q; `%s help` lists them", c.CommandPath(), args[0], c.CommandPath())
}

func exitCodesTopic() *cobra.Command {
	var b strings.Builder
	for _, x := range exits {
		fmt.Fprintf(&b, "%4d  %s\n", x.Code, x.Says)
	}
	return &cobra.Command{Use: "exit-codes", Short: "What the exit codes mean", Long: "Exit codes:\n\n" + b.String()}
}

// style decides about colours: the flag, then NO_COLOR and the like, then whether a person is looking.
func (a *app) style() (report.Style, error) {
	switch a.flags.color {
	case "always":
		return report.Style{On: true}, nil
	case "never":
		return report.Style{}, nil
	case "auto":
		plain := a.Getenv("NO_COLOR") != "" || a.Getenv("TERM") == "dumb"
		forced := a.Getenv("CLICOLOR_FORCE") != "" && a.Getenv("CLICOLOR_FORCE") != "0"
		return report.Style{On: !plain && (forced || a.Terminal)}, nil
	}
	return report.Style{}, usage("--color %s: want auto, always or never", a.flags.color)
}

// complete offers the values of a flag to the shell.
func complete(c *cobra.Command, flag string, values ...string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag does not exist: a mistake in this package
	}
}

// selectionFlags adds the flags of commands that select.
func (a *app) selectionFlags(c *cobra.Command) {
	c.Flags().StringVar(&a.flags.technique, "technique", "", "the selection `TECHNIQUE` (`winnow techniques` lists them)")
	c.Flags().StringVar(&a.flags.base, "base", "", "use only records made at `REV` or its ancestors")
	c.Flags().BoolVar(&a.flags.all, "all", false, "select every test")
	complete(c, "technique", append(slices.Clone(onSheets), onMaven...)...)
}
