package collected_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"winnow/internal/technique/techniquetest"
)

// TestTableVII: the programs that show bugs of Clover, Ekstazi and STARTS (Table VII of Zhu et al., ICSE 2019). testdata/tablevii.txt has the tests that each technique selects after the change; "missed" are tests that fail
// then and are not among them.
func TestTableVII(t *testing.T) {
	paths, err := filepath.Glob("../../check/cases/programs/*.txtar")
	if err != nil || len(paths) < 13 {
		t.Fatalf("%d programs, %v", len(paths), err)
	}
	want, err := os.ReadFile("testdata/tablevii.txt")
	if err != nil {
		t.Fatal(err)
	}
	revisions := techniquetest.Observe(t, merged(t, paths))
	var got strings.Builder
	for _, technique := range techniques {
		selected := techniquetest.Play(t, technique.make(), revisions)
		last := selected[len(selected)-1]
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), ".txtar")
			fmt.Fprintf(&got, "%-12s %-9s %s\n", technique.name, name, verdict(revisions[len(revisions)-1], last, own(name)))
		}
	}
	if got.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// own is what a program's packages have at the end of their names.
func own(program string) string { return strings.ReplaceAll(program, "-", "") }

// verdict lists the tests of a program that are selected, and those that should have been.
func verdict(r techniquetest.Revision, selected []string, of string) string {
	var hits, missed []string
	for _, run := range r.Runs {
		name, ok := strings.CutPrefix(run.Test.ID, "t"+of+".")
		if !ok {
			continue
		}
		_, method, _ := strings.Cut(name, ".")
		switch {
		case slices.Contains(selected, run.Test.ID):
			hits = append(hits, method)
		case !run.Passed:
			missed = append(missed, method)
		}
	}
	slices.Sort(hits)
	if len(missed) > 0 {
		return fmt.Sprintf("selected %v missed %v", hits, missed)
	}
	return fmt.Sprintf("selected %v", hits)
}

var packages = regexp.MustCompile(`\b([pqt])\.|(package [pqt]);|/p/`)

// merged makes one program of several, each with packages of its own, so that one JVM is enough.
func merged(t *testing.T, paths []string) string {
	t.Helper()
	out := &txtar.Archive{Comment: []byte("name tablevii\nseed 0\nrevision\nrevision same\nrevision\n")}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		own := own(strings.TrimSuffix(filepath.Base(path), ".txtar"))
		for _, f := range txtar.Parse(data).Files {
			parts := strings.Split(f.Name, "/") // 0/src/p/A.java
			name := fmt.Sprintf("%s/%s/%s%s/%s", parts[0], parts[1], parts[2], own, parts[3])
			text := packages.ReplaceAllStringFunc(string(f.Data), func(s string) string { return s[:len(s)-1] + own + s[len(s)-1:] })
			out.Files = append(out.Files, txtar.File{Name: name, Data: []byte(text)})
		}
	}
	return string(txtar.Format(out))
}
