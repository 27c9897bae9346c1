package defects

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

const head = "#File\nd4j.dir.src.classes=src/java\nd4j.dir.src.tests=src/test\nd4j.tests.trigger=p.ATest::m,p.ATest::n\n"

func TestRead(t *testing.T) {
	dir := t.TempDir()
	for _, bug := range []string{"Cli-2", "Cli-10"} {
		put(t, filepath.Join(dir, bug), map[string]string{
			"fixed/" + properties: head, "buggy/" + properties: head,
			"fixed/src/java/p/A.java": "1", "buggy/src/java/p/A.java": "2", "fixed/src/java/p/x.txt": "x",
			"fixed/src/test/p/ATest.java": "test", "buggy/src/test/p/ATest.java": "old test",
		})
	}
	found, err := Find(dir)
	if err != nil || len(found) != 2 || filepath.Base(found[0]) != "Cli-2" {
		t.Fatal(found, err)
	}
	b, err := Read(found[1])
	if err != nil {
		t.Fatal(err)
	}
	if b.Project != "Cli" || len(b.Reveals) != 2 || b.Reveals[0] != "p.ATest#m" {
		t.Errorf("%+v", b)
	}
	if b.Fixed["src/main/java/p/A.java"] != "1" || b.Buggy["src/main/java/p/A.java"] != "2" || b.Buggy["src/test/java/p/ATest.java"] != "test" || b.Fixed["src/main/resources/p/x.txt"] != "x" {
		t.Errorf("%v, %v", b.Fixed, b.Buggy)
	}
}

func TestRefuses(t *testing.T) {
	if _, err := Find(t.TempDir()); !errors.Is(err, ErrLayout) {
		t.Errorf("an empty directory: %v", err)
	}
	dir := t.TempDir()
	put(t, dir, map[string]string{"fixed/" + properties: "d4j.dir.src.classes=x\n"})
	if _, err := Read(dir); !errors.Is(err, ErrLayout) {
		t.Errorf("no tests: %v", err)
	}
	put(t, dir, map[string]string{"fixed/" + properties: head})
	if _, err := Read(dir); err == nil {
		t.Error("no sources")
	}
}
