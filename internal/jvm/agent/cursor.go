package agent

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// A cursor reads encoded bytes. After the first thing that is not there or not in its shortest form, it is bad and gives zeros.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) bytes(n int) []byte {
	if c.bad || n < 0 || n > len(c.b) {
		c.bad = true
		return nil
	}
	out := c.b[:n]
	c.b = c.b[n:]
	return out
}

func (c *cursor) u1() byte {
	if b := c.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) u4() uint32 {
	if b := c.bytes(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

func (c *cursor) u8() uint64 {
	if b := c.bytes(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// size4 reads a number of 4 bytes that is an int in Java.
func (c *cursor) size4() int {
	n := c.u4()
	if n > math.MaxInt32 {
		c.bad = true
		return 0
	}
	return int(n)
}

// text4 reads a text with a length of 4 bytes.
func (c *cursor) text4() string { return string(c.bytes(c.size4())) }

// number reads seven bits a byte, the lowest first.
func (c *cursor) number() uint64 {
	v, n := binary.Uvarint(c.b)
	if c.bad || n <= 0 || n != numberLength(v) {
		c.bad = true
		return 0
	}
	c.b = c.b[n:]
	return v
}

func numberLength(v uint64) int { return max(1, (bits.Len64(v)+6)/7) }

// int reads a number that is an int in Java.
func (c *cursor) int() int {
	v := c.number()
	if v > math.MaxInt32 {
		c.bad = true
		return 0
	}
	return int(v)
}

func (c *cursor) text() string { return string(c.bytes(c.int())) }

// count reads a number of elements of at least size bytes each.
func (c *cursor) count(size int) int {
	n := c.int()
	if n > len(c.b)/size {
		c.bad = true
		return 0
	}
	return n
}

// rising reads a rising sequence: its length and the gaps.
func (c *cursor) rising() []int {
	n := c.count(1)
	if n == 0 {
		return nil
	}
	out := make([]int, 0, n)
	next := 0
	for range n {
		next += c.int()
		if next > math.MaxInt32 {
			c.bad = true
		}
		if c.bad {
			return nil
		}
		out = append(out, next)
		next++
	}
	return out
}

// ids reads a set of ids, which is written as gaps or as bits, whichever is shorter.
func (c *cursor) ids() []int {
	start := c.b
	mode := c.u1()
	var out []int
	switch mode {
	case 0:
		out = c.rising()
	case 1:
		out = bitsOf(c.bytes(c.int()))
	default:
		c.bad = true
	}
	if c.bad {
		return nil
	}
	if want := appendIDs(nil, out); len(want) != len(start)-len(c.b) || want[0] != mode {
		c.bad = true
		return nil
	}
	return out
}

func bitsOf(set []byte) []int {
	var out []int
	for i, b := range set {
		for ; b != 0; b &= b - 1 {
			out = append(out, 8*i+bits.TrailingZeros8(b))
		}
	}
	return out
}

func appendText4(dst []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(dst, uint32(len(s))), s...)
}

func appendInt(dst []byte, n int) []byte { return binary.AppendUvarint(dst, uint64(n)) }

func appendText(dst []byte, s string) []byte { return append(appendInt(dst, len(s)), s...) }

func appendRising(dst []byte, sorted []int) []byte {
	dst = appendInt(dst, len(sorted))
	next := 0
	for _, v := range sorted {
		dst = appendInt(dst, v-next)
		next = v + 1
	}
	return dst
}

func appendIDs(dst []byte, sorted []int) []byte {
	gaps := appendRising(nil, sorted)
	length := 0
	if len(sorted) > 0 {
		length = sorted[len(sorted)-1]/8 + 1
	}
	if length+numberLength(uint64(length)) >= len(gaps) {
		return append(append(dst, 0), gaps...)
	}
	dst = appendInt(append(dst, 1), length)
	at := len(dst)
	dst = append(dst, make([]byte, length)...)
	for _, v := range sorted {
		dst[at+v/8] |= 1 << (v % 8)
	}
	return dst
}
