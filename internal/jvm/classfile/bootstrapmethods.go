package classfile

// BootstrapMethods are the bootstrap methods of dynamic call sites and constants (JVMS 4.7.23).
type BootstrapMethods struct{ Methods []BootstrapMethod }

// A BootstrapMethod is a method handle with its static arguments.
type BootstrapMethod struct {
	Handle    uint16   // MethodHandle constant
	Arguments []uint16 // loadable constants
}

func decodeBootstrapMethods(r *reader, _ *Pool) Value {
	v := &BootstrapMethods{Methods: make([]BootstrapMethod, r.table(int(r.u2()), 4))}
	for i := range v.Methods {
		v.Methods[i] = BootstrapMethod{Handle: r.u2(), Arguments: r.u2s()}
	}
	return v
}

// Append writes the content.
func (v *BootstrapMethods) Append(dst []byte) []byte {
	dst = put2(dst, uint16(len(v.Methods)))
	for _, m := range v.Methods {
		dst = put2s(put2(dst, m.Handle), m.Arguments)
	}
	return dst
}
