//go:build deep

package cli

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"winnow/internal/audit"
	"winnow/internal/jvm/jvmtest"
	"winnow/internal/safety"
	"winnow/internal/technique/methods"
	"winnow/internal/testenv"
)

// These tests run Maven many times and take minutes.

// TestMutantOnMiss switches the rule off that bodies of methods count: what is left out wrongly then must be noticed on a mutant.
func TestMutantOnMiss(t *testing.T) {
	dir, _ := mavenProject(t)
	broken := safety.Without(methods.Bodies)
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitOK, "2 passed")
	before := listing(t, dir)
	i := invoke(t, broken, dir, "audit", "--json", "--repeat", aCase(t, mutant), "--", "-q")
	i.want(t, ExitMissed, `"missed_mutants": 1`, `"p.ATest#two() on `+mutant)
	if !strings.Contains(i.err, "MISSED p.ATest#two() was left out: passed before, failed now on "+mutant) {
		t.Errorf("the miss was not told at once:\n%s", i.err)
	}
	if after := listing(t, dir); after != before+"audit/1 " {
		t.Errorf("the project changed from\n%s\nto\n%s", before, after)
	}
}

func TestAudit(t *testing.T) {
	dir, commit := mavenProject(t)
	all, broken := safety.Rules{}, safety.Without(methods.Bodies)
	i := invoke(t, all, dir, "audit", "--mutate", "5", "--seed", "3", "--", "-q")
	i.want(t, ExitOK, "no test was missed", "seed 3, classes: 1")
	invoke(t, all, dir, "audit", "--repeat", aCase(t, mutant), "--", "-q").want(t, ExitOK, "1 killed", "no test was missed")

	commit(source, "return 2", "return 1")
	commit(source, "return 1", "return 2")
	commit(source, "return 2", "return  // broken")
	invoke(t, all, dir, "audit", "--last", "9", "--", "-q").want(t, ExitOK, "3 of 3, of which 1 could not be built", "2 tests · 1 selected · 1 left out · 1 failed · 0 missed")
	invoke(t, broken, dir, "audit", "--last", "2", "--", "-q").want(t, ExitMissed, "MISSED", "repeat    winnow audit --repeat .winnow/audit/1/case.json")
	invoke(t, broken, dir, "audit", "--repeat", ".winnow/audit/1").want(t, ExitMissed, "MISSED")
	invoke(t, all, dir, "audit", "--repeat", ".winnow/audit/1").want(t, ExitOK, "no test was missed")
	invoke(t, all, dir, "audit", "--mutate", "1", "--", "-q").want(t, ExitBuild)
}

// TestDoctor examines a project in which tests leave state to others. What is passed on with the state is no loss; a switch and inputs that are read once are.
func TestDoctor(t *testing.T) {
	if _, err := exec.LookPath("mvn"); err != nil {
		testenv.Missing(t, "Maven (mvn)", err)
	}
	t.Setenv("JAVA_HOME", jvmtest.JDK(t, 17))
	t.Setenv("WINNOW_STORE", "")
	dir := t.TempDir()
	archive, err := txtar.ParseFile("testdata/doctor.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		file := filepath.Join(dir, f.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	got := invoke(t, safety.Rules{}, dir, "doctor", "--json", "--", "-q")
	var r doctorReport
	if err := json.Unmarshal([]byte(got.out), &r); err != nil {
		t.Fatalf("%v\n%s%s", err, got.out, got.err)
	}
	if got.code != ExitLost || r.Exit != ExitLost || len(r.Modules) != 1 || r.Modules[0].Tests != 7 {
		t.Fatalf("exit code %d\n%s%s", got.code, got.out, got.err)
	}
	lost := []string{}
	for _, c := range r.Modules[0].Compared {
		for _, l := range c.Lost {
			lost = append(lost, strings.Join([]string{string(l.Test), l.Used, string(l.By), l.State, l.Writer}, " "))
		}
	}
	if want := "p.BTest#mode() p.Mode.slowly()I p.ATest#mode() p.Mode.quick p.Mode.set(Z)V"; !slices.Contains(lost, want) {
		t.Errorf("lost are\n%s\nwant among them\n%s", strings.Join(lost, "\n"), want)
	}
	for _, l := range lost {
		if !strings.HasPrefix(l, "p.BTest") {
			t.Errorf("%s: nothing comes before ATest", l)
		}
	}
	passed := r.Modules[0].Compared[1].Passed
	if len(passed) != 1 || passed[0].State != "p.Cache.value" || passed[0].By != "p.ATest#cache()" {
		t.Errorf("passed on: %+v", passed)
	}
	if a := r.Modules[0].Always; len(a) != 1 || a[0].Why != "external program true" {
		t.Errorf("tests that run every time: %+v", a)
	}
	if _, err := os.Stat(filepath.Join(dir, storeDir)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a store was made: %v", err)
	}
	// Alone, nothing can come before it.
	invoke(t, safety.Rules{}, dir, "doctor", "--", "-q", "-Dtest=BTest").want(t, ExitOK, "lost       nothing")
}

// aCase writes a case about a mutant by hand.
func aCase(t *testing.T, mutant string) string {
	t.Helper()
	file, err := (&audit.Case{Mutant: mutant, Missed: []audit.Miss{{Test: "p.ATest#two()"}}}).Write(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// listing names the files of a project with their sizes and times, apart from what Maven writes; of what is Winnow's, only the cases.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range []string{source, "target/classes/p/A.class", ".winnow/store.db"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(name + " " + info.ModTime().String() + " ")
	}
	cases, err := filepath.Glob(filepath.Join(dir, ".winnow/audit/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		b.WriteString("audit/" + filepath.Base(c) + " ")
	}
	return b.String()
}
