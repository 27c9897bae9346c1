package cli

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"winnow/internal/jvm/agent"
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
	output  output
	request *maven.Request
	told    []told
	marker  string // the file that says that all tests are known
}

// told is what one JVM told, and the digest of the plan that it followed.
type told struct{ log, plan []byte }

// needed lists the rules with all the tests that are left out wrongly if the rule is switched off. They fail, but for harmless.
var needed = []struct {
	rule  safety.Rule
	tests []rts.TestID
}{
	{methods.Bodies, []rts.TestID{
		"p.AroundTest#first()", "p.AroundTest#later()", "p.HugeTest#huge()", "p.InitializerTest#first()", "p.InitializerTest#later()", "p.SelectionTest#body()",
		"p.StateTest#fills()", "p.StateTest#finds()",
	}},
	{methods.Link, []rts.TestID{harmless, "p.NamedTest#names()", "p.SelectionTest#link()"}},
	{methods.Reflection, []rts.TestID{"p.LabelTest#label", "p.SelectionTest#reflection()"}},
	{methods.Dispatch, []rts.TestID{"p.SelectionTest#dispatch()"}},
	{methods.Undecided, []rts.TestID{"p.SelectionTest#undecided()"}},
	{safety.NamedCounts, []rts.TestID{"p.NamedTest#names()"}},
	{safety.InitializersCount, []rts.TestID{"p.InitializerTest#later()"}},
	{safety.AroundCounts, []rts.TestID{"p.AroundTest#later()"}},
	{safety.UnwatchedCounts, []rts.TestID{"p.HugeTest#huge()", "p.WovenTest#woven"}},
	{safety.OtherClassDiffers, []rts.TestID{"p.ShadowTest#hidden()"}},
	{safety.OwnClassCounts, []rts.TestID{"p.LabelTest#label"}},
	{safety.VainCounts, []rts.TestID{"p.SelectionTest#undecided()", "p.VainTest#vain()"}},
	{safety.OutsideCounts, []rts.TestID{"p.OutsideTest#outside()"}},
	{safety.StateCounts, []rts.TestID{"p.AskedTest#finds()", "p.StateTest#finds()"}},
	{safety.AskedCounts, []rts.TestID{"p.AskedTest#finds()"}},
	{safety.ChangesCount, []rts.TestID{"p.AskedTest#finds()"}},
	{safety.EmptyCounts, []rts.TestID{"p.EmptyTest#tests(){}"}},
}

// harmless is a test that uses an edited class and passes.
const harmless rts.TestID = "p.NamedTest#loads()"

// TestRulesAreNeeded edits a project so that tests fail, and switches one rule after the other off: the tests that the rule is for must be left out then, and no
// others. What the JVM told is recorded anew for every rule of S8, without running it again.
func TestRulesAreNeeded(t *testing.T) {
	p := newRuled(t)
	p.stage("0")
	p.build(safety.Rules{})
	p.stage("1")
	p.discovery()
	records := map[safety.Rule]*store.Store{"": p.record(safety.Rules{})}
	for _, n := range needed {
		if recording(n.rule) {
			records[n.rule] = p.record(safety.Without(n.rule))
		}
	}
	// What runs the tests is no edit that one test alone could notice, so it is looked for in the records.
	for rule, want := range map[safety.Rule]bool{"": true, safety.UnwatchedCounts: false} {
		if got := p.uses(records[rule], "p.SelectionTest#calm()", "org/junit/jupiter/engine/descriptor/TestMethodTestDescriptor"); got != want {
			t.Errorf("%q off: that a test depends on JUnit's classes is %v", rule, got)
		}
	}
	p.stage("2")
	h, _ := p.build(safety.Rules{})
	if failed, want := ended(h, rts.Failed), failing(); !slices.Equal(failed, want) {
		t.Errorf("failed: %v, want %v", failed, want)
	}
	calm := p.choose(records[""], safety.Rules{})
	if !slices.Equal(calm, []rts.TestID{"p.SelectionTest#calm()"}) {
		t.Errorf("with all rules in force, left out are %v", calm)
	}
	for _, n := range needed {
		in, from := safety.Without(n.rule), records[""]
		if recording(n.rule) {
			in, from = safety.Rules{}, records[n.rule]
		}
		left := slices.DeleteFunc(p.choose(from, in), func(id rts.TestID) bool { return slices.Contains(calm, id) })
		if !slices.Equal(left, n.tests) {
			t.Errorf("%s off: left out are %v, want %v", n.rule, left, n.tests)
		}
	}
}

// discovery builds a project that has new tests and nothing that changed for the one that is known: only S8.9 makes them run.
func (p *ruled) discovery() {
	p.Helper()
	h, code := p.build(safety.Without(safety.DiscoveryCounts))
	if n := len(h.session.run.Report.Results); code != ExitOK || n != 0 {
		p.Errorf("%s off: exit code %d, %d tests ran", safety.DiscoveryCounts, code, n)
	}
	h, code = p.build(safety.Rules{})
	if failed := ended(h, rts.Failed); code != ExitTests || !slices.Equal(failed, []rts.TestID{"p.NewTest#fails()"}) {
		p.Fatalf("exit code %d, failed: %v\n%s", code, failed, &p.output)
	}
	p.marker = filepath.Join(h.modules[0].Dir(), "discovery")
}

// failing lists the tests that the edits break.
func failing() []rts.TestID {
	var all []rts.TestID
	for _, n := range needed {
		all = append(all, n.tests...)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(id rts.TestID) bool { return id == harmless })
}

// TestEveryRuleIsTried holds the list of rules against the document.
func TestEveryRuleIsTried(t *testing.T) {
	text, err := os.ReadFile("../../docs/safety.md")
	if err != nil {
		t.Fatal(err)
	}
	want := []safety.Rule{}
	for _, m := range regexp.MustCompile(`(?m)^\| (S[78]\.[0-9]+) \|`).FindAllSubmatch(text, -1) {
		want = append(want, safety.Rule(m[1]))
	}
	got := []safety.Rule{safety.DiscoveryCounts, safety.AbsentCounts, safety.BegunCounts, safety.PassNeedsBacking} // TestAbsentTests, TestBegun, TestUnbacked
	for _, n := range needed {
		got = append(got, n.rule)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("rules tried: %v, rules of the document: %v", got, want)
	}
}

// recording tells whether a rule is about what is recorded. The others are about what is made of it.
func recording(rule safety.Rule) bool { return strings.HasPrefix(string(rule), "S8.") }

func newRuled(t *testing.T) *ruled {
	t.Helper()
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
	p.jar(p.compile(jdk, "weaver", "weave/Weaver"), "0/lib/weaver.jar")
	hidden := p.compile(jdk, "shadow", "p/Shadow")
	p.jar(hidden, "0/lib/shadow.jar")
	replace(t, filepath.Join(hidden, "p/Shadow.class"), "hidden 1", "hidden 2")
	p.jar(hidden, "2/lib/shadow.jar")
	return p
}

// huge is a class with a method that is as long as a method can be, so that there is no room for a probe.
func huge(result int) []byte {
	const assignments = 32766 // of two bytes each
	body := strings.Repeat("x = 1;\n", assignments-1)
	return fmt.Appendf(nil, "package p;\nclass Huge {\nstatic int f() {\nint x;\n%sx = %d;\nreturn x;\n}\n}\n", body, result)
}

// compile makes the class of a directory of the archive and returns where everything for its jar is.
func (p *ruled) compile(jdk, name, class string) (dir string) {
	p.Helper()
	dir = p.TempDir()
	for file, data := range p.files {
		if rest, ok := strings.CutPrefix(file, name+"/"); ok {
			p.write(filepath.Join(dir, rest), data)
		}
	}
	source := filepath.Join(dir, class+".java")
	p.check(runJavac(jdk, dir, dir, []string{source}), os.Remove(source))
	return dir
}

// jar makes a jar of a directory, which is a file of a stage.
func (p *ruled) jar(dir, name string) {
	p.Helper()
	file := filepath.Join(p.TempDir(), "a.jar")
	p.check(makeJar(file, dir))
	data, err := os.ReadFile(file)
	p.check(err)
	p.files[name] = data
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
	l := &listener{mavenRun: h, ruled: p}
	outcome, err := maven.Run(h.ctx, maven.Options{Dir: p.dir, Args: []string{"-q", "test"}, Stdout: &p.output, Stderr: &p.output, Handler: l})
	h.finish()
	h.join()
	p.check(err, l.err)
	code := h.code(h.ctx, outcome)
	p.check(h.w.close())
	if len(h.modules) != 1 || code != ExitOK && code != ExitTests {
		p.Fatalf("%d modules, exit code %d\n%s", len(h.modules), code, &p.output)
	}
	return h, code
}

// A listener keeps what the JVMs of a build tell.
type listener struct {
	*mavenRun
	*ruled
	plan *agent.Plan
	err  error
}

// Plan answers as the program does.
func (l *listener) Plan(ctx context.Context, r *maven.Request) (maven.Answer, error) {
	answer, err := l.mavenRun.Plan(ctx, r)
	l.request, l.told = r, nil
	if err == nil && answer.Action == maven.WithOptions {
		l.plan, err = planOf(answer)
	}
	return answer, err
}

// Event takes the logs before they are read and removed.
func (l *listener) Event(e maven.Event) {
	if l.plan != nil && (e.Type == maven.MojoSucceeded || e.Type == maven.MojoFailed) && e.Mojo == l.request.Mojo {
		l.err = errors.Join(l.err, l.keep())
	}
	l.mavenRun.Event(e)
}

func (l *listener) keep() error {
	logs, err := filepath.Glob(filepath.Join(l.plan.Logs, "*"))
	for _, log := range logs {
		data, reading := os.ReadFile(log)
		if err = errors.Join(err, reading); reading == nil && !bytes.Contains(data, digestOf(l.plan)) {
			err = errors.Join(err, fmt.Errorf("%s follows no plan of this run", log))
		}
		l.told = append(l.told, told{data, digestOf(l.plan)})
	}
	return err
}

// planOf reads the plan that an answer gives to the JVM.
func planOf(answer maven.Answer) (*agent.Plan, error) {
	_, file, _ := strings.Cut(answer.Options[0], "=")
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return agent.DecodePlan(data)
}

// digestOf is the digest of a plan as plans and logs have it, behind the magic number and a checksum.
func digestOf(p *agent.Plan) []byte { return p.Append(nil)[12:20] }

// following returns the log as if the JVM had followed another plan, which must say the same but for the directory of the logs.
func (t told) following(plan *agent.Plan) []byte {
	const magic, header = 8, 8
	log := slices.Clone(t.log)
	size := int(binary.BigEndian.Uint32(log[magic:]))
	first := log[magic+header : magic+header+size]
	copy(first[bytes.Index(first, t.plan):], digestOf(plan))
	binary.BigEndian.PutUint32(log[magic+4:], crc32.ChecksumIEEE(first))
	return log
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
	plan, err := planOf(<-m.Answer())
	p.check(err)
	for i, t := range p.told {
		p.write(filepath.Join(plan.Logs, strconv.Itoa(i)), t.following(plan))
	}
	m.Ended(true)
	<-m.done
	p.check(m.err, m.rep.RunErr, m.rep.RecordErr)
	if len(m.rep.Results) < 20 {
		p.Fatalf("%d tests recorded", len(m.rep.Results))
	}
	return h.w.store
}

// choose returns the tests that are left out.
func (p *ruled) choose(records *store.Store, in safety.Rules) []rts.TestID {
	p.Helper()
	h := p.open(in, false)
	p.check(h.w.close())
	h.w.store = records
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

// uses tells whether a test depends on a class as a whole.
func (p *ruled) uses(records *store.Store, id rts.TestID, class string) bool {
	p.Helper()
	v, err := records.View(p.Context())
	p.check(err)
	found := false
	v.Records(func(of store.Stored) {
		if of.Test != id {
			return
		}
		all, err := v.AllUses(of.Ref)
		p.check(err)
		found = found || slices.ContainsFunc(all, func(u rts.Use) bool { return strings.HasSuffix(u.Entity.Name, class) && len(u.Entries) == 0 })
	})
	p.check(v.Close())
	return found
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
