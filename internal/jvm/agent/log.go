package agent

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
)

// ErrLog is wrapped by errors about bytes that are no log.
var ErrLog = errors.New("not a usable log")

var errNotLog = fmt.Errorf("%w: it does not begin like one of this version", ErrLog)

const (
	logMagic    = "WNLOG1\n\n"
	blockHeader = 8 // length and checksum
)

// A Log is what one process wrote: blocks of records. A block was written by one call at a boundary.
type Log struct {
	Blocks [][]Record
	// Cut is nil if the log ends with a whole block. That alone does not mean that the process ended well: see Finish.
	Cut *Cut
}

// A Cut is where a log stops to be readable.
type Cut struct {
	Offset int    // of the first byte that is lost
	Lost   int    // how many bytes follow that are not read
	Reason string // in words
}

// String says what is lost, for people.
func (c *Cut) String() string {
	return fmt.Sprintf("from byte %d on, %d bytes are lost: %s", c.Offset, c.Lost, c.Reason)
}

// Records gives all records in their order.
func (l *Log) Records(yield func(Record) bool) {
	for _, block := range l.Blocks {
		for _, r := range block {
			if !yield(r) {
				return
			}
		}
	}
}

// Finished tells whether the process noted its end. If not, it was killed, halted, or could not write.
func (l *Log) Finished() bool {
	for r := range l.Records {
		if _, ok := r.(*Finish); ok {
			return true
		}
	}
	return false
}

// ReadLog reads a log from a file.
func ReadLog(path string) (*Log, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	l, err := DecodeLog(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

// DecodeLog reads a log as far as it is whole. The first block that is cut, damaged or not understood ends it; Cut says so.
func DecodeLog(data []byte) (*Log, error) {
	if len(data) < len(logMagic) || string(data[:len(logMagic)]) != logMagic {
		return nil, errNotLog
	}
	l := &Log{}
	for at := len(logMagic); at < len(data); {
		records, n, reason := decodeBlock(data[at:])
		if reason != "" {
			l.Cut = &Cut{Offset: at, Lost: len(data) - at, Reason: reason}
			break
		}
		l.Blocks = append(l.Blocks, records)
		at += n
	}
	return l, nil
}

// decodeBlock reads the block at the start of data and tells its length, or why it cannot be read.
func decodeBlock(data []byte) (records []Record, length int, reason string) {
	c := cursor{b: data}
	n, sum := c.size4(), c.u4()
	body := c.bytes(n)
	switch {
	case c.bad:
		return nil, 0, "the last block is cut"
	case n == 0 || crc32.ChecksumIEEE(body) != sum:
		return nil, 0, "a block is damaged"
	}
	for c = (cursor{b: body}); len(c.b) > 0; {
		tag := c.u1()
		r := newRecord(tag)
		if r == nil {
			return nil, 0, fmt.Sprintf("a block has an unknown record %d", tag)
		}
		r.read(&c)
		if c.bad {
			return nil, 0, fmt.Sprintf("a block has a record %d that cannot be read", tag)
		}
		records = append(records, r)
	}
	return records, blockHeader + n, ""
}

// Append writes the log as the agent would have written it.
func (l *Log) Append(dst []byte) []byte {
	dst = append(dst, logMagic...)
	for _, block := range l.Blocks {
		start := len(dst)
		dst = append(dst, make([]byte, blockHeader)...)
		for _, r := range block {
			dst = r.append(append(dst, r.tag()))
		}
		body := dst[start+blockHeader:]
		binary.BigEndian.PutUint32(dst[start:], uint32(len(body)))
		binary.BigEndian.PutUint32(dst[start+4:], crc32.ChecksumIEEE(body))
	}
	return dst
}
