package instrument

import (
	"fmt"

	"winnow/internal/jvm/classfile"
)

// frames appends the content of a StackMapTable (JVMS 4.7.4) with its offsets moved. A frame holds its distance from the one before, so usually only the
// first changes; its kind changes too when the distance no longer fits. The offsets of new instructions in types of uninitialized objects change in all frames.
// Where several ways lead into a block, each begins with the block's frame.
func (m *moves) frames(dst, info []byte) ([]byte, error) {
	c := cursor{b: info}
	n := c.count(1)
	count, start := 0, len(dst)
	dst = put2(dst, n)
	before, after := -1, -1 // offsets of the frame in front, old and new
	var places [4]int
	for i := range n {
		kind, delta := c.frameHead()
		if kind >= 128 && kind < classfile.SameLocals1Extended {
			return nil, fmt.Errorf("StackMapTable: frame %d has the reserved kind %d", i, kind)
		}
		before += delta + 1
		items := c.pos
		c.skipItems(kind)
		if c.over {
			return nil, fmt.Errorf("StackMapTable: frame %d is cut off", i)
		}
		for k, at := range m.places(places[:0], before) {
			if at > maxCode {
				return nil, fmt.Errorf("StackMapTable: frame %d is outside the code", i)
			}
			if k > 0 {
				kind = again(kind)
			}
			dst = putFrameHead(dst, kind, at-after-1)
			after = at
			count++
			if !hasItems(kind) {
				continue
			}
			from := len(dst)
			dst = append(dst, info[items:c.pos]...)
			if !m.items(dst[from:], kind) {
				return nil, fmt.Errorf("StackMapTable: frame %d has an unknown type", i)
			}
		}
	}
	if count > maxCode {
		return nil, errTooLong
	}
	set2(dst[start:], count)
	if !c.done() {
		return nil, fmt.Errorf("StackMapTable: %d frames do not fill it", n)
	}
	return dst, nil
}

// again is the kind of a frame that repeats the one before it, of the given kind. Kinds that only change the locals have an empty stack.
func again(kind int) int {
	if kind == classfile.FullFrame || kind >= classfile.SameLocals1 && kind <= classfile.SameLocals1Extended {
		return kind
	}
	return 0
}

// hasItems tells whether types follow the head of a frame.
func hasItems(kind int) bool {
	return kind >= classfile.AppendFrame || kind >= classfile.SameLocals1 && kind <= classfile.SameLocals1Extended
}

// frameHead reads a frame's kind and distance.
func (c *cursor) frameHead() (kind, delta int) {
	kind = c.u1()
	if kind >= classfile.SameLocals1Extended {
		return kind, c.u2()
	}
	return kind, kind & 63
}

// putFrameHead writes a frame's kind and distance, in the long form if the short one has no room for it.
func putFrameHead(dst []byte, kind, delta int) []byte {
	switch {
	case kind < 128 && delta < 64:
		return append(dst, byte(kind&^63|delta))
	case kind < classfile.SameLocals1:
		kind = classfile.SameExtended
	case kind < 128:
		kind = classfile.SameLocals1Extended
	}
	return put2(append(dst, byte(kind)), delta)
}

// skipItems passes over the types of a frame.
func (c *cursor) skipItems(kind int) {
	switch {
	case kind == classfile.FullFrame:
		c.skipTypes(c.u2())
		c.skipTypes(c.u2())
	case kind >= classfile.AppendFrame:
		c.skipTypes(kind - classfile.SameExtended)
	case kind >= classfile.SameLocals1 && kind <= classfile.SameLocals1Extended:
		c.skipTypes(1)
	}
}

func (c *cursor) skipTypes(n int) {
	for ; n > 0 && !c.over; n-- {
		if tag := c.u1(); tag == classfile.TypeObject || tag == classfile.TypeUninitialized {
			c.u2()
		}
	}
}

// items moves the offsets in a frame's types, in place. It reports false for a type it does not know, whose length may be any.
func (m *moves) items(b []byte, kind int) bool {
	if kind == classfile.FullFrame {
		n := be2(b)
		rest, ok := m.types(b[2:], n)
		if !ok {
			return false
		}
		_, ok = m.types(rest[2:], be2(rest))
		return ok
	}
	for len(b) > 0 {
		var ok bool
		if b, ok = m.types(b, 1); !ok {
			return false
		}
	}
	return true
}

// types moves n types and returns what follows them; skipItems has seen that they are there.
func (m *moves) types(b []byte, n int) ([]byte, bool) {
	for ; n > 0; n-- {
		switch tag := b[0]; {
		case tag == classfile.TypeUninitialized:
			set2(b[1:], m.precisely(be2(b[1:])))
			b = b[3:]
		case tag == classfile.TypeObject:
			b = b[3:]
		case tag > classfile.TypeUninitialized:
			return nil, false
		default:
			b = b[1:]
		}
	}
	return b, true
}
