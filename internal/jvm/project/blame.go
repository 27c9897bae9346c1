package project

import (
	"maps"
	"slices"
	"strings"

	"winnow/internal/jvm/agent"
	"winnow/internal/jvm/state"
	"winnow/internal/rts"
)

// blame says who kept a test from entering a method. If no filling of a cell has the method, the way to it may have been barred by a switch: a field that the
// test reads where its way differs, and that another test wrote before.
func (k *comparing) blame(id rts.TestID, method int, alone map[int]bool, have coverage) Polluted {
	if l, ok := k.why[method]; ok && l.Inherited() {
		return k.polluted(l)
	}
	entered := map[int]*state.Body{}
	for n := range alone {
		entered[n] = k.body(n)
	}
	seen := map[int]bool{method: true}
	for todo := []int{method}; len(todo) > 0; todo = todo[1:] {
		for _, caller := range k.callers(todo[0], entered) {
			if seen[caller] {
				continue
			}
			seen[caller] = true
			if !k.entered(have, caller) {
				todo = append(todo, caller)
				continue
			}
			if p, ok := k.barred(id, caller, entered); ok {
				return p
			}
		}
	}
	if l, ok := k.why[method]; ok {
		return k.polluted(l)
	}
	return Polluted{}
}

// body is what the instructions of a method name, nil if they are not known.
func (k *comparing) body(id int) *state.Body {
	b, ok := k.bodies[id]
	if !ok {
		b = k.read(id)
		k.bodies[id] = b
	}
	return b
}

func (k *comparing) read(id int) *state.Body {
	m, ok := k.plan().Method(id)
	if !ok {
		return nil
	}
	c, err := k.lib.Class(m.Class)
	if err != nil || c == nil {
		return nil // it only helps to find an explanation
	}
	if i := slices.IndexFunc(c.Methods, func(b state.Body) bool { return b.Name == m.Name && b.Descriptor == m.Descriptor }); i >= 0 {
		return &c.Methods[i]
	}
	return nil
}

// callers lists the methods among some that may call a method, by its name.
func (k *comparing) callers(method int, among map[int]*state.Body) []int {
	m, ok := k.plan().Method(method)
	if !ok {
		return nil
	}
	var out []int
	for n, b := range among {
		if b != nil && slices.ContainsFunc(b.Calls, func(c state.Member) bool { return c.Name == m.Name && c.Descriptor == m.Descriptor }) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// barred looks for a field that a method reads itself or through a method that it calls, and that a test wrote before.
func (k *comparing) barred(id rts.TestID, method int, entered map[int]*state.Body) (Polluted, bool) {
	b := entered[method]
	if b == nil {
		return Polluted{}, false
	}
	readers := []int{method}
	for n, of := range entered {
		m, ok := k.plan().Method(n)
		if ok && of != nil && slices.ContainsFunc(b.Calls, func(c state.Member) bool {
			return c.Class == m.Class && c.Name == m.Name && c.Descriptor == m.Descriptor
		}) {
			readers = append(readers, n)
		}
	}
	slices.Sort(readers[1:])
	for _, n := range readers {
		for _, field := range entered[n].Reads {
			if by, writer := k.writer(id, field); writer >= 0 {
				return Polluted{By: by, State: strings.ReplaceAll(field.Class, "/", ".") + "." + field.Name, Reader: k.method(n), Writer: k.method(writer)}, true
			}
		}
	}
	return Polluted{}, false
}

// writer finds the last test before another one that entered a method that writes a field outside of initializers and constructors.
func (k *comparing) writer(before rts.TestID, field state.Member) (rts.TestID, int) {
	by, writer := rts.TestID(""), -1
	for _, r := range k.shared.recorders() {
		for _, t := range r.trace.Tests {
			id := k.shared.testID(t.Group)
			if id == before {
				break
			}
			if n := k.writes(t, field); n >= 0 {
				by, writer = id, n
			}
		}
	}
	return by, writer
}

// writes is a method of a test that writes a field, -1 if there is none.
func (k *comparing) writes(t *agent.TestTrace, field state.Member) int {
	for _, f := range append([]*agent.Footprint{t.Own}, t.Shared...) {
		if starts(f) {
			continue
		}
		for _, n := range f.Methods {
			b := k.body(n)
			if b != nil && b.Name != "<clinit>" && b.Name != "<init>" && slices.ContainsFunc(b.Writes, func(w state.Member) bool { return w.Class == field.Class && w.Name == field.Name }) {
				return n
			}
		}
	}
	return -1
}

// blameInput says who used something instead of a test with these methods, and by which state the test got it: a field that it reads and that the other wrote.
func (k *comparing) blameInput(e rts.Entity, methods map[int]bool) Polluted {
	for _, r := range k.shared.recorders() {
		for _, t := range r.trace.Tests {
			if !k.uses(r, t, e) {
				continue
			}
			p := Polluted{By: k.shared.testID(t.Group)}
			for _, n := range slices.Sorted(maps.Keys(methods)) {
				if state, writer := k.left(t, n); writer >= 0 {
					p.State, p.Writer, p.Reader = state, k.method(writer), k.method(n)
					break
				}
			}
			return p
		}
	}
	return Polluted{}
}

// left finds a field that a method reads and that a test wrote, and the method that did.
func (k *comparing) left(t *agent.TestTrace, method int) (string, int) {
	b := k.body(method)
	if b == nil || k.machinery(method) {
		return "", -1
	}
	for _, field := range b.Reads {
		if writer := k.writes(t, field); writer >= 0 {
			return strings.ReplaceAll(field.Class, "/", ".") + "." + field.Name, writer
		}
	}
	return "", -1
}

func (k *comparing) uses(r *recorder, t *agent.TestTrace, e rts.Entity) bool {
	for _, f := range append([]*agent.Footprint{t.Own}, t.Shared...) {
		found := map[rts.Entity]bool{}
		if err := k.inputs(r, f, found); err == nil && found[e] {
			return true
		}
	}
	return false
}
