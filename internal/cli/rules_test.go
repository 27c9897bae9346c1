package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/maven"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/technique/methods"
	"winnow/internal/testenv"
)

// A ruled project is one in which for every rule something is edited that this rule alone notices.
type ruled struct {
	*testing.T
	dir     string
	files   map[string][]byte // of testdata/rules.txtar, by stage and name
	output  bytes.Buffer
	request *maven.Request
	logs    map[string][]byte // what the agent wrote, by path
	marker  string            // the file that says that all tests are known
}

// needed says which tests a rule alone selects: without it they are left out, although they fail. Besides are tests that are left out too, and pass.
var needed = []struct {
	rule           safety.Rule
	tests, besides []rts.TestID
}{
	{methods.Bodies, []rts.TestID{"p.SelectionTest#body()"}, nil},
	{methods.Link, []rts.TestID{"p.SelectionTest#link()"}, nil},
	{methods.Reflection, []rts.TestID{"p.SelectionTest#reflection()"}, nil},
	{methods.Dispatch, []rts.TestID{"p.SelectionTest#dispatch()"}, nil},
	{methods.Undecided, []rts.TestID{"p.SelectionTest#undecided()"}, nil},
	{safety.NamedCounts, []rts.TestID{"p.NamedTest#names()"}, nil},
	{safety.InitializersCount, []rts.TestID{"p.InitializerTest#first()", "p.InitializerTest#later()"}, nil},
	{safety.AroundCounts, []rts.TestID{"p.AroundTest#around()"}, nil},
	{safety.UnwatchedCounts, []rts.TestID{"p.HugeTest#huge()", "p.WovenTest#woven"}, nil},
	{safety.OtherClassDiffers, []rts.TestID{"p.ShadowTest#hidden()"}, nil},
	{safety.OwnClassCounts, []rts.TestID{"p.OldTest#old"}, nil},
	{safety.VainCounts, []rts.TestID{"p.VainTest#vain()"}, nil},
	{safety.OutsideCounts, []rts.TestID{"p.OutsideTest#outside()"}, nil},
	{safety.StateCounts, []rts.TestID{"p.StateTest#finds()"}, nil},
}

// TestRulesAreNeeded edits a project so that tests fail, and switches one rule after the other off: the tests that the rule is for must be left out then, and no
// others. What the JVM told is recorded anew for every rule, without running it again.
func TestRulesAreNeeded(t *testing.T) {
	p := newRuled(t)
	p.stage("0")
	p.build(safety.Rules{})
	p.stage("1")

	// S8.9: nothing has changed for the known test, so only this rule makes the new ones run.
	h, code := p.build(safety.Without(safety.DiscoveryCounts))
	if n := len(h.session.run.Report.Results); code != ExitOK || n != 0 {
		t.Errorf("%s off: exit code %d, %d tests ran", safety.DiscoveryCounts, code, n)
	}
	h, code = p.build(safety.Rules{})
	if failed := ended(h, rts.Failed); code != ExitTests || !slices.Equal(failed, []rts.TestID{"p.NewTest#fails()"}) {
		t.Fatalf("exit code %d, failed: %v\n%s", code, failed, &p.output)
	}
	p.keep(h)

	stores := map[safety.Rule]*store.Store{"": p.record(safety.Rules{})}
	for _, n := range needed {
		if recording(n.rule) {
			stores[n.rule] = p.record(safety.Without(n.rule))
		}
	}
	p.stage("2")
	h, code = p.build(safety.Rules{})
	failed := ended(h, rts.Failed)
	if code != ExitTests {
		t.Fatalf("exit code %d\n%s", code, &p.output)
	}
	calm := p.choose(stores[""], safety.Rules{})
	t.Logf("failed: %v; left out with all rules: %v", failed, calm)
	var all []rts.TestID
	for _, n := range needed {
		in, records := safety.Without(n.rule), stores[""]
		if recording(n.rule) {
			in, records = safety.Rules{}, stores[n.rule]
		}
		left := slices.DeleteFunc(p.choose(records, in), func(id rts.TestID) bool { return slices.Contains(calm, id) })
		t.Logf("%s off: left out besides: %v", n.rule, left)
		if !slices.Equal(left, n.tests) {
			t.Errorf("%s off: left out are %v, want %v", n.rule, left, n.tests)
		}
		all = append(all, n.tests...)
	}
	slices.Sort(all)
	if all = slices.Compact(all); !slices.Equal(failed, all) {
		t.Errorf("failed: %v, want %v", failed, all)
	}
}

// recording tells whether a rule is about what is recorded. The others are about what is made of it.
func recording(rule safety.Rule) bool { return strings.HasPrefix(string(rule), "S8.") }

func newRuled(t *testing.T) *ruled {
	if _, err := exec.LookPath("mvn"); err != nil {
		testenv.Missing(t, "Maven (mvn)", err)
	}
	jdk := jvmtest.JDK(t, 17)
	t.Setenv("JAVA_HOME", jdk)
	t.Setenv("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
	t.Setenv("WINNOW_STORE", "")
	archive, err := txtar.ParseFile("testdata/rules.txtar")
	if err != nil {
		t.Fatal(err)
	}
	p := &ruled{T: t, dir: t.TempDir(), files: map[string][]byte{}}
	for _, f := range archive.Files {
		p.files[f.Name] = f.Data
	}
	p.files["1/src/main/java/p/Huge.java"], p.files["2/src/main/java/p/Huge.java"] = huge(1), huge(2)
	scratch := t.TempDir()
	p.jar(jdk, scratch, "weaver", "weave/Weaver")
	p.jar(jdk, scratch, "shadow", "p/Shadow")
	return p
}

// huge is a class with a method that is as long as a method can be, so that there is no room for a probe.
func huge(result int) []byte {
	const assignments = 32766 // of two bytes each
	body := strings.Repeat("x = 1;\n", assignments-1)
	return fmt.Appendf(nil, "package p;\nclass Huge {\nstatic int f() {\nint x;\n%sx = %d;\nreturn x;\n}\n}\n", body, result)
}

// jar makes a jar of one class, which is file lib/NAME.jar of stage 0. Stage 2 has one with another constant.
func (p *ruled) jar(jdk, scratch, name, class string) {
	p.Helper()
	dir := filepath.Join(scratch, name)
	for file, data := range p.files {
		if rest, ok := strings.CutPrefix(file, name+"/"); ok {
			p.write(filepath.Join(dir, rest), data)
		}
	}
	source, compiled := filepath.Join(dir, class+".java"), filepath.Join(dir, class+".class")
	p.check(runJavac(jdk, dir, dir, []string{source}), os.Remove(source))
	for _, stage := range []string{"0", "2"} {
		file := filepath.Join(scratch, name+stage+".jar")
		p.check(makeJar(file, dir))
		data, err := os.ReadFile(file)
		p.check(err)
		p.files[stage+"/lib/"+name+".jar"] = data
		data, err = os.ReadFile(compiled)
		p.check(err)
		p.check(os.WriteFile(compiled, bytes.ReplaceAll(data, []byte("hidden 1"), []byte("hidden 2")), 0o644))
	}
}

func (p *ruled) check(errs ...error) {
	p.Helper()
	if err := errors.Join(errs...); err != nil {
		p.Fatalf("%v\n%s", err, &p.output)
	}
}

func (p *ruled) write(file string, data []byte) {
	p.Helper()
	p.check(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, data, 0o644))
}

// stage writes the files of a stage.
func (p *ruled) stage(name string) {
	p.Helper()
	for file, data := range p.files {
		if rest, ok := strings.CutPrefix(file, name+"/"); ok {
			p.write(filepath.Join(p.dir, rest), data)
		}
	}
}

// open opens the project with the rules in force.
func (p *ruled) open(in safety.Rules, runs bool) *mavenRun {
	p.Helper()
	rules = in
	p.Cleanup(func() { rules = safety.Rules{} })
	p.output.Reset()
	a := &app{Machine: Machine{Out: &p.output, Err: &p.output, Getenv: os.Getenv, Dir: p.dir}, rules: in, records: true}
	w, ok, err := a.maven(context.Background())
	p.check(err)
	if !ok {
		p.Fatal("no Maven project")
	}
	h, err := (&session{app: a, w: w}).mavenRun(context.Background(), runs)
	p.check(err)
	return h
}

// build does what `winnow test` does.
func (p *ruled) build(in safety.Rules) (*mavenRun, Exit) {
	p.Helper()
	h := p.open(in, true)
	outcome, err := h.build(h.ctx, []string{"-q"})
	p.check(err)
	code := h.code(h.ctx, outcome)
	p.check(h.w.close())
	if len(h.modules) != 1 || code != ExitOK && code != ExitTests {
		p.Fatalf("%d modules, exit code %d\n%s", len(h.modules), code, &p.output)
	}
	return h, code
}

// keep keeps what a build's JVM told.
func (p *ruled) keep(h *mavenRun) {
	p.Helper()
	p.request, p.logs = h.modules[0].request, map[string][]byte{}
	p.marker = filepath.Join(h.modules[0].Dir(), "discovery")
	files, err := filepath.Glob(filepath.Join(h.modules[0].Dir(), "agent", "logs", "*"))
	p.check(err)
	for _, file := range files {
		p.logs[file], err = os.ReadFile(file)
		p.check(err)
	}
	if len(files) == 0 {
		p.Fatal("the agent wrote nothing")
	}
}

// record records the kept build in a store of its own.
func (p *ruled) record(in safety.Rules) *store.Store {
	p.Helper()
	h := p.open(in, true)
	p.check(h.w.close())
	h.w.store = store.New(&memory.Backend{})
	p.check(os.Remove(p.marker)) // nobody knows which tests there are
	m, err := h.look(h.ctx, p.request)
	p.check(err)
	go h.run(m)
	answer := <-m.Answer()
	for file, data := range p.logs { // the agent's directory was emptied before the answer
		p.write(file, data)
	}
	m.Ended(true)
	<-m.done
	p.check(m.err, m.rep.RunErr, m.rep.RecordErr)
	if answer.Action != maven.WithOptions || len(m.rep.Results) < 20 {
		p.Fatalf("%v, %d tests recorded", answer.Action, len(m.rep.Results))
	}
	return h.w.store
}

// choose returns the tests that are left out.
func (p *ruled) choose(records *store.Store, in safety.Rules) []rts.TestID {
	p.Helper()
	h := p.open(in, false)
	defer func() { p.check(h.w.close()) }()
	if records != nil {
		p.check(h.w.close())
		h.w.store = records
	}
	m, err := h.look(h.ctx, p.request)
	p.check(err)
	var left []rts.TestID
	for i := range m.sel.Decisions {
		if d := &m.sel.Decisions[i]; !d.Selected() {
			left = append(left, d.Test.ID)
		}
	}
	return left
}

// ended lists the tests of a build with an outcome.
func ended(h *mavenRun, outcome rts.Outcome) []rts.TestID {
	var out []rts.TestID
	for _, r := range h.session.run.Report.Results {
		if r.Record.Outcome == outcome {
			out = append(out, r.Record.Test)
		}
	}
	slices.Sort(out)
	return out
}
