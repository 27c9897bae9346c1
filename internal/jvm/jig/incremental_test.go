package jig

import (
	"flag"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
	"winnow/internal/jvm/observed"
)

var rounds = flag.Int("jig.rounds", 6, "number of random revisions of a jar")

// classesOf reads the classes of a jar.
func classesOf(t testing.TB, jar string) map[string][]byte {
	t.Helper()
	path, err := classpath.OpenPath(feature, jar)
	if err != nil {
		t.Fatal(err)
	}
	defer path.Close()
	out := map[string][]byte{}
	for found, err := range path.Classes() {
		if err != nil {
			t.Fatal(err)
		}
		if out[found.Class], err = found.Read(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func libraries(t testing.TB) *observed.Libraries {
	t.Helper()
	l, err := observed.OpenLibraries(feature, jvmtest.JDK(t, feature))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// TestIncremental changes, removes and brings back random classes of commons-codec. A graph that reuses bodies equals the one from scratch, and only changed classes are read.
func TestIncremental(t *testing.T) {
	all, lib := classesOf(t, jvmtest.Jar(t, "commons-codec")), libraries(t)
	names := slices.Sorted(maps.Keys(all))
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	b := &Builder{}
	for round := range *rounds {
		now := maps.Clone(all)
		changed := 0
		for range round {
			name := names[r.IntN(len(names))]
			if r.IntN(3) == 0 {
				delete(now, name)
			} else if other, ok := altered(t, all[name], r); ok {
				now[name] = other
				changed++
			}
		}
		p, err := observed.NewProgram(now, lib)
		if err != nil {
			t.Fatal(err)
		}
		before := b.Read()
		got, err := b.Build(p)
		if err != nil {
			t.Fatal(err)
		}
		if read := b.Read() - before; round > 0 && read > 4*(round+1) { // a removed class can change the names in its group
			t.Errorf("round %d: %d classes were read for %d changed ones", round, read, changed)
		}
		want, err := (&Builder{}).Build(p)
		if err != nil {
			t.Fatal(err)
		}
		if !same(got, want) {
			t.Fatalf("round %d: the graph that reuses bodies is another one", round)
		}
		c, err := Compare(got, want)
		if err != nil || len(c.Dangers) != 0 {
			t.Fatalf("round %d: equal programs differ: %d dangerous edges, %v", round, len(c.Dangers), err)
		}
		b.Keep(p)
	}
}

// altered gives a method of a class another constant.
func altered(t *testing.T, data []byte, r *rand.Rand) ([]byte, bool) {
	t.Helper()
	c, err := classfile.Decode(slices.Clone(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range r.Perm(len(c.Methods)) {
		code, err := c.Code(&c.Methods[i])
		if err != nil {
			t.Fatal(err)
		}
		if code == nil {
			continue
		}
		var in bytecode.Instruction
		for pc := 0; pc < len(code.Bytes); pc += in.Len {
			if err := in.Decode(code.Bytes, pc); err != nil {
				t.Fatal(err)
			}
			if in.Op == bytecode.Iconst1 {
				code.Bytes[pc] = byte(bytecode.Iconst2)
				return c.Append(nil), true
			}
		}
	}
	return nil, false
}

func same(a, b *Graph) bool {
	return slices.Equal(a.words, b.words) && slices.Equal(a.special, b.special) && a.String() == b.String() &&
		maps.EqualFunc(a.calls, b.calls, slices.Equal) && maps.EqualFunc(a.made, b.made, slices.Equal) && maps.EqualFunc(a.statics, b.statics, slices.Equal)
}

// testDependenceOnOthers: what a class means in a graph depends on classes that it does not contain; a reused body must show it.
func testDependenceOnOthers(t *testing.T) {
	old := map[string]string{
		"A.java": "class A { static int f() { return 1; } }",
		"B.java": "class B extends A {}",
		"M.java": "class M { public static void main(String[] a) { B.f(); new B(); } }",
	}
	for name, c := range map[string]struct{ file, text, want string }{
		"static method": {"B.java", "class B extends A { static int f() { return 1; } }", "call of B.f()I --> A.f()I entry: word differs"},
		"supertype":     {"B.java", "class B extends A implements Runnable { public void run() {} }", "M.main([Ljava/lang/String;)V@3 --> M.main([Ljava/lang/String;)V@4: word differs"},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := revisions(t, nil, old, with(old, c.file, c.text))
			_, got := dangers(t, &Builder{Roots: Main}, before, after)
			if !slices.ContainsFunc(got, func(d string) bool { return d == c.want }) {
				t.Errorf("dangerous edges %q, want %q", got, c.want)
			}
		})
	}
}

// TestScale prints how long a project of the size of commons-lang3 takes.
func TestScale(t *testing.T) {
	all := classesOf(t, jvmtest.Jar(t, "commons-lang3"))
	p, err := observed.NewProgram(all, libraries(t))
	if err != nil {
		t.Fatal(err)
	}
	b := &Builder{}
	start := time.Now()
	g, err := b.Build(p)
	if err != nil {
		t.Fatal(err)
	}
	scratch := time.Since(start)
	start = time.Now()
	h, err := b.Build(p)
	if err != nil {
		t.Fatal(err)
	}
	again := time.Since(start)
	start = time.Now()
	c, err := Compare(g, h)
	if err != nil || len(c.Dangers) != 0 {
		t.Fatalf("%d dangerous edges, %v", len(c.Dangers), err)
	}
	t.Logf("%d classes, %d methods, %d nodes, %d edges: %v from scratch, %v again, %v to compare", len(all), len(g.bodies), g.NumNodes(), g.NumEdges(), scratch, again, time.Since(start))
	if scratch > 30*time.Second {
		t.Errorf("building took %v", scratch)
	}
}
