package instrument

// A table moves the offsets in the content of an attribute of code, in place. It reports false if the content cannot be read.
type table func(m *moves, info []byte) bool

// tables are the attributes of code that hold offsets but keep their length. StackMapTable does not; see frames.
var tables = map[string]table{
	"LineNumberTable":                 (*moves).lines,
	"LocalVariableTable":              (*moves).variables,
	"LocalVariableTypeTable":          (*moves).variables,
	"CharacterRangeTable":             (*moves).ranges,
	"RuntimeVisibleTypeAnnotations":   (*moves).annotations,
	"RuntimeInvisibleTypeAnnotations": (*moves).annotations,
}

// rows gives the rows of a table that has a count and rows of one size.
func rows(info []byte, size int) ([]byte, bool) {
	c := cursor{b: info}
	n := c.count(size)
	all := c.bytes(n * size)
	return all, c.done()
}

// lines moves a LineNumberTable (JVMS 4.7.12).
func (m *moves) lines(info []byte) bool {
	b, ok := rows(info, 4)
	for ; len(b) > 0; b = b[4:] {
		set2(b, m.from(be2(b)))
	}
	return ok
}

// variables moves a LocalVariableTable or LocalVariableTypeTable (JVMS 4.7.13, 4.7.14).
func (m *moves) variables(info []byte) bool {
	b, ok := rows(info, 10)
	for ; len(b) > 0; b = b[10:] {
		m.span(b)
	}
	return ok
}

// ranges moves a CharacterRangeTable, which javac writes with -Xjcov; its ends are inclusive.
func (m *moves) ranges(info []byte) bool {
	b, ok := rows(info, 14)
	for ; len(b) > 0; b = b[14:] {
		set2(b, m.from(be2(b)))
		set2(b[2:], m.within(be2(b[2:])))
	}
	return ok
}

// annotations moves the type annotations of code (JVMS 4.7.20).
func (m *moves) annotations(info []byte) bool {
	c := cursor{b: info}
	for n := c.count(6); n > 0 && !c.over; n-- {
		if !m.target(&c) {
			return false
		}
		c.bytes(2 * c.u1()) // type_path
		if !c.skipAnnotation(0) {
			return false
		}
	}
	return c.done()
}

// target moves the offsets of a target_info. Only those kinds are known that can stand in code (JVMS table 4.7.20-B).
func (m *moves) target(c *cursor) bool {
	kind := c.u1()
	switch {
	case kind == 0x40 || kind == 0x41:
		for n := c.count(6); n > 0; n-- {
			if b := c.bytes(6); b != nil {
				m.span(b)
			}
		}
	case kind == 0x42:
		c.u2() // index into the exception table
	case kind >= 0x43 && kind <= 0x4B:
		if b := c.bytes(2); b != nil {
			set2(b, m.precisely(be2(b)))
		}
		if kind >= 0x47 {
			c.u1()
		}
	default:
		return false
	}
	return !c.over
}

// maxNesting bounds annotations inside annotations; the language has no use for more than a few levels.
const maxNesting = 200

func (c *cursor) skipAnnotation(depth int) bool {
	c.u2()
	for n := c.count(3); n > 0 && !c.over; n-- {
		c.u2()
		if !c.skipElement(depth + 1) {
			return false
		}
	}
	return !c.over
}

// skipElement passes over an element_value (JVMS 4.7.16.1).
func (c *cursor) skipElement(depth int) bool {
	if depth > maxNesting {
		return false
	}
	switch c.u1() {
	case 'B', 'C', 'D', 'F', 'I', 'J', 'S', 'Z', 's', 'c':
		c.u2()
	case 'e':
		c.u4()
	case '@':
		return c.skipAnnotation(depth)
	case '[':
		for n := c.count(1); n > 0; n-- {
			if !c.skipElement(depth + 1) {
				return false
			}
		}
	default:
		return false
	}
	return !c.over
}
