package statements

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/semantics/minijvm"
)

// TestExamples checks every program of examples/lab: the claims hold, and the functions that it shows to be wrong are those that its comment names.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../../examples/lab/*.lab")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pair := readExample(t, filepath.Base(file))
		if f := newChecker(randomLimit).check(pair, strengthOf(minijvm.Missing)); f != nil {
			t.Errorf("%s: %s: %s", file, descriptions[f.Claim].claims, f.Detail)
		}
		var wrong []string
		for _, f := range minijvm.Functions() {
			if (Suspect{Function: f}).refuted(pair.Before, pair.After) {
				wrong = append(wrong, f.Name())
			}
		}
		if wrong == nil {
			wrong = []string{"none"}
		}
		if want := "# not safe: " + strings.Join(wrong, " ") + "\n"; !strings.Contains(string(text), want) {
			t.Errorf("%s: wrong functions are %v", file, wrong)
		}
	}
}
