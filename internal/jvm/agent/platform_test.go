package agent

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/instrument"
)

// TestPlatform records every kind of test that Jupiter has.
func TestPlatform(t *testing.T) {
	for _, feature := range extremes() {
		t.Run(fmt.Sprint(feature), func(t *testing.T) {
			p := newProject(t, feature, platformFor(feature)...)
			plan := p.plan()
			trace := p.trace(plan, "Launch", "Five", "Other")
			check(t, plan, trace, []fact{
				{"[class:Five]/[method:one()]", Passed, "=Five.one =Code.one +Code.all +Code.after =Code.each +Five.<init> +Code.constructed -Code.two +Helper.seven =Lazy.value -Code.alone -Code.deep -Code.dynamic"},
				{"[class:Five]/[method:two()]", Passed, "=Code.two +Code.all -Code.one +Lazy.<clinit> +Helper.seven +Helper.<clinit>"},
				{"[class:Five]/[method:fails()]", Failed, "=Code.fails -Code.one"},
				{"[class:Five]/[method:aborts()]", Aborted, "=Code.aborts"},
				{"[class:Five]/[method:skipped()]", Skipped, "-Code.skipped !Code.each"},
				{"[class:Five]/[method:inherited()]", Passed, "=Base.inherited =Code.inherited -Code.one"},
				{"[test-template:repeated()]/[test-template-invocation:#1]", Passed, "=Code.repeated =Code.each"}, // and all others that pass
				{"[test-template:template(int)]/[test-template-invocation:#1]", Passed, "=Code.template -Code.repeated"},
				{"[test-factory:factory()]/[dynamic-test:#2]", Passed, "=Code.dynamic +Code.factory -Code.template"},
				{"[nested-class:Inner]/[method:deep()]", Passed, "=Code.deep +Code.all =Code.each -Code.one"},
				{"[class:Other]/[method:alone()]", Passed, "=Code.alone -Code.all -Code.each -Code.one -Five.one -Helper.seven"},
				{"[class:Other]/[method:again()]", Passed, "=Lazy.value +Helper.seven -Code.alone"},
			})
			if trace.Incomplete != "" || !trace.Finished || !trace.Start.Hooked || len(plan.Problems) > 0 {
				t.Errorf("incomplete %q, finished %v, start %+v, problems %v and %q", trace.Incomplete, trace.Finished, trace.Start, trace.Problems, plan.Problems)
			}
		})
	}
}

// TestHarness: classes that run tests, and assertions that come with them, have no probes but in initializers and for hooks, in jars and not in directories, and not if details are wanted; that they were defined is in the log.
func TestHarness(t *testing.T) {
	for class, want := range map[string]bool{
		"org/junit/platform/launcher/Launcher": true, "org/junit/platform/engine/support/store/NamespacedHierarchicalStore": false, "org/junit/jupiter/api/Assertions": true, "org/junit/jupiter/api/extension/ExtensionContext": false,
		"org/junit/jupiter/engine/JupiterTestEngine": true, "org/junit/Assert": true, "org/junit/runners/ParentRunner": true, "junit/framework/TestCase": true, "junit/framework/Assert": true,
		"org/testng/Assert": true, "org/testng/TestRunner": true, "org/apache/maven/surefire/booter/ForkedBooter": true, "org/assertj/core/api/Assertions": false,
	} {
		if got := isHarness(class); got != want {
			t.Errorf("%s: %v", class, got)
		}
	}
	p := newProject(t, 17, platformFor(17)...)
	plan := p.plan()
	trace := p.trace(plan, "Launch", "Five", "Other")
	defined, entered := 0, 0
	for _, class := range trace.Defined {
		if of := plan.Detail(class); of.Harness {
			defined++
		} else if isHarness(of.Name) {
			t.Errorf("%s has probes", of.Name)
		}
	}
	for _, test := range trace.Tests {
		for m := range methods(plan, test.Own) {
			class, method, _ := strings.Cut(m, ".")
			hooked := slices.ContainsFunc(frameworkHooks(), func(h instrument.Hook) bool {
				return h.Class == class && slices.ContainsFunc(h.Methods, func(m instrument.Method) bool { return m.Name == method })
			})
			if isHarness(class) && method != "<clinit>" && !hooked {
				t.Errorf("%s has entered %s", test.Key, m)
			}
			entered++
		}
	}
	if defined < 100 || entered < 50 {
		t.Errorf("%d classes that run tests, %d methods entered", defined, entered)
	}
	p.options.Detail = true
	plan = p.plan()
	for _, class := range p.trace(plan, "Launch", "Five").Defined {
		if of := plan.Detail(class); of.Harness {
			t.Errorf("%s has no probes although details are wanted", of.Name)
		}
	}
}

// TestHarnessIsInJars: a project that has such classes in a directory is about them.
func TestHarnessIsInJars(t *testing.T) {
	dir := t.TempDir()
	const name = "org/junit/platform/Mine.class"
	file, data := filepath.Join(dir, "classes", name), testClasses(t)["Code"]
	archive, err := os.Create(filepath.Join(dir, "mine.jar"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(archive)
	entry, err := z.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = entry.Write(data)
	if err := errors.Join(err, z.Close(), archive.Close(), os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, data, 0o644)); err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]bool{"classes": false, "mine.jar": true} {
		w, err := newMaker(instrument.Scheme{}, true)
		if err != nil {
			t.Fatal(err)
		}
		made, err := w.place(filepath.Join(dir, place))
		if err != nil {
			t.Fatal(err)
		}
		p, err := decodePack(made)
		if err != nil || len(p.classes) != 1 || p.classes[0].Harness != want || (p.classes[0].ids < 2) != want {
			t.Errorf("%s: %+v, %v", place, p.classes, err)
		}
	}
}

// TestInvocations: invocations of a template that pass are one until one does not, and each that does not pass is told, and all behind it. One in which the JVM ends leaves the template without an end.
func TestInvocations(t *testing.T) {
	for _, feature := range extremes() {
		p := newProject(t, feature, platformFor(feature)...)
		plan := p.plan()
		trace := p.failing(plan, "Launch", "Mixed")
		var got []string
		for _, test := range trace.Tests {
			_, of, _ := strings.Cut(test.Key, "[test-template:")
			got = append(got, strings.NewReplacer("(int)]/[test-template-invocation:", "", "]", "").Replace(of)+" "+test.Outcome.String())
			if entered := methods(plan, test.Own); strings.HasPrefix(of, "all") && (!entered["Values.of"] || !entered["Values.last"]) {
				t.Errorf("%d: %s has entered %v", feature, test.Key, entered)
			}
		}
		slices.Sort(got)
		want := []string{"all#1 passed", "first#1 failed", "first#2 passed", "first#3 passed", "some#1 passed", "some#3 failed", "some#4 passed", "some#5 aborted", "some#6 passed"}
		if !slices.Equal(got, want) || trace.Incomplete != "" {
			t.Errorf("%d: %q, want %q, incomplete %q", feature, got, want, trace.Incomplete)
		}
		trace = p.failing(plan, "Launch", "Halting")
		if len(trace.Tests) != 1 || trace.Tests[0].Outcome != Unfinished {
			t.Errorf("%d: the template that ended the JVM: %+v", feature, trace.Tests)
		}
	}
}

// keysOf lists the keys of tests that ran, behind the engine.
func keysOf(trace *Trace) []string {
	var out []string
	for _, test := range trace.Tests {
		out = append(out, strings.TrimPrefix(test.Key, "[engine:junit-jupiter]/"))
	}
	return out
}

// TestPlatformExclusion: excluded tests and templates do not run, classes without a test left run no set-up, and what nobody knew runs.
func TestPlatformExclusion(t *testing.T) {
	all := "[engine:junit-jupiter]/"
	p := newProject(t, 25, platformJars...)
	p.options.Exclude = []string{all + "[class:Five]/[method:one()]", all + "[class:Five]/[test-template:repeated()]", all + "[class:Five]/[test-factory:factory()]",
		all + "[class:Other]/[method:alone()]", all + "[class:Other]/[method:again()]", all + "[class:Five]", all + "[class:Five]/[method:gone()]",
		all + "[class:Five]/[nested-class:Inner]/[method:deep()]"}
	plan := p.plan()
	trace := p.trace(plan, "Launch", "Five", "Other")
	want := []string{"[class:Five]/[method:aborts()]", "[class:Five]/[method:fails()]", "[class:Five]/[method:inherited()]", "[class:Five]/[method:skipped()]", "[class:Five]/[method:two()]",
		"[class:Five]/[test-template:template(int)]/[test-template-invocation:#1]"}
	if got := slices.Sorted(slices.Values(keysOf(trace))); !slices.Equal(got, want) {
		t.Errorf("ran %q, want %q", got, want)
	}
	if len(trace.Excluded) != 6 || trace.Incomplete != "" {
		t.Errorf("excluded %q, incomplete %q", trace.Excluded, trace.Incomplete)
	}
	if loaded := methods(plan, trace.Tests[0].Shared[1]); loaded["Other.<init>"] {
		t.Errorf("a class without tests ran: %v", loaded)
	}
}

// TestParallel: tests that run at the same time share what is entered meanwhile, and each has at least its own.
func TestParallel(t *testing.T) {
	p := newProject(t, 25, platformJars...)
	plan := p.plan()
	trace := p.trace(plan, "Launch", "Five", "Other", "junit.jupiter.execution.parallel.enabled=true", "junit.jupiter.execution.parallel.mode.default=concurrent",
		"junit.jupiter.execution.parallel.config.strategy=fixed", "junit.jupiter.execution.parallel.config.fixed.parallelism=4")
	check(t, plan, trace, []fact{
		{"[class:Five]/[method:one()]", Passed, "=Five.one =Code.one +Code.all =Code.each +Code.constructed +Helper.seven =Lazy.value"},
		{"[class:Five]/[method:two()]", Passed, "=Code.two +Code.all +Code.constructed +Lazy.<clinit> +Helper.seven"},
		{"[class:Five]/[method:fails()]", Failed, "=Code.fails +Code.all"},
		{"[test-template:template(int)]/[test-template-invocation:#2]", Passed, "=Code.template +Code.all"},
		{"[test-factory:factory()]/[dynamic-test:#2]", Passed, "=Code.dynamic +Code.factory"},
		{"[nested-class:Inner]/[method:deep()]", Passed, "=Code.deep +Code.all =Code.each"},
		{"[class:Other]/[method:alone()]", Passed, "=Code.alone"},
		{"[class:Other]/[method:again()]", Passed, "=Lazy.value +Helper.seven"},
	})
	if trace.Incomplete != "" || len(trace.Tests) != 15 {
		t.Errorf("incomplete %q, %d tests: %q", trace.Incomplete, len(trace.Tests), keysOf(trace))
	}
}
