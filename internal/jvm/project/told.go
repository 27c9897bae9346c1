package project

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/state"
	"winnow/internal/jvm/table"
)

// Some of what a test class declares matters to tests of other classes. TestNG takes what runs around groups, tests of the suite and the suite, listeners and factories for those of all; a suite of JUnit 3, 4 or the platform runs
// tests of others once more, with what it puts around them. Where Jupiter puts classes in an order, the place of each matters to those around it. A class that comes with such a declaration is in no record. So which there are, and what they say, is an item of the fingerprint (S8.3). What their methods do
// is recorded as of others.

const (
	toldItem   = "what test classes declare for others"
	testngs    = "Lorg/testng/annotations/"
	runWith    = "Lorg/junit/runner/RunWith;"
	members    = "Lorg/junit/runners/Suite$SuiteClasses;"
	suiteMaker = "()Ljunit/framework/Test;"
	suites     = "Lorg/junit/platform/suite/api/"
	place      = "Lorg/junit/jupiter/api/Order;"
)

// forAll are the annotations of TestNG that matter to tests of other classes.
var forAll = []string{"Listeners", "Factory", "ObjectFactory", "BeforeSuite", "AfterSuite", "BeforeTest", "AfterTest", "BeforeGroups", "AfterGroups"}

// ofOneClass are the beginnings of the names of runners that run the tests of one class, and so do those below them. Others run those of any, if they make runners.
var ofOneClass = []string{"org/junit/runners/BlockJUnit4ClassRunner", "org/junit/runners/JUnit4", "org/junit/runners/Parameterized", "org/junit/experimental/runners/Enclosed", "org/junit/experimental/theories/Theories", "org/mockito/", "org/powermock/", "org/springframework/"}

// ordersClasses is in the name of the parameter by which Jupiter puts test classes in an order.
const ordersClasses = "junit.jupiter.testclass.order"

// addTold adds the item if there is a framework in which classes can declare something for others, or if they are put in an order by what they declare.
func (f fingerprint) addTold(program *table.Program, testClasses, configuration string) error {
	parameters, err := os.ReadFile(filepath.Join(testClasses, "junit-platform.properties"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	ordered := bytes.Contains(parameters, []byte(ordersClasses)) || strings.Contains(configuration, ordersClasses)
	if !ordered && !slices.ContainsFunc([]string{"org/testng/annotations/Test", "junit/framework/Test", "org/junit/platform/suite/api/Suite"}, func(class string) bool { return program.Place(class) != "" }) {
		return nil
	}
	t := told{program: program, ordered: ordered, lines: map[string]bool{}, seen: map[string]bool{}, inDirs: map[string]bool{}}
	names, err := program.NamesInDirs()
	if err != nil {
		return err
	}
	var all []*toldClass
	for _, name := range names {
		t.inDirs[name] = true
		if program.Place(name) != testClasses {
			continue
		}
		c := t.read(name)
		all = append(all, c)
		t.depends = t.depends || bytes.Contains(c.data, []byte("dependsOnGroups"))
	}
	for _, c := range all {
		if c.table != nil && c.table.IsAbstract() {
			continue // what extends it counts
		}
		t.add(c, bytes.Contains(c.data, []byte("org/testng/")))
	}
	f[toldItem] = digest.OfString(strings.Join(slices.Sorted(maps.Keys(t.lines)), "\n"))
	return nil
}

// told collects what annotations say.
type told struct {
	program *table.Program
	ordered bool            // classes of Jupiter run in an order that may be declared
	depends bool            // tests depend on groups, so that it matters who is in one
	lines   map[string]bool // one for each annotation
	seen    map[string]bool // classes; true if a test has them
	inDirs  map[string]bool // classes of directories
}

type toldClass struct {
	name  string
	data  []byte
	table *table.Table // nil if the class cannot be read
}

// read reads a class of a directory.
func (t *told) read(name string) *toldClass {
	c := &toldClass{name: name}
	var err error
	if c.data, err = os.ReadFile(filepath.Join(t.program.Place(name), filepath.FromSlash(name)+".class")); err != nil {
		return c
	}
	if of, err := t.program.Table(name); err == nil {
		c.table = of
	}
	return c
}

// add adds a class and what it extends. Of jars it is enough which class a test extends.
func (t *told) add(c *toldClass, test bool) {
	if of, known := t.seen[c.name]; known && (of || !test) {
		return
	}
	t.seen[c.name] = test
	if err := t.annotations(c); err != nil || c.table == nil {
		t.lines[c.name+" cannot be read: "+digest.Of(c.data).String()] = true
		return
	}
	for _, up := range append([]string{c.table.Super}, c.table.Interfaces...) {
		switch {
		case t.program.JDK(up):
		case t.inDirs[up]:
			t.add(t.read(up), test)
		case test && t.program.Place(up) != "":
			t.lines["extends "+up] = true
		}
	}
}

// annotations adds those of a class and of its methods.
func (t *told) annotations(c *toldClass) error {
	has := func(text string) bool { return bytes.Contains(c.data, []byte(text)) }
	ofTestNG := has(testngs) && (t.depends && has("groups") || slices.ContainsFunc(forAll, func(name string) bool { return has(testngs + name + ";") }))
	if !ofTestNG && !(t.ordered && has(place)) && !slices.ContainsFunc([]string{runWith, members, suiteMaker, suites}, has) {
		return nil
	}
	all, err := state.ReadDeclared(c.data)
	if err != nil {
		return err
	}
	for _, d := range all {
		name, ours := strings.CutPrefix(strings.TrimSuffix(d.Type, ";"), testngs)
		if ours && (slices.Contains(forAll, name) || t.depends && name == "Test" && strings.Contains(d.Text, "groups=")) || d.Type == members || t.ordered && d.Type == place && d.On == "" || strings.HasPrefix(d.Type, suites) || d.Type == runWith && !slices.ContainsFunc(d.Classes, t.runsOne) {
			t.lines[c.name+"."+d.On+" "+d.Text] = true
		}
	}
	return t.suite(c)
}

// suite adds a method that makes a suite of JUnit 3, unless it names no class of tests but its own.
func (t *told) suite(c *toldClass) error {
	if !bytes.Contains(c.data, []byte(suiteMaker)) || c.table == nil {
		return nil
	}
	of, err := state.ReadLibraryClass(c.data)
	if err != nil {
		return err
	}
	for i := range of.Methods {
		b := &of.Methods[i]
		if b.Name != "suite" || b.Descriptor != suiteMaker || !slices.ContainsFunc(b.Names, func(class string) bool {
			return class != c.name && t.program.Place(class) != "" && !strings.HasPrefix(class, "junit/")
		}) {
			continue
		}
		if m, _, ok := c.table.Method(b.Name, b.Descriptor); ok {
			t.lines[c.name+" has a suite: "+m.Body.String()] = true
		}
	}
	return nil
}

// runsOne tells whether a runner, given by its descriptor, runs the tests of one class.
func (t *told) runsOne(descriptor string) bool {
	for runner := strings.TrimSuffix(strings.TrimPrefix(descriptor, "L"), ";"); runner != "org/junit/runner/Runner"; {
		if slices.ContainsFunc(ofOneClass, func(prefix string) bool { return strings.HasPrefix(runner, prefix) }) {
			return true
		}
		of, err := t.program.Table(runner)
		refs, failed := t.program.Refs(runner)
		if err != nil || failed != nil || of == nil || refs == nil || slices.ContainsFunc(refs.Methods, makesRunners) {
			return false
		}
		runner = of.Super
	}
	return true
}

// makesRunners tells whether a method of a runner may make further runners: those of other classes.
func makesRunners(m table.MethodRefs) bool {
	return slices.ContainsFunc(m.Classes, func(class string) bool {
		return slices.ContainsFunc([]string{"org/junit/runners/", "org/junit/runner/Request", "org/junit/runner/JUnitCore", "org/junit/internal/", "junit/framework/"}, func(prefix string) bool { return strings.HasPrefix(class, prefix) })
	})
}
