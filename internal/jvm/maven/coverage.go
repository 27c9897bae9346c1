package maven

import (
	"slices"
	"strings"
)

// gates are the plug-ins whose goals judge a coverage figure, with the phase of each goal if the project names none.
var gates = map[string]map[string]string{
	"jacoco-maven-plugin":    {"check": "verify"},
	"cobertura-maven-plugin": {"check": "verify"},
	"clover-maven-plugin":    {"check": "verify", "clover-check": "verify"},
	"maven-clover2-plugin":   {"check": "verify"},
	"scoverage-maven-plugin": {"check": "verify", "check-only": "verify"},
}

// phases are those of the default life cycle, in order.
var phases = []string{
	"validate", "initialize", "generate-sources", "process-sources", "generate-resources", "process-resources", "compile", "process-classes",
	"generate-test-sources", "process-test-sources", "generate-test-resources", "process-test-resources", "test-compile", "process-test-classes", "test",
	"prepare-package", "package", "pre-integration-test", "integration-test", "post-integration-test", "verify", "install", "deploy",
}

// coverageGate finds the first goal of the build that judges coverage, in the module itself or in another one. Bound are the goals of life cycles as
// the extension tells them.
func coverageGate(r *Request, bound []string) string {
	elsewhere := ""
	for _, line := range bound {
		parts := strings.Split(line, "\t")
		if len(parts) != 7 {
			continue
		}
		m := Mojo{parts[1], parts[2], parts[3], parts[4], parts[5], parts[6]}
		phase, ok := gates[m.Artifact][m.Goal]
		if m.Phase != "" {
			phase = m.Phase
		}
		switch {
		case !ok || !reaches(r.Tasks, phase):
		case parts[0] == r.BaseDir:
			return m.String()
		case elsewhere == "":
			elsewhere = m.String() + " in " + parts[0]
		}
	}
	if elsewhere == "" {
		return namedGate(r.Tasks)
	}
	return elsewhere
}

// reaches tells whether a build that was asked for these tasks comes to a phase. A phase that is not known may come.
func reaches(tasks []string, phase string) bool {
	at := slices.Index(phases, phase)
	if at < 0 {
		return phase != "none"
	}
	for _, task := range tasks {
		last := slices.Index(phases, task)
		if last >= at || last < 0 && !strings.Contains(task, ":") && task != "clean" {
			return true
		}
	}
	return false
}

// StaysInside tells whether the build was asked for nothing but phases that leave what they make in the project. Installing, deploying and goals of the command line may do something elsewhere
// that has to be done each time.
func (r *Request) StaysInside() bool {
	for _, task := range r.Tasks {
		if task != "clean" && (!slices.Contains(phases, task) || slices.Index(phases, task) > slices.Index(phases, "verify")) {
			return false
		}
	}
	return true
}

// namedGate finds a goal that judges coverage among those of the command line.
func namedGate(tasks []string) string {
	for _, task := range tasks {
		prefix, goal, ok := strings.Cut(task, ":")
		if !ok {
			continue
		}
		for plugin, goals := range gates {
			if _, judges := goals[strings.Split(goal, "@")[0]]; judges && prefix == pluginPrefix(plugin) {
				return task
			}
		}
		if i := strings.LastIndex(task, ":"); strings.Count(task, ":") > 1 && strings.Contains(task[i:], "check") {
			return task // named with its group
		}
	}
	return ""
}

// pluginPrefix is the short name of a plug-in on the command line.
func pluginPrefix(artifact string) string {
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(artifact, "maven-"), "-plugin"), "-maven")
}
