package project

import (
	"io/fs"
	"maps"
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
const format = "10"

// indifferent are the parameters of Surefire that cannot change what a test does: which tests run, what is reported, and where. All others are items of the
// fingerprint, those of versions to come too.
var indifferent = []string{
	"basedir", "childDelegation", "classesDirectory", "disableXmlReport", "excludedGroups", "excludes", "excludesFile", "failIfNoSpecifiedTests", "failIfNoTests",
	"failOnFlakeCount", "groups", "includes", "includesFile", "localRepository", "parallelMavenExecution", "printSummary", "promoteUserPropertiesToSystemProperties", "redirectTestOutputToFile",
	"reportFormat", "reportNameSuffix", "reportsDirectory", "rerunFailingTestsCount", "runOrderStatisticsFile", "shutdown", "skip", "skipAfterFailureCount", "skipExec", "skipTests",
	"statelessTestsetInfoReporter", "statelessTestsetReporter", "consoleOutputReporter", "test", "testClassesDirectory", "testFailureIgnore", "testSourceDirectory", "trimStackTrace", "useFile", "encoding",
	"systemPropertyVariables", "systemProperties", "systemPropertiesFile", "environmentVariables", "tempDir", "argLine", "jvm", "workingDirectory",
}

// choosing are the parameters by which the user chooses tests.
var choosing = []string{"excludedGroups", "excludes", "excludesFile", "groups", "includes", "includesFile", "test"}

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
	set("files of the jdk", contentsOf(JDKFiles(jdk), r, slices.Concat(vfs.Roots{{Name: "jdk", Path: jdk}}, roots)))
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
	set("files that jvm options name", named(slices.Concat(options, splitLine(environmentOptions())), r, roots))
	set("files that properties of the jdk name", namedByProperties(r, roots))
	set("properties of the jdk", portable(strings.Join(platformProperties(r), "\n"), roots))
	var filter, build []string
	chosen := append(r.ChosenParameters(), "test")
	for _, p := range r.Parameters {
		if top, _, _ := strings.Cut(p.Path, "/"); slices.Contains(choosing, top) {
			says := []string{p.String()}
			if strings.HasSuffix(top, "File") {
				says = append(says, contentOf(p.Value))
			}
			filter = append(filter, says...)
			if !slices.Contains(chosen, top) {
				build = append(build, says...)
			}
		}
	}
	set(filterItem, portable(strings.Join(filter, "\n"), roots))
	set(buildsItem, portable(strings.Join(build, "\n"), roots))
	set("working directory", portable(r.WorkingDir, roots))
	return f
}

// The items of variables that the configuration sets or takes away: all of them, their names, and with a name behind it one. They matter to tests that ask (S1.12 is for those that the JVM reads).
const (
	variablesItem = "environment variables of the tests"
	variableNames = "names of environment variables of the tests"
	variableItem  = "environment variable "
)

// addVariables adds what the configuration says about environment variables, without telling their values.
func (f fingerprint) addVariables(r *maven.Request, files *vfs.Files) {
	set := func(name string, variables []string) { f[name] = files.Value(strings.Join(variables, "\n")) }
	all := configuredVariables(r, files.Roots())
	set(variablesItem, all)
	set("environment variables of the jvm", slices.DeleteFunc(slices.Clone(all), func(v string) bool { return !native(v) }))
	variables := byVariable(all)
	set(variableNames, slices.Sorted(maps.Keys(variables)))
	for name, values := range variables {
		set(variableItem+name, values)
	}
}

// configuredVariables are the variables that the configuration sets, as "name=value", and those that it takes away, as "name".
func configuredVariables(r *maven.Request, roots vfs.Roots) []string {
	var out []string
	for _, p := range r.Environment() {
		out = append(out, portable(p.String(), roots))
	}
	return append(out, r.ExcludedEnvironment()...)
}

// byVariable sorts what is configured by the names of variables.
func byVariable(configured []string) map[string][]string {
	out := map[string][]string{}
	for _, v := range configured {
		name, _, _ := strings.Cut(v, "=")
		out[name] = append(out[name], v)
	}
	return out
}

// nativeVariables are the beginnings of the names of variables that code of the machine may read in a JVM: itself, the JDK's libraries, those of the system.
var nativeVariables = []string{"DISPLAY", "GLIBC_", "HOME", "JAVA_", "JDK_", "KRB5", "LANG", "LC_", "LD_", "LOCPATH", "MALLOC_", "NLSPATH", "PATH", "TMPDIR", "TZ", "XDG_", "_JAVA_"}

func native(variable string) bool {
	return slices.ContainsFunc(nativeVariables, func(prefix string) bool { return strings.HasPrefix(variable, prefix) })
}

// named lists the contents of the files that options load into a JVM: agents, classes before all others, files of options.
func named(options []string, r *maven.Request, roots vfs.Roots) string {
	var files []string
	for i, word := range options {
		files = append(files, optionFiles(options, i, word)...)
	}
	return contentsOf(filesBelow(files, r), r, roots)
}

// inWorkingDir is a path as a test's JVM takes it.
func inWorkingDir(r *maven.Request, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.WorkingDir, path)
}

// contentsOf lists the contents of the regular files among some paths.
func contentsOf(paths []string, r *maven.Request, roots vfs.Roots) string {
	var out []string
	for _, path := range paths {
		path = inWorkingDir(r, path)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			out = append(out, roots.Portable(path)+" "+contentOf(path))
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// filesBelow lists paths, and what is below those that are directories.
func filesBelow(paths []string, r *maven.Request) []string {
	var out []string
	for _, path := range paths {
		path = inWorkingDir(r, path)
		out = append(out, path)
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real // a link to a directory is not walked
		}
		_ = filepath.WalkDir(path, func(file string, _ fs.DirEntry, err error) error {
			if err == nil {
				out = append(out, file)
			}
			return nil // what cannot be read now cannot be read by the JVM either
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// namedByProperties lists the contents of the files that properties of the JDK name, such as the data of currencies, of hosts or of security: it reads them once and keeps them.
func namedByProperties(r *maven.Request, roots vfs.Roots) string {
	var files []string
	for name, value := range definitions(r) {
		if ofPlatform(name) && value != "" {
			files = append(files, strings.TrimLeft(value, "=")) // a second sign of equality is part of the value in java.security.policy==file
		}
	}
	return contentsOf(files, r, roots)
}

// contentOf names what is in a file, or why it cannot be read.
func contentOf(path string) string {
	content, err := os.ReadFile(path)
	if err != nil {
		content = []byte(err.Error())
	}
	return digest.Of(content).String()
}

// optionFiles returns the paths that an option names.
func optionFiles(options []string, i int, word string) []string {
	for _, prefix := range []string{"-javaagent:", "-agentpath:"} {
		if rest, ok := strings.CutPrefix(word, prefix); ok {
			path, _, _ := strings.Cut(rest, "=")
			return []string{path}
		}
	}
	for _, prefix := range []string{"-Xbootclasspath/a:", "-Xbootclasspath/p:", "-Xbootclasspath:", "--module-path=", "--upgrade-module-path=", "--class-path="} {
		if rest, ok := strings.CutPrefix(word, prefix); ok {
			return filepath.SplitList(rest)
		}
	}
	if rest, ok := strings.CutPrefix(word, "--patch-module="); ok {
		_, path, _ := strings.Cut(rest, "=")
		return filepath.SplitList(path)
	}
	for _, prefix := range []string{"@", "-XX:VMOptionsFile=", "-XX:Flags="} {
		if rest, ok := strings.CutPrefix(word, prefix); ok {
			return []string{rest}
		}
	}
	if i > 0 && options[i-1] == "--patch-module" {
		_, path, _ := strings.Cut(word, "=")
		return filepath.SplitList(path)
	}
	if i > 0 && slices.Contains([]string{"-p", "--module-path", "-cp", "-classpath", "--class-path", "--upgrade-module-path"}, options[i-1]) {
		return filepath.SplitList(word)
	}
	return nil
}

// environmentOptions are the JVM options of the environment.
func environmentOptions() string {
	return strings.Join([]string{os.Getenv("JAVA_TOOL_OPTIONS"), os.Getenv("JDK_JAVA_OPTIONS"), os.Getenv("_JAVA_OPTIONS")}, " ")
}

// platform are the beginnings of the names of properties that the JDK itself reads, at moments that are not recorded one by one.
var platform = []string{"apple.", "awt.", "com.sun.", "elementAttributeLimit", "entityExpansionLimit", "file.", "ftp.", "http.", "https.", "java.", "javax.", "jaxp.", "jdk.", "jmx.", "line.", "maxOccurLimit", "native.", "networkaddress.", "org.w3c.dom.", "org.xml.sax.", "os.", "path.", "socks", "stderr.", "stdin.", "stdout.", "sun.", "swing.", "user."}

// platformProperties are the definitions of such properties.
func platformProperties(r *maven.Request) []string {
	var out []string
	for name, value := range definitions(r) {
		if ofPlatform(name) {
			out = append(out, name+"="+value)
		}
	}
	slices.Sort(out)
	return out
}

func ofPlatform(property string) bool {
	return slices.ContainsFunc(platform, func(prefix string) bool { return strings.HasPrefix(property, prefix) })
}

// release is the description of a JDK, or what is known if it has none.
func release(jdk string) string {
	if text, err := os.ReadFile(filepath.Join(jdk, "release")); err == nil {
		return string(text)
	}
	return jdk
}

// ofCode are the ends of the names of files in a JDK that hold classes, code of the machine or sources. They follow from the release.
var ofCode = []string{".a", ".jar", ".jsa", ".so", ".sym", ".zip", "modules"}

// JDKFiles lists the files of a JDK that users edit or tools replace without a new release: configuration, certificates, time zones. The JDK reads them once for all tests and keeps what
// they say (S1.12).
func JDKFiles(jdk string) []string {
	var out []string
	for _, dir := range []string{"conf", "lib", "jre/lib"} {
		_ = filepath.WalkDir(filepath.Join(jdk, filepath.FromSlash(dir)), func(file string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && !slices.ContainsFunc(ofCode, func(end string) bool { return strings.HasSuffix(file, end) }) {
				out = append(out, file)
			}
			return nil // a JDK has not all of these directories
		})
	}
	return out
}

// portable replaces the roots' paths in a text by their names.
func portable(text string, roots vfs.Roots) string {
	for _, r := range roots {
		text = strings.ReplaceAll(text, r.Path, "$"+r.Name)
	}
	return text
}

// filterItem is the item that says which tests the user wants. It matters to tests that did not run.
const filterItem = "choice of tests"

// buildsItem is the same without what the command line chooses for one run. It matters to tests that inherit from others: these may be left out by it (S8.10).
const buildsItem = "choice of tests in the build"

// namesItem names all items that every test uses: one that was not there when a test was recorded is no use of its record (S1.13).
const namesItem = "names of all items"

// everyTests tells whether an item belongs to every test.
func everyTests(item string) bool {
	return item != filterItem && item != buildsItem && item != variablesItem && item != variableNames && !strings.HasPrefix(item, variableItem)
}

// addNames is called when all other items are there.
func (f fingerprint) addNames() {
	var names []string
	for name := range f {
		if everyTests(name) && name != namesItem {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	f[namesItem] = digest.OfString(strings.Join(names, "\n"))
}

// uses are the uses that every test has.
func (f fingerprint) uses(s scope) []rts.Use {
	var out []rts.Use
	for name, d := range f {
		if !everyTests(name) {
			continue
		}
		out = append(out, rts.Use{Entity: s.entity(rts.KindTool, name), Digest: d})
	}
	return out
}

// environment are the variables that a JVM itself reads.
var environment = []string{"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LANGUAGE", "LOCPATH", "TZ", "LD_LIBRARY_PATH", "LD_PRELOAD"}
