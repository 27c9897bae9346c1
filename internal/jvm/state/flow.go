package state

import (
	"slices"
	"strings"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// A Flow says where the references go that a body handles. Order and branches are left out: what holds somewhere in the body holds in all of it.
type Flow struct {
	Sources []Source
	Steps   []Step
	Strange Elements // it writes elements of such arrays of which it is not known where they come from
}

// A Source is where references of a body come from: a parameter, a static field, something new, or a call. When a body has too many, the last one stands for all the rest.
type Source struct {
	Parameter int // from 1, the object of the method being the first; 0 if it is none
	Static    []Member
	New       bool
	Class     string // of something new, unless it is an array or a function, or the source stands for several
	Result    bool   // of calls; see Step.Result
}

// A Value is a set of sources: of those that a reference may be, and of those from which it may have been got, as a field or an element.
type Value struct {
	Is, In set
	Of     set    // of the roots in In those that it was got from itself, not from something that they are in as well; see solution
	From   string // the class of the field from which it was got last, if there is one
	Odd    bool   // it may also come from elsewhere: its type is not one that is followed, or it was got from something
}

// A Step is one thing that a body does with references.
type Step struct {
	Kind   StepKind
	Values []Value // of a call the receiver, if there is one, and all arguments; see StepKind
	Member Member  // of a call, or of a static field
	Type   string  // what is changed: a class, or an array as class constants name it
	Result int     // of a call: the source that it is, or -1
}

// StepKind is what a step does.
type StepKind uint8

const (
	Changes  StepKind = iota // the first value is changed; the second, if there is one, is kept in it
	Advances                 // the first value is changed, depending on what was there
	Keeps                    // the first value is written to the static field Member
	Returns                  // the first value is returned
	Calls                    // Member is called
	Sizes                    // the size of the first value is used as a number
	Makes                    // a function is made that calls Member; the values are what it captures
)

// set is a set of sources.
type set [4]uint64

const (
	rootsAtMost   = len(set{}) * 64
	sourcesAtMost = rootsAtMost - 64
)

func (s *set) add(i int)       { s[i/64] |= 1 << (i % 64) }
func (s *set) has(i int) bool  { return s[i/64]&(1<<(i%64)) != 0 }
func (s set) meets(t set) bool { return s[0]&t[0]|s[1]&t[1]|s[2]&t[2]|s[3]&t[3] != 0 }
func (s *set) empty() bool     { return *s == set{} }
func (s set) or(t set) set     { return set{s[0] | t[0], s[1] | t[1], s[2] | t[2], s[3] | t[3]} }
func (v Value) all() set       { return v.Is.or(v.In) }
func (v Value) none() bool     { return v.Is.empty() && v.In.empty() }

// from are the roots of which something is a part that is got from a value.
func (v Value) from() set { return v.Is.or(v.Of) }

// part is something that is got from a field of a class, or from an array.
func (v Value) part(class string) Value { return Value{In: v.all(), From: class, Odd: true} }

func (v Value) or(w Value) Value {
	from := v.From
	if v.none() {
		from = w.From
	} else if !w.none() && w.From != from {
		from = ""
	}
	return Value{v.Is.or(w.Is), v.In.or(w.In), v.Of.or(w.Of), from, v.Odd || w.Odd}
}

// A flowReader follows the references of one body on a stack that has the values as the JVM has them, one or two places each.
type flowReader struct {
	*bodyReader
	flow    *Flow
	code    []byte
	stack   []Value
	locals  []Value
	at      map[int]*flowFrame // at targets of jumps
	ever    []Value            // what each local variable holds at any time: handlers of exceptions can find it
	number  map[flowSite]int
	on      map[uint16]receivers // by the constant of a call site that makes a function
	changed bool                 // a frame has grown: another pass is needed
	record  bool                 // this is the last time through
	before  bytecode.Op
	next    int // where the next instruction is
}

// A flowSite is what makes a source different from others: a place in the code, or a static field.
type flowSite struct {
	pc    int
	field Member
}

// A flowFrame is what the stack and the local variables hold where jumps meet.
type flowFrame struct{ stack, locals []Value }

// flow follows the references of a body; nil if there are none to follow.
func (r *bodyReader) flow(b *Body, code *classfile.Code) (*Flow, error) {
	if !worthwhile(b) {
		return nil, nil
	}
	f := &flowReader{bodyReader: r, flow: &Flow{}, code: code.Bytes, number: map[flowSite]int{}, at: map[int]*flowFrame{}, on: map[uint16]receivers{}}
	first := f.parameters(b)
	f.changed = true
	for passes := 0; f.changed; passes++ {
		if passes == passesAtMost {
			return blunt(b), nil
		}
		f.changed = false
		if err := f.pass(code, first); err != nil {
			return nil, err
		}
	}
	f.record = true
	if err := f.pass(code, first); err != nil {
		return nil, err
	}
	for i := range b.Functions {
		fun := &b.Functions[i]
		if on := f.on[fun.site]; !on.unknown {
			fun.On = on.classes
		}
	}
	if len(f.flow.Steps) == 0 {
		return nil, nil
	}
	return f.flow, nil
}

// passesAtMost bounds how often a body is gone through; compilers make none that needs so many.
const passesAtMost = 20

// blunt is a flow of a body that is not followed: it changes all that it reads from static fields, and returns it.
func blunt(b *Body) *Flow {
	f := &Flow{}
	for _, m := range b.Reads {
		if !m.Static || !followed(m.Descriptor) || len(f.Sources) == sourcesAtMost {
			continue
		}
		var v Value
		v.Is.add(len(f.Sources))
		f.Sources = append(f.Sources, Source{Static: []Member{m}})
		f.Steps = append(f.Steps, Step{Kind: Changes, Values: []Value{v}, Type: fieldClass(m.Descriptor), Result: -1}, Step{Kind: Returns, Values: []Value{v}, Result: -1})
	}
	return f
}

// follows tells whether references in the bodies of a class are followed: those in the JDK and in test frameworks are not.
func follows(class string) bool {
	return !platform(class) && !strings.HasPrefix(class, "jdk/") && !strings.HasPrefix(class, "sun/") && !strings.HasPrefix(class, "com/sun/") && !framework(class)
}

// worthwhile tells whether a body can do something with references that matters to others.
func worthwhile(b *Body) bool {
	return len(b.Reads)+len(b.Writes)+len(b.Calls)+len(b.Functions) > 0 || b.Stores != 0 || strings.HasSuffix(b.Descriptor, ";") || strings.Contains(b.Descriptor, ")[")
}

// parameters is what the local variables hold at the start.
func (r *flowReader) parameters(b *Body) []Value {
	var out []Value
	types := parameterTypes(b.Descriptor)
	if !b.Static {
		types = append([]string{"L;"}, types...)
	}
	for i, t := range types {
		var v Value
		if t[0] == 'L' || t[0] == '[' {
			v.Is.add(r.source(flowSite{pc: -1 - i}, Source{Parameter: i + 1}))
		}
		out = append(out, v)
		if t == "J" || t == "D" {
			out = append(out, Value{})
		}
	}
	return out
}

// source numbers a source.
func (r *flowReader) source(at flowSite, s Source) int {
	if n, ok := r.number[at]; ok {
		return n
	}
	n := len(r.flow.Sources)
	if n == sourcesAtMost {
		n--
		last := &r.flow.Sources[n]
		last.Static, last.New, last.Class, last.Result = append(last.Static, s.Static...), last.New || s.New, "", last.Result || s.Result
	} else {
		r.flow.Sources = append(r.flow.Sources, s)
	}
	r.number[at] = n
	return n
}

func (r *flowReader) step(s Step) {
	if r.record {
		r.flow.Steps = append(r.flow.Steps, s)
	}
}

// pass goes through the code once.
func (r *flowReader) pass(code *classfile.Code, first []Value) error {
	r.stack, r.locals, r.before = r.stack[:0], append(r.locals[:0], first...), bytecode.Nop
	r.ever, _ = merged(r.ever, first)
	handlers := map[int]bool{}
	for _, e := range code.Exceptions {
		handlers[int(e.Handler)] = true
	}
	var in bytecode.Instruction
	ended := false
	for pc := 0; pc < len(r.code); pc += in.Len {
		if err := in.Decode(r.code, pc); err != nil {
			return err
		}
		if handlers[pc] {
			r.stack, r.locals = append(r.stack[:0], Value{Odd: true}), append(r.locals[:0], r.ever...)
		} else {
			r.arrive(pc, ended)
		}
		r.next = pc + in.Len
		r.instruction(&in)
		r.jumps(&in)
		ended, r.before = in.Op.Ends(), in.Op
	}
	return nil
}

// arrive makes the frame at an instruction, of the one before, unless that went elsewhere, and of the jumps to it.
func (r *flowReader) arrive(pc int, ended bool) {
	f := r.at[pc]
	switch {
	case f == nil && ended:
		r.stack, r.locals = r.stack[:0], append(r.locals[:0], r.ever...)
	case f == nil:
	case ended:
		r.stack, r.locals = append(r.stack[:0], f.stack...), append(r.locals[:0], f.locals...)
	default:
		r.stack, _ = merged(r.stack, f.stack)
		r.locals, _ = merged(r.locals, f.locals)
	}
}

// merged adds values to others at the same places.
func merged(to, more []Value) (out []Value, grew bool) {
	for i, v := range more {
		if i == len(to) {
			to = append(to, Value{})
			grew = grew || !v.none()
		}
		if w := to[i].or(v); w != to[i] {
			to[i], grew = w, true
		}
	}
	return to, grew
}

// jumps notes the frame where an instruction can go.
func (r *flowReader) jumps(in *bytecode.Instruction) {
	switch in.Op.Format() {
	case bytecode.Branch2, bytecode.Branch4:
		r.save(in.Target)
	case bytecode.TableSwitch, bytecode.LookupSwitch:
		r.save(in.Target)
		for i := range in.Cases {
			_, target := in.Case(i)
			r.save(target)
		}
	}
}

// save adds what there is now to the frame at a target.
func (r *flowReader) save(target int) {
	f := r.at[target]
	if f == nil {
		f = &flowFrame{}
		r.at[target] = f
		r.changed = true
	}
	var a, b bool
	f.stack, a = merged(f.stack, r.stack)
	f.locals, b = merged(f.locals, r.locals)
	r.changed = r.changed || a || b
}

// pop takes a value from the stack; what is not there is not known.
func (r *flowReader) pop() Value {
	if len(r.stack) == 0 {
		return Value{Odd: true}
	}
	v := r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	return v
}

// drop takes a number of values from the stack.
func (r *flowReader) drop(n int) { r.stack = r.stack[:max(0, len(r.stack)-n)] }

func (r *flowReader) push(v ...Value) { r.stack = append(r.stack, v...) }

// pushType pushes a value of a type: only references that can lead to something that changes are followed.
func (r *flowReader) pushType(descriptor string, v Value) {
	switch {
	case descriptor == "V":
	case descriptor == "J" || descriptor == "D":
		r.push(Value{}, Value{})
	case followed(descriptor):
		r.push(v)
	default:
		r.push(Value{Odd: true})
	}
}

// followed tells whether objects of a type are followed.
func followed(descriptor string) bool {
	switch descriptor[0] {
	case '[':
		return true
	case 'L':
		return !strings.HasPrefix(descriptor, "Ljava/") || descriptor == "Ljava/lang/Object;" || holdsMore(descriptor) || strings.HasPrefix(descriptor, "Ljava/util/function/")
	}
	return false
}

func (r *flowReader) local(i int) Value {
	if i < len(r.locals) {
		return r.locals[i]
	}
	return Value{Odd: true}
}

func (r *flowReader) store(i int, v Value) {
	for len(r.locals) <= i {
		r.locals = append(r.locals, Value{})
	}
	r.locals[i] = v
	for len(r.ever) <= i {
		r.ever = append(r.ever, Value{})
	}
	if w := r.ever[i].or(v); w != r.ever[i] {
		r.ever[i], r.changed = w, true
	}
}

func parameterTypes(descriptor string) []string {
	var out []string
	for p := parameters(descriptor); p != ""; {
		n := len(p) - len(strings.TrimLeft(p, "["))
		if n < len(p) && p[n] == 'L' {
			n += strings.IndexByte(p[n:], ';')
		}
		if n = min(n, len(p)-1); n < 0 {
			n = 0
		}
		out = append(out, p[:n+1])
		p = p[n+1:]
	}
	return out
}

// instruction does to the stack what an instruction does.
func (r *flowReader) instruction(in *bytecode.Instruction) {
	op := in.Op
	switch {
	case op <= bytecode.AconstNull:
		if op == bytecode.AconstNull {
			r.push(Value{})
		}
	case op <= bytecode.Ldc2W:
		r.constant(op)
	case op <= bytecode.Aload3:
		r.load(in)
	case op <= bytecode.Saload:
		r.loadElement(op)
	case op <= bytecode.Astore3:
		r.storeLocal(in)
	case op <= bytecode.Sastore:
		r.storeElement(op)
	case op <= bytecode.Swap:
		r.shuffle(op)
	case op <= bytecode.Dcmpg:
		r.compute(op)
	default:
		r.other(in)
	}
}

func (r *flowReader) constant(op bytecode.Op) {
	r.push(Value{Odd: true})
	if op == bytecode.Lconst0 || op == bytecode.Lconst1 || op == bytecode.Dconst0 || op == bytecode.Dconst1 || op == bytecode.Ldc2W {
		r.push(Value{})
	}
}

// variable is the local variable and the kind of value that a load or store is about; kinds are in the order int, long, float, double, reference.
func variable(in *bytecode.Instruction, first, short bytecode.Op) (index, kind int) {
	if in.Op < short {
		return in.Index, int(in.Op - first)
	}
	n := int(in.Op - short)
	return n % 4, n / 4
}

const (
	kindLong      = 1
	kindDouble    = 3
	kindReference = 4
)

func (r *flowReader) load(in *bytecode.Instruction) {
	i, kind := variable(in, bytecode.Iload, bytecode.Iload0)
	switch kind {
	case kindReference:
		r.push(r.local(i))
	case kindLong, kindDouble:
		r.push(Value{}, Value{})
	default:
		r.push(Value{})
	}
}

func (r *flowReader) storeLocal(in *bytecode.Instruction) {
	i, kind := variable(in, bytecode.Istore, bytecode.Istore0)
	v := r.pop()
	switch kind {
	case kindReference:
		r.store(i, v)
	case kindLong, kindDouble:
		r.pop()
	}
}

// loadElement: a reference in an array is a part of it. An element that is loaded after its place was copied is about to be changed, depending on what it was.
func (r *flowReader) loadElement(op bytecode.Op) {
	r.pop()
	array := r.pop()
	if r.before == bytecode.Dup2 && !array.none() {
		what := array.From
		if what == "" {
			what = arrayOf(op - bytecode.Iaload)
		}
		r.step(Step{Kind: Advances, Values: []Value{array}, Type: what, Result: -1})
	}
	switch op {
	case bytecode.Aaload:
		r.push(array.part(array.From))
	case bytecode.Laload, bytecode.Daload:
		r.push(Value{}, Value{})
	default:
		r.push(Value{})
	}
}

func (r *flowReader) storeElement(op bytecode.Op) {
	v := r.pop()
	if op == bytecode.Lastore || op == bytecode.Dastore {
		r.pop()
	}
	r.pop()
	r.change(r.pop(), v, arrayOf(op-bytecode.Iastore))
}

// arrayOf is an array type, given the place of its operation among those for loading or storing elements.
func arrayOf(place bytecode.Op) string {
	if place == 4 {
		return "[Ljava/lang/Object;"
	}
	return "[" + string("IJFD_BCS"[place])
}

// change notes that something is changed, and what is kept in it from now on.
func (r *flowReader) change(of, kept Value, what string) {
	if of.none() {
		if what[0] == '[' {
			r.flow.Strange |= elementsOf(what)
		}
		return
	}
	if what[0] == '[' && of.From != "" {
		what = of.From
	}
	values := []Value{of}
	if !kept.none() {
		values = append(values, kept)
	}
	r.step(Step{Kind: Changes, Values: values, Type: what, Result: -1})
}

// shuffle copies and swaps places of the stack, whatever is in them.
func (r *flowReader) shuffle(op bytecode.Op) {
	switch op {
	case bytecode.Pop:
		r.drop(1)
	case bytecode.Pop2:
		r.drop(2)
	case bytecode.Dup:
		r.copied(1, 0)
	case bytecode.DupX1:
		r.copied(1, 1)
	case bytecode.DupX2:
		r.copied(1, 2)
	case bytecode.Dup2:
		r.copied(2, 0)
	case bytecode.Dup2X1:
		r.copied(2, 1)
	case bytecode.Dup2X2:
		r.copied(2, 2)
	case bytecode.Swap:
		a, b := r.pop(), r.pop()
		r.push(a, b)
	}
}

// copied copies the top of the stack to below some more.
func (r *flowReader) copied(size, below int) {
	for len(r.stack) < size+below {
		r.stack = slices.Insert(r.stack, 0, Value{Odd: true})
	}
	n := len(r.stack)
	top := slices.Clone(r.stack[n-size:])
	r.stack = slices.Insert(r.stack, n-size-below, top...)
}

// computes has, for each of the operations from iadd to dcmpg, how many places it takes and leaves.
var computes = func() map[bytecode.Op][2]int {
	out := map[bytecode.Op][2]int{}
	width := [4]int{1, 2, 1, 2}
	for op := bytecode.Iadd; op <= bytecode.Drem; op++ {
		w := width[(op-bytecode.Iadd)%4]
		out[op] = [2]int{2 * w, w}
	}
	for op := bytecode.Ineg; op <= bytecode.Dneg; op++ {
		w := width[(op-bytecode.Ineg)%4]
		out[op] = [2]int{w, w}
	}
	for op := bytecode.Ishl; op <= bytecode.Lxor; op++ {
		w := 1 + int(op-bytecode.Ishl)%2
		out[op] = [2]int{2 * w, w}
		if op <= bytecode.Lushr {
			out[op] = [2]int{1 + w, w}
		}
	}
	for op, w := range map[bytecode.Op][2]int{bytecode.Iinc: {0, 0}, bytecode.I2l: {1, 2}, bytecode.I2f: {1, 1}, bytecode.I2d: {1, 2}, bytecode.L2i: {2, 1}, bytecode.L2f: {2, 1}, bytecode.L2d: {2, 2},
		bytecode.F2i: {1, 1}, bytecode.F2l: {1, 2}, bytecode.F2d: {1, 2}, bytecode.D2i: {2, 1}, bytecode.D2l: {2, 2}, bytecode.D2f: {2, 1}, bytecode.I2b: {1, 1}, bytecode.I2c: {1, 1}, bytecode.I2s: {1, 1},
		bytecode.Lcmp: {4, 1}, bytecode.Fcmpl: {2, 1}, bytecode.Fcmpg: {2, 1}, bytecode.Dcmpl: {4, 1}, bytecode.Dcmpg: {4, 1}} {
		out[op] = w
	}
	return out
}()

func (r *flowReader) compute(op bytecode.Op) {
	e := computes[op]
	r.drop(e[0])
	for range e[1] {
		r.push(Value{})
	}
}
