package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/internal/check/subject"
	"winnow/internal/report"
	"winnow/internal/semantics/lower"
	"winnow/internal/semantics/minijvm"
)

// lowerFlags are the flags of `winnow lab lower`.
type lowerFlags struct {
	programs, alone, first int
	seed                   uint64
	jdk                    int
}

func (a *app) labLowerCommand() *cobra.Command {
	l := &lab{app: a}
	var flags lowerFlags
	c := &cobra.Command{
		Use:   "lower [FILE]",
		Short: "Run programs of the small JVM on a real one, under Winnow's agent",
		Long: `Writes programs of the small JVM out as class files, runs them on a real JVM under Winnow's agent, and compares: they must end as the small JVM says, and Winnow's record of
each test must have every class that the smart function collects. A test runs twice in its JVM, but for programs with a JVM of their own.

FILE is a program of the small JVM; a change in it runs too. Without a file, programs are random: many in one JVM, each in its own class loader, and some each alone in a
fresh JVM. Runs that meet a known difference between the two machines (docs/proof.md) are counted and not compared.

The exit code is 1 if the two disagree, and 3 if the file cannot be used. A program on which they disagree is shrunk and printed.`,
		Example: `  winnow lab lower
  winnow lab lower --programs 10000 --alone 500 --jdk 25
  winnow lab lower examples/lab/figure1.lab
  winnow lab lower --seed 1 --first 56 --programs 1 --alone 0`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("`winnow lab lower` takes one file; `winnow lab lower --help` has examples")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return l.lower(c.Context(), flags, args) },
	}
	f := c.Flags()
	f.IntVar(&flags.programs, "programs", 300, "run `N` random programs, many in one JVM")
	f.IntVar(&flags.alone, "alone", 5, "run `N` random programs each alone in a JVM")
	f.Uint64Var(&flags.seed, "seed", 1, "make random programs from `SEED`")
	f.IntVar(&flags.first, "first", 0, "begin with the random program of this `NUMBER`")
	f.IntVar(&flags.jdk, "jdk", 17, "use a JDK of this feature `VERSION`")
	return c
}

// labLowered is the JSON of `winnow lab lower`.
type labLowered struct {
	Schema  int               `json:"schema"`
	Command string            `json:"command"`
	Exit    Exit              `json:"exit"`
	JDK     string            `json:"jdk"`
	Seed    uint64            `json:"seed"`
	Checked []labLoweredPart  `json:"checked"`
	Wrong   []labDisagreement `json:"disagreements"`
}

// labLoweredPart is what ran in one way.
type labLoweredPart struct {
	How        string         `json:"how"`
	Programs   int            `json:"programs"`
	Runs       int            `json:"runs"`
	Raised     int            `json:"raised"`
	Steps      int            `json:"steps"`
	Unfinished int            `json:"unfinished"`
	SetAside   map[string]int `json:"set_aside"`
	Classes    int            `json:"classes"`
	Smart      int            `json:"smart"`
	Collected  int            `json:"collected"`
	Seconds    float64        `json:"seconds"`
}

// labDisagreement is a program on which the semantics and the real JVM disagree.
type labDisagreement struct {
	Number  int      `json:"number"`
	What    []string `json:"what"`
	Program string   `json:"program"`
	Repeat  string   `json:"repeat"`
}

func (l *lab) lower(ctx context.Context, flags lowerFlags, args []string) (err error) {
	if flags.programs < 0 || flags.alone < 0 || flags.first < 0 || flags.programs+flags.alone == 0 {
		return usage("--programs, --alone and --first: want 0 or more, and some programs")
	}
	var cases []*lower.Case
	if len(args) == 1 {
		if cases, err = l.lowerCases(args[0]); err != nil {
			return err
		}
	}
	jdk, err := subject.FindJDK(flags.jdk, os.Getenv)
	if err != nil {
		return usage("--jdk %d: there is no JDK of this version; set JAVA_HOME to one", flags.jdk)
	}
	scratch, err := os.MkdirTemp("", "winnow-lab-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	bench, err := lower.Open(ctx, jdk, scratch)
	if err != nil {
		return err
	}
	out := &labLowered{Schema: report.Schema, Command: "lab lower", JDK: jdk, Seed: flags.seed, Wrong: []labDisagreement{}}
	if len(args) == 1 {
		err = l.lowerFile(ctx, bench, args[0], cases, out)
	} else {
		err = l.lowerRandom(ctx, bench, flags, out)
	}
	l.clearLine()
	if err != nil {
		return err
	}
	return l.showLowered(out)
}

// lowerCases reads the programs of a file.
func (l *lab) lowerCases(name string) ([]*lower.Case, error) {
	pair, err := l.read(name)
	if err != nil {
		return nil, err
	}
	var cases []*lower.Case
	for _, p := range []*minijvm.Program{pair.Before, pair.After} {
		if p == nil {
			continue
		}
		predicted, err := lower.Predict(p, true)
		if err != nil {
			return nil, &fault{ExitProject, fmt.Errorf("%s: %w", name, err)}
		}
		cases = append(cases, &lower.Case{Number: len(cases), Program: p, Predicted: predicted})
	}
	return cases, nil
}

// lowerFile runs the programs of a file.
func (l *lab) lowerFile(ctx context.Context, bench *lower.Lab, name string, cases []*lower.Case, out *labLowered) error {
	got, err := bench.Run(ctx, cases, true)
	if errors.Is(err, lower.ErrNotLowerable) {
		return &fault{ExitProject, fmt.Errorf("%s: %w", name, err)}
	}
	if err != nil {
		return err
	}
	r := lower.NewReport()
	for i, c := range cases {
		r.Add(0, c, got[i])
	}
	out.add("programs of "+filepath.Base(name), r, func(int) string { return "winnow lab lower " + name })
	return nil
}

// lowerRandom runs random programs in both ways.
func (l *lab) lowerRandom(ctx context.Context, bench *lower.Lab, flags lowerFlags, out *labLowered) error {
	for _, way := range []struct {
		how      string
		programs int
		alone    bool
	}{{"many in a JVM", flags.programs, false}, {"each alone in a JVM", flags.alone, true}} {
		if way.programs == 0 {
			continue
		}
		show := l.reporter()
		r, err := bench.Check(ctx, lower.Config{Programs: way.programs, Alone: way.alone, Seed: flags.seed, First: flags.first,
			Progress: func(r *lower.Report) { show(fmt.Sprintf("%s: %d of %d programs", way.how, r.Programs, way.programs)) }})
		if err != nil {
			return err
		}
		if len(r.Disagreements) > 0 {
			if r.Disagreements[0], err = bench.Shrink(ctx, r.Disagreements[0], way.alone); err != nil {
				return err
			}
		}
		out.add(way.how, r, func(n int) string {
			return fmt.Sprintf("winnow lab lower --jdk %d --seed %d --first %d %s", flags.jdk, flags.seed, n, map[bool]string{false: "--programs 1 --alone 0", true: "--programs 0 --alone 1"}[way.alone])
		})
	}
	return nil
}

func (x *labLowered) add(how string, r *lower.Report, repeat func(number int) string) {
	x.Checked = append(x.Checked, labLoweredPart{How: how, Programs: r.Programs, Runs: r.Runs, Raised: r.Raised, Steps: r.Steps, Unfinished: r.Unfinished, SetAside: r.SetAside,
		Classes: r.Classes, Smart: r.Smart, Collected: r.Collected, Seconds: r.Time.Seconds()})
	for _, d := range r.Disagreements {
		x.Exit = ExitTests
		x.Wrong = append(x.Wrong, labDisagreement{Number: d.Number, What: d.What, Program: d.Program.String(), Repeat: repeat(d.Number)})
	}
}

func (l *lab) showLowered(out *labLowered) error {
	var err error
	if l.app.flags.json {
		err = writeJSON(l.Out, out)
	} else {
		err = out.text(l.Out)
	}
	if err == nil && out.Exit != ExitOK {
		fmt.Fprintf(l.Err, "winnow: %v\n", errDisagree)
		return quit{out.Exit}
	}
	return err
}

// errDisagree is shown when everything ran and the answer is no.
var errDisagree = errors.New("the small JVM and the real one disagree")

func (x *labLowered) text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "JDK           %s\n", x.JDK)
	for _, p := range x.Checked {
		fmt.Fprintf(&b, "%s\n", p.How)
		fmt.Fprintf(&b, "  programs    %d, of %s steps; %d more did not end and were left out\n", p.Programs, many(uint64(p.Steps)), p.Unfinished)
		fmt.Fprintf(&b, "  runs        %d, of which %d raise an exception\n", p.Runs, p.Raised)
		for _, id := range slices.Sorted(maps.Keys(p.SetAside)) {
			fmt.Fprintf(&b, "  set aside   %d runs: %s\n", p.SetAside[id], id)
		}
		fmt.Fprintf(&b, "  classes     %d; smart %d; in the records %d\n", p.Classes, p.Smart, p.Collected)
		fmt.Fprintf(&b, "  time        %.0f s\n", p.Seconds)
	}
	fmt.Fprintf(&b, "disagreements %d\n", len(x.Wrong))
	for _, d := range x.Wrong {
		fmt.Fprintf(&b, "\nprogram %d\n  %s\n%sAgain: %s\n", d.Number, strings.Join(d.What, "\n  "), d.Program, d.Repeat)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
