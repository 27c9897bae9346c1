package vfs

import (
	"os"
	"path/filepath"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/rts"
)

func TestPortableNames(t *testing.T) {
	roots := NewRoots(Root{"home", "/home/ann"}, Root{"project", "/home/ann/src/shop"}, Root{"jdk", ""})
	for path, name := range map[string]string{
		"/home/ann/src/shop/data/r.csv": "$project/data/r.csv",
		"/home/ann/src/shop":            "$project",
		"/home/ann/src/shopping/x":      "$home/src/shopping/x",
		"/etc/hosts":                    "/etc/hosts",
	} {
		if got := roots.Portable(path); got != name {
			t.Errorf("Portable(%s) = %s, want %s", path, got, name)
		}
		if back, ok := roots.Local(name); !ok || back != path {
			t.Errorf("Local(%s) = %s, %v", name, back, ok)
		}
	}
	moved := NewRoots(Root{"project", "/srv/ci"})
	if got, ok := moved.Local("$project/data/r.csv"); !ok || got != "/srv/ci/data/r.csv" {
		t.Errorf("moved: %s, %v", got, ok)
	}
	if _, ok := moved.Local("$home/x"); ok {
		t.Error("a root that is not known here was resolved")
	}
}

func TestDigests(t *testing.T) {
	dir := t.TempDir()
	roots := NewRoots(Root{"project", dir})
	file := rts.Entity{Kind: rts.KindFile, Name: "$project/a"}
	list := rts.Entity{Kind: rts.KindDir, Name: "$project"}
	before := NewFiles(roots)
	if before.Digest(file) != digest.Absent {
		t.Error("a file that does not exist must be absent")
	}
	empty := before.Digest(list)
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if before.Digest(file) != digest.Absent {
		t.Error("a snapshot must not change its answer")
	}
	after := before.Fresh()
	one := after.Digest(file)
	if one == digest.Absent || one == digest.Unknown || after.Digest(list).Same(empty) {
		t.Error("the new file is not seen")
	}
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("y"), 0o644); err != nil {
		t.Fatal(err)
	}
	if after.Fresh().Digest(file).Same(one) {
		t.Error("the new content is not seen")
	}
	if d := after.Digest(rts.Entity{Kind: rts.KindFile, Name: "$project"}); d != digest.Unknown {
		t.Errorf("a directory read as a file: %v, want unknown", d)
	}
	if d := after.Digest(rts.Entity{Kind: rts.KindFile, Name: "$jdk/x"}); d != digest.Unknown {
		t.Errorf("a file under a root that is not known here: %v, want unknown", d)
	}
	t.Setenv("WINNOW_TEST_VARIABLE", "1")
	env := rts.Entity{Kind: rts.KindEnv, Name: "WINNOW_TEST_VARIABLE"}
	if !after.Digest(env).Same(digest.OfString("1")) || !after.Knows(env.Kind) {
		t.Error("the variable is not seen")
	}
}

// TestDangling: whoever asks about a path without following links finds a link to nothing.
func TestDangling(t *testing.T) {
	dir := t.TempDir()
	e := rts.Entity{Kind: rts.KindPath, Name: "$project/link"}
	look := func() digest.Digest { return NewFiles(NewRoots(Root{"project", dir})).Digest(e) }
	if d := look(); d != digest.Absent {
		t.Errorf("nothing: %v", d)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if d := look(); d == digest.Absent || d == digest.Unknown {
		t.Errorf("a link to nothing: %v", d)
	}
}

// TestWriteWhole: a file is replaced as a whole, and a failure leaves what was there and nothing besides.
func TestWriteWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	for _, text := range []string{"first, and longer", "second"} {
		if err := WriteWhole(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "b", "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	if WriteWhole(filepath.Join(dir, "b"), nil) == nil || WriteWhole(filepath.Join(dir, "missing", "c"), nil) == nil {
		t.Error("a directory was replaced, or a file written without one")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("left are %v, %v", entries, err)
	}
}
