package generate

import (
	"slices"

	"winnow/internal/semantics/minijvm"
)

// A Kind is a kind of change.
type Kind struct {
	Name  string
	apply func(b *builder, p *minijvm.Program) *minijvm.Program
}

// Kinds returns the kinds of changes.
func Kinds() []Kind {
	return []Kind{
		{"superclass", changeSuper},
		{"field", changeField},
		{"method", changeMethod},
		{"static or instance", changeStatic},
		{"instruction", changeInstr},
		{"clinit", changeClinit},
		{"exception table", changeTable},
		{"frame size", changeFrame},
		{"class added", addClass},
		{"class removed", removeClass},
		{"system exception", changeException},
	}
}

// Change returns a well-formed program that differs from p, and the kinds of changes that led to it. It gives up after some attempts: then it returns nil.
func (s *Source) Change(p *minijvm.Program) (*minijvm.Program, []string) {
	kinds := Kinds()
	for range 20 {
		s.Tried++
		q := p
		var names []string
		for n := 1 + max(0, s.rng.IntN(5)-2); n > 0; n-- {
			k := pick(s, kinds)
			if r := k.apply(s.builderFor(q), q); r != nil {
				q, names = r, append(names, k.Name)
			}
		}
		if q != p && p.Changed(q) != 0 && s.verify.Check(q, s.cfg.Strength) == nil {
			return q, names
		}
		s.Refused++
	}
	return nil, nil
}

// altered returns p with a class altered by f.
func (b *builder) altered(p *minijvm.Program, f func(c *minijvm.Class)) *minijvm.Program {
	c := p.Class(pick(b.Source, b.ids)).Clone()
	f(c)
	c.Sort()
	return p.With(c)
}

func changeSuper(b *builder, p *minijvm.Program) *minijvm.Program {
	return b.altered(p, func(c *minijvm.Class) { c.Super = pick(b.Source, append([]minijvm.ClassID{minijvm.Object}, b.ids...)) })
}

func changeField(b *builder, p *minijvm.Program) *minijvm.Program {
	return b.altered(p, func(c *minijvm.Class) {
		f := pick(b.Source, b.fields)
		had := c.Field(f) != nil
		c.Fields = slices.DeleteFunc(c.Fields, func(x minijvm.Field) bool { return x.Name == f })
		if !had || b.one(2) {
			c.Fields = append(c.Fields, b.field(f))
		}
	})
}

func changeMethod(b *builder, p *minijvm.Program) *minijvm.Program {
	return b.altered(p, func(c *minijvm.Class) {
		m := pick(b.Source, b.methods)
		had := c.Method(m) != nil
		c.Methods = slices.DeleteFunc(c.Methods, func(x minijvm.Method) bool { return x.Name == m })
		if !had || b.one(2) {
			c.Methods = append(c.Methods, b.body(c, b.declareMethod(m)))
		}
	})
}

func changeStatic(b *builder, p *minijvm.Program) *minijvm.Program {
	return b.altered(p, func(c *minijvm.Class) {
		if n := len(c.Fields); n > 0 && b.one(2) {
			i := b.rng.IntN(n)
			c.Fields[i].Static = !c.Fields[i].Static
			return
		}
		if m := &c.Methods[b.rng.IntN(len(c.Methods))]; m.Name != minijvm.Clinit {
			m.Static = !m.Static
			*m = b.body(c, *m)
		}
	})
}

// changeInstr alters one instruction in place.
func changeInstr(b *builder, p *minijvm.Program) *minijvm.Program {
	return b.altered(p, func(c *minijvm.Class) {
		m := &c.Methods[b.rng.IntN(len(c.Methods))]
		in := &m.Code[b.rng.IntN(len(m.Code))]
		switch in.Op {
		case minijvm.Push:
			if _, ok := in.V.Int(); ok {
				in.V = minijvm.IntValue(int32(b.rng.IntN(20)))
			} else if in.V == minijvm.True || in.V == minijvm.False {
				in.V ^= minijvm.True ^ minijvm.False
			}
		case minijvm.New, minijvm.Checkcast, minijvm.Getstatic, minijvm.Putstatic, minijvm.Invokestatic:
			in.C = pick(b.Source, b.ids)
		default:
			*m = b.body(c, *m)
		}
	})
}

func changeClinit(b *builder, p *minijvm.Program) *minijvm.Program {
	return b.altered(p, func(c *minijvm.Class) { *c.Method(minijvm.Clinit) = b.body(c, minijvm.EmptyClinit()) })
}

func changeTable(b *builder, p *minijvm.Program) *minijvm.Program {
	return b.altered(p, func(c *minijvm.Class) {
		for i := range c.Methods {
			m := &c.Methods[i]
			if len(m.Handlers) == 0 {
				continue
			}
			k := b.rng.IntN(len(m.Handlers))
			if b.one(2) {
				m.Handlers[k].Catch = (&writer{builder: b}).caught()
			} else {
				m.Handlers = slices.Delete(m.Handlers, k, k+1)
			}
			return
		}
	})
}

func changeFrame(b *builder, p *minijvm.Program) *minijvm.Program {
	return b.altered(p, func(c *minijvm.Class) {
		m := &c.Methods[b.rng.IntN(len(c.Methods))]
		m.Locals++
		m.Stack++
	})
}

// addClass adds a class, with luck as the superclass of another.
func addClass(b *builder, p *minijvm.Program) *minijvm.Program {
	for _, id := range b.Source.ids {
		if p.Class(id) == nil {
			c := b.skeleton(id, pick(b.Source, append([]minijvm.ClassID{minijvm.Object}, b.ids...)))
			return p.With(b.fill(c))
		}
	}
	return nil
}

// removeClass removes a class; its subclasses move up.
func removeClass(b *builder, p *minijvm.Program) *minijvm.Program {
	if len(b.ids) < 2 {
		return nil
	}
	gone := pick(b.Source, b.ids)
	super := p.Class(gone).Super
	q := p.Without(gone)
	for _, id := range b.ids {
		if k := p.Class(id); id != gone && k.Super == gone {
			k = k.Clone()
			k.Super = super
			q = q.With(k)
		}
	}
	return q
}

func changeException(b *builder, p *minijvm.Program) *minijvm.Program {
	if b.cfg.Lowerable {
		return nil
	}
	x := pick(b.Source, minijvm.SystemExceptions())
	if k := p.Class(x); k.Super != minijvm.Object {
		return p.Without(x)
	}
	k := p.Class(x).Clone()
	k.Super = pick(b.Source, b.ids)
	return p.With(k)
}
