// Package digest names contents.
//
// A Digest is 128 bits of SHA-256. Two contents with the same Digest are taken to be equal; that is the only
// identity Winnow relies on. Two values are not the digest of any content:
//
//   - Unknown, the zero value: the content could not be determined. It is the same as nothing, not even itself,
//     so a forgotten or unreadable digest can never prove that two things are equal.
//   - Absent: the entity was looked for and does not exist. Absent is the same as Absent, so "still not there"
//     is a proof and "appeared" is a change.
//
// This package is not a place for keyed or reversible encodings.
package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
)

// Size is the length of a Digest in bytes.
const Size = 16

// A Digest names a content. Use Same to compare two of them: == would let Unknown equal Unknown.
type Digest [Size]byte

// Unknown is the digest of a content that could not be determined.
var Unknown = Digest{}

// Absent is the digest of an entity that does not exist.
var Absent = Digest{0: 1}

// Same reports whether d and e name equal contents. Unknown is the same as nothing (S1.8).
func (d Digest) Same(e Digest) bool { return d == e && d != Unknown }

// String returns the digest in hexadecimal, or "unknown" or "absent".
func (d Digest) String() string {
	switch d {
	case Unknown:
		return "unknown"
	case Absent:
		return "absent"
	}
	return hex.EncodeToString(d[:])
}

// Short returns the first eight hexadecimal digits, for people.
func (d Digest) Short() string {
	if s := d.String(); len(s) == 2*Size {
		return s[:8]
	}
	return d.String()
}

// Parse reads what String wrote.
func Parse(s string) (Digest, error) {
	switch s {
	case "unknown":
		return Unknown, nil
	case "absent":
		return Absent, nil
	}
	var d Digest
	if len(s) != 2*Size {
		return Unknown, fmt.Errorf("digest %q: want %d hexadecimal digits", s, 2*Size)
	}
	if _, err := hex.Decode(d[:], []byte(s)); err != nil {
		return Unknown, fmt.Errorf("digest %q: %w", s, err)
	}
	return d, nil
}

// Of returns the digest of one content.
func Of(content []byte) Digest {
	sum := sha256.Sum256(content)
	return truncate(sum[:])
}

// OfString returns the digest of one text.
func OfString(content string) Digest { return Of([]byte(content)) }

// A Builder digests a sequence of parts. Each part is preceded by its length, so ("ab","c") and ("a","bc") differ.
// The zero value is ready to use.
type Builder struct {
	h hash.Hash
	// pending are bytes that h does not have yet. Parts are short, and a hash takes many bytes at once faster.
	pending []byte
}

// enough is how much is given to the hash at once.
const enough = 4096

// Add appends one part.
func (b *Builder) Add(part []byte) *Builder {
	b.pending = binary.LittleEndian.AppendUint64(b.pending, uint64(len(part)))
	b.pending = append(b.pending, part...)
	return b.flush(enough)
}

// AddString appends one part.
func (b *Builder) AddString(part string) *Builder {
	b.pending = binary.LittleEndian.AppendUint64(b.pending, uint64(len(part)))
	b.pending = append(b.pending, part...)
	return b.flush(enough)
}

// flush gives pending bytes to the hash if there are as many as least.
func (b *Builder) flush(least int) *Builder {
	if len(b.pending) < least {
		return b
	}
	if b.h == nil {
		b.h = sha256.New()
	}
	b.h.Write(b.pending)
	b.pending = b.pending[:0]
	return b
}

// Sum returns the digest of the parts added so far.
func (b *Builder) Sum() Digest {
	if b.h == nil {
		return Of(b.pending)
	}
	return truncate(b.flush(0).h.Sum(nil))
}

// truncate keeps the first 128 bits. A content whose truncated hash equals one of the two special values would be
// taken for unknown or absent; it is moved to a neighbouring value instead.
func truncate(sum []byte) Digest {
	var d Digest
	copy(d[:], sum)
	if d == Unknown || d == Absent {
		d[Size-1] = 1
	}
	return d
}

// MarshalText returns the printed form.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the printed form.
func (d *Digest) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	*d = parsed
	return err
}
