package classfile

import (
	"encoding/binary"
	"fmt"
)

// A reader takes big-endian numbers from bytes. After the first error it returns zeros and empty tables, so that a decoder needs one check at its end;
// no loop runs longer than the bytes that are left, because table bounds every count.
type reader struct {
	data []byte
	pos  int
	base int    // offset of data in the file
	what string // structure being read, for errors
	err  *FormatError

	// owed are the bytes that the elements still to come of the tables being read take at least. Without it a table inside a table could claim the
	// same bytes again, and so on at each depth.
	owed int

	slabs slabs
}

// reset makes the reader read other bytes; the slabs stay.
func (r *reader) reset(data []byte, base int, what string) {
	r.data, r.pos, r.base, r.what, r.err, r.owed = data, 0, base, what, nil, 0
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = &FormatError{Structure: r.what, Offset: r.base + r.pos, Problem: fmt.Sprintf(format, args...)}
	}
	r.pos = len(r.data)
}

// failAt is fail at an earlier position.
func (r *reader) failAt(pos int, format string, args ...any) {
	if r.err == nil {
		r.pos = pos
	}
	r.fail(format, args...)
}

func (r *reader) left() int { return len(r.data) - r.pos }

// short notes that a number of n bytes is cut off. It is not inlined, so that the functions that take numbers stay small.
//
//go:noinline
func (r *reader) short(n int) { r.fail("needs %d bytes, %d are left", n, r.left()) }

func (r *reader) u1() uint8 {
	if r.pos+1 > len(r.data) {
		r.short(1)
		return 0
	}
	r.pos++
	return r.data[r.pos-1]
}

func (r *reader) u2() uint16 {
	if r.pos+2 > len(r.data) {
		r.short(2)
		return 0
	}
	r.pos += 2
	return be2(r.data[r.pos-2:])
}

func (r *reader) u4() uint32 {
	if r.pos+4 > len(r.data) {
		r.short(4)
		return 0
	}
	r.pos += 4
	return binary.BigEndian.Uint32(r.data[r.pos-4:])
}

// bytes returns the next n bytes without copying them. Their capacity ends with them, so appending never writes into the file.
func (r *reader) bytes(n int) []byte {
	if n < 0 || n > r.left() {
		r.short(n)
		return nil
	}
	b := r.data[r.pos : r.pos+n : r.pos+n]
	r.pos += n
	return b
}

// table returns n if n elements of at least size bytes can follow, and 0 after noting an error otherwise.
func (r *reader) table(n, size int) int {
	if r.err != nil {
		return 0
	}
	if left := r.left() - r.owed; n*size > left {
		r.fail("%d elements of at least %d bytes, %d bytes are left", n, size, left)
		return 0
	}
	return n
}

// rows returns n elements of exactly size bytes.
func (r *reader) rows(n, size int) []byte { return r.bytes(r.table(n, size) * size) }

// u2s reads a table of two-byte values that is preceded by its two-byte length.
func (r *reader) u2s() []uint16 {
	b := r.rows(int(r.u2()), 2)
	out := r.slabs.numbers.take(len(b) / 2)
	for i := range out {
		out[i] = be2(b[2*i:])
	}
	return out
}

// end notes an error if bytes are left.
func (r *reader) end() {
	if r.err == nil && r.left() > 0 {
		r.fail("%d bytes too many", r.left())
	}
}

func be2(b []byte) uint16 { return binary.BigEndian.Uint16(b) }

func put2(dst []byte, v uint16) []byte { return binary.BigEndian.AppendUint16(dst, v) }
func put4(dst []byte, v uint32) []byte { return binary.BigEndian.AppendUint32(dst, v) }

func put2s(dst []byte, vs []uint16) []byte {
	dst = put2(dst, uint16(len(vs)))
	for _, v := range vs {
		dst = put2(dst, v)
	}
	return dst
}
