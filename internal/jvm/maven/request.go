package maven

import (
	"slices"
	"strconv"
	"strings"
)

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
	Root      string // directory of the project that the build started in
	Packaging string
	Mojo      Mojo
	Direct    bool // the goal was named on the command line, so nothing was compiled for it

	Classes     string   // directory of the module's classes
	TestClasses string   // directory of the module's test classes
	ClassPath   []string // as Surefire will compose it: tests, classes, dependencies, additional elements; without its own jars
	JVM         string   // the java program that will run the tests; "" if that cannot be told, as with a toolchain in Maven 4

	// Parameters are the values that the plug-in will get, expressions evaluated, in the order of its descriptor. Values that are
	// not text, such as the session, are missing.
	Parameters []Parameter
	// UserProperties are those of the command line, by name. Surefire makes them system properties of the tests.
	UserProperties []Parameter
	// Plugins are those of the module's build, as "group:artifact:version goal,goal".
	Plugins []string
	// Extensions are the class loaders of Maven: extensions and plug-ins loaded so far, by their identifiers.
	Extensions []string
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
	return &Request{
		Build: build, Module: m.get("module"), BaseDir: m.get("basedir"), Root: m.get("root"), Packaging: m.get("packaging"),
		Mojo: parseMojo(m), Direct: m.get("source") == "CLI",
		Classes: m.get("classes"), TestClasses: m.get("test-classes"), ClassPath: m.all("class-path"), JVM: m.get("jvm"),
		Parameters: parseParameters(m.all("parameter")), UserProperties: parseParameters(m.all("user-property")),
		Plugins: m.all("plugin"), Extensions: m.all("realm"),
	}
}

func parseParameters(lines []string) []Parameter {
	var all []Parameter
	for _, line := range lines {
		all = append(all, parseParameter(line))
	}
	return all
}

// Text returns the value of a parameter that has one, or "".
func (r *Request) Text(name string) string {
	for _, p := range r.Parameters {
		if p.Path == name {
			return p.Value
		}
	}
	return ""
}

// List returns the elements of a list, or of a text that a plug-in would split at commas.
func (r *Request) List(name string) []string {
	var all []string
	for _, p := range r.Parameters {
		switch {
		case strings.HasPrefix(p.Path, name+"/"):
			all = append(all, p.Value)
		case p.Path == name:
			all = append(all, splitList(p.Value)...)
		}
	}
	return all
}

func splitList(s string) []string {
	var all []string
	for _, one := range strings.Split(s, ",") {
		if one = strings.TrimSpace(one); one != "" {
			all = append(all, one)
		}
	}
	return all
}

// Is tells whether a parameter is true.
func (r *Request) Is(name string) bool {
	return strings.EqualFold(strings.TrimSpace(r.Text(name)), "true")
}

// Skipped tells whether the user asked for no tests: then the execution starts, but runs none.
func (r *Request) Skipped() bool {
	return r.Is("skip") || r.Is("skipTests") || r.Is("skipExec") || r.Is("skipITs")
}

// Forks tells whether the tests get a JVM of their own. An unreadable number counts as no.
func (r *Request) Forks() bool {
	if mode := r.Text("forkMode"); mode == "never" || mode == "none" {
		return false
	}
	count := strings.TrimSpace(r.Text("forkCount"))
	if count == "" {
		return true // the default of every known version is 1
	}
	n, err := strconv.ParseFloat(strings.TrimSuffix(count, "C"), 64)
	return err == nil && n > 0
}

// ReusesForks tells whether one JVM runs several test classes.
func (r *Request) ReusesForks() bool {
	return !slices.Contains([]string{"always", "pertest"}, r.Text("forkMode")) && !strings.EqualFold(r.Text("reuseForks"), "false")
}

// RerunsFailing returns how often a failing test is tried again; then a pass proves nothing. An unreadable number counts as once.
func (r *Request) RerunsFailing() int {
	text := strings.TrimSpace(r.Text("rerunFailingTestsCount"))
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 1
	}
	return n
}

// IgnoresFailures tells whether a failing test leaves the build successful, so that a successful build says nothing about the tests.
func (r *Request) IgnoresFailures() bool { return r.Is("testFailureIgnore") }

// Configuration returns the parameters as text, one a line, for a fingerprint.
func (r *Request) Configuration() string {
	var out strings.Builder
	for _, p := range r.Parameters {
		out.WriteString(escaper.Replace(p.String()) + "\n")
	}
	return out.String()
}
