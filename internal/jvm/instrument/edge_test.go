package instrument

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/jvmtest"
)

// An edge is a class whose run() must give the same before and after rewriting.
type edge struct {
	name string
	data []byte                // nil: one of testdata/Edges.java
	want string                // "": only the same as before
	seen string                // what the probe class saw, if not ""
	look func(r *Result) error // nil: every method must have a probe of its own
}

type namedScheme struct {
	name string
	Scheme
}

// schemes are those under which classes must be accepted and run as before.
var schemes = []namedScheme{{"entries", Scheme{}}, {"details", Scheme{Edges: true, Receivers: true}}}

// someSchemes are all schemes with -full, else the usual one: what takes long and is judged elsewhere, too.
func someSchemes() []namedScheme {
	if *full {
		return schemes
	}
	return schemes[:1]
}

// TestEdges runs classes with everything that makes rewriting hard on real JVMs.
func TestEdges(t *testing.T) {
	for _, s := range schemes {
		t.Run(s.name, func(t *testing.T) { testEdges(t, s.Scheme) })
	}
}

func testEdges(t *testing.T, s Scheme) {
	classes := testClasses(t)
	delete(classes, DefaultClass)
	edges := []edge{
		{name: "NewAcrossFrames", want: "z0o1two2many3"},
		{name: "LoopFirst", want: "-1 5", seen: "1 2 []"},
		{name: "EnumSwitch"}, {name: "Nesting", want: "42 1"}, {name: "Failing", want: "/ by zero"}, {name: "TypeAnnotations"},
		{name: "Various"}, {name: "Lines"}, {name: "Long", want: "40000"},
	}
	edges = append(edges, assembled(t)...)
	results := map[string]*Result{}
	r := newRewriter(t, s)
	for i, e := range edges {
		if e.data != nil {
			classes[e.name] = e.data
		}
		if s.Edges {
			edges[i].seen = "" // more than methods; see TestTraces
		}
	}
	after := map[string][]byte{}
	for name, data := range classes {
		res, err := r.Rewrite(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if s.Edges {
			err = wellEdged(data, res)
		} else {
			err = differences(data, res, r.scheme)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		results[name], after[name] = res, res.Bytes
	}
	for _, e := range edges {
		look := e.look
		if look == nil {
			look = everyMethod
		}
		if err := look(results[e.name]); err != nil {
			t.Errorf("%s: %v", e.name, err)
		}
	}
	for _, feature := range features {
		runEdges(t, newJVM(t, feature), edges, classes, after)
	}
}

func runEdges(t *testing.T, j *jvm, edges []edge, before, after map[string][]byte) {
	t.Helper()
	one, two := filepath.Join(j.dir, "one"), filepath.Join(j.dir, "two")
	jvmtest.WriteClasses(t, one, before)
	jvmtest.WriteClasses(t, two, after)
	args := []string{one + "/", two + "/"}
	for _, e := range edges {
		args = append(args, e.name)
	}
	answer := j.ask(append(j.withProbe(), verifyAll), "run", args...)
	for i, e := range edges {
		was, is, seen := answer[3*i][1], answer[3*i+1][1], answer[3*i+2][1]
		if was != is || e.want != "" && is != e.want {
			t.Errorf("JDK %d: %s gives %q, gave %q, want %q", j.feature, e.name, is, was, e.want)
		}
		if e.seen != "" && seen != e.seen {
			t.Errorf("JDK %d: %s: the probe class saw %q, want %q", j.feature, e.name, seen, e.seen)
		}
	}
}

// longSource has a method in which javac must use goto_w: a loop around more than 32 KiB.
func longSource() string {
	var b strings.Builder
	b.WriteString("public class Long { static int n; public static String run() { for (int i = 0; i < 10; i++) { if (i > 20) continue;\n")
	for range 4000 {
		b.WriteString("n += i - i + 1;\n")
	}
	b.WriteString("} return String.valueOf(n); } }")
	return b.String()
}

func everyMethod(r *Result) error {
	if len(r.Unprobed) > 0 || r.Coarse || len(r.Unmoved) > 0 {
		return fmt.Errorf("unprobed %+v, coarse %v, unmoved %v", r.Unprobed, r.Coarse, r.Unmoved)
	}
	return nil
}

func window(w Window) func(*Result) error {
	return func(r *Result) error {
		if r.Window != w {
			return fmt.Errorf("window %s, want %s", r.Window, w)
		}
		return nil
	}
}

func unprobed(name string, reason Reason) func(*Result) error {
	return func(r *Result) error {
		if !slices.ContainsFunc(r.Unprobed, func(u Unprobed) bool { return u.Name == name && u.Reason == reason }) {
			return fmt.Errorf("%s should be without a probe because %s; it is %v", name, reason, r.Unprobed)
		}
		return nil
	}
}

// assembled are the classes that javac does not make.
func assembled(t *testing.T) []edge {
	return []edge{
		{"Subroutine", subroutine(t), "7", "0 1 []", nil},
		{"GotoLast", gotoLast(t), "3", "0 1 []", nil},
		{"EmptyFrames", emptyFrames(t), "5", "0 1 []", nil},
		{"Returns0", returns(t, "Returns0", 0), "10", "0 1 2 [enter 0, exit 0]", window(WholeWindow)},
		{"Returns1", returns(t, "Returns1", 1), "11", "0 1 2 [enter 0, exit 0]", window(WholeWindow)},
		{"Returns2", returns(t, "Returns2", 2), "12", "0 1 2 [enter 0, exit 0]", window(WholeWindow)},
		{"Returns3", returns(t, "Returns3", 3), "13", "0 1 2 [enter 0, exit 0]", window(WholeWindow)},
		{"CoveredReturn", coveredReturn(t), "20", "0 1 2 [enter 0, exit 0]", window(WholeWindow)},
		{"StackAtReturn", stackAtReturn(t), "1", "0 1 2 [enter 0, exit 0]", window(WholeWindow)},
		{"OnlyReturn", onlyReturn(t), "1", "0 1 2 [enter 0, exit 0]", window(WholeWindow)},
		{"JustFits", wideInitializer(t, "JustFits", 32767-3-8), "9", "0 1 2 [enter 0, exit 0]", window(WholeWindow)},
		{"TooWide", wideInitializer(t, "TooWide", 32767-3), "9", "0 1 2 [enter 0]", window(EntryWindow)},
		{"FullInitializer", longInitializer(t), "9", "0 1 2 [enter 0]", window(EntryWindow)},
		{"TooLong", longMethod(t, "TooLong", 65530), "1", "0 []", unprobed("f", TooLong)},
		{"Longest", longMethod(t, "Longest", 65527), "1", "0 1 []", nil},
		{"Huge", longMethod(t, "Huge", 7993), "1", "0 []", unprobed("f", Huge)},
		{"AlreadyHuge", longMethod(t, "AlreadyHuge", 8001), "1", "0 1 []", nil},
		{"NotHuge", longMethod(t, "NotHuge", 7992), "1", "0 1 []", nil},
		{"PoolFull", fullPool(t, "PoolFull", 6), "4", "[]", unprobed("f", PoolFull)},
		{"PoolCoarse", fullPool(t, "PoolCoarse", 7), "4", "0 []", coarse(LostWindow)},
		{"PoolNoWindow", fullPool(t, "PoolNoWindow", 14), "4", "0 1 2 []", window(LostWindow)},
		{"PoolCoarseWindow", fullPool(t, "PoolCoarseWindow", 15), "4", "0 [enter 0, exit 0]", coarse(WholeWindow)},
		{"PoolAlmost", fullPool(t, "PoolAlmost", 16), "4", "0 [enter 0, exit 0]", coarse(WholeWindow)},
		{"PoolFits", fullPool(t, "PoolFits", 17), "4", "0 1 2 [enter 0, exit 0]", window(WholeWindow)},
	}
}

func coarse(w Window) func(*Result) error {
	return func(r *Result) error {
		if !r.Coarse || r.IDs != 1 || len(r.Probes) != 3 {
			return fmt.Errorf("coarse %v with %d ids for %d probes", r.Coarse, r.IDs, len(r.Probes))
		}
		return window(w)(r)
	}
}

// subroutine has jsr, ret and a tableswitch, whose padding depends on its place.
func subroutine(t testing.TB) []byte {
	a := assemble(t, 48, "Subroutine")
	a.method("f", "()I", `
		iconst_3
		istore_1
		jsr sub
		jsr sub
		iload_1
		ireturn
	sub: astore_2
		iload_1
		nop
		tableswitch 3 other three four five
	three: iconst_5
		istore_1
		goto out
	four: iconst_0
		istore_1
		goto out
	five: bipush 7
		istore_1
		goto out
	other: iconst_m1
		istore_1
	out: ret 2`, nil)
	return a.run().bytes()
}

// gotoLast ends with a jump backwards, to its first instruction.
func gotoLast(t testing.TB) []byte {
	a := assemble(t, 52, "GotoLast")
	a.Fields = append(a.Fields, classfile.Member{Access: classfile.Static, Name: a.utf8("n"), Descriptor: a.utf8("I")})
	a.method("f", "()I", `
	top: getstatic GotoLast.n:I
		iconst_3
		if_icmplt more
		getstatic GotoLast.n:I
		ireturn
	more: getstatic GotoLast.n:I
		iconst_1
		iadd
		putstatic GotoLast.n:I
		goto top`, nil, "top", "more")
	return a.run().bytes()
}

func emptyFrames(t testing.TB) []byte {
	a := assemble(t, 52, "EmptyFrames")
	c := a.method("f", "()I", "iconst_5\n ireturn", nil)
	a.attribute(c, "StackMapTable", &classfile.StackMapTable{})
	a.attribute(c, "LineNumberTable", &classfile.LineNumberTable{Lines: []classfile.Line{{Start: 0, Number: 1}, {Start: 1, Number: 2}}})
	return a.run().bytes()
}

// withInitializer starts a class with a static int n and f() that returns it.
func withInitializer(t testing.TB, name, code string, handlers []handler, frames ...string) *assembler {
	a := assemble(t, 52, name)
	a.Fields = append(a.Fields, classfile.Member{Access: classfile.Static, Name: a.utf8("n"), Descriptor: a.utf8("I")})
	a.method("<clinit>", "()V", code, handlers, frames...)
	a.method("f", "()I", "getstatic "+name+".n:I\n ireturn", nil)
	return a
}

// returns has an initializer with four returns, reached by a switch, by jumps forwards and backwards, and by falling into one.
func returns(t testing.TB, name string, way int) []byte {
	code := strings.ReplaceAll(fmt.Sprintf(`
		iconst_%d
		tableswitch 0 other zero one two
	zero: bipush 10
		putstatic X.n:I
	back: return
	one: bipush 11
		putstatic X.n:I
		goto back
	two: bipush 12
		putstatic X.n:I
		aconst_null
		ifnull last
		return
	other: bipush 13
		putstatic X.n:I
		return
	last: return`, way), "X", name)
	return withInitializer(t, name, code, nil, "zero", "back", "one", "two", "other", "last").run().bytes()
}

// coveredReturn has a handler that begins with a return and one that ends before a return.
func coveredReturn(t testing.TB) []byte {
	a := withInitializer(t, "CoveredReturn", `
	start: bipush 20
		putstatic CoveredReturn.n:I
		aconst_null
		ifnull first
	second: return
	first: return
	catch: pop
		bipush 99
		putstatic CoveredReturn.n:I
		return`, []handler{{"start", "second", "catch"}, {"second", "first", "catch"}, {"first", "catch", "catch"}})
	c, err := a.Code(&a.Methods[0])
	if err != nil {
		t.Fatal(err)
	}
	throwable := []classfile.VerificationType{{Tag: classfile.TypeObject, Data: a.class("java/lang/Throwable")}}
	a.attribute(c, "StackMapTable", &classfile.StackMapTable{Frames: []classfile.Frame{
		{Kind: 10, Delta: 10}, {Kind: classfile.SameLocals1, Stack: throwable}}})
	return a.run().bytes()
}

// stackAtReturn returns with values on a stack that is full.
func stackAtReturn(t testing.TB) []byte {
	a := withInitializer(t, "StackAtReturn", "iconst_1\n putstatic StackAtReturn.n:I\n iconst_1\n lconst_0\n iconst_2\n return", nil)
	return a.run().bytes()
}

func onlyReturn(t testing.TB) []byte {
	a := assemble(t, 52, "OnlyReturn")
	a.method("<clinit>", "()V", "return", nil)
	a.method("f", "()I", "iconst_1\n ireturn", nil)
	return a.run().bytes()
}

// wideInitializer jumps over a return and so many bytes that the jump's width is distance.
func wideInitializer(t testing.TB, name string, distance int) []byte {
	code := fmt.Sprintf(`
		bipush 9
		putstatic %s.n:I
		aconst_null
		ifnull last
		return
	dead: nops %d
	last: return`, name, distance-1)
	return withInitializer(t, name, code, nil, "dead", "last").run().bytes()
}

// longInitializer has room for the prologue of a window but not for its end.
func longInitializer(t testing.TB) []byte {
	return withInitializer(t, "FullInitializer", fmt.Sprintf("bipush 9\n putstatic FullInitializer.n:I\n nops %d\n return", 65535-16-6), nil).run().bytes()
}

// longMethod has an f of exactly size bytes.
func longMethod(t testing.TB, name string, size int) []byte {
	a := assemble(t, 52, name)
	a.run()
	a.method("f", "()I", fmt.Sprintf("nops %d\n iconst_1\n ireturn", size-2), nil)
	return a.bytes()
}

// fullPool leaves room for so many constants.
func fullPool(t testing.TB, name string, room int) []byte {
	a := withInitializer(t, name, "iconst_4\n putstatic "+name+".n:I\n return", nil).run()
	for a.Pool.Len() < maxConstants-room {
		a.add(classfile.Constant{Tag: classfile.TagInteger, Bits: uint64(a.Pool.Len())})
	}
	return a.bytes()
}
