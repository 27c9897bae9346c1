package agent

import (
	"fmt"
	"slices"
	"testing"
)

// failing runs a JVM in which tests fail, so that its exit code says nothing.
func (p *project) failing(plan *Plan, args ...string) *Trace {
	p.t.Helper()
	return p.attribute(plan, p.run(plan, nil, args...))
}

// TestJUnit4 runs a suite with rules, parameters, broken set-up and a JUnit 3 test under JUnit's own main.
func TestJUnit4(t *testing.T) {
	for _, feature := range judges() {
		t.Run(fmt.Sprint(feature), func(t *testing.T) {
			p := newProject(t, feature, "junit", "hamcrest-core")
			plan := p.plan()
			trace := p.failing(plan, "org.junit.runner.JUnitCore", "Four")
			check(t, plan, trace, []fact{
				{"junit4:one(Four$Plain)", Passed, "=Work.one =Work.each =Work.rule +Work.all +Work.after +Work.classRule +Work.suite -Work.two -Work.many -Work.first"},
				{"junit4:two(Four$Plain)", Passed, "=Work.two =Work.each +Work.all -Work.one"},
				{"junit4:fails(Four$Plain)", Failed, "=Work.fails"},
				{"junit4:aborts(Four$Plain)", Aborted, "=Work.aborts"},
				{"junit4:skipped(Four$Plain)", Skipped, "-Work.skipped"},
				{"junit4:first[0](Four$Many)", Passed, "=Work.first +Work.many +Work.suite -Work.second -Work.all"},
				{"junit4:second[1](Four$Many)", Passed, "=Work.second +Work.many -Work.first"},
				{"junit3:testOld(Four$Old)", Passed, "=Work.old +Work.suite -Work.bad -Work.all"},
				{"junit3:testBad(Four$Old)", Failed, "=Work.bad"},
			})
			if n := len(trace.Tests); n != 11 {
				t.Errorf("%d tests, want 11", n)
			}
			for _, test := range trace.Tests {
				if test.Key == "junit4:first[1](Four$Many)" && test.Group != "junit4:first(Four$Many)" {
					t.Errorf("%s belongs to %s", test.Key, test.Group)
				}
			}
			if trace.Incomplete != "" || !trace.Finished || len(plan.Problems) > 0 {
				t.Errorf("incomplete %q, finished %v, problems %q", trace.Incomplete, trace.Finished, plan.Problems)
			}
		})
	}
}

// TestJUnit4Exclusion: excluded tests do not run, nor the set-up of a class of which all tests are excluded.
func TestJUnit4Exclusion(t *testing.T) {
	p := newProject(t, 17, "junit", "hamcrest-core")
	p.options.Exclude = []string{"junit4:one(Four$Plain)", "junit4:first(Four$Many)", "junit4:second(Four$Many)", "junit4:gone(Four$Plain)", "junit3:testOld(Four$Old)"}
	plan := p.plan()
	trace := p.failing(plan, "org.junit.runner.JUnitCore", "Four")
	var keys []string
	entered := map[string]bool{}
	for _, test := range trace.Tests {
		keys = append(keys, test.Key)
		for _, f := range append(test.Shared, test.Own) {
			for m := range methods(plan, f) {
				entered[m] = true
			}
		}
	}
	if slices.Contains(keys, "junit4:one(Four$Plain)") || !slices.Contains(keys, "junit4:two(Four$Plain)") || slices.Contains(keys, "junit3:testOld(Four$Old)") || !slices.Contains(keys, "junit3:testBad(Four$Old)") {
		t.Errorf("ran %q", keys)
	}
	if entered["Work.one"] || entered["Work.many"] || entered["Work.first"] || !entered["Work.suite"] {
		t.Errorf("entered %v", entered)
	}
	want := []string{"junit3:testOld(Four$Old)", "junit4:first(Four$Many)", "junit4:first(Four$Many)", "junit4:one(Four$Plain)", "junit4:second(Four$Many)", "junit4:second(Four$Many)"}
	if got := slices.Sorted(slices.Values(trace.Excluded)); !slices.Equal(got, want) {
		t.Errorf("excluded %q, want %q", got, want)
	}
}

// TestJUnit3 runs JUnit 3.8 with its own text runner.
func TestJUnit3(t *testing.T) {
	for _, feature := range judges() {
		t.Run(fmt.Sprint(feature), func(t *testing.T) {
			p := newProject(t, feature, "junit-3.8")
			plan := p.plan()
			trace := p.failing(plan, "junit.textui.TestRunner", "Three")
			check(t, plan, trace, []fact{
				{"junit3:testOne(Three)", Passed, "=Task.one =Task.setUp -Task.two"},
				{"junit3:testTwo(Three)", Failed, "=Task.two =Task.setUp -Task.one"},
				{"junit3:testError(Three)", Failed, "=Task.error -Task.one"},
			})
		})
	}
}

// TestTestNG runs TestNG with a data provider and configuration methods.
func TestTestNG(t *testing.T) {
	for _, feature := range judges() {
		t.Run(fmt.Sprint(feature), func(t *testing.T) {
			p := newProject(t, feature, "testng", "jcommander", "slf4j-api")
			plan := p.plan()
			trace := p.failing(plan, "Next", t.TempDir(), "Next")
			check(t, plan, trace, []fact{
				{"testng:one(Next)", Passed, "=Job.one +Job.each +Job.all -Job.two"},
				{"testng:two(Next)", Failed, "=Job.two +Job.each -Job.one"},
				{"testng:many(Next)", Passed, "=Job.many -Job.one"},
				{"testng:skips(Next)", Skipped, "=Job.skips"},
			})
			if n := len(trace.Tests); n != 5 {
				t.Errorf("%d tests, want 5", n)
			}
		})
	}
}

// TestLoaders: a class that several loaders define has its probes and its window in each of them.
func TestLoaders(t *testing.T) {
	p := newProject(t, 17, "junit-3.8")
	plan := p.plan()
	trace := p.trace(plan, "junit.textui.TestRunner", "Loaders")
	check(t, plan, trace, []fact{
		{"junit3:first(Loaders)", Passed, "=Loaded.run =Loaded.mark =Loaded.<clinit>"},
		{"junit3:second(Loaders)", Passed, "=Loaded.run =Loaded.mark =Loaded.<clinit>"},
	})
	times := 0
	for _, class := range trace.Defined {
		if plan.Detail(class).Name == "Loaded" {
			times++
		}
	}
	if times != 2 {
		t.Errorf("defined %d times, want 2", times)
	}
}

// TestMockito: probes survive another agent that rewrites classes in use, and that agent works as without probes.
func TestMockito(t *testing.T) {
	for _, feature := range judges() {
		t.Run(fmt.Sprint(feature), func(t *testing.T) {
			p := newProject(t, feature, "junit-3.8", "mockito-core", "byte-buddy", "byte-buddy-agent", "objenesis")
			plan := p.plan()
			r := p.run(plan, []string{"-XX:+EnableDynamicAgentLoading"}, "junit.textui.TestRunner", "Mocks")
			if r.err != nil {
				t.Fatalf("%v\n%s", r.err, r.out)
			}
			check(t, plan, p.attribute(plan, r), []fact{
				{"junit3:testMock(Mocks)", Passed, "=Mocks.testMock -Final.inner"},
				{"junit3:testReal(Mocks)", Passed, "=Final.value =Final.inner"},
			})
		})
	}
}
