package classfile

// Record are the components of a record class (JVMS 4.7.30).
type Record struct{ Components []RecordComponent }

// A RecordComponent is one component.
type RecordComponent struct {
	Name, Descriptor uint16 // Utf8 constants
	Attributes       []Attribute
}

func decodeRecord(r *reader, p *Pool) Value {
	v := &Record{Components: make([]RecordComponent, r.table(int(r.u2()), 6))}
	for i := range v.Components {
		v.Components[i] = RecordComponent{Name: r.u2(), Descriptor: r.u2(), Attributes: readAttributes(r, p)}
	}
	return v
}

// Append writes the content.
func (v *Record) Append(dst []byte) []byte {
	dst = put2(dst, uint16(len(v.Components)))
	for i := range v.Components {
		c := &v.Components[i]
		dst = appendAttributes(put2(put2(dst, c.Name), c.Descriptor), c.Attributes)
	}
	return dst
}
