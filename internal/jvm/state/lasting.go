package state

import (
	"slices"
	"strings"
)

// gives lists for each static field the classes of objects that it can hold by its type: those made by the initializer that writes it, and all if it is written
// later. With them come their superclasses, which have fields in such objects.
func (s *stretches) gives() [][]int32 {
	out := make([][]int32, len(s.all))
	add := func(c int, class int32) { out[c] = append(out[c], s.types[class].above...) }
	for k, f := range s.from {
		if !strings.HasPrefix(f.Name, "init(") {
			continue
		}
		for _, n := range s.has[k] {
			for _, c := range s.writes[n] {
				if t, ok := s.holder(s.all[c]); ok {
					for _, m := range s.has[k] {
						if class := s.methods[m].class; s.builds(m) && s.isA(class, t) {
							add(c, class)
						}
					}
				}
			}
		}
	}
	for c, of := range s.all {
		if class, ok := s.holder(of); ok && len(of.writers) > 0 && !s.types[class].jdk {
			for sub := range s.types[class].under {
				add(c, sub)
			}
		}
		slices.Sort(out[c])
		out[c] = slices.Compact(out[c])
	}
	return out
}

// holder is the type of the objects that a static field holds; none if they can be anything.
func (s *stretches) holder(of *cell) (class int32, ok bool) {
	if !of.static || of.descriptor == "Ljava/lang/Object;" {
		return 0, false
	}
	class, ok = s.classes[elementClass(fieldClass(of.descriptor))]
	return class, ok
}

// where lists for each method the footprints that entered it.
func (s *stretches) where() [][]int32 {
	out := make([][]int32, len(s.methods))
	for k, in := range s.has {
		for _, n := range in {
			out[n] = append(out[n], int32(k))
		}
	}
	return out
}

// unexplained lists the methods of a footprint that no other method of it calls. Those of test classes and those that override a framework's are left out: the framework calls them. So are initializers and values() of
// classes that another method names: they belong to it already.
func (s *stretches) unexplained(k int32) []int32 {
	if s.roots[k] != nil {
		return s.roots[k]
	}
	turn := int(k) + 1
	for _, n := range s.has[k] {
		s.stamp[n] = turn
		for _, c := range s.namedBy(n) {
			s.namedIn[c] = turn
		}
	}
	out := []int32{}
	for _, n := range s.has[k] {
		called := slices.ContainsFunc(s.in[n], func(m int32) bool { return m != n && s.stamp[m] == turn })
		t := s.types[s.methods[n].class]
		if called || t.frame || s.forFramework(n) || s.tests[t.name] || s.namedIn[s.methods[n].class] == turn && s.implied(n) {
			continue
		}
		out = append(out, n)
	}
	s.roots[k] = out
	return out
}

// forFramework tells whether a method is one that a test framework calls, such as that of an extension: its own methods, which do, are not known.
func (s *stretches) forFramework(n int32) bool {
	b := s.methods[n].body
	if b == nil || b.Static || b.Name == "<init>" {
		return false
	}
	for _, up := range s.types[s.methods[n].class].above {
		if t := s.types[up]; t.frame && t.class != nil && slices.ContainsFunc(t.class.Methods, func(m Body) bool { return m.Name == b.Name && m.Descriptor == b.Descriptor && !m.Static }) {
			return true
		}
	}
	return false
}

// implied tells whether a method runs without a call when its class is used.
func (s *stretches) implied(n int32) bool {
	b := s.methods[n].body
	return b != nil && b.Static && (b.Name == "<clinit>" || b.Name == "values")
}

// namedBy lists the classes that a method names, except its own.
func (s *stretches) namedBy(n int32) []int32 {
	if s.names[n] == nil {
		s.names[n] = []int32{}
		if b := s.methods[n].body; b != nil {
			for _, name := range b.Names {
				if c, ok := s.classes[name]; ok && c != s.methods[n].class {
					s.names[n] = append(s.names[n], c)
				}
			}
		}
	}
	return s.names[n]
}

// crossing lists the classes of which an object was used in a footprint that made none: it was made in another one.
func (s *stretches) crossing() []bool {
	out, made := make([]bool, len(s.types)), make([]int, len(s.types))
	for k, in := range s.has {
		for _, in := range [][]int32{in, s.earlier[k]} {
			for _, n := range in {
				for _, class := range s.constructs[n] {
					made[class] = k + 1
				}
			}
		}
		for _, n := range in {
			class := s.methods[n].class
			if b := s.methods[n].body; made[class] != k+1 && (b == nil || !b.Static) {
				out[class] = true
			}
			for _, c := range s.reads[n] {
				if of := s.all[c]; !of.static && made[of.owner] != k+1 {
					out[of.owner] = true
				}
			}
		}
	}
	return out
}
