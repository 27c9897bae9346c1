package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLocate: records and configuration mark a root; a repository, or a directory with other things of Winnow's, may have the project further down.
func TestLocate(t *testing.T) {
	for _, c := range []struct {
		name, from, want string
		files            []string
	}{
		{"nothing", "a/b", "a/b", nil},
		{"a repository", "a/b", "a", []string{"a/.git/x"}},
		{"a project in a repository", "a/b/c", "a/b", []string{"a/.git/x", "a/b/pom.xml", "a/b/c/pom.xml"}},
		{"a reactor", "a/b", "a", []string{"a/.git/x", "a/pom.xml", "a/b/pom.xml"}},
		{"records", "a/b", "a", []string{"a/.winnow/store.db", "a/b/pom.xml"}},
		{"configuration", "a/b", "a", []string{"a/winnow.toml", "a/b/pom.xml"}},
		{"results of a check", "a/b", "a/b", []string{"a/.winnow/check/small.log", "a/b/pom.xml"}},
		{"results of a check, no project", "a/b", "a", []string{"a/.winnow/check/small.log"}},
	} {
		root := t.TempDir()
		for _, file := range append(c.files, filepath.Join(c.from, "here")) {
			file = filepath.Join(root, file)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		a := &app{Machine: Machine{Dir: filepath.Join(root, c.from)}}
		if got, err := a.locate(); err != nil || got != filepath.Join(root, c.want) {
			t.Errorf("%s: %s, %v", c.name, got, err)
		}
	}
}
