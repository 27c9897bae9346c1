package callgraph

import (
	"errors"
	"reflect"
	"strings"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/hierarchy"
)

// affected says for which sites the callees may not be what they were.
//
// What a site means depends on the class that it names and its supertypes, for invokespecial also on the calling class and its supertypes. What a call does that chooses by the receiver depends
// besides on all classes below the named one, and on their supertypes: a class can inherit from one side what it needs for the other. So if a declaration changed, the first kind of sites is affected that name a class
// below it, and the second kind that name a supertype of a class below it, in either revision.
func affected(before, after *Graph) func(site) bool {
	below, beside := map[string]bool{}, map[string]bool{}
	sides := []*Graph{before, after}
	for _, name := range changed(before, after) {
		for _, g := range sides {
			for _, sub := range g.linker.world.Subtypes(name) {
				below[sub] = true
			}
		}
	}
	for name := range below {
		beside[name] = true
		for _, g := range sides {
			above, err := g.linker.world.Supertypes(name)
			if err != nil {
				continue // no JVM could load it: it is no receiver in this revision
			}
			for _, a := range above {
				beside[a] = true
			}
		}
	}
	return func(s site) bool {
		if strings.HasPrefix(s.Ref.Class, "[") {
			return true // there are few methods of arrays, and their classes are nobody's subtypes here
		}
		if s.Op == bytecode.Invokevirtual || s.Op == bytecode.Invokeinterface {
			return beside[s.Ref.Class]
		}
		return below[s.Ref.Class] || below[s.From]
	}
}

// changed are the classes whose declarations may differ, external ones included, as far as sites name them or they are above such classes. Those that a nest host lists are among them if
// it changed.
func changed(before, after *Graph) []string {
	var out []string
	for name := range names(before, after) {
		old, now := before.now.Class(name), after.now.Class(name)
		if old == nil || now == nil {
			if (old == nil) != (now == nil) || !before.now.Checksum(name).Same(after.now.Checksum(name)) {
				out = append(out, name)
			}
			continue
		}
		a, errA := hierarchy.Of(old.File)
		b, errB := hierarchy.Of(now.File)
		if errors.Join(errA, errB) != nil || !reflect.DeepEqual(a, b) {
			out = append(out, name)
			if a != nil && b != nil {
				out = append(append(out, a.NestMembers...), b.NestMembers...)
			}
		}
	}
	return out
}

// names are the classes that matter in one of the graphs: internal ones, those that sites name, and all supertypes. The worlds know them then.
func names(graphs ...*Graph) map[string]bool {
	all := map[string]bool{}
	for _, g := range graphs {
		for _, c := range g.classes {
			for i := range c.bodies {
				for _, s := range c.bodies[i].sites {
					all[s.Ref.Class] = true
				}
			}
		}
		for _, name := range g.now.Names() {
			all[name] = true
		}
	}
	out := map[string]bool{}
	for name := range all {
		if strings.HasPrefix(name, "[") {
			continue
		}
		out[name] = true
		for _, g := range graphs {
			g.linker.know(name)
			above, err := g.linker.world.Supertypes(name)
			if err != nil {
				continue
			}
			for _, a := range above {
				out[a] = true
			}
		}
	}
	return out
}
