package jig

import (
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/graph"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/hierarchy"
	"winnow/internal/jvm/observed"
)

// A linker makes a graph of the parts of all classes.
type linker struct {
	*types
	graph    *Graph
	literal  bool            // only classes that override have class entries, only those with static initializers one
	extra    []special       // nodes that belong to no body; their numbers are negative until finish
	words    []digest.Digest // of extra
	edges    []edge          // those that are in no body
	dispatch map[site]int32
	externs  map[string]int32
	fails    map[string]int32
}

// A site is a reference as it is linked.
type site struct {
	op   bytecode.Op
	ref  classfile.Ref
	from string // "" if who refers does not matter
}

// link makes the graph. Nodes that belong to no body come first, the start node in front, but are known last.
func link(p *observed.Program, parts []*part, roots func(observed.Method) bool, literal bool) (*Graph, error) {
	g := &Graph{Program: p, index: map[observed.Method]int32{}, files: map[string]string{}, calls: map[int32][]int32{}, made: map[string][]int32{}, statics: map[string][]int32{}}
	l := &linker{types: newTypes(p, parts), graph: g, literal: literal, dispatch: map[site]int32{}, externs: map[string]int32{}, fails: map[string]int32{}}
	g.below = l.below
	first := int32(0)
	for _, c := range parts {
		g.files[c.name] = c.file
		for _, b := range c.bodies {
			g.index[b.method] = int32(len(g.bodies))
			g.bodies = append(g.bodies, b)
			g.first = append(g.first, first)
			first += int32(len(b.nodes))
		}
	}
	g.first = append(g.first, first)
	start := l.add(special{kind: Start, text: "start"}, wordOf("start"))
	words := make([]digest.Digest, 0, first)
	for i, b := range g.bodies {
		for n := range b.nodes {
			words = append(words, b.nodes[n].word)
		}
		for k := range b.uses {
			l.use(b, g.first[i], &b.uses[k], words[g.first[i]:])
		}
	}
	l.outside(start, parts, roots)
	return l.finish(words)
}

// add makes a node that belongs to no body.
func (l *linker) add(s special, word digest.Digest) int32 {
	l.extra = append(l.extra, s)
	l.words = append(l.words, word)
	return -int32(len(l.extra))
}

func (l *linker) edge(from int32, label string, to int32) {
	l.edges = append(l.edges, edge{from, to, label})
}

// finish gives all nodes their numbers.
func (l *linker) finish(words []digest.Digest) (*Graph, error) {
	g, shift := l.graph, int32(len(l.extra))
	at := func(n int32) int32 {
		if n < 0 {
			return -n - 1
		}
		return n + shift
	}
	g.special = l.extra
	g.words = append(l.words, words...)
	for i := range g.first {
		g.first[i] += shift
	}
	var build graph.Builder[string]
	build.Nodes(len(g.words))
	for i, b := range g.bodies {
		for _, e := range b.edges {
			build.Edge(g.first[i]+e.from, e.label, g.first[i]+e.to)
		}
	}
	for _, e := range l.edges {
		build.Edge(at(e.from), e.label, at(e.to))
	}
	for _, of := range []map[string][]int32{g.made, g.statics} {
		for _, nodes := range of {
			for i := range nodes {
				nodes[i] = at(nodes[i])
			}
		}
	}
	for i := range g.news {
		g.news[i] = at(g.news[i])
	}
	calls := map[int32][]int32{}
	for d, from := range g.calls {
		for i := range from {
			from[i] = at(from[i])
		}
		calls[at(d)] = from
	}
	g.calls = calls
	var err error
	g.Static, err = build.Build(0)
	return g, err
}

// use links one instruction of a body.
func (l *linker) use(b *body, first int32, u *use, words []digest.Digest) {
	n := first + u.node
	word := &words[u.node]
	switch u.op {
	case bytecode.New:
		*word = wordOf("new", l.qualified(u.class))
		l.graph.news = append(l.graph.news, n)
		if l.program.Internal(u.class) {
			l.graph.made[u.class] = append(l.graph.made[u.class], n)
		}
	case bytecode.Anewarray, bytecode.Multianewarray:
		*word = extend(*word, l.qualified(element(u.class)))
	case bytecode.Invokedynamic:
		l.lambda(u.class[strings.IndexByte(u.class, ')')+1:], n, word)
	case bytecode.Checkcast, bytecode.Instanceof, bytecode.Ldc, bytecode.LdcW:
		if l.missing(element(u.class)) {
			*word = extend(*word, "missing")
		}
	case bytecode.Getfield, bytecode.Putfield, bytecode.Getstatic, bytecode.Putstatic:
		*word = extend(*word, l.field(b, u, n))
	default:
		l.call(b, u, n)
	}
}

// lambda links an instruction that may make an object of a class that exists at run time only, for an interface.
func (l *linker) lambda(descriptor string, n int32, word *digest.Digest) {
	class := element(descriptor)
	*word = extend(*word, l.qualified(class))
	if c := l.program.Class(class); c != nil && c.File.Access&classfile.Interface != 0 {
		l.graph.made[class] = append(l.graph.made[class], n)
	}
}

func extend(word digest.Digest, by string) digest.Digest {
	var b digest.Builder
	return b.Add(word[:]).AddString(by).Sum()
}

// element is the class at the bottom of an array type or a descriptor; "" if it is primitive.
func element(class string) string {
	inner := strings.TrimLeft(class, "[")
	if rest, ok := strings.CutPrefix(inner, "L"); ok && strings.HasSuffix(rest, ";") {
		return rest[:len(rest)-1]
	}
	if len(inner) < len(class) || len(inner) == 1 && strings.Contains("BCDFIJSVZ", inner) {
		return ""
	}
	return inner
}

// field says which field an instruction uses, and what it holds before any code runs.
func (l *linker) field(b *body, u *use, n int32) string {
	r := l.resolveField(u.ref, b.method.Class)
	if r.Owner == "" || r.Err != nil {
		return "fails " + r.Err.Kind.String()
	}
	static := u.op == bytecode.Getstatic || u.op == bytecode.Putstatic
	if static && l.program.Internal(r.Owner) {
		l.graph.statics[r.Owner] = append(l.graph.statics[r.Owner], n)
	}
	const matter = classfile.Static | classfile.Final | classfile.Volatile
	text := l.canonical(r.Owner) + " " + string(rune('0'+int(r.Member.Access&matter)))
	if c := l.consts[r.Owner]; c != nil {
		text += " " + c[u.ref.Name+":"+u.ref.Descriptor]
	}
	return text
}

// call makes the edge from a call, or from an instruction that makes a method handle, to its dispatch node.
func (l *linker) call(b *body, u *use, n int32) {
	d := l.dispatcher(site{u.op, u.ref, b.method.Class})
	label := u.label
	if label == "" {
		label = Called
	}
	l.edge(n, label, d)
	l.graph.calls[d] = append(l.graph.calls[d], n)
}

// dispatcher is the dispatch node of a reference.
func (l *linker) dispatcher(s site) int32 {
	if d, ok := l.dispatch[s]; ok {
		return d
	}
	r := l.world.Link(hierarchy.Site{Op: s.op, Ref: s.ref, From: s.from})
	shared := s
	if r.Err == nil && s.op != bytecode.Invokespecial {
		shared.from = ""
	}
	d, ok := l.dispatch[shared]
	if !ok {
		d = l.makeDispatch(s, r)
		l.dispatch[shared] = d
	}
	l.dispatch[s] = d
	return d
}

// makeDispatch makes a dispatch node with its call edges. What is called is a word of the node that calls; which declaration that means shows in the targets alone.
func (l *linker) makeDispatch(s site, r hierarchy.Resolution) int32 {
	name := s.ref.Name + s.ref.Descriptor
	d := l.add(special{kind: Dispatch, text: s.ref.Class + "." + name}, wordOf("dispatch"))
	switch {
	case r.Err != nil && unknown(r.Err.Kind):
		l.unknownTargets(d, s)
	case r.Err != nil:
		l.edge(d, Next, l.failure(r.Err.Kind.String()))
	case s.op == bytecode.Invokestatic:
		l.edge(d, Next, l.entryOf(r.Owner, name))
	case s.op == bytecode.Invokespecial:
		t := l.world.Invoke(hierarchy.Site{Op: s.op, Ref: s.ref, From: s.from}, s.from)
		l.edge(d, Next, l.target(t, name))
	default:
		l.receivers(d, s, r)
	}
	return d
}

// unknown tells whether linking failed because a class was not given to us: then the call may well work.
func unknown(k hierarchy.Kind) bool {
	return k == hierarchy.NoClassDefFound || k == hierarchy.Unreadable
}

// receivers makes a call edge for each class that a receiver can have. The named type itself always has one: outside it stands for all external classes, inside for classes that are made at run time.
func (l *linker) receivers(d int32, s site, r hierarchy.Resolution) {
	name := s.ref.Name + s.ref.Descriptor
	own := l.entryOrFailure(r.Owner, name)
	if c := l.program.Class(s.ref.Class); c != nil && c.File.Access&classfile.Interface == 0 && c.File.Access&classfile.Abstract == 0 {
		own = l.target(l.world.Select(s.ref.Class, r), name)
	}
	l.edge(d, l.canonical(s.ref.Class), own)
	for _, c := range l.below[s.ref.Class] {
		if c == s.ref.Class {
			continue
		}
		if to, ok := l.bound(c, s, r); ok {
			l.edge(d, l.canonical(c), to)
		}
	}
}

// bound is what a call runs on an object of an internal class; false if there is no such object and no method either.
func (l *linker) bound(c string, s site, r hierarchy.Resolution) (int32, bool) {
	name := s.ref.Name + s.ref.Descriptor
	access := l.program.Class(c).File.Access
	if access&classfile.Interface != 0 { // objects that are made at run time, as those of lambdas
		res := l.world.ResolveInterfaceMethod(hierarchy.Ref{Tag: classfile.TagInterfaceMethodref, Class: c, Name: s.ref.Name, Descriptor: s.ref.Descriptor}, c)
		if res.Err != nil || res.Member.Access&classfile.Abstract != 0 {
			return 0, false
		}
		return l.entryOf(res.Owner, name), true
	}
	t := l.world.Select(c, r)
	switch {
	case t.Err != nil && unknown(t.Err.Kind):
		return l.declared(c, name), true
	case t.Err != nil && access&classfile.Abstract != 0:
		return 0, false
	}
	return l.target(t, name), true
}

// unknownTargets binds a call to a class that is not known: internal classes below it by what they declare, all others to the unknown method.
func (l *linker) unknownTargets(d int32, s site) {
	name := s.ref.Name + s.ref.Descriptor
	l.edge(d, l.canonical(s.ref.Class), l.extern(s.ref.Class, name))
	if s.op == bytecode.Invokestatic || s.op == bytecode.Invokespecial {
		return
	}
	for _, c := range l.below[s.ref.Class] {
		if c != s.ref.Class {
			l.edge(d, l.canonical(c), l.declared(c, name))
		}
	}
}

// declared is the nearest declaration of a method in the internal superclasses of a class, else the first external one's.
func (l *linker) declared(c, name string) int32 {
	for class := l.program.Class(c); class != nil; class = l.program.Class(c) {
		if _, ok := l.graph.index[methodOf(c, name)]; ok {
			return l.entryOf(c, name)
		}
		c = class.File.SuperName()
	}
	return l.extern(c, name)
}

func methodOf(class, name string) observed.Method {
	i := strings.IndexByte(name, '(')
	return observed.Method{Class: class, Name: name[:i], Descriptor: name[i:]}
}

// target is the node that a call leads to.
func (l *linker) target(t hierarchy.Target, name string) int32 {
	if t.Err != nil {
		return l.failure(t.Err.Kind.String())
	}
	return l.entryOrFailure(t.Owner, name)
}

// entryOrFailure is the entry of a method, if it has a body.
func (l *linker) entryOrFailure(owner, name string) int32 {
	if _, ok := l.graph.index[methodOf(owner, name)]; !ok && l.program.Internal(owner) {
		return l.failure("no body")
	}
	return l.entryOf(owner, name)
}

// entryOf is the entry of a method. An internal one that has no body is abstract.
func (l *linker) entryOf(owner, name string) int32 {
	if !l.program.Internal(owner) {
		return l.extern(owner, name)
	}
	i, ok := l.graph.index[methodOf(owner, name)]
	if !ok {
		return l.failure("no body")
	}
	return l.graph.first[i]
}

// extern is the entry of an external method.
func (l *linker) extern(owner, name string) int32 {
	full := owner + "." + name
	n, ok := l.externs[full]
	if !ok {
		n = l.add(special{kind: ExternalEntry, text: full}, wordOf("external", full))
		l.externs[full] = n
		l.edge(n, Path, l.add(special{kind: ExternalExit, text: full}, exitWord))
	}
	return n
}

// failure is the node of calls that fail in one way.
func (l *linker) failure(how string) int32 {
	n, ok := l.fails[how]
	if !ok {
		n = l.add(special{kind: Failure, text: how}, wordOf("fails", how))
		l.fails[how] = n
	}
	return n
}

// outside makes the edges to the roots, and the external code node.
func (l *linker) outside(start int32, parts []*part, roots func(observed.Method) bool) {
	ecn := l.add(special{kind: ExternalCode, text: external}, wordOf(external))
	l.edge(start, external, ecn)
	for _, c := range parts {
		l.initializer(start, c)
		for _, b := range c.bodies {
			if b.method.Name != "<clinit>" && (roots == nil || roots(b.method)) {
				l.edge(start, b.name, l.graph.first[l.graph.index[b.method]])
			}
		}
		l.classEntry(ecn, c)
	}
}

func (l *linker) initializer(start int32, c *part) {
	to, ok := l.graph.index[observed.Method{Class: c.file, Name: "<clinit>", Descriptor: "()V"}]
	n := int32(0)
	switch {
	case ok:
		n = l.graph.first[to]
	case l.literal:
		return
	default:
		n = l.add(special{kind: NoInitializer, text: c.file, class: c.file}, wordOf("no initializer"))
	}
	l.edge(start, "init "+c.name, n)
}

// classEntry makes the class entry of a class.
func (l *linker) classEntry(ecn int32, c *part) {
	callbacks := l.callbacks(c.file)
	if l.literal && len(callbacks) == 0 {
		return
	}
	at := l.add(special{kind: ClassEntry, text: c.file, class: c.file}, wordOf("class entry"))
	l.edge(ecn, c.name, at)
	for _, m := range callbacks {
		l.edge(at, m.label, l.entryOf(m.owner, m.name))
	}
	l.edge(at, Default, l.add(special{kind: DefaultMethods, text: c.file, class: c.file}, wordOf("default")))
}

// A callback is an internal method that external code can call on objects of a class.
type callback struct{ label, owner, name string }

// callbacks finds what external code can call on objects of a class: methods that override external ones.
func (l *linker) callbacks(class string) []callback {
	var out []callback
	seen := map[string]bool{}
	for _, c := range l.inside(class) {
		for _, m := range l.virtual[c] {
			name := m.Name + m.Descriptor
			if seen[name] {
				continue
			}
			seen[name] = true
			if owner, ok := l.overrides(class, c, m); ok {
				label := name
				if i, ok := l.graph.index[observed.Method{Class: owner, Name: m.Name, Descriptor: m.Descriptor}]; ok {
					full := l.graph.bodies[i].name
					label = full[strings.LastIndexByte(full[:strings.IndexByte(full, '(')], '.')+1:]
				}
				out = append(out, callback{label, owner, name})
			}
		}
	}
	slices.SortFunc(out, func(a, b callback) int { return strings.Compare(a.label, b.label) })
	return slices.CompactFunc(out, func(a, b callback) bool { return a.label == b.label })
}
