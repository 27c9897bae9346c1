// Testall runs all tests of the module and closes with a count: how many passed, failed and were skipped, and for what reason. Plain `go test
// ./...` runs the same tests but keeps quiet about skips.
//
//	go run ./internal/testall [--again] [flags of go test]
//
// With --again a package that fails is tested once more, alone; if it passes then, the last lines call it unstable. With WINNOW_NO_SKIPS set, as
// in CI, a skip is a failure.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout)) }

// event is a line of `go test -json`.
type event struct {
	Action, Package, Test, Output string
	FailedBuild, ImportPath       string
}

// tally counts the tests; subtests count too.
type tally struct {
	out      io.Writer
	packages map[string]*count
	output   map[string][]string // of tests that have not ended
	failed   bool                // a run ended with an error
	unstable []string            // packages that passed when tested once more
}

// count is what the tests of a package came to.
type count struct {
	passed, failed, skipped int
	broken                  bool // the package failed, perhaps outside of any test
	reasons                 []string
}

func newTally(out io.Writer) *tally {
	return &tally{out: out, packages: map[string]*count{}, output: map[string][]string{}}
}

func run(args []string, out io.Writer) int {
	again := len(args) > 0 && args[0] == "--again"
	if again {
		args = args[1:]
	}
	t := newTally(out)
	t.test(args, "./...")
	if again {
		t.again(args)
	}
	return t.close()
}

// test runs go test and counts.
func (t *tally) test(args []string, packages ...string) {
	cmd := exec.Command("go", slices.Concat([]string{"test", "-json", "-timeout", "40m"}, args, packages)...)
	cmd.Stderr = t.out
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(t.out, err)
		t.failed = true
		return
	}
	lines := bufio.NewScanner(pipe)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		t.line(lines.Bytes())
	}
	if cmd.Wait() != nil || lines.Err() != nil {
		t.failed = true
	}
}

// again tests the packages that failed once more, one after the other. What they came to then is what counts.
func (t *tally) again(args []string) {
	broken := t.broken()
	if len(broken) == 0 {
		return // all is well, or what failed was no test
	}
	fmt.Fprintf(t.out, "FAILED, tested once more: %s\n", strings.Join(broken, " "))
	for _, p := range broken {
		delete(t.packages, p)
	}
	clear(t.output)
	t.failed = false
	t.test(append(slices.Clone(args), "-count=1", "-p=1"), broken...)
	still := t.broken()
	t.unstable = slices.DeleteFunc(broken, func(p string) bool { return slices.Contains(still, p) })
}

func (t *tally) broken() []string {
	var names []string
	for name, c := range t.packages {
		if c.broken {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (t *tally) of(name string) *count {
	c := t.packages[name]
	if c == nil {
		c = &count{}
		t.packages[name] = c
	}
	return c
}

func (t *tally) line(line []byte) {
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		fmt.Fprintf(t.out, "%s\n", line)
		return
	}
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		if e.Test == "" {
			t.packageLine(e.Output)
			return
		}
		t.output[key] = append(t.output[key], e.Output)
	case "build-output":
		fmt.Fprint(t.out, e.Output)
	case "pass", "fail", "skip":
		if e.Test != "" {
			t.ended(e, t.output[key])
			delete(t.output, key)
		} else if e.Action == "fail" {
			t.of(e.Package).broken = true
		}
	}
}

// packageLine shows what go test says about a package, without the noise of -json.
func (t *tally) packageLine(s string) {
	if s != "PASS\n" && !strings.HasPrefix(s, "testing: warning: no tests to run") {
		fmt.Fprint(t.out, s)
	}
}

func (t *tally) ended(e event, output []string) {
	c := t.of(e.Package)
	switch e.Action {
	case "pass":
		c.passed++
	case "fail":
		c.failed++
		fmt.Fprint(t.out, strings.Join(output, ""))
	case "skip":
		c.skipped++
		c.reasons = append(c.reasons, reason(output))
	}
}

// reason finds the words of a skip: the line that names a file, or the last one.
func reason(output []string) string {
	for _, line := range output {
		if i := strings.Index(line, "needs "); i >= 0 {
			return strings.TrimSpace(line[i:])
		}
	}
	return strings.TrimSpace(strings.Join(output, " "))
}

func (t *tally) close() int {
	var passed, failed, skipped int
	reasons := map[string]int{}
	for _, c := range t.packages {
		passed, failed, skipped = passed+c.passed, failed+c.failed, skipped+c.skipped
		for _, r := range c.reasons {
			reasons[r]++
		}
	}
	for _, r := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(t.out, "skipped %d: %s\n", reasons[r], r)
	}
	for _, p := range t.unstable {
		fmt.Fprintf(t.out, "UNSTABLE, failed once and passed when repeated: %s\n", p)
	}
	fmt.Fprintf(t.out, "%d passed, %d failed, %d skipped\n", passed, failed, skipped)
	switch {
	case t.failed || failed > 0 || passed == 0:
		return 1
	case skipped > 0 && os.Getenv("WINNOW_NO_SKIPS") != "":
		fmt.Fprintln(t.out, "skips are failures here (WINNOW_NO_SKIPS)")
		return 1
	}
	return 0
}
