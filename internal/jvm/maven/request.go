package maven

import "strings"

// A Mojo names an execution of a goal. Its printed form is "maven-surefire-plugin:3.5.6:test (default-test)".
type Mojo struct {
	Group, Artifact, Version string // of the plug-in
	Goal                     string
	Execution                string // identifier of the execution in the module
	Phase                    string // of the life cycle; "" for a goal of the command line
}

// String returns the printed form.
func (m Mojo) String() string {
	return m.Artifact + ":" + m.Version + ":" + m.Goal + " (" + m.Execution + ")"
}

// A Parameter is one value of a configuration. The path leads to a nested element, as in "systemPropertyVariables/name"; elements of a list have the
// same path. Its printed form is "path=value".
type Parameter struct{ Path, Value string }

// String returns the printed form.
func (p Parameter) String() string { return p.Path + "=" + p.Value }

func parseParameter(s string) Parameter {
	path, value, _ := strings.Cut(s, "=")
	return Parameter{path, value}
}

// A Build is what runs the build.
type Build struct {
	Maven     string // version
	MavenHome string
	Java      string // version of the JVM that runs Maven
	JavaHome  string
	Daemon    bool // Maven runs in a daemon that outlives the build
}

// A Request describes a test execution that is about to start. All paths are absolute.
type Request struct {
	Build     Build
	Module    string // group:artifact:version
	BaseDir   string // directory of the module
	Root      string // directory of the project that the build started in, whichever modules the user selected
	Packaging string
	Mojo      Mojo
	Direct    bool // the goal was named on the command line, so nothing was compiled for it

	Classes     string // directory of the module's classes
	TestClasses string // directory of the module's test classes
	// ClassPath is composed as Surefire will do it: tests, classes, dependencies, additional elements, each once; without its own jars.
	ClassPath []string
	// ProviderPath are the jars that Surefire will add to that: its booter, and the provider for the test framework with what that needs, such as the
	// launcher of the JUnit Platform. It can hold more than Surefire will add, and nothing that is in ClassPath. It is empty if tests are skipped.
	ProviderPath []string
	// ProviderProblems say which jars of both paths could not be found, for example because Maven is offline. Surefire will fail for the same reason, or does
	// not need what is missing.
	ProviderProblems []string

	JVM        string // the java program that will run the tests; "" if that cannot be told
	JVMProblem string // why it cannot
	// ArgLine is the line of JVM options that the tests will get, without what an Answer adds. Late expressions such as "@{argLine}" are replaced by what
	// plug-ins have set so far; those that are still unknown and numbers of forks stay as they are.
	ArgLine    string
	WorkingDir string // of the tests; with the number of a fork in it as an expression
	// SystemProperties are those that Surefire will set in the tests' JVM, by name: from the configuration, its file, the user's properties.
	SystemProperties []Parameter
	// SystemPropertyProblem says why the file with system properties could not be read; Surefire goes on without it.
	SystemPropertyProblem string

	// Tasks are the phases and goals that the build was asked for.
	Tasks []string
	// Modules are the directories of all modules of the reactor, in the order of the build, also of those that the user did not select.
	Modules []string
	// CoverageGate names the execution that will judge how much of the program the tests cover, or is "". After a partial run its figure is partial.
	CoverageGate string

	// Parameters are the values that the plug-in will get, expressions evaluated, in the order of its descriptor. Values that are
	// not text, such as the session, are missing.
	Parameters []Parameter
	// UserProperties are those of the command line, by name. Surefire makes them system properties of the tests.
	UserProperties []Parameter
	// Plugins are those of the module's build, as "group:artifact:version goal,goal".
	Plugins []string
	// Extensions are the class loaders of Maven: extensions and plug-ins loaded so far, by their identifiers.
	Extensions []string
	// Read are files outside of the project that Maven has read to build the module: POMs of its parents and those that it imports, jars of Extensions.
	Read []string
}

func parseMojo(m message) Mojo {
	group, rest, _ := strings.Cut(m.get("mojo"), ":")
	artifact, version, _ := strings.Cut(rest, ":")
	return Mojo{group, artifact, version, m.get("goal"), m.get("execution"), m.get("phase")}
}

func parseBuild(m message) Build {
	return Build{Maven: m.get("maven"), MavenHome: m.get("maven-home"), Java: m.get("java"), JavaHome: m.get("java-home"), Daemon: m.get("daemon") != ""}
}

func parseRequest(build Build, m message) *Request {
	r := &Request{
		Build: build, Module: m.get("module"), BaseDir: m.get("basedir"), Root: m.get("root"), Packaging: m.get("packaging"),
		Mojo: parseMojo(m), Direct: m.get("source") == "CLI",
		Classes: m.get("classes"), TestClasses: m.get("test-classes"), ClassPath: m.all("class-path"),
		ProviderPath: m.all("provider-path"), ProviderProblems: m.all("provider-problem"),
		JVM: m.get("jvm"), JVMProblem: m.get("jvm-problem"), ArgLine: m.get("arg-line"), WorkingDir: m.get("working-directory"),
		SystemProperties: parseParameters(m.all("system-property")), SystemPropertyProblem: m.get("system-property-problem"),
		Tasks: m.all("task"), Modules: m.all("module-directory"),
		Parameters: parseParameters(m.all("parameter")), UserProperties: parseParameters(m.all("user-property")),
		Plugins: m.all("plugin"), Extensions: m.all("realm"), Read: m.all("read"),
	}
	r.CoverageGate = coverageGate(r, m.all("bound"))
	return r
}

func parseParameters(lines []string) []Parameter {
	var all []Parameter
	for _, line := range lines {
		all = append(all, parseParameter(line))
	}
	return all
}
