package assemble

import (
	"encoding/binary"
	"fmt"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// A Label names a place in code. Create it with Code.Label.
type Label int

// A Code is the body of a method being built. Create it with Class.Code.
type Code struct {
	// MaxStack and MaxLocals are computed where they are 0.
	MaxStack, MaxLocals int

	class    *Class
	bytes    []byte
	labels   []int // by label: offset, -1 before Mark
	steps    []step
	fixups   []fixup
	handlers []handler
	frames   []frame
	locals   int // highest local variable in use, plus one
	err      error
}

// A step is an instruction as the computation of the stack sees it.
type step struct {
	pc, effect int // effect: on the depth of the stack
	op         bytecode.Op
	targets    []Label
}

// A fixup is a branch offset, counted from pc, to be written at a position once labels have places.
type fixup struct {
	pc, at, size int
	to           Label
}

type handler struct {
	start, end, target Label
	catch              uint16
}

// Code starts the body of a method.
func (c *Class) Code() *Code { return &Code{class: c} }

func (k *Code) fail(format string, args ...any) {
	if k.err == nil {
		k.err = fmt.Errorf("code at %d: "+format, append([]any{len(k.bytes)}, args...)...)
	}
}

// Label makes a label without a place.
func (k *Code) Label() Label {
	k.labels = append(k.labels, -1)
	return Label(len(k.labels) - 1)
}

// Mark gives a label its place: here.
func (k *Code) Mark(l Label) {
	if k.labels[l] >= 0 {
		k.fail("label %d has a place already", l)
	}
	k.labels[l] = len(k.bytes)
}

// Here makes a label at this place.
func (k *Code) Here() Label {
	l := k.Label()
	k.Mark(l)
	return l
}

// Try adds an exception handler for the instructions between two labels. Catch "" catches everything.
func (k *Code) Try(start, end, target Label, catch string) {
	h := handler{start: start, end: end, target: target}
	if catch != "" {
		h.catch = k.class.ClassRef(catch)
	}
	k.handlers = append(k.handlers, h)
}

// emit writes an operation with its operands. Formats must agree; otherwise the code would not decode.
func (k *Code) emit(op bytecode.Op, want bytecode.Format, effect int, operands ...byte) {
	if op.Format() != want || !op.Known() {
		k.fail("%s has other operands", op)
	}
	k.steps = append(k.steps, step{pc: len(k.bytes), op: op, effect: effect})
	k.bytes = append(append(k.bytes, byte(op)), operands...)
}

// Op adds instructions without operands.
func (k *Code) Op(ops ...bytecode.Op) {
	for _, op := range ops {
		k.emit(op, bytecode.None, effects[op])
		k.use(implied(op))
	}
}

// use notes that a local variable is in use.
func (k *Code) use(index, width int) { k.locals = max(k.locals, index+width) }

// Push adds a small constant in the shortest form.
func (k *Code) Push(v int16) {
	switch {
	case v >= -1 && v <= 5:
		k.Op(bytecode.Op(int(bytecode.Iconst0) + int(v)))
	case v >= -128 && v <= 127:
		k.emit(bytecode.Bipush, bytecode.Byte, 1, byte(v))
	default:
		k.emit(bytecode.Sipush, bytecode.Short, 1, byte(v>>8), byte(v))
	}
}

// Constant loads a constant of the pool that takes one stack slot, or with wide two.
func (k *Code) Constant(index uint16, wide bool) {
	switch {
	case wide:
		k.emit(bytecode.Ldc2W, bytecode.Pool2, 2, two(index)...)
	case index < 256:
		k.emit(bytecode.Ldc, bytecode.Pool1, 1, byte(index))
	default:
		k.emit(bytecode.LdcW, bytecode.Pool2, 1, two(index)...)
	}
}

// String loads a string.
func (k *Code) String(text string) { k.Constant(k.class.StringRef(text), false) }

func two(v uint16) []byte { return []byte{byte(v >> 8), byte(v)} }

// Local adds a load, a store or ret of a local variable.
func (k *Code) Local(op bytecode.Op, index uint16) {
	k.use(int(index), width(op))
	if index < 256 {
		k.emit(op, bytecode.Local, effects[op], byte(index))
		return
	}
	k.emit(op, bytecode.Local, effects[op])
	k.bytes = append(k.bytes[:len(k.bytes)-1], byte(bytecode.Wide), byte(op), byte(index>>8), byte(index))
}

// Increment adds iinc.
func (k *Code) Increment(index uint16, by int16) {
	k.use(int(index), 1)
	if index < 256 && by >= -128 && by <= 127 {
		k.emit(bytecode.Iinc, bytecode.Increment, 0, byte(index), byte(by))
		return
	}
	k.emit(bytecode.Iinc, bytecode.Increment, 0)
	k.bytes = append(k.bytes[:len(k.bytes)-1], byte(bytecode.Wide), byte(bytecode.Iinc), byte(index>>8), byte(index), byte(by>>8), byte(by))
}

// Class adds new, anewarray, checkcast or instanceof.
func (k *Code) Class(op bytecode.Op, name string) {
	k.emit(op, bytecode.Pool2, effects[op], two(k.class.ClassRef(name))...)
}

// NewArray adds newarray. Kind is the type code of JVMS table 6.5.newarray-A.
func (k *Code) NewArray(kind byte) { k.emit(bytecode.Newarray, bytecode.ArrayType, 0, kind) }

// MultiArray adds multianewarray.
func (k *Code) MultiArray(name string, dimensions uint8) {
	operands := append(two(k.class.ClassRef(name)), dimensions)
	k.emit(bytecode.Multianewarray, bytecode.MultiArray, 1-int(dimensions), operands...)
}

// Field adds getstatic, putstatic, getfield or putfield.
func (k *Code) Field(op bytecode.Op, class, name, descriptor string) {
	size := slots(descriptor)
	if size <= 0 {
		k.fail("%q is no descriptor of a field", descriptor)
	}
	effect := map[bytecode.Op]int{bytecode.Getstatic: size, bytecode.Putstatic: -size, bytecode.Getfield: size - 1, bytecode.Putfield: -size - 1}[op]
	ref := classfile.Ref{Tag: classfile.TagFieldref, Class: class, Name: name, Descriptor: descriptor}
	k.emit(op, bytecode.Pool2, effect, two(k.class.Ref(ref))...)
}

// Invoke adds one of the instructions that call a method, except invokedynamic. The Tag of the reference is free: the wrong one is wanted too.
func (k *Code) Invoke(op bytecode.Op, ref classfile.Ref) {
	arguments, result, err := signature(ref.Descriptor)
	if err != nil {
		k.fail("%w", err)
	}
	if op != bytecode.Invokestatic {
		arguments++
	}
	index := two(k.class.Ref(ref))
	if op == bytecode.Invokeinterface {
		k.emit(op, bytecode.Interface, result-arguments, append(index, byte(arguments), 0)...)
		return
	}
	k.emit(op, bytecode.Pool2, result-arguments, index...)
}

// Dynamic adds invokedynamic.
func (k *Code) Dynamic(bootstrap uint16, name, descriptor string) {
	arguments, result, err := signature(descriptor)
	if err != nil {
		k.fail("%w", err)
	}
	site := classfile.Constant{Tag: classfile.TagInvokeDynamic, A: bootstrap, B: k.class.NameAndType(name, descriptor)}
	k.emit(bytecode.Invokedynamic, bytecode.Dynamic, result-arguments, append(two(k.class.Constant(site)), 0, 0)...)
}

// Branch adds a branch.
func (k *Code) Branch(op bytecode.Op, to Label) {
	pc, size := len(k.bytes), 2
	if op.Format() == bytecode.Branch4 {
		size = 4
		k.emit(op, bytecode.Branch4, effects[op], 0, 0, 0, 0)
	} else {
		k.emit(op, bytecode.Branch2, effects[op], 0, 0)
	}
	k.branch(pc, pc+1, size, to)
}

func (k *Code) branch(pc, at, size int, to Label) {
	last := &k.steps[len(k.steps)-1]
	last.targets = append(last.targets, to)
	k.fixups = append(k.fixups, fixup{pc: pc, at: at, size: size, to: to})
}

// Table adds tableswitch: cases[i] is for the value low+i.
func (k *Code) Table(low int32, otherwise Label, cases ...Label) {
	pc := k.startSwitch(bytecode.Tableswitch, bytecode.TableSwitch, otherwise)
	k.bytes = binary.BigEndian.AppendUint32(k.bytes, uint32(low))
	k.bytes = binary.BigEndian.AppendUint32(k.bytes, uint32(int(low)+len(cases)-1))
	for _, to := range cases {
		k.far(pc, to)
	}
}

// A Case is a key of lookupswitch with its target.
type Case struct {
	Key int32
	To  Label
}

// Lookup adds lookupswitch. The keys must ascend.
func (k *Code) Lookup(otherwise Label, cases ...Case) {
	pc := k.startSwitch(bytecode.Lookupswitch, bytecode.LookupSwitch, otherwise)
	k.bytes = binary.BigEndian.AppendUint32(k.bytes, uint32(len(cases)))
	for _, c := range cases {
		k.bytes = binary.BigEndian.AppendUint32(k.bytes, uint32(c.Key))
		k.far(pc, c.To)
	}
}

func (k *Code) startSwitch(op bytecode.Op, format bytecode.Format, otherwise Label) (pc int) {
	pc = len(k.bytes)
	k.emit(op, format, effects[op])
	for len(k.bytes)%4 != 0 {
		k.bytes = append(k.bytes, 0)
	}
	k.far(pc, otherwise)
	return pc
}

// far adds a branch offset of four bytes.
func (k *Code) far(pc int, to Label) {
	at := len(k.bytes)
	k.bytes = append(k.bytes, 0, 0, 0, 0)
	k.branch(pc, at, 4, to)
}
