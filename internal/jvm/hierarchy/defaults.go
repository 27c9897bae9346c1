package hierarchy

import "winnow/internal/jvm/classfile"

// inheritDefault decides which default method a class inherits for a signature (JVMS 5.4.6, step 3): the only maximally-specific one, or none, in
// which case calls throw. Methods of classes, also package-private ones, win over defaults.
func (w *World) inheritDefault(n *node, s signature, t *table) {
	if !w.wantsDefault(n, s, t) {
		return
	}
	for c := n; c != nil; c = c.super {
		if m := c.declared(s); m.virtual() && !c.is(classfile.Interface) && !hiddenFrom(n, m) {
			return
		}
	}
	found := &candidates{signature: s, qualified: map[*node]bool{}, seen: [2]map[*node]bool{{}, {}}}
	found.walk(n, true)
	var dflt *method
	count := 0
	for _, i := range found.order {
		if m := i.methods[s]; found.qualified[i] && !m.is(classfile.Abstract) {
			dflt = &method{owner: i, member: m}
			count++
		}
	}
	switch {
	case len(found.order) == 0:
	case count == 1:
		t.dflt = dflt
	case count == 0:
		t.error = &method{owner: n, throws: AbstractMethod}
	default:
		t.error = &method{owner: n, throws: IncompatibleClassChange}
	}
}

// declared is the method that a class declares.
func (n *node) declared(s signature) *method {
	if m := n.methods[s]; m != nil {
		return &method{owner: n, member: m}
	}
	return nil
}

// wantsDefault tells whether a class has room for a default method: an interface method without implementation, or something of that kind inherited.
func (w *World) wantsDefault(n *node, s signature, t *table) bool {
	if w.unimplemented(n, s, t) != nil {
		return true
	}
	for c := n.super; c != nil; c = c.super {
		above := w.table(c, s)
		if above.error == nil && above.dflt == nil && (above.own == nil || !above.own.is(classfile.Static)) {
			continue
		}
		first := t.own
		if first == nil {
			first = n.super.firstDeclared(s)
		}
		return first == nil || first.is(classfile.Static)
	}
	return false
}

// firstDeclared is the method that a class or its closest superclass declares in its file.
func (n *node) firstDeclared(s signature) *method {
	for c := n; c != nil; c = c.super {
		if m := c.declared(s); m != nil {
			return m
		}
	}
	return nil
}

// candidates collects the interfaces that declare an instance method. One is qualified, that is maximally-specific, unless some path from the class
// to it leads through another.
type candidates struct {
	signature signature
	order     []*node
	qualified map[*node]bool
	seen      [2]map[*node]bool // visited unqualified, qualified
}

// walk visits a class at most twice: what an unqualified visit has seen, no other visit changes.
func (f *candidates) walk(n *node, qualified bool) {
	if f.seen[0][n] || qualified && f.seen[1][n] {
		return
	}
	if qualified {
		f.seen[1][n] = true
	} else {
		f.seen[0][n] = true
	}
	if m := n.methods[f.signature]; m != nil && n.is(classfile.Interface) && !m.is(classfile.Static|classfile.Private) {
		before, seen := f.qualified[n]
		if !seen {
			f.order = append(f.order, n)
		}
		f.qualified[n] = qualified && (before || !seen)
		qualified = false
	}
	if n.super != nil && !n.is(classfile.Interface) {
		f.walk(n.super, qualified)
	}
	for _, i := range n.interfaces {
		f.walk(i, qualified)
	}
}
