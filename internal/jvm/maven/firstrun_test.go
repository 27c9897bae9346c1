//go:build matrix

package maven

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

// TestFirstRun records projects of every framework with an empty local repository: what Surefire is about to download is known before.
func TestFirstRun(t *testing.T) {
	for _, maven := range []string{"", "4.0.0-rc-5", "3.6.3"} {
		for _, surefire := range []string{"2.22.2", "3.0.0", "3.2.5", "3.5.6", "3.6.1"} {
			for _, framework := range []string{"junit5", "junit5 api", "junit5.9", "junit6", "junit4", "junit4 groups", "junit3", "testng", "mixed"} {
				name := fmt.Sprintf("maven %s, surefire %s, %s", orPath(maven), surefire, framework)
				if !strings.Contains(name, *matrixPart) || !firstRun(maven, surefire, framework) {
					continue
				}
				t.Run(name, func(t *testing.T) {
					dir := t.TempDir()
					project{surefire: surefire, framework: framework}.write(t, dir)
					record(t, trial{dir: dir, maven: jvmtest.Maven(t, maven), args: []string{"-B", "-Dmaven.repo.local=" + t.TempDir(), "test"}})
				})
			}
		}
	}
}

// firstRun leaves out what Surefire cannot do and, for other versions of Maven, all but one framework.
func firstRun(maven, surefire, framework string) bool {
	switch {
	case maven != "":
		return framework == "junit5.9" && surefire != "3.0.0"
	case framework == "junit3": // 3.6 wants JUnit 4.12
		return surefire != "3.6.1"
	case surefire == "2.22.2": // it does not add an engine, and with its launcher later engines find no test
		return !slices.Contains([]string{"junit5", "junit5 api", "junit6", "mixed"}, framework)
	}
	return true
}
