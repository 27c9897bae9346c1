package autoep

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/check/evolve"
	"winnow/internal/check/pool"
	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/jvmtest"
)

// TestAgainstAgent runs tests under JUnit with the product's agent in a JVM of its own, and in a host: what both record of a test must be the same, for methods of the program, classes looked at by
// reflection, and resources. Initializers run in the first test that needs them, and JUnit has an order of its own, so what only initializers enter is left out on both sides.
func TestAgainstAgent(t *testing.T) {
	jars := []string{jvmtest.Jar(t, "junit"), jvmtest.Jar(t, "hamcrest-core")}
	p := open(t, pool.Config{Workers: 1, ClassPath: jars})
	c := Config{Pool: p, Seed: 1, Lengths: []int{8}, Most: 40}
	compared, lines, lambdas := 0, map[string]bool{}, false
	for _, id := range []string{"JD3", "F3", "F10", "F13"} {
		b := first(t, c, select1(t, id))
		states := map[string]string{}
		for test, state := range b.States {
			states[test.String()] = state
		}
		tests, err := compile(context.Background(), c, evolve.JUnitSources(b.Tests, states, evolve.JUnit4), b.Code)
		if err != nil {
			t.Fatal(err)
		}
		classes := maps.Clone(b.Code)
		maps.Copy(classes, tests)
		run, err := p.Run(context.Background(), pool.Job{Classes: classes, Resources: b.Program.Resources, Tests: b.IDs, Record: true})
		if err != nil {
			t.Fatal(err)
		}
		want := underAgent(t, jars, classes, b.Program.Resources)
		for _, o := range run.Outcomes {
			if o.Result != pool.Passed {
				t.Errorf("%s: %s %s", id, o.Test, o.Result)
			}
			if got := footprint(&o); !slices.Equal(got, want[o.Test.Method]) {
				t.Errorf("%s, %s\nhost  %q\nagent %q", id, o.Test, got, want[o.Test.Method])
			}
			for _, line := range want[o.Test.Method] {
				kind, _, _ := strings.Cut(line, " ")
				lines[kind] = true
				lambdas = lambdas || strings.Contains(line, "lambda$")
			}
			compared++
		}
	}
	if compared < 50 || len(lines) < 15 || !lines["reflection"] || !lines["resource"] || !lambdas {
		t.Errorf("%d tests with %d methods and kinds of events were compared", compared, len(lines))
	}
}

// footprint is what a host recorded, as sorted lines.
func footprint(o *pool.Outcome) []string {
	var out []string
	for _, m := range o.Own.Methods {
		out = append(out, m.String())
	}
	for _, e := range o.Own.Events {
		out = append(out, e.Kind.String()+" "+e.Text)
	}
	return ofProgram(out)
}

// ofProgram keeps what does not depend on the order of tests and on the framework.
func ofProgram(lines []string) []string {
	lines = slices.DeleteFunc(lines, func(s string) bool {
		program := strings.HasPrefix(s, "p1/") || strings.HasPrefix(s, "p2/") || strings.HasPrefix(s, "x/") || strings.HasPrefix(s, "reflection x.") || strings.HasPrefix(s, "resource ")
		return !program || strings.Contains(s, "<clinit>") || strings.Contains(s, "$$Lambda")
	})
	slices.Sort(lines)
	return slices.Compact(lines)
}

// underAgent runs the test class with JUnit and the agent, and returns what each test did, by method.
func underAgent(t *testing.T, jars []string, classes map[string][]byte, resources map[string]string) map[string][]string {
	t.Helper()
	jdk, dir := jvmtest.JDK(t, 17), t.TempDir()
	jvmtest.WriteClasses(t, dir, classes)
	for path, text := range resources {
		to := filepath.Join(dir, filepath.FromSlash(path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	path := append([]string{dir}, jars...)
	plan, err := agent.Build(context.Background(), agent.Options{JDK: jdk, ClassPath: path, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	option, err := plan.Option()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := jvmtest.Command(jdk, "java", option, "-cp", strings.Join(path, string(filepath.ListSeparator)), "org.junit.runner.JUnitCore", "t.L8Test").CombinedOutput(); err != nil {
		t.Fatalf("JUnit: %v\n%s", err, out)
	}
	logs, err := filepath.Glob(filepath.Join(plan.Logs, "*"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("logs %v, %v", logs, err)
	}
	log, err := agent.ReadLog(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	trace, err := agent.Attribute(plan, log)
	if err != nil || trace.Incomplete != "" {
		t.Fatal(err, trace.Incomplete)
	}
	out := map[string][]string{}
	for _, test := range trace.Tests {
		var lines []string
		for _, id := range test.Own.Methods {
			m, _ := plan.Method(id)
			lines = append(lines, m.Class+"."+m.Name+m.Descriptor)
		}
		for _, e := range test.Own.Events {
			lines = append(lines, e.Kind.String()+" "+e.Text)
		}
		name, _, _ := strings.Cut(test.Method, "(")
		out[name] = ofProgram(lines)
	}
	return out
}
