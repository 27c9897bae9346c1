// Package segment is the stored form of recordings.
//
// A segment is an immutable set of records with their footprints and bodies. It is named by the digest of its
// index, and the index holds a checksum of every block, so a name stands for exactly one content: two stores are merged
// by taking the union of their segments.
//
//	index     metas, inputs, tests, footprint directory, records, block directory; read as a whole
//	blocks    postings (input → footprints that use it), footprints (→ inputs), bodies; read one by one
//
// An input is a distinct pair of entity and digest. Postings make the cost of a selection follow the change: only the
// blocks of inputs that differ are read.
//
// Guarantee: Decode accepts only what Encode writes, byte for byte; anything else is an ErrCorrupt. A block that does not match
// its checksum is an ErrCorrupt too, never a shorter list (S4.1).
//
// This package does no input or output.
package segment

import (
	"errors"
	"fmt"
)

// ErrCorrupt is wrapped by every error about bytes that Encode did not write.
var ErrCorrupt = errors.New("corrupt segment")

func corruptf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}
