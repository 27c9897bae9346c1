// Command build compiles the agent and writes internal/jvm/agent/agent.jar. The same sources and compiler give the same bytes.
//
//	go run ./internal/jvm/agent/build
package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/internal/jvm/jvmtest"
)

// compiler is the feature version of the JDK whose compiler makes the agent.
const compiler = 17

const manifest = "Manifest-Version: 1.0\r\nPremain-Class: winnow.agent.Premain\r\nCan-Redefine-Classes: true\r\nCan-Retransform-Classes: true\r\n\r\n"

func main() {
	dir := flag.String("dir", filepath.FromSlash("internal/jvm/agent"), "directory with the sources in java, java9 and stubs; the jar is written there")
	flag.Parse()
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	jdk, err := jvmtest.Find(compiler)
	if err != nil {
		return err
	}
	jar, err := build(jdk, dir)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "agent.jar"), jar, 0o644)
}

// build compiles the sources below a directory and returns the jar.
func build(jdk, dir string) (jar []byte, err error) {
	out, err := os.MkdirTemp("", "winnow-agent-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := os.RemoveAll(out); err == nil && e != nil {
			jar, err = nil, e
		}
	}()
	// --release makes the compiler refuse whatever that version of Java does not have.
	if err := compile(jdk, filepath.Join(dir, "java9"), out, "--release", "9"); err != nil {
		return nil, err
	}
	if err := lower(out); err != nil {
		return nil, err
	}
	stubs, err := filepath.Abs(filepath.Join(dir, "stubs"))
	if err != nil {
		return nil, err
	}
	if err := compile(jdk, filepath.Join(dir, "java"), out, "--release", "8", "-cp", out, "-sourcepath", stubs, "-implicit:none"); err != nil {
		return nil, err
	}
	classes, err := files(out, ".class")
	if err != nil {
		return nil, err
	}
	return pack(classes)
}

func compile(jdk, source, out string, args ...string) error {
	sources, err := files(source, ".java")
	if err != nil {
		return err
	}
	args = append(args, "-Xlint:all,-options", "-Werror", "-g:none", "-proc:none", "-encoding", "UTF-8", "-d", out)
	cmd := jvmtest.Command(jdk, "javac", append(args, slices.Sorted(maps.Keys(sources))...)...)
	cmd.Dir = source
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("javac: %w\n%s", err, said)
	}
	return nil
}

// lower gives classes the version of Java 8. What they call is newer, what they are made of is not, and so the agent is of one version.
func lower(dir string) error {
	classes, err := files(dir, ".class")
	if err != nil {
		return err
	}
	for name, data := range classes {
		binary.BigEndian.PutUint16(data[6:], 52)
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// files reads the files below a directory whose names have a suffix, by path.
func files(dir, suffix string) (map[string][]byte, error) {
	all := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, suffix) {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		all[filepath.ToSlash(rel)], err = os.ReadFile(path)
		return err
	})
	return all, err
}

// pack writes a jar in which nothing depends on the time, the machine or a compression library.
func pack(classes map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	add := func(name string, data []byte) error {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err == nil {
			_, err = f.Write(data)
		}
		return err
	}
	if err := add("META-INF/MANIFEST.MF", []byte(manifest)); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		if err := add(name, classes[name]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
