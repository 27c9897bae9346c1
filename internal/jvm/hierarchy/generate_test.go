package hierarchy

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// A generator makes small programs that are unlike those of compilers: supertypes, flags and references go together as chance will have it.
type generator struct {
	*rand.Rand
	packages   []string
	versions   []uint16
	signatures []signature
	names      []string // of the classes that exist
	interfaces map[string]bool
	order      map[string]int
	chain      bool // classes that extend one another, with methods that not every package may override
	defaults   bool // interfaces with default methods, and classes that have few methods
}

// generate makes a program. Some seeds make one that no JVM can judge; another is made then.
func generate(seed uint64, platform map[string]*Class) *program {
	for attempt := uint64(0); ; attempt++ {
		if p := generateOnce(seed, attempt, platform); judgeable(p.world(platform), p) {
			return p
		}
	}
}

func generateOnce(seed, attempt uint64, platform map[string]*Class) *program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, attempt)), interfaces: map[string]bool{}, order: map[string]int{}}
	g.packages = []string{"p", "q", "r"}[:1+g.IntN(3)]
	g.versions = [][]uint16{{61}, {61}, {55, 61}, {52, 61}, {49, 50, 52, 61}, {50, 52}}[g.IntN(6)]
	all := []signature{{"m", "()Ljava/lang/String;"}, {"m", "(I)Ljava/lang/String;"}, {"m", "()Ljava/lang/Object;"}, {"n", "()Ljava/lang/String;"}}
	g.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	g.signatures = all[:1+g.IntN(2)]
	if g.chain = g.chance(30); g.chain {
		g.packages, g.signatures = []string{"p", "q"}, g.signatures[:1]
	}
	if g.defaults = !g.chain && g.chance(20); g.defaults {
		g.versions = []uint16{52, 61}
	}
	p := &program{}
	for i := range 2 + g.IntN(6) {
		name := fmt.Sprintf("%s/%c", pick(g, g.packages), 'A'+i)
		g.interfaces[name] = !g.chain && g.chance(40)
		g.order[name] = i
		g.names = append(g.names, name)
	}
	for _, name := range g.names {
		p.classes = append(p.classes, g.class(name))
	}
	g.nests(p)
	w := p.world(platform)
	for range 6 + g.IntN(4*len(p.classes)) {
		p.uses = append(p.uses, g.useful(p, w))
	}
	// What is stored stays stored, so reading comes first.
	slices.SortStableFunc(p.uses, func(a, b use) int { return rank(a.Op) - rank(b.Op) })
	if g.chance(8) {
		i := g.IntN(len(p.classes))
		p.classes = slices.Delete(p.classes, i, i+1)
	}
	return p
}

func rank(op bytecode.Op) int {
	if op == bytecode.Putfield || op == bytecode.Putstatic {
		return 1
	}
	return 0
}

func pick[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }

// chance is true in so many of a hundred cases.
func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

// weighted picks by weights.
func weighted[T any](g *generator, choices []T, weights []int) T {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	n := g.IntN(sum)
	for i, w := range weights {
		if n -= w; n < 0 {
			return choices[i]
		}
	}
	panic("unreachable: n is less than the sum")
}

// earlier picks classes of a kind that come before name, so that there is no circle; rarely any class, or one that does not exist.
func (g *generator) earlier(name string, isInterface bool) []string {
	var out []string
	any := g.chance(3)
	for _, other := range g.names {
		if other == name && !g.chance(2) {
			continue
		}
		if any || g.interfaces[other] == isInterface && g.order[other] < g.order[name] {
			out = append(out, other)
		}
	}
	if g.chance(1) {
		out = append(out, "p/None")
	}
	return out
}

func (g *generator) class(name string) *Class {
	c := &Class{Name: name, Major: pick(g, g.versions), Super: object}
	if g.chance(85) {
		c.Access |= classfile.Public
	}
	above := g.earlier(name, true)
	g.Shuffle(len(above), func(i, j int) { above[i], above[j] = above[j], above[i] })
	for _, i := range above {
		if len(c.Interfaces) < 3 && g.chance(50) {
			c.Interfaces = append(c.Interfaces, i)
		}
	}
	if g.interfaces[name] {
		c.Access |= classfile.Interface | classfile.Abstract
	} else {
		if g.chance(90) {
			c.Access |= classfile.Super
		}
		if above := g.earlier(name, false); len(above) > 0 && g.chance(85) {
			c.Super = above[len(above)-1]
			if g.chance(40) && !g.chain {
				c.Super = pick(g, above)
			}
		}
		c.Access |= weighted(g, []classfile.Flags{0, classfile.Abstract, classfile.Final}, []int{82, 15, 3})
	}
	g.members(c)
	return c
}

func (g *generator) members(c *Class) {
	for _, s := range g.signatures {
		often := 60
		switch {
		case g.chain:
			often = 85
		case g.defaults && !c.is(classfile.Interface):
			often = 15
		}
		if g.chance(often) {
			c.Methods = append(c.Methods, Member{s.name, s.descriptor, g.methodFlags(c)})
		}
	}
	if !c.is(classfile.Interface) && g.chance(8) {
		c.Methods = append(c.Methods, Member{"toString", "()Ljava/lang/String;", classfile.Public})
	}
	for _, f := range []signature{{"f", "Ljava/lang/String;"}, {"f", "Ljava/lang/CharSequence;"}, {"g", "Ljava/lang/String;"}} {
		if g.chance(30) {
			c.Fields = append(c.Fields, Member{f.name, f.descriptor, g.fieldFlags(c)})
		}
	}
}

var visibility = []classfile.Flags{classfile.Public, classfile.Protected, 0, classfile.Private}

func (g *generator) methodFlags(c *Class) classfile.Flags {
	const public, abstract, static, private = classfile.Public, classfile.Abstract, classfile.Static, classfile.Private
	if c.is(classfile.Interface) {
		if c.Major < 52 {
			return public | abstract
		}
		if g.defaults {
			return weighted(g, []classfile.Flags{public | abstract, public}, []int{25, 75})
		}
		return weighted(g, []classfile.Flags{public | abstract, public, public | static, private, private | static}, []int{35, 40, 10, 10, 5})
	}
	access := weighted(g, visibility, []int{45, 15, 28, 12})
	switch {
	case g.chain:
		return weighted(g, visibility, []int{30, 5, 60, 5}) | weighted(g, []classfile.Flags{0, classfile.Final}, []int{85, 15})
	case g.chance(10):
		return access | static
	case g.chance(12) && access&private == 0:
		return access | abstract
	case g.chance(5):
		return access | classfile.Final
	}
	return access
}

func (g *generator) fieldFlags(c *Class) classfile.Flags {
	if c.is(classfile.Interface) {
		return classfile.Public | classfile.Static | classfile.Final
	}
	access := weighted(g, visibility, []int{45, 20, 20, 15})
	return access | weighted(g, []classfile.Flags{0, classfile.Static, classfile.Final, classfile.Static | classfile.Final}, []int{45, 35, 10, 10})
}

// nests puts some classes into nests, now and then without the consent of the host, and seals some.
func (g *generator) nests(p *program) {
	if !g.chance(35) {
		return
	}
	host := pick(g, p.classes)
	for _, c := range p.classes {
		if c == host || c.Major < nestVersion || !g.chance(60) {
			continue
		}
		c.NestHost = host.Name
		if host.Major >= nestVersion && g.chance(85) {
			host.NestMembers = append(host.NestMembers, c.Name)
		}
	}
	sealed := pick(g, p.classes)
	if g.chance(25) && sealed.Major >= sealedVersion && !sealed.is(classfile.Final) {
		sealed.Sealed = true
		for _, c := range p.classes {
			if c != sealed && g.chance(80) {
				sealed.Permitted = append(sealed.Permitted, c.Name)
			}
		}
		if len(sealed.Permitted) == 0 {
			sealed.Sealed = false
		}
	}
}

var operations = []bytecode.Op{bytecode.Invokevirtual, bytecode.Invokeinterface, bytecode.Invokespecial, bytecode.Invokestatic,
	bytecode.Getfield, bytecode.Getstatic, bytecode.Putfield, bytecode.Putstatic}

// useful prefers uses that link and can be executed, so that most programs do something.
func (g *generator) useful(p *program, w *World) use {
	for {
		u := g.use(p)
		_, _, ok := admit(w, u)
		if ok && w.Link(u.Site).Err == nil || g.chance(12) {
			if u.Op == bytecode.Invokeinterface && g.chance(90) {
				u.receivers = slices.DeleteFunc(u.receivers, func(r string) bool { return !passes(w, r, u.Ref.Class) })
			}
			return u
		}
	}
}

func (g *generator) use(p *program) use {
	from := pick(g, p.classes)
	u := use{Site: Site{From: from.Name, Op: weighted(g, operations, []int{38, 24, 14, 10, 5, 5, 2, 2}), In: "use"}}
	u.Ref = Ref{Class: g.referred(from, u.Op), Tag: classfile.TagMethodref}
	if isField(u.Op) {
		u.Ref.Tag, u.Ref.Name, u.Ref.Descriptor = classfile.TagFieldref, pick(g, []string{"f", "f", "g"}), "Ljava/lang/String;"
		if u.Ref.Name == "f" && g.chance(40) {
			u.Ref.Descriptor = "Ljava/lang/CharSequence;"
		}
	} else {
		s := pick(g, g.signatures)
		switch {
		case g.chance(5):
			s = signature{"toString", "()Ljava/lang/String;"}
		case g.chance(3) || u.Ref.Class[0] == '[':
			s = signature{"clone", "()Ljava/lang/Object;"}
		case g.chance(2):
			s.name = "absent"
		}
		u.Ref.Name, u.Ref.Descriptor = s.name, s.descriptor
		if g.interfaceRef(u) {
			u.Ref.Tag = classfile.TagInterfaceMethodref
		}
	}
	u.receivers = g.receivers()
	return u
}

// referred is the class of a reference: mostly one of the kind that the instruction wants.
func (g *generator) referred(from *Class, op bytecode.Op) string {
	switch {
	case g.chance(2):
		return "p/None"
	case g.chance(3) && op == bytecode.Invokevirtual:
		return "[L" + pick(g, g.names) + ";"
	case g.chance(2) && op != bytecode.Invokeinterface:
		return object
	}
	if op == bytecode.Invokespecial {
		near := append([]string{from.Name, from.Super, from.Super}, from.Interfaces...)
		if g.chance(80) {
			return pick(g, near)
		}
		return pick(g, g.names)
	}
	for range 3 {
		name := pick(g, g.names)
		if op == bytecode.Invokevirtual && g.interfaces[name] || op == bytecode.Invokeinterface && !g.interfaces[name] {
			continue
		}
		return name
	}
	return pick(g, g.names)
}

// interfaceRef decides the kind of reference to a method; wrong ones are rare.
func (g *generator) interfaceRef(u use) bool {
	switch u.Op {
	case bytecode.Invokevirtual:
		return false
	case bytecode.Invokeinterface:
		return true
	}
	return g.interfaces[u.Ref.Class] != g.chance(6)
}

func (g *generator) receivers() []string {
	var out []string
	for _, name := range g.names {
		if g.chance(70) {
			out = append(out, name)
		}
	}
	if g.chance(10) {
		out = append(out, "[L"+pick(g, g.names)+";")
	}
	if g.chance(10) {
		out = append(out, "[I")
	}
	g.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	if len(out) == 0 || g.chance(10) {
		out = append(out, "")
	}
	return out
}
