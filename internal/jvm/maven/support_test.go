package maven

import (
	"slices"
	"testing"
)

// supported is a request without a fault.
func supported() *Request {
	return &Request{
		Build: Build{Maven: "3.9.12"},
		Mojo:  Mojo{Group: "org.apache.maven.plugins", Artifact: "maven-surefire-plugin", Version: "3.5.6", Goal: "test", Execution: "default-test", Phase: "test"},
	}
}

func with(path, value string) func(*Request) {
	return func(r *Request) { r.Parameters = append(r.Parameters, Parameter{path, value}) }
}

func TestUnsupported(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Request)
		want   Reason
	}{
		{"as it is", func(*Request) {}, Supported},
		{"failsafe", func(r *Request) { r.Mojo.Artifact = "maven-failsafe-plugin" }, Failsafe},
		{"tycho", func(r *Request) { r.Mojo.Group, r.Mojo.Artifact = "org.eclipse.tycho", "tycho-surefire-plugin" }, Tycho},
		{"a copy of Surefire", func(r *Request) { r.Mojo.Group = "org.example" }, UnknownPlugin},
		{"mvnd", func(r *Request) { r.Build.Daemon = true }, Daemon},
		{"Maven 3.6.3", func(r *Request) { r.Build.Maven = "3.6.3" }, Supported},
		{"Maven 3.6.2", func(r *Request) { r.Build.Maven = "3.6.2" }, MavenVersion},
		{"Maven 4", func(r *Request) { r.Build.Maven = "4.0.0-rc-5" }, Supported},
		{"Maven 5", func(r *Request) { r.Build.Maven = "5.0.0" }, MavenVersion},
		{"no version", func(r *Request) { r.Build.Maven = "" }, MavenVersion},
		{"Surefire 2.12.3", func(r *Request) { r.Mojo.Version = "2.12.3" }, SurefireVersion},
		{"Surefire 2.22.2", func(r *Request) { r.Mojo.Version = "2.22.2" }, Supported},
		{"Surefire milestone", func(r *Request) { r.Mojo.Version = "3.0.0-M5" }, Supported},
		{"Surefire 4", func(r *Request) { r.Mojo.Version = "4.0.0-alpha-1" }, SurefireVersion},
		{"odd version", func(r *Request) { r.Mojo.Version = "3.x" }, SurefireVersion},
		{"core extension", func(r *Request) {
			r.Extensions = []string{"plexus.core", "coreExtension>org.apache.maven.extensions:maven-build-cache-extension:1.2.0"}
		}, BuildCache},
		{"Develocity", func(r *Request) { r.Extensions = []string{"coreExtension>com.gradle:develocity-maven-extension:2.0"} }, BuildCache},
		{"direct", func(r *Request) { r.Direct = true }, DirectGoal},
		{"forkCount 0", with("forkCount", "0"), NoFork},
		{"forkCount 0C", with("forkCount", "0C"), NoFork},
		{"forkCount 0.5C", with("forkCount", "0.5C"), Supported},
		{"forkCount many", with("forkCount", "many"), NoFork},
		{"forkMode never", with("forkMode", "never"), NoFork},
		{"forkMode once", with("forkMode", "once"), Supported},
		{"skipTests", with("skipTests", "true"), TestsSkipped},
		{"maven.test.skip", with("skip", "true"), TestsSkipped},
		{"maven.test.skip.exec", with("skipExec", "TRUE"), TestsSkipped},
		{"not skipped", with("skipTests", "false"), Supported},
	} {
		r := supported()
		c.change(r)
		if got, text := Unsupported(r); got != c.want || (text == "") != (got == Supported) {
			t.Errorf("%s: %q, %q, want %q", c.name, got, text, c.want)
		}
	}
}

func TestRequestValues(t *testing.T) {
	r := supported()
	for _, p := range []Parameter{
		{"argLine", "-Xmx1g"}, {"includes/include", "**/A.java"}, {"includes/include", "**/B,C.java"}, {"excludes", "x, y,"},
		{"rerunFailingTestsCount", "2"}, {"testFailureIgnore", "true"}, {"forkMode", "always"}, {"text", "a\nb"},
	} {
		with(p.Path, p.Value)(r)
	}
	if got := r.Text("argLine"); got != "-Xmx1g" {
		t.Errorf("argLine %q", got)
	}
	if got, want := r.List("includes"), []string{"**/A.java", "**/B,C.java"}; !slices.Equal(got, want) {
		t.Errorf("includes %q, want %q", got, want)
	}
	if got, want := r.List("excludes"), []string{"x", "y"}; !slices.Equal(got, want) {
		t.Errorf("excludes %q, want %q", got, want)
	}
	if r.RerunsFailing() != 2 || !r.IgnoresFailures() || r.ReusesForks() || !r.Forks() {
		t.Errorf("reruns %d, ignores %v, reuses %v, forks %v", r.RerunsFailing(), r.IgnoresFailures(), r.ReusesForks(), r.Forks())
	}
	want := "argLine=-Xmx1g\nincludes/include=**/A.java\nincludes/include=**/B,C.java\nexcludes=x, y,\nrerunFailingTestsCount=2\ntestFailureIgnore=true\nforkMode=always\ntext=a\\nb\n"
	if got := r.Configuration(); got != want {
		t.Errorf("configuration\n%s\nwant\n%s", got, want)
	}
	for text, stops := range map[string]bool{"": false, "0": false, "1": true, "few": true} {
		odd := supported()
		with("skipAfterFailureCount", text)(odd)
		if odd.StopsAfterFailures() != stops {
			t.Errorf("skipAfterFailureCount %q: stops %v", text, !stops)
		}
	}
	if odd := supported(); odd.RerunsFailing() != 0 {
		t.Error("a rerun without a parameter")
	} else if with("rerunFailingTestsCount", "many")(odd); odd.RerunsFailing() != 1 {
		t.Errorf("an unreadable number counts as %d", odd.RerunsFailing())
	}
}

func TestAnswerCheck(t *testing.T) {
	for _, c := range []struct {
		answer Answer
		ok     bool
	}{
		{Answer{}, true},
		{Answer{Action: WithOptions, Options: []string{"-javaagent:/a b/x.jar=k:v"}}, true},
		{Answer{Action: WithOptions}, false},
		{Answer{Action: WithOptions, Options: []string{""}}, false},
		{Answer{Action: WithOptions, Options: []string{"-Da=${x}"}}, false},
		{Answer{Action: WithOptions, Options: []string{"-Da=@{x}"}}, false},
		{Answer{Action: WithOptions, Options: []string{`-Da="x"`}}, false},
		{Answer{Action: WithOptions, Options: []string{"-Da=it's"}}, false},
		{Answer{Set: []Parameter{{"reuseForks", "false"}}}, true},
		{Answer{Set: []Parameter{{"a/b", "false"}}}, false},
		{Answer{Set: []Parameter{{"a", "$"}}}, false},
	} {
		if err := c.answer.check(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.answer, err)
		}
	}
}
