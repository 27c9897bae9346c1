package classpath

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"winnow/internal/jvm/jvmtest"
)

// A judged case is a class path in a directory of its own. A real JVM says which of several classes of one name it finds; each has a number.
type judged struct {
	name string
	make func(t testing.TB, d dirMaker)
	path string // elements, separated by blanks
	// class is the internal name to look for; "a/B" if empty.
	class string
	// want is what the JVM answers: a number or the name of an exception.
	want string
	// want25 is what JDK 25 answers if that is not the same.
	want25 string
	// ours is what Find and Read answer if that is not the same: "error", or "absent".
	ours string
	// problems are the kinds that must be reported, in order, over all sources and the path.
	problems []ProblemKind
}

// A dirMaker makes files in the directory of a case.
type dirMaker struct {
	t    testing.TB
	root string
}

func (d dirMaker) write(name string, data []byte) {
	d.t.Helper()
	path := filepath.Join(d.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d dirMaker) jar(name string, entries ...zipEntry) { d.zip(name, zipFile{entries: entries}) }
func (d dirMaker) zip(name string, z zipFile)           { d.t.Helper(); d.write(name, z.bytes(d.t)) }

func (d dirMaker) link(target, name string) {
	d.t.Helper()
	if err := os.Symlink(target, filepath.Join(d.root, name)); err != nil {
		d.t.Skipf("needs symbolic links: %v", err)
	}
}

func manifestOf(lines ...string) zipEntry {
	return text("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n"+strings.Join(lines, "\r\n")+"\r\n\r\n")
}

func versioned(n int, v int) zipEntry {
	e := class("a/B", v)
	e.name = fmt.Sprintf("META-INF/versions/%d/%s", n, e.name)
	return e
}

func (c judged) classPath(root string) []string {
	var paths []string
	for p := range strings.FieldsSeq(c.path) {
		paths = append(paths, filepath.Join(root, p))
	}
	return paths
}

func (c judged) className() string {
	if c.class == "" {
		return "a/B"
	}
	return c.class
}

// answer is what this package finds, in the words of Judge.java.
func (c judged) answer(feature int, paths []string) (string, []ProblemKind) {
	p, err := OpenPath(feature, paths...)
	if err != nil {
		return "error", nil
	}
	defer p.Close()
	var kinds []ProblemKind
	for _, place := range p.Places() {
		if place.Source == nil {
			continue
		}
		problems, err := place.Source.Problems()
		if err != nil {
			return "error", nil
		}
		for _, pr := range problems {
			kinds = append(kinds, pr.Kind)
		}
	}
	for _, pr := range p.Problems() {
		kinds = append(kinds, pr.Kind)
	}
	f, ok, err := p.Find(c.className())
	switch {
	case err != nil:
		return "error", kinds
	case !ok:
		return "absent", kinds
	}
	b, err := f.Read()
	if err != nil {
		return "error", kinds
	}
	return strconv.Itoa(markOf(b)), kinds
}

// TestJudgedByJVM compares this package's answers with those of real class loaders of two JDKs.
func TestJudgedByJVM(t *testing.T) {
	cases := append(archiveCases(), append(manifestCases(), directoryCases()...)...)
	root := t.TempDir()
	for i, c := range cases {
		c.make(t, dirMaker{t, filepath.Join(root, strconv.Itoa(i))})
	}
	for _, feature := range []int{17, 25} {
		t.Run(strconv.Itoa(feature), func(t *testing.T) {
			answers := judge(t, feature, root, cases)
			for i, c := range cases {
				c.compare(t, feature, filepath.Join(root, strconv.Itoa(i)), answers[i])
			}
		})
	}
}

func (c judged) compare(t *testing.T, feature int, root, jvm string) {
	t.Helper()
	want := c.want
	if feature == 25 && c.want25 != "" {
		want = c.want25
	}
	if jvm != want {
		t.Errorf("%s: the JVM finds %s, the table says %s", c.name, jvm, want)
	}
	if want = strings.Replace(want, notFound, "absent", 1); c.ours != "" {
		want = c.ours
	}
	got, kinds := c.answer(feature, c.classPath(root))
	if got != want {
		t.Errorf("%s: found %s, want %s", c.name, got, want)
	}
	if fmt.Sprint(kinds) != fmt.Sprint(c.problems) {
		t.Errorf("%s: problems %v, want %v", c.name, kinds, c.problems)
	}
}

// judge asks a JVM for all answers at once.
func judge(t *testing.T, feature int, root string, cases []judged) []string {
	t.Helper()
	var list strings.Builder
	for i, c := range cases {
		line := append([]string{hex.EncodeToString([]byte(c.className()))}, c.classPath(filepath.Join(root, strconv.Itoa(i)))...)
		list.WriteString(strings.Join(line, "\t") + "\n")
	}
	answers := runJudge(t, feature, list.String())
	if len(answers) != len(cases) {
		t.Fatalf("%d answers to %d cases", len(answers), len(cases))
	}
	return answers
}

func runJudge(t *testing.T, feature int, list string, classPath ...string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cases")
	if err := os.WriteFile(file, []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"-XX:TieredStopAtLevel=1"}
	if classPath == nil {
		args = append(args, filepath.Join("testdata", "Judge.java"), "url", file)
	} else {
		args = append(args, "-cp", strings.Join(classPath, string(os.PathListSeparator)), "Judge", "app", file)
	}
	out, err := jvmtest.Command(jvmtest.JDK(t, feature), "java", args...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("Judge.java: %v\n%s", err, exit.Stderr)
		}
		t.Fatalf("Judge.java: %v", err)
	}
	return strings.Fields(string(out))
}
