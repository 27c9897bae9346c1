package agent

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

func newLife(t testing.TB, feature int) (*project, *Plan) {
	t.Helper()
	p := newProject(t, feature, "junit-3.8")
	return p, p.plan()
}

// newLifeAlone is for tests that damage packs: it has a cache of its own.
func newLifeAlone(t testing.TB) (*project, *Plan) {
	t.Helper()
	p := newProject(t, 17, "junit-3.8")
	p.options.Cache.Dir = t.TempDir()
	return p, p.plan()
}

// live runs a middle test of Life.
func (p *project) live(plan *Plan, middle string) ran {
	p.t.Helper()
	return p.run(plan, []string{"-Dlife=" + middle}, "junit.textui.TestRunner", "Life")
}

// TestInvisible compares what a program sees with and without the agent.
func TestInvisible(t *testing.T) {
	for _, feature := range allFeatures {
		p := newProject(t, feature)
		plan := p.plan()
		without, with := p.run(nil, nil, "Look"), p.run(plan, nil, "Look")
		if without.err != nil || with.err != nil {
			t.Fatalf("%v, %v\n%s", without.err, with.err, with.out)
		}
		if without.out != with.out {
			t.Errorf("JDK %d:\n%s", feature, difference(without.out, with.out))
		}
		if trace := p.attribute(plan, with); !methods(plan, trace.Process)["Look.deep"] {
			t.Errorf("JDK %d: the process did not enter Look.deep: %v", feature, methods(plan, trace.Process))
		}
	}
}

// difference shows the lines that only one text has.
func difference(a, b string) string {
	was, is := strings.Split(a, "\n"), strings.Split(b, "\n")
	var out []string
	for _, line := range was {
		if !slices.Contains(is, line) {
			out = append(out, "- "+line)
		}
	}
	for _, line := range is {
		if !slices.Contains(was, line) {
			out = append(out, "+ "+line)
		}
	}
	return strings.Join(out, "\n")
}

// TestEnds: however a process ends, the tests that finished before are in its log, and the others are unfinished or not there.
func TestEnds(t *testing.T) {
	tests := []struct {
		middle   string
		outcome  Outcome
		last     bool
		finished bool
	}{
		{"last", Passed, true, true},
		{"exits", Unfinished, false, true},
		{"halts", Unfinished, false, false},
		{"interrupts", Passed, true, true},
	}
	p, plan := newLife(t, 25)
	for _, test := range tests {
		t.Run(test.middle, func(t *testing.T) {
			trace := p.attribute(plan, p.live(plan, test.middle))
			check(t, plan, trace, []fact{{"junit3:before(Life)", Passed, "=Steps.before -Steps.middle"}, {"junit3:" + test.middle + "(Life)", test.outcome, ""}})
			if test.last {
				check(t, plan, trace, []fact{{"junit3:last(Life)", Passed, "=Steps.last"}})
			}
			if n := len(trace.Tests); trace.Finished != test.finished || (n == 3) != test.last {
				t.Errorf("finished %v, %d tests", trace.Finished, n)
			}
		})
	}
}

// TestClosing: shutdown hooks run after all tests, unless a test ends the JVM and waits for them.
func TestClosing(t *testing.T) {
	for _, feature := range allFeatures {
		p, plan := newLife(t, feature)
		trace := p.attribute(plan, p.live(plan, "hooks"))
		check(t, plan, trace, []fact{{"junit3:hooks(Life)", Passed, "-Steps.closing"}, {"junit3:last(Life)", Passed, "-Steps.closing"}})
		if trace.Closing == nil || !methods(plan, trace.Closing)["Steps.closing"] {
			t.Errorf("JDK %d: the hook is not in %+v", feature, trace.Closing)
		}
		trace = p.attribute(plan, p.live(plan, "hooksAndExits"))
		check(t, plan, trace, []fact{{"junit3:hooksAndExits(Life)", Unfinished, "=Steps.closing"}})
		if trace.Closing != nil && methods(plan, trace.Closing)["Steps.closing"] {
			t.Errorf("JDK %d: the hook ran beside a test, but is not its own", feature)
		}
	}
}

// TestReopened: what shutdown hooks do beside a test that begins belongs to all tests.
func TestReopened(t *testing.T) {
	p, plan := newLife(t, 17)
	log := p.live(plan, "hooks").logs[0]
	nodes := 0
	for r := range log.Records {
		if n, ok := r.(*Node); ok {
			nodes = n.ID
		}
	}
	log.Blocks = append(log.Blocks, []Record{&Node{ID: nodes + 1, Key: "late", Kind: IsTest}, &Begin{Node: nodes + 1, Time: 1}})
	trace, err := Attribute(plan, log)
	if err != nil {
		t.Fatal(err)
	}
	if trace.Closing != nil || !methods(plan, trace.Process)["Steps.closing"] {
		t.Error("a test began beside shutdown hooks, and they are not in the footprint of all")
	}
}

// TestKill kills a JVM in the middle of a test.
func TestKill(t *testing.T) {
	p, plan := newLife(t, 17)
	option, err := plan.Option()
	if err != nil {
		t.Fatal(err)
	}
	cmd := jvmtest.Command(p.home, "java", slices.Concat(quiet, []string{option, "-Dlife=hangs", "-cp", strings.Join(p.path, string(os.PathListSeparator)), "junit.textui.TestRunner", "Life"})...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan() && !strings.Contains(lines.Text(), "hanging"); {
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("it ended well")
	}
	trace := p.attribute(plan, ran{logs: p.logs(plan)})
	check(t, plan, trace, []fact{{"junit3:before(Life)", Passed, "=Steps.before"}, {"junit3:hangs(Life)", Unfinished, "!Steps.middle"}})
	if trace.Finished || len(trace.Tests) != 2 {
		t.Errorf("finished %v, %d tests", trace.Finished, len(trace.Tests))
	}
}

// TestFullDisk bounds the size of files: the program goes on, and the log ends where there was no more room.
func TestFullDisk(t *testing.T) {
	p, plan := newLife(t, 17)
	option, err := plan.Option()
	if err != nil {
		t.Fatal(err)
	}
	command := slices.Concat([]string{filepath.Join(p.home, "bin", "java")}, quiet, []string{option, "-Dlife=asks", "-cp", strings.Join(p.path, string(os.PathListSeparator)), "junit.textui.TestRunner", "Life"})
	cmd := jvmtest.Command("/usr", "env", append([]string{"bash", "-c", `ulimit -f 64; exec "$@"`, "-"}, command...)...)
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("OK (3 tests)")) {
		t.Fatalf("%v\n%s", err, out)
	}
	r := ran{out: string(out), logs: p.logs(plan)}
	trace := p.attribute(plan, r)
	check(t, plan, trace, []fact{{"junit3:before(Life)", Passed, "=Steps.before"}, {"junit3:asks(Life)", Unfinished, ""}})
	if cut := r.logs[0].Cut; cut == nil || cut.Lost == 0 || len(trace.Tests) != 2 || trace.Finished {
		t.Errorf("cut %v, %d tests, finished %v", cut, len(trace.Tests), trace.Finished)
	}
}

// TestEvents: what a test asks the JDK for is in its record, and in no other.
func TestEvents(t *testing.T) {
	for _, feature := range allFeatures {
		t.Run(fmt.Sprint(feature), func(t *testing.T) {
			p, plan := newLife(t, feature)
			trace := p.attribute(plan, p.live(plan, "looks"))
			want := []NamedEvent{{FileRead, "/no/read"}, {FileWritten, "/no/write"}, {FileRead, "/no/random"}, {FileWritten, "/no/random"}, {FileAsked, "/no/exists"},
				{DirectoryListed, "/no/list"}, {FileRead, "/no/nio-read"}, {FileAsked, "/no/nio-exists"}, {FileRead, "/no/nio-list"}, {FileWritten, "/no/nio-write"},
				{PropertyRead, "no.property"}, {VariableRead, "NO_VARIABLE"}, {VariablesRead, ""}, {PropertiesRead, ""}, {ProcessStarted, "/no/process"},
				{ResourceSought, "no-resource"}, {ClassSought, "no.such.Type"}, {NetworkUsed, "bind 127.0.0.1:0"}, {NetworkUsed, "connect 127.0.0.1:1"}, {NetworkUsed, "connect [0:0:0:0:0:0:0:1]:2"},
				{NetworkUsed, "connect 127.0.0.1:9"}}
			for _, test := range trace.Tests {
				for _, e := range want {
					if has := slices.Contains(test.Own.Events, e); has != (test.Method == "looks") {
						t.Errorf("%s: %v: %v", test.Key, e, has)
					}
				}
				for _, e := range test.Own.Events {
					if strings.HasSuffix(e.Text, ".class") || e.Kind == ClassSought && e.Text != "no.such.Type" && !strings.HasPrefix(e.Text, "Words_") || strings.Contains(e.Text, "secret") {
						t.Errorf("%s: unwanted %v %s", test.Key, e.Kind, e.Text)
					}
				}
			}
			if len(plan.Problems) > 0 {
				t.Errorf("problems: %q", plan.Problems)
			}
		})
	}
}

// TestVariables: who asks for environment variables, in whatever way, has asked for those whose values it can know, for the names of all, or for all.
func TestVariables(t *testing.T) {
	const one, two = "WINNOW_ONE", "WINNOW_TWO"
	names := NamedEvent{VariablesRead, VariableNames}
	all := NamedEvent{VariablesRead, ""}
	met := func(name string) NamedEvent { return NamedEvent{VariablesRead, VariableMet + name} }
	each := []NamedEvent{names, met(one), met(two)}
	want := map[string][]NamedEvent{
		"Nothing": nil, "One": {{VariableRead, one}}, "Asked": {{VariableRead, one}}, "None": {{VariableRead, "WINNOW_NONE"}},
		"Names": {names}, "NamesOfEntries": {names}, "Size": {names}, "Chosen": {names, met(one)},
		"Copied": each, "Each": each, "Text": each, "Hash": each,
		"Entry": {all}, "Value": {all}, "Values": {names, all},
	}
	t.Setenv(one, "1")
	t.Setenv(two, "2")
	for _, feature := range allFeatures {
		t.Run(fmt.Sprint(feature), func(t *testing.T) {
			p := newProject(t, feature, "junit-3.8")
			trace := p.trace(p.plan(), "junit.textui.TestRunner", "Variables")
			for _, test := range trace.Tests {
				if test.Outcome != Passed {
					t.Errorf("%s: %v %s", test.Key, test.Outcome, test.Why)
				}
				wanted := want[strings.TrimPrefix(test.Method, "test")]
				for _, e := range []NamedEvent{names, all, met(one), met(two), {VariableRead, one}, {VariableRead, two}, {VariableRead, "WINNOW_NONE"}} {
					if has := slices.Contains(test.Own.Events, e); has != slices.Contains(wanted, e) {
						t.Errorf("%s: %v: %v", test.Key, e, has)
					}
				}
			}
			if len(trace.Tests) != len(want) || trace.Incomplete != "" {
				t.Errorf("%d tests, incomplete: %q", len(trace.Tests), trace.Incomplete)
			}
		})
	}
}

// TestNonsense: whatever a program asks the JDK for, the agent loses nothing.
func TestNonsense(t *testing.T) {
	for _, feature := range allFeatures {
		t.Run(fmt.Sprint(feature), func(t *testing.T) {
			p := newProject(t, feature, "junit-3.8")
			trace := p.trace(p.plan(), "junit.textui.TestRunner", "Nonsense")
			for _, test := range trace.Tests {
				if test.Outcome != Passed {
					t.Errorf("%s: %v %s", test.Key, test.Outcome, test.Why)
				}
			}
			if len(trace.Tests) != 5 || trace.Incomplete != "" {
				t.Errorf("%d tests, incomplete: %q", len(trace.Tests), trace.Incomplete)
			}
		})
	}
}

// TestBundle: who gets a bundle that the JDK has kept is seen to ask for it, as is who made it look.
func TestBundle(t *testing.T) {
	p, plan := newLife(t, 17)
	trace := p.attribute(plan, p.live(plan, "interrupts"))
	for _, test := range trace.Tests {
		for _, e := range []NamedEvent{{ResourceSought, "Words_fr_FR.properties"}, {ResourceSought, "Words_fr.properties"}, {ResourceSought, "Words.properties"}, {ClassFound, "Words"}} {
			if has := slices.Contains(test.Own.Events, e); has != (test.Method != "interrupts") || test.Outcome != Passed {
				t.Errorf("%s: %v: %v", test.Key, e, has)
			}
		}
	}
	if len(trace.Tests) != 3 {
		t.Errorf("%d tests", len(trace.Tests))
	}
}

// TestSystemLoader: classes are recorded below a system loader of the program's own, too.
func TestSystemLoader(t *testing.T) {
	p, plan := newLife(t, 17)
	r := p.run(plan, []string{"-Dlife=last", "-Djava.system.class.loader=Life$Above"}, "junit.textui.TestRunner", "Life")
	trace := p.attribute(plan, r)
	check(t, plan, trace, []fact{{"junit3:before(Life)", Passed, "=Steps.before -Steps.last"}, {"junit3:last(Life)", Passed, "=Steps.last -Steps.before"}})
	if !slices.Contains(trace.Process.Events, NamedEvent{ClassReflected, "Life"}) {
		t.Errorf("JUnit asked Life for its methods: %v", trace.Process.Events)
	}
}

// TestBackground: a method that another thread is still inside of belongs to every later test.
func TestBackground(t *testing.T) {
	p, plan := newLife(t, 25)
	trace := p.attribute(plan, p.live(plan, "leaves"))
	check(t, plan, trace, []fact{{"junit3:before(Life)", Passed, "!Steps.background"}, {"junit3:leaves(Life)", Passed, "=Steps.background"}, {"junit3:last(Life)", Passed, "=Steps.background"}})
}

// TestMoving: a thread that went on to another method, among many boundaries at which it did not move, is inside of that one.
func TestMoving(t *testing.T) {
	for _, feature := range allFeatures {
		p, plan := newLife(t, feature)
		trace := p.attribute(plan, p.live(plan, "moves"))
		check(t, plan, trace, []fact{
			{"junit3:before(Life)", Passed, "!Steps.first"},
			{"junit3:looksOn(Life)", Passed, "=Steps.first !Steps.second"},
			{"junit3:moves(Life)", Passed, "=Steps.first =Steps.second"},
			{"junit3:last(Life)", Passed, "=Steps.second !Steps.first"},
		})
		for _, test := range trace.Tests {
			if slices.ContainsFunc(test.Own.Events, func(e NamedEvent) bool { return strings.Contains(e.Text, "management") }) {
				t.Errorf("JDK %d: %s: %v", feature, test.Key, test.Own.Events)
			}
		}
	}
}

// TestVirtual: so does one that a virtual thread is inside of, while it waits.
func TestVirtual(t *testing.T) {
	for _, feature := range []int{21, 25} {
		p, plan := newLife(t, feature)
		trace := p.attribute(plan, p.live(plan, "leavesVirtual"))
		check(t, plan, trace, []fact{{"junit3:before(Life)", Passed, "!Steps.waiting"}, {"junit3:leavesVirtual(Life)", Passed, "=Steps.waiting"}, {"junit3:last(Life)", Passed, "=Steps.waiting"}})
	}
}

// TestFailedInitializer: a window that is never closed is closed at the end of its test and marked.
func TestFailedInitializer(t *testing.T) {
	p, plan := newLife(t, 17)
	trace := p.attribute(plan, p.live(plan, "initializes"))
	check(t, plan, trace, []fact{{"junit3:initializes(Life)", Passed, "=Bad.<clinit> =Steps.caught"}, {"junit3:last(Life)", Passed, "-Bad.<clinit>"}})
	for class, f := range trace.Inits {
		if name := plan.Detail(class).Name; f.Open != (name == "Bad") {
			t.Errorf("%s: open %v", f.Name, f.Open)
		}
	}
	if n := len(trace.Inits); n < 2 {
		t.Errorf("%d initializers", n)
	}
}

// TestLazyState shows what is recorded of a cache that the first test fills: only that test filled it. Who relies on it later is not for this package to say.
func TestLazyState(t *testing.T) {
	p, plan := newLife(t, 25)
	check(t, plan, p.attribute(plan, p.live(plan, "last")), []fact{
		{"junit3:before(Life)", Passed, "=Steps.cached =Steps.fill"},
		{"junit3:last(Life)", Passed, "=Steps.cached -Steps.fill"},
	})
}

// TestChangedClass: a class whose bytes are not those of the plan runs as it is and is coarse; so is one that came later.
func TestChangedClass(t *testing.T) {
	p, plan := newLife(t, 17)
	path := filepath.Join(p.dir, "Steps.class")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(data, []byte("turns"), []byte("tours"), -1)
	if bytes.Equal(changed, data) {
		t.Fatal("nothing to change")
	}
	if err := os.WriteFile(path, changed, 0o644); err != nil {
		t.Fatal(err)
	}
	r := p.live(plan, "last")
	trace := p.attribute(plan, r)
	check(t, plan, trace, []fact{{"junit3:before(Life)", Passed, "=Life.before -Steps.before"}})
	want := Coarse{Name: "Steps", Reason: Different, Loader: 1}
	if !slices.Contains(trace.Tests[0].Coarse, want) || r.err != nil {
		t.Errorf("coarse %v, want %v; %v", trace.Tests[0].Coarse, want, r.err)
	}
}

// TestDamagedPack: bytes that changed in a pack never reach the JVM.
func TestDamagedPack(t *testing.T) {
	p, plan := newLifeAlone(t)
	var at *Class
	for i := range plan.Classes {
		if plan.Detail(i).Name == "Steps" {
			at = &plan.Classes[i]
		}
	}
	pack := plan.Packs[at.Pack]
	data, err := os.ReadFile(pack)
	if err != nil {
		t.Fatal(err)
	}
	data[at.Offset+int64(at.Size)/2] ^= 1
	if err := os.WriteFile(pack, data, 0o644); err != nil {
		t.Fatal(err)
	}
	r := p.live(plan, "last")
	trace := p.attribute(plan, r)
	if want := (Coarse{Name: "Steps", Reason: Damaged, Loader: 1}); !slices.Contains(trace.Coarse, want) || r.err != nil {
		t.Errorf("coarse %v, want %v; %v", trace.Coarse, want, r.err)
	}
}

// TestOtherJVM: hooks for one JDK are not put into another.
func TestOtherJVM(t *testing.T) {
	p, plan := newLife(t, 17)
	p.home = jvmtest.JDK(t, 25)
	trace := p.attribute(plan, p.live(plan, "looks"))
	check(t, plan, trace, []fact{{"junit3:looks(Life)", Passed, ""}})
	if trace.Start.Hooked || len(trace.Problems) != 1 || trace.Problems[0].Code != NoHook || len(trace.Tests[1].Own.Events) > 0 {
		t.Errorf("hooked %v, problems %v, events %v", trace.Start.Hooked, trace.Problems, trace.Tests[1].Own.Events)
	}
}
