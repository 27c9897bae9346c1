package jvmtest

import (
	"archive/zip"
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// zipped makes an archive of one program.
func zipped(t *testing.T, name string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: name, Method: zip.Deflate}
	h.SetMode(0o755)
	w, err := z.CreateHeader(h)
	if err == nil {
		_, err = w.Write([]byte("#!/bin/sh\n"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestUnpackMaven(t *testing.T) {
	archive := zipped(t, "thing-1.0/bin/mvn")
	asked := []string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		if _, err := w.Write([]byte(archive)); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	s := source{repository: server.URL, cache: filepath.Join(t.TempDir(), "new")}
	home := filepath.Join(s.cache, "thing-1.0")
	if err := s.unpackMaven(artifact("something else"), home); err == nil || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("a wrong archive: %v", err)
	}
	if err := s.unpackMaven(artifact(archive), home); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(home, "bin", "mvn"))
	if err != nil || info.Mode().Perm()&0o100 == 0 {
		t.Errorf("the program: %v, %v", info, err)
	}
	if want := "/org/example/thing/1.0/thing-1.0-bin.zip"; !slices.Equal(asked, []string{want, want}) {
		t.Errorf("asked for %q", asked)
	}
	if entries, err := os.ReadDir(s.cache); err != nil || len(entries) != 1 {
		t.Errorf("the cache holds %v, %v", entries, err)
	}
}

func TestUnknownMaven(t *testing.T) {
	if _, err := mavenHome("1.0"); err == nil || !strings.Contains(err.Error(), "no Maven 1.0 in the list") {
		t.Error(err)
	}
}
