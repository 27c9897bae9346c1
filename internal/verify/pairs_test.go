package verify

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"winnow/internal/jvm/jvmtest"
)

// The pairs of the technique are two versions of a program, what a test of the old one did, and whether that is affected. A proof for a test that is affected must not hold; one for a test
// that is not affected must hold, as far as the argument reaches: it reaches all of these.
func checkPairs(t *testing.T, compiler *jvmtest.Compiler) {
	paths, err := filepath.Glob("../technique/methods/testdata/pairs/*.txtar")
	if err != nil || len(paths) < 40 {
		t.Fatalf("%d pairs, %v", len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run(name, func(t *testing.T) {
			rep, harmless := checkPair(t, compiler, path)
			switch {
			case !harmless && rep.Held > 0:
				t.Error("the proof holds although the test is affected")
			case harmless && rep.Held == 0:
				t.Error("the proof does not hold although the test is not affected")
			}
			for _, line := range said(rep) {
				t.Log(line)
			}
		})
	}
}

func checkPair(t *testing.T, compiler *jvmtest.Compiler, path string) (rep *Report, harmless bool) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil || len(archive.Files) != 2 {
		t.Fatalf("%s: %v", path, err)
	}
	head := map[string][]string{}
	for line := range strings.Lines(string(archive.Comment)) {
		key, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		head[key] = strings.Fields(rest)
	}
	var versions [2]map[string][]byte
	for i := range versions {
		if versions[i], err = compiler.Compile(map[string]string{"p/T.java": "package p;\n" + string(archive.Files[i].Data)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, class := range head["keep"] {
		versions[1][class] = versions[0][class]
	}
	for _, class := range head["corrupt"] {
		versions[1][class] = versions[1][class][:30]
	}
	s := newScene(t, versions[0])
	r := s.recorder().enter(head["enter"]...).reflect(head["reflect"]...)
	for _, class := range head["absent"] {
		r.touch(class)
	}
	uses := r.whole(head["whole"]...).list()
	s.passed(uses...)
	if rep := s.check(); rep.Held != 1 {
		t.Errorf("with nothing changed: %v", said(rep))
	}
	s.write(versions[1])
	now := s.program()
	for _, u := range uses {
		if !now.Digest(u.Entity.Name).Same(u.Digest) {
			s.differs(u.Entity.Name)
		}
	}
	return s.check(), head["want"][0] == "harmless"
}
