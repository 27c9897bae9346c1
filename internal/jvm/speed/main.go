// Speed measures what Winnow costs on a Maven project, as ratios against plain Maven.
//
//	go run ./internal/jvm/speed [-n 7] [-maven "ARGUMENTS"] [-winnow FILE] DIR
//
// DIR is a project, a clone that nothing else uses: its target directories are written, nothing else is. Store and cache of Winnow are in a directory of
// their own. The program that is measured is built from this module.
//
// A round runs these, one after the other, so that what the machine does besides meets all of them alike:
//
//	plain     mvn test
//	record    winnow test, without a store, with libraries that are instrumented already
//	shortcut  winnow test, when nothing has changed: the answer without Maven
//	compile   mvn test -DskipTests: compiling without running tests
//	nothing   winnow test --no-shortcut, when nothing has changed
//
// Every test execution compiles first, from what the run before left, so that all of them find the classes up to date. One run of plain Maven comes before the first
// round. After it comes the first run of Winnow, which also instruments the libraries; it is printed apart.
//
// A ratio is made in each round, and the median of the ratios is printed with an interval: it contains the true median with the probability that
// is printed with it, whatever the distribution is. The processor time of a command has that of all its children.
//
// A round of which a run does not do what it stands for, because tests fail or run every time, is told: its figures stand for something else then.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Stdout, os.Stderr, os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, stdout, stderr io.Writer, args []string) (err error) {
	flags := flag.NewFlagSet("speed", flag.ContinueOnError)
	flags.SetOutput(stderr)
	n := flags.Int("n", 7, "number of rounds")
	maven := flags.String("maven", "-q -o", "`arguments` that every run of Maven gets, separated by blanks")
	binary := flags.String("winnow", "", "the `file` to measure; built from this module if not given")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || *n < 1 {
		return errors.New("one directory and at least one round are needed; see go doc ./internal/jvm/speed")
	}
	dir, err := filepath.Abs(flags.Arg(0))
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "winnow-speed-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	m := &measurement{dir: dir, scratch: scratch, maven: strings.Fields(*maven), winnow: *binary, progress: stderr}
	if m.winnow == "" {
		if m.winnow, err = build(ctx, scratch); err != nil {
			return err
		}
	}
	if err := m.rounds(ctx, *n); err != nil {
		return err
	}
	return m.show(stdout)
}
