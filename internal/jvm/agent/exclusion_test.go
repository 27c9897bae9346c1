package agent

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// An exclusion is a program of which some tests are left out.
type exclusion struct {
	name    string
	often   bool // run it without -full
	feature int
	jars    []string
	args    []string // of the JVM
	exclude []string // keys
	want    []string // keys of tests that do not run, as reported; those of all tests without exclusion that have one of these as prefix
	facts   []fact   // of the run with exclusion
	unmet   string   // methods that must not be entered by any test
	refused string   // why nothing is left out
}

// run compares a run with everything and a run with tests left out: exactly these are missing, and the others end as before.
func (x *exclusion) run(t *testing.T) {
	p := newProject(t, x.feature, x.jars...)
	all := p.failing(p.plan(), x.args...)
	p.options.Exclude = x.exclude
	plan := p.plan()
	some := p.failing(plan, x.args...)
	var want, missing []string
	ran := outcomes(some)
	for _, line := range outcomes(all) {
		gone := slices.ContainsFunc(x.want, func(prefix string) bool { return strings.HasPrefix(line, prefix) })
		if gone {
			missing = append(missing, line)
		} else {
			want = append(want, line)
		}
	}
	if !slices.Equal(ran, want) || len(missing) == 0 != (len(x.want) == 0) {
		t.Errorf("ran %q\nwant %q\nwithout %q", ran, want, missing)
	}
	check(t, plan, some, x.facts)
	x.checkRest(t, plan, some)
}

func (x *exclusion) checkRest(t *testing.T, plan *Plan, trace *Trace) {
	t.Helper()
	entered := map[string]bool{}
	for _, test := range trace.Tests {
		for _, f := range append(test.Shared, test.Own) {
			for m := range methods(plan, f) {
				entered[m] = true
			}
		}
	}
	for _, m := range strings.Fields(x.unmet) {
		if entered[m] {
			t.Errorf("%s was entered", m)
		}
	}
	var refused string
	for _, problem := range trace.Problems {
		refused += problem.Text
	}
	if refused != x.refused || trace.Incomplete != "" || !trace.Finished {
		t.Errorf("problems %v, incomplete %q, finished %v", trace.Problems, trace.Incomplete, trace.Finished)
	}
	got := slices.Compact(slices.Sorted(slices.Values(trace.Excluded)))
	if len(x.want) > 0 && len(got) == 0 {
		t.Error("nothing is said to be excluded")
	}
	for _, key := range got {
		if !slices.Contains(x.exclude, key) {
			t.Errorf("%s was excluded without being asked", key)
		}
	}
}

// outcomes are the tests of a trace and how they ended, sorted.
func outcomes(trace *Trace) []string {
	var out []string
	for _, test := range trace.Tests {
		out = append(out, fmt.Sprint(test.Key, " ", test.Outcome))
	}
	slices.Sort(out)
	return out
}

// keys puts a prefix before each.
func keys(prefix string, names ...string) []string {
	var out []string
	for _, name := range names {
		out = append(out, prefix+name)
	}
	return out
}

func TestExclusion(t *testing.T) {
	four := []string{"junit", "hamcrest-core"}
	vintage := slices.Concat(platformJars, four, []string{"junit-vintage-engine"})
	vintage5 := slices.Concat(platform5Jars, four, []string{"junit5-vintage-engine"})
	next := []string{"Next", "/tmp", "Next", "Apart"}
	seven, six := []string{"testng", "jcommander", "slf4j-api"}, []string{"testng-6", "jcommander-1.72"}
	jupiter := "[engine:junit-jupiter]/[class:More]/"
	old := "[engine:junit-vintage]/[runner:Four]/"
	for _, x := range []exclusion{
		{name: "JUnit 3", often: true, feature: 25, jars: []string{"junit-3.8"}, args: []string{"junit.textui.TestRunner", "Three"},
			exclude: keys("junit3:", "testOne(Three)", "testGone(Three)"), want: keys("junit3:", "testOne(Three)"), unmet: "Task.one"},
		{name: "JUnit 3, a decorated suite", feature: 17, jars: four, args: []string{"junit.textui.TestRunner", "Three$Nested"},
			exclude: keys("junit3:", "testOne(Three)"), want: keys("junit3:", "testOne(Three)"), unmet: "Task.one Task.shared"},
		{name: "JUnit 4, odd runners", feature: 17, jars: four, args: []string{"org.junit.runner.JUnitCore", "Odd", "Odd$OnlyFast", "Odd$Custom"},
			exclude: keys("junit4:", "two(Odd$In)", "own(Odd$Down)", "alone(Odd$Custom)"), want: keys("junit4:", "two(Odd$In)", "own(Odd$Down)"), unmet: "Deed.own",
			facts: []fact{{"junit4:one(Odd$In)", Passed, "=Deed.one +Deed.all"}, {"junit4:two(Odd$Down)", Passed, "=Deed.two +Deed.all -Deed.one"}}},
		{name: "JUnit 4.12", feature: 11, jars: []string{"junit-4.12", "hamcrest-core"}, args: []string{"org.junit.runner.JUnitCore", "Four"},
			exclude: append(keys("junit4:", "one(Four$Plain)", "first(Four$Many)", "second(Four$Many)"), "junit3:testOld(Four$Old)"),
			want:    append(keys("junit4:", "one(Four$Plain)", "first[", "second["), "junit3:testOld(Four$Old)"), unmet: "Work.one Work.many Work.first Work.second Work.old",
			facts: []fact{{"junit4:two(Four$Plain)", Passed, "=Work.two =Work.each +Work.all +Work.classRule +Work.suite"}}},
		{name: "TestNG 7", often: true, feature: 25, jars: seven, args: next, exclude: keys("testng:", "one(Next)", "many(Next)"), want: keys("testng:", "one(Next)", "many(Next)"), unmet: "Job.one Job.many",
			facts: []fact{{"testng:two(Next)", Failed, "=Job.two =Job.each +Job.all +Job.after +Job.eachAfter +Job.made -Link.before -Link.after"}, {"testng:apart(Apart)", Passed, "=Link.apart +Link.before +Link.after -Job.made -Job.all -Job.eachAfter -Job.after"}}},
		{name: "TestNG 6", feature: 11, jars: six, args: next, exclude: keys("testng:", "one(Next)", "many(Next)"), want: keys("testng:", "one(Next)", "many(Next)"), unmet: "Job.one Job.many",
			facts: []fact{{"testng:two(Next)", Failed, "=Job.two =Job.each +Job.all +Job.after +Job.eachAfter +Job.made -Link.before"}, {"testng:apart(Apart)", Passed, "=Link.apart +Link.before +Link.after -Job.made -Job.all -Job.eachAfter"}}},
		{name: "TestNG, a whole class", feature: 17, jars: seven, args: next, exclude: keys("testng:", "one(Next)", "two(Next)", "many(Next)", "skips(Next)"),
			want: []string{"testng:one", "testng:two", "testng:many", "testng:skips"}, unmet: "Job.all Job.after Job.each",
			facts: []fact{{"testng:apart(Apart)", Passed, "=Link.apart +Link.before +Link.after -Job.made"}}},
		{name: "TestNG, dependencies", often: true, feature: 17, jars: seven, args: []string{"Next", "/tmp", "Chain"}, exclude: keys("testng:", "first(Chain)"), refused: "TestNG tests that depend on others",
			facts: []fact{{"testng:second(Chain)", Passed, "=Link.second"}}},
		{name: "TestNG, dependencies that are left out", feature: 17, jars: seven, args: []string{"Next", "/tmp", "Chain"}, exclude: keys("testng:", "first(Chain)", "second(Chain)"),
			want: keys("testng:", "first(Chain)", "second(Chain)"), unmet: "Link.first Link.second"},
		{name: "TestNG on the platform", feature: 17, jars: slices.Concat(platformJars, seven, []string{"testng-engine"}), args: []string{"Launch", "Next", "Apart"},
			exclude: keys("testng:", "one(Next)", "many(Next)"), want: keys("[engine:testng]/[class:Next]/", "[method:one", "[method:many"), unmet: "Job.one Job.many",
			facts: []fact{{"[class:Next]/[method:two()]", Failed, "=Job.two +Job.each +Job.all"}}},
		{name: "Vintage 6", often: true, feature: 25, jars: vintage, args: []string{"Launch", "Four"}, exclude: []string{"junit4:one(Four$Plain)", "junit4:first(Four$Many)", "junit4:testOld(Four$Old)"},
			want: keys(old, "[test:Four$Plain]/[test:one(", "[test:Four$Many]/[test:%5B0%5D]/[test:first", "[test:Four$Many]/[test:%5B1%5D]/[test:first", "[test:Four$Old]/[test:testOld"), unmet: "Work.one Work.first Work.old"},
		{name: "Vintage 5", feature: 11, jars: vintage5, args: []string{"Launch", "Four"}, exclude: []string{"junit4:first(Four$Many)", "junit4:second(Four$Many)", "junit3:testOld(Four$Old)"},
			want: keys(old, "[test:Four$Many]", "[test:Four$Old]/[test:testOld"), unmet: "Work.many Work.first Work.second Work.old"},
		{name: "Vintage, odd runners", feature: 17, jars: vintage, args: []string{"Launch", "Odd", "Odd$Custom"}, exclude: keys("junit4:", "two(Odd$In)", "alone(Odd$Custom)"),
			want: keys("[engine:junit-vintage]/[runner:Odd]/", "[test:Odd$In]/[test:two(", "[test:Odd$OnlyFast]")},
		{name: "Vintage, theories", feature: 17, jars: vintage, args: []string{"Launch", "Odd$Holds"}, exclude: keys("[engine:junit-vintage]/[runner:Odd$Holds]/", "[test:always(Odd$Holds)]"),
			want: keys("[engine:junit-vintage]/[runner:Odd$Holds]/", "[test:always("), unmet: "Deed.always", facts: []fact{{"[test:often(Odd$Holds)]", Passed, "=Deed.often"}}},
		{name: "JUnit 4, theories", feature: 17, jars: four, args: []string{"org.junit.runner.JUnitCore", "Odd$Holds"}, exclude: keys("junit4:", "always(Odd$Holds)"), want: keys("junit4:", "always(Odd$Holds)"), unmet: "Deed.always"},
		{name: "Jupiter", often: true, feature: 21, jars: platformJars, args: []string{"Launch", "More"}, exclude: keys(jupiter, "[test-template:many(int)]", "[method:common()]", "[nested-class:Deep]/[method:inner()]"),
			want: keys(jupiter, "[test-template:many(int)]", "[method:common()]", "[nested-class:Deep]"), unmet: "Act.many Act.common Act.deepAll Act.inner",
			facts: []fact{{"[method:plain()]", Passed, "=Act.plain +Act.all +Act.made +Act.beforeAll =Act.beforeEach -Act.sourced"},
				{"[test-template:sourced(int)]/[test-template-invocation:#1]", Passed, "=Act.sourced +Act.number +Act.all =Act.beforeEach -Act.plain"}}},
		{name: "Jupiter 5", feature: 11, jars: platform5Jars, args: []string{"Launch", "More"}, exclude: keys(jupiter, "[test-template:sourced(int)]", "[method:plain()]"),
			want: keys(jupiter, "[test-template:sourced(int)]", "[method:plain()]"), unmet: "Act.sourced Act.number Act.plain",
			facts: []fact{{"[method:inner()]", Passed, "=Act.inner +Act.deepAll +Act.all +Act.made +Act.beforeAll =Act.beforeEach"}}},
		{name: "suite of the platform", often: true, feature: 17, jars: slices.Concat(platformJars, []string{"junit-platform-suite-api", "junit-platform-suite-engine"}), args: []string{"Launch", "Both"},
			exclude: keys("[engine:junit-platform-suite]/[suite:Both]/[engine:junit-jupiter]/", "[class:More]/[method:plain()]", "[class:Other]/[method:alone()]", "[class:Other]/[method:again()]"),
			want:    keys("[engine:junit-platform-suite]/[suite:Both]/[engine:junit-jupiter]/", "[class:More]/[method:plain()]", "[class:Other]"), unmet: "Act.plain Code.alone",
			facts: []fact{{"[class:More]/[method:common()]", Passed, "=Act.common +Act.all =Act.beforeEach"}}},
		{name: "another engine", feature: 17, jars: slices.Concat(platform5Jars, []string{"jqwik-api", "jqwik-engine"}), args: []string{"Launch", "Props"},
			exclude: []string{"[engine:jqwik]/[class:Props]/[property:holds(int)]"}, facts: []fact{{"[property:holds(int)]", Passed, "=Prop.holds"}}},
	} {
		if x.often || *full {
			t.Run(x.name, func(t *testing.T) { x.run(t) })
		}
	}
}

func TestEngine(t *testing.T) {
	for key, want := range map[string]string{"[engine:junit-jupiter]/[class:A]": "junit-jupiter", "[engine:junit-platform-suite]/[suite:S]/[engine:jqwik]/[class:A]": "jqwik", "x": ""} {
		if got := (&Node{Framework: JUnitPlatform, Key: key}).Engine(); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	if got := (&Node{Framework: TestNG, Key: "testng:a(b)"}).Engine(); got != "testng" {
		t.Error(got)
	}
}
