package cfg

import (
	"strings"
	"testing"

	"winnow/internal/jvm/assemble"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// bodies are methods with all kinds of edges. want has a line for each block: its offsets, its last instruction and its edges, those on all paths with a star.
var bodies = []struct {
	name  string
	major uint16
	build func(k *assemble.Code)
	want  string
}{
	{"straight", 52, func(k *assemble.Code) { k.Op(bytecode.Nop, bytecode.Return) }, `
		entry: *begin 0
		0: 0-2 return; *return exit`},
	{"branch", 52, func(k *assemble.Code) {
		other, join := k.Label(), k.Label()
		k.Op(bytecode.Iconst0)
		k.Branch(bytecode.Ifeq, other)
		k.Op(bytecode.Nop)
		k.Branch(bytecode.Goto, join)
		k.Mark(other)
		k.Op(bytecode.Nop)
		k.Mark(join)
		k.Op(bytecode.Return)
	}, `
		entry: *begin 0
		0: 0-4 ifeq; fall 1, taken 2
		1: 4-8 goto; taken 3
		2: 8-9 nop; fall 3
		3: 9-10 return; *return exit`},
	{"branch to the next", 52, func(k *assemble.Code) {
		next := k.Label()
		k.Op(bytecode.Iconst0)
		k.Branch(bytecode.Ifeq, next)
		k.Mark(next)
		k.Op(bytecode.Return)
	}, `
		entry: *begin 0
		0: 0-4 ifeq; fall 1, taken 1
		1: 4-5 return; *return exit`},
	{"loop to the start", 52, func(k *assemble.Code) {
		start := k.Here()
		k.Op(bytecode.Iconst0)
		k.Branch(bytecode.Ifeq, start)
		k.Op(bytecode.AconstNull, bytecode.Athrow)
	}, `
		entry: *begin 0
		0: 0-4 ifeq; *fall 1, taken 0
		1: 4-6 athrow; *throw throw exit`},
	{"endless", 52, func(k *assemble.Code) { k.Branch(bytecode.Goto, k.Here()) }, `
		entry: *begin 0
		0: 0-3 goto; taken 0`},
	{"unreachable", 52, func(k *assemble.Code) { k.Op(bytecode.Return, bytecode.Nop, bytecode.Return) }, `
		entry: *begin 0
		0: 0-1 return; *return exit
		1: 1-3 return; return exit`},
	{"tableswitch", 52, func(k *assemble.Code) {
		a, b, other := k.Label(), k.Label(), k.Label()
		k.Op(bytecode.Iconst0)
		k.Table(7, other, a, other, b, a)
		for _, l := range []assemble.Label{a, b, other} {
			k.Mark(l)
			k.Op(bytecode.Return)
		}
	}, `
		entry: *begin 0
		0: 0-32 tableswitch; case default 3, case 7 1, case 9 2, case 10 1
		1: 32-33 return; return exit
		2: 33-34 return; return exit
		3: 34-35 return; return exit`},
	{"lookupswitch", 52, func(k *assemble.Code) {
		a, other := k.Label(), k.Label()
		k.Op(bytecode.Iconst0)
		k.Lookup(other, assemble.Case{Key: -5, To: a}, assemble.Case{Key: 8, To: other})
		k.Mark(a)
		k.Op(bytecode.Nop)
		k.Mark(other)
		k.Op(bytecode.Return)
	}, `
		entry: *begin 0
		0: 0-28 lookupswitch; case default 2, case -5 1
		1: 28-29 nop; fall 2
		2: 29-30 return; *return exit`},
	{"handlers", 52, func(k *assemble.Code) {
		start, mid, end, one, all := k.Here(), k.Label(), k.Label(), k.Label(), k.Label()
		k.Op(bytecode.Nop)
		k.Mark(mid)
		k.Op(bytecode.AconstNull, bytecode.Athrow)
		k.Mark(end)
		k.Mark(one)
		k.Op(bytecode.Athrow)
		k.Mark(all)
		k.Op(bytecode.Pop, bytecode.Return)
		k.Try(start, end, one, "java/io/IOException")
		k.Try(mid, all, all, "")
		k.Try(mid, all, all, "")
	}, `
		entry: *begin 0
		0: 0-1 nop; fall 1, exception java/io/IOException 2
		1: 1-3 athrow; exception java/io/IOException 2, exception any 3
		2: 3-4 athrow; exception any 3
		3: 4-6 return; return exit`},
	{"a handler that covers itself", 52, func(k *assemble.Code) {
		handler, end := k.Label(), k.Label()
		k.Op(bytecode.Return)
		k.Mark(handler)
		k.Op(bytecode.Athrow)
		k.Mark(end)
		k.Try(handler, end, handler, "java/lang/Error")
	}, `
		entry: *begin 0
		0: 0-1 return; *return exit
		1: 1-2 athrow; throw throw exit, exception java/lang/Error 1`},
	{"subroutine", 48, func(k *assemble.Code) {
		sub := k.Label()
		k.Branch(bytecode.Jsr, sub)
		k.Branch(bytecode.JsrW, sub)
		k.Op(bytecode.Return)
		k.Mark(sub)
		k.Op(bytecode.Astore1)
		k.Local(bytecode.Ret, 1)
	}, `
		entry: *begin 0
		0: 0-3 jsr; *call 3
		1: 3-8 jsr_w; call 3
		2: 8-9 return; *return exit
		3: 9-12 ret; back 1, *back 2`},
	{"subroutine in a subroutine", 48, func(k *assemble.Code) {
		outer, inner := k.Label(), k.Label()
		k.Branch(bytecode.Jsr, outer)
		k.Op(bytecode.Return)
		k.Mark(outer)
		k.Op(bytecode.Astore1)
		k.Branch(bytecode.Jsr, inner)
		k.Local(bytecode.Ret, 1)
		k.Mark(inner)
		k.Local(bytecode.Astore, 300)
		k.Local(bytecode.Ret, 300)
	}, `
		entry: *begin 0
		0: 0-3 jsr; *call 2
		1: 3-4 return; *return exit
		2: 4-8 jsr; *call 4
		3: 8-10 ret; *back 1
		4: 10-18 ret; *back 3`},
	{"subroutine that never comes back", 48, func(k *assemble.Code) {
		sub := k.Label()
		k.Branch(bytecode.Jsr, sub)
		k.Mark(sub)
		k.Op(bytecode.Pop, bytecode.Return)
	}, `
		entry: *begin 0
		0: 0-3 jsr; *call 1
		1: 3-5 return; *return exit`},
}

// assembled makes a class with one method and reads it back.
func assembled(t testing.TB, major uint16, build func(k *assemble.Code)) (*classfile.Class, *classfile.Code) {
	t.Helper()
	c := assemble.New(assemble.Header{Major: major, Access: classfile.Public, Name: "C", Super: "java/lang/Object"})
	k := c.Code()
	build(k)
	c.AddMethod(classfile.Public|classfile.Static, "m", "()V", k)
	data, err := c.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	file, err := classfile.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	code, err := file.Code(&file.Methods[0])
	if err != nil {
		t.Fatal(err)
	}
	return file, code
}

func graphOf(t testing.TB, major uint16, build func(k *assemble.Code)) *Graph {
	t.Helper()
	g, err := Of(assembled(t, major, build))
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Check(); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestBodies(t *testing.T) {
	for _, b := range bodies {
		t.Run(b.name, func(t *testing.T) {
			want := strings.ReplaceAll(strings.TrimSpace(b.want), "\t", "")
			if got := graphOf(t, b.major, b.build).text(); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// text writes a graph as bodies has it.
func (g *Graph) text() string {
	edges := func(list ...int) string {
		var all []string
		for _, i := range list {
			e := g.Edges[i]
			word := e.Kind.String()
			if g.OnAllPaths(i) {
				word = "*" + word
			}
			if e.Label != "" {
				word += " " + e.Label
			}
			all = append(all, word+" "+end(e.To))
		}
		return strings.Join(all, ", ")
	}
	lines := []string{"entry: " + edges(0)}
	for i, b := range g.Blocks {
		lines = append(lines, end(i)+": "+end(b.Start)+"-"+end(b.End)+" "+b.Last.String()+"; "+edges(b.Succ...))
	}
	return strings.Join(lines, "\n")
}

func TestBlock(t *testing.T) {
	g := graphOf(t, 52, bodies[1].build)
	for pc, want := range map[int]int{-1: -1, 0: 0, 3: 0, 4: 1, 7: 1, 8: 2, 9: 3, 10: -1} {
		if got := g.Block(pc); got != want {
			t.Errorf("offset %d is in block %d, want %d", pc, got, want)
		}
	}
	if g.OnAllPaths(-1) || g.OnAllPaths(len(g.Edges)) {
		t.Error("an edge that does not exist is on all paths")
	}
}

// TestRefuses: code without a sensible control flow has no graph.
func TestRefuses(t *testing.T) {
	file, _ := assembled(t, 52, bodies[0].build)
	nops := []byte{0, 0, 0, 0, byte(bytecode.Return)}
	for _, c := range []struct {
		name string
		code classfile.Code
		want string
	}{
		{"nothing", classfile.Code{}, "no code"},
		{"unknown operation", classfile.Code{Bytes: []byte{255}}, "unknown operation"},
		{"falls off", classfile.Code{Bytes: []byte{0}}, "falls off the end"},
		{"branch at the end", classfile.Code{Bytes: []byte{byte(bytecode.Ifeq), 0, 0}}, "falls off the end"},
		{"jump outside", classfile.Code{Bytes: []byte{byte(bytecode.Goto), 0, 3}}, "outside the code"},
		{"jump before", classfile.Code{Bytes: []byte{byte(bytecode.Goto), 255, 255}}, "outside the code"},
		{"jump into the middle", classfile.Code{Bytes: []byte{byte(bytecode.Goto), 0, 1}}, "the middle"},
		{"handler in the middle", classfile.Code{Bytes: []byte{byte(bytecode.Bipush), 0, byte(bytecode.Return)}, Exceptions: []classfile.Exception{{End: 2, Handler: 1}}}, "the middle"},
		{"range that ends in the middle", classfile.Code{Bytes: []byte{byte(bytecode.Bipush), 0, byte(bytecode.Return)}, Exceptions: []classfile.Exception{{End: 1, Handler: 2}}}, "the middle"},
		{"empty range", classfile.Code{Bytes: nops, Exceptions: []classfile.Exception{{Start: 1, End: 1}}}, "row 0"},
		{"range outside", classfile.Code{Bytes: nops, Exceptions: []classfile.Exception{{End: 6}}}, "row 0"},
		{"handler outside", classfile.Code{Bytes: nops, Exceptions: []classfile.Exception{{End: 2, Handler: 5}}}, "row 0"},
		{"catches no class", classfile.Code{Bytes: nops, Exceptions: []classfile.Exception{{End: 2, Handler: 4, Catch: 999}}}, "no class"},
	} {
		if g, err := Of(file, &c.code); g != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v, want %q", c.name, g, err, c.want)
		}
	}
}
