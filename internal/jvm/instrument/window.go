package instrument

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/cfg"
)

var errTooWide = errors.New("a jump becomes too wide")

// findReturns lists the offsets of the returns in code.
func findReturns(code []byte) ([]int, error) {
	var at []int
	var in bytecode.Instruction
	for pc := 0; pc < len(code); pc += in.Len {
		if err := in.Decode(code, pc); err != nil {
			return nil, err
		}
		if in.Op.IsReturn() {
			at = append(at, pc)
		}
	}
	return at, nil
}

// relocate appends code with the snippet in front of each return in m, and every jump led to where its target went.
func (m *moves) relocate(dst, code []byte) ([]byte, error) {
	if len(m.returns) == 0 {
		return append(dst, code...), nil
	}
	var in bytecode.Instruction
	for pc := 0; pc < len(code); pc += in.Len {
		if err := in.Decode(code, pc); err != nil {
			return nil, err
		}
		if _, closed := slices.BinarySearch(m.returns, pc); closed {
			dst = append(dst, m.closing...)
		}
		from := len(dst)
		dst = append(dst, code[pc:pc+in.Len]...)
		if err := m.retarget(dst[from:], &in, len(code)); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// retarget corrects the distances in a copy of an instruction.
func (m *moves) retarget(b []byte, in *bytecode.Instruction, size int) error {
	return retarget(b, in, func(_ string, target int) (int, error) {
		if target < 0 || target >= size {
			return 0, fmt.Errorf("code at %d: jump to %d, outside the code", in.PC, target)
		}
		return m.at(target) - m.at(in.PC), nil
	})
}

// retarget writes the distances of an instruction's targets, which are asked for by the label of the edge and the old target.
func retarget(b []byte, in *bytecode.Instruction, distance func(key string, target int) (int, error)) error {
	switch in.Op.Format() {
	case bytecode.Branch2:
		d, err := distance("", in.Target)
		if err == nil && (d < math.MinInt16 || d > math.MaxInt16) {
			err = errTooWide
		}
		set2(b[1:], d)
		return err
	case bytecode.Branch4:
		d, err := distance("", in.Target)
		set4(b[1:], d)
		return err
	case bytecode.TableSwitch, bytecode.LookupSwitch:
		return retargetSwitch(b, in, distance)
	}
	return nil
}

// retargetSwitch relies on the padding: it is the same as before because everything moved by a multiple of 4.
func retargetSwitch(b []byte, in *bytecode.Instruction, distance func(string, int) (int, error)) error {
	d, err := distance(cfg.Default, in.Target)
	if err != nil {
		return err
	}
	b = b[(in.PC+4)&^3-in.PC:]
	set4(b, d)
	first, step := 12, 4
	if in.Op == bytecode.Lookupswitch {
		first, step = 12, 8 // behind the default, the count and the first key
	}
	for i := range in.Cases {
		_, target := in.Case(i)
		if d, err = distance(keyOf(in, i), target); err != nil {
			return err
		}
		set4(b[first+i*step:], d)
	}
	return nil
}
