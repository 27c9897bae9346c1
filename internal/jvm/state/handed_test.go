package state

import (
	"fmt"
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
