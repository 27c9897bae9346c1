// Package defects reads bugs of a bug database as evolving programs.
//
// The layout is that of Defects4J: `defects4j checkout -p Cli -v 10f -w DIR/Cli-10/fixed` and the same with 10b and buggy give two directories, each with a file
// defects4j.build.properties that names the directories of code and tests and the tests that reveal the bug. The reader makes them. A bug becomes an evolving program whose first
// revision is the fixed one, twice, and whose last is the buggy one with the tests of the fixed one; so what reveals the bug fails newly.
//
// The project's own build is not used: the POM is generated, for class files of Java 8 and JUnit 4, so that old projects build with today's Maven and every tool can work. Which of them build is
// seen when they are tried; the funnel counts them.
//
// Guarantee: a directory without such a pair is an error with its path, never left out without a word.
package defects

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrLayout says that a directory is no pair of checkouts.
var ErrLayout = errors.New("not a bug in the layout of Defects4J")

// properties is the file that a checkout has.
const properties = "defects4j.build.properties"

// A Bug is a pair of checkouts.
type Bug struct {
	Name    string // of the directory: "Cli-10"
	Project string // "Cli"
	// Fixed and Buggy are the files of the revisions, by their paths in a Maven module.
	Fixed, Buggy map[string]string
	// Reveals are the tests that fail on the buggy one, "class#method".
	Reveals []string
}

// Find lists the bugs below a directory, or the one that it is.
func Find(dir string) ([]string, error) {
	if isBug(dir) {
		return []string{dir}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); e.IsDir() && isBug(path) {
			out = append(out, path)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: %w: want directories with fixed/%s and buggy/%s", dir, ErrLayout, properties, properties)
	}
	slices.SortFunc(out, func(a, b string) int { return natural(a, b) })
	return out, nil
}

// natural orders names by length first, so that numbers come in their order.
func natural(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

func isBug(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "fixed", properties))
	return err == nil
}

// Read reads a bug.
func Read(dir string) (*Bug, error) {
	b := &Bug{Name: filepath.Base(dir)}
	b.Project, _, _ = strings.Cut(b.Name, "-")
	data, err := os.ReadFile(filepath.Join(dir, "fixed", properties))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", dir, ErrLayout, err)
	}
	p := parse(data)
	code, tests := p["d4j.dir.src.classes"], p["d4j.dir.src.tests"]
	if code == "" || tests == "" || p["d4j.tests.trigger"] == "" {
		return nil, fmt.Errorf("%s: %w: fixed/%s lacks d4j.dir.src.classes, d4j.dir.src.tests or d4j.tests.trigger", dir, ErrLayout, properties)
	}
	for _, t := range strings.Split(p["d4j.tests.trigger"], ",") {
		b.Reveals = append(b.Reveals, strings.Replace(strings.TrimSpace(t), "::", "#", 1))
	}
	if b.Fixed, err = load(filepath.Join(dir, "fixed"), code, filepath.Join(dir, "fixed"), tests); err != nil {
		return nil, err
	}
	b.Buggy, err = load(filepath.Join(dir, "buggy"), code, filepath.Join(dir, "fixed"), tests)
	return b, err
}

// parse reads a file of properties.
func parse(data []byte) map[string]string {
	out := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if key, value, ok := strings.Cut(lines.Text(), "="); ok && !strings.HasPrefix(key, "#") {
			out[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	return out
}

// load reads code of one checkout and tests of another, as a Maven module has them.
func load(root, code, testRoot, tests string) (map[string]string, error) {
	out := map[string]string{}
	err := errors.Join(
		add(out, filepath.Join(root, code), "src/main/java", "src/main/resources"), add(out, filepath.Join(testRoot, tests), "src/test/java", "src/test/resources"),
		resources(out, filepath.Join(root, "src/main/resources"), "src/main/resources"), resources(out, filepath.Join(testRoot, "src/test/resources"), "src/test/resources"))
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: %w: no files", root, ErrLayout)
	}
	return out, err
}

// resources adds a directory that need not be there.
func resources(out map[string]string, dir, to string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return add(out, dir, to, to)
}

// add reads the files below a directory: Java goes to one place, everything else to another.
func add(out map[string]string, dir, java, other string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		to := other
		if strings.HasSuffix(path, ".java") {
			to = java
		}
		out[to+"/"+filepath.ToSlash(rel)] = string(data)
		return nil
	})
}
