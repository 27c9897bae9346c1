package classfile

// Exceptions are the checked exceptions that a method declares (JVMS 4.7.5).
type Exceptions struct{ Classes []uint16 }

func decodeExceptions(r *reader, _ *Pool) Value { return &Exceptions{Classes: r.u2s()} }

// Append writes the content.
func (v *Exceptions) Append(dst []byte) []byte { return put2s(dst, v.Classes) }
