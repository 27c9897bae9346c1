package instrument

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/cfg"
	"winnow/internal/jvm/classfile"
)

// An interpreter runs the original code of small classes and notes which edges it takes. It knows nothing of probes: what it says is what they must say. Every value takes one place on the
// operand stack, also a long.
type interpreter struct {
	classes map[string]*interpreted
	statics map[string]any
	took    map[taken]bool
	steps   int
}

type interpreted struct {
	file    *classfile.Class
	methods map[Method]*interpretedMethod
	ready   bool
}

type interpretedMethod struct {
	index int
	code  *classfile.Code
	graph *cfg.Graph
}

// A taken is an edge of a method of a class.
type taken struct {
	class        string
	method, edge int
}

type object struct {
	class  string
	fields map[string]any
}

type array struct{ ints []int32 }

// returnAddress is what jsr pushes.
type returnAddress int

// thrown carries an exception through Go's calls; it is never a panic.
type thrown struct{ *object }

func newInterpreter(t testing.TB, classes map[string][]byte) *interpreter {
	t.Helper()
	it := &interpreter{classes: map[string]*interpreted{}, statics: map[string]any{}, took: map[taken]bool{}}
	for name, data := range classes {
		file, err := classfile.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		c := &interpreted{file: file, methods: map[Method]*interpretedMethod{}}
		it.classes[name] = c
		for i := range file.Methods {
			n, d := file.MemberName(&file.Methods[i])
			code, err := file.Code(&file.Methods[i])
			if err != nil {
				t.Fatal(err)
			}
			g, err := cfg.Of(file, code)
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Check(); err != nil {
				t.Fatal(err)
			}
			c.methods[Method{n, d}] = &interpretedMethod{i, code, g}
		}
	}
	return it
}

// reset forgets what was run.
func (it *interpreter) reset() {
	it.statics, it.took, it.steps = map[string]any{}, map[taken]bool{}, 0
	for _, c := range it.classes {
		c.ready = false
	}
}

// supers are the classes of the JDK that the programs throw and catch.
var supers = map[string]string{"java/lang/ArithmeticException": "java/lang/RuntimeException", "java/lang/ArrayIndexOutOfBoundsException": "java/lang/RuntimeException",
	"java/lang/NullPointerException": "java/lang/RuntimeException", "java/lang/RuntimeException": "java/lang/Exception", "java/lang/Exception": "java/lang/Throwable"}

func (it *interpreter) is(class, super string) bool {
	for class != "" && class != super {
		if c := it.classes[class]; c != nil {
			class = c.file.SuperName()
		} else {
			class = supers[class]
		}
	}
	return class == super
}

// call runs a static method, or any with its receiver as first argument. What the JDK has is known by name.
func (it *interpreter) call(ref classfile.Ref, args []any) (any, *thrown, error) {
	c := it.classes[ref.Class]
	switch {
	case c == nil && ref.Name == "valueOf" && ref.Descriptor == "(I)Ljava/lang/String;":
		return fmt.Sprint(args[0]), nil, nil
	case c == nil && ref.Name == "<init>":
		return nil, nil, nil
	case c == nil:
		return nil, nil, fmt.Errorf("%s.%s is not known", ref.Class, ref.Name)
	}
	if init := c.methods[Method{"<clinit>", "()V"}]; init != nil && !c.ready {
		c.ready = true
		if _, t, err := it.run(ref.Class, c, init, nil); t != nil || err != nil {
			return nil, t, err
		}
	}
	m := c.methods[Method{ref.Name, ref.Descriptor}]
	if m == nil {
		return nil, nil, fmt.Errorf("there is no %s.%s%s", ref.Class, ref.Name, ref.Descriptor)
	}
	return it.run(ref.Class, c, m, args)
}

// An activation is a method being run.
type activation struct {
	*interpreter
	class  *interpreted
	method *interpretedMethod
	name   string
	locals []any
	stack  []any
	pc     int
}

func (it *interpreter) run(name string, c *interpreted, m *interpretedMethod, args []any) (any, *thrown, error) {
	a := &activation{interpreter: it, class: c, method: m, name: name, locals: make([]any, m.code.MaxLocals)}
	at := 0
	for _, v := range args {
		a.locals[at] = v
		at++
		switch v.(type) {
		case int64, float64:
			at++
		}
	}
	a.take(func(e cfg.Edge) bool { return e.Kind == cfg.Begin })
	for {
		if it.steps++; it.steps > 1<<20 {
			return nil, nil, fmt.Errorf("%s runs for too long", name)
		}
		var in bytecode.Instruction
		if err := in.Decode(m.code.Bytes, a.pc); err != nil {
			return nil, nil, err
		}
		done, t, err := a.step(&in)
		if err != nil {
			return nil, nil, fmt.Errorf("%s at %d: %s: %w", name, in.PC, in.Op, err)
		}
		if t != nil && !a.catch(t, &in) {
			return nil, t, nil
		}
		if done {
			if in.Op == bytecode.Return {
				return nil, nil, nil
			}
			return a.pop(), nil, nil
		}
	}
}

// take notes the edges that fit.
func (a *activation) take(fits func(cfg.Edge) bool) {
	for i, e := range a.method.graph.Edges {
		if fits(e) {
			a.took[taken{a.name, a.method.index, i}] = true
		}
	}
}

// leave notes the edge by which the block of an instruction is left, to an offset if it is not negative.
func (a *activation) leave(in *bytecode.Instruction, kind cfg.Kind, label string, to int) {
	g := a.method.graph
	from := g.Block(in.PC)
	if to >= 0 {
		a.pc = to
		to = g.Block(to)
	}
	a.take(func(e cfg.Edge) bool {
		return e.From == from && e.Kind == kind && e.Label == label && (to < 0 || e.To == to)
	})
}

// next goes on behind an instruction, into the next block if this one ends here.
func (a *activation) next(in *bytecode.Instruction) {
	g := a.method.graph
	to := in.PC + in.Len
	if g.Block(to) != g.Block(in.PC) {
		a.leave(in, cfg.Fall, "", to)
	}
	a.pc = to
}

// catch finds the handler of what an instruction threw.
func (a *activation) catch(t *thrown, in *bytecode.Instruction) bool {
	for _, e := range a.method.code.Exceptions {
		label := cfg.Any
		if e.Catch != 0 {
			label, _ = a.class.file.Pool.Class(e.Catch)
		}
		if in.PC >= int(e.Start) && in.PC < int(e.End) && (e.Catch == 0 || a.is(t.class, label)) {
			a.stack = append(a.stack[:0], t.object)
			a.leave(in, cfg.Exception, label, int(e.Handler))
			return true
		}
	}
	return false
}

func (a *activation) push(v any) { a.stack = append(a.stack, v) }

func (a *activation) pop() any {
	v := a.stack[len(a.stack)-1]
	a.stack = a.stack[:len(a.stack)-1]
	return v
}

func (a *activation) popInt() int32 { return a.pop().(int32) }

func throw(class string) *thrown { return &thrown{&object{class: class}} }

// step runs one instruction: done if the method returns.
func (a *activation) step(in *bytecode.Instruction) (done bool, t *thrown, err error) {
	switch f := in.Op.Format(); {
	case in.Op.IsReturn():
		a.leave(in, cfg.Return, "", -1)
		return true, nil, nil
	case in.Op == bytecode.Athrow:
		a.leave(in, cfg.Throw, "", -1)
		return false, &thrown{a.pop().(*object)}, nil
	case in.Op == bytecode.Ret:
		a.leave(in, cfg.Back, "", int(a.locals[in.Index].(returnAddress)))
	case f == bytecode.TableSwitch || f == bytecode.LookupSwitch:
		a.choose(in)
	case f == bytecode.Branch2 || f == bytecode.Branch4:
		a.branch(in)
	default:
		if t, err = a.simple(in); t == nil && err == nil {
			a.next(in)
		}
	}
	return false, t, err
}

func (a *activation) choose(in *bytecode.Instruction) {
	value := int(a.popInt())
	for i := range in.Cases {
		if key, target := in.Case(i); key == value && target != in.Target {
			a.leave(in, cfg.Case, fmt.Sprint(key), target)
			return
		}
	}
	a.leave(in, cfg.Case, cfg.Default, in.Target)
}

func (a *activation) branch(in *bytecode.Instruction) {
	switch {
	case in.Op == bytecode.Goto || in.Op == bytecode.GotoW:
		a.leave(in, cfg.Taken, "", in.Target)
	case in.Op == bytecode.Jsr || in.Op == bytecode.JsrW:
		a.push(returnAddress(in.PC + in.Len))
		a.leave(in, cfg.Call, "", in.Target)
	case a.holds(in.Op):
		a.leave(in, cfg.Taken, "", in.Target)
	default:
		a.leave(in, cfg.Fall, "", in.PC+in.Len)
	}
}

func (a *activation) holds(op bytecode.Op) bool {
	compare := func(n int, x, y int32) bool {
		return [...]bool{x == y, x != y, x < y, x >= y, x > y, x <= y}[n]
	}
	y := a.pop()
	switch {
	case op >= bytecode.Ifeq && op <= bytecode.Ifle:
		return compare(int(op-bytecode.Ifeq), y.(int32), 0)
	case op >= bytecode.IfIcmpeq && op <= bytecode.IfIcmple:
		return compare(int(op-bytecode.IfIcmpeq), a.popInt(), y.(int32))
	case op == bytecode.Ifnull:
		return y == nil
	case op == bytecode.Ifnonnull:
		return y != nil
	}
	return (a.pop() == y) == (op == bytecode.IfAcmpeq)
}

// simple runs an instruction that is followed by the next one, if nothing is thrown.
func (a *activation) simple(in *bytecode.Instruction) (*thrown, error) {
	op := in.Op
	switch {
	case op == bytecode.Nop, op == bytecode.Monitorenter, op == bytecode.Monitorexit:
		if op != bytecode.Nop {
			a.pop()
		}
	case op == bytecode.AconstNull:
		a.push(nil)
	case op >= bytecode.IconstM1 && op <= bytecode.Iconst5:
		a.push(int32(op) - int32(bytecode.Iconst0))
	case op == bytecode.Lconst0 || op == bytecode.Lconst1:
		a.push(int64(op - bytecode.Lconst0))
	case op == bytecode.Dconst0 || op == bytecode.Dconst1:
		a.push(float64(op - bytecode.Dconst0))
	case op == bytecode.Bipush || op == bytecode.Sipush:
		a.push(int32(in.Value))
	case op == bytecode.Ldc || op == bytecode.LdcW || op == bytecode.Ldc2W:
		return nil, a.constant(in)
	case op >= bytecode.Iload && op <= bytecode.Aload3:
		a.push(a.locals[localOf(in, bytecode.Iload, bytecode.Iload0)])
	case op >= bytecode.Istore && op <= bytecode.Astore3:
		a.locals[localOf(in, bytecode.Istore, bytecode.Istore0)] = a.pop()
	case op == bytecode.Iinc:
		a.locals[in.Index] = a.locals[in.Index].(int32) + int32(in.Value)
	case op >= bytecode.Iadd && op <= bytecode.Lxor:
		return a.arithmetic(op)
	case op >= bytecode.Pop && op <= bytecode.Swap:
		return nil, a.shuffle(op)
	default:
		return a.other(in)
	}
	return nil, nil
}

func localOf(in *bytecode.Instruction, long, short bytecode.Op) int {
	if in.Op < long+5 {
		return in.Index
	}
	return int(in.Op-short) % 4
}

func (a *activation) constant(in *bytecode.Instruction) error {
	switch k := a.class.file.Pool.At(uint16(in.Index)); k.Tag {
	case classfile.TagInteger:
		a.push(int32(k.Bits))
	case classfile.TagLong:
		a.push(int64(k.Bits))
	case classfile.TagDouble:
		a.push(math.Float64frombits(k.Bits))
	default:
		return fmt.Errorf("constant of kind %v", k.Tag)
	}
	return nil
}

// arithmetic: the operations are in the order int, long, float, double.
func (a *activation) arithmetic(op bytecode.Op) (*thrown, error) {
	y := a.pop()
	if op >= bytecode.Ineg && op <= bytecode.Dneg {
		switch v := y.(type) {
		case int32:
			a.push(-v)
		case int64:
			a.push(-v)
		case float64:
			a.push(-v)
		}
		return nil, nil
	}
	x := a.pop()
	divides := op >= bytecode.Idiv && op <= bytecode.Drem
	switch x := x.(type) {
	case int32:
		if divides && y.(int32) == 0 {
			return throw("java/lang/ArithmeticException"), nil
		}
		v, ok := whole(op-bytecode.Iadd, int64(x), int64(y.(int32)))
		a.push(int32(v))
		return nil, ok
	case int64:
		if divides && y.(int64) == 0 {
			return throw("java/lang/ArithmeticException"), nil
		}
		v, ok := whole(op-bytecode.Ladd, x, y.(int64))
		a.push(v)
		return nil, ok
	case float64:
		v := [...]float64{x + y.(float64), x - y.(float64), x * y.(float64), x / y.(float64)}
		a.push(v[(op-bytecode.Dadd)/4])
	}
	return nil, nil
}

func whole(op bytecode.Op, x, y int64) (int64, error) {
	switch op {
	case 0:
		return x + y, nil
	case bytecode.Isub - bytecode.Iadd:
		return x - y, nil
	case bytecode.Imul - bytecode.Iadd:
		return x * y, nil
	case bytecode.Idiv - bytecode.Iadd:
		return x / y, nil
	case bytecode.Irem - bytecode.Iadd:
		return x % y, nil
	case bytecode.Iand - bytecode.Iadd:
		return x & y, nil
	}
	return 0, fmt.Errorf("operation %d", op)
}

func (a *activation) shuffle(op bytecode.Op) error {
	x := a.pop()
	_, long := x.(int64)
	_, double := x.(float64)
	switch {
	case op == bytecode.Pop || op == bytecode.Pop2 && (long || double):
	case op == bytecode.Pop2:
		a.pop()
	case op == bytecode.Dup || op == bytecode.Dup2 && (long || double):
		a.push(x)
		a.push(x)
	case op == bytecode.Dup2:
		y := a.pop()
		a.stack = append(a.stack, y, x, y, x)
	case op == bytecode.DupX1:
		y := a.pop()
		a.stack = append(a.stack, x, y, x)
	case op == bytecode.Swap:
		y := a.pop()
		a.stack = append(a.stack, x, y)
	default:
		return fmt.Errorf("not known")
	}
	return nil
}

// other: conversions, comparisons, objects, arrays and calls.
func (a *activation) other(in *bytecode.Instruction) (*thrown, error) {
	switch in.Op {
	case bytecode.I2l:
		a.push(int64(a.popInt()))
	case bytecode.I2d:
		a.push(float64(a.popInt()))
	case bytecode.L2d:
		a.push(float64(a.pop().(int64)))
	case bytecode.L2i:
		a.push(int32(a.pop().(int64)))
	case bytecode.D2i:
		a.push(int32(a.pop().(float64)))
	case bytecode.Lcmp, bytecode.Dcmpl, bytecode.Dcmpg:
		y, x := a.pop(), a.pop()
		a.push(sign(x, y))
	case bytecode.New:
		name, _ := a.class.file.Pool.Class(uint16(in.Index))
		a.push(&object{class: name, fields: map[string]any{}})
	case bytecode.Newarray:
		a.push(&array{make([]int32, a.popInt())})
	case bytecode.Iaload, bytecode.Iastore:
		return a.element(in.Op), nil
	case bytecode.Arraylength:
		a.push(int32(len(a.pop().(*array).ints)))
	case bytecode.Getstatic, bytecode.Putstatic, bytecode.Getfield, bytecode.Putfield:
		return nil, a.field(in)
	case bytecode.Invokestatic, bytecode.Invokespecial, bytecode.Invokevirtual:
		return a.invoke(in)
	default:
		return nil, fmt.Errorf("not known")
	}
	return nil, nil
}

func sign(x, y any) int32 {
	less, more := false, false
	switch x := x.(type) {
	case int64:
		less, more = x < y.(int64), x > y.(int64)
	case float64:
		less, more = x < y.(float64), x > y.(float64)
	}
	switch {
	case less:
		return -1
	case more:
		return 1
	}
	return 0
}

func (a *activation) element(op bytecode.Op) *thrown {
	var v int32
	if op == bytecode.Iastore {
		v = a.popInt()
	}
	i := int(a.popInt())
	of := a.pop().(*array)
	switch {
	case i < 0 || i >= len(of.ints):
		return throw("java/lang/ArrayIndexOutOfBoundsException")
	case op == bytecode.Iastore:
		of.ints[i] = v
	default:
		a.push(of.ints[i])
	}
	return nil
}

func (a *activation) field(in *bytecode.Instruction) error {
	ref, ok := a.class.file.Pool.Ref(uint16(in.Index))
	if !ok {
		return fmt.Errorf("no field")
	}
	values, key := a.statics, ref.Class+"."+ref.Name
	switch in.Op {
	case bytecode.Putstatic:
		values[key] = a.pop()
	case bytecode.Putfield:
		v := a.pop()
		a.pop().(*object).fields[ref.Name] = v
	case bytecode.Getfield:
		a.push(a.pop().(*object).fields[ref.Name])
	default:
		if values[key] == nil && ref.Descriptor == "I" {
			values[key] = int32(0)
		}
		a.push(values[key])
	}
	return nil
}

func (a *activation) invoke(in *bytecode.Instruction) (*thrown, error) {
	ref, _ := a.class.file.Pool.Ref(uint16(in.Index))
	parameters, err := parseParameters(ref.Descriptor)
	if err != nil {
		return nil, err
	}
	n := len(parameters)
	if in.Op != bytecode.Invokestatic {
		n++
	}
	args := slices.Clone(a.stack[len(a.stack)-n:])
	a.stack = a.stack[:len(a.stack)-n]
	v, t, err := a.call(ref, args)
	if err == nil && t == nil && ref.Descriptor[len(ref.Descriptor)-1] != 'V' {
		a.push(v)
	}
	return t, err
}
