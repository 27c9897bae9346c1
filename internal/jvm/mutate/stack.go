package mutate

import (
	"fmt"
	"strings"

	"winnow/internal/jvm/bytecode"
)

// pops is code that drops values from the stack, given their sizes from the bottom to the top.
func pops(sizes []int) []byte {
	var out []byte
	for n := len(sizes); n > 0; n-- {
		switch {
		case sizes[n-1] == 2:
			out = append(out, byte(bytecode.Pop2))
		case n > 1 && sizes[n-2] == 1:
			out = append(out, byte(bytecode.Pop2)) // takes two small values as well
			n--
		default:
			out = append(out, byte(bytecode.Pop))
		}
	}
	return out
}

// defaults are the operations that push a constant of a type.
func defaults(desc string) []bytecode.Op {
	switch desc[0] {
	case 'Z':
		return []bytecode.Op{bytecode.Iconst0, bytecode.Iconst1}
	case 'B', 'C', 'I', 'S':
		return []bytecode.Op{bytecode.Iconst0}
	case 'J':
		return []bytecode.Op{bytecode.Lconst0}
	case 'F':
		return []bytecode.Op{bytecode.Fconst0}
	case 'D':
		return []bytecode.Op{bytecode.Dconst0}
	}
	return []bytecode.Op{bytecode.AconstNull}
}

// returns is the operation that returns a value of a type, or nothing.
func returns(desc string) bytecode.Op {
	switch desc[0] {
	case 'V':
		return bytecode.Return
	case 'B', 'C', 'I', 'S', 'Z':
		return bytecode.Ireturn
	case 'J':
		return bytecode.Lreturn
	case 'F':
		return bytecode.Freturn
	case 'D':
		return bytecode.Dreturn
	}
	return bytecode.Areturn
}

// signature takes the descriptor of a method apart: the sizes of the arguments in stack slots, and the type of the result.
func signature(desc string) (arguments []int, result string, err error) {
	rest, ok := strings.CutPrefix(desc, "(")
	for ok && rest != "" && rest[0] != ')' {
		n := typeLength(rest)
		if n == 0 {
			break
		}
		size, err := slots(rest[:n])
		if err != nil {
			return nil, "", err
		}
		arguments = append(arguments, size)
		rest = rest[n:]
	}
	result, closed := strings.CutPrefix(rest, ")")
	if !ok || !closed || result != "V" && (result == "" || typeLength(result) != len(result)) {
		return nil, "", fmt.Errorf("%q is no descriptor of a method", desc)
	}
	return arguments, result, nil
}

// slots is the size of a type on the stack.
func slots(desc string) (int, error) {
	if desc == "" || typeLength(desc) != len(desc) {
		return 0, fmt.Errorf("%q is no descriptor of a type", desc)
	}
	if desc == "J" || desc == "D" {
		return 2, nil
	}
	return 1, nil
}

// typeLength is the length of the type at the start of a descriptor, 0 if there is none.
func typeLength(desc string) int {
	rest := strings.TrimLeft(desc, "[")
	dimensions := len(desc) - len(rest)
	if rest == "" {
		return 0
	}
	if strings.IndexByte("BCDFIJSZ", rest[0]) >= 0 {
		return dimensions + 1
	}
	if end := strings.IndexByte(rest, ';'); rest[0] == 'L' && end > 1 {
		return dimensions + end + 1
	}
	return 0
}
