package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/compare"
	"winnow/internal/jvm/jvmtest"
	"winnow/internal/safety"
)

// TestCompare records two revisions and lets every technique go through them; a second call records nothing more.
func TestCompare(t *testing.T) {
	dir, commit := mavenProject(t)
	// A class file for the loaders of jars, which in a directory is nobody's.
	jvmtest.WriteClasses(t, filepath.Join(dir, "src/main/resources/META-INF/versions/9"), jvmtest.Javac(t, os.Getenv("JAVA_HOME"), map[string]string{"p/A.java": "package p; class A {}"}))
	commit(source, "return 2;", "return one() + 1;")
	t.Setenv("WINNOW_CACHE", t.TempDir())
	invoke(t, safety.Rules{}, dir, "compare", "--technique", "nosuch").want(t, ExitUsage)
	page := filepath.Join(t.TempDir(), "page.html")
	first := invoke(t, safety.Rules{}, dir, "compare", "--last", "1", "--measure", "--json", "--html", page, "--", "-q")
	first.want(t, ExitOK)
	var got struct{ Projects []compare.Project }
	if err := json.Unmarshal([]byte(first.out), &got); err != nil || len(got.Projects) != 1 {
		t.Fatalf("%v\n%s", err, first.out)
	}
	lines := map[string]compare.Line{}
	for _, l := range got.Projects[0].Lines {
		lines[l.Technique] = l
	}
	for _, c := range comparedTechniques() {
		l, ok := lines[c.Name]
		want := 2 // the whole class
		if slices.Contains([]string{"clover", "retest-methods", "retest-types", "retest", "methods"}, c.Name) {
			want = 1 // the test of the changed method
		}
		if !ok || l.Failed != "" || l.SelectedTests != want || l.Tests != 2 || len(l.Missed) > 0 || l.Ours != 0 {
			t.Errorf("%s: %+v, want %d tests", c.Name, l, want)
		}
		if slices.Contains(measured, c.Name) != (l.Measured > 0) {
			t.Errorf("%s: measured %v s", c.Name, l.Measured)
		}
	}
	if s := got.Projects[0].Study; s.Methods != 1 || s.OnAllPaths != 1 {
		t.Errorf("study %+v", s)
	}
	if data, err := os.ReadFile(page); err != nil || !strings.Contains(string(data), "jcgeks-ne") {
		t.Errorf("the page: %v", err)
	}
	interrupted(t)
	repeated := invoke(t, safety.Rules{}, dir, "compare", "--last", "1", "--no-loss", "--json", "--technique", "methods", "--", "-q")
	repeated.want(t, ExitOK)
	if err := json.Unmarshal([]byte(repeated.out), &got); err != nil || len(got.Projects) != 1 || got.Projects[0].Lines[1].SelectedTests != 1 {
		t.Errorf("a revision that was interrupted is not compared as if it had not been: %v\n%s", err, repeated.out)
	}
	again := invoke(t, safety.Rules{}, dir, "compare", "--last", "1", "--no-loss", "--technique", "jcgeks", "--", "-q")
	again.want(t, ExitOK, "jcgeks", "100.0%")
	if strings.Contains(again.out, "starts") {
		t.Errorf("a technique that was not asked for:\n%s", again.out)
	}
}

// interrupted makes the last revision one whose tests ran and that was not kept.
func interrupted(t *testing.T) {
	t.Helper()
	kept, err := filepath.Glob(filepath.Join(os.Getenv("WINNOW_CACHE"), "compare", "*", "revisions", "*", "revision.json"))
	if err != nil || len(kept) != 2 {
		t.Fatal(kept, err)
	}
	slices.SortFunc(kept, func(a, b string) int { return changed(t, a).Compare(changed(t, b)) })
	if err := os.Remove(kept[1]); err != nil {
		t.Fatal(err)
	}
}

func changed(t *testing.T, file string) time.Time {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}

// TestPaperDecides lets a technique of a paper decide: it knows what it was told at earlier runs, and what it leaves out without a proof is named.
func TestPaperDecides(t *testing.T) {
	dir, _ := mavenProject(t)
	run := func(code Exit, texts ...string) {
		t.Helper()
		invoke(t, safety.Rules{}, dir, "test", "--technique", "clover", "--", "-q").want(t, code, texts...)
	}
	run(ExitOK, "2 passed")
	run(ExitOK, "clover, as its paper has it, decides")
	// A field is nothing that it looks at.
	replace(t, filepath.Join(dir, source), "return 2;", "return TWO;")
	replace(t, filepath.Join(dir, source), "class A {", "class A { static int TWO = 2;")
	run(ExitOK, "Ran 1 test")
	replace(t, filepath.Join(dir, source), "TWO = 2;", "TWO = 3;")
	run(ExitOK, "leaves out 2 tests that the default would run: p.ATest#one(), p.ATest#two()", "2 left out by clover without a proof")
	invoke(t, safety.Rules{}, dir, "verify").want(t, ExitProof, "there is no proof")
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitTests, "1 failed")
}
