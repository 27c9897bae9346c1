package mutate

import (
	"encoding/binary"
	"fmt"
	"math"

	b "winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// A swap replaces an operation by another one with the same operands and the same effect on the types of the stack.
type swap struct {
	operator string
	to       b.Op
}

// swaps lists the swaps of each operation.
var swaps = func() (all [256][]swap) {
	add := func(operator string, pairs ...b.Op) {
		for i := 0; i < len(pairs); i += 2 {
			all[pairs[i]] = append(all[pairs[i]], swap{operator, pairs[i+1]})
		}
	}
	both := func(operator string, pairs ...b.Op) {
		for i := 0; i < len(pairs); i += 2 {
			add(operator, pairs[i], pairs[i+1], pairs[i+1], pairs[i])
		}
	}
	add(Constant, b.IconstM1, b.Iconst0, b.Iconst2, b.Iconst3, b.Iconst3, b.Iconst4, b.Iconst4, b.Iconst5, b.Iconst5, b.Iconst4, b.Fconst0, b.Fconst1)
	both(Constant, b.Iconst0, b.Iconst1, b.Lconst0, b.Lconst1, b.Fconst1, b.Fconst2, b.Dconst0, b.Dconst1) // a boolean stays one
	both(Negate, b.Ifeq, b.Ifne, b.Iflt, b.Ifge, b.Ifgt, b.Ifle, b.Ifnull, b.Ifnonnull,
		b.IfIcmpeq, b.IfIcmpne, b.IfIcmplt, b.IfIcmpge, b.IfIcmpgt, b.IfIcmple, b.IfAcmpeq, b.IfAcmpne)
	both(Boundary, b.Iflt, b.Ifle, b.Ifge, b.Ifgt, b.IfIcmplt, b.IfIcmple, b.IfIcmpge, b.IfIcmpgt, b.Fcmpl, b.Fcmpg, b.Dcmpl, b.Dcmpg)
	for kind := b.Op(0); kind < 4; kind++ { // int, long, float, double
		both(Arithmetic, b.Iadd+kind, b.Isub+kind, b.Imul+kind, b.Idiv+kind)
		add(Arithmetic, b.Irem+kind, b.Imul+kind, b.Ineg+kind, b.Nop)
	}
	for kind := b.Op(0); kind < 2; kind++ { // int, long
		both(Arithmetic, b.Ishl+kind, b.Ishr+kind, b.Iand+kind, b.Ior+kind)
		add(Arithmetic, b.Iushr+kind, b.Ishl+kind, b.Ixor+kind, b.Iand+kind)
	}
	return all
}()

// instruction adds the mutants of one instruction.
func (s *scan) instruction(in *b.Instruction) error {
	for _, w := range swaps[in.Op] {
		code := append([]byte{byte(w.to)}, s.code.Bytes[in.PC+1:in.PC+in.Len]...)
		s.patch(in, w.operator, fmt.Sprintf("%s -> %s", in.Op, w.to), code)
	}
	switch in.Op {
	case b.Bipush:
		s.immediate(in, math.MaxInt8)
	case b.Sipush:
		s.immediate(in, math.MaxInt16)
	case b.Ldc, b.LdcW, b.Ldc2W:
		s.load(in)
	case b.Iinc:
		s.increment(in)
	case b.Tableswitch, b.Lookupswitch:
		s.cases(in)
	case b.Getstatic, b.Putstatic, b.Getfield, b.Putfield:
		return s.access(in)
	case b.Invokevirtual, b.Invokespecial, b.Invokestatic, b.Invokeinterface, b.Invokedynamic:
		return s.call(in)
	}
	return nil
}

// changed adds a mutant that has another value in the same instruction.
func (s *scan) changed(in *b.Instruction, operator string, value int) {
	other := *in
	other.Value = value
	s.patch(in, operator, fmt.Sprintf("%s %d -> %d", in.Op, in.Value, value), other.Append(nil))
}

func (s *scan) immediate(in *b.Instruction, greatest int) {
	value := in.Value + 1
	if value > greatest {
		value = in.Value - 1
	}
	s.changed(in, Constant, value)
}

func (s *scan) increment(in *b.Instruction) {
	least := math.MinInt8
	if in.Wide {
		least = math.MinInt16
	}
	value := -in.Value
	if in.Value == 0 || in.Value == least {
		value = in.Value + 1
	}
	s.changed(in, Increment, value)
}

// cases sends each case of a switch to the default.
func (s *scan) cases(in *b.Instruction) {
	width := 4
	if in.Op == b.Lookupswitch {
		width = 8
	}
	first := in.PC + in.Len - width*in.Cases
	for i := range in.Cases {
		key, target := in.Case(i)
		if target == in.Target {
			continue
		}
		at := first + width*(i+1) - 4
		s.add(Switch, fmt.Sprintf("@%d/%d", in.PC, i), fmt.Sprintf("case %d -> default", key),
			edit{at: at, code: binary.BigEndian.AppendUint32(nil, uint32(in.Target-in.PC))})
	}
}

// access leaves out the use of a field.
func (s *scan) access(in *b.Instruction) error {
	ref, ok := s.class.Pool.Ref(uint16(in.Index))
	if !ok || ref.Tag != classfile.TagFieldref {
		return &b.Error{PC: in.PC, Problem: fmt.Sprintf("%s of constant %d, which is no field", in.Op, in.Index)}
	}
	size, err := slots(ref.Descriptor)
	if err != nil {
		return err
	}
	var stack []int
	if in.Op == b.Getfield || in.Op == b.Putfield {
		stack = append(stack, 1)
	}
	name := fmt.Sprintf("%s %s", in.Op, words(ref.Class+"."+ref.Name))
	if in.Op == b.Getstatic || in.Op == b.Getfield {
		s.stand(in, name, stack, ref.Descriptor)
		return nil
	}
	s.patch(in, Store, name+" -> nothing", pops(append(stack, size)))
	return nil
}

// call leaves out a call. That of a constructor must stay: what it makes cannot be used before.
func (s *scan) call(in *b.Instruction) error {
	name, desc, err := s.callee(in)
	if err != nil {
		return err
	}
	arguments, result, err := signature(desc)
	if err != nil {
		return err
	}
	var stack []int
	if in.Op != b.Invokestatic && in.Op != b.Invokedynamic {
		stack = append(stack, 1)
	}
	stack = append(stack, arguments...)
	what := fmt.Sprintf("%s %s", in.Op, words(name))
	switch {
	case name == constructor:
	case result == "V":
		s.patch(in, Call, what+" -> nothing", pops(stack))
	default:
		s.stand(in, what, stack, result)
	}
	return nil
}

const constructor = "<init>"

// callee is the name of what is called, with its class unless it is a constructor, and its descriptor.
func (s *scan) callee(in *b.Instruction) (name, desc string, err error) {
	p := &s.class.Pool
	if k := p.At(uint16(in.Index)); in.Op == b.Invokedynamic && k.Tag == classfile.TagInvokeDynamic {
		name, desc, _ = p.NameAndType(k.B)
		return name, desc, nil
	}
	ref, ok := p.Ref(uint16(in.Index))
	if !ok || in.Op == b.Invokedynamic || ref.Tag == classfile.TagFieldref {
		return "", "", &b.Error{PC: in.PC, Problem: fmt.Sprintf("%s of constant %d, which is no method", in.Op, in.Index)}
	}
	if ref.Name == constructor {
		return constructor, ref.Descriptor, nil
	}
	return ref.Class + "." + ref.Name, ref.Descriptor, nil
}

// stand adds mutants that drop the operands of an instruction and push a constant for its result.
func (s *scan) stand(in *b.Instruction, what string, stack []int, desc string) {
	for _, op := range defaults(desc) {
		s.patch(in, Result, fmt.Sprintf("%s -> %s", what, op), append(pops(stack), byte(op)))
	}
}
