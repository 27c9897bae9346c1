package project

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"winnow/internal/engine"
	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/assemble"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/maven"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/store"
	"winnow/internal/store/sqlite"
	"winnow/internal/technique"
	"winnow/internal/technique/methods"
	"winnow/internal/vfs"
)

// The made-up project has 5,000 classes, one in ten of them with ten tests. A test enters 1,000 methods: ten of each of 100 classes.
const (
	benchClasses = 5000
	benchTests   = 5000
	benchMethods = 10
	benchReach   = 100
)

// benchClass is the bytes of a class. Each method calls its namesake in the next class. The last method of one class in twenty keeps something in a static field; if
// state is wide, it calls on, too, so that what fills one field is all that fills any, and all tests depend on all of it.
func benchClass(tb testing.TB, i, constant int, wide bool) []byte {
	tb.Helper()
	name := func(i int) string { return fmt.Sprintf("p/C%d", i%benchClasses) }
	c := assemble.New(assemble.Header{Access: classfile.Flags(0x21), Name: name(i), Super: "java/lang/Object"})
	call := func(k *assemble.Code, class int, method string) {
		k.Invoke(bytecode.Invokestatic, classfile.Ref{Tag: classfile.TagMethodref, Class: name(class), Name: method, Descriptor: "()V"})
	}
	for j := range benchMethods {
		method := fmt.Sprintf("m%d", j)
		k := c.Code()
		if j == 0 {
			k.Push(int16(constant))
			k.Op(bytecode.Pop)
		}
		if j == benchMethods-1 && i%20 == 0 {
			k.Field(bytecode.Getstatic, name(i), "kept", "Ljava/lang/Object;")
			k.Op(bytecode.Pop)
			k.Op(bytecode.AconstNull)
			k.Field(bytecode.Putstatic, name(i), "kept", "Ljava/lang/Object;")
		}
		if wide || j < benchMethods-1 {
			call(k, i+1, method)
		}
		k.Op(bytecode.Return)
		c.AddMethod(classfile.Flags(0x9), method, "()V", k)
	}
	if i%20 == 0 {
		c.AddField(classfile.Flags(0x8), "kept", "Ljava/lang/Object;")
	}
	for j := range 10 {
		if i%10 != 0 {
			break
		}
		k := c.Code()
		call(k, i+j, "m0")
		k.Op(bytecode.Return)
		c.AddMethod(classfile.Flags(0x9), fmt.Sprintf("t%d", j), "()V", k)
	}
	data, err := c.Bytes()
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// A benchProject is the project on disk.
type benchProject struct {
	tb      testing.TB
	wide    bool
	looks   int    // so many classes does a test look at by reflection
	dir     string // of the classes
	request *maven.Request
	options Options
}

func newBenchProject(tb testing.TB, wide bool) *benchProject {
	tb.Helper()
	root := tb.TempDir()
	p := &benchProject{tb: tb, wide: wide, dir: filepath.Join(root, "target", "test-classes")}
	check(tb, os.MkdirAll(filepath.Join(p.dir, "p"), 0o755))
	old := time.Now().Add(-time.Hour)
	for i := range benchClasses {
		p.write(i, 1)
		check(tb, os.Chtimes(p.file(i), old, old))
	}
	p.request = &maven.Request{
		Module: "g:a:1", BaseDir: root, Root: root, Mojo: maven.Mojo{Group: "org.apache.maven.plugins", Artifact: "maven-surefire-plugin", Version: "3.5.6", Goal: "test", Execution: "default-test"},
		TestClasses: p.dir, Classes: filepath.Join(root, "target", "classes"), ClassPath: []string{p.dir}, JVM: filepath.Join(jvmtest.JDK(tb, 17), "bin", "java"), WorkingDir: root,
	}
	p.options = Options{
		Root: root, Files: vfs.NewFiles(vfs.NewRoots(vfs.Root{Name: "project", Path: root})), Dir: filepath.Join(root, ".winnow"), Cache: NewCache(filepath.Join(root, "cache")), Seen: new(classpath.Seen),
	}
	time.Sleep(2100 * time.Millisecond) // until then directories count as just written
	return p
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func (p *benchProject) file(i int) string {
	return filepath.Join(p.dir, "p", fmt.Sprintf("C%d.class", i))
}

func (p *benchProject) write(i, constant int) {
	check(p.tb, os.WriteFile(p.file(i), benchClass(p.tb, i, constant, p.wide), 0o644))
}

func (p *benchProject) look(known []rts.TestID) *Module {
	o := p.options
	o.Known = known
	m, err := Look(p.tb.Context(), p.request, o)
	check(p.tb, err)
	return m
}

// A benchModule is a module whose tests are in a log that is there already.
type benchModule struct {
	*Module
	made *agent.Plan
}

func (m benchModule) Run(ctx context.Context, tests []rts.TestID, sink rts.Sink) error {
	m.clean = true
	return m.collect(ctx, m.made, tests, sink)
}

// planned makes the plan of a module and the log of a process that ran all tests.
func (p *benchProject) planned(m *Module) benchModule {
	plan, _, err := m.prepare(p.tb.Context(), nil)
	check(p.tb, err)
	check(p.tb, os.MkdirAll(plan.Logs, 0o755))
	check(p.tb, os.WriteFile(filepath.Join(plan.Logs, "1"), benchLog(p.tb, plan, p.looks).Append(nil), 0o644))
	return benchModule{m, plan}
}

// benchLog is what the agent would have written.
func benchLog(tb testing.TB, plan *agent.Plan, looks int) *agent.Log {
	tb.Helper()
	file, err := os.ReadFile(plan.File)
	check(tb, err)
	first := []agent.Record{&agent.Start{PID: 1, Home: "/jdk", Version: "17", Dir: "/", Plan: binary.BigEndian.Uint64(file[12:]), Hooked: true}, &agent.Loader{Class: "L"}}
	ids := map[string][]int{} // by class: of its methods m
	base := 0
	for i := range plan.Classes {
		first = append(first, &agent.Define{Class: i, Base: base, Loader: 1})
		detail := plan.Detail(i)
		for j, m := range detail.Methods {
			if m.Name[0] == 'm' {
				ids[detail.Name] = append(ids[detail.Name], base+j)
			}
		}
		base += plan.Classes[i].IDs
	}
	for i := range benchClasses {
		if looks > 0 {
			first = append(first, &agent.Text{Text: fmt.Sprintf("p.C%d", i)})
		}
	}
	log := &agent.Log{Blocks: [][]agent.Record{first}}
	for i := range benchTests {
		class, method := fmt.Sprintf("p.C%d", i/10*10), fmt.Sprintf("t%d", i%10)
		var hits []int
		for j := range benchReach {
			hits = append(hits, ids[fmt.Sprintf("p/C%d", (i+j)%benchClasses)]...)
		}
		slices.Sort(hits)
		var events []agent.Event
		for j := range looks {
			events = append(events, agent.Event{Kind: agent.ClassReflected, Text: (i + j) % benchClasses})
		}
		slices.SortFunc(events, func(a, b agent.Event) int { return a.Text - b.Text })
		at := uint64(i) * 1000
		log.Blocks = append(log.Blocks, []agent.Record{
			&agent.Node{ID: i + 1, Framework: agent.JUnit4, Kind: agent.IsTest, Key: "junit4:" + method + "(" + class + ")", Class: class, Method: method}, &agent.Begin{Node: i + 1, Time: at, Thread: 1},
			&agent.Segment{Time: at + 500, Active: []int{i + 1}, Hits: hits, Events: events}, &agent.End{Node: i + 1, Time: at + 500, Thread: 1, Outcome: agent.Passed},
		})
	}
	log.Blocks = append(log.Blocks, []agent.Record{&agent.Finish{Time: benchTests * 1000}})
	return log
}

type benchFinder struct{ *Module }

func (f benchFinder) Find(e rts.Entity) (methods.Program, string, bool) { return f.Module.Find(e) }

func (p *benchProject) engine(project engine.Project, m *Module, s *store.Store) *engine.Engine {
	e := &engine.Engine{Project: project, Store: s}
	e.Config.Technique = methods.Technique
	e.Config.NewJudge = func(b technique.Bodies) technique.Judge { return methods.New(b, benchFinder{m}, safety.Rules{}) }
	return e
}

func (p *benchProject) open(file string) *store.Store {
	back, err := sqlite.Open(p.tb.Context(), file, sqlite.Options{})
	check(p.tb, err)
	return store.New(back)
}

// record fills a store with one run of all tests.
func (p *benchProject) record(m benchModule, file string) {
	e := p.engine(m, m.Module, p.open(file))
	sel, err := e.Select(p.tb.Context())
	check(p.tb, err)
	rep, err := e.Run(p.tb.Context(), sel, rts.Meta{When: time.Unix(1, 0)}, nil)
	check(p.tb, err)
	if rep.RunErr != nil || rep.RecordErr != nil || len(rep.Results) != benchTests {
		p.tb.Fatalf("%d results, %v, %v", len(rep.Results), rep.RunErr, rep.RecordErr)
	}
	check(p.tb, e.Store.Close())
}

// cpuTime is the processor time of this process, which other work on the machine changes less than the clock.
func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	check(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A lap measures a part of a benchmark by both clocks.
type lap struct {
	wall, cpu time.Duration
}

func (l *lap) measure(tb testing.TB, f func()) {
	wall, cpu := time.Now(), cpuTime(tb)
	f()
	l.wall, l.cpu = l.wall+time.Since(wall), l.cpu+cpuTime(tb)-cpu
}

func (l *lap) report(b *testing.B, name string, per float64) {
	b.ReportMetric(l.wall.Seconds()*1e3/per, name+"-ms")
	b.ReportMetric(l.cpu.Seconds()*1e3/per, name+"-cpu-ms")
}

// BenchmarkSelect is what Winnow does between Maven's question and its answer: 5,000 classes and 5,000 tests, ten classes changed since the last run. The bar is
// 100 ms for all of it.
func BenchmarkSelect(b *testing.B) {
	b.Run("state-local", func(b *testing.B) { benchmarkSelect(b, false) })
	b.Run("state-wide", func(b *testing.B) { benchmarkSelect(b, true) })
}

func benchmarkSelect(b *testing.B, wide bool) {
	p := newBenchProject(b, wide)
	file := filepath.Join(b.TempDir(), "store.db")
	p.record(p.planned(p.look(nil)), file)
	var known, looking, selecting lap
	constant := 1
	for b.Loop() {
		b.StopTimer()
		constant++
		for k := range 10 {
			p.write(k*benchClasses/10, constant)
		}
		b.StartTimer()
		var ids []rts.TestID
		var s *store.Store
		known.measure(b, func() {
			s = p.open(file)
			var err error
			ids, err = (&engine.Engine{Store: s}).KnownTests(b.Context())
			check(b, err)
		})
		var m *Module
		looking.measure(b, func() { m = p.look(ids) })
		var sel *rts.Selection
		selecting.measure(b, func() {
			var err error
			sel, err = p.engine(m, m, s).Select(b.Context())
			check(b, err)
		})
		if n := len(sel.Selected()); n != 10*benchReach || len(sel.Decisions) != benchTests {
			b.Fatalf("%d of %d tests selected, the first because of %v", n, len(sel.Decisions), sel.Decisions[0].Reasons)
		}
		check(b, s.Close())
	}
	known.report(b, "known", float64(b.N))
	looking.report(b, "look", float64(b.N))
	selecting.report(b, "select", float64(b.N))
}

// BenchmarkRecord turns a log of 5,000 tests with 1,000 methods each into records in a new store. With shared state every test also depends on what others did who filled it, and each of
// those looked at 100 classes.
func BenchmarkRecord(b *testing.B) {
	b.Run("state-local", func(b *testing.B) { benchmarkRecord(b, false, 0) })
	b.Run("state-wide", func(b *testing.B) { benchmarkRecord(b, true, 100) })
}

func benchmarkRecord(b *testing.B, wide bool, looks int) {
	p := newBenchProject(b, wide)
	p.looks = looks
	m := p.planned(p.look(nil))
	var turning, whole lap
	for b.Loop() {
		turning.measure(b, func() { check(b, m.Run(b.Context(), nil, &ledger{done: map[rts.TestID]rts.Result{}})) })
		whole.measure(b, func() { p.record(m, filepath.Join(b.TempDir(), "store.db")) })
	}
	per := float64(b.N * benchTests)
	turning.report(b, "turn/test", per)
	whole.report(b, "record/test", per)
}
