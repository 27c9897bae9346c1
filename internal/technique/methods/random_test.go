package methods

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/hierarchy"
	"winnow/internal/jvm/table"
	"winnow/internal/rts"
	"winnow/internal/safety"
)

var rounds = flag.Int("rounds", 3000, "random programs that TestRandomDispatch makes")

// A draft is a class of a random program: its superclass, and the version of the body of each method that it declares.
type draft struct {
	super   string
	methods map[string]int
}

const object = "java/lang/Object"

func randomProgram(r *rand.Rand) map[string]draft {
	out := map[string]draft{}
	names := []string{object}
	for i := range 2 + r.IntN(6) {
		d := draft{super: names[r.IntN(len(names))], methods: map[string]int{}}
		for m := range 3 {
			if r.IntN(3) == 0 {
				d.methods[fmt.Sprintf("m%d", m)] = r.IntN(2)
			}
		}
		name := fmt.Sprintf("p/C%d", i)
		out[name] = d
		names = append(names, name)
	}
	return out
}

// edit declares other methods in some classes.
func edit(r *rand.Rand, old map[string]draft) map[string]draft {
	out := map[string]draft{}
	for i := range len(old) {
		name := fmt.Sprintf("p/C%d", i)
		d := draft{super: old[name].super, methods: map[string]int{}}
		for m := range 3 {
			key := fmt.Sprintf("m%d", m)
			version, has := old[name].methods[key]
			switch {
			case r.IntN(6) == 0 && !has:
				d.methods[key] = r.IntN(2)
			case r.IntN(6) == 0:
			case has:
				d.methods[key] = version
			}
		}
		out[name] = d
	}
	return out
}

func tablesOf(drafts map[string]draft) *made {
	var tables []*table.Table
	for name, d := range drafts {
		var methods []string
		for m, version := range d.methods {
			methods = append(methods, fmt.Sprintf("%s=%d", m, version))
		}
		slices.Sort(methods)
		tables = append(tables, class(name, d.super, methods...))
	}
	return programOf(tables...)
}

// lineage is a class with its superclasses in the program.
func lineage(p map[string]draft, name string) []string {
	var out []string
	for ; name != object; name = p[name].super {
		out = append(out, name)
	}
	return out
}

// call tells what a call runs: a method with the version of its body, or an error.
func call(p map[string]draft, m *made, via, name, receiver string) (owner, result string) {
	site := hierarchy.Site{Op: bytecode.Invokevirtual, From: via, Ref: hierarchy.Ref{Tag: classfile.TagMethodref, Class: via, Name: name, Descriptor: "()I"}}
	t := m.world.Invoke(site, receiver)
	if t.Err != nil {
		return "", t.Kind().String()
	}
	return t.Owner, fmt.Sprintf("%s %d", t.Owner, p[t.Owner].methods[name])
}

// Random programs, random edits, and tests that make random calls: if a call runs another method or body in the new program, the test is affected. How often it is
// without need is printed.
func TestRandomDispatch(t *testing.T) {
	affected, needless, missedWithout := 0, 0, 0
	for seed := range uint64(*rounds) {
		r := rand.New(rand.NewPCG(seed, 7))
		before := randomProgram(r)
		after := edit(r, before)
		old, now := tablesOf(before), tablesOf(after)
		b, uses := bodies{}, map[string]rts.Use{}
		touch := func(name string, entries ...uint32) {
			u, ok := uses[name]
			if !ok {
				u = use(b, "", old.tables[name])
			}
			u.Entries = slices.Compact(slices.Sorted(slices.Values(append(u.Entries, entries...))))
			uses[name] = u
		}
		differs := false
		for range 1 + r.IntN(3) {
			receiver := fmt.Sprintf("p/C%d", r.IntN(len(before)))
			above := lineage(before, receiver)
			via, name := above[r.IntN(len(above))], fmt.Sprintf("m%d", r.IntN(3))
			owner, result := call(before, old, via, name, receiver)
			for _, c := range above {
				touch(c)
			}
			if owner == "" { // it did not link
				for _, c := range lineage(before, via) {
					touch(c, table.Reflected)
				}
			} else {
				_, entry, _ := old.tables[owner].Method(name, "()I")
				touch(owner, entry)
			}
			_, again := call(after, now, via, name, receiver)
			differs = differs || result != again
		}
		var all []rts.Use
		for _, u := range uses {
			all = append(all, u)
		}
		trace := now.trace(all...)
		if len(trace.Stale) == 0 {
			if differs {
				t.Fatalf("seed %d: nothing is stale", seed)
			}
			continue
		}
		hit := verdict(t, New(b, now, safety.Rules{}), trace) != "harmless"
		if differs && !hit {
			t.Fatalf("seed %d: missed\nold %v\nnew %v\nuses %v", seed, before, after, all)
		}
		if differs && verdict(t, New(b, now, safety.Without(Dispatch)), trace) == "harmless" {
			missedWithout++
		}
		if hit {
			affected++
		}
		if hit && !differs {
			needless++
		}
	}
	if missedWithout == 0 {
		t.Error("the rule of dispatch is never needed")
	}
	t.Logf("%d programs: %d tests affected, %d of them without need; %d would be missed without the rule", *rounds, affected, needless, missedWithout)
}
