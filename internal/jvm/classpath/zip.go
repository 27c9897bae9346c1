package classpath

import (
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf8"
)

// The archive is read by the rules of java.util.zip.ZipFile where the format leaves a choice (which end record, what a stub in front
// means, zip64 or not), since what counts is what a JVM would find. Everything is taken from the central directory; local headers only
// tell where the data starts. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT

const (
	sigLocal   = 0x04034b50
	sigCentral = 0x02014b50
	sigEnd     = 0x06054b50
	sigEnd64   = 0x06064b50
	sigLocator = 0x07064b50

	lenLocal   = 30
	lenCentral = 46
	lenEnd     = 22
	lenEnd64   = 56
	lenLocator = 20

	maxComment = 1<<16 - 1
	// maxCentral bounds the central directory; a million entries need a tenth of it.
	maxCentral = 512 << 20

	methodStored  = 0
	methodDeflate = 8

	flagEncrypted = 1
	zip64Extra    = 1
)

// A member is one record of the central directory.
type member struct {
	name         string
	flags        uint16
	method       uint16
	crc          uint32
	packed, size int64
	local        int64 // where the local header is, in the file
}

// An end is the end record, with the values of the zip64 record if that counts.
type end struct {
	pos          int64 // where the central directory ends
	size, offset int64 // of the central directory
}

var le = binary.LittleEndian

// members reads the central directory.
func (f *file) members() ([]member, error) {
	e, err := f.end()
	if err != nil {
		return nil, err
	}
	start := e.pos - e.size
	if start < 0 {
		return nil, fmt.Errorf("end record: central directory of %d bytes before offset %d: %w", e.size, e.pos, ErrCorrupt)
	}
	// Offsets count from the first local header: a self-extracting jar has a program in front of it.
	base := start - e.offset
	if base < 0 {
		return nil, fmt.Errorf("end record: central directory at %d, declared at %d: %w", start, e.offset, ErrCorrupt)
	}
	if e.size > maxCentral {
		return nil, fmt.Errorf("central directory of %d bytes: %w", e.size, ErrTooLarge)
	}
	b, err := f.slice("central directory", start, e.size)
	if err != nil {
		return nil, err
	}
	return parseCentral(b, start, base)
}

// end finds the end record: the last one whose comment ends with the file or that is proved by what it points to.
func (f *file) end() (end, error) {
	if f.size < lenEnd {
		return end{}, fmt.Errorf("%d bytes: %w", f.size, ErrNotArchive)
	}
	from := max(0, f.size-lenEnd-maxComment)
	tail, err := f.slice("end record", from, f.size-from)
	if err != nil {
		return end{}, err
	}
	for i := len(tail) - lenEnd; i >= 0; i-- {
		if le.Uint32(tail[i:]) != sigEnd {
			continue
		}
		r := tail[i:]
		e := end{pos: from + int64(i), size: int64(le.Uint32(r[12:])), offset: int64(le.Uint32(r[16:]))}
		if len(r) == lenEnd+int(le.Uint16(r[20:])) || f.proved(e) {
			return f.end64(e), nil
		}
	}
	return end{}, fmt.Errorf("no end record: %w", ErrNotArchive)
}

// proved tells whether an end record with bytes behind its comment points to a central directory and a first local header.
func (f *file) proved(e end) bool {
	start := e.pos - e.size
	return f.signature(start) == sigCentral && f.signature(start-e.offset) == sigLocal
}

// signature returns the four bytes at an offset, or 0, which is no signature.
func (f *file) signature(off int64) uint32 {
	b, err := f.slice("signature", off, 4)
	if err != nil {
		return 0
	}
	return le.Uint32(b)
}

// end64 returns the zip64 end record if there is one that agrees with the plain record, and the plain one otherwise.
func (f *file) end64(e end) end {
	loc, err := f.slice("zip64 locator", e.pos-lenLocator, lenLocator)
	if err != nil || le.Uint32(loc) != sigLocator {
		return e
	}
	pos := int64(le.Uint64(loc[8:]))
	r, err := f.slice("zip64 end record", pos, lenEnd64)
	if err != nil || le.Uint32(r) != sigEnd64 {
		return e
	}
	big := end{pos: pos, size: int64(le.Uint64(r[40:])), offset: int64(le.Uint64(r[48:]))}
	const unset = 1<<32 - 1
	if big.size < 0 || big.offset < 0 || big.size != e.size && e.size != unset || big.offset != e.offset && e.offset != unset {
		return e
	}
	return big
}

// parseCentral reads the records of the central directory, which starts at an offset of the file; base is the offset that the records count from.
func parseCentral(b []byte, start, base int64) ([]member, error) {
	var all []member
	for pos := 0; pos < len(b); {
		m, n, err := parseMember(b[pos:], base)
		if err != nil {
			return nil, fmt.Errorf("central directory: record %d at offset %d: %w", len(all), start+int64(pos), err)
		}
		all = append(all, m)
		pos += n
	}
	return all, nil
}

func parseMember(b []byte, base int64) (member, int, error) {
	if len(b) < lenCentral || le.Uint32(b) != sigCentral {
		return member{}, 0, fmt.Errorf("no record here: %w", ErrCorrupt)
	}
	name, extra, comment := int(le.Uint16(b[28:])), int(le.Uint16(b[30:])), int(le.Uint16(b[32:]))
	n := lenCentral + name + extra + comment
	if n > len(b) {
		return member{}, 0, fmt.Errorf("record of %d bytes, %d are left: %w", n, len(b), ErrCorrupt)
	}
	m := member{
		name:   string(b[lenCentral : lenCentral+name]),
		flags:  le.Uint16(b[8:]),
		method: le.Uint16(b[10:]),
		crc:    le.Uint32(b[16:]),
		packed: int64(le.Uint32(b[20:])),
		size:   int64(le.Uint32(b[24:])),
		local:  int64(le.Uint32(b[42:])),
	}
	if err := m.zip64(b[lenCentral+name : lenCentral+name+extra]); err != nil {
		return member{}, 0, fmt.Errorf("%q: %w", m.name, err)
	}
	m.local += base
	return m, n, m.check()
}

// zip64 replaces the values that are kept in the extra field.
func (m *member) zip64(extra []byte) error {
	for len(extra) >= 4 {
		tag, n := le.Uint16(extra), int(le.Uint16(extra[2:]))
		if n > len(extra)-4 {
			return fmt.Errorf("extra field of %d bytes, %d are left: %w", n, len(extra)-4, ErrCorrupt)
		}
		if tag == zip64Extra {
			return m.large(extra[4 : 4+n])
		}
		extra = extra[4+n:]
	}
	return nil
}

func (m *member) large(field []byte) error {
	for _, v := range []*int64{&m.size, &m.packed, &m.local} {
		if *v != 1<<32-1 {
			continue
		}
		if len(field) < 8 {
			return fmt.Errorf("zip64 extra field is too short: %w", ErrCorrupt)
		}
		if *v = int64(le.Uint64(field)); *v < 0 || *v > 1<<62 {
			return fmt.Errorf("zip64 extra field: size or offset of %d: %w", uint64(*v), ErrCorrupt)
		}
		field = field[8:]
	}
	return nil
}

// check refuses what makes a JVM refuse the whole archive.
func (m *member) check() error {
	switch {
	case m.flags&flagEncrypted != 0:
		return fmt.Errorf("%q: encrypted entry: %w", m.name, ErrUnsupported)
	case m.method != methodStored && m.method != methodDeflate:
		return fmt.Errorf("%q: compression method %d: %w", m.name, m.method, ErrUnsupported)
	case m.method == methodStored && m.packed != m.size:
		return fmt.Errorf("%q: stored entry of %d bytes takes %d: %w", m.name, m.size, m.packed, ErrCorrupt)
	case !utf8.ValidString(m.name):
		return fmt.Errorf("%q: name is not UTF-8: %w", m.name, ErrCorrupt)
	}
	return nil
}

// data returns the packed bytes of a member.
func (f *file) data(m member) (*io.SectionReader, error) {
	h, err := f.slice("local header", m.local, lenLocal)
	if err != nil {
		return nil, err
	}
	if le.Uint32(h) != sigLocal {
		return nil, fmt.Errorf("no local header at offset %d: %w", m.local, ErrCorrupt)
	}
	off := m.local + lenLocal + int64(le.Uint16(h[26:])) + int64(le.Uint16(h[28:]))
	if off > f.size || m.packed > f.size-off {
		return nil, fmt.Errorf("%d bytes of data at offset %d do not fit into a file of %d bytes: %w", m.packed, off, f.size, ErrCorrupt)
	}
	return io.NewSectionReader(f, off, m.packed), nil
}
