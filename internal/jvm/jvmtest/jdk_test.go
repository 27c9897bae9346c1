package jvmtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// install makes what looks like a Java installation and returns its home.
func install(t *testing.T, release string, tools ...string) string {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "release"), []byte(release), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range tools {
		path := program(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

func TestFeature(t *testing.T) {
	for release, want := range map[string]int{
		"IMPLEMENTOR=\"Debian\"\nJAVA_VERSION=\"17.0.15\"\n":       17,
		"JAVA_VERSION=\"25\"":                                      25,
		"JAVA_VERSION=\"26-ea\"\nJAVA_VERSION_DATE=\"2026-03-17\"": 26,
		"JAVA_VERSION=\"1.8.0_402\"":                               8,
	} {
		if got, err := featureOf(install(t, release)); got != want || err != nil {
			t.Errorf("%q: %d, %v, want %d", release, got, err, want)
		}
	}
	for _, release := range []string{"", "JAVA_VERSION=\"\"", "JAVA_VERSION=\"new\"", "JAVA_RUNTIME_VERSION=\"17\""} {
		if got, err := featureOf(install(t, release)); err == nil {
			t.Errorf("%q: %d without an error", release, got)
		}
	}
}

func TestFind(t *testing.T) {
	jre := install(t, `JAVA_VERSION="17.0.1"`, "java")
	jdk17 := install(t, `JAVA_VERSION="17.0.15"`, "java", "javac")
	jdk25 := install(t, `JAVA_VERSION="25.0.3"`, "java", "javac")
	link := filepath.Join(t.TempDir(), "default")
	if err := os.Symlink(jdk17, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		homes []string
		want  string // the home, or part of the error
	}{
		{"the first that fits", []string{jdk25, jre, jdk17}, jdk17},
		{"through a link", []string{link}, jdk17},
		{"not installed", []string{filepath.Join(jdk25, "missing"), jdk17}, jdk17},
		{"no compiler", []string{jre}, "has no compiler"},
		{"other version", []string{jdk25}, "is Java 25"},
		{"nothing", nil, "set WINNOW_JDK_17"},
	} {
		got, err := findIn(c.homes, 17)
		if got != c.want && (err == nil || got != "" || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestFindLooksAtVariables(t *testing.T) {
	jdk17 := install(t, `JAVA_VERSION="17.0.15"`, "javac")
	jdk25 := install(t, `JAVA_VERSION="25.0.3"`, "javac")
	t.Setenv("WINNOW_JDK_25", "")
	t.Setenv("JAVA_HOME", jdk25)
	if got, err := Find(25); got != jdk25 || err != nil {
		t.Errorf("JAVA_HOME: %q, %v, want %q", got, err, jdk25)
	}
	t.Setenv("WINNOW_JDK_25", jdk17)
	if got, err := Find(25); err == nil || !strings.Contains(err.Error(), "WINNOW_JDK_25") {
		t.Errorf("a variable that is wrong: %q, %v, want an error that names it", got, err)
	}
	t.Setenv("JAVA_HOME", "")
	t.Setenv("JAVA_HOME_17_X64", jdk17)
	if got := homes(17, t.TempDir()); len(got) != 1 || got[0] != jdk17 {
		t.Errorf("JAVA_HOME_17_X64: %q, want %q", got, jdk17)
	}
}
