package assemble

import (
	"fmt"

	"winnow/internal/jvm/classfile"
)

// A Type is what the verifier knows about a local variable or stack item.
type Type struct {
	tag   uint8
	class string
	at    Label
}

// The types without further parts. Long and Double take two slots of the code but one entry of a frame.
var (
	Top               = Type{tag: 0}
	Integer           = Type{tag: 1}
	Float             = Type{tag: 2}
	Double            = Type{tag: 3}
	Long              = Type{tag: 4}
	Null              = Type{tag: 5}
	UninitializedThis = Type{tag: 6}
)

// Object is an object of a class, or an array.
func Object(class string) Type { return Type{tag: classfile.TypeObject, class: class} }

// Uninitialized is what new at a label made, before its constructor ran.
func Uninitialized(at Label) Type { return Type{tag: classfile.TypeUninitialized, at: at} }

type frame struct {
	pc            int
	locals, stack []Type
}

// Frame states the types at this place. Frames must be added in the order of the code, at most one for a place.
func (k *Code) Frame(locals, stack []Type) {
	if n := len(k.frames); n > 0 && k.frames[n-1].pc == len(k.bytes) {
		k.fail("two frames")
	}
	k.frames = append(k.frames, frame{pc: len(k.bytes), locals: locals, stack: stack})
}

// stackMap encodes the frames, each as a full frame.
func (k *Code) stackMap() (*classfile.StackMapTable, error) {
	var table classfile.StackMapTable
	last := -1
	for _, f := range k.frames {
		out := classfile.Frame{Kind: classfile.FullFrame, Delta: uint16(f.pc - last - 1)}
		last = f.pc
		var err error
		if out.Locals, err = k.types(f.locals); err != nil {
			return nil, err
		}
		if out.Stack, err = k.types(f.stack); err != nil {
			return nil, err
		}
		table.Frames = append(table.Frames, out)
	}
	return &table, nil
}

func (k *Code) types(types []Type) ([]classfile.VerificationType, error) {
	var out []classfile.VerificationType
	for _, t := range types {
		v := classfile.VerificationType{Tag: t.tag}
		switch t.tag {
		case classfile.TypeObject:
			v.Data = k.class.ClassRef(t.class)
		case classfile.TypeUninitialized:
			pc, err := k.place(t.at)
			if err != nil {
				return nil, err
			}
			v.Data = uint16(pc)
		}
		out = append(out, v)
	}
	return out, nil
}

// place is the offset of a label.
func (k *Code) place(l Label) (int, error) {
	if l < 0 || int(l) >= len(k.labels) || k.labels[l] < 0 {
		return 0, fmt.Errorf("label %d has no place", l)
	}
	return k.labels[l], nil
}
