package verify

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/internal/digest"
	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/store"
	"winnow/internal/store/memory"
	"winnow/internal/vfs"
)

const test rts.TestID = "p.T#m"

var epoch = time.Date(2024, 5, 6, 7, 8, 9, 123e6, time.UTC)

// A scene is a project made by hand, with a store: what a run recorded, and what the last selection says of it.
type scene struct {
	t       testing.TB
	root    string
	setting *Setting
	rec     *rts.Recording
	more    []*rts.Recording
	sel     *rts.Selection
	options Options
}

func newScene(t testing.TB, classes map[string][]byte) *scene {
	t.Helper()
	s := &scene{t: t, root: t.TempDir(), sel: &rts.Selection{}}
	s.rec = &rts.Recording{Meta: rts.Meta{When: epoch, Revision: "0123456789abcdef"}, Bodies: map[digest.Digest][]byte{}}
	s.write(classes)
	s.setting = &Setting{JDK: jvmtest.JDK(t, 17), ClassPath: []string{s.path("classes"), s.path("more")}, Properties: map[string]string{}, Tools: map[string]string{}}
	s.options.Settings = []*Setting{s.setting}
	return s
}

func (s *scene) path(name string) string { return filepath.Join(s.root, filepath.FromSlash(name)) }

// write replaces the classes.
func (s *scene) write(classes map[string][]byte) {
	s.t.Helper()
	if err := os.RemoveAll(s.path("classes")); err != nil {
		s.t.Fatal(err)
	}
	jvmtest.WriteClasses(s.t, s.path("classes"), classes)
}

func (s *scene) file(name, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(s.path(name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) files() *vfs.Files {
	return vfs.NewFiles(vfs.NewRoots(vfs.Root{Name: "project", Path: s.root}))
}

// program opens the classes as recording does.
func (s *scene) program() *table.Program {
	s.t.Helper()
	p, err := table.Open(context.Background(), table.Options{JDK: s.setting.JDK, ClassPath: s.setting.ClassPath})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := p.Close(); err != nil {
			s.t.Error(err)
		}
	})
	return p
}

// passed adds a record and a proof that rests on it.
func (s *scene) passed(uses ...rts.Use) *scene {
	s.rec.Footprints = append(s.rec.Footprints, rts.Footprint{Uses: rts.SortUses(uses)})
	s.rec.Records = append(s.rec.Records, rts.Record{Test: test, Outcome: rts.Passed, Footprint: len(s.rec.Footprints) - 1})
	s.sel.Decisions = append(s.sel.Decisions, rts.Decision{Test: rts.Test{ID: test}, Proof: &rts.Proof{Meta: s.rec.Meta}})
	return s
}

// differs makes the proofs list differences.
func (s *scene) differs(names ...string) *scene {
	for i := range s.sel.Decisions {
		for _, name := range names {
			e := rts.Entity{Kind: kindClass, Name: name}
			s.sel.Decisions[i].Proof.Differences = append(s.sel.Decisions[i].Proof.Differences, rts.Difference{Entity: e, Why: "it does not matter"})
		}
	}
	return s
}

func (s *scene) check() *Report {
	s.t.Helper()
	ctx := context.Background()
	st := store.New(&memory.Backend{})
	for _, rec := range append([]*rts.Recording{s.rec}, s.more...) {
		if err := st.Append(ctx, rec); err != nil {
			s.t.Fatal(err)
		}
	}
	v, err := st.View(ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	defer v.Close()
	if s.options.Files == nil {
		s.options.Files = s.files()
	}
	rep, err := Check(ctx, v, s.sel, s.options)
	if err != nil {
		s.t.Fatal(err)
	}
	if rep.Proofs != rep.Held+rep.Broken+rep.Open || rep.Proofs != len(s.sel.Decisions) {
		s.t.Errorf("the figures do not add up: %+v", rep)
	}
	return rep
}

// want checks and compares what is said: lines "status entity: words", "" if all proofs hold.
func (s *scene) want(lines ...string) {
	s.t.Helper()
	if got := said(s.check()); !slices.Equal(got, lines) {
		s.t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(lines, "\n  "))
	}
}

func said(rep *Report) []string {
	var out []string
	for _, f := range rep.Findings {
		entity := "record"
		if f.Entity.Kind != "" {
			entity = f.Entity.String()
		}
		out = append(out, fmt.Sprintf("%s %s: %s", f.Status, entity, f.Says))
	}
	return out
}

// A recorder makes uses of classes as a front end does: what was entered, what that names, and all supertypes.
type recorder struct {
	t      testing.TB
	p      *table.Program
	scope  string
	uses   map[string]rts.Use
	bodies map[digest.Digest][]byte
}

func (s *scene) recorder() *recorder {
	return &recorder{t: s.t, p: s.program(), uses: map[string]rts.Use{}, bodies: s.rec.Bodies}
}

func (r *recorder) touch(class string) {
	if _, ok := r.uses[class]; ok || r.p.JDK(class) {
		return
	}
	u := rts.Use{Entity: rts.Entity{Kind: kindClass, Name: r.scope + class}, Digest: r.p.Digest(class)}
	r.uses[class] = u
	tab, err := r.p.Table(class)
	if err != nil {
		r.t.Fatal(err)
	}
	if tab == nil {
		return
	}
	r.cover(class, table.Touched)
	r.bodies[u.Digest] = tab.Append(nil)
	for _, above := range append([]string{tab.Super}, tab.Interfaces...) {
		if file, ok := r.p.Canonical(above); ok {
			r.touch(file)
		}
	}
}

func (r *recorder) cover(class string, entry uint32) {
	u := r.uses[class]
	u.Entries = append(slices.Clone(u.Entries), entry)
	slices.Sort(u.Entries)
	u.Entries = slices.Compact(u.Entries)
	r.uses[class] = u
}

// enter enters a method, written as p/A.m()V.
func (r *recorder) enter(methods ...string) *recorder {
	for _, method := range methods {
		class, rest, _ := strings.Cut(method, ".")
		paren := strings.IndexByte(rest, '(')
		r.touch(class)
		tab, err := r.p.Table(class)
		if tab == nil || err != nil {
			r.t.Fatalf("%s: %v", method, err)
		}
		entry, ok := tab.Entry(rest[:paren], rest[paren:])
		if !ok {
			r.t.Fatalf("there is no method %s", method)
		}
		r.cover(class, entry)
		refs, err := r.p.Refs(class)
		if err != nil {
			r.t.Fatal(err)
		}
		m, _ := refs.Method(rest[:paren], rest[paren:])
		for _, name := range m.Classes {
			r.touch(name)
		}
	}
	return r
}

func (r *recorder) reflect(classes ...string) *recorder {
	for _, class := range classes {
		r.touch(class)
		r.cover(class, table.Reflected)
	}
	return r
}

func (r *recorder) whole(classes ...string) *recorder {
	for _, class := range classes {
		u := r.uses[class]
		u.Entries = nil
		r.uses[class] = u
	}
	return r
}

func (r *recorder) list() []rts.Use { return slices.Collect(maps.Values(r.uses)) }

// fileDigest is the digest of a file's content, which names its SHA-256.
func fileDigest(content []byte) digest.Digest {
	sum := sha256.Sum256(content)
	return digest.Of(sum[:])
}
