package state

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/assemble"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/classpath"
	"winnow/internal/jvm/jvmtest"
)

// A maze is a made-up program whose methods pass lists on: from and to static fields, into other lists and out of them, through mazeViews, as arguments and as results. It is run here by hand, so that it is known which
// calls are behind what a static field leads to.
type maze struct {
	fields int
	bodies [][]move // by method; each calls only later ones
	tests  int      // the first methods are tests
}

const mazeLocals = 4

// A move is one thing that a method of a maze does. Variables are numbered; the first two are the parameters.
type move struct {
	kind    moveKind
	a, b, c int // variables
	at      int // a field, or a method
}

type moveKind int

const (
	mazeLoads  moveKind = iota // a = field
	mazeStores                 // field = a
	mazeNews                   // a = new
	mazeAdds                   // a.add(b)
	mazeGets                   // a = b.get(0)
	mazeViews                  // a = b.subList(0, 1)
	mazeCalls                  // a = method(b, c)
	mazeKinds                  // as many
	mazeRests                  // nothing
)

func (m move) String() string {
	switch m.kind {
	case mazeLoads:
		return fmt.Sprintf("v%d = F%d", m.a, m.at)
	case mazeStores:
		return fmt.Sprintf("F%d = v%d", m.at, m.a)
	case mazeNews:
		return fmt.Sprintf("v%d = new", m.a)
	case mazeAdds:
		return fmt.Sprintf("v%d.add(v%d)", m.a, m.b)
	case mazeGets:
		return fmt.Sprintf("v%d = v%d.get", m.a, m.b)
	case mazeViews:
		return fmt.Sprintf("v%d = v%d.view", m.a, m.b)
	case mazeRests:
		return "-"
	}
	return fmt.Sprintf("v%d = m%d(v%d, v%d)", m.a, m.at, m.b, m.c)
}

func (z *maze) String() string {
	var b strings.Builder
	for n, body := range z.bodies {
		fmt.Fprintf(&b, "m%d: %v\n", n, body)
	}
	return b.String()
}

func newMaze(r *rand.Rand) *maze {
	z := &maze{fields: 1 + r.IntN(3), tests: 2 + r.IntN(2)}
	methods := z.tests + 1 + r.IntN(4)
	for n := range methods {
		var body []move
		for range 2 + r.IntN(5) {
			m := move{kind: moveKind(r.IntN(int(mazeKinds))), a: r.IntN(mazeLocals), b: r.IntN(mazeLocals), c: r.IntN(mazeLocals), at: r.IntN(z.fields)}
			if m.kind == mazeCalls {
				first := max(n+1, z.tests)
				if first >= methods {
					continue
				}
				m.at = first + r.IntN(methods-first)
			}
			body = append(body, m)
		}
		z.bodies = append(z.bodies, body)
	}
	return z
}

// owner is the class of a method: each test has a class of its own.
func (z *maze) owner(n int) string {
	if n < z.tests {
		return fmt.Sprintf("p/T%d", n)
	}
	return "p/M"
}

const (
	list     = "java/util/List"
	listType = "L" + list + ";"
	passing  = "(" + listType + listType + ")" + listType
)

func (z *maze) Method(id int) (agent.Method, bool) {
	if id == len(z.bodies) {
		return agent.Method{Class: "p/M", Name: "read", Descriptor: "()" + listType}, true
	}
	return agent.Method{Class: z.owner(id), Name: fmt.Sprintf("m%d", id), Descriptor: passing}, true
}

// classes are the class files.
func (z *maze) classes(t *testing.T, field int) map[string]*Class {
	t.Helper()
	made := map[string]*assemble.Class{}
	class := func(name string) *assemble.Class {
		if made[name] == nil {
			made[name] = assemble.New(assemble.Header{Access: 0x21, Name: name, Super: "java/lang/Object"})
		}
		return made[name]
	}
	for n, body := range z.bodies {
		c := class(z.owner(n))
		k := c.Code()
		for i := range mazeLocals {
			if i >= 2 || n < z.tests {
				z.emit(k, move{kind: mazeNews, a: i})
			}
		}
		for _, m := range body {
			z.emit(k, m)
		}
		k.Local(bytecode.Aload, uint16(len(body)%mazeLocals))
		k.Op(bytecode.Areturn)
		c.AddMethod(0x9, fmt.Sprintf("m%d", n), passing, k)
	}
	m := class("p/M")
	for f := range z.fields {
		m.AddField(0x9, fmt.Sprintf("F%d", f), listType)
	}
	k := m.Code()
	k.Field(bytecode.Getstatic, "p/M", fmt.Sprintf("F%d", field), listType)
	k.Op(bytecode.Areturn)
	m.AddMethod(0x9, "read", "()"+listType, k)
	out := map[string]*Class{}
	for name, c := range made {
		data, err := c.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if out[name], err = ReadClass(data); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func (z *maze) emit(k *assemble.Code, m move) {
	load := func(i int) { k.Local(bytecode.Aload, uint16(i)) }
	store := func() { k.Local(bytecode.Astore, uint16(m.a)) }
	onList := func(name, descriptor string) {
		k.Invoke(bytecode.Invokeinterface, classfile.Ref{Tag: classfile.TagInterfaceMethodref, Class: list, Name: name, Descriptor: descriptor})
	}
	field := fmt.Sprintf("F%d", m.at)
	switch m.kind {
	case mazeLoads:
		k.Field(bytecode.Getstatic, "p/M", field, listType)
		store()
	case mazeStores:
		load(m.a)
		k.Field(bytecode.Putstatic, "p/M", field, listType)
	case mazeNews:
		k.Class(bytecode.New, "java/util/ArrayList")
		k.Op(bytecode.Dup)
		k.Invoke(bytecode.Invokespecial, classfile.Ref{Tag: classfile.TagMethodref, Class: "java/util/ArrayList", Name: "<init>", Descriptor: "()V"})
		store()
	case mazeAdds:
		load(m.a)
		load(m.b)
		onList("add", "(Ljava/lang/Object;)Z")
		k.Op(bytecode.Pop)
	case mazeGets:
		load(m.b)
		k.Push(0)
		onList("get", "(I)Ljava/lang/Object;")
		k.Class(bytecode.Checkcast, list)
		store()
	case mazeViews:
		load(m.b)
		k.Push(0)
		k.Push(1)
		onList("subList", "(II)"+listType)
		store()
	case mazeCalls:
		load(m.b)
		load(m.c)
		k.Invoke(bytecode.Invokestatic, classfile.Ref{Tag: classfile.TagMethodref, Class: "p/M", Name: fmt.Sprintf("m%d", m.at), Descriptor: passing})
		store()
	}
}

// A thing is a list at run time.
type thing struct {
	of     *thing // a view is of another one
	holds  []*thing
	behind map[int]bool // methods that were running when it was changed
}

func (o *thing) whole() *thing {
	for o.of != nil {
		o = o.of
	}
	return o
}

// A walk is a run of a maze.
type walk struct {
	*maze
	values  []*thing       // of the fields
	behind  []map[int]bool // methods that were running when a field was written
	stack   []frame
	entered map[int]bool
}

// A frame is a method that is running, with its variables.
type frame struct {
	method    int
	variables *[mazeLocals]*thing
}

func (w *walk) call(n int, a, b *thing) *thing {
	w.entered[n] = true
	v := &[mazeLocals]*thing{}
	w.stack = append(w.stack, frame{n, v})
	for i := range v {
		v[i] = &thing{behind: map[int]bool{}}
	}
	if n >= w.tests {
		v[0], v[1] = a, b
	}
	for _, m := range w.bodies[n] {
		switch m.kind {
		case mazeLoads:
			v[m.a] = w.values[m.at]
		case mazeStores:
			w.values[m.at], w.behind[m.at] = v[m.a], map[int]bool{}
			w.note(w.behind[m.at], v[m.a])
		case mazeNews:
			v[m.a] = &thing{behind: map[int]bool{}}
		case mazeAdds:
			if v[m.a] != nil && v[m.b] != nil {
				o := v[m.a].whole()
				o.holds = append(o.holds, v[m.b])
				w.note(o.behind, v[m.a], v[m.b])
			}
		case mazeGets:
			if o := v[m.b]; o == nil || len(o.whole().holds) == 0 {
				v[m.a] = nil
			} else {
				v[m.a] = o.whole().holds[0]
			}
		case mazeViews:
			if v[m.a] = nil; v[m.b] != nil {
				v[m.a] = &thing{of: v[m.b]}
			}
		case mazeCalls:
			v[m.a] = w.call(m.at, v[m.b], v[m.c])
		}
	}
	w.stack = w.stack[:len(w.stack)-1]
	return v[len(w.bodies[n])%mazeLocals]
}

// note notes the method that is running, and those of its callers that have one of the lists: they may have chosen it.
func (w *walk) note(to map[int]bool, lists ...*thing) {
	for i, f := range w.stack {
		has := slices.ContainsFunc(f.variables[:], func(o *thing) bool {
			return o != nil && slices.ContainsFunc(lists, func(l *thing) bool { return l != nil && l.whole() == o.whole() })
		})
		if has || i == len(w.stack)-1 {
			to[f.method] = true
		}
	}
}

// owed are the methods behind what a field leads to.
func (w *walk) owed(field int) map[int]bool {
	out := map[int]bool{}
	seen := map[*thing]bool{}
	var add func(o *thing)
	add = func(o *thing) {
		if o == nil || seen[o.whole()] {
			return
		}
		o = o.whole()
		seen[o] = true
		for n := range o.behind {
			out[n] = true
		}
		for _, h := range o.holds {
			add(h)
		}
	}
	for n := range w.behind[field] {
		out[n] = true
	}
	add(w.values[field])
	return out
}

// mazeProgram is a maze beside the JDK.
type mazeProgram struct {
	*onPath
	own map[string]*Class
}

func (p mazeProgram) Class(name string) (*Class, error) {
	if c, ok := p.own[name]; ok {
		return c, nil
	}
	return p.onPath.Class(name)
}

func (p mazeProgram) Own(name string) bool { return p.own[name] != nil }

// lost mazeCalls the tests of a maze, and then one that only reads a field. It returns a method that is behind what that one finds and that it does not include; negative if there is none.
func (z *maze) lost(t *testing.T, jdk *onPath, field int) int {
	t.Helper()
	w := &walk{maze: z, values: make([]*thing, z.fields), behind: make([]map[int]bool, z.fields)}
	trace := &agent.Trace{Process: &agent.Footprint{}}
	add := func(class string, ids []int) *agent.TestTrace {
		at := uint64(len(trace.Tests)*10 + 1)
		test := &agent.TestTrace{Node: agent.Node{Class: class}, Own: &agent.Footprint{Methods: ids}, Begin: at, End: at + 5, Outcome: agent.Passed}
		trace.Tests = append(trace.Tests, test)
		return test
	}
	for n := range z.tests {
		w.entered = map[int]bool{}
		w.call(n, nil, nil)
		var ids []int
		for id := range w.entered {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		add(strings.ReplaceAll(z.owner(n), "/", "."), ids)
	}
	reader := add("p.Reader", []int{len(z.bodies)})
	in, err := inherit(mazeProgram{jdk, z.classes(t, field)}, z, trace, nil)
	if err != nil {
		t.Fatal(err)
	}
	has := map[int]bool{}
	nodes, handed := in.All(reader)
	for _, n := range nodes {
		for _, id := range in.Nodes[n].Methods {
			has[id] = true
		}
	}
	for _, f := range handed {
		for _, id := range f.Methods {
			has[id] = true
		}
	}
	for n := range w.owed(field) {
		if !has[n] {
			return n
		}
	}
	return -1
}

// TestMazes: whatever way an object took, a test that finds it in a static field includes all methods that put it there or changed it, with the callers that chose it.
func TestMazes(t *testing.T) {
	path, err := classpath.OpenPath(17, jvmtest.JDK(t, 17))
	if err != nil {
		t.Fatal(err)
	}
	defer path.Close()
	jdk := &onPath{path, map[string]*Class{}}
	found := 0
	for seed := range uint64(2000) {
		z := newMaze(rand.New(rand.NewPCG(seed, 1)))
		for f := range z.fields {
			if n := z.lost(t, jdk, f); n >= 0 {
				z.shrink(t, jdk, f)
				t.Errorf("seed %d: m%d is behind F%d and not included:\n%s", seed, z.lost(t, jdk, f), f, z)
				found++
				break
			}
		}
		if found == 5 {
			break
		}
	}
}

// shrink leaves out moves as long as something is lost.
func (z *maze) shrink(t *testing.T, jdk *onPath, field int) {
	t.Helper()
	for again := true; again; {
		again = false
		for n := range z.bodies {
			for i := 0; i < len(z.bodies[n]); i++ {
				was := z.bodies[n]
				// What is returned depends on the number of moves, so one is replaced by nothing at all.
				z.bodies[n] = slices.Clone(was)
				z.bodies[n][i] = move{kind: mazeRests}
				if was[i] == z.bodies[n][i] || z.lost(t, jdk, field) < 0 {
					z.bodies[n] = was
				} else {
					again = true
				}
			}
		}
	}
}
