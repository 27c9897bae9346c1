package classfile

// InnerClasses describes every class in the constant pool that is not a member of a package (JVMS 4.7.6).
type InnerClasses struct{ Classes []InnerClass }

// An InnerClass is one entry. Outer is 0 for local and anonymous classes, Name for anonymous ones.
type InnerClass struct {
	Inner, Outer uint16 // Class constants
	Name         uint16 // Utf8 constant
	Access       Flags
}

func decodeInnerClasses(r *reader, _ *Pool) Value {
	v := &InnerClasses{Classes: make([]InnerClass, r.table(int(r.u2()), 8))}
	for i := range v.Classes {
		v.Classes[i] = InnerClass{Inner: r.u2(), Outer: r.u2(), Name: r.u2(), Access: Flags(r.u2())}
	}
	return v
}

// Append writes the content.
func (v *InnerClasses) Append(dst []byte) []byte {
	dst = put2(dst, uint16(len(v.Classes)))
	for _, c := range v.Classes {
		dst = put2(put2(put2(put2(dst, c.Inner), c.Outer), c.Name), uint16(c.Access))
	}
	return dst
}

// EnclosingMethod says where a local or anonymous class was declared (JVMS 4.7.7).
type EnclosingMethod struct {
	Class  uint16 // Class constant
	Method uint16 // NameAndType constant; 0: in an initializer
}

func decodeEnclosingMethod(r *reader, _ *Pool) Value {
	return &EnclosingMethod{Class: r.u2(), Method: r.u2()}
}

// Append writes the content.
func (v *EnclosingMethod) Append(dst []byte) []byte { return put2(put2(dst, v.Class), v.Method) }
