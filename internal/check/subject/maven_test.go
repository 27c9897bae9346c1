//go:build deep

package subject

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/check/rule"
)

var (
	only   = flag.String("only", "", "the `name` of one tool; all if not given")
	winnow = flag.String("winnow", "", "the `file` of the program; built if not given")
)

// tiny has two classes with a test each; the second edit breaks A.
func tiny() Files {
	rev := func(a, b int) map[string]string {
		class := func(name string, n int) string {
			return strings.NewReplacer("NAME", name, "N", string(rune('0'+n))).Replace("package p;\npublic class NAME { public int m() { return N; } }\n")
		}
		test := func(name string) string {
			return "package p;\npublic class " + name + "Test { @org.junit.Test public void t() { org.junit.Assert.assertEquals(1, new " + name + "().m()); } }\n"
		}
		return map[string]string{
			"src/main/java/p/A.java": class("A", a), "src/main/java/p/B.java": class("B", b),
			"src/test/java/p/ATest.java": test("A"), "src/test/java/p/BTest.java": test("B"),
		}
	}
	return Files{Revisions: []map[string]string{rev(1, 1), rev(1, 1), rev(2, 1)}}
}

func needMaven(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("mvn"); err != nil {
		t.Skip("needs Maven on the PATH")
	}
}

// scratch is a directory outside of the system's temporary one, which Ekstazi ignores.
func scratch(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(cache, 0o777); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(cache, "winnow-subject-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func words(s rule.Step) string {
	switch {
	case s.Crash != "":
		return "crash: " + s.Crash
	case s.NotApplicable != "":
		return "n/a: " + s.NotApplicable
	}
	var out []string
	for _, test := range s.Executed() {
		if s.Outcomes[test].Failed {
			test += " fails"
		}
		out = append(out, test)
	}
	return strings.Join(out, ", ")
}

// TestTools runs tools on two small projects: everything, nothing, and the one test that a change concerns.
func TestTools(t *testing.T) {
	needMaven(t)
	program := *winnow
	if program == "" {
		program = filepath.Join(t.TempDir(), "winnow")
		if out, err := exec.Command("go", "build", "-o", program, "winnow/cmd/winnow").CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	}
	tools := []*Tool{MavenAll(), Winnow(program), Ekstazi(), STARTS(), Clover()}
	if *only != "" {
		tools = slices.DeleteFunc(tools, func(t *Tool) bool { return t.Name != *only })
	}
	all := "p.ATest#t, p.BTest#t"
	want := map[string][]string{"retest-all": {all, all, "p.ATest#t fails, p.BTest#t"}}
	dir := scratch(t)
	for _, tool := range tools {
		err := tool.Try(context.Background(), dir, []Files{tiny(), tiny()}, func(w *Workspace) {
			w.Timeout = 3 * time.Minute
			w.Log = func(tool string, r int, output []byte) error {
				if testing.Verbose() {
					t.Logf("%s at revision %d:\n%s", tool, r, output)
				}
				return nil
			}
		}, func(k int, steps []Timed) error {
			expected := want[tool.Name]
			if expected == nil {
				expected = []string{all, "", "p.ATest#t fails"}
			}
			var said []string
			for _, s := range steps {
				said = append(said, words(s.Step))
			}
			if !slices.Equal(said, expected) {
				t.Errorf("%s on program %d: %q, want %q", tool.Name, k, said, expected)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
