package project

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"winnow/internal/digest"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/instrument"
	"winnow/internal/jvm/maven"
	"winnow/internal/jvm/observed"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/vfs"
)

// Options is what a module needs to know beside the execution itself.
type Options struct {
	Root  string     // the project's root directory
	Files *vfs.Files // files, directories and variables
	Dir   string     // where the project's data are
	Own   string     // the directory of all data of Winnow, which tests may meet when they walk through the project
	Cache *Cache
	Seen  *classpath.Seen
	Known []rts.TestID // tests that have records
	// Isolate gives every test class a JVM of its own.
	Isolate bool
	// Rules are the safety rules in force; tests switch one off.
	Rules safety.Rules
	// Observe, if not nil, is told what the execution was and what its tests did.
	Observe func(*observed.Unit) error
	// EndsOnly says that nobody wants to know more of the tests than how they ended: what they used is not put together, and their records prove nothing.
	EndsOnly bool
	// Limit, if not 0, is how long the tests may take before their JVMs are killed.
	Limit time.Duration
}

// A Cache has data that belong to no project: what was made of jars. The executions of a command share it.
type Cache struct {
	dir    string
	tables *table.Cache
}

// NewCache returns the cache in a directory.
func NewCache(dir string) *Cache { return &Cache{dir, table.NewCache(filepath.Join(dir, "tables"))} }

// packs is where instrumented jars are.
func (c *Cache) packs() instrument.Cache { return instrument.Cache{Dir: filepath.Join(c.dir, "packs")} }

// mostPacks is how many bytes of instrumented jars are kept: those of several large projects.
const mostPacks = 4 << 30

// Clean removes what was not used for the longest time, if there is too much.
func (c *Cache) Clean() error {
	packs := c.packs()
	return packs.Clean(mostPacks)
}

// Ahead reads what it takes to look at an execution that used some entities before, as far as it does not belong to the project.
func (c *Cache) Ahead(ctx context.Context, jdk string, classPath []string, seen *classpath.Seen, used []rts.Entity) {
	var classes []string
	for _, e := range used {
		if e.Kind == Class {
			class, _ := scope("").local(e.Name)
			classes = append(classes, class)
		}
	}
	c.tables.Ahead(ctx, table.Options{JDK: jdk, ClassPath: classPath, Seen: seen}, classes)
}

// A Module is a test execution that is about to start.
type Module struct {
	request *maven.Request
	shares  bool // test classes share a JVM
	options Options
	scope   scope
	jdk     string
	*snapshot
	tests     []rts.Test
	discovery digest.Digest
	unlisted  string

	answer chan maven.Answer
	ended  chan struct{}
	clean  bool      // the execution ran all it had to
	since  time.Time // when the execution started
	// doubted are tests that failed with these very inputs before.
	doubted map[rts.TestID]bool
	// excluded are the tests that the agent was told to leave out.
	excluded    map[rts.TestID]bool
	others      Absence // nil if nobody is left out
	trace       *collected
	annotations sync.Map        // of test classes, by their names
	readers     readers         // of the logs, while tests run
	opened      *library        // while tests run
	around      map[string]bool // classes around whose tests something failed
	over        []rts.TestID    // see PassedOver
	unmarked    error           // see Unmarked
	// aside is where data of the execution are while it runs, if they cannot be where they belong; "" if they can.
	aside string
}

// Look looks at a test execution. An error means that nothing can be said about it.
func Look(ctx context.Context, r *maven.Request, o Options) (*Module, error) {
	m := &Module{request: r, options: o, shares: !o.Isolate && r.ReusesForks(), scope: scopeOf(r, o.Root), answer: make(chan maven.Answer, 1), ended: make(chan struct{}), excluded: map[rts.TestID]bool{}}
	if r.JVM == "" {
		return nil, fmt.Errorf("it is not known which JVM will run the tests: %s", r.JVMProblem)
	}
	m.jdk = home(r.JVM)
	var err error
	if m.snapshot, err = m.look(ctx, o.Files, false); err != nil {
		return nil, err
	}
	if m.discovery, err = m.discoveryDigest(); err != nil {
		return nil, err
	}
	if m.tests, err = m.known(); err != nil {
		return nil, err
	}
	m.unlisted = m.whyUnlisted()
	return m, nil
}

// home returns the home of the JVM that a java program belongs to.
func home(java string) string {
	if real, err := filepath.EvalSymlinks(java); err == nil {
		java = real
	}
	return filepath.Dir(filepath.Dir(java))
}

func (m *Module) classPath() []string {
	return slices.Concat(m.request.ClassPath, m.request.ProviderPath)
}

// look makes a snapshot of the present state.
func (m *Module) look(ctx context.Context, files *vfs.Files, settled bool) (*snapshot, error) {
	program, err := table.Open(ctx, table.Options{JDK: m.jdk, ClassPath: m.classPath(), Seen: m.options.Seen, Cache: m.options.Cache.tables})
	if err != nil {
		return nil, err
	}
	tools := newFingerprint(m.request, m.jdk, files.Roots())
	tools.addVariables(m.request, files)
	if err := tools.addModules(m.request); err != nil {
		return nil, errors.Join(err, program.Close())
	}
	if err := tools.addTold(program, m.request.TestClasses, m.request.Configuration()); err != nil {
		return nil, errors.Join(err, program.Close())
	}
	tools.addNames()
	return &snapshot{scope: m.scope, program: program, files: files, properties: newProperties(m.request, files, m.options.Seen), tools: tools, settled: settled}, nil
}

// Recheck looks again: tests read their inputs at moments that nobody sees (S1.9).
func (m *Module) Recheck() (rts.Snapshot, error) {
	return m.look(context.Background(), m.options.Files.Fresh(), true)
}

// Name is the module's name for people.
func (m *Module) Name() string {
	parts := strings.Split(m.request.Module, ":")
	name := parts[min(1, len(parts)-1)]
	if m.request.Mojo.Execution != "default-test" {
		name += "@" + m.request.Mojo.Execution
	}
	return name
}

// Modules names the execution.
func (m *Module) Modules() []string { return []string{m.Name()} }

// Tests lists the tests that have records and still exist, as far as their names tell.
func (m *Module) Tests() []rts.Test { return m.tests }

// Owns tells whether a test belongs to this execution.
func (m *Module) Owns(id rts.TestID) bool {
	_, ok := m.scope.local(string(id))
	return ok
}

// Found describes a test that a run met.
func (m *Module) Found(id rts.TestID) rts.Test {
	local, _ := m.scope.local(string(id))
	t := rts.Test{ID: id, Module: m.Name()}
	// A name that is not a key is one of JUnit 4, TestNG or Jupiter.
	if engine := engineOf(local); engine != "" && !slices.Contains(engines, engine) {
		t.Always, t.AlwaysWhy = rts.Unsupported, "tests of the engine "+engine+" are not left out"
	}
	return t
}

// engines are those whose tests can be left out one by one.
var engines = []string{"junit-jupiter", "junit-vintage", "junit-platform-suite"}

func (m *Module) known() ([]rts.Test, error) {
	var out []rts.Test
	for _, id := range m.options.Known {
		local, ok := m.scope.local(string(id))
		if !ok {
			continue
		}
		gone, err := m.gone(local)
		if err != nil {
			return nil, err
		}
		if !gone {
			out = append(out, m.Found(id))
		}
	}
	having, named := m.withTests(slices.Values(m.options.Known)), m.methodsOf(m.options.Known)
	out = slices.DeleteFunc(out, func(t rts.Test) bool {
		class, method := m.MethodOf(t.ID)
		if method == wholeClass {
			return having[class]
		}
		return named[methodOf{class, method}] > 1 && m.movedTest(t.ID)
	})
	slices.SortFunc(out, func(a, b rts.Test) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return out, nil
}

// withTests has the classes of tests, and those around them. A class without tests is none.
func (m *Module) withTests(tests iter.Seq[rts.TestID]) map[string]bool {
	out := map[string]bool{}
	for id := range tests {
		if class, method := m.MethodOf(id); method != wholeClass {
			addEnclosing(out, class)
		}
	}
	return out
}

func addEnclosing(to map[string]bool, class string) {
	for _, name := range enclosing(class) {
		to[name] = true
	}
}

// nameOf is the name of a test that ran. Whether it still exists is told by its name later (see gone), so a name that would not tell is not used: a test has another one if its runner
// describes it without regard to methods, and its key if its class is made up, too (S3.4).
func (m *Module) nameOf(key string) string {
	name := nameOf(key)
	if gone, err := m.gone(name); err == nil && !gone && !m.moved(name) {
		return name
	}
	if name = describedName(key); name != "" {
		if gone, err := m.gone(name); err == nil && !gone {
			return name
		}
	}
	return key
}

// testID is the test with a key that ran.
func (m *Module) testID(key string) rts.TestID { return rts.TestID(m.scope.name(m.nameOf(key))) }

// gone tells whether the class path has no class or no method of a test's name. Where the name does not tell, the test may exist.
func (m *Module) gone(name string) (bool, error) {
	class, method := m.namedBy(name)
	if class == "" {
		return false, nil
	}
	for below := map[string]bool(nil); class != "" && !below[class]; {
		if m.program.JDK(class) {
			return true, nil
		}
		t, err := m.program.Table(class)
		if err != nil || t == nil && len(below) > 0 {
			return false, nil // it cannot be said
		}
		if t == nil {
			return true, nil
		}
		if method == "" || method == wholeClass {
			return false, nil
		}
		if len(t.Interfaces) > 0 || t.Has(method) {
			return false, nil // a test may come from an interface
		}
		if below == nil {
			below = map[string]bool{}
		}
		below[class] = true
		class = t.Super
	}
	return false, nil
}

// namedBy is the class that the name of a test tells, in internal form, and the bare name of its method; "" for what it does not tell.
func (m *Module) namedBy(name string) (class, method string) {
	if class, method = classOf(name); class == "" {
		return "", ""
	}
	if outer, inner, ok := strings.Cut(unmarked(name[:strings.IndexByte(name, '#')]), "/"); ok {
		class = m.nested(internalName(outer), strings.Split(inner, "/"))
	}
	return class, method
}

// nested finds a class inside of another by its simple names; a class has those of its superclasses, too. What is not found is named as if it were there.
func (m *Module) nested(outer string, names []string) string {
	for _, name := range names {
		found := outer + "$" + name
		for up, left := outer, 100; up != "" && left > 0; left-- {
			t, err := m.program.Table(up)
			if err != nil || t == nil {
				break
			}
			if m.program.Digest(up+"$"+name) != digest.Absent {
				found = up + "$" + name
				break
			}
			up = t.Super
		}
		outer = found
	}
	return outer
}

// Unlisted says why there may be tests that nobody knows (S8.9).
func (m *Module) Unlisted() string { return m.unlisted }

func (m *Module) whyUnlisted() string {
	last, err := os.ReadFile(m.marker())
	switch {
	case err != nil:
		return "no complete run is known"
	case string(last) == m.discovery.String()+" "+m.knownDigest(nil):
	case strings.HasPrefix(string(last), m.discovery.String()):
		return "records are missing"
	case m.options.Rules.Hold(safety.DiscoveryCounts):
		return "something changed on which it depends which tests there are"
	}
	return ""
}

// knownDigest names the tests that have records, with those that a run adds: without them, what is known of the state is worth nothing.
func (m *Module) knownDigest(more map[rts.TestID]bool) string {
	var ids []rts.TestID
	for _, id := range m.options.Known {
		if m.Owns(id) {
			ids = append(ids, id)
		}
	}
	ids = slices.AppendSeq(ids, maps.Keys(more))
	slices.Sort(ids)
	var b digest.Builder
	for _, id := range slices.Compact(ids) {
		b.AddString(string(id))
	}
	return b.Sum().String()
}

// A Setting is what the build says about an execution: what an independent checker cannot find out by itself.
type Setting struct {
	Scope, JDK        string
	ClassPath         []string
	Properties, Tools map[string]digest.Digest
}

// Setting describes the execution.
func (m *Module) Setting() Setting {
	s := Setting{Scope: string(m.scope), JDK: m.jdk, ClassPath: m.classPath(), Properties: map[string]digest.Digest{}, Tools: m.tools}
	for name := range m.properties.values {
		s.Properties[name] = m.properties.digest(name)
	}
	for _, name := range append([]string{everyProperty}, fromMachine...) {
		s.Properties[name] = m.properties.digest(name)
	}
	return s
}

// Dir is where the data of this execution are.
func (m *Module) Dir() string {
	if m.aside != "" {
		return m.aside
	}
	return filepath.Join(m.options.Dir, digest.OfString(string(m.scope)).Short())
}

// marker is the file that says for which state of the project all tests are known.
func (m *Module) marker() string { return filepath.Join(m.Dir(), "discovery") }

// discoveryDigest names everything on which it can depend which tests there are: the shapes of all classes in directories, the jars, the configuration.
func (m *Module) discoveryDigest() (digest.Digest, error) {
	var b digest.Builder
	choice := m.tools[filterItem]
	b.AddString(m.request.Configuration()).Add(choice[:])
	for _, tool := range slices.SortedFunc(slices.Values(m.tools.uses(m.scope)), rts.Use.Compare) {
		b.AddString(tool.Entity.Name).Add(tool.Digest[:])
	}
	dirs := map[string]bool{}
	for _, place := range m.classPath() {
		info, err := os.Stat(place)
		if dirs[place] = err == nil && info.IsDir(); dirs[place] {
			continue
		}
		d, err := m.options.Seen.Digest(place)
		if err != nil {
			return digest.Unknown, err
		}
		b.AddString(filepath.Base(place)).Add(d[:])
	}
	names, err := m.program.NamesInDirs()
	if err != nil {
		return digest.Unknown, err
	}
	for _, class := range names {
		if !dirs[m.program.Place(class)] {
			continue
		}
		b.AddString(class)
		if link, reflect, ok, err := m.program.Shape(class); err == nil && ok {
			b.Add(link[:]).Add(reflect[:])
		}
	}
	return b.Sum(), nil
}

// Doubt names tests that failed with the inputs that they have now. If one passes while others are left out, that may be because those are missing, so it proves nothing.
func (m *Module) Doubt(tests []rts.TestID) {
	m.doubted = map[rts.TestID]bool{}
	for _, id := range tests {
		m.doubted[id] = true
	}
}

// Answer waits for what Surefire is to be told.
func (m *Module) Answer() <-chan maven.Answer { return m.answer }

// Decline tells Surefire to run no test, because none is due.
func (m *Module) Decline(text string) {
	m.answer <- maven.Answer{Action: maven.Skip, Text: text}
}

// Ended says that the execution is over, and whether it came to its end: failing tests are no hindrance, a JVM that crashed or went away is.
func (m *Module) Ended(clean bool) {
	select {
	case <-m.ended:
	default:
		m.clean = clean
		close(m.ended)
	}
}

// Run starts the execution without the tests that are not given, waits for its end and reports what ran.
func (m *Module) Run(ctx context.Context, tests []rts.TestID, sink rts.Sink) error {
	plan, option, err := m.prepare(ctx, tests)
	if err != nil {
		err = &UnrecordedError{err}
		m.answer <- maven.Answer{Text: err.Error()}
		return err
	}
	answer := maven.Answer{Action: maven.WithOptions, Options: []string{option}}
	if m.options.Isolate {
		answer.Set = []maven.Parameter{{Path: "forkCount", Value: "1"}, {Path: "reuseForks", Value: "false"}}
	}
	m.since = time.Now()
	m.answer <- answer
	m.follow(plan, option) // also while Maven is being stopped: what has ended is in the logs
	err = errors.Join(m.gather(ctx, plan, tests, sink), os.RemoveAll(plan.Logs))
	if m.aside != "" {
		err = errors.Join(err, os.RemoveAll(m.aside))
		m.aside = ""
	}
	if err != nil {
		return err
	}
	return ctx.Err()
}
