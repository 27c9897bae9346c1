package maven

import "testing"

func mojoFailed(artifact, exception string) Event {
	return Event{Type: MojoFailed, Mojo: Mojo{Artifact: artifact}, Exceptions: []Exception{{Class: "Lifecycle"}, {Class: exception}}}
}

func TestVerdict(t *testing.T) {
	attached, result := Event{Type: Attached}, Event{Type: Result}
	bad := Event{Type: Result, Exceptions: []Exception{{Class: "x"}}}
	tests := mojoFailed("maven-surefire-plugin", "org.apache.maven.plugin.MojoFailureException")
	crash := mojoFailed("maven-surefire-plugin", "org.apache.maven.plugin.MojoExecutionException")
	integration := mojoFailed("maven-failsafe-plugin", "org.apache.maven.plugin.MojoFailureException")
	compile := mojoFailed("maven-compiler-plugin", "x")
	other := mojoFailed("maven-enforcer-plugin", "x")
	for _, c := range []struct {
		name   string
		exit   int
		events []Event
		want   Verdict
	}{
		{"all is well", 0, []Event{attached, result}, Succeeded},
		{"never heard", 0, nil, Unattached},
		{"never heard and failed", 1, nil, BuildFailed},
		{"no result", 0, []Event{attached}, BuildFailed},
		{"exit code alone", 1, []Event{attached, result}, BuildFailed},
		{"broken project model", 1, []Event{attached, bad}, BuildFailed},
		{"fail never, project model", 0, []Event{attached, bad}, BuildFailed},
		{"tests", 1, []Event{attached, tests, bad}, TestsFailed},
		{"fail never, tests", 0, []Event{attached, tests, bad}, TestsFailed},
		{"integration tests", 1, []Event{attached, integration, bad}, TestsFailed},
		{"crash", 1, []Event{attached, tests, crash, bad}, TestsBroken},
		{"compile error after failing tests", 1, []Event{attached, tests, compile, bad}, CompileFailed},
		{"other plug-in", 1, []Event{attached, other, tests, bad}, BuildFailed},
		{"module passed over", 0, []Event{attached, {Type: ProjectSkipped}, result}, BuildFailed},
		{"stopped", 130, []Event{attached, tests, {Type: Interrupted}}, Stopped},
	} {
		if got := (&Outcome{ExitCode: c.exit, Events: c.events}).Verdict(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
