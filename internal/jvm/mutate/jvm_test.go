package mutate

import (
	"encoding/binary"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
)

var (
	full = flag.Bool("full", false, "judge every mutant of the artifacts on every JDK, not a sample on the newest")
	seed = flag.Uint64("seed", 1, "seed of the samples")
)

// features are the JDKs on which everything must hold.
var features = []int{17, 25}

func judges() []int {
	if *full {
		return features
	}
	return features[1:]
}

// jarClasses reads the classes of an artifact that a JVM without multi-release support would see.
func jarClasses(t testing.TB, artifact string) map[string][]byte {
	t.Helper()
	src, err := classpath.Open(jvmtest.Jar(t, artifact))
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	entries, err := src.Entries()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, e := range entries {
		name, ok := e.Class()
		if !ok || e.Version != 0 || name == "module-info" {
			continue
		}
		if out[name], err = src.Read(e); err != nil {
			t.Fatal(err)
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s: no class", artifact)
	}
	return out
}

// A named class file.
type named struct {
	name string
	data []byte
}

// A jvm runs testdata/Judge.java.
type jvm struct {
	t          testing.TB
	home, path string
}

func newJVM(t testing.TB, feature int) *jvm {
	t.Helper()
	j := &jvm{t: t, home: jvmtest.JDK(t, feature), path: t.TempDir()}
	jvmtest.WriteClasses(t, j.path, chosen(t, func(name string) bool { return strings.HasPrefix(name, "Judge") }))
	return j
}

var compiled struct {
	sync.Mutex
	classes map[string][]byte
}

// chosen compiles the sources in testdata, once for all tests and with the oldest JDK, so that every JDK can run them, and returns some of the classes.
func chosen(t testing.TB, wanted func(name string) bool) map[string][]byte {
	t.Helper()
	compiled.Lock()
	defer compiled.Unlock()
	if compiled.classes == nil {
		files := map[string]string{}
		for name, path := range map[string]string{"Judge.java": "testdata/Judge.java", "p/Main.java": "testdata/Main.java"} {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = string(source)
		}
		compiled.classes = jvmtest.Javac(t, jvmtest.JDK(t, features[0]), files)
	}
	out := maps.Clone(compiled.classes)
	maps.DeleteFunc(out, func(name string, _ []byte) bool { return !wanted(name) })
	return out
}

// ask gives the answers about the originals and about the classes of each batch.
func (j *jvm) ask(mode string, originals map[string][]byte, batches [][]named) (before map[string]string, after [][]string) {
	j.t.Helper()
	first := inOrder(originals)
	in, out := filepath.Join(j.path, "in"), filepath.Join(j.path, "out")
	if err := os.WriteFile(in, encode(append([][]named{first}, batches...)), 0o644); err != nil {
		j.t.Fatal(err)
	}
	cmd := jvmtest.Command(j.home, "java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g", "-XX:-UsePerfData", "-Xverify:all", "-cp", j.path, "Judge", mode, in, out)
	if said, err := cmd.CombinedOutput(); err != nil {
		j.t.Fatalf("Judge %s: %v\n%s", mode, err, said)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		j.t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	take := func(n int) []string {
		if len(lines) < n {
			j.t.Fatalf("the judge gave too few answers")
		}
		part := lines[:n]
		lines = lines[n:]
		return part
	}
	before = map[string]string{}
	for i, said := range take(len(first)) {
		before[first[i].name] = said
	}
	for _, batch := range batches {
		after = append(after, take(len(batch)))
	}
	return before, after
}

func inOrder(classes map[string][]byte) []named {
	var out []named
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		out = append(out, named{name, classes[name]})
	}
	return out
}

func encode(batches [][]named) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(batches)))
	for _, batch := range batches {
		out = binary.BigEndian.AppendUint32(out, uint32(len(batch)))
		for _, c := range batch {
			out = binary.BigEndian.AppendUint16(out, uint16(len(c.name)))
			out = append(out, c.name...)
			out = binary.BigEndian.AppendUint32(out, uint32(len(c.data)))
			out = append(out, c.data...)
		}
	}
	return out
}

// rounds sorts mutants into batches, of which none has two of the same class.
func rounds(mutants []Mutant) [][]Mutant {
	var out [][]Mutant
	count := map[string]int{}
	for _, m := range mutants {
		n := count[m.Class]
		count[m.Class]++
		if n == len(out) {
			out = append(out, nil)
		}
		out[n] = append(out[n], m)
	}
	return out
}

func apply(t testing.TB, m Mutant, class []byte) []byte {
	t.Helper()
	data, err := m.Apply(class)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// HotSpot links, and so verifies, each mutant of a class that it links.
func TestVerify(t *testing.T) {
	const all = 1 << 30
	artifacts, n := []string{"commons-lang3", "junit-3.8"}, 800
	if *full {
		artifacts, n = append(artifacts, "log4j-1.2.8", "commons-codec", "kotlin-stdlib"), all
	}
	for _, feature := range judges() {
		j := newJVM(t, feature)
		for _, artifact := range artifacts {
			classes := jarClasses(t, artifact)
			limit := n
			if artifact == "kotlin-stdlib" {
				limit = 5000 // the largest class alone has 32000 mutants
			}
			mutants, err := Sample(*seed, limit, classes)
			if err != nil {
				t.Fatal(err)
			}
			judge(t, j, artifact, feature, classes, rounds(mutants))
		}
	}
}

// judge asks in pieces, because all mutants of a jar are too much for one file.
func judge(t *testing.T, j *jvm, artifact string, feature int, classes map[string][]byte, rounds [][]Mutant) {
	t.Helper()
	judged, total := 0, 0
	byOperator := map[string]int{}
	for len(rounds) > 0 {
		var batches [][]named
		size := 0
		for _, round := range rounds {
			if size > 300<<20 {
				break
			}
			var batch []named
			for _, m := range round {
				batch = append(batch, named{m.Class, apply(t, m, classes[m.Class])})
				size += len(classes[m.Class])
			}
			batches = append(batches, batch)
		}
		before, after := j.ask("link", classes, batches)
		for i := range batches {
			for k, m := range rounds[i] {
				total++
				if before[m.Class] != "linked" {
					continue
				}
				judged++
				byOperator[m.Operator]++
				if after[i][k] != "linked" {
					t.Errorf("JDK %d: %s: %s", feature, m, after[i][k])
				}
			}
		}
		rounds = rounds[len(batches):]
	}
	t.Logf("JDK %d, seed %d: %d of %d mutants of %s judged, operators %v", feature, *seed, judged, total, artifact, byOperator)
	if judged < total/2 || judged == 0 {
		t.Errorf("only %d of %d mutants were judged", judged, total)
	}
}
