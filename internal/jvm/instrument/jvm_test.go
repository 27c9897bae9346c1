package instrument

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

// A jvm runs testdata/Judge.java with the probe class in java.base.
type jvm struct {
	t       testing.TB
	home    string
	feature int
	dir     string // for files of the test
	judge   string // class path of the judge
	probe   string // jar with the probe class
}

func newJVM(t testing.TB, feature int) *jvm {
	t.Helper()
	j := &jvm{t: t, home: jvmtest.JDK(t, feature), feature: feature, dir: t.TempDir()}
	j.judge = filepath.Join(j.dir, "judge")
	classes := testClasses(t)
	jvmtest.WriteClasses(t, j.judge, map[string][]byte{"Judge": classes["Judge"], "Judge$Look": classes["Judge$Look"]})
	j.probe = j.jar("probe.jar", []classFile{{name: DefaultClass, data: classes[DefaultClass]}})
	return j
}

var compiled struct {
	sync.Mutex
	classes map[string][]byte
}

// testClasses compiles the sources of the tests, once for all of them and with the oldest JDK, so that every JDK can run them.
func testClasses(t testing.TB) map[string][]byte {
	t.Helper()
	compiled.Lock()
	defer compiled.Unlock()
	if compiled.classes == nil {
		home := jvmtest.JDK(t, features[0])
		sources := map[string]string{"Long.java": longSource()}
		for _, name := range []string{"Judge.java", "Edges.java", "Hooked.java", "Leaves.java", "Asks.java"} {
			sources[name] = read(t, "testdata/"+name)
		}
		all := jvmtest.Javac(t, home, sources, "-g", "-parameters")
		probe := jvmtest.Javac(t, home, map[string]string{"java/lang/$Winnow.java": read(t, "testdata/Winnow.java")}, "--patch-module", "java.base=.")
		all[DefaultClass] = probe[DefaultClass]
		compiled.classes = all
	}
	return maps.Clone(compiled.classes)
}

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// jar writes classes to a jar without compression.
func (j *jvm) jar(name string, classes []classFile) string {
	j.t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, c := range classes {
		f, err := w.CreateHeader(&zip.FileHeader{Name: c.name + ".class", Method: zip.Store})
		if err == nil {
			_, err = f.Write(c.data)
		}
		if err != nil {
			j.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		j.t.Fatal(err)
	}
	return j.file(name, b.Bytes())
}

func (j *jvm) file(name string, data []byte) string {
	j.t.Helper()
	path := filepath.Join(j.dir, name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		j.t.Fatal(err)
	}
	return path
}

// lines writes a text file.
func (j *jvm) lines(name string, lines []string) string {
	j.t.Helper()
	return j.file(name, []byte(strings.Join(lines, "\n")+"\n"))
}

// quiet are options for every JVM that keep it small.
var quiet = []string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g", "-XX:-UsePerfData"}

// verifyAll makes a JVM verify also what the boot loader loads.
const verifyAll = "-Xverify:all"

// ask runs the judge and returns the lines of its answer, each split at its tab.
func (j *jvm) ask(options []string, mode string, args ...string) [][2]string {
	j.t.Helper()
	out := filepath.Join(j.dir, "answer")
	command := append(append(append([]string{}, quiet...), options...), "-cp", j.judge, "Judge", mode, out)
	cmd := jvmtest.Command(j.home, "java", append(command, args...)...)
	if said, err := cmd.CombinedOutput(); err != nil {
		j.t.Fatalf("JDK %d: Judge %s: %v\n%s", j.feature, mode, err, said)
	}
	return j.answer(out)
}

// answer reads a file with lines of what was asked about, a tab, and what was said.
func (j *jvm) answer(path string) [][2]string {
	j.t.Helper()
	var answer [][2]string
	for line := range strings.Lines(read(j.t, path)) {
		about, said, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			j.t.Fatalf("JDK %d said %q", j.feature, line)
		}
		answer = append(answer, [2]string{about, said})
	}
	return answer
}

// withProbe patches the probe class, and more jars, into java.base.
func (j *jvm) withProbe(more ...string) []string {
	return []string{"--patch-module", "java.base=" + strings.Join(append([]string{j.probe}, more...), string(os.PathListSeparator))}
}

// dotted is the name of a class as Java's reflection has it.
func dotted(name string) string { return strings.ReplaceAll(name, "/", ".") }

// compare fails the test for each class that was linked before but not afterwards, and returns how many were linked both times.
func compare(t testing.TB, before, after [][2]string) int {
	t.Helper()
	if len(before) != len(after) || len(before) == 0 {
		t.Fatalf("%d answers before, %d after", len(before), len(after))
	}
	n := 0
	for i := range before {
		switch {
		case before[i][0] != after[i][0]:
			t.Fatalf("answer %d is about %s before, about %s after", i, before[i][0], after[i][0])
		case before[i][1] != "linked":
		case after[i][1] != "linked":
			t.Errorf("%s: %s", after[i][0], after[i][1])
		default:
			n++
		}
	}
	return n
}

func swap(classes []classFile, results []*Result) []classFile {
	out := make([]classFile, len(classes))
	for i, c := range classes {
		out[i] = classFile{c.module, c.name, results[i].Bytes}
	}
	return out
}

func moduleJar(module string) string { return fmt.Sprintf("module-%s.jar", module) }
