package agent

import (
	"slices"
	"strings"
)

// harness are the beginnings of the names of classes that run tests, and of those with their assertions. Every test goes through hundreds of their methods, which are no more about one test than about another: nine tenths of
// all hits would be theirs. So they have no probes, and count as a whole for every test of the process (S8.4). Assertions change with the classes that run tests: they come in the same jar, or in one of the same version. In a
// test that asserts much in a loop four of five probes would be theirs.
var harness = []string{
	"org/apache/maven/surefire/",
	"org/junit/platform/", "org/junit/jupiter/engine/", "org/junit/jupiter/params/", "org/junit/vintage/",
	"org/junit/runner/", "org/junit/runners/", "org/junit/internal/", "junit/framework/Test",
	"org/junit/jupiter/api/Assert", "org/junit/Assert", "junit/framework/Assert", "org/testng/Assert",
	"org/testng/internal/", "org/testng/xml/", "org/testng/reporters/", "org/testng/TestNG", "org/testng/TestRunner", "org/testng/SuiteRunner",
}

// notHarness are exceptions: where JUnit keeps what extensions make, which tests may owe to one another.
var notHarness = []string{"org/junit/platform/engine/support/store/"}

// isHarness tells whether a class of a jar runs tests. A project that has such classes itself is about them.
func isHarness(class string) bool {
	begins := func(with string) bool { return strings.HasPrefix(class, with) }
	return slices.ContainsFunc(harness, begins) && !slices.ContainsFunc(notHarness, begins)
}
