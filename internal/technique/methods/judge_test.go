package methods

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/hierarchy"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/technique"
)

// made is a program of tables that a test wrote down, with java/lang/Object in front.
type made struct {
	tables map[string]*table.Table
	raw    []string
	world  *hierarchy.World
}

func programOf(tables ...*table.Table) *made {
	m := &made{tables: map[string]*table.Table{}}
	for _, t := range tables {
		m.tables[t.File] = t
	}
	m.world = hierarchy.New(func(name string) (*hierarchy.Class, error) {
		if name == "java/lang/Object" {
			return &hierarchy.Class{Name: name, Major: 61, Access: classfile.Public, Methods: []hierarchy.Member{{Name: "hashCode", Descriptor: "()I", Access: classfile.Public}}}, nil
		}
		file, ok := m.Canonical(name)
		if !ok {
			return nil, hierarchy.ErrNotFound
		}
		return m.tables[file].Hierarchy(), nil
	})
	return m
}

func (m *made) Find(e rts.Entity) (Program, string, bool) {
	_, class, ok := strings.Cut(e.Name, "!")
	if !ok {
		class = e.Name
	}
	return m, class, true
}

func (m *made) Table(class string) (*table.Table, error) { return m.tables[class], nil }
func (m *made) Raw(name string) bool                     { return slices.Contains(m.raw, name) }
func (m *made) World() *hierarchy.World                  { return m.world }

func (m *made) Canonical(name string) (string, bool) {
	if t, ok := m.tables[name]; ok && t.Name == name {
		return name, true
	}
	for file, t := range m.tables {
		if table.WorldName(t.Name) == table.WorldName(name) {
			return file, true
		}
	}
	return "", false
}

func (m *made) Subtypes(names ...string) ([]string, error) {
	all := slices.Clone(names)
	for i := 0; i < len(all); i++ {
		for _, t := range m.tables {
			if name := table.WorldName(t.Name); table.WorldName(t.Super) == all[i] && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all, nil
}

// class writes a table down. Methods are names, each with a version of its body behind a sign: "m=1".
func class(name, super string, methods ...string) *table.Table {
	t := &table.Table{Name: name, File: name, Super: super, Major: 61, Access: classfile.Public, Link: digest.OfString("link " + super), Reflect: digest.OfString(strings.Join(methods, " "))}
	for _, m := range methods {
		n, body, _ := strings.Cut(m, "=")
		t.Methods = append(t.Methods, table.Method{Name: n, Descriptor: "()I", FileName: n, FileDescriptor: "()I", Access: classfile.Public, Body: digest.OfString(body)})
	}
	slices.SortFunc(t.Methods, func(a, b table.Method) int { return a.Compare(&b) })
	return t
}

// use is a use of a table that covers methods, and that the class was touched.
func use(b bodies, prefix string, t *table.Table, methods ...string) rts.Use {
	u := rts.Use{Entity: rts.Entity{Kind: KindClass, Name: prefix + t.File}, Digest: t.Digest(), Entries: []uint32{table.Touched}}
	for _, m := range methods {
		_, entry, ok := t.Method(m, "()I")
		if !ok {
			panic("there is no method " + m)
		}
		u.Entries = append(u.Entries, entry)
	}
	slices.Sort(u.Entries)
	b[u.Digest] = t.Append(nil)
	return u
}

func (m *made) trace(uses ...rts.Use) technique.Trace {
	all := rts.SortUses(uses)
	t := technique.Trace{Of: func(e rts.Entity) ([]rts.Use, error) { return rts.UsesOf(all, e), nil }}
	for _, u := range all {
		_, name, _ := m.Find(u.Entity)
		now := digest.Absent
		if tab := m.tables[name]; tab != nil {
			now = tab.Digest()
		}
		if !now.Same(u.Digest) {
			t.Stale = append(t.Stale, technique.Stale{Use: u, Now: now})
		}
	}
	return t
}

// Two traces that were recorded on different revisions of the same class are each compared with their own, in whatever order they come.
func TestOwnRevision(t *testing.T) {

	now := programOf(class("p/A", object, "m=1"), class("p/B", "p/A", "m=2"), class("p/C", "p/B"))
	without, with := class("p/B", "p/A"), class("p/B", "p/A", "k=3", "m=2")
	b := bodies{}
	first := now.trace(use(b, "", now.tables["p/A"], "m"), use(b, "", without), use(b, "", now.tables["p/C"]))
	second := now.trace(use(b, "", now.tables["p/A"], "m"), use(b, "", with), use(b, "", now.tables["p/C"]))
	for _, order := range [][]technique.Trace{{first, second}, {second, first}} {
		judge := New(b, now, safety.Rules{})
		for _, trace := range order {
			got := verdict(t, judge, trace)
			want := "harmless"
			if trace.Stale[0].Use.Digest == without.Digest() {
				want = "p/B: p/B.m()I is now found in p/B instead of p/A"
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	}
}

// The same class in two programs is two classes.
func TestScopes(t *testing.T) {

	now := programOf(class("p/A", object, "m=1"), class("p/B", "p/A", "m=2"))
	old := class("p/B", "p/A")
	b := bodies{}
	// The subclass is used in one module, the method that it overrides now was entered in the other.
	apart := now.trace(use(b, "one!", now.tables["p/A"]), use(b, "one!", old), use(b, "two!", now.tables["p/A"], "m"))
	if got := verdict(t, New(b, now, safety.Rules{}), apart); got != "harmless" {
		t.Error(got)
	}
	one := now.trace(use(b, "one!", now.tables["p/A"], "m"), use(b, "one!", old))
	if got, want := verdict(t, New(b, now, safety.Rules{}), one), "one!p/B: p/B.m()I is now found in p/B instead of p/A"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestUndecided(t *testing.T) {

	renamed := func(file string) *table.Table {
		c := class("p/A.m()V.anon#0", object, "m=1")
		c.File = file
		return c
	}
	lambda := func(file string) *table.Table {
		c := class("p/A", object, "m()V.lambda#0=1")
		c.Methods[0].FileName = file
		return c
	}
	opaque := class("p/A", object, "m=2")
	opaque.Opaque = "Mystery"
	twice := class("p/A", object, "m=1", "m=2")
	for _, c := range []struct {
		name     string
		old, now *table.Table
		raw      string
		forget   bool
		want     string
	}{
		{name: "renumbered", old: renamed("p/A$1"), now: renamed("p/A$2"), want: "harmless"},
		{name: "renumbered, named elsewhere", old: renamed("p/A$1"), now: renamed("p/A$2"), raw: "p/A$1", want: "p/A$1: class p/A.m()V.anon#0 has another number, and its old one is named elsewhere"},
		{name: "lambda", old: lambda("lambda$m$0"), now: lambda("lambda$m$1"), want: "harmless"},
		{name: "lambda, named elsewhere", old: lambda("lambda$m$0"), now: lambda("lambda$m$1"), raw: ".lambda$m$0", want: "p/A: method p/A.m()V.lambda#0()I has another number, and its old one is named elsewhere"},
		{name: "another class under the number", old: renamed("p/A$1"), now: class("p/A$1", object), want: "p/A$1: class p/A.m()V.anon#0 is gone"},
		{name: "opaque", old: class("p/A", object, "m=1"), now: opaque, want: "p/A: class p/A has parts of unknown meaning"},
		{name: "twice", old: class("p/A", object, "m=1"), now: twice, want: "p/A: class p/A has a method twice"},
		{name: "forgotten", old: class("p/A", object, "m=1"), now: class("p/A", object, "m=2"), forget: true, want: "p/A: its recorded table is not known"},
	} {
		t.Run(c.name, func(t *testing.T) {
			now, b := programOf(c.now), bodies{}
			now.raw = []string{c.raw}
			trace := now.trace(use(b, "", c.old))
			if c.forget {
				clear(b)
			}
			if got := verdict(t, New(b, now, safety.Rules{}), trace); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	now, b := programOf(class("p/A", object, "m=2")), bodies{}
	trace := now.trace(use(b, "", class("p/A", object, "m=1")))
	for d := range b {
		b[d] = []byte("no table")
	}
	if got := verdict(t, New(b, now, safety.Rules{}), trace); !strings.Contains(got, "cannot be read") {
		t.Errorf("a body that is no table: %s", got)
	}
	clear(b)
	if got := verdict(t, New(b, now, safety.Without(safety.MissingBodyIsWhole)), trace); got != "harmless" {
		t.Errorf("without S2.1: %s", got)
	}
}

// What is no class counts whenever it differs.
func TestOtherKinds(t *testing.T) {
	now := programOf()
	s := technique.Stale{Use: rts.Use{Entity: rts.Entity{Kind: rts.KindFile, Name: "a.txt"}, Digest: digest.OfString("1")}, Now: digest.OfString("2"), Through: "set-up"}
	reasons, _, err := New(bodies{}, now, safety.Rules{}).Judge(technique.Trace{Stale: []technique.Stale{s}})
	if err != nil || len(reasons) != 1 || reasons[0].Code != rts.InputChanged || len(reasons[0].Path) != 2 {
		t.Errorf("%v %v", reasons, err)
	}
}

type lost struct{}

func (lost) Body(digest.Digest) ([]byte, bool, error) { return nil, false, errors.New("lost") }

func TestErrors(t *testing.T) {

	now, b := programOf(class("p/A", object, "m=1"), class("p/B", "p/A", "m=2")), bodies{}
	trace := now.trace(use(b, "", class("p/B", "p/A")))
	if _, _, err := New(lost{}, now, safety.Rules{}).Judge(trace); err == nil {
		t.Error("a body that cannot be got is no error")
	}
	trace.Of = func(rts.Entity) ([]rts.Use, error) { return nil, errors.New("lost") }
	if _, _, err := New(b, now, safety.Rules{}).Judge(trace); err == nil {
		t.Error("uses that cannot be got are no error")
	}
}

// BenchmarkJudge judges 5,000 traces of 200 uses each, with ten changed classes of which five have other declarations.
func BenchmarkJudge(b *testing.B) {
	now, traces, old := workload(5000)
	b.ResetTimer()
	affected := 0
	for b.Loop() {
		affected = 0
		judge := New(old, now, safety.Rules{})
		for _, trace := range traces {
			reasons, _, err := judge.Judge(trace)
			if err != nil {
				b.Fatal(err)
			}
			if len(reasons) > 0 {
				affected++
			}
		}
	}
	b.ReportMetric(float64(affected), "affected")
}

func workload(n int) (*made, []technique.Trace, bodies) {
	const bases, subs = 10, 40
	tables := []*table.Table{class("p/R", object, "q=1")}
	var before []*table.Table
	for i := range bases {
		var methods []string
		for k := range 30 {
			methods = append(methods, fmt.Sprintf("m%d=%d", k, k))
		}
		name := fmt.Sprintf("p/C%d", i)
		old := class(name, "p/R", methods...)
		before = append(before, old)
		methods[29] = "m29=changed"
		if i%2 == 0 {
			methods = append(methods, "q=2", "added=1")
		}
		tables = append(tables, class(name, "p/R", methods...))
		for k := range subs {
			tables = append(tables, class(fmt.Sprintf("%sSub%d", name, k), name, "m0=1"))
		}
	}
	now, b := programOf(tables...), bodies{}
	r := rand.New(rand.NewPCG(1, 2))
	traces := make([]technique.Trace, n)
	for i := range traces {
		uses := []rts.Use{use(b, "", tables[0])}
		if r.IntN(10) == 0 {
			uses[0] = use(b, "", tables[0], "q")
		}
		for k, old := range before {
			if r.IntN(2) == 0 {
				continue
			}
			u := use(b, "", old, fmt.Sprintf("m%d", r.IntN(29)), "m1")
			u.Entries = slices.Compact(u.Entries)
			uses = append(uses, u)
			for range subs {
				sub := tables[k*(subs+1)+2+r.IntN(subs)]
				uses = append(uses, use(b, "", sub))
			}
		}
		traces[i] = now.trace(uses...)
	}
	return now, traces, b
}
