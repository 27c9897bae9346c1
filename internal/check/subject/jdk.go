package subject

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// LookPath finds a program.
func LookPath(name string) (string, error) { return exec.LookPath(name) }

// FindJDK finds a JDK of a feature version: that of JAVA_HOME, of the java on the PATH, or one in the usual directory of the system.
func FindJDK(feature int, getenv func(string) string) (string, error) {
	homes := []string{getenv("JAVA_HOME")}
	if java, err := exec.LookPath("java"); err == nil {
		if real, err := filepath.EvalSymlinks(java); err == nil {
			homes = append(homes, filepath.Dir(filepath.Dir(real)))
		}
	}
	more, err := filepath.Glob("/usr/lib/jvm/*")
	if err != nil {
		return "", err
	}
	for _, home := range append(homes, more...) {
		if home != "" && isJDK(home, feature) {
			return home, nil
		}
	}
	return "", fmt.Errorf("there is no JDK %d; set JAVA_HOME to one, or change the line jdk of the campaign", feature)
}

// isJDK tells whether a directory is a JDK of a feature version with a compiler.
func isJDK(home string, feature int) bool {
	if _, err := os.Stat(filepath.Join(home, "bin", "javac")); err != nil {
		return false
	}
	f, err := os.Open(filepath.Join(home, "release"))
	if err != nil {
		return false
	}
	defer f.Close() // it was only read
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if v, ok := strings.CutPrefix(lines.Text(), `JAVA_VERSION="`); ok {
			v, _, _ = strings.Cut(strings.Trim(v, `"`), ".")
			return v == fmt.Sprint(feature)
		}
	}
	return false
}
