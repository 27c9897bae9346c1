package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestDiffering(t *testing.T) {
	old := bodies{"p/A\tm()V": {"1"}, "p/A\tgone()V": {"1"}, "p/A\tn()V": {"2"}, "p/A\tlambda$m$0()V": {"3"}, "p/A\tlambda$m$1()V": {"4"}, "p/A\ttwice()V": {"5", "6"}}
	new := bodies{"p/A\tm()V": {"1"}, "p/A\tnew()V": {"1"}, "p/A\tn()V": {"7"}, "p/A\tlambda$m$1()V": {"3"}, "p/A\tlambda$m$2()V": {"8"}, "p/A\ttwice()V": {"5", "6"}}
	for _, test := range []struct {
		name     string
		of, from bodies
		want     []string
	}{
		{"new", new, old, []string{"p/A\tlambda$m$2()V", "p/A\tn()V", "p/A\tnew()V"}},
		{"old", old, new, []string{"p/A\tgone()V", "p/A\tlambda$m$1()V", "p/A\tn()V"}},
		{"same", old, old, nil},
	} {
		if got := sorted(differing(test.of, test.from)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// packed writes a compressed file.
func packed(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "text")
	write(t, file, text)
	if err := compress(file, file+".gz"); err != nil {
		t.Fatal(err)
	}
	return file + ".gz"
}

func TestReadBodies(t *testing.T) {
	got, err := readBodies(packed(t, "p/A\tm()V\tbb\np/B\tm()V\tcc\np/A\tm()V\taa\n"))
	want := bodies{"p/A\tm()V": {"aa", "bb"}, "p/B\tm()V": {"cc"}}
	if err != nil || !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	if _, err := readBodies(packed(t, "no digest\n")); err == nil {
		t.Error("a line without a digest is no error")
	}
}

func TestHits(t *testing.T) {
	file := packed(t, "M p/A\tm()V\nM p/A\tn()V\nS one 0 1\nU one 0\nM p/B\tm()V\nS two 2 0\nS three\n")
	got, err := hits(file, map[string]bool{"p/A\tn()V": true, "p/B\tm()V": true})
	if want := map[string]string{"one": "p/A\tn()V", "two": "p/B\tm()V"}; err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	for _, text := range []string{"S one 0\n", "M a\tb\nS one -1\n", "M a\tb\nS one x\n", "S\n"} {
		if got, err := hits(packed(t, text), nil); err == nil {
			t.Errorf("%q: got %v and no error", text, got)
		}
	}
}

func TestTruncatedFileIsAnError(t *testing.T) {
	file := packed(t, strings.Repeat("M p/A\tm()V\n", 1000))
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data[:len(data)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := hits(file, nil); err == nil {
		t.Error("half a file is read without an error")
	}
}

func TestJarFile(t *testing.T) {
	for artifact, want := range map[string]string{"org.ow2.asm:asm:9.9": "asm-9.9.jar", jacocoAgent: "org.jacoco.agent-0.8.14-runtime.jar"} {
		if got := jarFile(artifact); got != want {
			t.Errorf("%s: %s, want %s", artifact, got, want)
		}
	}
}

func TestPatterns(t *testing.T) {
	for _, test := range []struct {
		classes []string
		want    string
	}{
		{[]string{"p/A", "p/q/B", "pq/C", "module-info"}, "p.*:pq.*"},
		{[]string{"org/a/A", "org/b/c/B", "org/b/d/B"}, "org.a.*:org.b.c.*:org.b.d.*"},
		{[]string{"p/A", "A"}, "*"},
	} {
		all := bodies{}
		for _, class := range test.classes {
			all[class+"\t(class)"] = []string{"1"}
		}
		if got := all.patterns(); got != test.want {
			t.Errorf("%v: %q, want %q", test.classes, got, test.want)
		}
	}
}
