package inspect_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/inspect"
	"winnow/internal/jvm/jvmtest"
)

var stride = flag.Int("stride", 8, "explain every n-th of the pairs of package canon")

// TestPairsAreExplained compares pairs of small programs, those with which package canon is judged: a Diff must name every difference that canon finds and no other,
// and have words for each part.
func TestPairsAreExplained(t *testing.T) {
	files, err := filepath.Glob("../canon/testdata/pairs/*.txtar")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d pairs: %v", len(files), err)
	}
	compiler := jvmtest.NewCompiler(t, jvmtest.JDK(t, 17))
	compared := 0
	for i := 0; i < len(files); i += *stride {
		a, err := txtar.ParseFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if comment := string(a.Comment); strings.Contains(comment, "jdk:") || strings.Contains(comment, "javac:") || strings.Contains(comment, "old:") || strings.Contains(comment, "new:") {
			continue // compiled with options, which are canon's to know
		}
		compared++
		t.Run(strings.TrimSuffix(filepath.Base(files[i]), ".txtar"), func(t *testing.T) { explainPair(t, a, compiler) })
	}
	if compared < len(files)/(*stride*2) {
		t.Errorf("only %d pairs were compared", compared)
	}
	t.Logf("%d pairs", compared)
}

func explainPair(t *testing.T, a *txtar.Archive, compiler *jvmtest.Compiler) {
	old, new := compileVersions(t, a, compiler)
	d, err := inspect.Compare(t.Context(), open(t, old), open(t, new), inspect.DiffOptions{Code: true, All: true})
	if err != nil {
		t.Fatal(err)
	}
	want, got := canonChanges(t, old, new), viewChanges(t, d)
	for c := range want {
		if !got[c] {
			t.Errorf("the view lacks %s", c)
		}
	}
	for c := range got {
		if !want[c] {
			t.Errorf("the view has %s", c)
		}
	}
}

// canonChanges are the differences that package canon finds.
func canonChanges(t *testing.T, old, new string) map[string]bool {
	t.Helper()
	changes, err := canon.Diff(readSet(t, old), readSet(t, new))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, c := range changes {
		if len(c.Parts) == 0 {
			out[c.String()] = true
		}
		for _, part := range c.Parts {
			out[c.String()+" "+part] = true
		}
	}
	return out
}

func readSet(t *testing.T, dir string) *canon.Set {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			files[path], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	set, err := canon.ReadAll(files)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// viewChanges are the differences of a view in the printed form of canon. It also checks that each is explained.
func viewChanges(t *testing.T, d *inspect.Diff) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, c := range d.Added {
		out[canon.Change{Kind: canon.ClassAdded, Class: canonicalName(c)}.String()] = true
	}
	for _, c := range d.Removed {
		out[canon.Change{Kind: canon.ClassRemoved, Class: canonicalName(c)}.String()] = true
	}
	for _, c := range d.Changed {
		for _, p := range c.Parts {
			out[p.Kind+" "+c.Class+" "+p.Part] = true
			if len(p.Details) == 0 && strings.HasPrefix(p.Says, "nothing") {
				t.Errorf("%s: %s is not explained", c.Class, p.Part)
			}
		}
		for _, m := range c.Methods {
			out[methodChange(c.Class, m)] = true
			if m.Op == "~" && len(m.Code) == 0 && !strings.HasPrefix(m.Says, "it has") {
				t.Errorf("%s: the difference of %s is not shown: %s", c.Class, m.Name, m.Says)
			}
		}
	}
	return out
}

func canonicalName(c inspect.ClassName) string {
	if c.Canonical != "" {
		return c.Canonical
	}
	return c.Name
}

func methodChange(class string, m inspect.MethodDiff) string {
	name := m.Name + m.Descriptor
	if m.Canonical != "" {
		name = m.Canonical
	}
	return "method" + strings.TrimPrefix(m.Op, "~") + " " + class + "." + name
}
