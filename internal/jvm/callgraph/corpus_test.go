package callgraph

import (
	"archive/zip"
	"io"
	"maps"
	"strings"
	"testing"
	"time"

	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/observed"
)

// classesOf reads the classes of a jar.
func classesOf(t *testing.T, jar string) map[string][]byte {
	t.Helper()
	z, err := zip.OpenReader(jar)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	out := map[string][]byte{}
	for _, f := range z.File {
		name, ok := strings.CutSuffix(f.Name, ".class")
		if !ok || strings.HasPrefix(name, "META-INF/") || name == "module-info" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if out[name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestCorpus: on a real library, too, the graph without some class is the same from scratch and from the graph with it; and back again.
func TestCorpus(t *testing.T) {
	jdk := jvmtest.JDK(t, 17)
	files := classesOf(t, jvmtest.Jar(t, "commons-codec"))
	libraries, err := observed.OpenLibraries(17, jdk)
	if err != nil {
		t.Fatal(err)
	}
	defer libraries.Close()
	program := func(files map[string][]byte) *observed.Program {
		p, err := observed.NewProgram(files, libraries)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	made := func(g *Graph, err error) *Graph {
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	all := program(files)
	start := time.Now()
	whole := made(Build(all))
	t.Logf("%d classes, %d edges, %+v in %v", len(files), strings.Count(whole.String(), "\n"), whole.Done, time.Since(start).Round(time.Millisecond))
	const base = "org/apache/commons/codec/"
	for _, name := range []string{base + "Encoder", base + "binary/BaseNCodec", base + "digest/DigestUtils", base + "language/Soundex", base + "language/bm/Rule$RPattern"} {
		if files[name] == nil {
			t.Fatalf("there is no %s", name)
		}
		less := maps.Clone(files)
		delete(less, name)
		without := program(less)
		from := made(Update(whole, without))
		back := made(Update(from, all))
		t.Logf("without %s: %+v; with it again: %+v", name, from.Done, back.Done)
		if from.String() != made(Build(without)).String() || back.String() != whole.String() {
			t.Errorf("without %s: the graph kept up to date is another one", name)
		}
		if from.Done.Read != 0 || back.Done.Read != 1 || back.Done.Linked*2 > whole.Done.Linked {
			t.Errorf("without %s: work %+v and back %+v, from scratch %+v", name, from.Done, back.Done, whole.Done)
		}
	}
}
