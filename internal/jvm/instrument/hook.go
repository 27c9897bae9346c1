package instrument

import (
	"fmt"
	"strings"

	"winnow/internal/jvm/bytecode"
)

// A Hook is a call at the entry of methods of one class, or before each of their returns.
type Hook struct {
	Class   string   // internal name
	Methods []Method // alternatives, because signatures differ between versions; each one that the class has is hooked
	// Target is the name of the static method of the probe class that is called. Its descriptor follows from what is passed: Object for each reference, the
	// type itself for each primitive, and void as result.
	Target  string
	Pass    []Parameter
	Leaving bool // before each return; then nothing is passed. A method that throws is not left so.
}

// A Method is the name and descriptor of a method.
type Method struct{ Name, Descriptor string }

// A Parameter is what a hook passes on: This, or the n-th parameter of the method, counted from 0.
type Parameter int

// This is the receiver of an instance method. A constructor has none yet at its entry.
const This Parameter = -1

// A call is the code of a hook in one method.
type call struct {
	hook       int // index into Scheme.Hooks
	loads      []byte
	descriptor string // of the target
	stack      int    // operands in stack slots
	ref        int    // constant of the target
	leaving    bool
}

// padded is the length of the code in the prologue.
func (c *call) padded() int {
	if c.leaving {
		return 0
	}
	return (len(c.loads) + 3 + 3) &^ 3
}

// newCall plans a hook for a method.
func newCall(h *Hook, index int, method Method, static bool) (call, error) {
	slots, err := parseParameters(method.Descriptor)
	switch {
	case err != nil:
		return call{}, err
	case h.Leaving && len(h.Pass) > 0:
		return call{}, fmt.Errorf("the parameters of %s are gone when it returns", method.Name)
	case h.Leaving && method.Name == "<clinit>":
		return call{}, fmt.Errorf("the returns of a class initializer are its window's")
	}
	c := call{hook: index, leaving: h.Leaving}
	types := ""
	for _, p := range h.Pass {
		v, err := pick(p, slots, method.Name, static)
		if err != nil {
			return call{}, err
		}
		c.loads = appendLoad(c.loads, v)
		c.stack += v.size()
		types += v.passed()
	}
	c.descriptor = "(" + types + ")V"
	return c, nil
}

// A variable is a parameter in its local variable.
type variable struct {
	kind byte // first character of the descriptor
	slot int  // not counting this
}

func (v variable) size() int {
	if v.kind == 'J' || v.kind == 'D' {
		return 2
	}
	return 1
}

// passed is the type as which the variable is passed.
func (v variable) passed() string {
	if v.kind == 'L' || v.kind == '[' {
		return "Ljava/lang/Object;"
	}
	return string(v.kind)
}

// pick finds a parameter in its local variable, the receiver counted in.
func pick(p Parameter, parameters []variable, name string, static bool) (variable, error) {
	switch {
	case p == This && static:
		return variable{}, fmt.Errorf("%s is static and has no receiver", name)
	case p == This && name == "<init>":
		return variable{}, fmt.Errorf("the receiver of a constructor cannot be passed at its entry")
	case p == This:
		return variable{kind: 'L'}, nil
	case p < 0 || int(p) >= len(parameters):
		return variable{}, fmt.Errorf("%s has no parameter %d", name, p)
	}
	v := parameters[p]
	if !static {
		v.slot++
	}
	return v, nil
}

// loadOps are the long form and the first short form of the load instructions.
func loadOps(kind byte) (long, short bytecode.Op) {
	switch kind {
	case 'J':
		return bytecode.Lload, bytecode.Lload0
	case 'F':
		return bytecode.Fload, bytecode.Fload0
	case 'D':
		return bytecode.Dload, bytecode.Dload0
	case 'L', '[':
		return bytecode.Aload, bytecode.Aload0
	}
	return bytecode.Iload, bytecode.Iload0
}

// appendLoad writes the shortest instruction that loads the variable. A method has at most 255 slots of parameters (JVMS 4.3.3), so none needs wide.
func appendLoad(dst []byte, v variable) []byte {
	long, short := loadOps(v.kind)
	if v.slot < 4 {
		return append(dst, byte(short)+byte(v.slot))
	}
	return append(dst, byte(long), byte(v.slot))
}

// parseParameters gives the parameters of a method descriptor (JVMS 4.3.3).
func parseParameters(descriptor string) ([]variable, error) {
	rest, ok := strings.CutPrefix(descriptor, "(")
	var out []variable
	for slot := 0; ok && rest != "" && rest[0] != ')'; {
		n := typeLength(rest)
		if n == 0 || slot > 254 {
			ok = false
			break
		}
		v := variable{kind: rest[0], slot: slot}
		out = append(out, v)
		slot += v.size()
		rest = rest[n:]
	}
	if !ok || rest == "" {
		return nil, fmt.Errorf("descriptor %q cannot be read", descriptor)
	}
	return out, nil
}

// typeLength is the length of the field descriptor at the start of s, 0 if there is none.
func typeLength(s string) int {
	n := 0
	for n < len(s) && s[n] == '[' {
		n++
	}
	if n == len(s) {
		return 0
	}
	switch s[n] {
	case 'B', 'C', 'D', 'F', 'I', 'J', 'S', 'Z':
		return n + 1
	case 'L':
		return n + strings.IndexByte(s[n:], ';') + 1
	}
	return 0
}
