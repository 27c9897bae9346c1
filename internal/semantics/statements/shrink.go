package statements

import (
	"slices"

	"winnow/internal/semantics/minijvm"
)

// Shrink returns a smaller pair that still refutes the function: nothing of what an edit below removes can be removed any more. Both programs stay well-formed.
func (x Suspect) Shrink(pair minijvm.Pair) minijvm.Pair {
	return shrink(pair, x.Strength, func(p minijvm.Pair) bool { return x.refuted(p.Before, p.After) })
}

// shrink removes parts of a pair as long as it fails.
func shrink(pair minijvm.Pair, strength minijvm.Strength, fails func(minijvm.Pair) bool) minijvm.Pair {
	var v minijvm.Verifier
	good := func(p minijvm.Pair) bool {
		return v.Check(p.Before, strength) == nil && (p.After == nil || v.Check(p.After, strength) == nil) && fails(p)
	}
	for again := true; again; {
		again = false
		for _, smaller := range candidates(pair) {
			if size(smaller) < size(pair) && good(smaller) {
				pair, again = smaller, true
				break
			}
		}
	}
	return pair
}

// size is what shrinking makes smaller, so that it ends: first the number of changed classes, then how deep classes are, then what is in them.
func size(pair minijvm.Pair) int {
	n := weight(pair.Before)
	if pair.After != nil {
		n += weight(pair.After) + 1_000_000*pair.Before.Changed(pair.After).Len()
	}
	return n
}

func weight(p *minijvm.Program) int {
	n := 0
	for _, id := range p.Present().All() {
		c := p.Class(id)
		n += 1000*p.Above(id).Len() + 10*len(c.Fields)
		for _, m := range c.Methods {
			n += 10 + 10*len(m.Handlers) + int(m.Stack+m.Locals)
			for _, in := range m.Code {
				n += 2
				if in.Op == minijvm.New {
					n++
				}
			}
		}
	}
	return n
}

// candidates returns pairs that are a little smaller, the largest steps first.
func candidates(pair minijvm.Pair) []minijvm.Pair {
	var out []minijvm.Pair
	ids := pair.Before.Present()
	if pair.After != nil {
		ids |= pair.After.Present()
	}
	for _, c := range (ids &^ minijvm.SetOf(minijvm.Start)).All() {
		out = append(out, wholeClass(pair, c)...)
		out = append(out, higher(pair, c)...)
	}
	for _, c := range (ids &^ minijvm.SetOf(minijvm.Start)).All() {
		out = append(out, partsOfClass(pair, c)...)
	}
	return out
}

// wholeClass removes a class from both programs, or undoes its change.
func wholeClass(pair minijvm.Pair, c minijvm.ClassID) []minijvm.Pair {
	var out []minijvm.Pair
	if c == minijvm.Test {
		return nil // it is what runs
	}
	gone := minijvm.Pair{Before: pair.Before.Without(c)}
	if pair.After != nil {
		gone.After = pair.After.Without(c)
		if changed := pair.Before.Changed(pair.After); changed.Has(c) && changed.Len() > 1 {
			undone := pair.After.Without(c)
			if k := pair.Before.Class(c); k != nil {
				undone = pair.After.With(k)
			}
			out = append(out, minijvm.Pair{Before: pair.Before, After: undone})
		}
	}
	if pair.Before.Changed(gone.Before) != 0 || gone.After != nil && pair.After.Changed(gone.After) != 0 {
		out = append(out, gone)
	}
	return out
}

// higher gives a class the superclass of its superclass.
func higher(pair minijvm.Pair, c minijvm.ClassID) []minijvm.Pair {
	up := func(p *minijvm.Program) *minijvm.Class {
		if p == nil || p.Class(c) == nil || p.Class(p.Class(c).Super) == nil || p.Class(c).Super == minijvm.Object {
			return nil
		}
		k := p.Class(c).Clone()
		k.Super = p.Class(k.Super).Super
		return k
	}
	b, a := up(pair.Before), up(pair.After)
	var out []minijvm.Pair
	if b != nil {
		out = append(out, with(pair, b, a), with(pair, b, nil))
	}
	if a != nil {
		out = append(out, with(pair, nil, a))
	}
	return out
}

// partsOfClass tries every edit on both forms of a class at once, and on each alone.
func partsOfClass(pair minijvm.Pair, c minijvm.ClassID) []minijvm.Pair {
	var out []minijvm.Pair
	before := pair.Before.Class(c)
	var after *minijvm.Class
	if pair.After != nil {
		after = pair.After.Class(c)
	}
	for _, e := range edits(before, after) {
		b, a := e(before), e(after)
		if b != nil && (a != nil || after == nil) {
			out = append(out, with(pair, b, a))
		}
		if after != nil && !after.Equal(before) {
			if b != nil {
				out = append(out, with(pair, b, nil))
			}
			if a != nil {
				out = append(out, with(pair, nil, a))
			}
		}
	}
	return out
}

func with(pair minijvm.Pair, before, after *minijvm.Class) minijvm.Pair {
	if before != nil {
		pair.Before = pair.Before.With(before)
	}
	if after != nil && pair.After != nil {
		pair.After = pair.After.With(after)
	}
	return pair
}

// An edit makes a class smaller; nil means that there is nothing to do.
type edit func(c *minijvm.Class) *minijvm.Class

// on makes an edit of a function that alters a class and tells whether it did.
func on(f func(c *minijvm.Class) bool) edit {
	return func(c *minijvm.Class) *minijvm.Class {
		if c == nil {
			return nil
		}
		d := c.Clone()
		if !f(d) {
			return nil
		}
		return d
	}
}

// edits returns the edits that make sense for the two forms of a class.
func edits(before, after *minijvm.Class) []edit {
	out := []edit{on(func(c *minijvm.Class) bool {
		changed := c.Super != minijvm.Object && c.Name != minijvm.Object
		c.Super = minijvm.Object
		return changed
	})}
	for _, c := range []*minijvm.Class{before, after} {
		if c == nil {
			continue
		}
		for _, f := range c.Fields {
			out = append(out, removeField(f.Name))
		}
		for i := range c.Methods {
			out = append(out, methodEdits(&c.Methods[i])...)
		}
	}
	return out
}

func removeField(name minijvm.MemberID) edit {
	return on(func(c *minijvm.Class) bool {
		n := len(c.Fields)
		c.Fields = slices.DeleteFunc(c.Fields, func(f minijvm.Field) bool { return f.Name == name })
		return len(c.Fields) < n
	})
}

// methodEdits removes a method, or its exception table, or an instruction, or makes an object null, or makes the frame smaller.
func methodEdits(m *minijvm.Method) []edit {
	name := m.Name
	out := []edit{on(func(c *minijvm.Class) bool {
		n := len(c.Methods)
		c.Methods = slices.DeleteFunc(c.Methods, func(m minijvm.Method) bool { return m.Name == name })
		return len(c.Methods) < n
	})}
	inMethod := func(f func(m *minijvm.Method) bool) {
		out = append(out, on(func(c *minijvm.Class) bool {
			m := c.Method(name)
			return m != nil && f(m)
		}))
	}
	if name == minijvm.Clinit {
		inMethod(func(m *minijvm.Method) bool {
			empty := minijvm.EmptyClinit()
			changed := !m.Equal(&empty)
			*m = empty
			return changed
		})
	}
	for i := range m.Handlers {
		inMethod(func(m *minijvm.Method) bool { return removeHandler(m, i) })
	}
	for i := range m.Code {
		inMethod(func(m *minijvm.Method) bool { return removeInstrs(m, i, 2) })
		inMethod(func(m *minijvm.Method) bool { return removeInstrs(m, i, 1) })
		inMethod(func(m *minijvm.Method) bool { return makeNull(m, i) })
	}
	inMethod(func(m *minijvm.Method) bool { m.Stack--; return m.Stack >= 0 })
	inMethod(func(m *minijvm.Method) bool { m.Locals--; return m.Locals >= 0 })
	return out
}

func removeHandler(m *minijvm.Method, i int) bool {
	if i >= len(m.Handlers) {
		return false
	}
	m.Handlers = slices.Delete(m.Handlers, i, i+1)
	return true
}

// makeNull replaces a new object by null.
func makeNull(m *minijvm.Method, i int) bool {
	if i >= len(m.Code) || m.Code[i].Op != minijvm.New {
		return false
	}
	m.Code[i] = minijvm.Instr{Op: minijvm.Push, V: minijvm.Null}
	return true
}

// removeInstrs removes n instructions and moves jumps and the exception table.
func removeInstrs(m *minijvm.Method, i, n int) bool {
	if i+n > len(m.Code) {
		return false
	}
	moved := func(pc int32) int32 {
		if int(pc) <= i {
			return pc
		}
		return max(int32(i), pc-int32(n))
	}
	code := []minijvm.Instr{}
	for pc, in := range m.Code {
		if pc >= i && pc < i+n {
			continue
		}
		if in.Op == minijvm.Goto || in.Op == minijvm.IfFalse {
			in.N = moved(int32(pc)+in.N) - moved(int32(pc))
		}
		code = append(code, in)
	}
	m.Code = code
	for k := range m.Handlers {
		h := &m.Handlers[k]
		h.From, h.To, h.At = moved(h.From), moved(h.To), moved(h.At)
	}
	return true
}
