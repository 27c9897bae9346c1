package classfile

// Annotations are those of a class, member or record component (JVMS 4.7.16, 4.7.17).
type Annotations struct{ List []AnnotationUse }

// An AnnotationUse is one annotation with its values.
type AnnotationUse struct {
	Type  uint16 // Utf8 constant: a field descriptor
	Pairs []ElementPair
}

// An ElementPair gives one element of an annotation its value.
type ElementPair struct {
	Name  uint16 // Utf8 constant
	Value ElementValue
}

// An ElementValue is the value of an annotation's element. Tag tells which of the other parts it has.
type ElementValue struct {
	Tag        byte
	Const      uint16 // B C D F I J S Z s: a constant; c: a Utf8; e: the enum's type
	Name       uint16 // e: the enum constant
	Annotation *AnnotationUse
	Array      []ElementValue
}

// maxNesting bounds annotations inside annotations: a file can nest them deeper than a stack should go, a compiler never does.
const maxNesting = 200

// The fewest bytes that these structures take.
const (
	minAnnotation = 4
	minValue      = 3
	minPair       = 2 + minValue
)

func decodeAnnotations(r *reader, _ *Pool) Value { return &Annotations{List: decodeAnnotationList(r)} }

func decodeAnnotationList(r *reader) []AnnotationUse {
	out := r.slabs.uses.take(r.table(int(r.u2()), minAnnotation))
	for i := range out {
		decodeAnnotation(r, &out[i], 0)
	}
	return out
}

func decodeAnnotation(r *reader, a *AnnotationUse, depth int) {
	a.Type = r.u2()
	a.Pairs = r.slabs.pairs.take(r.table(int(r.u2()), minPair))
	r.owed += minPair * len(a.Pairs)
	for i := range a.Pairs {
		r.owed -= minPair
		a.Pairs[i].Name = r.u2()
		decodeElementValue(r, &a.Pairs[i].Value, depth)
	}
}

func decodeElementValue(r *reader, v *ElementValue, depth int) {
	if depth > maxNesting {
		r.fail("annotations are nested deeper than %d", maxNesting)
		return
	}
	v.Tag = r.u1()
	switch v.Tag {
	case 'B', 'C', 'D', 'F', 'I', 'J', 'S', 'Z', 's', 'c':
		v.Const = r.u2()
	case 'e':
		v.Const, v.Name = r.u2(), r.u2()
	case '@':
		v.Annotation = r.slabs.uses.one()
		decodeAnnotation(r, v.Annotation, depth+1)
	case '[':
		v.Array = r.slabs.values.take(r.table(int(r.u2()), minValue))
		r.owed += minValue * len(v.Array)
		for i := range v.Array {
			r.owed -= minValue
			decodeElementValue(r, &v.Array[i], depth+1)
		}
	default:
		r.failAt(r.pos-1, "element_value has unknown tag %d", v.Tag)
	}
}

// Append writes the content.
func (v *Annotations) Append(dst []byte) []byte { return appendAnnotationList(dst, v.List) }

func appendAnnotationList(dst []byte, list []AnnotationUse) []byte {
	dst = put2(dst, uint16(len(list)))
	for i := range list {
		dst = list[i].append(dst)
	}
	return dst
}

func (a *AnnotationUse) append(dst []byte) []byte {
	dst = put2(put2(dst, a.Type), uint16(len(a.Pairs)))
	for i := range a.Pairs {
		dst = put2(dst, a.Pairs[i].Name)
		dst = a.Pairs[i].Value.append(dst)
	}
	return dst
}

func (v *ElementValue) append(dst []byte) []byte {
	dst = append(dst, v.Tag)
	switch v.Tag {
	case 'e':
		return put2(put2(dst, v.Const), v.Name)
	case '@':
		return v.Annotation.append(dst)
	case '[':
		dst = put2(dst, uint16(len(v.Array)))
		for i := range v.Array {
			dst = v.Array[i].append(dst)
		}
		return dst
	}
	return put2(dst, v.Const)
}

// ParameterAnnotations are the annotations of a method's parameters (JVMS 4.7.18, 4.7.19).
type ParameterAnnotations struct{ Parameters [][]AnnotationUse }

func decodeParameterAnnotations(r *reader, _ *Pool) Value {
	v := &ParameterAnnotations{Parameters: make([][]AnnotationUse, r.table(int(r.u1()), 2))}
	for i := range v.Parameters {
		v.Parameters[i] = decodeAnnotationList(r)
	}
	return v
}

// Append writes the content.
func (v *ParameterAnnotations) Append(dst []byte) []byte {
	dst = append(dst, byte(len(v.Parameters)))
	for _, list := range v.Parameters {
		dst = appendAnnotationList(dst, list)
	}
	return dst
}

// AnnotationDefault is the default value of an annotation's element (JVMS 4.7.22).
type AnnotationDefault struct{ Value ElementValue }

func decodeAnnotationDefault(r *reader, _ *Pool) Value {
	v := &AnnotationDefault{}
	decodeElementValue(r, &v.Value, 0)
	return v
}

// Append writes the content.
func (v *AnnotationDefault) Append(dst []byte) []byte { return v.Value.append(dst) }
