package assemble

import (
	"fmt"
	"strings"

	b "winnow/internal/jvm/bytecode"
)

// effects is what each operation does to the depth of the stack, where that does not depend on operands.
var effects = func() (out [256]int) {
	for _, g := range []struct {
		first, last b.Op
		by          []int // repeated
	}{
		{b.AconstNull, b.Iconst5, []int{1}}, {b.Lconst0, b.Lconst1, []int{2}}, {b.Fconst0, b.Fconst2, []int{1}}, {b.Dconst0, b.Dconst1, []int{2}},
		{b.Bipush, b.LdcW, []int{1}}, {b.Ldc2W, b.Ldc2W, []int{2}},
		{b.Iload, b.Aload, []int{1, 2, 1, 2, 1}},
		{b.Iload0, b.Iload3, []int{1}}, {b.Lload0, b.Lload3, []int{2}}, {b.Fload0, b.Fload3, []int{1}}, {b.Dload0, b.Dload3, []int{2}}, {b.Aload0, b.Aload3, []int{1}},
		{b.Iaload, b.Saload, []int{-1, 0, -1, 0, -1, -1, -1, -1}},
		{b.Istore, b.Astore, []int{-1, -2, -1, -2, -1}},
		{b.Istore0, b.Istore3, []int{-1}}, {b.Lstore0, b.Lstore3, []int{-2}}, {b.Fstore0, b.Fstore3, []int{-1}}, {b.Dstore0, b.Dstore3, []int{-2}}, {b.Astore0, b.Astore3, []int{-1}},
		{b.Iastore, b.Sastore, []int{-3, -4, -3, -4, -3, -3, -3, -3}},
		{b.Pop, b.Dup2X2, []int{-1, -2, 1, 1, 1, 2, 2, 2}},
		{b.Iadd, b.Drem, []int{-1, -2, -1, -2}},
		{b.Ishl, b.Lushr, []int{-1}}, {b.Iand, b.Lxor, []int{-1, -2}},
		{b.I2l, b.D2f, []int{1, 0, 1, -1, -1, 0, 0, 1, 1, -1, 0, -1}},
		{b.Lcmp, b.Dcmpg, []int{-3, -1, -1, -3, -3}},
		{b.Ifeq, b.Ifle, []int{-1}}, {b.IfIcmpeq, b.IfAcmpne, []int{-2}}, {b.Jsr, b.Jsr, []int{1}},
		{b.Tableswitch, b.Lookupswitch, []int{-1}}, {b.Ireturn, b.Areturn, []int{-1, -2, -1, -2, -1}},
		{b.New, b.New, []int{1}}, {b.Athrow, b.Athrow, []int{-1}}, {b.Monitorenter, b.Monitorexit, []int{-1}},
		{b.Ifnull, b.Ifnonnull, []int{-1}}, {b.JsrW, b.JsrW, []int{1}},
	} {
		for op := int(g.first); op <= int(g.last); op++ {
			out[op] = g.by[(op-int(g.first))%len(g.by)]
		}
	}
	return out
}()

// width is the number of slots of the local variable that a load or store is about.
func width(op b.Op) int {
	switch op {
	case b.Lload, b.Dload, b.Lstore, b.Dstore:
		return 2
	}
	return 1
}

// implied is the local variable in the name of an operation such as lload_1.
func implied(op b.Op) (index, slots int) {
	for _, first := range []b.Op{b.Iload0, b.Istore0} {
		if n := int(op) - int(first); n >= 0 && n < 20 {
			slots = 1
			if n/4 == 1 || n/4 == 3 {
				slots = 2
			}
			return n % 4, slots
		}
	}
	return 0, 0
}

// slots is the size of a type in stack slots: 0 for void, -1 for what is no type.
func slots(descriptor string) int {
	switch rest := skip(descriptor); {
	case descriptor == "V":
		return 0
	case rest != "" || descriptor == "":
		return -1
	case descriptor == "J" || descriptor == "D":
		return 2
	}
	return 1
}

// skip returns what follows the first type of a descriptor, or the whole descriptor if no type starts it.
func skip(descriptor string) string {
	rest := strings.TrimLeft(descriptor, "[")
	if rest == "" {
		return descriptor
	}
	if strings.IndexByte("BCDFIJSZ", rest[0]) >= 0 {
		return rest[1:]
	}
	if end := strings.IndexByte(rest, ';'); rest[0] == 'L' && end > 1 {
		return rest[end+1:]
	}
	return descriptor
}

// signature is the size of the arguments and of the result of a method in stack slots.
func signature(descriptor string) (arguments, result int, err error) {
	rest, ok := strings.CutPrefix(descriptor, "(")
	for ok && rest != "" && rest[0] != ')' {
		after := skip(rest)
		size := slots(rest[:len(rest)-len(after)])
		ok = len(after) < len(rest) && size > 0
		arguments += size
		rest = after
	}
	rest, closed := strings.CutPrefix(rest, ")")
	if result = slots(rest); !ok || !closed || result < 0 {
		return 0, 0, fmt.Errorf("%q is no descriptor of a method", descriptor)
	}
	return arguments, result, nil
}
