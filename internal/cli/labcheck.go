package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/report"
	"winnow/internal/semantics/minijvm"
	"winnow/internal/semantics/statements"
)

// What `winnow lab check` does by default: one block of the bound out of so many, and so many batches of random programs in each strength.
const (
	labEvery   = 10
	labBatches = 250
)

// errBroken is shown when the check went through and its answer is no.
var errBroken = errors.New("a statement does not hold")

func (a *app) labCheckCommand() *cobra.Command {
	l := &lab{app: a}
	c := &cobra.Command{
		Use:   "check",
		Short: "Check the statements about the safety of collection functions by running programs",
		Long: `Checks the statements of docs/proof.md on random programs and on a tenth of a documented bound, refutes Ekstazi as published, and refutes every collection function that
lacks a clause. Everything is checked in two strengths of well-formedness: as in the paper, and with members that may be missing.

--exhaustive checks the whole bound. What is done is kept in a progress file, and a run that was ended goes on from there; a progress file that is damaged is refused.

The exit code is 1 if a statement does not hold, or something that should be refuted is not. Counterexamples are shrunk and printed; saved to a file, ` + "`winnow lab run FILE`" + `
shows them.`,
		Example: `  winnow lab check
  winnow lab check --statement 5 --seed 7
  winnow lab check --exhaustive
  winnow lab check --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return l.check(c.Context()) },
	}
	f := c.Flags()
	f.Uint64Var(&l.flags.seed, "seed", 1, "make random programs from `SEED`")
	f.IntVar(&l.flags.statement, "statement", 0, "check only statement `N` (default: all)")
	f.IntVar(&l.flags.batches, "batches", labBatches, "check `N` batches of 200 random programs in each strength")
	f.BoolVar(&l.flags.exhaustive, "exhaustive", false, "check the whole bound")
	f.StringVar(&l.flags.progress, "progress", ".winnow-lab-progress", "with --exhaustive: the `FILE` that keeps what is done")
	f.IntVar(&l.flags.workers, "workers", 2, "use `N` cores")
	f.IntVar(&l.flags.boundSample, "bound-sample", labEvery, "without --exhaustive: check one block of the bound out of `N`")
	f.BoolVar(&l.flags.broken, "broken", false, "check a smart function without its clause for Calling, to see the check fail")
	if err := f.MarkHidden("broken"); err != nil {
		panic(err) // the flag does not exist: a mistake in this package
	}
	return c
}

// labChecked is the JSON of `winnow lab check`.
type labChecked struct {
	Schema     int              `json:"schema"`
	Command    string           `json:"command"`
	Exit       Exit             `json:"exit"`
	Seed       uint64           `json:"seed"`
	Statements []statements.Row `json:"statements"`
	Bound      *labBound        `json:"bound,omitempty"`
	Random     uint64           `json:"random_programs"`
	Unfinished uint64           `json:"unfinished"`
	Steps      uint64           `json:"steps"`
	Seconds    float64          `json:"seconds"`
}

// labBound says how much of the bound was checked.
type labBound struct {
	Programs      int     `json:"programs"`
	Neighbours    int     `json:"neighbours"`
	WellFormed    uint64  `json:"checked_missing"`
	Paper         uint64  `json:"checked_paper"`
	Blocks        int     `json:"blocks"`
	Resumed       int     `json:"blocks_done_before"`
	Whole         bool    `json:"whole"`
	Pairs         uint64  `json:"pairs"`
	PairsPaper    uint64  `json:"pairs_paper"`
	PerSecond     float64 `json:"pairs_per_second"`
	StepsInBound  uint64  `json:"steps"`
	SecondsOfThis float64 `json:"seconds_of_this_run"`
}

func (l *lab) checkFlags() error {
	switch {
	case l.flags.statement == 6:
		return usage("--statement 6: it is about a real JVM; `winnow lab lower` checks it")
	case l.flags.statement != 0 && !slices.Contains(statements.Statements(), l.flags.statement):
		return usage("--statement %d: want one of %v", l.flags.statement, statements.Statements())
	case l.flags.batches < 1 || l.flags.workers < 1 || l.flags.boundSample < 1:
		return usage("--batches, --workers and --bound-sample: want 1 or more")
	}
	return nil
}

func (l *lab) check(ctx context.Context) error {
	if err := l.checkFlags(); err != nil {
		return err
	}
	c := statements.Check{Seed: l.flags.seed, Statement: l.flags.statement, Workers: l.flags.workers, Batches: l.flags.batches, Report: l.reporter(),
		Bound: statements.Exhaustive{Every: l.flags.boundSample}}
	if l.flags.exhaustive {
		c.Bound = statements.Exhaustive{Every: 1, Progress: l.inDir(l.flags.progress)}
	}
	if l.flags.broken {
		c.Lacking = minijvm.Smart().Lacking(minijvm.AtCalling)
	}
	table, err := c.Run(ctx)
	l.clearLine()
	if errors.Is(err, statements.ErrProgress) {
		return &fault{ExitProject, err}
	}
	if errors.Is(err, context.Canceled) && l.flags.exhaustive {
		fmt.Fprintf(l.Err, "winnow: what is done is in %s; the same command goes on from there\n", l.flags.progress)
	}
	if err != nil {
		return err
	}
	return l.showTable(table)
}

func (l *lab) inDir(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(l.Dir, name)
}

// reporter shows what is being done: on a terminal at most ten times a second, elsewhere twice a minute.
func (l *lab) reporter() func(string) {
	var last time.Time
	pause := 30 * time.Second
	if l.Terminal {
		pause = 100 * time.Millisecond
	}
	return func(text string) {
		if time.Since(last) < pause {
			return
		}
		if last.IsZero() && !l.Terminal {
			last = time.Now()
			return
		}
		last = time.Now()
		if l.Terminal {
			fmt.Fprintf(l.Err, "\r\x1b[K%s", text)
		} else {
			fmt.Fprintln(l.Err, text)
		}
	}
}

func (l *lab) clearLine() {
	if l.Terminal {
		fmt.Fprint(l.Err, "\r\x1b[K")
	}
}

func (l *lab) showTable(t *statements.Table) error {
	out := &labChecked{Schema: report.Schema, Command: "lab check", Seed: l.flags.seed, Statements: t.Rows, Random: t.Random, Unfinished: t.Unfinished, Steps: t.Ran, Seconds: t.Took.Seconds()}
	if !t.OK() {
		out.Exit = ExitTests
	}
	if b := t.Bounded; b != nil {
		out.Bound = &labBound{Programs: b.Programs, Neighbours: b.Neighbours, WellFormed: b.WellFormed(minijvm.Missing), Paper: b.WellFormed(minijvm.Paper), Blocks: b.Blocks, Resumed: b.Resumed,
			Whole: l.flags.exhaustive || l.flags.boundSample == 1, Pairs: b.Pairs(minijvm.Missing), PairsPaper: b.Pairs(minijvm.Paper), PerSecond: float64(b.Checked) / b.Took.Seconds(),
			StepsInBound: b.Ran, SecondsOfThis: b.Took.Seconds()}
	}
	style, err := l.style()
	if err != nil {
		return err
	}
	if l.app.flags.json {
		err = writeJSON(l.Out, out)
	} else {
		err = out.text(l.Out, style)
	}
	if err == nil && out.Exit != ExitOK {
		fmt.Fprintf(l.Err, "winnow: %v\n", errBroken)
		return quit{out.Exit}
	}
	return err
}

func (x *labChecked) text(w io.Writer, style report.Style) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-9s  %-86s  %-7s  %10s  %11s  %11s  %12s  %s\n", "statement", "claim", "form", "programs", "pairs", "held", "steps", "result")
	for _, r := range x.Statements {
		result := style.Green(r.Result)
		if !r.OK {
			result = style.Red(r.Result)
		}
		place := ""
		if r.Place != "" {
			place = " (" + r.Place + ")"
		}
		fmt.Fprintf(&b, "%-9s  %-86s  %-7s  %10s  %11s  %11s  %12s  %s\n", fmt.Sprint(r.Statement)+place, r.Claim, r.Strength, many(r.Programs), many(r.Pairs), many(r.Held), many(r.Steps), result)
	}
	x.figures(&b)
	for _, r := range x.Statements {
		if r.Pair != "" && (!r.OK || r.Statement == 5) {
			fmt.Fprintf(&b, "\nStatement %d, %s: %s\n%s", r.Statement, r.Result, detail(r), r.Pair)
			fmt.Fprintf(&b, "Again: %s\n", r.Repeat)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func detail(r statements.Row) string {
	if r.Detail != "" {
		return r.Detail
	}
	return "a shrunk counterexample"
}

// figures says how much was checked.
func (x *labChecked) figures(b *strings.Builder) {
	b.WriteString("\n")
	if n := x.Bound; n != nil {
		part := "the whole bound"
		if !n.Whole {
			part = "a part of the bound"
		}
		fmt.Fprintf(b, "%s: %s of %s pairs of well-formed programs (%s as in the paper), in %d blocks", part, many(n.Pairs), many(uint64(n.Programs)*uint64(n.Neighbours)), many(n.PairsPaper), n.Blocks)
		if n.Resumed > 0 {
			fmt.Fprintf(b, ", %d of them done before", n.Resumed)
		}
		fmt.Fprintf(b, "; %s pairs/s\n", many(uint64(n.PerSecond)))
	}
	if x.Random > 0 {
		fmt.Fprintf(b, "%s random programs, seed %d; %s programs did not end and were left out; %s steps in all\n", many(x.Random), x.Seed, many(x.Unfinished), many(x.Steps))
	}
	fmt.Fprintf(b, "%.0f s\n", x.Seconds)
}

// many writes a number with spaces between thousands; none is a dash.
func many(n uint64) string {
	if n == 0 {
		return "-"
	}
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}
