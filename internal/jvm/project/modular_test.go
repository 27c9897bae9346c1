package project

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/jvm/maven"
)

// TestAddModules: what decides how modules are arranged is part of the fingerprint of a project with a descriptor, and of no other.
func TestAddModules(t *testing.T) {
	dir := t.TempDir()
	classes, jar := filepath.Join(dir, "classes"), filepath.Join(dir, "lib-1.jar")
	write := func(name, text string) func() {
		return func() {
			file := filepath.Join(classes, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	request := &maven.Request{ClassPath: []string{classes, jar, filepath.Join(dir, "absent")}}
	filter := "all"
	modules := func() (digest.Digest, bool) {
		f := fingerprint{filterItem: digest.OfString(filter)}
		if err := f.addModules(request); err != nil {
			t.Fatal(err)
		}
		d, ok := f[modulesItem]
		return d, ok
	}
	write("p/A.class", "A")()
	writeZip(t, jar, map[string]string{"q/B.class": "B", "META-INF/services/S": "q.B"})
	if _, ok := modules(); ok {
		t.Fatal("a project without a descriptor has modules")
	}
	write("module-info.class", "module")()
	last, ok := modules()
	if !ok {
		t.Fatal("a project with a descriptor has no modules")
	}
	for _, step := range []struct {
		name   string
		do     func()
		differ bool
	}{
		{"nothing", func() {}, false},
		{"a class", write("p/A.class", "other"), false},
		{"a class beside it", write("p/C.class", "C"), false},
		{"a service of a directory", write("META-INF/services/S", "p.A"), false},
		{"a package", write("r/A.class", "A"), true},
		{"a class in no package", write("A.class", "A"), true},
		{"the descriptor", write("module-info.class", "other module"), true},
		{"a class of a jar", func() { writeZip(t, jar, map[string]string{"q/B.class": "other", "META-INF/services/S": "q.B"}) }, false},
		{"a service of a jar", func() { writeZip(t, jar, map[string]string{"q/B.class": "other", "META-INF/services/S": "q.C"}) }, true},
		{"the name of a jar", func() {
			renamed := filepath.Join(dir, "lib-2.jar")
			if err := os.Rename(jar, renamed); err != nil {
				t.Fatal(err)
			}
			request.ClassPath[1] = renamed
		}, true},
		{"a choice of tests", func() { filter = "one" }, true},
	} {
		step.do()
		now, ok := modules()
		if !ok || (now != last) != step.differ {
			t.Errorf("%s: differs %v, want %v", step.name, now != last, step.differ)
		}
		last = now
	}
	request.Parameters = []maven.Parameter{{Path: "useModulePath", Value: "false"}}
	if _, ok := modules(); ok {
		t.Error("Surefire uses the class path, and there are modules")
	}
}

func writeZip(t *testing.T, file string, entries map[string]string) {
	t.Helper()
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(out)
	for name, text := range entries {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
