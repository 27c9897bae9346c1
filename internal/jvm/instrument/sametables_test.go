package instrument

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"winnow/internal/jvm/classfile"
)

// tables compares the exception table and the attributes of two codes.
func (c *comparison) tables(a, b *classfile.Code) error {
	if len(a.Exceptions) != len(b.Exceptions) || len(a.Attributes) != len(b.Attributes) {
		return fmt.Errorf("another number of handlers or attributes")
	}
	for i, e := range a.Exceptions {
		f := b.Exceptions[i]
		if !c.went(int(e.Start), int(f.Start)) || !c.went(int(e.End), int(f.End)) || !c.went(int(e.Handler), int(f.Handler)) || e.Catch != f.Catch {
			return fmt.Errorf("handler %d: %v, was %v", i, f, e)
		}
	}
	for i := range a.Attributes {
		if a.Attributes[i].Name != b.Attributes[i].Name {
			return fmt.Errorf("attribute %d has another name", i)
		}
		if err := c.attribute(&a.Attributes[i], &b.Attributes[i]); err != nil {
			return fmt.Errorf("attribute %d: %w", i, err)
		}
	}
	return nil
}

func (c *comparison) attribute(a, b *classfile.Attribute) error {
	switch v := value(a).(type) {
	case *classfile.StackMapTable:
		return c.frames(v, value(b).(*classfile.StackMapTable))
	case *classfile.LineNumberTable:
		w := value(b).(*classfile.LineNumberTable)
		for i, l := range v.Lines {
			if len(v.Lines) != len(w.Lines) || !c.began(l.Start, w.Lines[i].Start) || l.Number != w.Lines[i].Number {
				return fmt.Errorf("lines differ")
			}
		}
	case *classfile.LocalVariableTable:
		return c.variables(v.Variables, value(b).(*classfile.LocalVariableTable).Variables)
	case *classfile.LocalVariableTypeTable:
		return c.variables(v.Variables, value(b).(*classfile.LocalVariableTypeTable).Variables)
	case *classfile.TypeAnnotations:
		return c.annotations(v, value(b).(*classfile.TypeAnnotations))
	case *classfile.CharacterRangeTable:
		for i, l := range v.Ranges {
			m := value(b).(*classfile.CharacterRangeTable).Ranges[i]
			if !c.began(l.Start, m.Start) || !c.went(int(l.End), int(m.End)) || l.RangeStart != m.RangeStart || l.RangeEnd != m.RangeEnd || l.Flags != m.Flags {
				return fmt.Errorf("range %d differs", i)
			}
		}
	default:
		if !bytes.Equal(a.Info, b.Info) {
			return fmt.Errorf("an unknown attribute differs")
		}
	}
	return nil
}

// began is went for ranges, where the beginning of the method stays.
func (c *comparison) began(from, to uint16) bool {
	if from == 0 {
		return to == 0
	}
	return c.went(int(from), int(to))
}

func (c *comparison) span(start, length, start2, length2 uint16) bool {
	return c.began(start, start2) && c.went(int(start)+int(length), int(start2)+int(length2))
}

func (c *comparison) variables(a, b []classfile.LocalVariable) error {
	for i, v := range a {
		if len(a) != len(b) || v.Name != b[i].Name || v.Type != b[i].Type || v.Index != b[i].Index || !c.span(v.Start, v.Length, b[i].Start, b[i].Length) {
			return fmt.Errorf("variable %d differs", i)
		}
	}
	return nil
}

func (c *comparison) frames(a, b *classfile.StackMapTable) error {
	if len(a.Frames) != len(b.Frames) {
		return fmt.Errorf("%d frames, were %d", len(b.Frames), len(a.Frames))
	}
	from, to := -1, -1
	for i := range a.Frames {
		f, g := &a.Frames[i], &b.Frames[i]
		from, to = from+int(f.Delta)+1, to+int(g.Delta)+1
		if !c.went(from, to) || shape(f) != shape(g) || !c.types(f.Locals, g.Locals) || !c.types(f.Stack, g.Stack) {
			return fmt.Errorf("frame %d is at %d, was at %d", i, to, from)
		}
	}
	return nil
}

// shape is what the kind of a frame says besides its distance.
func shape(f *classfile.Frame) int {
	switch {
	case f.Kind < classfile.SameLocals1:
		return classfile.SameExtended
	case f.Kind < 128:
		return classfile.SameLocals1Extended
	}
	return int(f.Kind)
}

func (c *comparison) types(a, b []classfile.VerificationType) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Tag != b[i].Tag || a[i].Tag == classfile.TypeUninitialized && !c.went(int(a[i].Data), int(b[i].Data)) ||
			a[i].Tag != classfile.TypeUninitialized && a[i].Data != b[i].Data {
			return false
		}
	}
	return true
}

func (c *comparison) annotations(a, b *classfile.TypeAnnotations) error {
	for i := range a.List {
		if len(a.List) != len(b.List) || !c.annotation(a.List[i], b.List[i]) {
			return fmt.Errorf("type annotation %d differs", i)
		}
	}
	return nil
}

func (c *comparison) annotation(a, b classfile.TypeAnnotation) bool {
	if a.Target != b.Target || len(a.TargetInfo) != len(b.TargetInfo) || !bytes.Equal(a.Path, b.Path) {
		return false
	}
	x, y := (&classfile.TypeAnnotations{List: []classfile.TypeAnnotation{{Annotation: a.Annotation}}}).Append(nil), (&classfile.TypeAnnotations{List: []classfile.TypeAnnotation{{Annotation: b.Annotation}}}).Append(nil)
	if !bytes.Equal(x, y) {
		return false
	}
	u2 := binary.BigEndian.Uint16
	switch p, q := a.TargetInfo, b.TargetInfo; {
	case a.Target == 0x40 || a.Target == 0x41:
		for i := 2; i < len(p); i += 6 {
			if !c.span(u2(p[i:]), u2(p[i+2:]), u2(q[i:]), u2(q[i+2:])) || u2(p[i+4:]) != u2(q[i+4:]) {
				return false
			}
		}
		return true
	case a.Target >= 0x43:
		return c.went(int(u2(p)), int(u2(q))) && bytes.Equal(p[2:], q[2:])
	default:
		return bytes.Equal(p, q)
	}
}
