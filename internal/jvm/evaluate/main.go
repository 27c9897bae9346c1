// Evaluate judges Winnow on Maven projects that others wrote, with their own histories.
//
//	go run ./internal/jvm/evaluate [-quick] [-revisions n] [-mutants n] [-project name,...] [-winnow file] [-table] DIR
//
// The reader makes the clones and lists them in DIR/projects.json: an array of objects with
//
//	name   how the project is called in the results
//	clone  path of a clone with its history
//	tip    the last revision to look at
//	maven  arguments that every Maven run of the project gets (optional)
//	about  what the project adds to the evaluation (optional)
//
// A revision is code-changing if it changes a line of a Java, Kotlin, Groovy or Scala file that is neither blank nor a comment. The eleven last
// code-changing revisions on the first-parent history of the tip are looked at: the first of them is the base, the others are the revisions. A
// shorter evaluation looks at the base and the revisions next to it, so that a longer one can go on from there.
//
// For each project: three plain runs of Maven at the base, which find unstable tests; a first run of Winnow, which must give the same outcomes; then for
// the base and each revision a plain run, a run under the judge, a run of Winnow, and a second run of Winnow on the same files. At the last revision, mutants. Plain runs, runs
// under the judge and runs of Winnow have a clone each. What a run executed and how it ended is read from Surefire's reports, never from what Winnow says.
//
// The judge shares nothing with Winnow. A method differs between two revisions if ASM's listing of it does, without debug information. A test class executes a method
// if JaCoCo says so, with one JVM per test class. A miss is one of:
//
//   - a test class that executes a method that differs, at the old revision in its old form or at the new one in its new form, and of which Winnow ran no test;
//   - a test that passes at one revision, fails at the next one, and that Winnow did not run there;
//   - a test that Winnow ran with another outcome than plain Maven, and that two more plain runs do not show to be unstable;
//   - a mutant that is killed by a test that was not selected for it.
//
// A test class is not run under the judge again if JaCoCo saw it execute nothing in a class file that changed since, and nothing else changed that could make it
// go another way: no interface or annotation, and no file but sources and documentation. What it executed before stands.
//
// JaCoCo does not see a method that throws before its first probe, and ASM does not see fields, annotations and resources: the judge can miss a miss.
//
// Every step leaves a file in DIR/results. A step that has one is not repeated, so an interrupted evaluation goes on where it was. When
// all steps are done, or with -table at once, the table is printed. The exit status is 1 if there is a miss.
//
// It is not a benchmark: the times are wall times of single runs. Maven is the mvn of the PATH, Java what Maven uses.
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
		fmt.Fprintln(os.Stderr, "evaluate:", err)
		os.Exit(1)
	}
}

// A plan says how much is done.
type plan struct {
	projects, revisions, mutants int
}

// most is how many revisions a full evaluation looks at, after the base.
const most = 10

var (
	full  = plan{projects: 1000, revisions: most, mutants: 200}
	quick = plan{projects: 3, revisions: 3, mutants: 50}
)

// errMisses ends a run that found misses.
var errMisses = errors.New("there are misses")

func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	flags := flag.NewFlagSet("evaluate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	short := flags.Bool("quick", false, "only the first three projects, three revisions, 50 mutants")
	only := flags.String("project", "", "only the projects with these `names`, separated by commas")
	binary := flags.String("winnow", "", "the `file` to judge; built from this module if not given")
	table := flags.Bool("table", false, "only print the table of what is there")
	revisions := flags.Int("revisions", -1, "look at `N` revisions after the base, 10 at most; 0 compares only the first runs")
	mutants := flags.Int("mutants", -1, "try `N` mutants")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("one directory is needed; see go doc ./internal/jvm/evaluate")
	}
	dir, err := filepath.Abs(flags.Arg(0))
	if err != nil {
		return err
	}
	p := full
	if *short {
		p = quick
	}
	if err := p.adjust(*revisions, *mutants); err != nil {
		return err
	}
	all, err := readList(filepath.Join(dir, "projects.json"))
	if err != nil {
		return err
	}
	projects, err := choose(all, *only, p.projects)
	if err != nil {
		return err
	}
	e := &evaluation{dir: dir, plan: p, out: stderr, winnow: *binary}
	if !*table {
		if err := e.run(ctx, projects); err != nil {
			return err
		}
	}
	return e.table(stdout, projects)
}

// batch is how many mutants are tried in one step: an interrupted step is lost, and each step runs all tests without a mutant first.
const batch = 50

// batches are the numbers of mutants in the steps that try them.
func (p plan) batches() []int {
	var all []int
	for left := p.mutants; left > 0; left -= batch {
		all = append(all, min(left, batch))
	}
	return all
}

// adjust takes the numbers that were given on the command line; -1 stands for none.
func (p *plan) adjust(revisions, mutants int) error {
	if revisions > most || revisions < -1 || mutants < -1 {
		return fmt.Errorf("-revisions is a number from 0 to %d, -mutants one from 0", most)
	}
	if revisions >= 0 {
		p.revisions = revisions
	}
	if mutants >= 0 {
		p.mutants = mutants
	}
	return nil
}

// choose returns the named projects, or the first ones.
func choose(all []project, only string, most int) ([]project, error) {
	if only == "" {
		return all[:min(most, len(all))], nil
	}
	var chosen []project
	for name := range strings.SplitSeq(only, ",") {
		p, ok := find(all, name)
		if !ok {
			return nil, fmt.Errorf("no project is named %q", name)
		}
		chosen = append(chosen, p)
	}
	return chosen, nil
}
