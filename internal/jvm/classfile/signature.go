package classfile

// Signature is the generic type of an element (JVMS 4.7.9).
type Signature struct{ Text uint16 } // Utf8 constant

func decodeSignature(r *reader, _ *Pool) Value {
	v := r.slabs.signatures.one()
	v.Text = r.u2()
	return v
}

// Append writes the content.
func (v *Signature) Append(dst []byte) []byte { return put2(dst, v.Text) }
