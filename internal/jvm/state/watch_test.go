package state

import (
	"slices"
	"testing"

	"winnow/internal/jvm/agent"
)

// TestWatch: a test hands nothing over through a field that it left as it found it, if that was seen.
func TestWatch(t *testing.T) {
	const label = "p/S.f"
	for name, of := range map[string]struct {
		change func(trace *agent.Trace)
		handed bool
		absent []Put
	}{
		"not watched":    {func(*agent.Trace) {}, true, nil},
		"given up":       {func(trace *agent.Trace) { trace.Watched = map[string]bool{label: false} }, true, nil},
		"the same":       {func(trace *agent.Trace) { trace.Watched = map[string]bool{label: true} }, false, nil},
		"another":        {func(trace *agent.Trace) { trace.Watched = map[string]bool{"p/S.g": true} }, true, nil},
		"changed":        {func(trace *agent.Trace) { watched(trace, 0) }, true, nil},
		"by another one": {func(trace *agent.Trace) { watched(trace, 1) }, false, nil},
		"put back":       {func(trace *agent.Trace) { watched(trace, 1) }, true, []Put{{Field: label, Method: "p/S.other()V"}}},
		"in its group": {func(trace *agent.Trace) {
			trace.Watched = map[string]bool{label: true}
			trace.Tests[0].Shared = append(trace.Tests[0].Shared, &agent.Footprint{Name: "group", Changed: []string{label}})
		}, true, nil},
		"at once": {func(trace *agent.Trace) {
			trace.Watched = map[string]bool{label: true}
			trace.Tests[0].End = trace.Tests[1].Begin + 1
		}, true, nil},
	} {
		field := Member{Class: "p/S", Name: "f", Descriptor: "Lp/S;", Static: true}
		r := &relay{classes: map[string]*Class{"java/lang/Object": {Name: "java/lang/Object"}, "p/S": {
			Name: "p/S", Super: "java/lang/Object", Fields: []Field{{Name: "f", Descriptor: "Lp/S;", Signature: "Lp/S;", Static: true}, {Name: "n", Descriptor: "I", Signature: "I"}},
			Methods: []Body{{Name: "set", Descriptor: "(Lp/S;)V", Static: true, Writes: []Member{field}, Given: []Member{field}}},
		}, "p/T": {Name: "p/T", Super: "java/lang/Object", Methods: []Body{{Name: "reads", Descriptor: "()V", Reads: []Member{field}}}}},
			methods: []agent.Method{{Class: "p/S", Name: "set", Descriptor: "(Lp/S;)V"}, {Class: "p/T", Name: "reads", Descriptor: "()V"}}}
		trace := &agent.Trace{Process: &agent.Footprint{Name: "process"}}
		for i, methods := range [][]int{{0}, {0}, {1}} {
			trace.Tests = append(trace.Tests, &agent.TestTrace{Node: agent.Node{Class: "p.T"}, Begin: uint64(2*i + 1), End: uint64(2*i + 2), Outcome: agent.Passed,
				Own: &agent.Footprint{Methods: methods}, Shared: []*agent.Footprint{trace.Process}})
		}
		of.change(trace)
		in, err := inherit(r, r, trace, of.absent)
		if err != nil {
			t.Fatal(err)
		}
		_, handed := in.All(trace.Tests[2])
		if got := slices.Contains(handed, trace.Tests[0].Own); got != of.handed {
			t.Errorf("%s: handed %v", name, got)
		}
	}
}

// watched makes a field one that is watched, and that a test changed.
func watched(trace *agent.Trace, test int) {
	trace.Watched = map[string]bool{"p/S.f": true}
	trace.Tests[test].Own.Changed = []string{"p/S.f"}
}
