package agent

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/instrument"
	"winnow/internal/jvm/jvmtest"
)

// modular is a program on the module path: a module that is a directory, its patch, a module that is a jar, and classes that only a loader of the program's own finds.
type modular struct {
	*project
	main, patch, jar, plugins string
}

func newModular(t *testing.T) *modular {
	t.Helper()
	dir := t.TempDir()
	m := &modular{main: filepath.Join(dir, "main"), patch: filepath.Join(dir, "patch"), jar: filepath.Join(dir, "lib.jar"), plugins: filepath.Join(dir, "plugins")}
	parts := map[string]map[string][]byte{"main": {}, "lib": {}, "patch": {}, "plugins": {}}
	for name, data := range jvmtest.Javac(t, jvmtest.JDK(t, 17), moduleSources(t), "-g", "--release", "11", "--module-source-path", ".") {
		part, file, _ := strings.Cut(name+".class", "/")
		if first, _, ok := strings.Cut(file, "/"); ok && parts[first] != nil {
			part = first // these packages lie elsewhere than in the module that they are compiled with
		}
		parts[part][file] = data
	}
	parts["main"]["app/found.txt"], parts["main"]["app/Seen.class"], parts["lib"]["lib/found.txt"] = []byte("found"), parts["main"]["app/Loaded.class"], []byte("found")
	writeFiles(t, m.main, parts["main"])
	writeFiles(t, m.patch, parts["patch"])
	writeFiles(t, m.plugins, parts["plugins"])
	writeJar(t, m.jar, parts["lib"])
	m.project = &project{t: t, dir: dir, path: []string{filepath.Join(dir, "none")}}
	return m
}

// on makes the program ready for a Java version.
func (m *modular) on(t *testing.T, feature int) *Plan {
	m.t, m.home = t, jvmtest.Runtime(t, feature)
	m.options = Options{JDK: m.home, ClassPath: []string{m.patch, m.main, m.jar}, Dir: t.TempDir(), Cache: instrument.Cache{Dir: packs}}
	return m.plan()
}

func moduleSources(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	root := os.DirFS(filepath.Join("testdata", "modules"))
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		out[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func writeFiles(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	for name, data := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func writeJar(t *testing.T, file string, entries map[string][]byte) {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(entries[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestModules: a class that the JDK's own loaders load from a module has its probes and is no event. What the program reads by way of a module is one, be it a class, and so is what it seeks in
// vain; and what a loader of the program's own reads.
func TestModules(t *testing.T) {
	m := newModular(t)
	for _, feature := range allFeatures {
		t.Run(fmt.Sprint(feature), func(t *testing.T) {
			plan := m.on(t, feature)
			r := m.run(plan, []string{"--module-path", m.main + string(os.PathListSeparator) + m.jar, "--patch-module", "main=" + m.patch}, "-m", "main/app.Main", m.main, m.plugins)
			if r.err != nil {
				t.Fatalf("%v\n%s", r.err, r.out)
			}
			trace := m.attribute(plan, r)
			in := func(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
			want := []NamedEvent{
				{FileRead, in(m.main, "app/found.txt")}, {ResourceSought, "app/found.txt"}, {ResourceSought, "app/none.txt"}, {FileRead, in(m.main, "app/Seen.class")}, {ResourceSought, "app/Seen.class"},
				{FileRead, in(m.main, "app/Loaded.class")}, {ResourceSought, "lib/found.txt"}, {ResourceSought, "lib/Lib.class"}, {ResourceSought, "lib/read.txt"},
				{ClassSought, "app.None"}, {ClassSought, "no.None"}, {FileRead, in(m.plugins, "plugins/Plugin.class")}, {FileAsked, in(m.plugins, "plugins/None.class")},
			}
			for _, e := range want {
				if !slices.Contains(trace.Process.Events, e) {
					t.Errorf("no %v %s", e.Kind, e.Text)
				}
			}
			for _, e := range trace.Process.Events {
				about := e
				if e.Kind == FileAsked {
					about.Kind = FileRead // who reads a file asks for it, too
				}
				inPatch := e == NamedEvent{FileAsked, in(m.patch, "app/Seen.class")} // where it is sought first
				if e.Kind != PropertyWritten && strings.HasSuffix(e.Text, ".class") && !slices.Contains(want, e) && !slices.Contains(want, about) && !inPatch {
					t.Errorf("unwanted: %v %s", e.Kind, e.Text)
				}
			}
			entered := methods(plan, trace.Process)
			for _, name := range []string{"app/Main.main", "app/Loaded.run", "app/Loaded.<clinit>", "patch/Patch.run", "lib/Lib.run"} {
				if !entered[name] {
					t.Errorf("%s is not in %v", name, slices.Sorted(maps.Keys(entered)))
				}
			}
			for _, c := range trace.Coarse {
				if !strings.HasPrefix(c.Name, "plugins/") {
					t.Errorf("without probes: %+v", c)
				}
			}
			if len(plan.Problems) > 0 || trace.Incomplete != "" {
				t.Errorf("problems %q, incomplete %q", plan.Problems, trace.Incomplete)
			}
		})
	}
}
