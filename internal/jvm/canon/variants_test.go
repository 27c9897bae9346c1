package canon_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/jvmtest"
)

// A compiled is a pair with its class files.
type compiled struct {
	*pair
	name                 string
	oldClasses, newFiles map[string][]byte
}

func compilePairs(t *testing.T) []compiled {
	t.Helper()
	files, err := filepath.Glob("testdata/pairs/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	compilers := map[string]*jvmtest.Compiler{
		"17": jvmtest.NewCompiler(t, jvmtest.JDK(t, 17)),
		"25": jvmtest.NewCompiler(t, jvmtest.JDK(t, 25)),
	}
	var out []compiled
	for _, file := range files {
		p, err := readPair(file)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, compiled{p, filepath.Base(file), p.old.compile(t, compilers), p.new.compile(t, compilers)})
	}
	return out
}

// missed are the pairs of which a variant misses a difference.
func missed(t *testing.T, pairs []compiled, breakSet func(*canon.Set)) []string {
	t.Helper()
	var out []string
	for _, p := range pairs {
		got := differencesOf(t, p.oldClasses, p.newFiles, breakSet)
		if slices.ContainsFunc(p.judge(got), func(s string) bool { return strings.HasPrefix(s, "missing: ") }) {
			out = append(out, p.name)
		}
	}
	return out
}

// Each variant that looks at less than it must is noticed by a pair: so the pairs cover every part, every reflective attribute and the rules of names.
func TestBrokenVariants(t *testing.T) {
	pairs := compilePairs(t)
	whole := func(*canon.Set) {}
	if m := missed(t, pairs, whole); len(m) > 0 {
		t.Fatalf("the whole code misses something in %v", m)
	}
	check := func(variant string, breakSet func(*canon.Set)) {
		m := missed(t, pairs, breakSet)
		if len(m) == 0 {
			t.Errorf("%s: no pair notices", variant)
			return
		}
		t.Logf("%s: noticed by %d pairs, for example %s", variant, len(m), m[0])
	}
	for _, part := range canon.PartNames() {
		restore := canon.DropPart(part)
		if part != "nest" { // javac writes no host that disagrees; see TestNestAgreement
			check("without part "+part, whole)
		}
		restore()
	}
	for name, meaning := range canon.Attributes {
		if meaning != canon.Reflect || slices.Contains([]string{"InnerClasses", "EnclosingMethod", "NestMembers"}, name) {
			continue // those have parts of their own
		}
		restore := canon.LeaveOut(name)
		check("without attribute "+name, whole)
		restore()
	}
	check("lambdas that share a name (S6.3)", (*canon.Set).ShareNames)
	check("references by the name in the file (S6.3)", (*canon.Set).KeepNames)
	check("numbers that strings tell (S6.3)", (*canon.Set).TellNothing)
}
