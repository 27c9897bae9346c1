package methods

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"winnow/internal/digest"
	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/technique"
)

// A pair is a file of testdata/pairs: two versions of a program, what a test of the old one did, and what is to be said about it. The lines of its head:
//
//	enter    methods that were entered
//	reflect  classes that were looked at by reflection
//	absent   classes that were looked for in vain
//	whole    classes that count as wholes
//	keep     classes of which the new version has the old class file
//	corrupt  classes of which the new version has a damaged class file
//	want     "harmless", or the class and the words of the reason
//	rule     the rule without which the test would be left out
type pair struct {
	name     string
	head     map[string][]string
	want     string
	rule     safety.Rule
	old, now *table.Program
	oldDir   string
	newDir   string
	bodies   bodies
}

// bodies are those of a recording.
type bodies map[digest.Digest][]byte

func (b bodies) Body(d digest.Digest) ([]byte, bool, error) {
	body, ok := b[d]
	return body, ok, nil
}

// only is a state with one program, without a prefix of names.
type only struct{ *table.Program }

func (o only) Find(e rts.Entity) (Program, string, bool) { return o.Program, e.Name, true }

func readPairs(t *testing.T) []*pair {
	t.Helper()
	paths, err := filepath.Glob("testdata/pairs/*.txtar")
	if err != nil || len(paths) < 40 {
		t.Fatalf("%d pairs, %v", len(paths), err)
	}
	compiler := jvmtest.NewCompiler(t, jvmtest.JDK(t, 17))
	var out []*pair
	for _, path := range paths {
		out = append(out, readPair(t, compiler, path))
	}
	return out
}

func readPair(t *testing.T, compiler *jvmtest.Compiler, path string) *pair {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil || len(archive.Files) != 2 {
		t.Fatalf("%s: %v", path, err)
	}
	p := &pair{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), head: map[string][]string{}, bodies: bodies{}}
	for line := range strings.Lines(string(archive.Comment)) {
		key, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "enter", "reflect", "absent", "whole", "keep", "corrupt":
			p.head[key] = strings.Fields(rest)
		case "want":
			p.want = rest
		case "rule":
			p.rule = safety.Rule(rest)
		default:
			t.Fatalf("%s: %s", path, line)
		}
	}
	var versions [2]map[string][]byte
	for i := range versions {
		if versions[i], err = compiler.Compile(map[string]string{"p/T.java": "package p;\n" + string(archive.Files[i].Data)}); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	for _, class := range p.head["keep"] {
		versions[1][class] = versions[0][class]
	}
	for _, class := range p.head["corrupt"] {
		versions[1][class] = versions[1][class][:30]
	}
	p.oldDir, p.newDir = t.TempDir(), t.TempDir()
	jvmtest.WriteClasses(t, p.oldDir, versions[0])
	jvmtest.WriteClasses(t, p.newDir, versions[1])
	p.old, p.now = open(t, p.oldDir), open(t, p.newDir)
	return p
}

func open(t testing.TB, dir string) *table.Program {
	t.Helper()
	p, err := table.Open(context.Background(), table.Options{JDK: jvmtest.JDK(t, 17), ClassPath: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// A recorder makes the uses of a test as a front end would: what was entered, what that names, and all supertypes.
type recorder struct {
	t    testing.TB
	p    *table.Program
	uses map[string]rts.Use
	// bodies get the tables of the uses.
	bodies bodies
}

func (r *recorder) touch(class string) {
	if _, ok := r.uses[class]; ok || r.p.JDK(class) {
		return
	}
	u := rts.Use{Entity: rts.Entity{Kind: KindClass, Name: class}, Digest: r.p.Digest(class)}
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

func (r *recorder) enter(method string) {
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
	unresolved, err := r.p.Unresolved(class, rest[:paren], rest[paren:])
	if err != nil || len(unresolved) > 0 {
		r.t.Fatalf("%s: unresolved %v, %v", method, unresolved, err)
	}
}

// trace records the test of a pair.
func (p *pair) trace(t testing.TB) technique.Trace {
	r := &recorder{t: t, p: p.old, uses: map[string]rts.Use{}, bodies: p.bodies}
	for _, m := range p.head["enter"] {
		r.enter(m)
	}
	for _, class := range p.head["reflect"] {
		r.touch(class)
		r.cover(class, table.Reflected)
	}
	for _, class := range p.head["absent"] {
		r.touch(class)
	}
	for _, class := range p.head["whole"] {
		u := r.uses[class]
		u.Entries = nil
		r.uses[class] = u
	}
	return traceOf(r.uses, p.now)
}

func traceOf(uses map[string]rts.Use, now *table.Program) technique.Trace {
	var all []rts.Use
	for _, u := range uses {
		all = append(all, u)
	}
	all = rts.SortUses(all)
	trace := technique.Trace{Of: func(e rts.Entity) ([]rts.Use, error) { return rts.UsesOf(all, e), nil }}
	for _, u := range all {
		if d := now.Digest(u.Entity.Name); !d.Same(u.Digest) {
			trace.Stale = append(trace.Stale, technique.Stale{Use: u, Now: d})
		}
	}
	return trace
}

// verdict is what a judge says, in words.
func verdict(t *testing.T, judge technique.Judge, trace technique.Trace) string {
	t.Helper()
	if len(trace.Stale) == 0 {
		t.Fatal("nothing differs")
	}
	reasons, harmless, err := judge.Judge(trace)
	if err != nil {
		t.Fatal(err)
	}
	if len(reasons) == 0 {
		if len(harmless) != len(trace.Stale) || slices.ContainsFunc(harmless, func(d rts.Difference) bool { return d.Why == "" }) {
			t.Errorf("%d differences, arguments %v", len(trace.Stale), harmless)
		}
		return "harmless"
	}
	var out []string
	for _, r := range reasons {
		out = append(out, fmt.Sprintf("%s: %s", r.Entity.Name, r.Detail))
	}
	return strings.Join(out, "\n")
}

// Each pair gets the answer that its file gives, and without its rule the test would be left out.
func TestPairs(t *testing.T) {
	rules := map[safety.Rule]int{}
	pairs := readPairs(t)
	for _, p := range pairs {
		t.Run(p.name, func(t *testing.T) {
			trace := p.trace(t)
			got := verdict(t, New(p.bodies, only{p.now}, safety.Rules{}), trace)
			if !slices.Contains(strings.Split(got, "\n"), p.want) {
				t.Errorf("got  %s\nwant %s", got, p.want)
			}
			if p.rule == "" {
				return
			}
			rules[p.rule]++
			if got := verdict(t, New(p.bodies, only{p.now}, safety.Without(p.rule)), trace); got != "harmless" {
				t.Errorf("without %s: %s", p.rule, got)
			}
		})
	}
	for _, r := range []safety.Rule{Bodies, Link, Reflection, Dispatch, Undecided} {
		if rules[r] == 0 {
			t.Errorf("no pair needs rule %s", r)
		}
	}
	t.Run("judged by a JVM", func(t *testing.T) { judgeByJVM(t, pairs) })
}

// judgeByJVM runs both versions of every pair: what is called harmless must give the same result.
func judgeByJVM(t *testing.T, pairs []*pair) {
	args := []string{"testdata/run/Run.java"}
	for _, p := range pairs {
		args = append(args, p.oldDir, p.newDir)
	}
	cmd := jvmtest.Command(jvmtest.JDK(t, 17), "java", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != 2*len(pairs) {
		t.Fatalf("%d results of %d pairs:\n%s", len(lines), len(pairs), out)
	}
	for i, p := range pairs {
		if p.want == "harmless" && lines[2*i] != lines[2*i+1] {
			t.Errorf("%s is not harmless: %s, then %s", p.name, lines[2*i], lines[2*i+1])
		}
	}
}
