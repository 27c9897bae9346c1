//go:build matrix

package maven

import (
	"flag"
	"fmt"
	"strings"
	"testing"
)

// The combinations take minutes and download Mavens, so they are built only with the tag matrix:
// go test -tags matrix ./internal/jvm/maven -run 'TestMatrix|TestFirstRun|TestSetups|TestToolchain|TestNoTestsOfFailsafe|TestUnknownLateOption|TestMissingProvider' -timeout 60m
var matrixPart = flag.String("matrix.part", "", "run only combinations whose name contains this")

const jacoco = `<plugin><groupId>org.jacoco</groupId><artifactId>jacoco-maven-plugin</artifactId><version>0.8.14</version>
<executions><execution><goals><goal>prepare-agent</goal></goals></execution></executions></plugin>`

// modes are ways to configure Surefire.
var modes = map[string]combination{
	"plain":          {forks: 1},
	"property":       {project: project{properties: "<argLine>-Dof=property -Xmx200m</argLine>"}, options: []string{"-Dof=property", "-Xmx200m"}, forks: 1},
	"configured":     {project: project{config: "<argLine>-Dof=pom</argLine>"}, options: []string{"-Dof=pom"}, forks: 1},
	"own expression": {project: project{config: "<argLine>${mine} -Dlast=1</argLine>", properties: "<mine>-Dof=mine</mine>"}, options: []string{"-Dof=mine", "-Dlast=1"}, forks: 1},
	"no property":    {project: project{config: "<argLine>${argLine}</argLine>"}, forks: 1},
	"empty property": {project: project{config: "<argLine>@{argLine} -Dof=pom</argLine>", properties: "<argLine></argLine>"}, options: []string{"-Dof=pom"}, forks: 1},
	"command line":   {args: []string{"-DargLine=-Dof=cli"}, options: []string{"-Dof=cli"}, forks: 1},
	"jacoco":         {project: project{plugins: jacoco}, forks: 1},
	"jacoco late":    {project: project{plugins: jacoco, config: "<argLine>@{argLine} -Dof=pom</argLine>"}, options: []string{"-Dof=pom"}, forks: 1},
	"no reuse":       {project: project{config: "<reuseForks>false</reuseForks>"}, forks: 2},
	"two forks":      {project: project{config: "<forkCount>2</forkCount><argLine>-Dfork=${surefire.forkNumber}</argLine>"}, forks: 2},
	"per core":       {project: project{config: "<forkCount>2C</forkCount>"}, forks: 2},
	"more dependencies": {project: project{config: `<additionalClasspathDependencies><d><groupId>commons-codec</groupId><artifactId>commons-codec</artifactId><version>1.17.1</version></d>
<d><groupId>org.apiguardian</groupId><artifactId>apiguardian-api</artifactId><version>1.1.2</version></d></additionalClasspathDependencies>`}, forks: 1},
	"two at once":     {project: project{modules: []string{"one", "two", "three"}}, args: []string{"-T2"}, forks: 3},
	"excludes":        {project: project{config: "<excludes><exclude>**/BTest.java</exclude></excludes>"}, forks: 1},
	"additional path": {project: project{config: "<additionalClasspathElements><e>${project.basedir}/more</e></additionalClasspathElements>"}, forks: 1},
	"excluded path":   {project: project{config: "<classpathDependencyExcludes><e>org.apiguardian:*</e></classpathDependencyExcludes>"}, forks: 1},
	"variables":       {project: project{config: "<environmentVariables><MINE>1</MINE></environmentVariables><systemPropertyVariables><mine>2</mine></systemPropertyVariables>"}, forks: 1},
}

// stacks are combinations of versions.
var stacks = []struct{ maven, surefire, framework string }{
	{"", "2.12.4", "junit4"},
	{"", "2.12.4", "junit3"},
	{"", "2.19.1", "junit4"},
	{"", "2.22.2", "junit4"},
	{"", "2.22.2", "junit5.9"},
	{"", "3.0.0", "junit5.9"},
	{"", "3.2.5", "testng"},
	{"", "3.5.6", "junit6"},
	{"", "3.6.1", "junit5"},
	{"3.9.12", "2.22.2", "testng"},
	{"3.9.12", "3.0.0", "junit4"},
	{"3.9.12", "3.2.5", "junit5"},
	{"3.9.12", "3.5.6", "junit5"},
	{"3.9.12", "3.6.1", "junit6"},
	{"4.0.0-rc-5", "2.22.2", "junit4"},
	{"4.0.0-rc-5", "3.2.5", "junit5"},
	{"4.0.0-rc-5", "3.5.6", "testng"},
	{"4.0.0-rc-5", "3.6.1", "junit6"},
	{"3.6.3", "2.22.2", "junit5.9"},
	{"3.6.3", "3.0.0", "testng"},
	{"3.6.3", "3.5.6", "junit4"},
	{"3.6.3", "3.6.1", "junit5"},
}

// TestMatrix runs every stack plainly, and every mode on the oldest and the newest Surefire of two versions of Maven.
func TestMatrix(t *testing.T) {
	for _, s := range stacks {
		for name, c := range modes {
			if name != "plain" && !everyMode(s.maven, s.surefire) {
				continue
			}
			c.maven, c.project.surefire, c.project.framework = s.maven, s.surefire, s.framework
			c.args = append(append([]string{}, c.args...), "test")
			full := strings.Join([]string{"maven " + orPath(s.maven), "surefire " + s.surefire, s.framework, name}, ", ")
			if !strings.Contains(full, *matrixPart) {
				continue
			}
			t.Run(full, func(t *testing.T) { compareRuns(t, c) })
		}
	}
}

func everyMode(maven, surefire string) bool {
	return surefire == "2.22.2" && maven == "" || surefire == "3.6.1" && maven == "4.0.0-rc-5"
}

func orPath(version string) string {
	if version == "" {
		return "on path"
	}
	return fmt.Sprint(version)
}
