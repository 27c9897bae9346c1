package maven

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Reason names why a test execution is left as it is.
type Reason string

// The reasons. Supported is the zero value.
const (
	Supported        Reason = ""
	TestsSkipped     Reason = "tests-skipped"    // the user asked for no tests; nothing runs
	Failsafe         Reason = "failsafe"         // integration tests run against the packaged module
	Tycho            Reason = "tycho"            // tests run in an OSGi framework
	UnknownPlugin    Reason = "unknown-plugin"   // named like Surefire, but from elsewhere
	SurefireVersion  Reason = "surefire-version" // below 2.12.4, or a major version that is not known
	MavenVersion     Reason = "maven-version"    // below 3.6.3, or a major version that is not known
	Daemon           Reason = "mvnd"             // the JVM that runs Maven outlives the build
	BuildCache       Reason = "build-cache"      // a partial run would be saved as a whole one
	DirectGoal       Reason = "direct-goal"      // named on the command line: what it tests may be stale
	NoFork           Reason = "no-fork"          // tests run in Maven's JVM
	ChosenByHandler  Reason = "handler"          // the handler's answer; its text says why
	ExtensionProblem Reason = "extension"        // the extension could not describe the execution or follow the answer
)

// caches are the extensions that save what a test execution did and restore it instead of running.
var caches = []string{"maven-build-cache-extension", "gradle-enterprise-maven-extension", "develocity-maven-extension"}

// Unsupported returns why a test execution must be left as it is, with a sentence for people, or Supported.
func Unsupported(r *Request) (Reason, string) {
	for _, check := range []func(*Request) (Reason, string){checkPlugin, checkSkipped, checkMaven, checkCache, checkSurefire} {
		if reason, text := check(r); reason != Supported {
			return reason, text
		}
	}
	return Supported, ""
}

func checkPlugin(r *Request) (Reason, string) {
	switch {
	case r.Mojo.Artifact == "maven-failsafe-plugin":
		return Failsafe, "Failsafe is not supported"
	case r.Mojo.Artifact == "tycho-surefire-plugin":
		return Tycho, "Tycho is not supported"
	case r.Mojo.Group != "org.apache.maven.plugins" || r.Mojo.Artifact != "maven-surefire-plugin":
		return UnknownPlugin, fmt.Sprintf("%s:%s is not known", r.Mojo.Group, r.Mojo.Artifact)
	}
	return Supported, ""
}

func checkSkipped(r *Request) (Reason, string) {
	if r.Skipped() {
		return TestsSkipped, "the build was told to skip tests; no test runs"
	}
	return Supported, ""
}

func checkMaven(r *Request) (Reason, string) {
	if r.Build.Daemon {
		return Daemon, "mvnd is not supported"
	}
	if !within(r.Build.Maven, version{3, 6, 3}, 5) {
		return MavenVersion, fmt.Sprintf("Maven %q is not supported; 3.6.3 to 4 are", r.Build.Maven)
	}
	return Supported, ""
}

// checkCache also looks at plug-ins, because a build extension is one in the module's build.
func checkCache(r *Request) (Reason, string) {
	for _, name := range caches {
		holds := func(s string) bool { return strings.Contains(s, name) }
		if slices.ContainsFunc(r.Extensions, holds) || slices.ContainsFunc(r.Plugins, holds) {
			return BuildCache, name + " would save a partial run as a whole one"
		}
	}
	return Supported, ""
}

func checkSurefire(r *Request) (Reason, string) {
	switch {
	case !within(r.Mojo.Version, version{2, 12, 4}, 4):
		return SurefireVersion, fmt.Sprintf("Surefire %q is not supported; 2.12.4 to 3 are", r.Mojo.Version)
	case r.Direct:
		return DirectGoal, "the goal was named on the command line, so classes may be stale; name the phase test"
	case !r.Forks():
		return NoFork, fmt.Sprintf("the tests run in Maven's JVM (forkCount %q, forkMode %q)", r.Text("forkCount"), r.Text("forkMode"))
	}
	return Supported, ""
}

type version [3]int

// parseVersion reads the numbers of a version and passes over qualifiers: milestones of a version count as that version.
func parseVersion(s string) (version, bool) {
	numbers, _, _ := strings.Cut(s, "-")
	var v version
	for i, part := range strings.Split(numbers, ".") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return version{}, false
		}
		if i < len(v) {
			v[i] = n
		}
	}
	return v, true
}

// within tells whether a version is at least the first and below a major version.
func within(s string, first version, major int) bool {
	v, ok := parseVersion(s)
	return ok && slices.Compare(v[:], first[:]) >= 0 && v[0] < major
}
