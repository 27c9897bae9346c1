package cli

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"winnow/internal/semantics/generate"
	"winnow/internal/semantics/lower"
	"winnow/internal/semantics/statements"
)

// labOutput runs the program and returns what it writes.
func labOutput(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	m := Machine{Out: &out, Err: &out, Getenv: func(string) string { return "" }, Dir: "../.."}
	if code := Main(append([]string{"lab"}, args...), m); code != 0 {
		t.Fatalf("winnow lab %v ends with %d:\n%s", args, code, out.String())
	}
	return out.String()
}

// TestProofIsUpToDate checks what docs/proof.md says that a command can say: the run of Figure 1, the claims, the size of the bound.
func TestProofIsUpToDate(t *testing.T) {
	text, err := os.ReadFile("../../docs/proof.md")
	if err != nil {
		t.Fatal(err)
	}
	run := labOutput(t, "run", "examples/lab/figure1.lab")
	_, judged, _ := strings.Cut(run, "The test, by what was collected before the change:\n")
	b := generate.NewBound()
	bound := fmt.Sprintf("That makes %s programs with %d changes each: %s pairs, well-formed or not.", many(uint64(b.Programs())), b.Neighbours(), many(uint64(b.Programs()*b.Neighbours())))
	for _, want := range []string{
		"<!-- trace -->\n```\n" + labOutput(t, "trace", "--brief", "examples/lab/figure1.lab") + "```\n",
		"<!-- run -->\n```\n" + judged + "```\n",
		"<!-- bound -->\n" + bound + "\n",
		fmt.Sprintf("removed in turn, %d functions.", len(statements.Suspects())),
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("docs/proof.md does not have\n%s", want)
		}
	}
	for _, d := range lower.Differences() {
		if want := fmt.Sprintf("| %s | %s | %s | %s |\n", d.ID, d.Summary, d.Small, d.Real); !strings.Contains(string(text), want) {
			t.Errorf("docs/proof.md does not have\n%s", want)
		}
	}
	for _, c := range statements.Claims() {
		if want := fmt.Sprintf("| %d | %s | %s |\n", c.Statement, c.Place, c.Claim); !strings.Contains(string(text), want) {
			t.Errorf("docs/proof.md does not have\n%s", want)
		}
	}
}
