package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"winnow/internal/jvm/jvmtest"
)

// tools are what a build needs besides the sources.
type tools struct {
	jdk   string // home of JDK 17
	maven string // home of Maven
}

func findTools() (tools, error) {
	jdk, err := jvmtest.Find(17)
	if err != nil {
		return tools{}, err
	}
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return tools{}, fmt.Errorf("no Maven to compile against: %w", err)
	}
	if mvn, err = filepath.EvalSymlinks(mvn); err != nil {
		return tools{}, err
	}
	return tools{jdk: jdk, maven: filepath.Dir(filepath.Dir(mvn))}, nil
}

// jar compiles the sources below a directory and returns the jar.
func (t tools) jar(src string) ([]byte, error) {
	out, err := os.MkdirTemp("", "winnow-maven-build-")
	if err != nil {
		return nil, err
	}
	entries, err := t.compile(src, out)
	if err := errors.Join(err, os.RemoveAll(out)); err != nil {
		return nil, err
	}
	entries["META-INF/MANIFEST.MF"] = []byte("Manifest-Version: 1.0\r\n\r\n")
	// The index in which Sisu looks for components.
	entries["META-INF/sisu/javax.inject.Named"] = []byte("winnow.maven.Gate\nwinnow.maven.Spy\n")
	return pack(entries)
}

func (t tools) compile(src, out string) (map[string][]byte, error) {
	sources, err := filepath.Glob(filepath.Join(src, "winnow", "maven", "*.java"))
	if err != nil || len(sources) == 0 {
		return nil, errors.Join(fmt.Errorf("no sources below %s", src), err)
	}
	classPath := filepath.Join(t.maven, "lib", "*") + string(os.PathListSeparator) + filepath.Join(t.maven, "boot", "*")
	args := []string{"--release", "8", "-encoding", "UTF-8", "-g:source,lines", "-proc:none", "-Xlint:all,-options,-path,-deprecation", "-Werror", "-d", out, "-cp", classPath}
	if said, err := jvmtest.Command(t.jdk, "javac", append(args, sources...)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("javac: %w\n%s", err, said)
	}
	return classes(out)
}

// classes reads every file below a directory.
func classes(dir string) (map[string][]byte, error) {
	entries := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		entries[filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator)))] = data
		return err
	})
	return entries, err
}

// pack stores the entries, sorted. Without compression the bytes do not depend on the version of a compressor.
func pack(entries map[string][]byte) ([]byte, error) {
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(entries[name]); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}
