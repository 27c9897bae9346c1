package instrument

import (
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	asm "winnow/internal/jvm/assemble"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/jvmtest"
)

var (
	programs  = flag.Int("programs", 30, "how many generated programs TestTraces runs")
	firstSeed = flag.Uint64("first", 1, "the first seed of generated programs")
)

// support are the classes that generated programs use.
var support = map[string]string{
	"E1.java":  "class E1 extends RuntimeException { final int v; E1(int v) { this.v = v; } }",
	"E2.java":  "class E2 extends E1 { E2(int v) { super(v > 2 ? v : -v); } }",
	"Box.java": "class Box { final long v; Box(long v, double d) { if (d > v) v = -v; this.v = v; } }",
}

// TestTraces runs generated programs, and ones that no compiler makes, with probes on their edges and compares what the probes saw with the edges that an interpreter of the original
// took: exactly the same.
func TestTraces(t *testing.T) {
	sources := maps.Clone(support)
	seeds := map[string]uint64{}
	var names []string
	for i := range *programs {
		seed := *firstSeed + uint64(i)
		name := fmt.Sprintf("P%d", seed)
		sources[name+".java"] = newProgram(name, seed, usual).text()
		names = append(names, name)
		seeds[name] = seed
	}
	classes := jvmtest.Javac(t, jvmtest.JDK(t, features[0]), sources, "-g")
	for _, e := range assembled(t) {
		if !strings.HasPrefix(e.name, "Pool") && e.name != "TooLong" && e.name != "Longest" {
			classes[e.name] = e.data
			names = append(names, e.name)
		}
	}
	classes["JoinedHandler"] = joinedHandler(t)
	classes["ManyArms"] = manyArms(t)
	names = append(names, "JoinedHandler", "ManyArms")
	for _, w := range traces(t, features, classes, names) {
		t.Error(w.text)
		if seed, ok := seeds[w.name]; ok {
			t.Errorf("-first %d -programs 1; %s", seed, shrunk(t, w.feature, seed))
			return // one is enough to begin with
		}
	}
}

// shrunk is the smallest program of a seed that is wrong, too.
func shrunk(t *testing.T, feature int, seed uint64) string {
	t.Helper()
	sources := maps.Clone(support)
	var names []string
	for most := range usual {
		name := fmt.Sprintf("P%dOf%d", seed, most)
		names = append(names, name)
		sources[name+".java"] = newProgram(name, seed, most).text()
	}
	wrong := traces(t, []int{feature}, jvmtest.Javac(t, jvmtest.JDK(t, features[0]), sources, "-g"), names)
	if len(wrong) == 0 {
		return "no smaller program is wrong"
	}
	return wrong[0].text + "\n" + sources[wrong[0].name+".java"]
}

// A mismatch is a program whose probes did not see what they should.
type mismatch struct {
	feature    int
	name, text string
}

// traces runs programs on JDKs, and returns those that are wrong, in the order of names.
func traces(t *testing.T, features []int, classes map[string][]byte, names []string) []mismatch {
	t.Helper()
	w := weaveAll(t, classes)
	it := newInterpreter(t, classes)
	want := map[string][2]string{}
	wrong := rotated(w.ids)
	total := 0
	for _, name := range names {
		want[name] = [2]string{it.result(t, name), it.hits(t, w.ids, w.edgeless)}
		total += strings.Count(want[name][1], " ")
		if it.hits(t, wrong, w.edgeless) == want[name][1] && strings.HasPrefix(name, "P") {
			t.Errorf("%s would not notice probes at wrong edges", name)
		}
	}
	t.Logf("%d programs, %d probes of %d hit", len(names), total, w.base)
	if total < 10*len(names) {
		t.Errorf("only %d probes were hit", total)
	}
	var out []mismatch
	for _, feature := range features {
		out = append(out, runTraces(t, feature, classes, w.after, names, want)...)
	}
	return out
}

// runTraces compares what a JVM says with what it should.
func runTraces(t *testing.T, feature int, before, after map[string][]byte, names []string, want map[string][2]string) []mismatch {
	t.Helper()
	j := newJVM(t, feature)
	one, two := filepath.Join(j.dir, "one"), filepath.Join(j.dir, "two")
	jvmtest.WriteClasses(t, one, before)
	jvmtest.WriteClasses(t, two, after)
	answer := j.ask(append(j.withProbe(), verifyAll), "run", append([]string{one + "/", two + "/"}, names...)...)
	var out []mismatch
	for i, name := range names {
		was, is, seen := answer[3*i][1], answer[3*i+1][1], answer[3*i+2][1]
		seen, _, _ = strings.Cut(seen, "[")
		if was != is || was != want[name][0] || seen != want[name][1] {
			out = append(out, mismatch{feature, name, fmt.Sprintf("JDK %d: %s gives %q, gave %q, and should %q; the probes saw\n%s and should\n%s", feature, name, is, was, want[name][0], seen, want[name][1])})
		}
	}
	return out
}

// A woven is classes with probes on their edges.
type woven struct {
	after    map[string][]byte
	ids      map[taken]int
	edgeless map[string]bool // class and method
	base     int             // number of ids
}

func weaveAll(t *testing.T, classes map[string][]byte) *woven {
	t.Helper()
	w := &woven{after: map[string][]byte{}, ids: map[taken]int{}, edgeless: map[string]bool{}}
	r := newRewriter(t, Scheme{Edges: true})
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		res, err := r.Rewrite(classes[name])
		if err != nil {
			t.Fatal(err)
		}
		if err := wellEdged(classes[name], res); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := res.Rebase(w.base); err != nil {
			t.Fatal(err)
		}
		for _, e := range res.Edges {
			w.ids[taken{name, e.Method, e.Edge}] = w.base + e.ID
		}
		for _, u := range res.Edgeless {
			w.edgeless[fmt.Sprint(name, u.Method)] = true
			w.ids[taken{name, u.Method, 0}] = w.base + slices.IndexFunc(res.Probes, func(p Probe) bool { return p.Method == u.Method })
		}
		for _, u := range res.Unprobed {
			w.edgeless[fmt.Sprint(name, u.Method)] = true
		}
		w.base += res.IDs
		w.after[name] = res.Bytes
	}
	return w
}

// rotated gives each edge of a method the id of the next one: what a rewriter would do that puts probes at wrong places.
func rotated(ids map[taken]int) map[taken]int {
	out := map[taken]int{}
	for e := range ids {
		next := taken{e.class, e.method, e.edge + 1}
		if _, ok := ids[next]; !ok {
			next.edge = 0
		}
		out[e] = ids[next]
	}
	return out
}

// result is what run() of a class returns.
func (it *interpreter) result(t *testing.T, name string) string {
	t.Helper()
	it.reset()
	v, thrown, err := it.call(classfile.Ref{Class: name, Name: "run", Descriptor: "()Ljava/lang/String;"}, nil)
	if err != nil || thrown != nil {
		t.Fatalf("%s: %v, %v", name, thrown, err)
	}
	return v.(string)
}

// hits are the probes of the edges that were taken, as the judge writes them.
func (it *interpreter) hits(t *testing.T, ids map[taken]int, edgeless map[string]bool) string {
	t.Helper()
	var hits []int
	for e := range it.took {
		id, ok := ids[e]
		if !ok && !edgeless[fmt.Sprint(e.class, e.method)] {
			t.Fatalf("edge %d of method %d of %s has no probe", e.edge, e.method, e.class)
		}
		if ok {
			hits = append(hits, id)
		}
	}
	slices.Sort(hits)
	text := ""
	for _, id := range slices.Compact(hits) {
		text += fmt.Sprint(id, " ")
	}
	return text
}

// joinedHandler has a handler that is also jumped to and fallen into.
func joinedHandler(t testing.TB) []byte {
	return handmade(t, "JoinedHandler", func(k *asm.Code) {
		again, out, zero, one, two, joined, start, end := k.Label(), k.Label(), k.Label(), k.Label(), k.Label(), k.Label(), k.Label(), k.Label()
		k.Op(bytecode.Iconst0, bytecode.Istore0)
		mark := func(l asm.Label, stack ...asm.Type) {
			k.Mark(l)
			k.Frame([]asm.Type{asm.Integer}, stack)
		}
		mark(again)
		k.Op(bytecode.Iload0)
		k.Table(0, out, zero, one, two)
		mark(zero)
		k.Increment(0, 1)
		k.Op(bytecode.AconstNull)
		k.Branch(bytecode.Goto, joined)
		mark(one)
		k.Increment(0, 1)
		k.Op(bytecode.AconstNull)
		mark(joined, asm.Object("java/lang/Throwable"))
		k.Op(bytecode.Pop)
		k.Branch(bytecode.Goto, again)
		mark(two)
		k.Increment(0, 1)
		k.Mark(start)
		k.Op(bytecode.Iconst1, bytecode.Iconst0, bytecode.Idiv)
		k.Mark(end)
		k.Op(bytecode.Ireturn)
		mark(out)
		k.Op(bytecode.Iload0, bytecode.Ireturn)
		k.Try(start, end, joined, "")
	})
}

// manyArms has switches and branches into blocks that others lead to, one of them the first, one with a long and objects that are not initialized on the stack.
func manyArms(t testing.TB) []byte {
	return handmade(t, "ManyArms", func(k *asm.Code) {
		top, mid, deep, other := k.Here(), k.Label(), k.Label(), k.Label()
		get := func() { k.Field(bytecode.Getstatic, "ManyArms", "n", "I") }
		k.Frame(nil, nil)
		get()
		k.Op(bytecode.Iconst1, bytecode.Iadd, bytecode.Dup)
		k.Field(bytecode.Putstatic, "ManyArms", "n", "I")
		k.Lookup(other, asm.Case{Key: 1, To: top}, asm.Case{Key: 2, To: top}, asm.Case{Key: 3, To: mid}, asm.Case{Key: 4, To: mid}, asm.Case{Key: 9, To: other})
		k.Mark(mid)
		k.Frame(nil, nil)
		k.Op(bytecode.Lconst1)
		made := k.Here()
		k.Class(bytecode.New, "java/lang/Object")
		k.Op(bytecode.Dup)
		get()
		k.Branch(bytecode.Ifeq, deep)
		get()
		k.Op(bytecode.Iconst3)
		k.Branch(bytecode.IfIcmpeq, deep)
		k.Mark(deep)
		k.Frame(nil, []asm.Type{asm.Long, asm.Uninitialized(made), asm.Uninitialized(made)})
		k.Invoke(bytecode.Invokespecial, classfile.Ref{Tag: classfile.TagMethodref, Class: "java/lang/Object", Name: "<init>", Descriptor: "()V"})
		k.Op(bytecode.Pop, bytecode.Pop2)
		k.Branch(bytecode.Goto, top)
		k.Mark(other)
		k.Frame(nil, nil)
		get()
		k.Op(bytecode.Ireturn)
	})
}

// handmade is a class with a static int n, f() and run().
func handmade(t testing.TB, name string, build func(k *asm.Code)) []byte {
	t.Helper()
	c := asm.New(asm.Header{Major: 52, Access: classfile.Public, Name: name, Super: "java/lang/Object"})
	c.AddField(classfile.Static, "n", "I")
	k := c.Code()
	build(k)
	c.AddMethod(classfile.Public|classfile.Static, "f", "()I", k)
	k = c.Code()
	k.Invoke(bytecode.Invokestatic, classfile.Ref{Tag: classfile.TagMethodref, Class: name, Name: "f", Descriptor: "()I"})
	k.Invoke(bytecode.Invokestatic, classfile.Ref{Tag: classfile.TagMethodref, Class: "java/lang/String", Name: "valueOf", Descriptor: "(I)Ljava/lang/String;"})
	k.Op(bytecode.Areturn)
	c.AddMethod(classfile.Public|classfile.Static, "run", "()Ljava/lang/String;", k)
	data, err := c.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}
