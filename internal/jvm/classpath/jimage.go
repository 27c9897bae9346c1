package classpath

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"
)

// The format of lib/modules (jimage 1.0): a header of seven words, then a perfect hash table in two parts (redirects and offsets of
// locations, one word per slot each), the attributes of the locations, the strings, and the resources. Words have the byte order of the
// machine that the image was made for, which the magic number tells; attributes always have the highest byte first.

const (
	imageMagic   = 0xCAFEDADA
	imageVersion = 1 << 16
	imageHeader  = 7 * 4

	hashSeed = 0x01000193

	// The directories of the image's own file system; they hold no resources.
	indexModules  = "modules"
	indexPackages = "packages"
)

// The attributes of a location.
const (
	attrEnd = iota
	attrModule
	attrParent
	attrBase
	attrExtension
	attrOffset
	attrCompressed
	attrUncompressed
	attrCount
)

// A location says where a resource is and what it is called: /module/parent/base.extension.
type location [attrCount]uint64

// tables are the part of an image in front of its resources.
type tables struct {
	order     binary.ByteOrder
	redirect  []byte
	offsets   []byte
	locations []byte
	strings   []byte
	slots     int
	count     int64 // declared number of used slots
	resources int64 // where they start
}

// isImage tells an image by its magic number, in either byte order.
func isImage(f interface {
	ReadAt([]byte, int64) (int, error)
}) bool {
	var b [4]byte
	if _, err := f.ReadAt(b[:], 0); err != nil {
		return false
	}
	_, ok := orderOf(b[:])
	return ok
}

func orderOf(magic []byte) (binary.ByteOrder, bool) {
	switch {
	case binary.LittleEndian.Uint32(magic) == imageMagic:
		return binary.LittleEndian, true
	case binary.BigEndian.Uint32(magic) == imageMagic:
		return binary.BigEndian, true
	}
	return nil, false
}

// readTables reads the header and what it announces.
func readTables(f *file) (*tables, error) {
	h, err := f.slice("header", 0, imageHeader)
	if err != nil {
		return nil, err
	}
	order, ok := orderOf(h)
	if !ok {
		return nil, fmt.Errorf("magic number %08x: %w", h[:4], ErrCorrupt)
	}
	word := func(i int) int64 { return int64(order.Uint32(h[4*i:])) }
	if v := word(1); v != imageVersion {
		return nil, fmt.Errorf("image version %d.%d, only 1.0 is known: %w", v>>16, v&0xffff, ErrUnsupported)
	}
	count, slots, nloc, nstr := word(3), word(4), word(5), word(6)
	if count > slots {
		return nil, fmt.Errorf("%d resources in a table of %d slots: %w", count, slots, ErrCorrupt)
	}
	b, err := f.slice("tables", imageHeader, 8*slots+nloc+nstr)
	if err != nil {
		return nil, err
	}
	return &tables{
		order:    order,
		redirect: b[:4*slots], offsets: b[4*slots : 8*slots],
		locations: b[8*slots : 8*slots+nloc], strings: b[8*slots+nloc:],
		slots: int(slots), count: count, resources: imageHeader + int64(len(b)),
	}, nil
}

// location decodes the attributes of the resource in a slot.
func (t *tables) location(slot int) (location, error) {
	var loc location
	start := t.order.Uint32(t.offsets[4*slot:])
	if int64(start) >= int64(len(t.locations)) {
		return loc, fmt.Errorf("slot %d: location at %d of %d: %w", slot, start, len(t.locations), ErrCorrupt)
	}
	for b := t.locations[start:]; ; {
		if len(b) == 0 {
			return loc, fmt.Errorf("slot %d: location at %d has no end: %w", slot, start, ErrCorrupt)
		}
		kind, n := b[0]>>3, int(b[0]&7)+1
		if kind == attrEnd {
			return loc, nil
		}
		if kind >= attrCount {
			return loc, fmt.Errorf("slot %d: location at %d has an attribute of kind %d: %w", slot, start, kind, ErrUnsupported)
		}
		if n >= len(b) {
			return loc, fmt.Errorf("slot %d: location at %d is cut off: %w", slot, start, ErrCorrupt)
		}
		loc[kind] = bigEndian(b[1 : 1+n])
		b = b[1+n:]
	}
}

func bigEndian(b []byte) uint64 {
	var v uint64
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v
}

var errString = errors.New("no string there")

// text returns the string at an offset. Names that are not plain UTF-8 (the image uses the JVM's variant of it) are refused.
func (t *tables) text(off uint64) (string, error) {
	if off >= uint64(len(t.strings)) {
		return "", fmt.Errorf("string at %d of %d: %w: %w", off, len(t.strings), errString, ErrCorrupt)
	}
	n := bytes.IndexByte(t.strings[off:], 0)
	if n < 0 {
		return "", fmt.Errorf("string at %d has no end: %w: %w", off, errString, ErrCorrupt)
	}
	s := t.strings[off : off+uint64(n)]
	if !utf8.Valid(s) {
		return "", fmt.Errorf("string at %d is not UTF-8: %w: %w", off, errString, ErrCorrupt)
	}
	return string(s), nil
}

// names returns the module and the name below it.
func (t *tables) names(loc location) (module, name string, err error) {
	var part [4]string
	for i := range part {
		if part[i], err = t.text(loc[attrModule+i]); err != nil {
			return "", "", err
		}
	}
	name = part[2]
	if part[1] != "" {
		name = part[1] + "/" + name
	}
	if part[3] != "" {
		name += "." + part[3]
	}
	return part[0], name, nil
}

// slot returns where the hash table has a resource, or where it would be: the caller compares the name.
func (t *tables) slot(module, name string) (int, bool) {
	if t.slots == 0 {
		return 0, false
	}
	n := uint32(t.slots)
	first := int(hashName(hashSeed, module, name) % n)
	v := int32(t.order.Uint32(t.redirect[4*first:]))
	switch {
	case v > 0:
		return int(hashName(uint32(v), module, name) % n), true
	case v < 0 && -1-int64(v) < int64(t.slots):
		return int(-1 - int64(v)), true
	}
	return 0, false
}

// hashName hashes "/module/name".
func hashName(seed uint32, module, name string) uint32 {
	h := hashString(seed, "/")
	h = hashString(h, module)
	h = hashString(h, "/")
	return hashString(h, name) & 0x7fffffff
}

func hashString(h uint32, s string) uint32 {
	for i := range len(s) {
		h = h*hashSeed ^ uint32(s[i])
	}
	return h
}

// find returns the location of a resource by hash.
func (t *tables) find(module, name string) (location, bool, error) {
	slot, ok := t.slot(module, name)
	if !ok {
		return location{}, false, nil
	}
	loc, err := t.location(slot)
	if err != nil {
		return location{}, false, err
	}
	m, n, err := t.names(loc)
	return loc, err == nil && m == module && n == name, err
}
