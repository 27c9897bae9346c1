package classfile

// StackMapTable has the types that the verifier assumes at branch targets (JVMS 4.7.4).
type StackMapTable struct{ Frames []Frame }

// A Frame is one stack_map_frame. Kind is its frame_type byte, which tells which of the other parts it has.
type Frame struct {
	Kind   uint8
	Delta  uint16 // offset_delta; implied by Kind below 128
	Locals []VerificationType
	Stack  []VerificationType
}

// Kinds of frames: the ranges of frame_type.
const (
	SameLocals1         = 64 // up to 127: one stack item; below: same_frame
	SameLocals1Extended = 247
	Chop                = 248 // up to 250
	SameExtended        = 251
	AppendFrame         = 252 // up to 254
	FullFrame           = 255
)

// A VerificationType is the type of a local or stack item. Data is a Class constant for an object and the offset of the new instruction for an
// uninitialized object.
type VerificationType struct {
	Tag  uint8
	Data uint16
}

// The tags that have data.
const (
	TypeObject        = 7
	TypeUninitialized = 8
)

func decodeStackMapTable(r *reader, _ *Pool) Value {
	v := r.slabs.maps.one()
	v.Frames = r.slabs.frames.take(r.table(int(r.u2()), 1))
	for i := range v.Frames {
		decodeFrame(r, &v.Frames[i])
	}
	return v
}

func decodeFrame(r *reader, f *Frame) {
	f.Kind = r.u1()
	switch k := f.Kind; {
	case k < SameLocals1:
		f.Delta = uint16(k)
	case k < 128:
		f.Delta = uint16(k - SameLocals1)
		f.Stack = decodeTypes(r, 1)
	case k < SameLocals1Extended:
		r.failAt(r.pos-1, "frame_type %d is reserved", k)
	case k == SameLocals1Extended:
		f.Delta = r.u2()
		f.Stack = decodeTypes(r, 1)
	case k <= SameExtended:
		f.Delta = r.u2()
	case k < FullFrame:
		f.Delta = r.u2()
		f.Locals = decodeTypes(r, int(k-SameExtended))
	default:
		f.Delta = r.u2()
		f.Locals = decodeTypes(r, int(r.u2()))
		f.Stack = decodeTypes(r, int(r.u2()))
	}
}

func decodeTypes(r *reader, n int) []VerificationType {
	out := r.slabs.types.take(r.table(n, 1))
	for i := range out {
		t := VerificationType{Tag: r.u1()}
		if t.Tag > TypeUninitialized {
			r.failAt(r.pos-1, "verification type %d is unknown", t.Tag)
		}
		if t.hasData() {
			t.Data = r.u2()
		}
		out[i] = t
	}
	return out
}

func (t VerificationType) hasData() bool { return t.Tag == TypeObject || t.Tag == TypeUninitialized }

// Append writes the content.
func (v *StackMapTable) Append(dst []byte) []byte {
	dst = put2(dst, uint16(len(v.Frames)))
	for i := range v.Frames {
		dst = v.Frames[i].append(dst)
	}
	return dst
}

func (f *Frame) append(dst []byte) []byte {
	dst = append(dst, f.Kind)
	if f.Kind >= SameLocals1Extended {
		dst = put2(dst, f.Delta)
	}
	if f.Kind == FullFrame {
		dst = put2(dst, uint16(len(f.Locals)))
	}
	dst = appendTypes(dst, f.Locals)
	if f.Kind == FullFrame {
		dst = put2(dst, uint16(len(f.Stack)))
	}
	return appendTypes(dst, f.Stack)
}

func appendTypes(dst []byte, types []VerificationType) []byte {
	for _, t := range types {
		dst = append(dst, t.Tag)
		if t.hasData() {
			dst = put2(dst, t.Data)
		}
	}
	return dst
}
