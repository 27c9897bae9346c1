package subject

import (
	"os"
	"path/filepath"
	"strings"

	"winnow/internal/check/rule"
)

// The versions of the published tools.
const (
	ekstaziGoal = "org.ekstazi:ekstazi-maven-plugin:5.3.0:ekstazi"
	startsGoal  = "edu.illinois:starts-maven-plugin:1.4:starts"
	clover      = "org.openclover:clover-maven-plugin:5.1.0.1:"
)

// attach lets the agents of the published tools into the JVM of Maven.
var attach = []string{"MAVEN_OPTS=-Djdk.attach.allowAttachSelf=true"}

// MavenAll is the baseline on Maven projects: plain Maven.
func MavenAll() *Tool {
	return &Tool{
		Description: Description{Name: "retest-all", Title: "plain Maven: every test", Role: rule.Baseline},
		Setup:       usual, Command: []string{"mvn", "-B", "test", ignore},
	}
}

// ignore lets a build go on after failing tests: what fails is read from the reports.
const ignore = "-Dmaven.test.failure.ignore=true"

// Winnow is the command line of Winnow with its agent and Surefire; program is its file.
func Winnow(program string) *Tool {
	return &Tool{
		Description: Description{Name: "winnow", Title: "Winnow's command line, agent and Surefire", Role: rule.Selecting},
		Setup:       usual, Command: []string{program, "test", "--project", ".", "--kind", "maven", "--json", "--", "-B", ignore},
		Reads: readWinnow, Fine: []int{1},
	}
}

// Ekstazi is the published tool. It reads class files up to Java 9 and changes Surefire up to 3.0.0-M5, for JUnit 3 and 4.
func Ekstazi() *Tool {
	return &Tool{
		Description: Description{Name: "ekstazi", Title: "Ekstazi 5.3.0 from Maven Central", Role: rule.Selecting},
		Setup:       Setup{Surefire: "2.22.2", Release: 8}, Command: []string{"mvn", "-B", ekstaziGoal, ignore}, Env: attach, Sign: "ekstazi-maven-plugin:5.3.0:select", Refuses: refusesForeign("Ekstazi works with Surefire 2.22.2, JUnit 4 and class files of Java 8"),
	}
}

// STARTS is the published tool. It changes Surefire up to 3.4.0.
func STARTS() *Tool {
	return &Tool{
		Description: Description{Name: "starts", Title: "STARTS 1.4 from Maven Central", Role: rule.Selecting},
		Setup:       Setup{Surefire: "3.2.5", Release: 17}, Command: []string{"mvn", "-B", startsGoal, ignore}, Env: attach, Sign: "starts-maven-plugin:1.4:", Refuses: refusesForeign("STARTS works with Surefire up to 3.4.0"),
	}
}

// Clover is the published tool.
func Clover() *Tool {
	return &Tool{
		Description: Description{Name: "clover", Title: "OpenClover 5.1.0.1 from Maven Central", Role: rule.Selecting},
		Setup:       usual, Sign: "clover-maven-plugin:5.1.0.1:optimize", Refuses: refusesForeign("OpenClover is tried on generated projects only"),
		Command: []string{"mvn", "-B", clover + "setup", clover + "optimize", "test", clover + "snapshot", ignore, "-Dsurefire.failIfNoSpecifiedTests=false", "-DfailIfNoTests=false"},
	}
}

// refusesForeign lets a tool work on generated projects only, whose POMs suit it, and not below the system's temporary directory, which Ekstazi does not look at.
func refusesForeign(why string) func(*Workspace) string {
	return func(w *Workspace) string {
		switch {
		case !w.Generated:
			return why
		case below(w.Dir, os.TempDir()):
			return "the project lies in the system's temporary directory"
		}
		return ""
	}
}

func below(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Command is any tool that behaves as `mvn test` does: it is started in the directory of the project, and Surefire writes reports.
func Command(name string, args []string) *Tool {
	return &Tool{Description: Description{Name: name, Title: strings.Join(args, " "), Role: rule.Selecting}, Setup: usual, Command: args}
}
