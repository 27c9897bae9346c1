package hierarchy

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// TestDiffJudgedByJVM compares Diff with what happens when every method of every class is called in both versions of generated programs.
func TestDiffJudgedByJVM(t *testing.T) {
	j := newJudge(t, 25)
	platform := j.platform(t)
	n := max(*hierarchies/3, 1)
	differing, same, dispatches := 0, 0, 0
	const batch = 250
	for at := 0; at < n && !t.Failed(); at += batch {
		var pairs []*pair
		var run []*executable
		for i := at; i < min(at+batch, n); i++ {
			p := newPair(*firstSeed+uint64(i), platform)
			pairs = append(pairs, p)
			for _, side := range p.sides {
				e, err := side.prepare()
				if err != nil {
					t.Fatalf("seed %d: %v", p.seed, err)
				}
				run = append(run, e)
			}
		}
		if err := j.run(run, func(i int, o outcomes) { pairs[i/2].sides[i%2].got = o }); err != nil {
			t.Fatalf("pairs from seed %d: %v", *firstSeed+uint64(at), err)
		}
		for _, p := range pairs {
			want, got := p.observed(), p.diff()
			if !maps.Equal(want, got) {
				t.Errorf("go test ./internal/jvm/hierarchy -run '%s$' -seed %d -hierarchies 3\nold:\n%s\nnew:\n%s\nthe JVM saw differences in\n%v\nDiff in\n%v", t.Name(), p.seed,
					p.sides[0].program, p.sides[1].program, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
				break
			}
			dispatches += len(want)
			if len(want) > 0 {
				differing++
			} else {
				same++
			}
		}
	}
	t.Logf("%d pairs of hierarchies: %d with differences (%d receivers and signatures), %d without", differing+same, differing, dispatches, same)
	if n >= 150 && (differing*4 < n || same*20 < n) {
		t.Errorf("of %d pairs %d differ: the judge has little to judge", n, differing)
	}
}

// A pair is a program and an edited version of it.
type pair struct {
	seed    uint64
	changed []string
	sides   [2]*side
}

// A side is one of the versions, with calls of every method through every class.
type side struct {
	*program
	world     *World
	platform  map[string]*Class
	signature []signature
	kept      []use
	got       outcomes
}

func newPair(seed uint64, platform map[string]*Class) *pair {
	for attempt := uint64(1000); ; attempt++ {
		old := generateOnce(seed, attempt, platform)
		for _, c := range old.classes {
			c.Major, c.Sealed, c.Permitted = max(c.Major, 52), false, nil
		}
		old.uses = nil
		g := rand.New(rand.NewPCG(seed, attempt+1<<32))
		now, changes := edited(g, old)
		if !judgeable(old.world(platform), old) || !judgeable(now.world(platform), now) {
			continue
		}
		p := &pair{seed: seed, changed: slices.Sorted(maps.Keys(changes))}
		before := old.world(platform)
		for _, c := range old.classes {
			before.Know(c.Name)
		}
		signatures := declaredIn(old, now)
		p.sides[0] = &side{program: old, world: before, platform: platform, signature: signatures}
		p.sides[1] = &side{program: now, world: before.With(changes), platform: platform, signature: signatures}
		return p
	}
}

func declaredIn(programs ...*program) []signature {
	all := map[signature]bool{{"toString", "()Ljava/lang/String;"}: true}
	for _, p := range programs {
		for _, c := range p.classes {
			for i := range c.Methods {
				all[c.Methods[i].signature()] = true
			}
		}
	}
	return sorted(all)
}

// edited changes one or two classes, as a person who edits a program might, and says which; nil for those that were deleted.
func edited(g *rand.Rand, p *program) (*program, map[string]*Class) {
	out := &program{classes: slices.Clone(p.classes)}
	changes := map[string]*Class{}
	for range 1 + g.IntN(2) {
		if len(out.classes) == 0 {
			break
		}
		i := g.IntN(len(out.classes))
		c := *out.classes[i]
		if g.IntN(25) == 0 {
			changes[c.Name] = nil
			out.classes = slices.Delete(out.classes, i, i+1)
			continue
		}
		c.Methods, c.Interfaces = slices.Clone(c.Methods), slices.Clone(c.Interfaces)
		editClass(g, &c, p)
		out.classes[i], changes[c.Name] = &c, &c
	}
	return out, changes
}

func editClass(g *rand.Rand, c *Class, p *program) {
	gen := &generator{Rand: g}
	switch g.IntN(6) {
	case 0, 1: // a method more
		all := declaredIn(p)
		s := all[g.IntN(len(all))]
		if s.name != "toString" && !slices.ContainsFunc(c.Methods, func(m Member) bool { return m.signature() == s }) {
			c.Methods = append(c.Methods, Member{s.name, s.descriptor, gen.methodFlags(c)})
		}
	case 2: // a method less
		if len(c.Methods) > 0 {
			i := g.IntN(len(c.Methods))
			c.Methods = slices.Delete(c.Methods, i, i+1)
		}
	case 3: // other flags
		if len(c.Methods) > 0 && c.Methods[0].Name != "toString" {
			c.Methods[0].Access = gen.methodFlags(c)
		}
	case 4: // an interface more or less
		if len(c.Interfaces) > 0 && g.IntN(2) == 0 {
			c.Interfaces = c.Interfaces[1:]
			return
		}
		other := p.classes[g.IntN(len(p.classes))]
		if other.is(classfile.Interface) && other.Name[2] < c.Name[2] && !slices.Contains(c.Interfaces, other.Name) {
			c.Interfaces = append(c.Interfaces, other.Name)
		}
	case 5: // another superclass
		other := p.classes[g.IntN(len(p.classes))]
		if !other.is(classfile.Interface) && !c.is(classfile.Interface) && other.Name[2] < c.Name[2] {
			c.Super = other.Name
		}
	}
}

// any is the name of a class that extends or implements just a class, which Diff knows nothing of.
func anySubtype(name string) string { return name + "Any" }

// prepare adds the calls, and for every class one that knows nothing better than its supertype.
func (s *side) prepare() (*executable, error) {
	full := &program{classes: slices.Clone(s.classes)}
	for _, c := range s.classes {
		if c.is(classfile.Final) {
			continue
		}
		sub := &Class{Name: anySubtype(c.Name), Major: 52, Access: classfile.Public | classfile.Super, Super: c.Name}
		if c.is(classfile.Interface) {
			sub.Super, sub.Interfaces = object, []string{c.Name}
		}
		full.classes = append(full.classes, sub)
	}
	w := full.world(s.platform)
	for _, via := range s.classes {
		for _, sig := range s.signature {
			if u := s.calls(w, full, via, sig); len(u.receivers) > 0 {
				full.uses = append(full.uses, u)
			}
		}
	}
	e, kept, err := full.executable(w)
	s.kept = kept
	return e, err
}

func (s *side) calls(w *World, full *program, via *Class, sig signature) use {
	u := use{Site: Site{Op: bytecode.Invokevirtual, From: via.Name, Ref: Ref{Tag: classfile.TagMethodref, Class: via.Name, Name: sig.name, Descriptor: sig.descriptor}}}
	if via.is(classfile.Interface) {
		u.Op, u.Ref.Tag = bytecode.Invokeinterface, classfile.TagInterfaceMethodref
	}
	for _, c := range full.classes {
		if passes(w, c.Name, via.Name) && w.Load(via.Name) == nil {
			u.receivers = append(u.receivers, c.Name)
		}
	}
	return u
}

// dispatched is what happened: for each receiver and signature the outcomes by class through which the call went.
func (s *side) dispatched() map[string]map[string]string {
	out := map[string]map[string]string{}
	i := 0
	for _, u := range s.kept {
		for _, r := range u.receivers {
			key := r + " " + u.Ref.Name + u.Ref.Descriptor
			if out[key] == nil {
				out[key] = map[string]string{}
			}
			if o := s.got.calls[i]; o != NoSuchMethod.String() {
				out[key][u.Ref.Class] = o
			}
			i++
		}
	}
	return out
}

// receiver is the class whose objects stand for a class: itself, or if it has none, one that just extends or implements it.
func (s *side) receiver(name string) string {
	for _, c := range s.classes {
		if c.Name == name && c.is(classfile.Abstract|classfile.Interface) {
			return anySubtype(name)
		}
	}
	return name
}

// observed are the receivers and signatures whose outcomes differ on the JVM; a receiver alone if the class itself cannot be loaded on one side.
func (p *pair) observed() map[string]bool {
	var loads [2]map[string]string
	var calls [2]map[string]map[string]string
	names := map[string]bool{}
	for i, s := range p.sides {
		loads[i], calls[i] = map[string]string{}, s.dispatched()
		for k, c := range s.classes {
			loads[i][c.Name] = s.got.classes[k]
			names[c.Name] = true
		}
	}
	out := map[string]bool{}
	for name := range names {
		old, now := cmpOr(loads[0][name], NoClassDefFound.String()), cmpOr(loads[1][name], NoClassDefFound.String())
		if old != now {
			out[name] = true
		}
		if old != "ok" || now != "ok" {
			continue
		}
		for _, sig := range p.sides[0].signature {
			key := func(i int) string { return p.sides[i].receiver(name) + " " + sig.name + sig.descriptor }
			if p.declared(name, sig) && !maps.Equal(calls[0][key(0)], calls[1][key(1)]) {
				out[name+" "+sig.name+sig.descriptor] = true
			}
		}
	}
	return out
}

// declared tells whether a class or a supertype other than java/lang/Object declares a method on one side.
func (p *pair) declared(name string, sig signature) bool {
	for _, s := range p.sides {
		all, err := s.world.Supertypes(name)
		if err != nil {
			continue
		}
		for _, above := range append(all, name) {
			if above != object && s.world.load(above).methods[sig] != nil {
				return true
			}
		}
	}
	return false
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// diff is what Diff says, without differences that only access checks hide from the JVM.
func (p *pair) diff() map[string]bool {
	out := map[string]bool{}
	for _, d := range Diff(p.sides[0].world, p.sides[1].world, p.changed...) {
		if d.Old.Kind() != None && d.Old.Kind() == d.New.Kind() {
			continue
		}
		out[strings.TrimSpace(d.Receiver+" "+d.Name+d.Descriptor)] = true
	}
	return out
}

// TestDiff shows what a difference looks like.
func TestDiff(t *testing.T) {
	public := classfile.Public
	m := []Member{{"m", "()V", public}}
	before := small(
		&Class{Name: "p/I", Super: object, Access: public | classfile.Interface | classfile.Abstract, Methods: m},
		&Class{Name: "p/A", Super: object, Access: public | classfile.Abstract, Interfaces: []string{"p/I"}},
		&Class{Name: "p/B", Super: "p/A", Access: public},
		&Class{Name: "p/C", Super: "p/B", Access: public, Methods: m},
		&Class{Name: "p/D", Super: object, Access: public, Methods: m})
	after := before.With(map[string]*Class{"p/A": {Name: "p/A", Super: object, Access: public | classfile.Abstract, Interfaces: []string{"p/I"}, Methods: m}})
	var got []string
	for _, d := range Diff(before, after, "p/A") {
		got = append(got, fmt.Sprintf("%s: %s.%s%s: %s to %s, open %t", d.Receiver, d.Via, d.Name, d.Descriptor, d.Old, d.New, d.Open))
	}
	want := []string{"p/A: p/A.m()V: p/I to p/A, open true", "p/B: p/A.m()V: p/I to p/A, open false"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if again := Diff(before, before, "p/A"); len(again) > 0 {
		t.Errorf("a world differs from itself: %v", again)
	}
}

// small is a world of some classes and java/lang/Object, all known.
func small(classes ...*Class) *World {
	all := map[string]*Class{object: {Name: object, Access: classfile.Public, Methods: []Member{{"toString", "()Ljava/lang/String;", classfile.Public}}}}
	var names []string
	for _, c := range classes {
		all[c.Name] = c
		names = append(names, c.Name)
	}
	w := New(func(name string) (*Class, error) {
		if c := all[name]; c != nil {
			return c, nil
		}
		return nil, ErrNotFound
	})
	w.Know(names...)
	return w
}
