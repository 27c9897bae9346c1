package pool

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"
)

// maxFrame bounds every length that a host sends.
const maxFrame = 1 << 28

// The kinds of requests; Host.java has the same.
const (
	askCompile   = 1
	askSequences = 2
	askRun       = 3
)

// A request is a frame in the making.
type request []byte

func (r *request) number(n int) *request {
	*r = binary.BigEndian.AppendUint32(*r, uint32(n))
	return r
}

func (r *request) text(s string) *request {
	r.number(len(s))
	*r = append(*r, s...)
	return r
}

func (r *request) texts(all []string) *request {
	r.number(len(all))
	for _, s := range all {
		r.text(s)
	}
	return r
}

// files adds a table, sorted, so that the same request has the same bytes.
func files[T ~string | ~[]byte](r *request, all map[string]T) {
	r.number(len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		r.text(name)
		r.number(len(all[name]))
		*r = append(*r, all[name]...)
	}
}

// An answer reads what a host sends. The first error stays.
type answer struct {
	in    *bufio.Reader
	err   error
	spent bool // the host must not be used again: threads of a program still run in it
}

func (a *answer) number() int {
	var b [4]byte
	if a.err == nil {
		_, a.err = io.ReadFull(a.in, b[:])
	}
	if a.err != nil {
		return 0
	}
	return int(int32(binary.BigEndian.Uint32(b[:])))
}

// count reads a length.
func (a *answer) count() int {
	n := a.number()
	if n < 0 || n > maxFrame {
		a.err = fmt.Errorf("a length of %d in the answer", n)
		return 0
	}
	return n
}

func (a *answer) bytes() []byte {
	n := a.count()
	if a.err != nil {
		return nil
	}
	if n <= 1<<16 {
		data := make([]byte, n)
		_, a.err = io.ReadFull(a.in, data)
		return data
	}
	// The length is not trusted with memory before the bytes have come.
	data, err := io.ReadAll(io.LimitReader(a.in, int64(n)))
	if err == nil && len(data) < n {
		err = io.ErrUnexpectedEOF
	}
	a.err = err
	return data
}

func (a *answer) text() string { return string(a.bytes()) }

// each reads a list.
func (a *answer) each(do func()) {
	for n := a.count(); n > 0 && a.err == nil; n-- {
		do()
	}
}
