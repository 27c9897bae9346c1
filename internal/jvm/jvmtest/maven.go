package jvmtest

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/testenv"
)

// mavens are the versions of Maven that Maven gives, as archives of Maven Central.
var mavens = map[string]Artifact{
	"3.6.3":      {SHA256: "444522b0af3a85e966f25c50adfcd00a1a6fc5fce79f503bff096e02b9977c2e", Size: 9602303},
	"3.9.12":     {SHA256: "305773a68d6ddfd413df58c82b3f8050e89778e777f3a745c8e5b8cbea4018ef", Size: 9347376},
	"4.0.0-rc-5": {SHA256: "966874253b2491c49240eafca01a04dd0d72c96de96e7bdc726248be4e9c33a7", Size: 15038010},
}

// Maven returns the mvn program of a version, or the one on the path for "". It ends the test if there is none.
func Maven(t testing.TB, version string) string {
	t.Helper()
	if version == "" {
		program, err := exec.LookPath("mvn")
		if err != nil {
			testenv.Missing(t, "Maven (mvn)", err)
		}
		return program
	}
	home, err := mavenHome(version)
	if errors.Is(err, ErrUnreachable) {
		testenv.Missing(t, "Maven Central", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(home, "bin", "mvn")
}

// mavenHome returns the directory of a version of Maven in the cache, where it is put if it is not there.
func mavenHome(version string) (string, error) {
	a, ok := mavens[version]
	if !ok {
		return "", fmt.Errorf("no Maven %s in the list", version)
	}
	a.Group, a.ID, a.Version = "org.apache.maven", "apache-maven", version
	from, err := newSource()
	if err != nil {
		return "", fmt.Errorf("fetch Maven %s: %w", version, err)
	}
	home := filepath.Join(from.cache, "apache-maven-"+version)
	if isDir(home) {
		return home, nil
	}
	if err := from.unpackMaven(a, home); err != nil {
		return "", fmt.Errorf("fetch Maven %s: %w", version, err)
	}
	return home, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// unpackMaven unpacks an archive beside its place and renames it, so that it is whole or not there. Another process may be first.
func (s source) unpackMaven(a Artifact, home string) error {
	if err := os.MkdirAll(s.cache, 0o755); err != nil {
		return err
	}
	archive := home + "-bin.zip"
	if verify(archive, a) != nil {
		url := s.repository + "/" + strings.TrimSuffix(a.Path(), ".jar") + "-bin.zip"
		if err := s.retry(a, url, archive); err != nil {
			return err
		}
	}
	tmp, err := os.MkdirTemp(s.cache, "maven-*.tmp")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := unzip(archive, tmp); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(tmp, filepath.Base(home)), home); err != nil && !isDir(home) {
		return err
	}
	if err := os.Remove(archive); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// unzip unpacks an archive whose checksum has been verified.
func unzip(archive, dir string) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, f := range z.File {
		if err := unzipFile(f, dir); err != nil {
			return err
		}
	}
	return nil
}

func unzipFile(f *zip.File, dir string) error {
	path := filepath.Join(dir, filepath.FromSlash(f.Name))
	if strings.HasSuffix(f.Name, "/") {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, f.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close())
}
