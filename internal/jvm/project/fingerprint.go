package project

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/maven"
	"winnow/internal/rts"
	"winnow/internal/vfs"
)

// format is part of every fingerprint. It changes when recordings of an older version must not be trusted any more.
const format = "1"

// indifferent are the parameters of Surefire that cannot change what a test does: which tests run, what is reported, and where. All others are items of the
// fingerprint, those of versions to come too.
var indifferent = []string{
	"basedir", "childDelegation", "classesDirectory", "disableXmlReport", "excludedGroups", "excludes", "excludesFile", "failIfNoSpecifiedTests", "failIfNoTests",
	"failOnFlakeCount", "groups", "includes", "includesFile", "localRepository", "parallelMavenExecution", "printSummary", "promoteUserPropertiesToSystemProperties", "redirectTestOutputToFile",
	"reportFormat", "reportNameSuffix", "reportsDirectory", "rerunFailingTestsCount", "runOrderStatisticsFile", "shutdown", "skip", "skipAfterFailureCount", "skipExec", "skipTests",
	"statelessTestsetInfoReporter", "statelessTestsetReporter", "consoleOutputReporter", "test", "testClassesDirectory", "testFailureIgnore", "testSourceDirectory", "trimStackTrace", "useFile", "encoding",
	"systemPropertyVariables", "systemProperties", "systemPropertiesFile", "environmentVariables", "tempDir", "argLine", "jvm", "workingDirectory",
}

// A fingerprint is what belongs to every test of an execution, by name of the item.
type fingerprint map[string]digest.Digest

// newFingerprint describes an execution. Paths in values are made portable.
func newFingerprint(r *maven.Request, jdk string, roots vfs.Roots) fingerprint {
	f := fingerprint{}
	set := func(name, value string) { f[name] = digest.OfString(value) }
	set("winnow recording", format)
	set("system", runtime.GOOS+"/"+runtime.GOARCH)
	set("surefire", r.Mojo.Group+":"+r.Mojo.Artifact+":"+r.Mojo.Version)
	set("jdk", release(jdk))
	values := map[string][]string{}
	for _, p := range r.Parameters {
		top, _, _ := strings.Cut(p.Path, "/")
		if !slices.Contains(indifferent, top) {
			values[top] = append(values[top], p.Path+"="+portable(p.Value, roots))
		}
	}
	for name, all := range values {
		set("surefire "+name, strings.Join(all, "\n"))
	}
	options, _ := jvmOptions(r)
	set("jvm options", portable(strings.Join(options, "\n"), roots))
	var env []string
	for _, p := range r.Environment() {
		env = append(env, portable(p.String(), roots))
	}
	set("environment variables of the tests", strings.Join(append(env, r.ExcludedEnvironment()...), "\n"))
	set("working directory", portable(r.WorkingDir, roots))
	return f
}

// release is the description of a JDK, or what is known if it has none.
func release(jdk string) string {
	if text, err := os.ReadFile(filepath.Join(jdk, "release")); err == nil {
		return string(text)
	}
	return jdk
}

// portable replaces the roots' paths in a text by their names.
func portable(text string, roots vfs.Roots) string {
	for _, r := range roots {
		text = strings.ReplaceAll(text, r.Path, "$"+r.Name)
	}
	return text
}

// uses are the uses that every test has.
func (f fingerprint) uses(s scope) []rts.Use {
	var out []rts.Use
	for name, d := range f {
		out = append(out, rts.Use{Entity: s.entity(rts.KindTool, name), Digest: d})
	}
	return out
}

// environment are the variables that a JVM itself reads.
var environment = []string{"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "LANG", "LC_ALL", "LC_CTYPE", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "LD_PRELOAD"}
