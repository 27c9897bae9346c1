package state

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
)

// jars are what the fixtures need.
var jars = []string{"junit", "hamcrest-core", "guava", "kotlin-stdlib"}

// A recording is one run of all fixtures. A fixture is a program of testdata whose class First fills some state that its class Second uses.
type recording struct {
	plan    *agent.Plan
	trace   *agent.Trace
	program Program
	names   []string // of the fixtures
}

// onPath is a program on a class path.
type onPath struct {
	path  *classpath.Path
	known map[string]*Class
}

func (p *onPath) Class(name string) (*Class, error) {
	if c, ok := p.known[name]; ok {
		return c, nil
	}
	found, ok, err := p.path.Find(name)
	if err != nil || !ok {
		return nil, err
	}
	data, err := found.Read()
	if err != nil {
		return nil, err
	}
	c, err := ReadClass(data)
	p.known[name] = c
	return c, err
}

func (p *onPath) JDK(name string) bool {
	found, ok, err := p.path.Find(name)
	return err == nil && ok && found.Place.Path == p.path.Places()[0].Path
}

func (p *onPath) Own(name string) bool {
	found, ok, err := p.path.Find(name)
	return err == nil && ok && !p.JDK(name) && !strings.HasSuffix(found.Place.Path, ".jar")
}

var once struct {
	sync.Mutex
	*recording
	dir string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if err := os.RemoveAll(once.dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}

func record(t *testing.T) *recording {
	t.Helper()
	once.Lock()
	defer once.Unlock()
	if once.recording == nil {
		once.recording = run(t)
	}
	return once.recording
}

func run(t *testing.T) *recording {
	t.Helper()
	sources, err := filepath.Glob("testdata/*.java")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	r := &recording{}
	files := map[string]string{}
	for _, s := range sources {
		data, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(s)] = string(data)
		r.names = append(r.names, strings.TrimSuffix(filepath.Base(s), ".java"))
	}
	jdk := jvmtest.JDK(t, 17)
	dir, err := os.MkdirTemp("", "state")
	if err != nil {
		t.Fatal(err)
	}
	once.dir = dir
	path := []string{filepath.Join(dir, "classes")}
	for _, j := range jars {
		path = append(path, jvmtest.Jar(t, j))
	}
	separator := string(os.PathListSeparator)
	jvmtest.WriteClasses(t, path[0], jvmtest.Javac(t, jdk, files, "-cp", strings.Join(path[1:], separator)))
	r.plan, err = agent.Build(t.Context(), agent.Options{JDK: jdk, ClassPath: path, Dir: filepath.Join(dir, "agent"), NoJDKHooks: true})
	if err != nil {
		t.Fatal(err)
	}
	option, err := r.plan.Option()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", option, "-cp", strings.Join(path, separator), "org.junit.runner.JUnitCore"}
	for _, class := range []string{"$First", "$Second"} {
		for _, n := range r.names {
			args = append(args, n+class)
		}
	}
	cmd := jvmtest.Command(jdk, "java", args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	r.trace = readTrace(t, r.plan)
	p, err := classpath.OpenPath(17, append([]string{jdk}, path...)...)
	if err != nil {
		t.Fatal(err)
	}
	r.program = &onPath{p, map[string]*Class{}}
	return r
}

func readTrace(t *testing.T, plan *agent.Plan) *agent.Trace {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(plan.Logs, "*.log"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("logs %q: %v", logs, err)
	}
	l, err := agent.ReadLog(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	trace, err := agent.Attribute(plan, l)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// entered lists the methods of a test as "Class.name": without and with what it inherits.
func (r *recording) entered(t *testing.T, inheritance *Inheritance, key string) (own, all map[string]bool) {
	t.Helper()
	at := slices.IndexFunc(r.trace.Tests, func(x *agent.TestTrace) bool { return x.Key == key })
	if at < 0 {
		t.Fatalf("no test %s", key)
	}
	own, all = map[string]bool{}, map[string]bool{}
	test := r.trace.Tests[at]
	add := func(to map[string]bool, ids []int) {
		for _, id := range ids {
			m, _ := r.plan.Method(id)
			to[m.Class+"."+m.Name] = true
		}
	}
	for _, f := range append([]*agent.Footprint{test.Own}, test.Shared...) {
		add(own, f.Methods)
		add(all, f.Methods)
	}
	nodes, handed := inheritance.All(test)
	for _, n := range nodes {
		add(all, inheritance.Nodes[n].Methods)
	}
	for _, f := range handed {
		add(all, f.Methods)
	}
	return own, all
}

// TestFixtures: what the first test does to fill state belongs to the second test, too, which uses it without doing it again; what the first test does
// besides does not, unless the first test hands over a value that it computed in any way it likes.
func TestFixtures(t *testing.T) {
	r := record(t)
	inheritance, err := Inherit(r.program, r.plan, r.trace, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range r.names {
		t.Run(name, func(t *testing.T) {
			own, all := r.entered(t, inheritance, "junit4:uses("+name+"$Second)")
			r.strangers(t, name, own, all)
			fill := name + ".fill"
			if strings.HasPrefix(name, "Calm") {
				if all[fill] {
					t.Error("what fills state was inherited by a test that does not look at it")
				}
				return
			}
			if name == "EnumConstants" {
				fill = name + "$Kind.values"
			}
			if own[fill] {
				t.Error("the second test fills the state itself: the fixture shows nothing")
			}
			if !all[fill] {
				t.Error("what filled the state is missing")
			}
			if all[name+".other"] && name != "Reflective" && !strings.HasPrefix(name, "Handed") {
				t.Error("what has nothing to do with the state was inherited")
			}
		})
	}
}

// together are fixtures that share state: streams of the process, and functions of one type of the JDK, which are taken for one another.
var together = [][]string{
	{"HandedInput", "HandedInputSaved"},
	{"HandedCapture", "HandedOutput", "HandedReplaced"},
	{"HandedAccumulator", "HandedCollector", "HandedCollectorOf", "HandedGrouping", "HandedSupplier", "Memo"},
}

// strangers fails if a test inherits what filled the state of another fixture; the one without state inherits nothing at all. Reflection can have run anything.
func (r *recording) strangers(t *testing.T, name string, own, all map[string]bool) {
	t.Helper()
	if name == "Reflective" {
		return
	}
	for _, other := range r.names {
		together := slices.ContainsFunc(together, func(g []string) bool { return slices.Contains(g, name) && slices.Contains(g, other) })
		if other != name && !together && all[other+".fill"] {
			t.Errorf("what filled the state of %s was inherited", other)
		}
	}
	if name == "Calm" && len(all) > len(own) {
		t.Errorf("a test without state inherits %d methods", len(all)-len(own))
	}
}

// TestCompare: a method that a class enters only alone is explained by the state that kept it.
func TestCompare(t *testing.T) {
	r := record(t)
	const class = "StaticField$Second"
	at := slices.IndexFunc(r.trace.Tests, func(x *agent.TestTrace) bool { return x.Class == class })
	if at < 0 {
		t.Fatal("no test of " + class)
	}
	find := func(name string) int {
		for id := range r.plan.IDs() {
			if m, _ := r.plan.Method(id); m.Class+"."+m.Name == name {
				return id
			}
		}
		t.Fatal("no method " + name)
		return -1
	}
	fill, get := find("StaticField.fill"), find("StaticField.get")
	own := append(slices.Clone(r.trace.Tests[at].Own.Methods), fill)
	slices.Sort(own)
	alone := &agent.Trace{Process: r.trace.Process, Tests: []*agent.TestTrace{{Node: agent.Node{Class: class}, Own: &agent.Footprint{Methods: own}}}}
	got, err := Compare(r.program, r.plan, r.trace, alone, class)
	if err != nil {
		t.Fatal(err)
	}
	want := []Loss{{Method: fill, Test: "junit4:fills(StaticField$First)", Cell: "StaticField.value", Reader: get, Filler: get}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if !got[0].Inherited() {
		t.Error("the method counts as lost although it is inherited")
	}
}

// TestInheritAhead: what tests inherit does not depend on how many of them are looked at at a time.
func TestInheritAhead(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	c := newCrowd(r, 2_000)
	trace := c.trace(r, 200, 300)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want, err := inherit(c, c, trace, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Nodes) == 0 {
		t.Fatal("nothing is inherited")
	}
	for _, n := range []int{2, 4} {
		runtime.GOMAXPROCS(n)
		if got, err := inherit(c, c, trace, nil); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d at a time: another result, %v", n, err)
		}
	}
}
