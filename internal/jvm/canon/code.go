package canon

import (
	"fmt"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// body writes the normal form of a method's code: its instructions, then the exception table. Offsets become instruction numbers, and operations that
// differ only in how their operand is packed become one, because both depend on the layout of the constant pool and the code.
func (u *Unit) body(f *form, code *classfile.Code) error {
	number, err := numbering(code.Bytes, u.numbers)
	if err != nil {
		return err
	}
	u.numbers = number
	var in bytecode.Instruction
	for pc := 0; pc < len(code.Bytes); pc += in.Len {
		if err := in.Decode(code.Bytes, pc); err != nil {
			return err
		}
		if err := u.instruction(f, &in, number); err != nil {
			return err
		}
	}
	f.tag(endOfCode)
	f.num(uint64(len(code.Exceptions)))
	for _, e := range code.Exceptions {
		for _, at := range [3]uint16{e.Start, e.End, e.Handler} {
			if err := target(f, int(at), number); err != nil {
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

// endOfCode is no operation code that a class file may have.
const endOfCode = 0xFF

// notStart marks an offset inside an instruction.
const notStart = 0xFFFFFFFF

// numbering gives every offset at which an instruction starts, and the end of the code, its number. It reuses a slice.
func numbering(code []byte, reuse []uint32) ([]uint32, error) {
	number := reuse[:0]
	var in bytecode.Instruction
	n := uint32(0)
	for pc := 0; pc < len(code); pc += in.Len {
		if err := in.Decode(code, pc); err != nil {
			return nil, err
		}
		number = append(number, n)
		for range in.Len - 1 {
			number = append(number, notStart)
		}
		n++
	}
	return append(number, n), nil
}

func target(f *form, pc int, number []uint32) error {
	if pc < 0 || pc >= len(number) || number[pc] == notStart {
		return fmt.Errorf("code: offset %d is not the start of an instruction", pc)
	}
	f.num(uint64(number[pc]))
	return nil
}

// packed maps operations to the one that stands for them, with the operand that is implied.
var packed = func() (t [256]struct {
	op    bytecode.Op
	local int8 // implied local variable, or -1
}) {
	for i := range t {
		t[i].op, t[i].local = bytecode.Op(i), -1
	}
	short := func(first, general bytecode.Op) {
		for k := range 4 {
			t[int(first)+k].op, t[int(first)+k].local = general, int8(k)
		}
	}
	for k := range 5 { // i l f d a
		step := bytecode.Op(k)
		short(bytecode.Iload0+4*step, bytecode.Iload+step)
		short(bytecode.Istore0+4*step, bytecode.Istore+step)
	}
	t[bytecode.LdcW].op = bytecode.Ldc
	t[bytecode.Ldc2W].op = bytecode.Ldc
	t[bytecode.GotoW].op = bytecode.Goto
	t[bytecode.JsrW].op = bytecode.Jsr
	return t
}()

func (u *Unit) instruction(f *form, in *bytecode.Instruction, number []uint32) error {
	to := packed[in.Op]
	f.tag(byte(to.op))
	if to.local >= 0 {
		f.num(uint64(to.local))
		return nil
	}
	switch in.Op.Format() {
	case bytecode.Byte, bytecode.Short, bytecode.ArrayType:
		f.signed(int64(in.Value))
	case bytecode.Local:
		f.num(uint64(in.Index))
	case bytecode.Increment:
		f.num(uint64(in.Index))
		f.signed(int64(in.Value))
	case bytecode.Branch2, bytecode.Branch4:
		return target(f, in.Target, number)
	case bytecode.TableSwitch, bytecode.LookupSwitch:
		return switchForm(f, in, number)
	case bytecode.MultiArray:
		f.num(uint64(in.Value))
		return u.operand(f, in)
	case bytecode.Pool1, bytecode.Pool2, bytecode.Interface, bytecode.Dynamic:
		return u.operand(f, in)
	}
	return nil
}

func switchForm(f *form, in *bytecode.Instruction, number []uint32) error {
	f.num(uint64(in.Cases))
	if err := target(f, in.Target, number); err != nil {
		return err
	}
	for i := range in.Cases {
		key, to := in.Case(i)
		f.signed(int64(key))
		if err := target(f, to, number); err != nil {
			return err
		}
	}
	return nil
}

// operand writes the constant that an instruction names, if it is of a kind that the instruction may name.
func (u *Unit) operand(f *form, in *bytecode.Instruction) error {
	i := uint16(in.Index)
	switch in.Op {
	case bytecode.Ldc, bytecode.LdcW, bytecode.Ldc2W:
		return u.loadable(f, i)
	case bytecode.Invokedynamic:
		if u.class.Pool.Tag(i) != classfile.TagInvokeDynamic {
			return wrongKind(in, u.class.Pool.Tag(i))
		}
		return u.dynamic(f, u.class.Pool.At(i))
	case bytecode.New, bytecode.Anewarray, bytecode.Checkcast, bytecode.Instanceof, bytecode.Multianewarray:
		name, ok := u.class.Pool.Class(i)
		if !ok {
			return wrongKind(in, u.class.Pool.Tag(i))
		}
		f.class(name)
		return nil
	}
	ref, ok := u.class.Pool.Ref(i)
	isField := ref.Tag == classfile.TagFieldref
	if !ok || isField != (in.Op >= bytecode.Getstatic && in.Op <= bytecode.Putfield) {
		return wrongKind(in, u.class.Pool.Tag(i))
	}
	u.member(f, ref)
	return nil
}

func wrongKind(in *bytecode.Instruction, tag classfile.Tag) error {
	return fmt.Errorf("code at %d: %s names a constant of kind %s", in.PC, in.Op, tag)
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
