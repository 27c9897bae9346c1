package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/hierarchy"
)

// ErrTable is wrapped by errors about an encoding that is none of a table.
var ErrTable = errors.New("not a table of a class")

// tableFormat is the first byte of an encoded table. Digests depend on the rules of package canon: who changes those changes the format.
const tableFormat = 2 // shelfMagic changes with it

// Append appends the encoding of the table.
func (t *Table) Append(dst []byte) []byte {
	e := encoder(append(dst, tableFormat))
	e.text(t.Name)
	e.alias(t.Name, t.File)
	e.text(t.Opaque)
	e.digest(t.Link)
	e.digest(t.Reflect)
	e.flag(t.Frame != t.Reflect)
	if t.Frame != t.Reflect {
		e.digest(t.Frame)
	}
	e.num(uint64(t.Major))
	e.num(uint64(t.Access))
	e.text(t.Super)
	e.texts(t.Interfaces)
	e.text(t.NestHost)
	e.texts(t.NestMembers)
	e.flag(t.Sealed)
	e.texts(t.Permitted)
	e.num(uint64(len(t.Fields)))
	for _, f := range t.Fields {
		e.text(f.Name)
		e.text(f.Descriptor)
		e.num(uint64(f.Access))
	}
	e.num(uint64(len(t.Methods)))
	for i := range t.Methods {
		e.method(&t.Methods[i])
	}
	return e
}

func (e *encoder) method(m *Method) {
	e.text(m.Name)
	e.text(m.Descriptor)
	e.alias(m.Name, m.FileName)
	e.alias(m.Descriptor, m.FileDescriptor)
	e.num(uint64(m.Access))
	e.digest(m.Body)
	e.flag(m.Test != digest.Absent)
	if m.Test != digest.Absent {
		e.digest(m.Test)
	}
}

// Decode reads what Append wrote. Anything else is an error.
func Decode(data []byte) (*Table, error) {
	if len(data) == 0 || data[0] != tableFormat {
		return nil, fmt.Errorf("%w: it is not of format %d", ErrTable, tableFormat)
	}
	d := decoder{data: data[1:]}
	t := &Table{Name: d.text()}
	t.File = d.alias(t.Name)
	t.Opaque, t.Link, t.Reflect = d.text(), d.digest(), d.digest()
	t.Frame = t.Reflect
	if d.flag() {
		if t.Frame = d.digest(); t.Frame == t.Reflect {
			d.fail()
		}
	}
	t.Major, t.Access = uint16(d.upTo(math.MaxUint16)), d.flags()
	t.Super, t.Interfaces, t.NestHost, t.NestMembers = d.text(), d.texts(), d.text(), d.texts()
	t.Sealed, t.Permitted = d.flag(), d.texts()
	if n := d.count(3); n > 0 {
		t.Fields = make([]hierarchy.Member, n)
	}
	for i := range t.Fields {
		t.Fields[i] = hierarchy.Member{Name: d.text(), Descriptor: d.text(), Access: d.flags()}
	}
	if n := d.count(6 + digest.Size); n > 0 {
		t.Methods = make([]Method, n)
	}
	for i := range t.Methods {
		d.method(&t.Methods[i])
	}
	sorted := slices.IsSortedFunc(t.Methods, func(a, b Method) int { return a.Compare(&b) })
	if d.bad || len(d.data) > 0 || !sorted {
		return nil, fmt.Errorf("%w: its %d bytes are malformed", ErrTable, len(data))
	}
	return t, nil
}

func (d *decoder) method(m *Method) {
	m.Name, m.Descriptor = d.text(), d.text()
	m.FileName, m.FileDescriptor = d.alias(m.Name), d.alias(m.Descriptor)
	m.Access, m.Body, m.Test = d.flags(), d.digest(), digest.Absent
	if d.flag() {
		if m.Test = d.digest(); m.Test == digest.Absent {
			d.fail()
		}
	}
}

// An encoder appends numbers as varints and texts with their length in front.
type encoder []byte

func (e *encoder) num(n uint64)           { *e = binary.AppendUvarint(*e, n) }
func (e *encoder) text(s string)          { e.num(uint64(len(s))); *e = append(*e, s...) }
func (e *encoder) digest(d digest.Digest) { *e = append(*e, d[:]...) }

func (e *encoder) flag(b bool) {
	if b {
		e.num(1)
	} else {
		e.num(0)
	}
}

func (e *encoder) texts(list []string) {
	e.num(uint64(len(list)))
	for _, s := range list {
		e.text(s)
	}
}

// alias writes a text that mostly is the same as another one.
func (e *encoder) alias(of, s string) {
	e.flag(s != of)
	if s != of {
		e.text(s)
	}
}

// A decoder reads what an encoder wrote, and nothing that an encoder would have written otherwise. After the first mistake it is bad and gives zeros. Texts share the memory of whole.
type decoder struct {
	data  []byte
	whole string // the same bytes as a string, up to their end; made at the first text
	bad   bool
	// Where lists that are read next will be: an index has thousands of one or two elements.
	list []string
	rows []row
}

func (d *decoder) fail() { d.bad, d.data = true, nil }

func (d *decoder) num() uint64 {
	if len(d.data) > 0 && d.data[0] < 0x80 { // most numbers are small
		n := uint64(d.data[0])
		d.data = d.data[1:]
		return n
	}
	n, size := binary.Uvarint(d.data)
	if size <= 0 || d.data[size-1] == 0 { // needless zeros
		d.fail()
		return 0
	}
	d.data = d.data[size:]
	return n
}

func (d *decoder) upTo(limit uint64) uint64 {
	n := d.num()
	if n > limit {
		d.fail()
		return 0
	}
	return n
}

func (d *decoder) flag() bool             { return d.upTo(1) == 1 }
func (d *decoder) flags() classfile.Flags { return classfile.Flags(d.upTo(math.MaxUint16)) }

// count reads the number of elements of at least size bytes that follow.
func (d *decoder) count(size int) int {
	n := d.num()
	if n > uint64(len(d.data)/size) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) text() string {
	if d.whole == "" {
		d.whole = string(d.data)
	}
	n := d.count(1)
	if n == 0 {
		return ""
	}
	start := len(d.whole) - len(d.data)
	d.data = d.data[n:]
	return d.whole[start : start+n]
}

func (d *decoder) digest() (out digest.Digest) {
	if len(d.data) < digest.Size {
		d.fail()
		return out
	}
	copy(out[:], d.data)
	d.data = d.data[digest.Size:]
	return out
}

func (d *decoder) texts() []string {
	n := d.count(1)
	if n == 0 {
		return nil
	}
	out := cut(&d.list, n)
	for i := range out {
		out[i] = d.text()
	}
	return out
}

// cut takes elements from the end of a slab, or of a new one of twice its size.
func cut[E any](slab *[]E, n int) []E {
	from := len(*slab)
	if n > cap(*slab)-from {
		from, *slab = 0, make([]E, 0, max(n, min(2*cap(*slab), 1024)))
	}
	*slab = (*slab)[:from+n]
	return (*slab)[from : from+n : from+n]
}

func (d *decoder) alias(of string) string {
	if !d.flag() {
		return of
	}
	s := d.text()
	if s == of {
		d.fail()
	}
	return s
}
