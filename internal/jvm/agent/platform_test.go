package agent

import (
	"fmt"
	"slices"
	"strings"
	"testing"
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
				{"[test-template:repeated()]/[test-template-invocation:#1]", Passed, "=Code.repeated =Code.each"},
				{"[test-template:repeated()]/[test-template-invocation:#2]", Passed, "=Code.repeated"},
				{"[test-template:template(int)]/[test-template-invocation:#2]", Passed, "=Code.template -Code.repeated"},
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
		"[class:Five]/[test-template:template(int)]/[test-template-invocation:#1]", "[class:Five]/[test-template:template(int)]/[test-template-invocation:#2]"}
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
