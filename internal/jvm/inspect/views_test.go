package inspect_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"winnow/internal/jvm/inspect"
	"winnow/internal/jvm/jvmtest"
)

var update = flag.Bool("update", false, "write the views in testdata/views anew")

// plain is a style without colours.
type plain struct{}

func (plain) Bold(s string) string   { return s }
func (plain) Dim(s string) string    { return s }
func (plain) Red(s string) string    { return s }
func (plain) Green(s string) string  { return s }
func (plain) Yellow(s string) string { return s }

// TestViews compiles two versions of small programs and compares the views of them with those in testdata/views. A file javac of an archive has arguments for the
// compiler; a file named like a view and its arguments (diff, code CLASS [METHOD], class NAME, method CLASS NAME, list, all) has the view. What depends on the recipe of digests or the exact JDK stands as #.
func TestViews(t *testing.T) {
	files, err := filepath.Glob("testdata/views/*.txtar")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d archives: %v", len(files), err)
	}
	compiler := jvmtest.NewCompiler(t, jvmtest.JDK(t, 17))
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			testViews(t, file, a, compiler)
		})
	}
}

func testViews(t *testing.T, file string, a *txtar.Archive, compiler *jvmtest.Compiler) {
	old, new := compileVersions(t, a, compiler)
	views := 0
	for i := range a.Files {
		f := &a.Files[i]
		if strings.HasPrefix(f.Name, "old/") || strings.HasPrefix(f.Name, "new/") || f.Name == "javac" {
			continue
		}
		views++
		got := view(t, old, new, strings.Fields(f.Name))
		if *update {
			f.Data = []byte(got)
		} else if got != string(f.Data) {
			t.Errorf("%s: got\n%s\nwant\n%s", f.Name, got, f.Data)
		}
	}
	if views == 0 {
		t.Error("the archive has no view")
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// compileVersions compiles the files below old/ and new/ into directories.
func compileVersions(t *testing.T, a *txtar.Archive, compiler *jvmtest.Compiler) (old, new string) {
	t.Helper()
	var args []string
	sources := map[string]map[string]string{"old": {}, "new": {}}
	for _, f := range a.Files {
		side, name, ok := strings.Cut(f.Name, "/")
		switch {
		case f.Name == "javac":
			args = strings.Fields(string(f.Data))
		case ok && sources[side] != nil:
			sources[side][name] = string(f.Data)
		}
	}
	dir := t.TempDir()
	for side, files := range sources {
		classes, err := compiler.Compile(files, args...)
		if err != nil {
			t.Fatal(err)
		}
		jvmtest.WriteClasses(t, filepath.Join(dir, side), classes)
	}
	return filepath.Join(dir, "old"), filepath.Join(dir, "new")
}

func open(t *testing.T, path string) *inspect.Input {
	t.Helper()
	in, err := inspect.Options{}.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	})
	in.Path = filepath.Base(path)
	return in
}

// varying is what depends on canon's recipe or on the exact version of the JDK: digests, sizes, versions of modules.
var varying = regexp.MustCompile(`\b[0-9a-f]{32}\b|\b[0-9a-f]{8}\b|\b\d+ bytes\b|\b17\.0\.\d+(\.\d+)*\b`)

// view makes the view that words name and returns its text. It also checks that its JSON does not depend on chance.
func view(t *testing.T, old, new string, words []string) string {
	t.Helper()
	v, again := makeView(t, old, new, words), makeView(t, old, new, words)
	a, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(again)
	if err != nil || !bytes.Equal(a, b) {
		t.Fatalf("%v: two views of the same files differ: %v\n%s\n%s", words, err, a, b)
	}
	var text bytes.Buffer
	if err := v.Text(&text, plain{}, words[0] == "all" || words[0] == "diff-all"); err != nil {
		t.Fatal(err)
	}
	return varying.ReplaceAllString(text.String(), "#")
}

func makeView(t *testing.T, old, new string, words []string) (v interface {
	Text(w io.Writer, s inspect.Style, all bool) error
}) {
	t.Helper()
	in := open(t, new)
	arg := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	var err error
	switch words[0] {
	case "diff", "diff-all", "code":
		v, err = inspect.Compare(t.Context(), open(t, old), in, inspect.DiffOptions{Class: arg(1), Method: arg(2), Code: words[0] == "code", All: words[0] == "diff-all"})
	case "class":
		v, err = in.Class(arg(1))
	case "method":
		v, err = in.Methods(arg(1), arg(2))
	case "list", "all":
		v = in.List(words[0] == "all")
	default:
		t.Fatalf("no view %q", words[0])
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}
