package classfile

// MethodParameters are names and flags of parameters (JVMS 4.7.24).
type MethodParameters struct{ Parameters []Parameter }

// A Parameter is one formal parameter.
type Parameter struct {
	Name   uint16 // Utf8 constant; 0: no name
	Access Flags
}

func decodeMethodParameters(r *reader, _ *Pool) Value {
	v := &MethodParameters{Parameters: make([]Parameter, r.table(int(r.u1()), 4))}
	for i := range v.Parameters {
		v.Parameters[i] = Parameter{Name: r.u2(), Access: Flags(r.u2())}
	}
	return v
}

// Append writes the content.
func (v *MethodParameters) Append(dst []byte) []byte {
	dst = append(dst, byte(len(v.Parameters)))
	for _, p := range v.Parameters {
		dst = put2(put2(dst, p.Name), uint16(p.Access))
	}
	return dst
}
