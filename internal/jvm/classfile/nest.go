package classfile

// NestHost names the class whose nest this class belongs to (JVMS 4.7.28).
type NestHost struct{ Class uint16 } // Class constant

func decodeNestHost(r *reader, _ *Pool) Value { return &NestHost{Class: r.u2()} }

// Append writes the content.
func (v *NestHost) Append(dst []byte) []byte { return put2(dst, v.Class) }

// NestMembers are the classes that may claim this class as their host (JVMS 4.7.29).
type NestMembers struct{ Classes []uint16 } // Class constants

func decodeNestMembers(r *reader, _ *Pool) Value { return &NestMembers{Classes: r.u2s()} }

// Append writes the content.
func (v *NestMembers) Append(dst []byte) []byte { return put2s(dst, v.Classes) }

// PermittedSubclasses are the direct subclasses of a sealed class (JVMS 4.7.31).
type PermittedSubclasses struct{ Classes []uint16 } // Class constants

func decodePermittedSubclasses(r *reader, _ *Pool) Value {
	return &PermittedSubclasses{Classes: r.u2s()}
}

// Append writes the content.
func (v *PermittedSubclasses) Append(dst []byte) []byte { return put2s(dst, v.Classes) }
