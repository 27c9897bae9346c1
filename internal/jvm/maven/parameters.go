package maven

import (
	"slices"
	"strconv"
	"strings"
)

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

// TalksByNetwork tells whether the JVMs of the tests talk to Maven by a connection on this machine, not by their standard streams.
func (r *Request) TalksByNetwork() bool {
	return strings.HasSuffix(r.Text("forkNode/implementation"), ".SurefireForkNodeFactory")
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

// StopsAfterFailures tells whether Surefire gives up after a number of failures: then tests that did not come to run look as if they were skipped.
func (r *Request) StopsAfterFailures() bool {
	text := strings.TrimSpace(r.Text("skipAfterFailureCount"))
	n, err := strconv.Atoi(text)
	return text != "" && (err != nil || n > 0)
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

// Environment are the variables that the configuration sets for the tests, in its order.
func (r *Request) Environment() []Parameter { return r.entries("environmentVariables") }

// ExcludedEnvironment are the names of variables that the tests do not get.
func (r *Request) ExcludedEnvironment() []string { return r.List("excludedEnvironmentVariables") }

// entries returns the entries of a map with their names as paths.
func (r *Request) entries(name string) []Parameter {
	var all []Parameter
	for _, p := range r.Parameters {
		if key, ok := strings.CutPrefix(p.Path, name+"/"); ok {
			all = append(all, Parameter{key, p.Value})
		}
	}
	return all
}

// A Filter is what the configuration says about which tests run. The zero value stands for Surefire's defaults.
type Filter struct {
	Test                       string   // what the user named with -Dtest; then Surefire looks at no other filter but groups
	Includes, Excludes         []string // patterns of file names
	IncludesFile, ExcludesFile string   // files with more of them
	Groups, ExcludedGroups     string   // groups, categories or tags
}

// Filter returns what the configuration says about which tests run.
func (r *Request) Filter() Filter {
	return Filter{
		Test: r.Text("test"), Includes: r.List("includes"), Excludes: r.List("excludes"), IncludesFile: r.Text("includesFile"), ExcludesFile: r.Text("excludesFile"),
		Groups: r.Text("groups"), ExcludedGroups: r.Text("excludedGroups"),
	}
}

// choices are the properties of the command line by which users choose tests, with the parameters that they fill.
var choices = []struct{ property, parameter string }{
	{"test", "test"}, {"groups", "groups"}, {"excludedGroups", "excludedGroups"}, {"surefire.includes", "includes"}, {"surefire.excludes", "excludes"},
	{"surefire.includesFile", "includesFile"}, {"surefire.excludesFile", "excludesFile"},
}

// Chosen returns the options of the command line that choose among the tests of this execution, as the user could write them. A configuration that is fixed in the
// POM hides such an option; then it chooses nothing.
func (r *Request) Chosen() []string {
	var out []string
	r.chosen(func(_ string, p Parameter) { out = append(out, "-D"+p.String()) })
	return out
}

// ChosenParameters returns the parameters that these options fill.
func (r *Request) ChosenParameters() []string {
	var out []string
	r.chosen(func(parameter string, _ Parameter) { out = append(out, parameter) })
	return out
}

func (r *Request) chosen(f func(parameter string, p Parameter)) {
	for _, c := range choices {
		for _, p := range r.UserProperties {
			if p.Path == c.property && p.Value != "" && slices.Equal(r.List(c.parameter), splitList(p.Value)) {
				f(c.parameter, p)
			}
		}
	}
}
