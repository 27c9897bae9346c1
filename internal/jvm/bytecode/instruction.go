package bytecode

import (
	"encoding/binary"
	"fmt"
)

// A Format is how an instruction's operands are laid out.
type Format uint8

// The formats.
const (
	None         Format = iota
	Byte                // Value: 8 bits, signed
	Short               // Value: 16 bits, signed
	Pool1               // Index of a constant: 8 bits
	Pool2               // Index of a constant: 16 bits
	Local               // Index of a local variable: 8 bits, 16 after wide
	Increment           // Index of a local variable and Value
	Branch2             // Target
	Branch4             // Target
	TableSwitch         // Default target, Low, High, targets
	LookupSwitch        // Default target, pairs of key and target
	Interface           // Index of a constant, count (Value), 0
	Dynamic             // Index of a constant, 0, 0
	ArrayType           // Value: type code
	MultiArray          // Index of a constant, dimensions (Value)
	Prefix              // wide: Local and Increment with 16 bits
)

// String is the mnemonic.
func (op Op) String() string {
	if name := ops[op].name; name != "" {
		return name
	}
	return fmt.Sprintf("op_%d", uint8(op))
}

// Format is the layout of the operands.
func (op Op) Format() Format { return ops[op].format }

// Known tells whether the operation code may occur in a class file.
func (op Op) Known() bool { return ops[op].name != "" }

// IsReturn tells whether the operation returns from the method normally.
func (op Op) IsReturn() bool { return op >= Ireturn && op <= Return }

// Ends tells whether control never continues with the next instruction. (After jsr it may: ret comes back.)
func (op Op) Ends() bool {
	return op.IsReturn() || op == Goto || op == GotoW || op == Athrow || op == Ret || op == Tableswitch || op == Lookupswitch
}

// An Instruction is one decoded instruction.
type Instruction struct {
	PC, Len int
	Op      Op   // the operation; the one behind the prefix if Wide
	Wide    bool // had the prefix wide
	Index   int  // constant or local variable
	Value   int  // immediate value, count, dimensions or type code
	Target  int  // branch target, default target of a switch
	// A switch has Low, if it is a tableswitch, and a number of Cases; Case gives them.
	Low   int
	Cases int
	rest  []byte // of a switch: what follows the operation code
}

// An Error says what is wrong with code, and where.
type Error struct {
	PC      int
	Problem string
}

// Error gives offset and problem.
func (e *Error) Error() string { return fmt.Sprintf("code at %d: %s", e.PC, e.Problem) }

// Decode reads the instruction at pc. After an error the instruction is the zero one.
func (in *Instruction) Decode(code []byte, pc int) error {
	err := in.decode(code, pc)
	if err != nil {
		*in = Instruction{}
		return err
	}
	return nil
}

func (in *Instruction) decode(code []byte, pc int) *Error {
	if pc < 0 || pc >= len(code) {
		return &Error{pc, "no instruction"}
	}
	op := Op(code[pc])
	layout := layouts[op]
	rest := code[pc+1:]
	*in = Instruction{PC: pc, Op: op, Len: 1 + int(layout.size)}
	if len(rest) < int(layout.size) {
		return &Error{pc, fmt.Sprintf("%s is cut off", op)}
	}
	switch layout.format {
	case unknown:
		return &Error{pc, fmt.Sprintf("unknown operation code %d", code[pc])}
	case Byte:
		in.Value = int(int8(rest[0]))
	case Short:
		in.Value = int(int16(be2(rest)))
	case Pool1, Local:
		in.Index = int(rest[0])
	case Pool2:
		in.Index = int(be2(rest))
	case Increment:
		in.Index, in.Value = int(rest[0]), int(int8(rest[1]))
	case Branch2:
		in.Target = pc + int(int16(be2(rest)))
	case Branch4:
		in.Target = pc + int(be4(rest))
	case ArrayType:
		in.Value = int(rest[0])
	case MultiArray:
		in.Index, in.Value = int(be2(rest)), int(rest[2])
	case Interface:
		in.Index, in.Value = int(be2(rest)), int(rest[2])
		if rest[3] != 0 {
			return &Error{pc, "the last byte of invokeinterface is not 0"}
		}
	case Dynamic:
		in.Index = int(be2(rest))
		if rest[2] != 0 || rest[3] != 0 {
			return &Error{pc, "the last bytes of invokedynamic are not 0"}
		}
	case Prefix:
		return in.decodeWide(rest)
	case TableSwitch, LookupSwitch:
		return in.decodeSwitch(code)
	}
	return nil
}

// sizes are the lengths of operands by format. Wide may have two bytes more; what a switch has is up to its contents.
var sizes = [...]uint8{None: 0, Byte: 1, Short: 2, Pool1: 1, Pool2: 2, Local: 1, Increment: 2, Branch2: 2, Branch4: 4, TableSwitch: 0, LookupSwitch: 0,
	Interface: 4, Dynamic: 4, ArrayType: 1, MultiArray: 3, Prefix: 3}

// unknown is the format of what is no operation code.
const unknown Format = 255

// layouts is what Decode needs of ops and sizes, packed.
var layouts = func() (all [256]struct {
	format Format
	size   uint8
}) {
	for op := range ops {
		all[op].format = unknown
		if Op(op).Known() {
			all[op].format, all[op].size = ops[op].format, sizes[ops[op].format]
		}
	}
	return all
}()

func (in *Instruction) decodeWide(rest []byte) *Error {
	in.Wide, in.Op = true, Op(rest[0])
	in.Index, in.Len = int(be2(rest[1:])), 4
	switch in.Op.Format() {
	case Local:
		return nil
	case Increment:
		if len(rest) < 5 {
			return &Error{in.PC, "wide iinc is cut off"}
		}
		in.Value, in.Len = int(int16(be2(rest[3:]))), 6
		return nil
	}
	return &Error{in.PC, fmt.Sprintf("wide before %s", in.Op)}
}

func (in *Instruction) decodeSwitch(code []byte) *Error {
	start := in.PC + 1 + in.padding()
	head, width := 12, 4
	if in.Op == Lookupswitch {
		head, width = 8, 8
	}
	if len(code)-start < head {
		return &Error{in.PC, fmt.Sprintf("%s is cut off", in.Op)}
	}
	in.Target = in.PC + int(be4(code[start:]))
	cases := int64(be4(code[start+4:]))
	if in.Op == Tableswitch {
		in.Low = int(be4(code[start+4:]))
		cases = int64(be4(code[start+8:])) - int64(in.Low) + 1
	}
	if cases < 0 || cases*int64(width) > int64(len(code)-start-head) {
		return &Error{in.PC, fmt.Sprintf("%s with %d cases is cut off", in.Op, cases)}
	}
	in.Cases = int(cases)
	end := start + head + in.Cases*width
	in.rest = code[in.PC+1 : end : end]
	in.Len = end - in.PC
	return nil
}

// padding is the number of bytes between the operation code of a switch and its operands, which start at a multiple of 4.
func (in *Instruction) padding() int { return 3 - in.PC&3 }

// table are the cases of a switch as they stand in the code.
func (in *Instruction) table() []byte {
	if in.Op == Tableswitch {
		return in.rest[in.padding()+12:]
	}
	return in.rest[in.padding()+8:]
}

// Case is the key and the target of the i-th case of a switch.
func (in *Instruction) Case(i int) (key, target int) {
	table := in.table()
	if in.Op == Tableswitch {
		return in.Low + i, in.PC + int(be4(table[4*i:]))
	}
	return int(be4(table[8*i:])), in.PC + int(be4(table[8*i+4:]))
}

// Append writes the instruction as it was read.
func (in *Instruction) Append(dst []byte) []byte {
	if in.Wide {
		dst = put2(append(dst, byte(Wide), byte(in.Op)), in.Index)
		if in.Op == Iinc {
			dst = put2(dst, in.Value)
		}
		return dst
	}
	dst = append(dst, byte(in.Op))
	switch in.Op.Format() {
	case Byte, ArrayType:
		return append(dst, byte(in.Value))
	case Short:
		return put2(dst, in.Value)
	case Pool1, Local:
		return append(dst, byte(in.Index))
	case Pool2:
		return put2(dst, in.Index)
	case Increment:
		return append(dst, byte(in.Index), byte(in.Value))
	case Branch2:
		return put2(dst, in.Target-in.PC)
	case Branch4:
		return put4(dst, in.Target-in.PC)
	case MultiArray:
		return append(put2(dst, in.Index), byte(in.Value))
	case Interface:
		return append(put2(dst, in.Index), byte(in.Value), 0)
	case Dynamic:
		return append(put2(dst, in.Index), 0, 0)
	case TableSwitch, LookupSwitch:
		return in.appendSwitch(dst)
	}
	return dst
}

func (in *Instruction) appendSwitch(dst []byte) []byte {
	dst = put4(append(dst, in.rest[:in.padding()]...), in.Target-in.PC)
	if in.Op == Tableswitch {
		dst = put4(put4(dst, in.Low), in.Low+in.Cases-1)
	} else {
		dst = put4(dst, in.Cases)
	}
	return append(dst, in.table()...)
}

func be2(b []byte) uint16 { return binary.BigEndian.Uint16(b) }
func be4(b []byte) int32  { return int32(binary.BigEndian.Uint32(b)) }

func put2(dst []byte, v int) []byte { return binary.BigEndian.AppendUint16(dst, uint16(v)) }
func put4(dst []byte, v int) []byte { return binary.BigEndian.AppendUint32(dst, uint32(v)) }
