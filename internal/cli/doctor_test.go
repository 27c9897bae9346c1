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

	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/project"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/testenv"
)

func TestDoctorText(t *testing.T) {
	r := doctorReport{Winnow: "winnow 1", Maven: "3.9", Home: "/maven", Java: "17 (/jdk)", Left: []string{"g:a:1 it: Failsafe"}, Lost: 2}
	r.Modules = []*doctorModule{
		{Name: "a", Surefire: "3.5", JDK: "/jdk", Java: "17", Tests: 2, Classes: 1, JVMs: 1},
		{
			Name: "b", Surefire: "3.5", JDK: "/jdk", Java: "17", Tests: 5, Classes: 3, JVMs: 2, Gate: "jacoco", Problems: []string{"no hook: x"}, Unwatched: []string{"p.Big: different"},
			Always: []project.Always{{Why: "external program sh", Tests: []rts.TestID{"p.T#a"}}}, Sample: "2 of 3 test classes",
			Compared: []*project.Comparison{
				{Class: "p.A", Tests: 1, Methods: 3, Inputs: 1, Always: 1, Differing: []rts.TestID{"p.A#x"}, Passed: []project.Passed{{Class: "p.A", Methods: 2, Polluted: project.Polluted{By: "p.B#b", State: "p.C.f", Writer: "p.C.w()V", Reader: "p.C.r()V"}}}},
				{Class: "p.B", Tests: 2, Methods: 4, Lost: []project.Loss{{Test: "p.B#b", Used: "p.C.m()V"}, {Test: "p.B#c", Used: "file x", Polluted: project.Polluted{By: "p.A#a"}}}},
			},
		},
		{Name: "c", Surefire: "3.5", JDK: "/jdk", Java: "17", Tests: 1, Classes: 1, JVMs: 1, Sample: "1 of 1 test classes", Compared: []*project.Comparison{{Class: "p.D", Tests: 1, Methods: 1}}},
	}
	want, err := os.ReadFile("testdata/doctor.golden")
	if err != nil {
		t.Fatal(err)
	}
	if got := r.text(); got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestDoctor examines a project in which tests leave state to others. What is passed on with the state is no loss; a switch and inputs that are read once are.
func TestDoctor(t *testing.T) {
	if !*deep {
		t.Skip("needs -deep: runs Maven four times")
	}
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
