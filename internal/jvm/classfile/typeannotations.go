package classfile

// TypeAnnotations are annotations of uses of types (JVMS 4.7.20, 4.7.21).
type TypeAnnotations struct{ List []TypeAnnotation }

// A TypeAnnotation is an annotation with the place of the type it is about.
type TypeAnnotation struct {
	Target     uint8 // target_type
	TargetInfo []byte
	Path       []byte // type_path: pairs of kind and argument index
	Annotation AnnotationUse
}

func decodeTypeAnnotations(r *reader, _ *Pool) Value {
	v := &TypeAnnotations{List: make([]TypeAnnotation, r.table(int(r.u2()), 2+minAnnotation))}
	for i := range v.List {
		decodeTypeAnnotation(r, &v.List[i])
	}
	return v
}

func decodeTypeAnnotation(r *reader, t *TypeAnnotation) {
	t.Target = r.u1()
	size := targetSize(t.Target)
	switch size {
	case targetLocals:
		size = localsSize(r)
	case targetUnknown:
		r.failAt(r.pos-1, "target_type %#x is unknown", t.Target)
		return
	}
	t.TargetInfo = r.bytes(size)
	t.Path = r.bytes(2 * int(r.u1()))
	decodeAnnotation(r, &t.Annotation, 0)
}

// localsSize is the length of the table of ranges that comes next. The table stays to be read.
func localsSize(r *reader) int {
	if r.left() < 2 {
		return 2 // reading them finds out
	}
	return 2 + 6*int(be2(r.data[r.pos:]))
}

const (
	targetUnknown = -1
	targetLocals  = -2 // a table of ranges
)

// targetSize is the length of target_info (JVMS table 4.7.20-A and B).
func targetSize(target uint8) int {
	switch target {
	case 0x00, 0x01, 0x16:
		return 1
	case 0x10, 0x11, 0x12, 0x17, 0x42, 0x43, 0x44, 0x45, 0x46:
		return 2
	case 0x13, 0x14, 0x15:
		return 0
	case 0x40, 0x41:
		return targetLocals
	case 0x47, 0x48, 0x49, 0x4A, 0x4B:
		return 3
	}
	return targetUnknown
}

// Append writes the content.
func (v *TypeAnnotations) Append(dst []byte) []byte {
	dst = put2(dst, uint16(len(v.List)))
	for i := range v.List {
		t := &v.List[i]
		dst = append(append(dst, t.Target), t.TargetInfo...)
		dst = append(append(dst, byte(len(t.Path)/2)), t.Path...)
		dst = t.Annotation.append(dst)
	}
	return dst
}
