package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"winnow/internal/audit"
	"winnow/internal/jvm/jvmtest"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/technique/methods"
	"winnow/internal/testenv"
)

// An invocation is the program run in this process, so that a safety rule can be switched off.
type invocation struct {
	code     Exit
	out, err string
}

func invoke(t *testing.T, rules safety.Rules, dir string, args ...string) invocation {
	t.Helper()
	var out, problems output
	a := &app{Machine: Machine{Out: &out, Err: &problems, Getenv: os.Getenv, Dir: dir}, rules: rules}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&problems)
	return invocation{a.exit(root.ExecuteContext(context.Background())), out.String(), problems.String()}
}

func (i invocation) want(t *testing.T, code Exit, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(i.out, text) {
			t.Errorf("the output lacks %q", text)
		}
	}
	if i.code != code || t.Failed() {
		t.Fatalf("exit code %d, want %d\n%s\n%s", i.code, code, i.out, i.err)
	}
}

// mavenProject makes a small project in a repository of its own, with two commits.
func mavenProject(t *testing.T) (dir string, commit func(name, old, new string)) {
	t.Helper()
	testenv.NeedsGit(t)
	if _, err := exec.LookPath("mvn"); err != nil {
		testenv.Missing(t, "Maven (mvn)", err)
	}
	t.Setenv("JAVA_HOME", jvmtest.JDK(t, 17))
	t.Setenv("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
	t.Setenv("WINNOW_STORE", "")
	dir = t.TempDir()
	archive, err := txtar.ParseFile("testdata/audit.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		file := filepath.Join(dir, f.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@t"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	commit = func(name, old, new string) {
		replace(t, filepath.Join(dir, name), old, new)
		git("add", "-A")
		git("commit", "-qm", "change")
	}
	commit(".gitignore", "", "")
	return dir, commit
}

func replace(t *testing.T, file, old, new string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte(old)) {
		t.Fatalf("%s lacks %q", file, old)
	}
	if err := os.WriteFile(file, bytes.Replace(data, []byte(old), []byte(new), 1), 0o644); err != nil {
		t.Fatal(err)
	}
}

const (
	source = "src/main/java/p/A.java"
	mutant = "return p/A.two()I body -> iconst_0"
)

// TestChoose makes selections with a mutant in place, with all rules in force and without the one that decides.
func TestChoose(t *testing.T) {
	dir, _ := mavenProject(t)
	var problems output
	a := &app{Machine: Machine{Out: &problems, Err: &problems, Getenv: os.Getenv, Dir: dir}}
	w := &workspace{root: dir, kind: mavenKind, location: a.storePath(dir)}
	au := &auditor{session: &session{app: a, w: w}, args: []string{"-q"}, scratch: t.TempDir(), log: &bytes.Buffer{}}
	m, err := au.recorded(context.Background())
	if err != nil {
		t.Fatalf("%v\n%s", err, &problems)
	}
	classes, err := m.ownClasses()
	if err != nil || len(classes) != 1 {
		t.Fatalf("%d classes, %v", len(classes), err)
	}
	for _, c := range []struct {
		rules safety.Rules
		want  []rts.TestID
	}{{safety.Rules{}, []rts.TestID{"p.ATest#two()"}}, {safety.Without(methods.Bodies), nil}} {
		au.inner.rules = c.rules
		sel, err := m.Choose(context.Background(), mutant)
		if err != nil {
			t.Fatal(err)
		}
		if got := sel.Selected(); len(sel.Decisions) != 2 || !slices.Equal(got, c.want) {
			t.Errorf("selected %v of %d, want %v", got, len(sel.Decisions), c.want)
		}
	}
	if after, err := os.ReadFile(filepath.Join(m.places["p/A"], "p", "A.class")); err != nil || !bytes.Equal(after, classes["p/A"]) {
		t.Errorf("the class is not as before: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "target")); err == nil {
		t.Error("the project itself was built")
	}
	if _, err := m.Choose(context.Background(), "return p/A.five()I body -> iconst_0"); err == nil {
		t.Error("a mutant of no method was accepted")
	}
}

// TestShadowOnMiss switches the rule off that bodies of methods count: what is left out wrongly then must be noticed.
func TestShadowOnMiss(t *testing.T) {
	dir, commit := mavenProject(t)
	invoke(t, safety.Rules{}, dir, "test", "--", "-q").want(t, ExitOK, "2 passed")
	commit(source, "return 2", "return 1")
	i := invoke(t, safety.Without(methods.Bodies), dir, "test", "--shadow", "--json", "--", "-q")
	var run struct {
		Shadow struct {
			LeftOut int `json:"left_out"`
			Missed  []audit.Miss
			Case    string
		}
	}
	if err := json.Unmarshal([]byte(i.out), &run); err != nil || i.code != ExitMissed {
		t.Fatalf("exit code %d, %v\n%s\n%s", i.code, err, i.out, i.err)
	}
	if s := run.Shadow; s.LeftOut != 2 || len(s.Missed) != 1 || s.Missed[0].Test != "p.ATest#two()" || s.Missed[0].Outcome != "failed" {
		t.Errorf("%+v", s)
	}
	c, err := audit.ReadCase(filepath.Join(dir, run.Shadow.Case))
	if err != nil || c.From == "" || c.From == c.To || c.FromDirty || c.ToDirty {
		t.Errorf("case %q: %+v, %v", run.Shadow.Case, c, err)
	}
}

// TestMutantsAtOneGo counts how often Maven starts: once to record, once without a mutant, and once for all mutants together, also where a module runs its tests twice.
func TestMutantsAtOneGo(t *testing.T) {
	const plugin = "<version>3.2.5</version>"
	for _, again := range []string{"", "<executions><execution><id>again</id><phase>test</phase><goals><goal>test</goal></goals></execution></executions>"} {
		t.Run(fmt.Sprint("twice=", again != ""), func(t *testing.T) {
			dir, _ := mavenProject(t)
			replace(t, filepath.Join(dir, "pom.xml"), plugin, plugin+again)
			starts := filepath.Join(t.TempDir(), "starts")
			script := "#!/bin/sh\necho >> '" + starts + "'\nexec mvn \"$@\"\n"
			if err := os.WriteFile(filepath.Join(dir, "mvnw"), []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			i := invoke(t, safety.Rules{}, dir, "audit", "--mutate", "5", "--", "-q")
			i.want(t, ExitOK, "mutants   5, seed 1", "5 killed · 0 survived", "no test was missed")
			if data, err := os.ReadFile(starts); err != nil || len(data) != 3 {
				t.Errorf("Maven started %d times, want 3: %v\n%s", len(data), err, i.err)
			}
		})
	}
}
