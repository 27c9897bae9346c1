// Package techniquetest plays small evolving programs for the tests of techniques: real javac, a real JVM, recorded as the product records.
//
// A program is a text in the form of package evolve:
//
//	name figure
//	seed 0
//	revision
//	revision
//	-- 0/src/p/A.java --
//	…
//	-- 0/test/t/FirstTest.java --
//	package t; public class FirstTest { public Object[] m() { … } }
//	-- 1/src/p/A.java --
//
// A test is a public method without parameters of a public class whose file ends in Test.java; it fails by throwing. Each has a class loader of its own.
package techniquetest

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/check/evolve"
	"winnow/internal/check/pool"
	"winnow/internal/check/subject"
	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/observed"
)

// A Revision is one revision of a program with all its tests.
type Revision struct {
	Program *observed.Program
	Runs    []observed.Run
}

// Feature is the version of the JDK that programs run on.
const Feature = 17

// Observe compiles and runs every revision of a program.
func Observe(t *testing.T, text string) []Revision {
	t.Helper()
	e, err := evolve.ParseEvolving([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	jdk := jvmtest.JDK(t, Feature)
	p, err := pool.Open(context.Background(), pool.Config{JDK: jdk, Workers: 1, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	shelf := &observed.Shelf{}
	t.Cleanup(func() { shelf.Close() })
	var out []Revision
	for i := range e.Revisions {
		out = append(out, observe(t, p, shelf, jdk, &e.Revisions[i]))
	}
	return out
}

func observe(t *testing.T, p *pool.Pool, shelf *observed.Shelf, jdk string, r *evolve.Revision) Revision {
	t.Helper()
	ctx, files := context.Background(), map[string]string{}
	maps.Copy(files, r.Sources)
	maps.Copy(files, r.Tests)
	made, err := p.Compile(ctx, pool.Source{Files: files})
	if err != nil || !made.OK {
		t.Fatalf("compile: %v\n%v", err, made)
	}
	dir := filepath.Join(t.TempDir(), "classes")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	m := &subject.Material{}
	if err := m.Classes(ctx, jdk, dir, made.Classes); err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var classes []string
	for _, file := range slices.Sorted(maps.Keys(r.Tests)) {
		if name, ok := strings.CutSuffix(file, ".java"); ok && strings.HasSuffix(name, "Test") {
			classes = append(classes, name)
		}
	}
	tests, err := m.FindTests(classes)
	if err != nil {
		t.Fatal(err)
	}
	run, err := p.Run(ctx, pool.Job{Classes: made.Classes, Resources: r.Resources, Tests: tests, Isolation: pool.PerTest, Record: true, Detail: true})
	if err != nil {
		t.Fatal(err)
	}
	program, err := shelf.Program(&observed.Unit{Classes: made.Classes, JDK: jdk, Feature: Feature})
	if err != nil {
		t.Fatal(err)
	}
	return Revision{program, subject.Observe(run, true, program)}
}

// Play lets a selector go through revisions, and returns the tests that it selects at each, as "t.FirstTest.m", sorted. Each selection's reasons must not be empty.
func Play(t *testing.T, s observed.Selector, revisions []Revision) [][]string {
	t.Helper()
	var out [][]string
	for i, r := range revisions {
		var tests []observed.Test
		for _, run := range r.Runs {
			tests = append(tests, run.Test)
		}
		selected, err := s.Select(r.Program, tests)
		if err != nil {
			t.Fatalf("revision %d: %v", i, err)
		}
		var ran []observed.Run
		for _, run := range r.Runs {
			if reason, ok := selected[run.Test.ID]; ok {
				if reason == "" {
					t.Errorf("revision %d: %s is selected without a reason", i, run.Test.ID)
				}
				ran = append(ran, run)
			}
		}
		if err := s.Ran(r.Program, ran); err != nil {
			t.Fatalf("revision %d: %v", i, err)
		}
		out = append(out, slices.Sorted(maps.Keys(selected)))
	}
	return out
}
