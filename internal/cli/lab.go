package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"winnow/internal/semantics/minijvm"
)

// labFlags are the flags of `winnow lab`.
type labFlags struct {
	steps                int
	brief, after         bool
	seed                 uint64
	statement            int
	batches              int
	exhaustive           bool
	progress             string
	broken               bool
	workers, boundSample int
}

// A lab is one invocation of `winnow lab`.
type lab struct {
	*app
	flags labFlags
}

func (a *app) labCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "lab",
		Short: "A small JVM on which the safety of selection is checked by running it",
		Long: `The lab runs programs of a small JVM (docs/proof.md) and shows which classes four collection functions collect:

  naive      every class that can affect a step, at every step
  smart      a class when its initialization is called, and what static accesses look through
  ekstazi    what a code instrumenter should do: before every new and static access
  published  Ekstazi as published, which is not safe

The safety of the first three is checked on millions of programs and changes; the fourth is refuted.`,
		Args: knownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.labRunCommand(), a.labTraceCommand(), a.labCheckCommand(), a.labLowerCommand())
	return c
}

func oneFile(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usage("`%s` needs one file with a program; `%s --help` has examples", c.CommandPath(), c.CommandPath())
	}
	return nil
}

func (a *app) labRunCommand() *cobra.Command {
	l := &lab{app: a}
	c := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a program, show how it ends and what is collected",
		Long: `FILE is a program of the small JVM, with a class Test whose main runs. If it also has a change, the changed program runs too, and each collection function is
judged: a test that it leaves out must end as before.

The exit code is 1 if a run does not end within the step limit, and 3 if the file is no program or the program is not well-formed.`,
		Example: `  winnow lab run examples/lab/figure1.lab
  winnow lab run --json examples/lab/figure1.lab`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error { return l.run(args[0]) },
	}
	c.Flags().IntVar(&l.flags.steps, "steps", minijvm.StepLimit, "give up after `N` steps")
	return c
}

func (a *app) labTraceCommand() *cobra.Command {
	l := &lab{app: a}
	c := &cobra.Command{
		Use:   "trace FILE",
		Short: "Run a program step by step",
		Long: `Shows every step of a program's run: the running frame, the static heap after the step, and what each function collects.
The exit codes are those of ` + "`winnow lab run`" + `.`,
		Example: `  winnow lab trace examples/lab/figure1.lab
  winnow lab trace --brief examples/lab/figure1.lab
  winnow lab trace --after examples/lab/figure1.lab`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error { return l.trace(args[0]) },
	}
	c.Flags().IntVar(&l.flags.steps, "steps", minijvm.StepLimit, "give up after `N` steps")
	c.Flags().BoolVar(&l.flags.brief, "brief", false, "one line per step")
	c.Flags().BoolVar(&l.flags.after, "after", false, "run the changed program")
	return c
}

// read reads a file and checks that what is in it is well-formed.
func (l *lab) read(name string) (minijvm.Pair, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.Dir, path)
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return minijvm.Pair{}, usage("%s: there is no such file", name)
	}
	if err != nil {
		return minijvm.Pair{}, usage("%v", err)
	}
	pair, err := minijvm.ParsePair(string(text))
	if err != nil {
		return pair, &fault{ExitProject, fmt.Errorf("%s: %w", name, err)}
	}
	for _, p := range []*minijvm.Program{pair.Before, pair.After} {
		if p == nil {
			continue
		}
		if p.Class(minijvm.Test) == nil {
			return pair, &fault{ExitProject, fmt.Errorf("%s: there is no class Test; its main is what runs", name)}
		}
		if _, err := minijvm.Verify(p, minijvm.Missing); err != nil {
			return pair, &fault{ExitProject, fmt.Errorf("%s: not well-formed: %w", name, err)}
		}
	}
	return pair, nil
}

// strength says in which strengths a program that was read is well-formed.
func strength(p *minijvm.Program) string {
	if _, err := minijvm.Verify(p, minijvm.Paper); err != nil {
		return fmt.Sprintf("only if members may be missing (%v)", err)
	}
	return "as in the paper"
}

// shownSet is a set without the built-in classes that a program does not redefine.
func shownSet(p *minijvm.Program, s minijvm.Set) []string {
	plain := minijvm.NewProgram(p.Names)
	var names []string
	for _, c := range s.All() {
		if k := plain.Class(c); k == nil || !k.Equal(p.Class(c)) {
			names = append(names, p.Names.Class(c))
		}
	}
	return names
}
