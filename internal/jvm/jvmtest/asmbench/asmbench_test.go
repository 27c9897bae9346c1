package asmbench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

func pack(t *testing.T, classes ...[]byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pack")
	if err := WritePack(path, classes); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWritePack(t *testing.T) {
	got, err := os.ReadFile(pack(t, []byte("ab"), nil, []byte("c")))
	if err != nil {
		t.Fatal(err)
	}
	if want := "\x00\x00\x00\x02ab\x00\x00\x00\x00\x00\x00\x00\x01c"; string(got) != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

func TestRun(t *testing.T) {
	jdk := jvmtest.JDK(t, 25)
	class := jvmtest.Javac(t, jdk, map[string]string{"C.java": "class C { int f; void m() { f++; } }"})["C"]
	path := build(t, jdk)
	t.Run("measured", func(t *testing.T) {
		r, err := run(jdk, path, pack(t, class, class, class), 1, 3)
		if err != nil {
			t.Fatal(err)
		}
		if r.Classes != 3 {
			t.Errorf("read %d classes, want 3", r.Classes)
		}
	})
	broken := func(name, pack, want string) {
		t.Run(name, func(t *testing.T) {
			_, err := run(jdk, path, pack, 1, 3)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got error %v, want one with %q", err, want)
			}
		})
	}
	broken("empty", pack(t), "measured nothing")
	broken("no class", pack(t, []byte("no class file at all")), "ClassReader")
	cut := filepath.Join(t.TempDir(), "cut")
	if err := os.WriteFile(cut, []byte("\x00\x00\x00\x05abc"), 0o644); err != nil {
		t.Fatal(err)
	}
	broken("cut", cut, "ends inside a class")
}
