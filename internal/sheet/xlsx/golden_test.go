package xlsx

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the want files of testdata/*.txtar")

// TestGolden reads the workbook whose parts stand in each archive of testdata,
// and compares its dump, or the error, with the archive's file "want".
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatalf("found %d archives, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

// splitArchive splits a text archive (the format of golang.org/x/tools/txtar)
// into the text up to and including the marker of the file "want", the parts,
// and that file, which must be the last one.
func splitArchive(t testing.TB, data string) (before string, p parts, want string) {
	const marker = "-- want --\n"
	before, want, ok := strings.Cut(data, marker)
	if !ok {
		t.Fatal("no file named want")
	}
	p = parts{}
	for _, file := range strings.Split("\n"+before, "\n-- ")[1:] {
		name, text, ok := strings.Cut(file, " --\n")
		if !ok {
			t.Fatalf("malformed marker before %.40q", file)
		}
		p[name] = strings.TrimSuffix(text, "\n")
	}
	return before + marker, p, want
}

func golden(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, p, want := splitArchive(t, string(data))
	got := ""
	if w, err := readBytes(p.complete().zip(t), Limits{}); err != nil {
		if w != nil {
			t.Error("an error and a workbook")
		}
		got = "error: " + err.Error() + "\n"
	} else {
		got = dump(w)
	}
	if got == want {
		return
	}
	if !*update {
		t.Fatalf("got\n%swant\n%s", got, want)
	}
	if err := os.WriteFile(file, []byte(before+got), 0o644); err != nil {
		t.Fatal(err)
	}
}
