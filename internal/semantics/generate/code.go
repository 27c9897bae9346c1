package generate

import (
	"winnow/internal/semantics/minijvm"
)

// A writer writes the code of one method and follows the types as the verifier does.
type writer struct {
	*builder
	class  *minijvm.Class
	m      *minijvm.Method
	code   []minijvm.Instr
	stack  []minijvm.Type
	locals []minijvm.Type
	rank   int // calls go to methods of a higher rank, mostly, so that most runs end
}

// body returns a method with code.
func (b *builder) body(c *minijvm.Class, m minijvm.Method) minijvm.Method {
	m.Stack, m.Handlers = 1, nil
	m.Locals = int32(b.rng.IntN(3))
	w := &writer{builder: b, class: c, m: &m, rank: int(m.Name)}
	if m.Name == minijvm.Clinit || m.Name == minijvm.Main {
		w.rank = 0
	}
	if !m.Static {
		w.locals = append(w.locals, minijvm.ClassType(c.Name))
	}
	w.locals = append(w.locals, m.Params...)
	for range m.Locals {
		w.locals = append(w.locals, minijvm.Unusable)
	}
	w.statements(b.length(m.Name), 0)
	w.finish()
	m.Code = w.code
	return m
}

// length is how many statements a method has.
func (b *builder) length(name minijvm.MemberID) int {
	switch name {
	case minijvm.Main:
		return 2 + b.rng.IntN(4)
	case minijvm.Clinit:
		return b.rng.IntN(2)
	}
	return b.rng.IntN(3)
}

// finish writes the return, or sometimes the throw, that ends a method.
func (w *writer) finish() {
	if w.m.Name == minijvm.Clinit && w.one(5) || w.one(12) {
		w.object()
		w.emit(minijvm.Instr{Op: minijvm.Throw})
		return
	}
	w.value(w.m.Result)
	w.emit(minijvm.Instr{Op: minijvm.Return})
}

func (w *writer) emit(in minijvm.Instr) { w.code = append(w.code, in) }

func (w *writer) push(t minijvm.Type) {
	w.stack = append(w.stack, t)
	w.m.Stack = max(w.m.Stack, int32(len(w.stack)))
}

func (w *writer) drop(n int) { w.stack = w.stack[:len(w.stack)-n] }

// value writes code that pushes a value of a type.
func (w *writer) value(t minijvm.Type) {
	if w.one(3) && w.load(t) {
		return
	}
	if w.one(4) && w.staticOf(t) {
		return
	}
	switch t {
	case minijvm.Int:
		w.constant(minijvm.IntValue(int32(w.rng.IntN(10))), t)
	case minijvm.Boolean:
		w.constant(minijvm.BoolValue(w.one(2)), t)
	case minijvm.Void:
		w.constant(minijvm.Unit, t)
	default:
		w.object()
	}
}

func (w *writer) constant(v minijvm.Value, t minijvm.Type) {
	w.emit(minijvm.Instr{Op: minijvm.Push, V: v})
	w.push(t)
}

// object pushes a new object, or sometimes null.
func (w *writer) object() {
	if w.one(6) {
		w.constant(minijvm.Null, minijvm.NullType)
		return
	}
	w.create(pick(w.Source, w.ids))
}

func (w *writer) create(c minijvm.ClassID) {
	w.emit(minijvm.Instr{Op: minijvm.New, C: c})
	w.push(minijvm.ClassType(c))
}

// load pushes a local of a type, if there is one.
func (w *writer) load(t minijvm.Type) bool {
	for i, l := range w.locals {
		if w.fits(l, t) {
			w.emit(minijvm.Instr{Op: minijvm.Load, N: int32(i)})
			w.push(l)
			return true
		}
	}
	return false
}

// fits tells whether a value of type a is one of type t.
func (w *writer) fits(a, t minijvm.Type) bool {
	if a == t {
		return true
	}
	c, ok1 := a.Class()
	d, ok2 := t.Class()
	return ok2 && (a == minijvm.NullType || ok1 && w.p.Subclass(c, d))
}

// staticOf pushes a static field of a type, if the class at hand sees one.
func (w *writer) staticOf(t minijvm.Type) bool {
	c := pick(w.Source, w.ids)
	for _, f := range w.fields {
		if field, d := w.p.SeesField(c, f); field != nil && field.Static && field.Type == t {
			w.emit(minijvm.Instr{Op: minijvm.Getstatic, C: c, F: f, D: d})
			w.push(t)
			return true
		}
	}
	return false
}

// statements writes statements, each of which leaves the stack as it was.
func (w *writer) statements(n, depth int) {
	for range n {
		height := len(w.stack)
		w.statement(depth)
		for len(w.stack) > height {
			w.discard()
		}
	}
}

// discard gets rid of the top: into a local or nowhere.
func (w *writer) discard() {
	top := w.stack[len(w.stack)-1]
	w.drop(1)
	if n := len(w.locals); n > 0 && w.one(2) {
		i := w.rng.IntN(n)
		w.locals[i] = top
		w.emit(minijvm.Instr{Op: minijvm.Store, N: int32(i)})
		return
	}
	w.emit(minijvm.Instr{Op: minijvm.Pop})
}

func (w *writer) statement(depth int) {
	switch w.rng.IntN(14) {
	case 0:
		w.object()
	case 1, 2:
		w.getstatic()
	case 3:
		w.putstatic()
	case 4, 5:
		w.invokestatic()
	case 6, 7:
		w.invoke()
	case 8:
		w.instanceField()
	case 9:
		w.object()
		w.emit(minijvm.Instr{Op: minijvm.Checkcast, C: pick(w.Source, w.ids)})
		w.stack[len(w.stack)-1] = minijvm.ClassType(w.code[len(w.code)-1].C)
	case 10:
		w.arithmetic()
	case 11:
		if depth < 2 {
			w.branch(depth)
		}
	default:
		if depth < 2 {
			w.try(depth)
		}
	}
}

func (w *writer) arithmetic() {
	w.value(minijvm.Int)
	w.value(minijvm.Int)
	w.drop(2)
	if w.one(2) {
		w.emit(minijvm.Instr{Op: minijvm.IAdd})
		w.push(minijvm.Int)
		return
	}
	w.emit(minijvm.Instr{Op: minijvm.CmpEq})
	w.push(minijvm.Boolean)
}

// loose tells whether to name a member without asking whether it is there.
func (w *writer) loose() bool { return w.cfg.Strength == minijvm.Missing && w.one(6) }

// staticField chooses a static field that a class sees; ok is false if it sees none.
func (w *writer) staticField() (in minijvm.Instr, t minijvm.Type, ok bool) {
	in.C, in.F = pick(w.Source, w.ids), pick(w.Source, w.fields)
	field, d := w.p.SeesField(in.C, in.F)
	usable := field != nil && field.Static
	switch {
	case usable:
		in.D = d
		return in, field.Type, true
	case w.loose():
		in.D = in.C
		return in, minijvm.Int, true
	}
	return in, 0, false
}

func (w *writer) getstatic() {
	if in, t, ok := w.staticField(); ok {
		in.Op = minijvm.Getstatic
		w.emit(in)
		w.push(t)
	}
}

func (w *writer) putstatic() {
	if in, t, ok := w.staticField(); ok {
		in.Op = minijvm.Putstatic
		w.value(t)
		w.emit(in)
		w.drop(1)
	}
}

func (w *writer) instanceField() {
	c, f := pick(w.Source, w.ids), pick(w.Source, w.fields)
	field, d := w.p.SeesField(c, f)
	switch {
	case field != nil && !field.Static:
	case w.loose():
		field, d = &minijvm.Field{Type: minijvm.Int}, c
	default:
		return
	}
	w.receiver(c)
	if w.one(2) {
		w.emit(minijvm.Instr{Op: minijvm.Getfield, F: f, C: d})
		w.drop(1)
		w.push(field.Type)
		return
	}
	w.value(field.Type)
	w.emit(minijvm.Instr{Op: minijvm.Putfield, F: f, C: d})
	w.drop(2)
}

// receiver pushes an object of a class, or sometimes null.
func (w *writer) receiver(c minijvm.ClassID) {
	switch {
	case w.one(3) && w.load(minijvm.ClassType(c)):
	case w.one(10):
		w.constant(minijvm.Null, minijvm.NullType)
	default:
		w.create(c)
	}
}

func (w *writer) invokestatic() { w.call(true) }

func (w *writer) invoke() { w.call(false) }

// call writes a call with its arguments.
func (w *writer) call(static bool) {
	c, name := pick(w.Source, w.ids), pick(w.Source, w.methods)
	m, _ := w.p.SeesMethod(c, name)
	if m == nil || m.Static != static {
		if !w.loose() {
			return
		}
		sig := w.signatures[name]
		m = &sig
	}
	if int(name) <= w.rank && !w.one(10) {
		return
	}
	n := len(m.Params)
	in := minijvm.Instr{Op: minijvm.Invokestatic, C: c, F: name, N: int32(n)}
	if !static {
		in = minijvm.Instr{Op: minijvm.Invoke, F: name, N: int32(n)}
		w.receiver(c)
		n++
	}
	for _, t := range m.Params {
		w.value(t)
	}
	w.emit(in)
	w.drop(n)
	w.push(m.Result)
}

// branch writes a condition and a block that it may skip, or sometimes a loop that ends when a condition is false.
func (w *writer) branch(depth int) {
	top := len(w.code)
	w.value(minijvm.Boolean)
	w.drop(1)
	at := len(w.code)
	w.emit(minijvm.Instr{Op: minijvm.IfFalse})
	before := append([]minijvm.Type{}, w.locals...)
	w.statements(1+w.rng.IntN(2), depth+1)
	if w.one(4) {
		w.emit(minijvm.Instr{Op: minijvm.Goto, N: int32(top - len(w.code))})
	}
	w.code[at].N = int32(len(w.code) - at)
	w.forget(before)
}

// forget makes locals unusable that a block may have altered.
func (w *writer) forget(before []minijvm.Type) {
	for i, t := range before {
		if w.locals[i] != t {
			w.locals[i] = minijvm.Unusable
		}
	}
}

// try writes a block and a handler for it.
func (w *writer) try(depth int) {
	height := len(w.stack)
	if w.cfg.Lowerable && height > 0 {
		return
	}
	from := len(w.code)
	before := append([]minijvm.Type{}, w.locals...)
	w.statements(1+w.rng.IntN(2), depth+1)
	if w.one(3) {
		w.object()
		w.emit(minijvm.Instr{Op: minijvm.Throw})
		w.drop(1)
	}
	if len(w.code) == from {
		return
	}
	to := len(w.code)
	skip := len(w.code)
	w.emit(minijvm.Instr{Op: minijvm.Goto})
	w.forget(before)
	w.m.Handlers = append(w.m.Handlers, minijvm.Handler{Catch: w.caught(), From: int32(from), To: int32(to), At: int32(len(w.code)), Depth: int32(height)})
	w.push(minijvm.ClassType(minijvm.Object))
	w.emit(minijvm.Instr{Op: minijvm.Pop})
	w.drop(1)
	w.statements(w.rng.IntN(2), depth+1)
	w.forget(before)
	w.code[skip].N = int32(len(w.code) - skip)
}

// caught chooses the class that a handler catches.
func (w *writer) caught() minijvm.ClassID {
	switch w.rng.IntN(4) {
	case 0:
		return minijvm.Object
	case 1:
		return pick(w.Source, minijvm.SystemExceptions())
	}
	return pick(w.Source, w.ids)
}
