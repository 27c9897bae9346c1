package jvmtest

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// quick makes a JVM start fast and leave the machine's other core alone, which is what a short-lived compiler wants.
var quick = []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"}

// Command prepares to run a program of a JDK, such as "java". Whatever the user's language, it speaks English and takes file names as UTF-8, so that
// a test sees the same words on every machine.
func Command(jdk, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(program(jdk, name), args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	return cmd
}

// Javac compiles sources with the compiler of a JDK and returns the class files by class name, written with slashes. Files maps paths such as
// "p/C.java" to sources; args go to the compiler first. A compile error fails the test with the compiler's words. Each call starts a JVM; a test
// that compiles many programs uses a Compiler.
func Javac(t testing.TB, jdk string, files map[string]string, args ...string) map[string][]byte {
	t.Helper()
	classes, err := javac(t.TempDir(), jdk, files, args)
	if err != nil {
		t.Fatal(err)
	}
	return classes
}

func javac(dir, jdk string, files map[string]string, args []string) (map[string][]byte, error) {
	src, out := filepath.Join(dir, "src"), filepath.Join(dir, "out")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	if err := writeSources(src, files); err != nil {
		return nil, err
	}
	var all []string
	for _, arg := range quick {
		all = append(all, "-J"+arg)
	}
	all = append(all, "-encoding", "UTF-8", "-d", out)
	all = append(all, args...)
	cmd := Command(jdk, "javac", append(all, slices.Sorted(maps.Keys(files))...)...)
	cmd.Dir = src
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("javac: %w\n%s", err, said)
	}
	return readClasses(out)
}

func writeSources(dir string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// readClasses reads every class file below a directory.
func readClasses(dir string) (map[string][]byte, error) {
	classes := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name, ok := strings.CutSuffix(filepath.ToSlash(rel), ".class")
		if !ok {
			return nil
		}
		classes[name], err = os.ReadFile(path)
		return err
	})
	return classes, err
}

// WriteClasses writes class files as javac would, for a JVM to run them from.
func WriteClasses(t testing.TB, dir string, classes map[string][]byte) {
	t.Helper()
	for name, data := range classes {
		path := filepath.Join(dir, filepath.FromSlash(name)+".class")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
