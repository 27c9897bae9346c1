package maven

import (
	"bytes"
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

// A script is a handler that gives prepared answers and notes what it is told.
type script struct {
	answer  Answer            // to every request
	answers map[string]Answer // by artifact of the module; they come before the other one
	err     error
	onPlan  func(context.Context)

	mu       sync.Mutex
	requests []*Request
	events   []Event
}

func (s *script) Plan(ctx context.Context, r *Request) (Answer, error) {
	s.mu.Lock()
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	if s.onPlan != nil {
		s.onPlan(ctx)
	}
	if a, ok := s.answers[strings.Split(r.Module, ":")[1]]; ok {
		return a, nil
	}
	return s.answer, s.err
}

func (s *script) Event(e Event) { s.events = append(s.events, e) }

// environment is that of a Maven that starts fast, with a JDK whatever this process has.
func environment(t testing.TB) []string {
	return append(os.Environ(), "JAVA_HOME="+jvmtest.JDK(t, 17), "LC_ALL=C.UTF-8", "MAVEN_OPTS=-XX:TieredStopAtLevel=1")
}

// A trial is one build.
type trial struct {
	dir, maven string
	args       []string
	env        []string // more variables
	noTests    bool
}

// plain runs Maven without the extension.
func (b trial) plain(t testing.TB) (output string, err error) {
	t.Helper()
	maven := b.maven
	if maven == "" {
		maven = jvmtest.Maven(t, "")
	}
	cmd := exec.Command(maven, b.args...)
	cmd.Dir, cmd.Env = b.dir, append(environment(t), b.env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// hooked runs Maven with the extension and checks that nothing is left of the exchange.
func (b trial) hooked(t testing.TB, ctx context.Context, h Handler) (*Outcome, string, error) {
	t.Helper()
	temp := t.TempDir()
	var out bytes.Buffer
	o, err := Run(ctx, Options{Dir: b.dir, Args: b.args, Maven: b.maven, Env: append(environment(t), b.env...), Temp: temp, Stdout: &out, Stderr: &out, NoTests: b.noTests, Handler: h})
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	return o, out.String(), err
}

// run is hooked for a build that must not fail to run.
func (b trial) run(t testing.TB, h Handler) (*Outcome, string) {
	t.Helper()
	jvmtest.Maven(t, "")
	o, out, err := b.hooked(t, context.Background(), h)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return o, out
}

// reports returns the names and outcomes of the tests in Surefire's reports, by module.
func reports(t testing.TB, dir string) []string {
	t.Helper()
	var lines []string
	for _, pattern := range []string{"target/surefire-reports/TEST-*.xml", "*/target/surefire-reports/TEST-*.xml"} {
		paths, err := filepath.Glob(filepath.Join(escapeGlob(dir), pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			lines = append(lines, report(t, dir, path)...)
		}
	}
	slices.Sort(lines)
	return lines
}

// TestSameTests is the main promise: the agent comes first, the user's options stay, and the tests see what they would see without the extension.
func TestSameTests(t *testing.T) {
	jvmtest.Maven(t, "")
	compareRuns(t, combination{
		project: project{modules: []string{"one", "two"}, properties: "<argLine>-Xmx200m -Dof=\"the user\"</argLine>"},
		args:    []string{"-T2", "test"}, options: []string{"-Xmx200m", "-Dof=the user"}, forks: 2,
	})
}

// A combination is a project and what to expect of its forks.
type combination struct {
	maven   string // version, or "" for the one on the path
	project project
	args    []string
	options []string // that each fork must have behind the agent, in order
	forks   int      // how many at least
}

// compareRuns runs a project without and with the extension.
func compareRuns(t *testing.T, c combination) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mit Leer zeichen Ж")
	c.project.write(t, dir)
	b := trial{dir: dir, maven: jvmtest.Maven(t, c.maven), args: append([]string{"-B"}, c.args...)}
	if out, err := b.plain(t); err != nil {
		t.Fatalf("plain: %v\n%s", err, out)
	}
	wantReports, wantSeen := reports(t, dir), seen(t, dir)
	if len(wantReports) == 0 || len(wantSeen) == 0 {
		t.Fatalf("%d reports and %d dumps from the plain run", len(wantReports), len(wantSeen))
	}
	clean(t, dir)

	p := newProbe(t)
	s := &script{answer: Answer{Action: WithOptions, Options: []string{p.option(), "-Dwinnow.probe=1"}}}
	o, out := b.run(t, s)
	if o.Verdict() != Succeeded || o.Has(Problem) || len(o.Answers()) == 0 {
		t.Fatalf("verdict %s\n%+v\n%s", o.Verdict(), o.Events, out)
	}
	checkForks(t, c, p, s)
	if got := reports(t, dir); !slices.Equal(got, wantReports) {
		t.Errorf("tests\n%s\nwithout the extension\n%s", strings.Join(got, "\n"), strings.Join(wantReports, "\n"))
	}
	checkSeen(t, seen(t, dir), wantSeen)
	checkProperties(t, seen(t, dir), dir, s)
}

// checkProperties checks that the tests had the system properties that the requests said.
func checkProperties(t testing.TB, dumps map[string]string, dir string, s *script) {
	t.Helper()
	for _, r := range s.requests {
		for name, text := range dumps {
			if !strings.HasPrefix(filepath.Join(dir, name), r.BaseDir+string(filepath.Separator)) {
				continue
			}
			for _, p := range r.SystemProperties {
				if !strings.Contains("\n"+text+"\n", "\nproperty "+p.String()+"\n") {
					t.Errorf("%s lacks the property %s", name, p)
				}
			}
		}
	}
}

func clean(t testing.TB, dir string) {
	t.Helper()
	for _, pattern := range []string{"target", "*/target"} {
		paths, err := filepath.Glob(filepath.Join(escapeGlob(dir), pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func checkForks(t testing.TB, c combination, p probe, s *script) {
	t.Helper()
	forks := p.forks(t)
	if len(forks) < c.forks {
		t.Errorf("%d forks with the agent, want %d", len(forks), c.forks)
	}
	for _, options := range forks {
		if len(options) < 2 || options[0] != p.option() || options[1] != "-Dwinnow.probe=1" {
			t.Errorf("the agent is not first: %q", options)
			continue
		}
		rest := options[2:]
		for _, want := range c.options {
			i := slices.Index(rest, want)
			if i < 0 {
				t.Errorf("option %q is missing or out of order: %q", want, options)
				break
			}
			rest = rest[i+1:]
		}
	}
	checkClassPaths(t, p, s)
}

// checkClassPaths holds each fork's class path against what the requests said.
func checkClassPaths(t testing.TB, p probe, s *script) {
	t.Helper()
	var said []string
	for _, r := range s.requests {
		said = append(said, strings.Join(r.ClassPath, "\n"))
	}
	for _, path := range p.classPaths(t) {
		if got := strings.Join(each(path), "\n"); !slices.ContainsFunc(said, func(want string) bool { return got == want }) {
			t.Errorf("a fork has the class path\n%s\nthe requests said\n%s", got, strings.Join(said, "\n\n"))
		}
	}
}

// each drops repeated elements: the first one counts.
func each(path []string) []string {
	var out []string
	for _, element := range path {
		if !slices.Contains(out, element) {
			out = append(out, element)
		}
	}
	return out
}

func checkSeen(t testing.TB, got, want map[string]string) {
	t.Helper()
	if !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
		t.Errorf("dumps of %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	for name, text := range want {
		wantLines := strings.Split(text, "\n")
		gotLines := strings.Split(got[name], "\n")
		for _, line := range gotLines {
			if !slices.Contains(wantLines, line) && line != "property winnow.probe=1" {
				t.Errorf("%s: only with the extension: %s", name, line)
			}
		}
		for _, line := range wantLines {
			if !slices.Contains(gotLines, line) {
				t.Errorf("%s: only without the extension: %s", name, line)
			}
		}
	}
}
