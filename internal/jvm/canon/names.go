package canon

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/internal/jvm/classfile"
)

// Canonical names.
//
// A numbered thing is a local or anonymous class, a member of one, a lambda method or an accessor. Its canonical name says whose it is and which of
// those it is, and does not depend on things of others:
//
//	p/Outer.m()V.anon#0        the first anonymous class of method m()V
//	p/Outer.m()V.local#0:Sum   the first local class Sum of it
//	p/Outer.static.anon#0      … of a static initializer; p/Outer.init of constructors and instance initializers
//	p/Outer.switchmap          the tables that javac makes for switches over enums
//	p/Outer.mark               the class that javac makes to mark access constructors
//	m()V.lambda#0              the first lambda of method m()V; also m()V.lambda#0.lambda#0
//	access.4a62…               an accessor, by what it does
//
// Safety does not depend on which names are chosen, only on this: in one version of a program no two things have the same name, and every reference is
// written with the name of what it refers to (S6.3). Then two versions with equal digests under equal names are the same up to renaming. No canonical name is
// a name from a class file, because those have no '.' (JVMS 4.2); if two canonical names were equal, the classes of the group would keep their own.
//
// A thing keeps the name from the file if its number can be told from within the program: a string constant of its top-level class contains it.

// numbered tells whether a text contains a dollar sign before a digit, as every numbered class name does.
func numbered(s string) bool {
	for {
		i := strings.IndexByte(s, '$')
		if i < 0 || i+1 >= len(s) {
			return false
		}
		if c := s[i+1]; c >= '0' && c <= '9' {
			return true
		}
		s = s[i+1:]
	}
}

// numberedMethod tells whether a method name is one that compilers number: lambda$m$0, lambda$0, access$000.
func numberedMethod(name string) bool {
	if len(name) < 8 || (name[0] != 'l' && name[0] != 'a') {
		return false
	}
	return isLambda(name) || isAccessor(name)
}

func isLambda(name string) bool {
	rest, ok := strings.CutPrefix(name, "lambda$")
	return ok && allDigits(rest[strings.LastIndexByte(rest, '$')+1:])
}

func isAccessor(name string) bool {
	rest, ok := strings.CutPrefix(name, "access$")
	return ok && allDigits(rest)
}

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// Group is the name of the top-level class that a class belongs to by its name. Names are given group by group: those of a class depend on the
// classes of its group only.
func Group(class string) string {
	start := strings.LastIndexByte(class, '/') + 1
	if start+1 >= len(class) {
		return class
	}
	if i := strings.IndexByte(class[start+1:], '$'); i >= 0 {
		return class[:start+1+i]
	}
	return class
}

// eachClass calls f with the bounds of the numbered class names in a descriptor or signature. In a signature it may also call it with text that is no class
// name; what it is called with is replaced only if a numbered class has that name.
func eachClass(desc string, f func(start, end int)) {
	for at := 0; ; {
		i := strings.IndexByte(desc[at:], 'L')
		if i < 0 {
			return
		}
		at += i + 1
		end := strings.IndexAny(desc[at:], ";<.")
		if end < 0 {
			return
		}
		if numbered(desc[at : at+end]) {
			f(at, at+end)
			at += end
		}
	}
}

// A naming has the canonical names of one group.
type naming struct {
	units     map[string]*Unit // by name in the file
	sorted    []*Unit          // by name in the file
	classes   map[string]string
	methods   map[ref]string
	hints     []string
	hintBytes int
	searched  int // bytes of hints that told went through
}

// ClassName is the canonical name of a class, which is the name itself for most.
func (s *Set) ClassName(name string) string {
	if !numbered(name) {
		return name
	}
	if n, ok := s.naming(name).classes[name]; ok {
		return n
	}
	return name
}

// MethodName is the canonical name of a method without its descriptor, which is the name itself for most. The class may inherit the method.
func (s *Set) MethodName(class, name, desc string) string {
	if !numberedMethod(name) {
		return name
	}
	for range maxEnclosed {
		u, ok := s.units[class]
		if !ok {
			break
		}
		if u.declares(name, desc) {
			if n, ok := s.naming(class).methods[ref{class, name, desc}]; ok {
				return n
			}
			break
		}
		class = u.class.SuperName()
	}
	return name
}

func (u *Unit) declares(name, desc string) bool {
	_, ok := slices.BinarySearchFunc(u.order, name, func(i uint16, name string) int {
		return byNameAndType(u.methods[i].name, u.methods[i].desc, name, desc)
	})
	return ok
}

// types replaces the class names in a descriptor or signature.
func (s *Set) types(desc string) string { return replaceClasses(desc, s.ClassName) }

func replaceClasses(desc string, to func(name string) string) string {
	if !numbered(desc) {
		return desc
	}
	var out strings.Builder
	last := 0
	eachClass(desc, func(start, end int) {
		out.WriteString(desc[last:start])
		out.WriteString(to(desc[start:end]))
		last = end
	})
	out.WriteString(desc[last:])
	return out.String()
}

// naming names the group of a class, once.
func (s *Set) naming(class string) *naming {
	key := Group(class)
	s.mu.RLock()
	n, ok := s.namings[key]
	s.mu.RUnlock()
	if ok {
		return n
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n, ok := s.namings[key]; ok {
		return n
	}
	n = &naming{units: map[string]*Unit{}, classes: map[string]string{}, methods: map[ref]string{}}
	s.namings[key] = n
	for _, u := range s.groups[key] {
		n.units[u.Name] = u
		n.hints = append(n.hints, u.hints...)
		for _, s := range u.hints {
			n.hintBytes += len(s)
		}
	}
	n.sorted = slices.SortedFunc(maps.Values(n.units), func(a, b *Unit) int { return cmp.Compare(a.Name, b.Name) })
	n.nameClasses()
	for _, u := range n.sorted {
		n.nameLambdas(u)
		n.nameAccessors(u)
	}
	return n
}

// maxSearched bounds the text that is searched for the names of a group; beyond it, every number counts as told.
const maxSearched = 1 << 26

// told tells whether a string constant of the group contains a name, so that its number can be known to the program (S6.3).
func (n *naming) told(name string) bool {
	if len(n.hints) == 0 {
		return false
	}
	n.searched += n.hintBytes
	if n.searched > maxSearched {
		return true
	}
	dotted := strings.ReplaceAll(name, "/", ".")
	return slices.ContainsFunc(n.hints, func(s string) bool { return strings.Contains(s, name) || strings.Contains(s, dotted) })
}

// nameClasses gives local and anonymous classes, and the members of such, their names.
func (n *naming) nameClasses() {
	buckets := map[string][]*Unit{}
	for _, u := range n.sorted {
		if !u.place.local || n.told(u.Name) || !n.anchored(u, 0) {
			continue
		}
		key := u.place.outer + "." + n.owner(u) + "." + u.place.simple
		buckets[key] = append(buckets[key], u)
	}
	local := map[string]string{} // what a class adds to the name of the class that encloses it
	for _, units := range buckets {
		slices.SortFunc(units, byNumber)
		for k, u := range units {
			local[u.Name] = "." + n.owner(u) + ordinal(u, k)
		}
	}
	for _, u := range n.sorted {
		if full := n.className(u.Name, local, 0); full != u.Name {
			n.classes[u.Name] = full
		}
	}
	n.dropClashes()
}

// maxEnclosed bounds how deep classes are enclosed in one another: a file can claim a circle.
const maxEnclosed = 100

// anchored tells whether the classes that enclose u are in the group and end at one that is not local.
func (n *naming) anchored(u *Unit, depth int) bool {
	outer, ok := n.units[u.place.outer]
	if !ok || depth > maxEnclosed {
		return false
	}
	return outer.place.outer == "" || n.anchored(outer, depth+1)
}

func (n *naming) className(name string, local map[string]string, depth int) string {
	u, ok := n.units[name]
	if !ok || u.place.outer == "" || depth > maxEnclosed {
		return name
	}
	if suffix, ok := local[name]; ok {
		return n.className(u.place.outer, local, depth+1) + suffix
	}
	if outer := n.className(u.place.outer, local, depth+1); !u.place.local && outer != u.place.outer && u.place.simple != "" {
		return outer + "$" + u.place.simple
	}
	return name
}

// owner is the part of the canonical name that says where in its class a local class is declared.
func (n *naming) owner(u *Unit) string {
	switch {
	case u.place.switchMap:
		return "switchmap"
	case u.place.mark:
		return "mark"
	case u.place.method != "":
		return u.place.method
	}
	// An initializer: a static one is compiled into <clinit>, the others into constructors.
	for _, m := range n.units[u.place.outer].methods {
		if m.name == "<clinit>" && slices.Contains(m.refs, ref{class: u.Name}) {
			return "static"
		}
	}
	return "init"
}

func ordinal(u *Unit, k int) string {
	switch {
	case (u.place.switchMap || u.place.mark) && k == 0:
		return ""
	case u.place.switchMap || u.place.mark:
		return fmt.Sprintf("#%d", k)
	case u.place.simple != "":
		return fmt.Sprintf(".local#%d:%s", k, u.place.simple)
	}
	return fmt.Sprintf(".anon#%d", k)
}

// byNumber orders classes by the number in their names: that is the order of the source.
func byNumber(a, b *Unit) int {
	return cmp.Or(cmp.Compare(len(numberOf(a)), len(numberOf(b))), cmp.Compare(numberOf(a), numberOf(b)), cmp.Compare(a.Name, b.Name))
}

// numberOf is the number at the end of a class name, before its simple name.
func numberOf(u *Unit) string {
	name := strings.TrimSuffix(u.Name, u.place.simple)
	end := len(name)
	for end > 0 && name[end-1] >= '0' && name[end-1] <= '9' {
		end--
	}
	return name[end:]
}

// dropClashes gives all classes of the group their own names back if two would have the same one.
func (n *naming) dropClashes() {
	seen := map[string]bool{}
	for name := range n.units {
		full := name
		if c, ok := n.classes[name]; ok {
			full = c
		}
		if seen[full] {
			n.classes = map[string]string{}
			return
		}
		seen[full] = true
	}
}

// nameLambdas names the lambda methods of a class after the methods that refer to them.
func (n *naming) nameLambdas(u *Unit) {
	lambdas := map[ref]*methodUnit{}
	var open []*methodUnit // methods whose name is known and whose lambdas are to be named, by name
	for _, i := range u.order {
		m := &u.methods[i]
		const want = classfile.Private | classfile.Synthetic
		if isLambda(m.name) && m.member.Access&want == want && !n.told(m.name) {
			lambdas[ref{u.Name, m.name, m.desc}] = m
		} else if len(m.refs) > 0 {
			open = append(open, m)
		}
	}
	// Owners in the order of their names, lambdas in lambdas after all others: so each lambda gets the least owner, and what refers to itself only, none.
	for len(open) > 0 && len(lambdas) > 0 {
		m := open[0]
		open = open[1:]
		k := 0
		for _, r := range m.refs {
			lambda, ok := lambdas[r]
			if !ok || n.methods[r] != "" {
				continue
			}
			n.methods[r] = fmt.Sprintf("%s.lambda#%d", n.methodName(u, m), k)
			k++
			open = append(open, lambda)
		}
	}
}

func (n *naming) methodName(u *Unit, m *methodUnit) string {
	if name, ok := n.methods[ref{u.Name, m.name, m.desc}]; ok {
		return name
	}
	return m.name + replaceClasses(m.desc, func(name string) string { return cmp.Or(n.classes[name], name) })
}

// nameAccessors names accessors after what they do: a few instructions that no one edits apart from the member that they reach.
func (n *naming) nameAccessors(u *Unit) {
	byName := map[string][]ref{}
	for _, m := range u.methods {
		const want = classfile.Static | classfile.Synthetic
		if !isAccessor(m.name) || m.member.Access&want != want || m.code == nil || len(m.refs) > 0 || n.told(m.name) {
			continue
		}
		name := "access." + hex.EncodeToString(m.body[:])
		byName[name+m.desc] = append(byName[name+m.desc], ref{u.Name, m.name, m.desc})
	}
	for name, refs := range byName {
		if len(refs) == 1 {
			n.methods[refs[0]] = name[:len("access.")+32]
		}
	}
}
