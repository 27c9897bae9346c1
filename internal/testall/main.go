// Testall runs all tests of the module and closes with a count: how many passed, failed and were skipped, and for what reason. Plain `go test
// ./...` runs the same tests but keeps quiet about skips.
//
//	go run ./internal/testall [flags of go test]
//
// With WINNOW_NO_SKIPS set, as in CI, a skip is a failure.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
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
	out                     io.Writer
	passed, failed, skipped int
	reasons                 map[string]int
	output                  map[string][]string // of tests that have not ended
}

func run(args []string, out io.Writer) int {
	cmd := exec.Command("go", append(append([]string{"test", "-json", "-timeout", "40m"}, args...), "./...")...)
	cmd.Stderr = out
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(out, err)
		return 1
	}
	t := &tally{out: out, reasons: map[string]int{}, output: map[string][]string{}}
	lines := bufio.NewScanner(pipe)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		t.line(lines.Bytes())
	}
	failed := cmd.Wait() != nil || lines.Err() != nil
	return t.close(failed)
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
	switch e.Action {
	case "pass":
		t.passed++
	case "fail":
		t.failed++
		fmt.Fprint(t.out, strings.Join(output, ""))
	case "skip":
		t.skipped++
		t.reasons[reason(output)]++
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

func (t *tally) close(failed bool) int {
	var reasons []string
	for r, n := range t.reasons {
		reasons = append(reasons, fmt.Sprintf("skipped %d: %s", n, r))
	}
	slices.Sort(reasons)
	for _, r := range reasons {
		fmt.Fprintln(t.out, r)
	}
	fmt.Fprintf(t.out, "%d passed, %d failed, %d skipped\n", t.passed, t.failed, t.skipped)
	switch {
	case failed || t.failed > 0 || t.passed == 0:
		return 1
	case t.skipped > 0 && os.Getenv("WINNOW_NO_SKIPS") != "":
		fmt.Fprintln(t.out, "skips are failures here (WINNOW_NO_SKIPS)")
		return 1
	}
	return 0
}
