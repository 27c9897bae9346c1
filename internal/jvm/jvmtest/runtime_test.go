package jvmtest

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRuntime: the pinned runtimes are the versions that they are said to be, and run.
func TestRuntime(t *testing.T) {
	for _, w := range wheels {
		home := Runtime(t, w.feature)
		if got, err := featureOf(home); got != w.feature || err != nil {
			t.Errorf("%s: %d, %v, want %d", home, got, err, w.feature)
		}
		if said, err := Command(home, "java", "-version").CombinedOutput(); err != nil || !bytes.Contains(said, []byte("openjdk version")) {
			t.Errorf("%s: %v\n%s", home, err, said)
		}
		if again := Runtime(t, w.feature); again != home {
			t.Errorf("%s and %s", home, again)
		}
	}
	if home, err := FindRuntime(1); err == nil {
		t.Errorf("Java 1 is at %s", home)
	}
}

// TestUnpack: only what is below the prefix is written, programs can be started, and nothing gets out of the directory.
func TestUnpack(t *testing.T) {
	for name, ok := range map[string]bool{"p/bin/java": true, "p/lib/x": true, "p/../../x": false} {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, n := range []string{"other", "p/", name} {
			f, err := w.Create(n)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(n, "/") {
				if _, err := f.Write([]byte(n)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "home")
		if err := unpack(r, "p/", dir); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
		info, err := os.Stat(filepath.Join(dir, strings.TrimPrefix(name, "p/")))
		if ok && (err != nil || info.Mode()&0o100 != 0 != strings.Contains(name, "bin")) || !ok && err == nil {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}
