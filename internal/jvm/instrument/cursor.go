package instrument

import "encoding/binary"

// A cursor takes big-endian numbers from bytes. Beyond the end it gives zeros and remembers it, so that a loop needs one check at its end; a count that
// is followed by too few bytes is cut to nothing by count.
type cursor struct {
	b    []byte
	pos  int
	over bool // something beyond the end was asked for
}

func (c *cursor) left() int { return len(c.b) - c.pos }

func (c *cursor) bytes(n int) []byte {
	if n < 0 || n > c.left() {
		c.over, c.pos = true, len(c.b)
		return nil
	}
	c.pos += n
	return c.b[c.pos-n : c.pos]
}

func (c *cursor) u1() int {
	if c.pos >= len(c.b) {
		c.over = true
		return 0
	}
	c.pos++
	return int(c.b[c.pos-1])
}

func (c *cursor) u2() int {
	if c.left() < 2 {
		c.over, c.pos = true, len(c.b)
		return 0
	}
	c.pos += 2
	return int(binary.BigEndian.Uint16(c.b[c.pos-2:]))
}

func (c *cursor) u4() int {
	if b := c.bytes(4); b != nil {
		return int(binary.BigEndian.Uint32(b))
	}
	return 0
}

// count reads a two-byte count of elements that take at least size bytes each.
func (c *cursor) count(size int) int {
	n := c.u2()
	if n*size > c.left() {
		c.over = true
		return 0
	}
	return n
}

// done tells whether everything was there and nothing is left.
func (c *cursor) done() bool { return !c.over && c.left() == 0 }

func be2(b []byte) int              { return int(binary.BigEndian.Uint16(b)) }
func set2(b []byte, v int)          { binary.BigEndian.PutUint16(b, uint16(v)) }
func set4(b []byte, v int)          { binary.BigEndian.PutUint32(b, uint32(v)) }
func put2(dst []byte, v int) []byte { return binary.BigEndian.AppendUint16(dst, uint16(v)) }
func put4(dst []byte, v int) []byte { return binary.BigEndian.AppendUint32(dst, uint32(v)) }
