package hierarchy

import (
	"maps"
	"slices"
	"testing"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// bySpecification selects a method by the words of JVMS 5.4.6 and, for invokeinterface, 6.5: the second opinion on Select.
func bySpecification(n *node, r Resolution) Target {
	m, err := selected(n, r)
	switch {
	case err != None:
		return Target{Err: fail(err, n.Name, "")}
	case r.class.is(classfile.Interface) && !m.is(classfile.Private|classfile.Public):
		return Target{Owner: m.owner.Name, Err: fail(IllegalAccess, n.Name, "")}
	}
	return end(m, n)
}

func selected(n *node, r Resolution) (*method, Kind) {
	if r.method.is(classfile.Private) {
		return r.method, None
	}
	s := signature{r.Member.Name, r.Member.Descriptor}
	for c := n; c != nil; c = c.super {
		if m := c.declared(s); m != nil && !m.is(classfile.Static) && (m.member == r.method.member || canOverride(m, r.method)) {
			return m, None
		}
	}
	var concrete []*method
	for _, i := range maximallySpecific(n, s) {
		if m := i.declared(s); !m.is(classfile.Abstract) {
			concrete = append(concrete, m)
		}
	}
	switch len(concrete) {
	case 0:
		return nil, AbstractMethod
	case 1:
		return concrete[0], None
	}
	return nil, IncompatibleClassChange
}

// maximallySpecific are the superinterfaces with an instance method that is not private, of which no other has one of them as a superinterface (JVMS 5.4.3.3).
func maximallySpecific(n *node, s signature) []*node {
	has := slices.DeleteFunc(slices.Clone(n.all), func(i *node) bool { return !i.declared(s).virtual() })
	return slices.DeleteFunc(slices.Clone(has), func(i *node) bool {
		return slices.ContainsFunc(has, func(below *node) bool { return below != i && below.subtype(i) })
	})
}

// canOverride is JVMS 5.4.5.
func canOverride(c, a *method) bool {
	if c.is(classfile.Private) || a.is(classfile.Private) {
		return false
	}
	if a.is(classfile.Public|classfile.Protected) || packageOf(a.owner.Name) == packageOf(c.owner.Name) {
		return true
	}
	for b := c.owner.super; b != nil && b != a.owner; b = b.super {
		m := b.declared(c.member.signature())
		if m != nil && !m.is(classfile.Static) && canOverride(c, m) && canOverride(m, a) {
			return true
		}
	}
	return false
}

// deviation names the known reason why HotSpot selects otherwise than the specification; "" if there is none.
func deviation(n *node, r Resolution, got Target) string {
	s := signature{r.Member.Name, r.Member.Descriptor}
	private := false
	for c := n; c != nil; c = c.super {
		m := c.declared(s)
		switch {
		case m == nil:
		case c.Major < transitiveVersion:
			return "no transitive overriding below version 51"
		case m.is(classfile.Private):
			private = true
		}
	}
	if private && r.class.is(classfile.Interface) && got.Kind() == AbstractMethod {
		return "a private method hides the default that a superclass inherits"
	}
	return ""
}

// TestSpecification compares what this package says, which a JVM confirms, with the words of the specification. They differ only for the reasons of
// TestDeviations.
func TestSpecification(t *testing.T) {
	j := newJudge(t, 17)
	platform := j.platform(t)
	selections, reasons := 0, map[string]int{}
	for i := range uint64(*hierarchies) {
		seed := *firstSeed + i
		p := generate(seed, platform)
		w := p.world(platform)
		for _, u := range p.uses {
			for _, receiver := range u.receivers {
				r := w.Link(u.Site)
				n := w.load(receiver)
				if !selects(u.Op, r) || n.err != nil || n.is(classfile.Interface) || !n.subtype(r.class) {
					continue
				}
				selections++
				got, want := w.Select(receiver, r), bySpecification(n, r)
				if sameTarget(got, want) {
					continue
				}
				reason := deviation(n, r, got)
				if reasons[reason]++; reason == "" {
					t.Errorf("seed %d: %s on %s: %s, by the specification %s\n%s", seed, u, receiver, got, want, p)
				}
			}
		}
	}
	t.Logf("%d selections, %d as specified", selections, selections-sum(reasons))
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		t.Logf("%d otherwise: %s", reasons[reason], reason)
	}
	if selections < 3**hierarchies {
		t.Errorf("only %d selections in %d programs", selections, *hierarchies)
	}
}

// selects tells whether a use has linked to a method that the specification knows, and selects by the receiver.
func selects(op bytecode.Op, r Resolution) bool {
	return (op == bytecode.Invokevirtual || op == bytecode.Invokeinterface) && r.Err == nil && r.Throws == None
}

func sum(counts map[string]int) int {
	total := 0
	for _, n := range counts {
		total += n
	}
	return total
}
