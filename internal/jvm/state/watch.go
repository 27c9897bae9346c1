package state

import (
	"cmp"
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
)

// watch notes what the agent saw of static fields of the project: whether what they lead to was the same at the end of a test as at its beginning. Then the test handed nothing over through the field, whatever
// methods it entered and whatever other names there are for what is in the field (S8.16). Tests that run at the same time can see what is put there and taken away in between, so all must have run one after the other.
func (s *stretches) watch(trace *agent.Trace) {
	if atOnce(trace.Tests) {
		return
	}
	at := map[string]*cell{}
	for _, c := range s.all {
		if c.watched = c.static && trace.Watched[c.label] && s.types[c.owner].unique(c); c.watched {
			at[c.label] = c
			if !s.emptyAtFirst(c) {
				at[c.label+"?"] = c // see agent.Footprint
			}
		}
	}
	number := map[*agent.Footprint]int32{}
	for k, f := range s.from {
		number[f] = int32(k)
		for _, label := range f.Changed {
			at[label].changes(int32(k))
		}
	}
	for _, t := range trace.Tests { // invocations of a method are looked at together, when all have ended
		for _, f := range t.Shared {
			if len(f.Changed) == 0 || f == trace.Process || f == t.Before || slices.Contains(trace.Found, f) {
				continue
			}
			for _, label := range f.Changed {
				at[label].changes(number[t.Own])
				if t.Before != nil {
					at[label].changes(number[t.Before])
				}
			}
		}
	}
}

// trust makes it count what the agent saw, but for fields into which absent tests put something: with these, a test that left a field as it found it might have changed it back.
func (s *stretches) trust(absent []Put) {
	put := map[string]bool{}
	for _, p := range absent {
		put[p.Field] = put[p.Field] || !p.Left
	}
	for _, c := range s.all {
		c.trusted = c.watched && !put[c.label]
	}
}

// changes notes that a cell changed in a footprint.
func (c *cell) changes(k int32) {
	if c == nil {
		return
	}
	if c.changedIn == nil {
		c.changedIn = map[int32]bool{}
	}
	c.changedIn[k] = true
}

// emptyAtFirst tells whether a variable of threads holds something empty where nobody has asked for it yet, such as in ThreadLocal.withInitial(HashMap::new): whether somebody has cannot be told then.
func (s *stretches) emptyAtFirst(c *cell) bool {
	if c.descriptor != "Ljava/lang/ThreadLocal;" || len(c.makers) != 1 || len(c.writers) > 0 {
		return false
	}
	b := s.methods[c.makers[0]].body
	makes := func(f *Function) bool {
		return f.Target.Name == "<init>" && f.Target.Descriptor == "()V" && strings.HasPrefix(f.Target.Class, "java/util/")
	}
	supplies := func(f *Function) bool { return f.Interface == "java/util/function/Supplier" }
	some, others := false, false
	for _, f := range b.Functions {
		some, others = some || supplies(&f) && makes(&f), others || supplies(&f) && !makes(&f)
	}
	return some && !others && !slices.ContainsFunc(b.News, s.isVariable)
}

// isVariable tells whether a class is one of variables of threads, or may be.
func (s *stretches) isVariable(class string) bool {
	local, err := s.typeOf("java/lang/ThreadLocal")
	if err != nil {
		return true
	}
	of, err := s.typeOf(class)
	return err != nil || s.isA(of, local)
}

// atOnce tells whether tests ran at the same time, or may have: one that did not end can go on.
func atOnce(tests []*agent.TestTrace) bool {
	var end uint64
	ran := slices.DeleteFunc(slices.Clone(tests), func(t *agent.TestTrace) bool { return t.Begin == 0 })
	slices.SortFunc(ran, func(a, b *agent.TestTrace) int { return cmp.Compare(a.Begin, b.Begin) })
	for i, t := range ran {
		if t.Begin < end || t.End < t.Begin && i+1 < len(ran) {
			return true
		}
		end = t.End
	}
	return false
}

// unique tells whether a class has one field of a cell's name.
func (t *typeNode) unique(of *cell) bool {
	f := t.field(of)
	return f != nil && !slices.ContainsFunc(t.class.Fields, func(g Field) bool { return g.Name == f.Name && g.Descriptor != f.Descriptor })
}

// steady tells whether a cell led to the same at all boundaries: nobody put anything there for others.
func (c *cell) steady() bool { return c.trusted && len(c.changedIn) == 0 }

// unchanged tells whether a cell that is watched led to the same after a footprint as before. What is not a test's own is told as a whole.
func (h *heir) unchanged(k int32, of *cell) bool {
	return len(of.changedIn) == 0 || !h.shared[k] && !of.changedIn[k]
}
