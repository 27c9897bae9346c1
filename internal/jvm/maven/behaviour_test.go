package maven

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/jvm/jvmtest"
)

const failing = `package p; import org.junit.jupiter.api.Test;
public class ATest { @Test public void fails() { throw new AssertionError("red"); } }`

// TestAnswers gives every kind of answer in one reactor, and has modules that are not asked about.
func TestAnswers(t *testing.T) {
	dir := t.TempDir()
	project{
		modules: []string{"run", "red", "left", "skip", "refuse", "isolate", "error", "nofork", "nothing"},
		configs: map[string]string{"nofork": "<forkCount>0</forkCount>", "nothing": "<skipTests>true</skipTests>"},
		files:   map[string]string{"red/src/test/java/p/ATest.java": failing},
	}.write(t, dir)
	p := newProbe(t)
	run := Answer{Action: WithOptions, Options: []string{p.option()}}
	isolate := run
	isolate.Set = []Parameter{{"reuseForks", "false"}}
	s := &script{err: errors.New("no room on the disk"), answers: map[string]Answer{
		"run": run, "red": run, "left": {Text: "because the test says so"}, "skip": {Action: Skip, Text: "no test is selected"}, "refuse": {Action: Fail, Text: "refused by the test"}, "isolate": isolate,
	}}
	o, out := trial{dir: dir, args: []string{"-B", "-fae", "test"}}.run(t, s)
	if o.ExitCode == 0 || o.Verdict() != TestsBroken {
		t.Errorf("exit code %d, verdict %s\n%s", o.ExitCode, o.Verdict(), out)
	}
	checkAnswers(t, o, map[string]string{
		"run": "run", "red": "run", "left": " handler", "skip": "skip", "refuse": "fail", "isolate": "run", "error": "fail", "nofork": " no-fork", "nothing": " tests-skipped",
	})
	checkEnds(t, o, map[string]EventType{
		"run": MojoSucceeded, "red": MojoFailed, "left": MojoSucceeded, "skip": MojoSucceeded, "refuse": MojoFailed, "isolate": MojoSucceeded, "error": MojoFailed, "nofork": MojoSucceeded, "nothing": MojoSucceeded,
	})
	for _, want := range []string{
		"winnow: these tests run as without winnow: because the test says so", "winnow: no test is selected", "winnow: refused by the test", "winnow: no room on the disk",
		"run as without winnow: the tests run in Maven's JVM", "run as without winnow: the build was told to skip tests",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q\n%s", want, out)
		}
	}
	checkTestsOf(t, dir, map[string]int{"run": 4, "red": 3, "left": 4, "isolate": 4, "nofork": 4})
	if n := len(p.forks(t)); n != 4 {
		t.Errorf("%d JVMs had the agent, want one of run, one of red and two of isolate", n)
	}
	if len(s.events) != len(o.Events) {
		t.Errorf("the handler was told %d of %d events", len(s.events), len(o.Events))
	}
}

func artifact(module string) string { return strings.Split(module, ":")[1] }

func checkAnswers(t *testing.T, o *Outcome, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	for _, e := range o.Answers() {
		got[artifact(e.Module)] = strings.TrimRight(fmt.Sprintf("%s %s", e.Answer.Action, e.Answer.Reason), " ")
	}
	if !maps.Equal(got, want) {
		t.Errorf("answers %v, want %v", got, want)
	}
}

// checkEnds checks how Surefire ended in each module.
func checkEnds(t *testing.T, o *Outcome, want map[string]EventType) {
	t.Helper()
	got := map[string]EventType{}
	for _, e := range o.Events {
		if e.Mojo.Artifact == "maven-surefire-plugin" && (e.Type == MojoSucceeded || e.Type == MojoFailed) {
			got[artifact(e.Module)] = e.Type
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("ends %v, want %v", got, want)
	}
}

// checkTestsOf counts the tests in the reports of each module.
func checkTestsOf(t *testing.T, dir string, want map[string]int) {
	t.Helper()
	got := map[string]int{}
	for _, line := range reports(t, dir) {
		got[strings.Split(line, "/")[1]]++
	}
	if !maps.Equal(got, want) {
		t.Errorf("tests %v, want %v", got, want)
	}
}

// TestRequest checks what a request says of an execution.
func TestRequest(t *testing.T) {
	dir := t.TempDir()
	project{
		config: `<argLine>${mine} @{late}</argLine><groups>fast</groups><includes><include>**/ATest.java</include></includes>
<systemPropertyVariables><dir>${project.build.directory}</dir><empty/></systemPropertyVariables><rerunFailingTestsCount>1</rerunFailingTestsCount>
<systemPropertiesFile>system.properties</systemPropertiesFile><environmentVariables><MINE>1</MINE></environmentVariables>
<excludedEnvironmentVariables><e>SECRET</e></excludedEnvironmentVariables><workingDirectory>${project.build.directory}</workingDirectory>`,
		properties: "<mine>-Xmx100m</mine><late>-Dof=late</late>",
		plugins:    jacocoCheck,
		files:      map[string]string{"system.properties": "of = file\nonly = file\n"},
	}.write(t, dir)
	s := &script{answer: Answer{Action: Skip, Text: "seen"}}
	o, out := trial{dir: dir, args: []string{"-B", "-Dof=user", "test"}}.run(t, s)
	if o.Verdict() != Succeeded || len(s.requests) != 1 {
		t.Fatalf("verdict %s, %d requests\n%s", o.Verdict(), len(s.requests), out)
	}
	t.Logf("asked and answered in %v", asking(o))
	r := s.requests[0]
	target := filepath.Join(dir, "target")
	for _, c := range []struct{ name, got, want string }{
		{"module", r.Module, "fixture:single:1"}, {"directory", r.BaseDir, dir}, {"root", r.Root, dir}, {"packaging", r.Packaging, "jar"},
		{"mojo", r.Mojo.String(), "maven-surefire-plugin:3.5.6:test (default-test)"}, {"phase", r.Mojo.Phase, "test"}, {"group", r.Mojo.Group, "org.apache.maven.plugins"},
		{"classes", r.Classes, filepath.Join(target, "classes")}, {"test classes", r.TestClasses, filepath.Join(target, "test-classes")},
		{"JVM", r.JVM, filepath.Join(jvmtest.JDK(t, 17), "bin", "java")},
		{"argLine", r.Text("argLine"), "-Xmx100m @{late}"}, {"groups", r.Text("groups"), "fast"}, {"includes", strings.Join(r.List("includes"), "|"), "**/ATest.java"},
		{"system property", r.Text("systemPropertyVariables/dir"), target}, {"forkCount", r.Text("forkCount"), "1"}, {"reuseForks", r.Text("reuseForks"), "true"},
		{"effective argLine", r.ArgLine, "-Xmx100m -Dof=late"}, {"working directory", r.WorkingDir, target},
		{"system properties", values(r.SystemProperties, "basedir", "dir", "empty", "of", "only"), "basedir=" + dir + " dir=" + target + " empty= of=user only=file"},
		{"environment", fmt.Sprint(r.Environment()), "[MINE=1]"}, {"excluded variables", fmt.Sprint(r.ExcludedEnvironment()), "[SECRET]"},
		{"filter", fmt.Sprintf("%+v", r.Filter()), "{Test: Includes:[**/ATest.java] Excludes:[] IncludesFile: ExcludesFile: Groups:fast ExcludedGroups:}"},
		{"modules", fmt.Sprint(r.Modules), "[" + dir + "]"}, {"tasks", fmt.Sprint(r.Tasks), "[test]"}, {"gate that is not reached", r.CoverageGate, ""},
		{"problems", fmt.Sprint(r.ProviderProblems) + r.JVMProblem + r.SystemPropertyProblem, "[]"},
		{"user properties", fmt.Sprint(r.UserProperties), "[of=user]"}, {"reports", r.Text("reportsDirectory"), filepath.Join(target, "surefire-reports")},
	} {
		if c.got != c.want {
			t.Errorf("%s is %q, want %q", c.name, c.got, c.want)
		}
	}
	if r.RerunsFailing() != 1 || r.Direct || r.Skipped() || r.IgnoresFailures() || len(r.ClassPath) < 3 || r.Build.Maven == "" || r.Build.Daemon {
		t.Errorf("request %+v", r)
	}
	if !slices.ContainsFunc(r.Plugins, func(s string) bool {
		return strings.HasPrefix(s, "org.apache.maven.plugins:maven-surefire-plugin:3.5.6 ")
	}) {
		t.Errorf("plug-ins %q", r.Plugins)
	}
}

const jacocoCheck = `<plugin><groupId>org.jacoco</groupId><artifactId>jacoco-maven-plugin</artifactId><version>0.8.14</version>
<executions><execution><id>strict</id><goals><goal>check</goal></goals></execution></executions></plugin>`

// asking is the time between the announcement of a test execution and its answer.
func asking(o *Outcome) time.Duration {
	var announced, answered time.Time
	for _, e := range o.Events {
		switch {
		case e.Type == Answered:
			answered = e.Time
		case e.Type == "MojoStarted" && e.Mojo.Artifact == "maven-surefire-plugin":
			announced = e.Time
		}
	}
	return answered.Sub(announced)
}

// values are the parameters of these names as text.
func values(all []Parameter, names ...string) string {
	var out []string
	for _, p := range all {
		if slices.Contains(names, p.Path) {
			out = append(out, p.String())
		}
	}
	return strings.Join(out, " ")
}

// TestNoTests skips every test execution and asks for the supported ones.
func TestNoTests(t *testing.T) {
	dir := t.TempDir()
	project{modules: []string{"run", "nofork"}, configs: map[string]string{"nofork": "<forkCount>0</forkCount>"}}.write(t, dir)
	p := newProbe(t)
	s := &script{answer: Answer{Action: WithOptions, Options: []string{p.option()}}}
	o, out := trial{dir: dir, args: []string{"-B", "test"}, noTests: true}.run(t, s)
	if o.Verdict() != Succeeded || len(s.requests) != 1 {
		t.Errorf("verdict %s, %d requests\n%s", o.Verdict(), len(s.requests), out)
	}
	checkAnswers(t, o, map[string]string{"run": "skip", "nofork": "skip no-fork"})
	if ran := reports(t, dir); len(ran) > 0 {
		t.Errorf("tests ran: %q", ran)
	}
	if len(s.requests) == 1 && len(s.requests[0].ProviderPath) == 0 {
		t.Error("the request lacks Surefire's jars")
	}
}

// TestPartOfReactor has the user name modules and tests, in a project with a wrapper script, an execution of its own, two threads and no network.
func TestPartOfReactor(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "leer zeichen Ж")
	// Surefire leaves out an execution that is configured like one before.
	second := `<plugin><artifactId>maven-surefire-plugin</artifactId><version>` + defaultSurefire + `</version><executions><execution><id>second</id><phase>test</phase><goals><goal>test</goal></goals>
<configuration><systemPropertyVariables><second>1</second></systemPropertyVariables></configuration></execution></executions></plugin>`
	subject := project{modules: []string{"one", "two"}, plugins: second, files: map[string]string{
		"mvnw": "#!/bin/sh\nexec '" + jvmtest.Maven(t, "") + "' \"$@\"\n",
	}}
	subject.write(t, dir)
	p := newProbe(t)
	// Once elsewhere with the network, so that the local repository has what the build needs.
	warm := t.TempDir()
	subject.write(t, warm)
	if o, out := (trial{dir: warm, args: []string{"-B", "-pl", "one", "-am", "test"}}).run(t, &script{}); o.Verdict() != Succeeded {
		t.Fatalf("verdict %s\n%s", o.Verdict(), out)
	}
	s := &script{answer: Answer{Action: WithOptions, Options: []string{p.option()}}}
	o, out := trial{dir: dir, args: []string{"-B", "-o", "-T2", "-pl", "one", "-am", "-Dtest=ATest", "test"}}.run(t, s)
	if o.Verdict() != Succeeded || len(s.requests) != 2 {
		t.Fatalf("verdict %s, %d requests\n%s", o.Verdict(), len(s.requests), out)
	}
	for _, r := range s.requests {
		want := []string{dir, filepath.Join(dir, "one"), filepath.Join(dir, "two")}
		if !slices.Equal(slices.Sorted(slices.Values(r.Modules)), want) || r.Filter().Test != "ATest" || r.BaseDir != want[1] || r.Root != dir {
			t.Errorf("modules %q, filter %+v, directory %s of %s", r.Modules, r.Filter(), r.BaseDir, r.Root)
		}
	}
	if a, b := s.requests[0].Mojo.Execution, s.requests[1].Mojo.Execution; a != "default-test" || b != "second" {
		t.Errorf("executions %s and %s", a, b)
	}
	if n := len(p.forks(t)); n != 2 || !strings.HasSuffix(o.Command[0], "mvnw") {
		t.Errorf("%d JVMs had the agent, want one for each execution; command %q", n, o.Command)
	}
	checkTestsOf(t, dir, map[string]int{"one": 2}) // the second execution writes the same report
}

// TestBrokenBuilds checks that a build that does not come to its tests is told apart from one whose tests fail.
func TestBrokenBuilds(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		args  []string
		want  Verdict
	}{
		{"project model", map[string]string{"pom.xml": "<project>"}, []string{"test"}, BuildFailed},
		{"test sources, though Maven exits with 0", map[string]string{"src/test/java/p/ATest.java": "class"}, []string{"-fn", "test"}, CompileFailed},
		{"unknown option", nil, []string{"--no-such-option"}, BuildFailed},
	} {
		dir := t.TempDir()
		project{files: c.files}.write(t, dir)
		o, out := trial{dir: dir, args: append([]string{"-B"}, c.args...)}.run(t, &script{})
		if o.Verdict() != c.want {
			t.Errorf("%s: %s, want %s\n%s", c.name, o.Verdict(), c.want, out)
		}
	}
}

// TestDirectGoal checks that a goal of the command line is left alone.
func TestDirectGoal(t *testing.T) {
	dir := t.TempDir()
	project{}.write(t, dir)
	o, out := trial{dir: dir, args: []string{"-B", "surefire:test"}}.run(t, &script{err: errors.New("asked")})
	if o.Verdict() != Succeeded {
		t.Errorf("verdict %s\n%s", o.Verdict(), out)
	}
	checkAnswers(t, o, map[string]string{"single": " direct-goal"})
}

const sleeping = `package p; import org.junit.jupiter.api.Test; import java.nio.file.*;
public class ATest { @Test public void sleeps() throws Exception {
    Files.write(Paths.get("target", "pid"), ManagementName.get().getBytes()); Thread.sleep(600_000); } }
class ManagementName { static String get() { return java.lang.management.ManagementFactory.getRuntimeMXBean().getName().split("@")[0]; } }`

// TestInterrupt ends the context while tests run: Maven and the tests' JVM end with it.
func TestInterrupt(t *testing.T) {
	jvmtest.Maven(t, "")
	dir := t.TempDir()
	project{files: map[string]string{"src/test/java/p/ATest.java": sleeping}}.write(t, dir)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := &script{answer: Answer{Action: WithOptions, Options: []string{"-Dx=y"}}}
	var pid string
	go func() {
		pid = waitForFile(filepath.Join(dir, "target", "pid"))
		cancel()
	}()
	start := time.Now()
	o, out, err := trial{dir: dir, args: []string{"-B", "test"}}.hooked(t, ctx, s)
	if !errors.Is(err, context.Canceled) || o == nil || o.Verdict() != Stopped {
		t.Fatalf("%v\n%s", err, out)
	}
	if alive(pid) {
		t.Errorf("process %s of the tests lives on", pid)
	}
	if last := s.events[len(s.events)-1]; last.Type == Answered || !slices.ContainsFunc(s.events, func(e Event) bool { return e.Type == Interrupted }) {
		t.Errorf("the handler was told last of %s", last.Type)
	}
	t.Logf("stopped after %v in all", time.Since(start).Round(time.Millisecond))
}

// waitForFile returns the text of a file as soon as there is one, or "" after a minute.
func waitForFile(path string) string {
	for range 6000 {
		if text, err := os.ReadFile(path); err == nil && len(text) > 0 {
			return string(text)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return ""
}

// alive tells whether a process runs; one that has ended and was not waited for does not.
func alive(pid string) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if pid == "" || err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z")
}

// TestContextEndedWhilePlanning ends the context while Maven waits for an answer.
func TestContextEndedWhilePlanning(t *testing.T) {
	jvmtest.Maven(t, "")
	dir := t.TempDir()
	project{}.write(t, dir)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := &script{onPlan: func(ctx context.Context) {
		cancel()
		<-ctx.Done()
	}}
	o, out, err := trial{dir: dir, args: []string{"-B", "test"}}.hooked(t, ctx, s)
	if !errors.Is(err, context.Canceled) || o.Verdict() != Stopped || len(reports(t, dir)) > 0 {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestEndedContextStartsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if o, err := Run(ctx, Options{Maven: "/no/such/program", Handler: &script{}}); o != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", o, err)
	}
}

// TestSilentMaven runs programs that do not load the extension.
func TestSilentMaven(t *testing.T) {
	for _, c := range []struct {
		script string
		exit   int
		want   Verdict
	}{{"exit 0", 0, Unattached}, {"exit 3", 3, BuildFailed}} {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "mvnw"), "#!/bin/sh\n"+c.script+"\n")
		o, err := Run(context.Background(), Options{Dir: dir, Handler: &script{}, Temp: t.TempDir()})
		if err != nil || o.ExitCode != c.exit || o.Verdict() != c.want {
			t.Errorf("%s: %+v, %v", c.script, o, err)
		}
	}
}

// TestNonsense runs a program that writes into the pipe what no extension writes: it is stopped and the error says where.
func TestNonsense(t *testing.T) {
	for text, want := range map[string]string{
		`hello\n\n`:                                   "message at byte 0",
		`message nonsense\n\n`:                        `unknown kind "nonsense"`,
		`message hello\nprotocol 2\n\n`:               `version "2"`,
		`message event\ntype Result\n\nmessage ask\n`: "",
	} {
		dir, temp := t.TempDir(), t.TempDir()
		tail := "sleep 600"
		if want == "" { // the program ends in the middle of a message
			want, tail = "unexpected EOF", "exit 0"
		}
		writeFile(t, filepath.Join(dir, "mvnw"), "#!/bin/sh\nfor pipe in '"+temp+"'/*/requests; do printf '"+text+"' >\"$pipe\"; done\n"+tail+"\n")
		o, err := Run(context.Background(), Options{Dir: dir, Handler: &script{}, Temp: temp, Grace: time.Second})
		if err == nil || !strings.Contains(err.Error(), want) || o == nil {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestTempWithSeparator(t *testing.T) {
	temp := filepath.Join(t.TempDir(), "a:b")
	if err := os.Mkdir(temp, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), Options{Maven: "true", Temp: temp, Handler: &script{}}); err == nil || !strings.Contains(err.Error(), "cannot express") {
		t.Error(err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
