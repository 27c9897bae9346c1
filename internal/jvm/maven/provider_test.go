package maven

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"winnow/internal/jvm/agent"
)

// A recorder is a handler that runs the tests with the real agent, whose hooks must be prepared before the JVM starts.
type recorder struct {
	script
	dir string

	mu    sync.Mutex
	plans []*agent.Plan
}

func (r *recorder) Plan(ctx context.Context, q *Request) (Answer, error) {
	if _, err := r.script.Plan(ctx, q); err != nil {
		return Answer{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	home := filepath.Dir(filepath.Dir(q.JVM))
	plan, err := agent.Build(ctx, agent.Options{JDK: home, ClassPath: append(slices.Clone(q.ClassPath), q.ProviderPath...), Dir: r.dir, NoJDKHooks: true})
	if err != nil {
		return Answer{}, err
	}
	option, err := plan.Option()
	if err != nil {
		return Answer{}, err
	}
	r.plans = append(r.plans, plan)
	return Answer{Action: WithOptions, Options: []string{option}}, nil
}

// traces reads what the agent wrote. Logs of the same directory belong to the last plan.
func (r *recorder) traces(t testing.TB) []*agent.Trace {
	t.Helper()
	var all []*agent.Trace
	for _, plan := range r.plans {
		logs, err := os.ReadDir(plan.Logs)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range logs {
			log, err := agent.ReadLog(filepath.Join(plan.Logs, entry.Name()))
			if err != nil {
				t.Fatal(err)
			}
			trace, err := agent.Attribute(plan, log)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, trace)
		}
	}
	return all
}

// record runs a project with the agent and checks that every test is in the trace, and that no class of the tests' JVM was unknown.
func record(t *testing.T, b trial) {
	t.Helper()
	r := &recorder{dir: t.TempDir()}
	o, out := b.run(t, r)
	if o.Verdict() != Succeeded || len(r.requests) != 1 {
		t.Fatalf("verdict %s, %d requests\n%s", o.Verdict(), len(r.requests), out)
	}
	if problems := r.requests[0].ProviderProblems; len(problems) > 0 {
		t.Errorf("problems %q", problems)
	}
	var got []string
	for _, trace := range r.traces(t) {
		for _, test := range trace.Tests {
			got = append(got, strings.TrimPrefix(test.Class, "p.")+"."+test.Method+" "+test.Outcome.String())
		}
		for _, c := range trace.Coarse {
			if !strings.Contains(c.Name, "$Proxy") { // made while the tests run
				t.Errorf("coarse: %+v", c)
			}
		}
		if trace.Incomplete != "" {
			t.Errorf("incomplete: %s", trace.Incomplete)
		}
	}
	slices.Sort(got)
	if n := len(reports(t, b.dir)); len(got) != n || n == 0 {
		t.Errorf("%d tests in the trace, %d in the reports: %q\n%s\nprovider path\n%s", len(got), n, got, out, strings.Join(r.requests[0].ProviderPath, "\n"))
	}
	t.Logf("%d jars of Surefire, tests %q", len(r.requests[0].ProviderPath), got)
}

// TestProviderPath records a project that does not declare the launcher: only Surefire brings it into the JVM.
func TestProviderPath(t *testing.T) {
	dir := t.TempDir()
	project{}.write(t, dir)
	record(t, trial{dir: dir, args: []string{"-B", "test"}})
}

// TestForeignProvider: a provider that is not Surefire's comes instead of Surefire's own, whose launcher would hide the one that the JVM has.
func TestForeignProvider(t *testing.T) {
	dir := t.TempDir()
	project{surefire: "2.22.2", framework: "junit5.9", provider: "org.junit.platform:junit-platform-surefire-provider:1.2.0"}.write(t, dir)
	s := &script{answer: Answer{Action: WithOptions, Options: []string{"-Dx=y"}}}
	o, out := trial{dir: dir, args: []string{"-B", "test"}}.run(t, s)
	if o.Verdict() != Succeeded || len(s.requests) != 1 {
		t.Fatalf("verdict %s, %d requests\n%s", o.Verdict(), len(s.requests), out)
	}
	var got []string
	for _, jar := range s.requests[0].ProviderPath {
		if name := filepath.Base(jar); strings.Contains(name, "launcher") || strings.Contains(name, "provider") || strings.HasPrefix(name, "surefire-junit") {
			got = append(got, name)
		}
	}
	if want := []string{"junit-platform-surefire-provider-1.2.0.jar", "junit-platform-launcher-1.2.0.jar"}; !slices.Equal(got, want) {
		t.Errorf("providers and launchers %q, want %q", got, want)
	}
}
