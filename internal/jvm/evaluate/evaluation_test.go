package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRewindUndoesAnInterruptedStep(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store")
	db := filepath.Join(store, "store.db")
	if err := rewind(store, "00-winnow"); err != nil {
		t.Fatal(err)
	}
	write(t, db, "after the first step")
	if err := rewind(store, "00-again"); err != nil {
		t.Fatal(err)
	}
	write(t, db, "half of the second step")
	write(t, filepath.Join(store, "other"), "left by it")
	if err := rewind(store, "00-again"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(db); err != nil || string(got) != "after the first step" {
		t.Errorf("the store holds %q, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(store, "other")); err == nil {
		t.Error("what the interrupted step added is still there")
	}
}

func TestClock(t *testing.T) {
	var out strings.Builder
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c := newClock(&out, 10)
	c.now = func() time.Time { return now }
	c.start("a")
	now = now.Add(10 * time.Minute)
	c.end()
	c.skip(3)
	c.start("b")
	want := "03:04:05 [1/10] a (time left unknown)\n03:14:05 [5/10] b (about 1h0m0s left)\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestReadList(t *testing.T) {
	for name, text := range map[string]string{
		"no array":      `{}`,
		"unknown field": `[{"name":"a","clone":"c","tip":"t","mavn":[]}]`,
		"no tip":        `[{"name":"a","clone":"c"}]`,
		"a path":        `[{"name":"../a","clone":"c","tip":"t"}]`,
		"twice":         `[{"name":"a","clone":"c","tip":"t"},{"name":"a","clone":"c","tip":"t"}]`,
	} {
		file := filepath.Join(t.TempDir(), "projects.json")
		write(t, file, text)
		if got, err := readList(file); err == nil {
			t.Errorf("%s: got %v and no error", name, got)
		}
	}
	file := filepath.Join(t.TempDir(), "projects.json")
	write(t, file, `[{"name":"a","clone":"c","tip":"t","maven":["-o"]},{"name":"b","clone":"/c","tip":"t"}]`)
	got, err := readList(file)
	if err != nil || len(got) != 2 || got[0].Clone != filepath.Join(filepath.Dir(file), "c") || got[1].Clone != "/c" {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := choose(got, "c", 2); err == nil {
		t.Error("a project that is not there can be chosen")
	}
	if chosen, err := choose(got, "b", 1); err != nil || len(chosen) != 1 || chosen[0].Name != "b" {
		t.Errorf("chosen: %v, %v", chosen, err)
	}
	if chosen, err := choose(got, "", 1); err != nil || len(chosen) != 1 || chosen[0].Name != "a" {
		t.Errorf("chosen: %v, %v", chosen, err)
	}
}
