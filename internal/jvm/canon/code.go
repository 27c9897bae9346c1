package canon

import (
	"encoding/binary"
	"fmt"
	"slices"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// body writes the normal form of a method's code: its instructions, the targets of branches in the order of the code, the exception table. Offsets become instruction
// numbers, and operations that differ only in how their operand is packed become one, because both depend on the layout of constant pool and code.
//
// This loop sees every instruction of a program, so it reads the common ones itself, and leaves to package bytecode those whose length varies.
func (u *Unit) body(f *form, code *classfile.Code) error {
	c := code.Bytes
	if len(f.memo) == 0 {
		f.memo = slices.Grow(f.memo, u.class.Pool.Len())[:u.class.Pool.Len()]
		clear(f.memo)
	}
	f.before = f.named
	f.num(uint64(code.MaxStack)) // a JVM refuses code that needs more
	f.num(uint64(code.MaxLocals))
	f.starts = resize(f.starts, len(c)+1)
	f.jumps = f.jumps[:0]
	n := uint32(0)
	for pc := 0; pc < len(c); {
		n++
		f.starts[pc] = n
		op := layouts[c[pc]]
		next := pc + int(op.length)
		if next > len(c) || op.length == 0 {
			var in bytecode.Instruction
			if err := in.Decode(c, pc); err != nil {
				return err
			}
			f.varying(&in)
			pc += in.Len
			continue
		}
		switch op.kind {
		case plain:
			f.b = append(f.b, op.general)
		case implied:
			f.b = append(f.b, op.general, op.local)
		case local:
			f.b = append(f.b, op.general)
			f.num(uint64(c[pc+1]))
		case byteValue:
			f.b = append(f.b, op.general)
			f.signed(int64(int8(c[pc+1])))
		case shortValue:
			f.b = append(f.b, op.general)
			f.signed(int64(int16(binary.BigEndian.Uint16(c[pc+1:]))))
		case increment:
			f.b = append(f.b, op.general)
			f.num(uint64(c[pc+1]))
			f.signed(int64(int8(c[pc+2])))
		case branch:
			f.b = append(f.b, op.general)
			f.jumps = append(f.jumps, pc+int(int16(binary.BigEndian.Uint16(c[pc+1:]))))
		case wideBranch:
			f.b = append(f.b, op.general)
			f.jumps = append(f.jumps, pc+int(int32(binary.BigEndian.Uint32(c[pc+1:]))))
		default:
			if err := u.operand(f, op, c[pc:next]); err != nil {
				return fmt.Errorf("code at %d: %w", pc, err)
			}
		}
		pc = next
	}
	f.starts[len(c)] = n + 1
	f.tag(endOfCode)
	for _, to := range f.jumps {
		if err := f.target(to); err != nil {
			return err
		}
	}
	return u.handlers(f, code.Exceptions)
}

// endOfCode is no operation code that a class file may have.
const endOfCode = 0xFF

func resize(s []uint32, n int) []uint32 {
	if cap(s) < n {
		return make([]uint32, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// target writes the number of the instruction at an offset.
func (f *form) target(pc int) error {
	if pc < 0 || pc >= len(f.starts) || f.starts[pc] == 0 {
		return fmt.Errorf("code: offset %d is not the start of an instruction", pc)
	}
	f.num(uint64(f.starts[pc] - 1))
	return nil
}

func (u *Unit) handlers(f *form, table []classfile.Exception) error {
	f.num(uint64(len(table)))
	for _, e := range table {
		for _, at := range [3]uint16{e.Start, e.End, e.Handler} {
			if err := f.target(int(at)); err != nil {
				return err
			}
		}
		catch := "" // any: no class has an empty name
		if e.Catch != 0 {
			name, ok := u.class.Pool.Class(e.Catch)
			if !ok {
				return fmt.Errorf("exception table: constant %d is not a class", e.Catch)
			}
			catch = name
		}
		f.class(catch)
	}
	return nil
}

// varying writes an instruction whose length depends on more than its operation: a switch, or one with the prefix wide.
func (f *form) varying(in *bytecode.Instruction) {
	f.tag(byte(in.Op))
	switch in.Op {
	case bytecode.Tableswitch, bytecode.Lookupswitch:
		f.num(uint64(in.Cases))
		f.jumps = append(f.jumps, in.Target)
		for i := range in.Cases {
			key, to := in.Case(i)
			f.signed(int64(key))
			f.jumps = append(f.jumps, to)
		}
	case bytecode.Iinc:
		f.num(uint64(in.Index))
		f.signed(int64(in.Value))
	default:
		f.num(uint64(in.Index))
	}
}

// A layout tells how to read an instruction of fixed length and which operation it becomes.
type layout struct {
	kind    uint8
	length  uint8 // 0: varies, or the operation is unknown
	general byte
	local   byte // implied local variable
}

const (
	plain uint8 = iota
	implied
	local
	byteValue
	shortValue
	increment
	branch
	wideBranch
	loaded     // constant of ldc
	type_      // class
	field      // field
	method     // method
	interface_ // method, count
	dynamic    // dynamic call site
	dimensions // class, dimensions
)

var layouts = func() (t [256]layout) {
	byFormat := map[bytecode.Format]layout{
		bytecode.None: {plain, 1, 0, 0}, bytecode.Byte: {byteValue, 2, 0, 0}, bytecode.ArrayType: {byteValue, 2, 0, 0}, bytecode.Short: {shortValue, 3, 0, 0},
		bytecode.Local: {local, 2, 0, 0}, bytecode.Increment: {increment, 3, 0, 0}, bytecode.Branch2: {branch, 3, 0, 0}, bytecode.Branch4: {wideBranch, 5, 0, 0},
		bytecode.Pool1: {loaded, 2, 0, 0}, bytecode.Pool2: {type_, 3, 0, 0}, bytecode.Interface: {interface_, 5, 0, 0}, bytecode.Dynamic: {dynamic, 5, 0, 0},
		bytecode.MultiArray: {dimensions, 4, 0, 0},
	}
	for i := range t {
		if op := bytecode.Op(i); op.Known() {
			t[i] = byFormat[op.Format()]
			t[i].general = byte(op)
		}
	}
	for k := range byte(5) { // i l f d a
		for v := range byte(4) {
			t[byte(bytecode.Iload0)+4*k+v] = layout{implied, 1, byte(bytecode.Iload) + k, v}
			t[byte(bytecode.Istore0)+4*k+v] = layout{implied, 1, byte(bytecode.Istore) + k, v}
		}
	}
	for op := bytecode.Getstatic; op <= bytecode.Putfield; op++ {
		t[op].kind = field
	}
	for op := bytecode.Invokevirtual; op <= bytecode.Invokestatic; op++ {
		t[op].kind = method
	}
	t[bytecode.LdcW] = layout{loaded, 3, byte(bytecode.Ldc), 0}
	t[bytecode.Ldc2W] = layout{loaded, 3, byte(bytecode.Ldc), 0}
	t[bytecode.GotoW].general = byte(bytecode.Goto)
	t[bytecode.JsrW].general = byte(bytecode.Jsr)
	return t
}()

// operand writes an instruction that names a constant, if the constant is of a kind that it may name.
func (u *Unit) operand(f *form, op layout, in []byte) error {
	f.b = append(f.b, op.general)
	if len(in) == 2 {
		return u.loadable(f, uint16(in[1]))
	}
	i := binary.BigEndian.Uint16(in[1:])
	tag := u.class.Pool.Tag(i)
	ok := false
	switch op.kind {
	case loaded:
		return u.loadable(f, i)
	case type_, dimensions:
		ok = tag == classfile.TagClass
	case field:
		ok = tag == classfile.TagFieldref
	case method, interface_:
		ok = tag == classfile.TagMethodref || tag == classfile.TagInterfaceMethodref
	case dynamic:
		ok = tag == classfile.TagInvokeDynamic
	}
	if !ok {
		return fmt.Errorf("%s names a constant of kind %s", bytecode.Op(in[0]), tag)
	}
	f.add(in[3:]) // count of invokeinterface, zeros of invokedynamic, dimensions
	if op.kind == dynamic {
		return u.dynamic(f, u.class.Pool.At(i))
	}
	u.constant(f, i, tag)
	return nil
}

// constant writes the class or member that a constant names: in full, or, if the body named it before, which one it was. What is
// numbered is not kept, so that each method notes it.
func (u *Unit) constant(f *form, i uint16, tag classfile.Tag) {
	m := &f.memo[i]
	if m.named > f.before && !f.expand {
		f.tag(again)
		f.num(uint64(m.named - f.before))
		return
	}
	f.tag(inFull)
	if m.end != 0 {
		f.b = append(f.b, f.arena[m.start:m.end]...)
	} else if !u.write(f, i, tag, m) {
		return
	}
	f.named++
	m.named = f.named
}

const (
	again  byte = 0
	inFull byte = 1
)

// write writes a constant in full and tells whether it was kept.
func (u *Unit) write(f *form, i uint16, tag classfile.Tag, m *memo) bool {
	start, refs := len(f.b), len(f.refs)
	if tag == classfile.TagClass {
		name, _ := u.class.Pool.Class(i)
		f.class(name)
	} else {
		ref, _ := u.class.Pool.Ref(i)
		u.member(f, ref)
	}
	if len(f.refs) > refs {
		return false
	}
	m.start = uint32(len(f.arena))
	f.arena = append(f.arena, f.b[start:]...)
	m.end = uint32(len(f.arena))
	return true
}

// member writes a reference to a field or method.
func (u *Unit) member(f *form, r classfile.Ref) {
	f.tag(byte(r.Tag))
	f.class(r.Class)
	if r.Tag == classfile.TagFieldref {
		f.word(r.Name)
		f.types(r.Descriptor)
		return
	}
	f.method(r.Class, r.Name, r.Descriptor)
}
