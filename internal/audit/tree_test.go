package audit

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestCopyTree(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	when := time.Date(2020, 1, 2, 3, 4, 5, 6000, time.UTC)
	for name, content := range map[string]string{"a/b.txt": "b", "run.sh": "x", "skip/c": "c", "a/skip.txt": "kept"} {
		file := filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, when, when); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(from, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a/b.txt", filepath.Join(from, "link")); err != nil {
		t.Fatal(err)
	}
	if err := CopyTree(from, to, func(rel string) bool { return rel == "skip" }); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(to, "link")); err != nil || string(data) != "b" {
		t.Errorf("through the link: %q, %v", data, err)
	}
	if data, err := os.ReadFile(filepath.Join(to, "a/skip.txt")); err != nil || string(data) != "kept" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := os.Stat(filepath.Join(to, "skip")); err == nil {
		t.Error("skip was copied")
	}
	info, err := os.Stat(filepath.Join(to, "run.sh"))
	if err != nil || info.Mode().Perm() != 0o755 || !info.ModTime().Equal(when) {
		t.Errorf("run.sh: %v, %v", info, err)
	}
	if info, err := os.Lstat(filepath.Join(to, "link")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("link: %v, %v", info, err)
	}
	if err := os.Symlink(from, from+"-link"); err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(t.TempDir(), "again")
	if err := CopyTree(from+"-link", again, nil); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(again); err != nil || !info.IsDir() {
		t.Errorf("the copy of a link to a directory: %v, %v", info, err)
	}
	if err := CopyTree(filepath.Join(from, "none"), to, nil); err == nil {
		t.Error("a directory that does not exist was copied")
	}
}

// TestCopyTreeSharesNothing checks which links to directories are refused.
func TestCopyTreeSharesNothing(t *testing.T) {
	outside := t.TempDir()
	for target, fine := range map[string]bool{"a": true, "../x/a": true, "none": true, outside: false, "../../y": false, "..": false} {
		base := t.TempDir()
		for _, dir := range []string{"x/a", "y", "x/sub"} {
			if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink(target, filepath.Join(base, "x", "link")); err != nil {
			t.Fatal(err)
		}
		if target == "../../y" {
			if err := os.Rename(filepath.Join(base, "x", "link"), filepath.Join(base, "x", "sub", "link")); err != nil {
				t.Fatal(err)
			}
		}
		err := CopyTree(filepath.Join(base, "x"), filepath.Join(t.TempDir(), "copy"), nil)
		if (err == nil) != fine {
			t.Errorf("a link to %s: %v", target, err)
		}
	}
}
