package classfile

// ConstantValue is the initial value of a static field (JVMS 4.7.2).
type ConstantValue struct{ Value uint16 }

func decodeConstantValue(r *reader, _ *Pool) Value { return &ConstantValue{Value: r.u2()} }

// Append writes the content.
func (v *ConstantValue) Append(dst []byte) []byte { return put2(dst, v.Value) }
