package segment

import (
	"encoding/binary"

	"winnow/internal/digest"
)

// appendString appends a length and the bytes.
func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// appendAscending appends a strictly ascending list as a count, the first value and the distances.
func appendAscending(b []byte, ids []uint32) []byte {
	b = binary.AppendUvarint(b, uint64(len(ids)))
	prev := uint32(0)
	for i, id := range ids {
		if i == 0 {
			b = binary.AppendUvarint(b, uint64(id))
		} else {
			b = binary.AppendUvarint(b, uint64(id-prev-1))
		}
		prev = id
	}
	return b
}

// A reader decodes what the append functions wrote. The first error sticks; after it every read returns zero values.
type reader struct {
	b   []byte
	off int
	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = corruptf("at byte %d: "+format, append([]any{r.off}, args...)...)
	}
}

// uvarint reads a minimally encoded number: a longer encoding of the same number is refused, so that equal contents
// have equal bytes.
func (r *reader) uvarint() uint64 {
	if r.err != nil {
		return 0
	}
	if r.off < len(r.b) && r.b[r.off] < 0x80 { // most numbers are small
		r.off++
		return uint64(r.b[r.off-1])
	}
	v, n := binary.Uvarint(r.b[r.off:])
	if n <= 0 || (n > 1 && r.b[r.off+n-1] == 0) {
		r.fail("bad number")
		return 0
	}
	r.off += n
	return v
}

// number reads a uvarint below limit.
func (r *reader) number(limit uint64, what string) int {
	v := r.uvarint()
	if r.err == nil && v >= limit {
		r.fail("%s %d is not below %d", what, v, limit)
	}
	if r.err != nil {
		return 0
	}
	return int(v)
}

// count reads the number of items that follow, each at least size bytes long, so it is bounded by the bytes left.
func (r *reader) count(size int) int {
	v := r.uvarint()
	if r.err == nil && v > uint64((len(r.b)-r.off)/size) {
		r.fail("count %d exceeds the bytes left", v)
	}
	if r.err != nil {
		return 0
	}
	return int(v)
}

// skip passes over numbers.
func (r *reader) skip(n int) {
	if r.err != nil {
		return
	}
	for i, c := range r.b[r.off:] {
		if n == 0 {
			r.off += i
			return
		}
		if c < 0x80 {
			n--
		}
	}
	r.off = len(r.b)
	if n > 0 {
		r.fail("%d numbers are missing", n)
	}
}

func (r *reader) bytes(n int) []byte {
	if r.err == nil && n > len(r.b)-r.off {
		r.fail("%d bytes wanted, %d left", n, len(r.b)-r.off)
	}
	if r.err != nil {
		return nil
	}
	s := r.b[r.off : r.off+n : r.off+n]
	r.off += n
	return s
}

func (r *reader) string() string { return string(r.bytes(r.count(1))) }

func (r *reader) digest() (d digest.Digest) {
	copy(d[:], r.bytes(digest.Size))
	return d
}

func (r *reader) uint32() uint32 {
	if b := r.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// ascending reads what appendAscending wrote; every value is below limit.
func (r *reader) ascending(limit uint64) []uint32 {
	n := r.count(1)
	if n == 0 {
		return nil
	}
	ids := r.distances(make([]uint32, 0, n), n, limit)
	if r.err != nil {
		return nil
	}
	return ids
}

// distances appends the values behind the count of such a list. After a mistake the result is of no use.
func (r *reader) distances(ids []uint32, n int, limit uint64) []uint32 {
	next := uint64(0)
	for range n {
		next += r.uvarint()
		if r.err == nil && next >= limit {
			r.fail("id %d is not below %d", next, limit)
		}
		if r.err != nil {
			break
		}
		ids = append(ids, uint32(next))
		next++
	}
	return ids
}

// done reports the first error, or that bytes are left over.
func (r *reader) done() error {
	if r.err == nil && r.off != len(r.b) {
		r.fail("%d bytes left over", len(r.b)-r.off)
	}
	return r.err
}
