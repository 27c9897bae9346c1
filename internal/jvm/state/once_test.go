package state

import (
	"testing"

	"winnow/internal/jvm/agent"
)

// TestOnceReflected: a field that is filled once hands nothing over, unless somebody looks at it by reflection and could tell.
func TestOnceReflected(t *testing.T) {
	field := Member{Class: "p/S", Name: "f", Descriptor: "I", Static: true}
	get := Member{Class: "p/S", Name: "get", Descriptor: "()I", Static: true}
	lazy := Body{Name: "get", Descriptor: "()I", Static: true, Branches: true, Reads: []Member{field}, Writes: []Member{field}, Given: []Member{field}, Onces: []Once{{Field: field, Flag: field, Mark: "0"}}}
	looks := Body{Name: "test", Descriptor: "()V", Calls: []Member{get, {Class: "java/lang/reflect/Field", Name: "getInt", Descriptor: "(Ljava/lang/Object;)I"}}}
	r := &relay{classes: map[string]*Class{
		"java/lang/Object": {Name: "java/lang/Object"},
		"p/S":              {Name: "p/S", Super: "java/lang/Object", Fields: []Field{{Name: "f", Descriptor: "I", Signature: "I", Static: true}}, Methods: []Body{lazy}},
		"p/T0":             {Name: "p/T0", Super: "java/lang/Object", Methods: []Body{{Name: "test", Descriptor: "()V", Calls: []Member{get}}}},
		"p/T1":             {Name: "p/T1", Super: "java/lang/Object", Methods: []Body{looks}},
	}, methods: []agent.Method{{Class: "p/S", Name: "get", Descriptor: "()I"}, {Class: "p/T0", Name: "test", Descriptor: "()V"}, {Class: "p/T1", Name: "test", Descriptor: "()V"}}}
	for reflected, want := range map[string]int{"": 0, "p.S": 1} {
		second := &agent.Footprint{Methods: []int{0, 2}}
		if reflected != "" {
			second.Events = []agent.NamedEvent{{Kind: agent.ClassReflected, Text: reflected}}
		}
		trace := &agent.Trace{Process: &agent.Footprint{Name: "process"}}
		for i, own := range []*agent.Footprint{{Methods: []int{0, 1}}, second} {
			trace.Tests = append(trace.Tests, &agent.TestTrace{Node: agent.Node{Key: r.methods[i+1].Class, Class: r.methods[i+1].Class}, Begin: uint64(2*i + 1), End: uint64(2*i + 2), Outcome: agent.Passed, Own: own, Shared: []*agent.Footprint{trace.Process}})
		}
		in, err := inherit(r, r, trace, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(in.Handed[trace.Tests[1]]); got != want {
			t.Errorf("reflection on %q: %d footprints were handed over, want %d", reflected, got, want)
		}
	}
}
