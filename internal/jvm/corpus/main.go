// Corpus runs checks over class files that others compiled: every class of every artifact of package jvmtest, and of the run-time images of
// JDK 17 and JDK 25.
//
//	go run ./internal/jvm/corpus [-only name,...]
//
// A source is an artifact or a run-time image (jdk17, jdk25). One line is printed per source: its name, how many class files it has, which
// versions, how many have jsr or ret, their bytes, and how many failures; below it the failures. A closing line has the sums. Every class file
// counts, also module descriptors and those for other releases. The exit status is 1 if a check failed, if a source has no class or could not be
// read, or if a full run lacks what the list of artifacts is there for: the versions 45 to 49, each with jsr or ret.
//
// It is not a test of one thing: what is checked is the list in checks.go. Missing artifacts are downloaded; see package jvmtest for the
// variables that say where from and where to.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	err := run(os.Stdout, os.Stderr, os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(stdout, stderr io.Writer, args []string) error {
	flags := flag.NewFlagSet("corpus", flag.ContinueOnError)
	flags.SetOutput(stderr)
	only := flags.String("only", "", "check only the sources with these `names`, separated by commas")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	sources, err := choose(allSources(), *only)
	if err != nil {
		return err
	}
	sum := judge(stdout, newProgress(stderr), sources, checks)
	if *only == "" {
		sum.demand()
	}
	sum.print(stdout)
	if n := len(sum.failures); n > 0 {
		return fmt.Errorf("%d failures", n)
	}
	return nil
}

// choose returns the sources with the given names, all if there are none.
func choose(all []source, only string) ([]source, error) {
	if only == "" {
		return all, nil
	}
	byName := map[string]source{}
	var names []string
	for _, s := range all {
		byName[s.name] = s
		names = append(names, s.name)
	}
	var chosen []source
	for name := range strings.SplitSeq(only, ",") {
		s, ok := byName[name]
		if !ok {
			return nil, fmt.Errorf("no source is named %q; the names are %s", name, strings.Join(names, ", "))
		}
		chosen = append(chosen, s)
	}
	return chosen, nil
}
