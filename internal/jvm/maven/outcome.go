package maven

import "slices"

// A Verdict says how a build ended.
type Verdict string

// The verdicts.
const (
	Succeeded     Verdict = "succeeded"
	TestsFailed   Verdict = "tests-failed"   // nothing but failing tests
	TestsBroken   Verdict = "tests-broken"   // a test execution could not do its work, for example because its JVM crashed
	CompileFailed Verdict = "compile-failed" // sources or test sources do not compile
	BuildFailed   Verdict = "build-failed"   // anything else: the project model, dependencies, other plug-ins
	Stopped       Verdict = "stopped"        // the context ended
	Unattached    Verdict = "unattached"     // Maven ended well, but the extension was never heard: tests ran as without Winnow, if at all
)

// An Outcome is what is known of a build that was started.
type Outcome struct {
	Command  []string // as started
	ExitCode int      // Maven's; -1 if a signal ended it
	Build    Build    // zero if the extension was never heard
	Events   []Event  // in order
}

// Has tells whether an event of a type happened.
func (o *Outcome) Has(t EventType) bool {
	return slices.ContainsFunc(o.Events, func(e Event) bool { return e.Type == t })
}

// Answers returns the events that say what became of each test execution.
func (o *Outcome) Answers() []Event {
	var all []Event
	for _, e := range o.Events {
		if e.Type == Answered {
			all = append(all, e)
		}
	}
	return all
}

// Verdict judges the build by its worst part. It does not rest on the exit code alone: with --fail-never Maven's is 0 whatever fails. A
// successful build says nothing about tests whose failures the user chose to ignore; see Request.IgnoresFailures.
func (o *Outcome) Verdict() Verdict {
	if o.Has(Interrupted) {
		return Stopped
	}
	worst := o.worstFailure()
	switch {
	case worst != Succeeded:
		return worst
	case o.ExitCode != 0:
		return BuildFailed
	case !o.Has(Attached):
		return Unattached
	case !o.complete():
		return BuildFailed
	}
	return Succeeded
}

// order ranks verdicts of executions, the worst last.
var order = []Verdict{Succeeded, TestsFailed, TestsBroken, BuildFailed, CompileFailed}

func (o *Outcome) worstFailure() Verdict {
	worst := Succeeded
	for _, e := range o.Events {
		if e.Type == MojoFailed && slices.Index(order, e.Failure()) > slices.Index(order, worst) {
			worst = e.Failure()
		}
	}
	return worst
}

// Failure is what a failed execution means for the build.
func (e Event) Failure() Verdict {
	switch {
	case e.Mojo.Artifact == "maven-compiler-plugin":
		return CompileFailed
	case e.Mojo.Artifact == "maven-failsafe-plugin" && e.threw("org.apache.maven.plugin.MojoFailureException"):
		return TestsFailed // its goal verify tells it
	case e.Mojo.Artifact != "maven-surefire-plugin":
		return BuildFailed
	case e.threw("org.apache.maven.plugin.MojoFailureException"):
		return TestsFailed
	}
	return TestsBroken
}

// complete tells whether Maven gave a result and nothing in it or before it failed.
func (o *Outcome) complete() bool {
	for _, e := range o.Events {
		if e.Type == ProjectFailed || e.Type == ProjectSkipped || e.Type == Result && len(e.Exceptions) > 0 {
			return false
		}
	}
	return o.Has(Result)
}
