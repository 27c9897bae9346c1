package state

import (
	"fmt"
	"slices"
	"testing"

	"winnow/internal/jvm/agent"
)

// A relay is a program in which every test sets a static field and reads it.
type relay struct {
	classes map[string]*Class
	methods []agent.Method
}

func (r *relay) Class(name string) (*Class, error)  { return r.classes[name], nil }
func (r *relay) JDK(name string) bool               { return name == "java/lang/Object" }
func (r *relay) Own(string) bool                    { return true }
func (r *relay) Method(id int) (agent.Method, bool) { return r.methods[id], true }

// TestHandedChain: every test depends on all before it, and says so by naming one.
func TestHandedChain(t *testing.T) {
	const tests = 200
	field := Member{Class: "p/S", Name: "f", Descriptor: "Lp/S;", Static: true}
	set := Member{Class: "p/S", Name: "set", Descriptor: "(Lp/S;)V", Static: true}
	r := &relay{classes: map[string]*Class{"java/lang/Object": {Name: "java/lang/Object"}, "p/S": {
		Name: "p/S", Super: "java/lang/Object", Fields: []Field{{Name: "f", Descriptor: "Lp/S;", Signature: "Lp/S;", Static: true}, {Name: "n", Descriptor: "I", Signature: "I"}},
		Methods: []Body{{Name: "set", Descriptor: "(Lp/S;)V", Static: true, Writes: []Member{field}, Given: []Member{field}}},
	}}, methods: []agent.Method{{Class: "p/S", Name: "set", Descriptor: "(Lp/S;)V"}}}
	trace := &agent.Trace{Process: &agent.Footprint{Name: "process"}}
	for i := range tests {
		name := fmt.Sprintf("p/T%d", i)
		r.classes[name] = &Class{Name: name, Super: "java/lang/Object", Methods: []Body{{Name: "test", Descriptor: "()V", Calls: []Member{set}, Reads: []Member{field}}}}
		r.methods = append(r.methods, agent.Method{Class: name, Name: "test", Descriptor: "()V"})
		trace.Tests = append(trace.Tests, &agent.TestTrace{Node: agent.Node{Key: name, Class: fmt.Sprintf("p.T%d", i)}, Begin: uint64(2*i + 1), End: uint64(2*i + 2), Outcome: agent.Passed,
			Own: &agent.Footprint{Methods: []int{0, i + 1}}, Shared: []*agent.Footprint{trace.Process}})
	}
	in, err := inherit(r, r, trace, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, test := range trace.Tests {
		if got := len(in.Handed[test]); got > 1 {
			t.Fatalf("test %d names %d others", i, got)
		}
		_, handed := in.All(test)
		has := map[*agent.Footprint]bool{}
		for _, f := range handed {
			has[f] = true
		}
		for k, other := range trace.Tests[:i] {
			if !has[other.Own] {
				t.Fatalf("test %d does not depend on %d", i, k)
			}
		}
	}
}

// TestHandedAcross: a test that was handed something by one that ran at the same time does not come with what was handed to that one.
func TestHandedAcross(t *testing.T) {
	r := &relay{classes: map[string]*Class{"java/lang/Object": {Name: "java/lang/Object"}}}
	class := &Class{Name: "p/S", Super: "java/lang/Object"}
	r.classes[class.Name] = class
	field, set := map[string]Member{}, map[string]Member{}
	for _, name := range []string{"f", "g", "h", "i"} {
		field[name] = Member{Class: "p/S", Name: name, Descriptor: "Lp/S;", Static: true}
		set[name] = Member{Class: "p/S", Name: "set" + name, Descriptor: "(Lp/S;)V", Static: true}
		class.Fields = append(class.Fields, Field{Name: name, Descriptor: "Lp/S;", Signature: "Lp/S;", Static: true})
		class.Methods = append(class.Methods, Body{Name: "set" + name, Descriptor: "(Lp/S;)V", Static: true, Writes: []Member{field[name]}, Given: []Member{field[name]}})
		r.methods = append(r.methods, agent.Method{Class: "p/S", Name: "set" + name, Descriptor: "(Lp/S;)V"})
	}
	class.Fields = append(class.Fields, Field{Name: "n", Descriptor: "I", Signature: "I"})
	trace := &agent.Trace{Process: &agent.Footprint{Name: "process"}}
	add := func(name, reads, sets string, begin, end uint64) *agent.TestTrace {
		b, own := Body{Name: "test", Descriptor: "()V"}, []int{}
		for _, f := range reads {
			b.Reads = append(b.Reads, field[string(f)])
		}
		for _, f := range sets {
			b.Calls = append(b.Calls, set[string(f)])
			own = append(own, int(f-'f'))
		}
		r.classes["p/"+name] = &Class{Name: "p/" + name, Super: "java/lang/Object", Methods: []Body{b}}
		own = append(own, len(r.methods))
		r.methods = append(r.methods, agent.Method{Class: "p/" + name, Name: "test", Descriptor: "()V"})
		test := &agent.TestTrace{Node: agent.Node{Key: name, Class: "p." + name}, Begin: begin, End: end, Outcome: agent.Passed, Own: &agent.Footprint{Methods: own}, Shared: []*agent.Footprint{trace.Process}}
		trace.Tests = append(trace.Tests, test)
		return test
	}
	first := add("First", "", "f", 1, 2)
	add("Left", "g", "h", 3, 6)
	add("Right", "f", "g", 4, 5)
	add("Next", "h", "i", 7, 8)
	tests := []*agent.TestTrace{add("Last", "fh", "", 9, 10), add("Other", "gi", "", 11, 12)}
	in, err := inherit(r, r, trace, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		if _, handed := in.All(test); !slices.Contains(handed, first.Own) {
			t.Errorf("%s: what the first test put there is missing", test.Key)
		}
	}
}
