//go:build matrix

package maven

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

const failsafe = `<plugin><artifactId>maven-jar-plugin</artifactId><version>3.4.2</version></plugin>
<plugin><artifactId>maven-failsafe-plugin</artifactId><version>3.5.6</version>
<executions><execution><goals><goal>integration-test</goal><goal>verify</goal></goals></execution></executions></plugin>`

const cacheExtension = `<extensions><extension><groupId>org.apache.maven.extensions</groupId><artifactId>maven-build-cache-extension</artifactId><version>1.2.1</version></extension></extensions>`

const toolchainsPlugin = `<plugin><artifactId>maven-toolchains-plugin</artifactId><version>3.2.0</version>
<executions><execution><goals><goal>toolchain</goal></goals></execution></executions><configuration><toolchains><jdk><version>25</version></jdk></toolchains></configuration></plugin>`

// TestSetups tries set-ups that are left alone, and ways in which Maven gets its extensions and its JVM.
func TestSetups(t *testing.T) {
	for _, version := range []string{"", "3.6.3", "3.9.12", "4.0.0-rc-5"} {
		maven := jvmtest.Maven(t, version)
		for _, c := range []struct {
			name    string
			project project
			args    []string
			env     []string
			want    string // the answers
		}{
			{"failsafe", project{plugins: failsafe}, []string{"verify"}, nil, "surefire run, failsafe failsafe"},
			{"build cache", project{files: map[string]string{".mvn/extensions.xml": cacheExtension}}, []string{"test"}, nil, "surefire build-cache"},
			{"old Surefire", project{surefire: "2.12.3", framework: "junit4"}, []string{"test"}, nil, "surefire surefire-version"},
			{"never forked", project{surefire: "2.22.2", framework: "junit4", config: "<forkMode>never</forkMode>"}, []string{"test"}, nil, "surefire no-fork"},
			{"skipTests", project{}, []string{"-DskipTests", "test"}, nil, "surefire tests-skipped"},
			{"maven.test.skip", project{}, []string{"-Dmaven.test.skip=true", "test"}, nil, "surefire tests-skipped"},
			{"config", project{files: map[string]string{".mvn/maven.config": "-Dmaven.ext.class.path=/nowhere/user.jar\n"}}, []string{"test"}, nil, "surefire run"},
			{"JVM property", project{}, []string{"test"}, []string{"MAVEN_OPTS=-Dmaven.ext.class.path=/nowhere/user.jar"}, "surefire run"},
			{"daemon", project{}, []string{"test"}, []string{"MAVEN_OPTS=-Dmvnd.home=/nowhere"}, "surefire mvnd"},
			{"configured JVM", project{config: "<jvm>" + filepath.Join(jvmtest.JDK(t, 25), "bin", "java") + "</jvm>"}, []string{"test"}, nil, "surefire run"},
		} {
			name := "maven " + orPath(version) + ", " + c.name
			if !strings.Contains(name, *matrixPart) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				dir := t.TempDir()
				c.project.write(t, dir)
				s := &script{answer: Answer{Action: WithOptions, Options: []string{"-Dx=y"}}}
				o, out := trial{dir: dir, maven: maven, args: append([]string{"-B"}, c.args...), env: c.env}.run(t, s)
				if got := summary(o); o.Verdict() != Succeeded || got != c.want {
					t.Errorf("verdict %s, %s, want %s\n%s", o.Verdict(), got, c.want, out)
				}
			})
		}
	}
}

// TestNoTestsOfFailsafe skips integration tests, too, in old and new versions.
func TestNoTestsOfFailsafe(t *testing.T) {
	for _, version := range []string{"2.22.2", "3.6.1"} {
		dir := t.TempDir()
		project{plugins: strings.ReplaceAll(failsafe, "3.5.6", version), files: map[string]string{"src/test/java/p/SomeIT.java": testClass("SomeIT", frameworks["junit5"].imports)}}.write(t, dir)
		o, out := trial{dir: dir, args: []string{"-B", "verify"}, noTests: true}.run(t, &script{answer: Answer{Action: WithOptions, Options: []string{"-Dx=y"}}})
		if got, want := summary(o), "surefire skip, failsafe skipfailsafe"; o.Verdict() != Succeeded || got != want {
			t.Errorf("%s: verdict %s, %s, want %s\n%s", version, o.Verdict(), got, want, out)
		}
		if seen := seen(t, dir); len(seen) > 0 {
			t.Errorf("%s: tests ran: %v", version, slices.Sorted(maps.Keys(seen)))
		}
	}
}

// TestUnknownLateOption: Surefire hands an expression that nobody has set to the JVM as it is. The build fails with and without the extension, and as broken.
func TestUnknownLateOption(t *testing.T) {
	dir := t.TempDir()
	project{config: "<argLine>@{nobody}</argLine>"}.write(t, dir)
	b := trial{dir: dir, args: []string{"-B", "test"}}
	if out, err := b.plain(t); err == nil {
		t.Fatalf("the plain build succeeds\n%s", out)
	}
	s := &script{answer: Answer{Action: WithOptions, Options: []string{"-Dx=y"}}}
	o, out := b.run(t, s)
	if o.Verdict() != TestsBroken || len(s.requests) != 1 || s.requests[0].ArgLine != "@{nobody}" {
		t.Errorf("verdict %s\n%s", o.Verdict(), out)
	}
}

// TestMissingProvider takes the launcher out of a local repository: offline, the request names it, and Surefire fails.
func TestMissingProvider(t *testing.T) {
	dir, repository := t.TempDir(), t.TempDir()
	project{}.write(t, dir)
	b := trial{dir: dir, args: []string{"-B", "-Dmaven.repo.local=" + repository, "test"}}
	if out, err := b.plain(t); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.RemoveAll(filepath.Join(repository, "org", "junit", "platform", "junit-platform-launcher")); err != nil {
		t.Fatal(err)
	}
	b.args = append(b.args, "-o")
	s := &script{answer: Answer{Action: WithOptions, Options: []string{"-Dx=y"}}}
	o, out := b.run(t, s)
	if o.Verdict() != TestsBroken || len(s.requests) != 1 || !strings.Contains(strings.Join(s.requests[0].ProviderProblems, "\n"), "junit-platform-launcher") {
		t.Errorf("verdict %s\n%s", o.Verdict(), out)
	}
}

// summary names the answers as "surefire run, failsafe failsafe".
func summary(o *Outcome) string {
	var all []string
	for _, e := range o.Answers() {
		plugin := strings.TrimSuffix(strings.TrimPrefix(e.Mojo.Artifact, "maven-"), "-plugin")
		all = append(all, plugin+" "+string(e.Answer.Action)+string(e.Answer.Reason))
	}
	return strings.Join(all, ", ")
}

// TestToolchain checks that the JVM of a toolchain is told.
func TestToolchain(t *testing.T) {
	jdk := jvmtest.JDK(t, 25)
	toolchains := `<toolchains><toolchain><type>jdk</type><provides><version>25</version></provides><configuration><jdkHome>` + jdk + `</jdkHome></configuration></toolchain></toolchains>`
	for version, want := range map[string]string{"": filepath.Join(jdk, "bin", "java"), "3.6.3": filepath.Join(jdk, "bin", "java"), "3.9.12": filepath.Join(jdk, "bin", "java"), "4.0.0-rc-5": filepath.Join(jdk, "bin", "java")} {
		dir := t.TempDir()
		project{plugins: toolchainsPlugin, files: map[string]string{"toolchains.xml": toolchains}}.write(t, dir)
		s := &script{answer: Answer{Action: WithOptions, Options: []string{"-Dx=y"}}}
		o, out := trial{dir: dir, maven: jvmtest.Maven(t, version), args: []string{"-B", "-t", "toolchains.xml", "test"}}.run(t, s)
		if o.Verdict() != Succeeded || len(s.requests) != 1 || s.requests[0].JVM != want {
			t.Errorf("Maven %s: verdict %s, want %q\n%s", orPath(version), o.Verdict(), want, out)
		}
		for _, r := range s.requests {
			t.Logf("Maven %s: %q", r.Build.Maven, r.JVM)
		}
		for name, text := range seen(t, dir) {
			if !strings.Contains(text, "property java.specification.version=25\n") {
				t.Errorf("Maven %s: %s did not run on Java 25", orPath(version), name)
			}
		}
	}
}
