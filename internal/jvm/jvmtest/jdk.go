package jvmtest

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"winnow/internal/testenv"
)

// JDK returns the home directory of a JDK of a feature version, or ends the test.
func JDK(t testing.TB, feature int) string {
	t.Helper()
	home, err := Find(feature)
	if err != nil {
		testenv.Missing(t, fmt.Sprintf("JDK %d", feature), err)
	}
	return home
}

// Find returns the home directory of a JDK of a feature version. The places, in order: WINNOW_JDK_<feature>, which must be one if it is set;
// JAVA_HOME; JAVA_HOME_<feature>_<architecture>, as CI machines set it; the directories below /usr/lib/jvm by name.
func Find(feature int) (string, error) {
	name := fmt.Sprintf("WINNOW_JDK_%d", feature)
	if home := os.Getenv(name); home != "" {
		if err := checkJDK(home, feature); err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		return filepath.EvalSymlinks(home)
	}
	return findIn(homes(feature, "/usr/lib/jvm"), feature)
}

// homes lists the directories that may hold a JDK, in the order in which they count.
func homes(feature int, installed string) []string {
	var all []string
	for _, name := range []string{"JAVA_HOME", fmt.Sprintf("JAVA_HOME_%d_X64", feature), fmt.Sprintf("JAVA_HOME_%d_ARM64", feature)} {
		if home := os.Getenv(name); home != "" {
			all = append(all, home)
		}
	}
	// The pattern is constant and the directory has no special characters, so Glob cannot fail; it sorts.
	dirs, _ := filepath.Glob(filepath.Join(installed, "*"))
	return append(all, dirs...)
}

func findIn(homes []string, feature int) (string, error) {
	var seen []error
	for _, home := range homes {
		err := checkJDK(home, feature)
		if err == nil {
			return filepath.EvalSymlinks(home)
		}
		seen = append(seen, err)
	}
	return "", fmt.Errorf("no JDK %d found; install one or set WINNOW_JDK_%d to its home: %w", feature, feature, errors.Join(seen...))
}

// checkJDK tells why a directory is not the home of a JDK of a feature version.
func checkJDK(home string, feature int) error {
	got, err := featureOf(home)
	if err != nil {
		return err
	}
	if got != feature {
		return fmt.Errorf("%s is Java %d", home, got)
	}
	if _, err := os.Stat(program(home, "javac")); err != nil {
		return fmt.Errorf("%s has no compiler, so it is no JDK: %w", home, err)
	}
	return nil
}

func program(home, name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(home, "bin", name)
}

// featureOf reads the feature version of a Java installation from its release file: 17 from JAVA_VERSION="17.0.15", 8 from "1.8.0_402".
func featureOf(home string) (int, error) {
	f, err := os.Open(filepath.Join(home, "release"))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if version, ok := strings.CutPrefix(lines.Text(), "JAVA_VERSION="); ok {
			return parseFeature(home, strings.Trim(version, `"`))
		}
	}
	if err := lines.Err(); err != nil {
		return 0, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return 0, fmt.Errorf("%s has no JAVA_VERSION", f.Name())
}

func parseFeature(home, version string) (int, error) {
	digits := strings.TrimPrefix(version, "1.")
	if end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		digits = digits[:end]
	}
	feature, err := strconv.Atoi(digits)
	if err != nil {
		return 0, fmt.Errorf("%s: JAVA_VERSION %q has no feature version", filepath.Join(home, "release"), version)
	}
	return feature, nil
}
