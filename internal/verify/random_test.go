package verify

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/jvm/assemble"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/safety"
	"winnow/internal/technique"
	"winnow/internal/technique/methods"
)

var (
	randomSeed  = flag.Uint64("verify.seed", 1, "seed of the random programs")
	randomCount = flag.Int("verify.n", 120, "number of random programs")
)

// A sketch is a class of a random program.
type sketch struct {
	assemble.Header
	methods map[string]body // by name; all have the type ()I
}

type body struct {
	access classfile.Flags
	value  int16
}

// What the checker accepts the technique accepts: on random hierarchies, random edits of their methods, and random traces. The two share no argument.
func TestAgainstTechnique(t *testing.T) {
	t.Logf("seed %d, %d programs", *randomSeed, *randomCount)
	var sum tally
	for n := range uint64(*randomCount) {
		// Each is a test of its own, so that its files and programs are given back at once.
		t.Run(fmt.Sprint(n), func(t *testing.T) { sum.program(t, rand.New(rand.NewPCG(*randomSeed, n))) })
	}
	t.Logf("%d proofs hold, %d are broken, %d open; the technique finds %d harmless, and is coarser %d times", sum.held, sum.broken, sum.open, sum.harmless, sum.coarser)
	if few := *randomCount / 20; sum.held < 2*few || sum.broken < few || sum.open < few || sum.coarser > few {
		t.Error("the programs are not worth much")
	}
}

type tally struct{ held, broken, open, harmless, coarser int }

// program asks both about one random program.
func (sum *tally) program(t *testing.T, r *rand.Rand) {
	sketches := randomProgram(r)
	s := newScene(t, assembled(t, sketches))
	before := describeAll(sketches)
	rec := s.recorder()
	randomTrace(r, rec, sketches)
	uses := rec.list()
	s.passed(uses...)
	for range 1 + r.IntN(2) {
		edit(r, sketches[r.IntN(len(sketches))])
	}
	s.write(assembled(t, sketches))
	affected := judged(t, s, uses)
	rep := s.check()
	sum.held, sum.broken, sum.open = sum.held+rep.Held, sum.broken+rep.Broken, sum.open+rep.Open
	if len(affected) == 0 {
		sum.harmless++
	}
	switch {
	case rep.Held > 0 && len(affected) == 1 && strings.HasSuffix(affected[0], " may be called by fewer)"):
		sum.coarser++ // the technique asks for a subclass anywhere that declares the method, the checker for one in the trace
	case len(affected) > 0 && rep.Held > 0:
		t.Errorf("the proof holds, but the technique says %q\nbefore %q\nafter  %q\nuses %v", affected, before, describeAll(sketches), rts.SortUses(uses))
	case len(affected) == 0 && rep.Broken > 0:
		t.Errorf("the technique says that the test is not affected, but the proof is broken: %q", said(rep))
	}
}

// judged asks the technique, and lists as differences of the proof what it lists or would list.
func judged(t *testing.T, s *scene, uses []rts.Use) (affected []string) {
	t.Helper()
	now := s.program()
	all := rts.SortUses(slices.Clone(uses))
	trace := technique.Trace{Of: func(e rts.Entity) ([]rts.Use, error) { return rts.UsesOf(all, e), nil }}
	for _, u := range rts.SortUses(uses) {
		if d := now.Digest(u.Entity.Name); !d.Same(u.Digest) {
			trace.Stale = append(trace.Stale, technique.Stale{Use: u, Now: d})
			s.differs(u.Entity.Name)
		}
	}
	if len(trace.Stale) == 0 {
		return nil
	}
	reasons, _, err := methods.New(bodies(s.rec.Bodies), only{now}, safety.Rules{}).Judge(trace)
	if err != nil {
		return []string{err.Error()}
	}
	for _, r := range reasons {
		affected = append(affected, r.String())
	}
	return affected
}

type bodies map[digest.Digest][]byte

func (b bodies) Body(d digest.Digest) ([]byte, bool, error) {
	body, ok := b[d]
	return body, ok, nil
}

type only struct{ *table.Program }

func (o only) Find(e rts.Entity) (methods.Program, string, bool) { return o.Program, e.Name, true }

var packages = []string{"p/", "p/", "p/", "q/"}

// randomProgram makes three interfaces and five classes. All classes are abstract, so that any method may be.
func randomProgram(r *rand.Rand) []*sketch {
	var out []*sketch
	add := func(name string, access classfile.Flags, super string) *sketch {
		s := &sketch{assemble.Header{Access: access | classfile.Public | classfile.Abstract, Name: packages[r.IntN(len(packages))] + name, Super: super}, map[string]body{}}
		for _, m := range []string{"m", "k", "toString2"} {
			if r.IntN(2) == 0 {
				s.methods[m] = randomMethod(r, s)
			}
		}
		out = append(out, s)
		return s
	}
	interfaces := func(s *sketch, of []*sketch) {
		for _, i := range of {
			if r.IntN(3) == 0 {
				s.Interfaces = append(s.Interfaces, i.Name)
			}
		}
	}
	for i := range 3 {
		interfaces(add(fmt.Sprint("I", i), classfile.Interface, "java/lang/Object"), out[:i])
	}
	for i := range 5 {
		super := "java/lang/Object"
		if i > 0 && r.IntN(4) > 0 {
			super = out[3+r.IntN(i)].Name
		}
		interfaces(add(fmt.Sprint("C", i), classfile.Super, super), out[:3])
	}
	return out
}

func randomMethod(r *rand.Rand, s *sketch) body {
	b := body{value: int16(r.IntN(3))}
	if s.Access&classfile.Interface != 0 {
		b.access = []classfile.Flags{classfile.Public, classfile.Public, classfile.Public | classfile.Abstract, classfile.Public | classfile.Static, classfile.Private}[r.IntN(5)]
		return b
	}
	b.access = []classfile.Flags{classfile.Public, classfile.Public, classfile.Public, classfile.Protected, 0, 0, classfile.Private}[r.IntN(7)]
	switch r.IntN(8) {
	case 0:
		b.access |= classfile.Static
	case 1:
		b.access |= classfile.Final
	case 2:
		if b.access&classfile.Private == 0 {
			b.access |= classfile.Abstract
		}
	}
	return b
}

// edit adds a method, removes it, or makes another one of it.
func edit(r *rand.Rand, s *sketch) {
	name := []string{"m", "k", "toString2"}[r.IntN(3)]
	if _, ok := s.methods[name]; ok && r.IntN(2) == 0 {
		delete(s.methods, name)
		return
	}
	s.methods[name] = randomMethod(r, s)
}

// randomTrace touches some classes and enters some of their methods.
func randomTrace(r *rand.Rand, rec *recorder, sketches []*sketch) {
	for _, s := range sketches {
		if r.IntN(2) == 0 {
			rec.touch(s.Name)
		}
	}
	for _, s := range sketches {
		if _, touched := rec.uses[s.Name]; !touched {
			continue
		}
		for _, name := range sortedKeys(s.methods) {
			if s.methods[name].access&classfile.Abstract == 0 && r.IntN(4) == 0 {
				rec.enter(s.Name + "." + name + "()I")
			}
		}
	}
}

func assembled(t *testing.T, sketches []*sketch) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, s := range sketches {
		c := assemble.New(s.Header)
		for _, name := range sortedKeys(s.methods) {
			m := s.methods[name]
			var code *assemble.Code
			if m.access&classfile.Abstract == 0 {
				code = c.Code()
				code.Push(m.value)
				code.Op(bytecode.Ireturn)
			}
			c.AddMethod(m.access, name, "()I", code)
		}
		data, err := c.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		out[s.Name] = data
	}
	return out
}

func describeAll(sketches []*sketch) []string {
	var out []string
	for _, s := range sketches {
		out = append(out, fmt.Sprintf("%s < %s %v: %v", s.Name, s.Super, s.Interfaces, s.methods))
	}
	slices.Sort(out)
	return out
}
