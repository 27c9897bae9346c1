package instrument

import (
	"flag"
	"strings"
	"testing"

	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
)

// full widens the judges from a sample to everything.
var full = flag.Bool("full", false, "judge all classes of the JDKs and of the artifacts, not a sample")

// features are the JDKs on which everything must hold.
var features = []int{17, 25}

// judges are the JDKs that judge samples: without -full the newest has to do.
func judges() []int {
	if *full {
		return features
	}
	return features[1:]
}

// A classFile is a class of a module or jar.
type classFile struct {
	module, name string
	data         []byte
}

// jdkClasses reads the classes of a JDK whose module is wanted.
func jdkClasses(t testing.TB, feature int, wanted func(module string) bool) []classFile {
	t.Helper()
	return classesOf(t, jvmtest.JDK(t, feature), func(e classpath.Entry) bool { return wanted(e.Module) })
}

// jarClasses reads the classes of an artifact that a JVM without multi-release support would see.
func jarClasses(t testing.TB, artifact string) []classFile {
	t.Helper()
	return classesOf(t, jvmtest.Jar(t, artifact), func(e classpath.Entry) bool { return e.Version == 0 })
}

func classesOf(t testing.TB, path string, wanted func(classpath.Entry) bool) []classFile {
	t.Helper()
	src, err := classpath.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	entries, err := src.Entries()
	if err != nil {
		t.Fatal(err)
	}
	var out []classFile
	for _, e := range entries {
		name, ok := e.Class()
		if !ok || !wanted(e) {
			continue
		}
		data, err := src.Read(e)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, classFile{e.Module, name, data})
	}
	if len(out) == 0 {
		t.Fatalf("%s: no class", path)
	}
	return out
}

func all(string) bool { return true }

func only(modules ...string) func(string) bool {
	list := " " + strings.Join(modules, " ") + " "
	return func(m string) bool { return strings.Contains(list, " "+m+" ") }
}

func newRewriter(t testing.TB, s Scheme) *Rewriter {
	t.Helper()
	r, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// rewriteAll rewrites classes and fails the test for each that gives an error.
func rewriteAll(t testing.TB, r *Rewriter, classes []classFile) []*Result {
	t.Helper()
	out := make([]*Result, len(classes))
	for i, c := range classes {
		res, err := r.Rewrite(c.data)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		out[i] = res
	}
	return out
}
