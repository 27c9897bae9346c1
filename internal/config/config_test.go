package config

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/engine"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/vfs"
)

func TestErrorsNameLineAndRemedy(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"alway = [\"x\"]", `line 1: unknown key "alway"; did you mean "always"?`},
		{"# alwaysx\n\nzebra = 1", `line 3: unknown key "zebra"; known keys are always, opaque, ignore, inputs`},
		{"[[inputs]]\ntest = [\"*\"]\npaths = [\"a\"]", `line 2: unknown key "inputs.test"; did you mean "tests"?`},
		{"always = 3", "incompatible types"},
		{"always = [", "line 1:"},
		{"[[inputs]]\npaths = [\"a\"]", "names no tests"},
		{"[[inputs]]\ntests = [\"*\"]", "neither paths nor env"},
		{"[[inputs]]\ntests = [\"*\"]\npaths = [\"../x\"]", `line 3: path "../x" is not inside the project`},
		{"[[inputs]]\ntests = [\"*\"]\npaths = [\"/etc\"]", "not inside the project"},
		{"[[inputs]]\ntests = [\"*\"]\npaths = [\"x/../..\"]", "not inside the project"},
		{"opaque = [\"\"]", "empty pattern"},
	} {
		got, err := Parse(c.text)
		if err == nil || got != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Parse(%q): %v, want an error with %q", c.text, err, c.want)
		}
	}
}

func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), FileName)
	if c, err := Load(file); err != nil || len(c.Always) != 0 {
		t.Errorf("a missing file: %v, %v", c, err)
	}
	if err := os.WriteFile(file, []byte("always = ['a#*']\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if p, line := c.Matching(c.Always, "a#x"); p != "a#*" || line != 1 {
		t.Errorf("Matching = %q, %d", p, line)
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"a", "a", true}, {"a", "ab", false}, {"*", "", true}, {"a*c", "abbc", true}, {"a*c", "abb", false},
		{"?b", "ab", true}, {"?b", "b", false}, {"*#*x", "m#yx", true}, {"a**", "a", true}, {"", "a", false},
		{strings.Repeat("*a", 30), strings.Repeat("a", 29) + "b", false},
	} {
		if got := Match(c.pattern, c.name); got != c.want {
			t.Errorf("Match(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}

func TestIgnores(t *testing.T) {
	c := &Config{Ignore: []string{"drafts/", "old/*.xlsx"}}
	for path, want := range map[string]bool{"drafts/a/b.xlsx": true, "old/x.xlsx": true, "old/x.txt": false, "a/drafts": false, "x.xlsx": false} {
		if got := c.Ignores(path); got != want {
			t.Errorf("Ignores(%s) = %v", path, got)
		}
	}
}

// one is a project with one test that passes and uses nothing by itself.
type one struct{}

func (one) Digest(rts.Entity) digest.Digest { return digest.Absent }
func (one) Modules() []string               { return []string{"m"} }
func (one) Tests() []rts.Test               { return []rts.Test{{ID: "m#t", Module: "m"}} }
func (one) Run(_ context.Context, tests []rts.TestID, sink engine.Sink) error {
	for _, t := range tests {
		sink.Done(engine.Result{Record: rts.Record{Test: t, Outcome: rts.Passed}})
	}
	return nil
}

// cycle opens the project anew, selects, and runs what is selected.
func cycle(t *testing.T, c *Config, root string, st *store.Store) []rts.Reason {
	t.Helper()
	roots := vfs.NewRoots(vfs.Root{Name: "project", Path: root})
	p, err := c.Declare(one{}, vfs.NewFiles(roots), roots, root)
	if err != nil {
		t.Fatal(err)
	}
	e := &engine.Engine{Project: p, Store: st}
	sel, err := e.Select(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(context.Background(), sel, rts.Meta{}, nil); err != nil {
		t.Fatal(err)
	}
	return sel.Decisions[0].Reasons
}

func TestDeclaredInputsSelect(t *testing.T) {
	root := t.TempDir()
	write := func(rel, content string) {
		path := filepath.Join(root, rel)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Parse("[[inputs]]\ntests = ['m#*']\npaths = ['rates.csv', 'data/']\nenv = ['WINNOW_TEST_RATE']\n")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("WINNOW_TEST_RATE", "1")
	write("data/a", "1")
	st := store.New(&memory.Backend{})
	want := func(code rts.Code) {
		t.Helper()
		reasons := cycle(t, c, root, st)
		if code == "" {
			if len(reasons) != 0 {
				t.Errorf("selected: %v", reasons)
			}
			return
		}
		if len(reasons) == 0 || reasons[0].Code != code {
			t.Errorf("reasons %v, want %s", reasons, code)
		}
	}
	want(rts.NoRecord)
	want("")
	write("rates.csv", "5")
	want(rts.InputAppeared)
	want("")
	write("data/sub/b", "1")
	want(rts.InputChanged)
	write("data/sub/b", "2")
	want(rts.InputChanged)
	want("")
	t.Setenv("WINNOW_TEST_RATE", "2")
	want(rts.EnvChanged)
	want("")
}

func TestAlwaysAndOpaque(t *testing.T) {
	for text, code := range map[string]rts.Code{"always = ['m#t']": rts.Pinned, "opaque = ['m#t']": rts.Opaque} {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		st := store.New(&memory.Backend{})
		root := t.TempDir()
		cycle(t, c, root, st)
		if reasons := cycle(t, c, root, st); len(reasons) != 1 || reasons[0].Code != code || !strings.HasPrefix(reasons[0].Detail, "winnow.toml:1 ") {
			t.Errorf("%s: reasons %v", text, reasons)
		}
	}
}
