package classfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// A Tag is the kind of a constant (JVMS 4.4, table 4.4-A).
type Tag uint8

// The kinds of constants. TagNone is the kind of index 0 and of the second index of a long or double.
const (
	TagNone               Tag = 0
	TagUtf8               Tag = 1
	TagInteger            Tag = 3
	TagFloat              Tag = 4
	TagLong               Tag = 5
	TagDouble             Tag = 6
	TagClass              Tag = 7
	TagString             Tag = 8
	TagFieldref           Tag = 9
	TagMethodref          Tag = 10
	TagInterfaceMethodref Tag = 11
	TagNameAndType        Tag = 12
	TagMethodHandle       Tag = 15
	TagMethodType         Tag = 16
	TagDynamic            Tag = 17
	TagInvokeDynamic      Tag = 18
	TagModule             Tag = 19
	TagPackage            Tag = 20
)

var tagNames = [...]string{0: "nothing", 1: "Utf8", 3: "Integer", 4: "Float", 5: "Long", 6: "Double", 7: "Class", 8: "String", 9: "Fieldref", 10: "Methodref",
	11: "InterfaceMethodref", 12: "NameAndType", 15: "MethodHandle", 16: "MethodType", 17: "Dynamic", 18: "InvokeDynamic", 19: "Module", 20: "Package"}

// String is the specification's name of the kind, without CONSTANT_.
func (t Tag) String() string {
	if int(t) < len(tagNames) && tagNames[t] != "" {
		return tagNames[t]
	}
	return fmt.Sprintf("tag %d", uint8(t))
}

// tagSizes are the lengths of constants with their tag, 0 for what is no kind of constant; a Utf8 is longer by its text.
var tagSizes = [256]uint8{TagUtf8: 3, TagInteger: 5, TagFloat: 5, TagLong: 9, TagDouble: 9, TagClass: 3, TagString: 3, TagFieldref: 5, TagMethodref: 5,
	TagInterfaceMethodref: 5, TagNameAndType: 5, TagMethodHandle: 4, TagMethodType: 3, TagDynamic: 5, TagInvokeDynamic: 5, TagModule: 3, TagPackage: 3}

// A Constant is one entry of a constant pool, decoded.
type Constant struct {
	Tag  Tag
	Text string // Utf8: modified UTF-8
	Bits uint64 // Integer, Float (32 bits), Long, Double
	// A and B are what the entry refers to, in the order of the file: Class, String, MethodType, Module, Package: A; references and NameAndType: A, B;
	// MethodHandle: kind, reference; Dynamic and InvokeDynamic: index into BootstrapMethods, NameAndType.
	A, B uint16
}

// A Pool is a constant pool. It keeps the bytes of the file and finds entries by their offset; entries can be added at the end.
type Pool struct {
	data []byte   // the entries, tag first, without the count
	offs []uint32 // by index: offset in data, plus one; 0: no entry
	text string   // data as it was read: what texts are cut from
	sure int      // indices below it were read and their references checked
	base int      // offset of data in the file

	reader *reader // for decoding attributes of the class, one at a time
}

// scratch is the reader of the class.
func (p *Pool) scratch() *reader {
	if p.reader == nil {
		p.reader = &reader{}
	}
	return p.reader
}

// readPool reads and checks a constant pool.
func readPool(r *reader) Pool {
	r.what = "constant_pool"
	count := int(r.u2())
	if r.err == nil && count == 0 {
		r.fail("count is 0")
	}
	r.table(count-1, 3) // no constant takes less for an index, so a count that cannot be true allocates nothing
	if r.err != nil {
		return Pool{}
	}
	p := Pool{offs: make([]uint32, count), base: r.base + r.pos}
	data := r.data[r.pos:]
	pos := 0
	for i := 1; i < count; i++ {
		tag, size := constantSize(data[pos:])
		if size == 0 {
			r.failAt(r.pos+pos, "constant %d of %d %s", i, count-1, sizeProblem(data[pos:]))
			return Pool{}
		}
		p.offs[i] = uint32(pos) + 1
		pos += size
		if tag == TagLong || tag == TagDouble {
			i++ // it takes two indices
			if i == count {
				r.failAt(r.pos+pos-size, "constant %d (%s) takes an index beyond the count", i-1, tag)
				return Pool{}
			}
		}
	}
	r.pos += pos
	p.data = data[:pos:pos]
	p.sure = len(p.offs)
	p.text = unsafe.String(unsafe.SliceData(p.data), len(p.data)) // no copy: the bytes do not change, see the package comment
	p.check(r)
	return p
}

// constantSize is the kind and the length of the constant at the start of d, 0 if it is not a whole one.
func constantSize(d []byte) (Tag, int) {
	if len(d) < 3 {
		return 0, 0
	}
	tag := Tag(d[0])
	size := int(tagSizes[tag])
	if tag == TagUtf8 {
		size += int(be2(d[1:]))
	}
	if size > len(d) {
		return tag, 0
	}
	return tag, size
}

// sizeProblem says why constantSize gave 0.
func sizeProblem(d []byte) string {
	switch {
	case len(d) == 0:
		return "is missing"
	case tagSizes[d[0]] == 0:
		return fmt.Sprintf("has unknown tag %d", d[0])
	}
	return fmt.Sprintf("(%s) is cut off", Tag(d[0]))
}

// check follows every reference inside the pool once.
func (p *Pool) check(r *reader) {
	for i := 1; i < len(p.offs); i++ {
		off := p.offs[i]
		if off == 0 {
			continue
		}
		d := p.data[off-1:]
		ok := true
		switch Tag(d[0]) {
		case TagClass, TagString, TagMethodType, TagModule, TagPackage:
			ok = p.Tag(be2(d[1:])) == TagUtf8
		case TagFieldref, TagMethodref, TagInterfaceMethodref:
			ok = p.Tag(be2(d[1:])) == TagClass && p.Tag(be2(d[3:])) == TagNameAndType
		case TagNameAndType:
			ok = p.Tag(be2(d[1:])) == TagUtf8 && p.Tag(be2(d[3:])) == TagUtf8
		case TagMethodHandle:
			ok = handleRefers(d[1], p.Tag(be2(d[2:])))
		case TagDynamic, TagInvokeDynamic:
			ok = p.Tag(be2(d[3:])) == TagNameAndType
		}
		if !ok {
			r.failAt(p.base-r.base+int(off-1), "constant %d (%s) refers to a constant of the wrong kind", i, Tag(d[0]))
			return
		}
	}
}

// handleRefers tells whether a method handle of this kind may refer to a constant with this tag (JVMS 4.4.8).
func handleRefers(kind byte, to Tag) bool {
	switch {
	case kind >= 1 && kind <= 4:
		return to == TagFieldref
	case kind == 5 || kind == 8:
		return to == TagMethodref
	case kind == 6 || kind == 7:
		return to == TagMethodref || to == TagInterfaceMethodref
	case kind == 9:
		return to == TagInterfaceMethodref
	}
	return false
}

// Len is the constant_pool_count: one more than the highest index.
func (p *Pool) Len() int { return max(1, len(p.offs)) }

// Tag is the kind of a constant; TagNone if there is none at i.
func (p *Pool) Tag(i uint16) Tag {
	if int(i) >= len(p.offs) || p.offs[i] == 0 {
		return TagNone
	}
	return Tag(p.data[p.offs[i]-1])
}

// At decodes a constant. There is none (TagNone) at index 0, beyond the end, and at the second index of a long or double.
func (p *Pool) At(i uint16) Constant {
	tag := p.Tag(i)
	if tag == TagNone {
		return Constant{}
	}
	d := p.data[p.offs[i]:]
	c := Constant{Tag: tag}
	switch tag {
	case TagUtf8:
		c.Text, _ = p.UTF8(i)
	case TagInteger, TagFloat:
		c.Bits = uint64(binary.BigEndian.Uint32(d))
	case TagLong, TagDouble:
		c.Bits = binary.BigEndian.Uint64(d)
	case TagClass, TagString, TagMethodType, TagModule, TagPackage:
		c.A = be2(d)
	case TagMethodHandle:
		c.A, c.B = uint16(d[0]), be2(d[1:])
	default:
		c.A, c.B = be2(d), be2(d[2:])
	}
	return c
}

// UTF8 is the text of a Utf8 constant.
func (p *Pool) UTF8(i uint16) (string, bool) {
	if p.Tag(i) != TagUtf8 {
		return "", false
	}
	start := int(p.offs[i]) + 2
	end := start + int(be2(p.data[start-2:]))
	if end > len(p.text) {
		return string(p.data[start:end]), true // was added
	}
	return p.text[start:end], true
}

// named is the text that a constant with one reference to a Utf8 stands for.
func (p *Pool) named(i uint16, tag Tag) (string, bool) {
	if p.Tag(i) != tag {
		return "", false
	}
	return p.UTF8(be2(p.data[p.offs[i]:]))
}

// Class is the name of a Class constant: an internal name or an array descriptor.
func (p *Pool) Class(i uint16) (string, bool) { return p.named(i, TagClass) }

// String is the text of a String constant.
func (p *Pool) String(i uint16) (string, bool) { return p.named(i, TagString) }

// NameAndType gives name and descriptor of a NameAndType constant.
func (p *Pool) NameAndType(i uint16) (name, descriptor string, ok bool) {
	if p.Tag(i) != TagNameAndType {
		return "", "", false
	}
	d := p.data[p.offs[i]:]
	name, _ = p.UTF8(be2(d))
	descriptor, ok = p.UTF8(be2(d[2:]))
	return name, descriptor, ok
}

// A Ref is a reference to a field or method.
type Ref struct {
	Tag                     Tag // TagFieldref, TagMethodref or TagInterfaceMethodref
	Class, Name, Descriptor string
}

// Ref follows a reference to a field or method.
func (p *Pool) Ref(i uint16) (Ref, bool) {
	tag := p.Tag(i)
	if tag != TagFieldref && tag != TagMethodref && tag != TagInterfaceMethodref {
		return Ref{}, false
	}
	d := p.data[p.offs[i]:]
	if int(i) < p.sure {
		nt := p.data[p.offs[be2(d[2:])]:]
		return Ref{Tag: tag, Class: p.sureText(be2(p.data[p.offs[be2(d)]:])), Name: p.sureText(be2(nt)), Descriptor: p.sureText(be2(nt[2:]))}, true
	}
	class, _ := p.Class(be2(d))
	name, desc, ok := p.NameAndType(be2(d[2:]))
	return Ref{Tag: tag, Class: class, Name: name, Descriptor: desc}, ok
}

// sureText is the text of a Utf8 constant that something checked refers to.
func (p *Pool) sureText(i uint16) string {
	start := int(p.offs[i]) + 2
	return p.text[start : start+int(be2(p.data[start-2:]))]
}

// ErrFull says that a constant pool has no index left.
var ErrFull = errors.New("constant pool is full: the highest index is 65534")

// ErrTooLong says that a text is too long for a constant.
var ErrTooLong = errors.New("text is longer than 65535 bytes")

// Add appends a constant and returns its index. What it refers to is not checked.
func (p *Pool) Add(c Constant) (uint16, error) {
	if tagSizes[c.Tag] == 0 {
		return 0, fmt.Errorf("a constant of kind %s cannot be added", c.Tag)
	}
	if len(c.Text) > math.MaxUint16 {
		return 0, ErrTooLong
	}
	n := 1
	if c.Tag == TagLong || c.Tag == TagDouble {
		n = 2
	}
	if len(p.offs) == 0 {
		p.offs = append(p.offs, 0) // index 0 is never used
	}
	if len(p.offs)+n > math.MaxUint16 {
		return 0, ErrFull
	}
	i := uint16(len(p.offs))
	p.offs = append(p.offs, uint32(len(p.data))+1)
	if n == 2 {
		p.offs = append(p.offs, 0)
	}
	p.data = c.append(p.data)
	return i, nil
}

func (c Constant) append(dst []byte) []byte {
	dst = append(dst, byte(c.Tag))
	switch c.Tag {
	case TagUtf8:
		dst = put2(dst, uint16(len(c.Text)))
		return append(dst, c.Text...)
	case TagInteger, TagFloat:
		return put4(dst, uint32(c.Bits))
	case TagLong, TagDouble:
		return binary.BigEndian.AppendUint64(dst, c.Bits)
	case TagClass, TagString, TagMethodType, TagModule, TagPackage:
		return put2(dst, c.A)
	case TagMethodHandle:
		return put2(append(dst, byte(c.A)), c.B)
	}
	return put2(put2(dst, c.A), c.B)
}

// Append writes the count and every constant.
func (p *Pool) Append(dst []byte) []byte {
	dst = put2(dst, uint16(p.Len()))
	return append(dst, p.data...)
}
