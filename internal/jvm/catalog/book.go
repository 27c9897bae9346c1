package catalog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
)

// The serialized form of a book: a magic text that ends in the version of the format, the groups in the order of their names, and the digest of all
// that. Numbers are varints, texts have their length in front. Digests depend on the rules of package canon: who changes those changes the version.
const magic = "winnow catalog 1\n"

// ErrBook is wrapped by errors about a serialized book that is damaged or of another version. The caller starts with an empty one.
var ErrBook = errors.New("not a usable book of classes")

// Append appends the serialized form.
func (b *Book) Append(dst []byte) []byte {
	start := len(dst)
	e := encoder(append(dst, magic...))
	e.num(uint64(len(b.groups)))
	for _, name := range slices.Sorted(maps.Keys(b.groups)) {
		e.text(name)
		e.group(b.groups[name])
	}
	sum := digest.Of(e[start:])
	return append(e, sum[:]...)
}

type encoder []byte

func (e *encoder) num(n uint64)           { *e = binary.AppendUvarint(*e, n) }
func (e *encoder) text(s string)          { e.num(uint64(len(s))); *e = append(*e, s...) }
func (e *encoder) digest(d digest.Digest) { *e = append(*e, d[:]...) }

func (e *encoder) group(g *group) {
	e.num(uint64(len(g.files)))
	for _, f := range g.files {
		e.text(f.class)
		e.digest(f.content)
	}
	e.num(uint64(len(g.foreign)))
	for _, f := range g.foreign {
		e.text(f)
	}
	if g.stored == nil {
		g.stored = g.digests()
	}
	e.text(string(g.stored))
}

// digests encodes the part of a group that is read only when it is asked for.
func (g *group) digests() []byte {
	var e encoder
	e.num(uint64(len(g.broken)))
	for _, name := range slices.Sorted(maps.Keys(g.broken)) {
		e.text(name)
		e.text(g.broken[name])
	}
	e.num(uint64(len(g.classes)))
	for _, name := range slices.Sorted(maps.Keys(g.classes)) {
		e.class(g.classes[name])
	}
	return e
}

// open decodes the digests.
func (g *group) open() error {
	if g.classes != nil {
		return nil
	}
	d := decoder{data: g.stored}
	broken, classes := map[string]string{}, map[string]*canon.Class{}
	for range d.count(2) {
		name := d.text()
		broken[name] = d.text()
	}
	for range d.count(4 + 3*digest.Size) {
		c := d.class()
		classes[c.File] = c
	}
	if d.bad || len(d.data) > 0 {
		return fmt.Errorf("%w: %w: its contents are malformed", ErrUnreadable, ErrBook)
	}
	g.broken, g.classes = broken, classes
	return nil
}

func (e *encoder) class(c *canon.Class) {
	e.text(c.File)
	e.text(c.Name)
	e.text(c.Opaque)
	e.digest(c.Link)
	e.digest(c.Reflect)
	e.digest(c.Shape)
	e.num(uint64(len(c.Methods)))
	for _, m := range c.Methods {
		e.text(m.FileName)
		e.text(m.FileDescriptor)
		e.alias(m.FileName, m.Name)
		e.alias(m.FileDescriptor, m.Descriptor)
		e.num(uint64(m.Access))
		e.digest(m.Body)
	}
}

// alias writes a text that mostly is the same as another one.
func (e *encoder) alias(of, s string) {
	if s == of {
		e.num(0)
		return
	}
	e.num(1)
	e.text(s)
}

// DecodeBook reads what Append wrote. Anything else is an error.
func DecodeBook(data []byte) (*Book, error) {
	body := len(data) - digest.Size
	if body < len(magic) || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it does not start as one of version 1", ErrBook)
	}
	if sum := digest.Of(data[:body]); sum != digest.Digest(data[body:]) {
		return nil, fmt.Errorf("%w: its checksum is wrong", ErrBook)
	}
	d := decoder{data: data[len(magic):body]}
	b := &Book{groups: map[string]*group{}}
	for range d.count(4) {
		name := d.text()
		b.groups[name] = d.group()
	}
	if d.bad || len(d.data) > 0 || string(b.Append(nil)) != string(data) {
		return nil, fmt.Errorf("%w: its contents are malformed", ErrBook)
	}
	return b, nil
}

// A decoder reads what an encoder wrote. After the first mistake it is bad and gives zeros.
type decoder struct {
	data []byte
	bad  bool
}

func (d *decoder) num() uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		d.bad, d.data = true, nil
		return 0
	}
	d.data = d.data[size:]
	return n
}

// count reads the number of elements of at least size bytes that follow.
func (d *decoder) count(size int) int {
	n := d.num()
	if n > uint64(len(d.data)/size) {
		d.bad, d.data = true, nil
		return 0
	}
	return int(n)
}

func (d *decoder) take(n int) []byte {
	if n > len(d.data) {
		d.bad, d.data = true, nil
		return make([]byte, min(n, digest.Size))
	}
	out := d.data[:n]
	d.data = d.data[n:]
	return out
}

func (d *decoder) text() string          { return string(d.take(d.count(1))) }
func (d *decoder) digest() digest.Digest { return digest.Digest(d.take(digest.Size)) }

func (d *decoder) group() *group {
	g := &group{}
	for range d.count(1 + digest.Size) {
		g.files = append(g.files, file{d.text(), d.digest()})
	}
	for range d.count(1) {
		g.foreign = append(g.foreign, d.text())
	}
	g.stored = d.take(d.count(1))
	return g
}

func (d *decoder) class() *canon.Class {
	c := &canon.Class{File: d.text(), Name: d.text(), Opaque: d.text(), Link: d.digest(), Reflect: d.digest(), Shape: d.digest()}
	if n := d.count(5 + digest.Size); n > 0 {
		c.Methods = make([]canon.Method, n)
	}
	for i := range c.Methods {
		m := &c.Methods[i]
		m.FileName, m.FileDescriptor = d.text(), d.text()
		m.Name, m.Descriptor = d.alias(m.FileName), d.alias(m.FileDescriptor)
		m.Access = classfile.Flags(d.num())
		m.Body = d.digest()
	}
	return c
}

func (d *decoder) alias(of string) string {
	if d.num() == 0 {
		return of
	}
	return d.text()
}
