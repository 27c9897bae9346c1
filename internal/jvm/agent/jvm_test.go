package agent

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/internal/jvm/instrument"
	"winnow/internal/jvm/jvmtest"
)

var full = flag.Bool("full", false, "run every test on every JDK, not only those that depend on it, and every row of the tables")

// features are the JDKs that tests run on, allFeatures the runtimes for those that look at what differs between versions.
var (
	features    = []int{17, 25}
	allFeatures = []int{11, 17, 21, 25}
)

// judges are the JDKs for tests of which one JDK is enough most of the time.
func judges() []int {
	if *full {
		return features
	}
	return features[1:]
}

// extremes are the oldest and the newest of all runtimes.
func extremes() []int {
	if *full {
		return allFeatures
	}
	return []int{allFeatures[0], allFeatures[len(allFeatures)-1]}
}

// platformJars are what the JUnit Platform needs, platform5Jars the same for Java 8 and 11.
var (
	platformJars = []string{"junit-platform-launcher", "junit-platform-engine", "junit-platform-commons", "junit-jupiter-engine", "junit-jupiter-api", "junit-jupiter-params",
		"opentest4j", "apiguardian-api", "jspecify"}
	platform5Jars = []string{"junit5-platform-launcher", "junit5-platform-engine", "junit5-platform-commons", "junit5-jupiter-engine", "junit5-jupiter-api",
		"junit5-jupiter-params", "opentest4j", "apiguardian-api"}
)

// platformFor is the newest JUnit Platform for a Java version.
func platformFor(feature int) []string {
	if feature < 17 {
		return platform5Jars
	}
	return platformJars
}

// quiet are options that keep a JVM small.
var quiet = []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m", "-XX:-UsePerfData", "-Xshare:auto"}

// packs keeps what is instrumented, for all tests of the process.
var packs string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "winnow-agent-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	packs = dir
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// A project is a compiled program and what it needs.
type project struct {
	t       testing.TB
	home    string
	dir     string // of its classes
	path    []string
	options Options
}

// compiled are the classes of testdata/*.java.
var compiled struct {
	sync.Mutex
	classes map[string][]byte
}

// testClasses compiles everything at once, because starting a compiler takes longer than compiling, and for the oldest runtime, so that every one can run it.
func testClasses(t testing.TB) map[string][]byte {
	t.Helper()
	compiled.Lock()
	defer compiled.Unlock()
	if compiled.classes != nil {
		return compiled.classes
	}
	names, err := filepath.Glob("testdata/*.java")
	if err != nil || len(names) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	files := map[string]string{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(data)
	}
	var path []string
	for _, jar := range slices.Concat(platform5Jars, []string{"junit", "testng", "mockito-core", "jqwik-api", "junit-platform-suite-api"}) {
		path = append(path, jvmtest.Jar(t, jar))
	}
	compiled.classes = jvmtest.Javac(t, jvmtest.JDK(t, features[0]), files, "-g", "--release", "11", "-cp", strings.Join(path, string(os.PathListSeparator)))
	return compiled.classes
}

// newProject is a program with all classes of the tests and some jars.
func newProject(t testing.TB, feature int, jars ...string) *project {
	t.Helper()
	p := &project{t: t, home: jvmtest.Runtime(t, feature), dir: filepath.Join(t.TempDir(), "classes")}
	p.path = []string{p.dir}
	for _, jar := range jars {
		p.path = append(p.path, jvmtest.Jar(t, jar))
	}
	jvmtest.WriteClasses(t, p.dir, testClasses(t))
	p.options = Options{JDK: p.home, ClassPath: p.path, Dir: t.TempDir(), Cache: instrument.Cache{Dir: packs}}
	return p
}

// plan makes the plan of the project.
func (p *project) plan() *Plan {
	p.t.Helper()
	plan, err := Build(p.t.Context(), p.options)
	if err != nil {
		p.t.Fatal(err)
	}
	return plan
}

// A ran is a JVM that has ended.
type ran struct {
	out  string
	err  error
	logs []*Log
	cpu  time.Duration
}

// run starts the JVM with the plan's agent and reads what it logged. A nil plan is a run without the agent.
func (p *project) run(plan *Plan, options []string, args ...string) ran {
	p.t.Helper()
	command := slices.Concat(quiet, options)
	if plan != nil {
		option, err := plan.Option()
		if err != nil {
			p.t.Fatal(err)
		}
		command = append(command, option)
	}
	command = append(command, "-cp", strings.Join(p.path, string(os.PathListSeparator)))
	cmd := jvmtest.Command(p.home, "java", append(command, args...)...)
	cmd.Dir = p.dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	r := ran{err: cmd.Run()}
	r.out, r.cpu = out.String(), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	if plan != nil {
		r.logs = p.logs(plan)
	}
	return r
}

// logs reads and removes the logs of the plan.
func (p *project) logs(plan *Plan) []*Log {
	p.t.Helper()
	files, err := filepath.Glob(filepath.Join(plan.Logs, "*.log"))
	if err != nil {
		p.t.Fatal(err)
	}
	var out []*Log
	for _, file := range files {
		l, err := ReadLog(file)
		if err != nil {
			p.t.Fatal(err)
		}
		out = append(out, l)
		if err := os.Remove(file); err != nil {
			p.t.Fatal(err)
		}
	}
	return out
}

// trace runs the JVM and attributes its only log.
func (p *project) trace(plan *Plan, args ...string) *Trace {
	p.t.Helper()
	r := p.run(plan, nil, args...)
	if r.err != nil {
		p.t.Fatalf("%v\n%s", r.err, r.out)
	}
	return p.attribute(plan, r)
}

func (p *project) attribute(plan *Plan, r ran) *Trace {
	p.t.Helper()
	if len(r.logs) != 1 {
		p.t.Fatalf("%d logs, want 1\n%s", len(r.logs), r.out)
	}
	trace, err := Attribute(plan, r.logs[0])
	if err != nil {
		p.t.Fatal(err)
	}
	checkReader(p.t, plan, r.logs[0], trace)
	return trace
}

// A fact is what a test with a key that ends in Key did: words with + it must have entered, itself or in what it shares; with = it must have
// entered itself; with - it must not have entered at all.
type fact struct {
	key     string
	outcome Outcome
	words   string
}

// check compares a trace with facts.
func check(t testing.TB, plan *Plan, trace *Trace, facts []fact) {
	t.Helper()
	for _, f := range facts {
		found := 0
		for _, test := range trace.Tests {
			if strings.HasSuffix(test.Key, f.key) {
				found++
				checkTest(t, plan, test, f)
			}
		}
		if found == 0 {
			t.Errorf("no test %s", f.key)
		}
	}
}

func checkTest(t testing.TB, plan *Plan, test *TestTrace, f fact) {
	t.Helper()
	if test.Outcome != f.outcome {
		t.Errorf("%s: %v, want %v", test.Key, test.Outcome, f.outcome)
	}
	own := methods(plan, test.Own)
	shared := map[string]bool{}
	for _, s := range test.Shared {
		for m := range methods(plan, s) {
			shared[m] = true
		}
	}
	for _, word := range strings.Fields(f.words) {
		name := word[1:]
		var ok bool
		switch word[0] {
		case '+':
			ok = own[name] || shared[name]
		case '=':
			ok = own[name]
		case '-':
			ok = !own[name] && !shared[name]
		case '!':
			ok = !own[name]
		}
		if !ok {
			t.Errorf("%s: %s does not hold", test.Key, word)
		}
	}
}

// methods are the methods of a footprint and of the initializers that it leads to, as class.name.
func methods(plan *Plan, f *Footprint) map[string]bool {
	out := map[string]bool{}
	seen := map[*Footprint]bool{}
	var walk func(*Footprint)
	walk = func(f *Footprint) {
		if seen[f] {
			return
		}
		seen[f] = true
		for _, id := range f.Methods {
			m, _ := plan.Method(id)
			out[m.Class+"."+m.Name] = true
		}
		for _, g := range f.Inits {
			walk(g)
		}
	}
	walk(f)
	return out
}
