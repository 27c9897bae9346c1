package table

import (
	"fmt"

	"winnow/internal/jvm/bytecode"
)

// refsFormat is the first byte of encoded refs.
const refsFormat = 1

// Append appends the encoding of the refs: the texts, each once, and then everything by the numbers of its texts.
func (r *Refs) Append(dst []byte) []byte {
	texts := numbering{index: map[string]int{}}
	var e encoder
	texts.put(&e, r.Class)
	e.num(uint64(len(r.Methods)))
	for i := range r.Methods {
		texts.method(&e, &r.Methods[i])
	}
	head := encoder(append(dst, refsFormat))
	head.texts(texts.list)
	return append(head, e...)
}

// A numbering gives each text a number, in the order in which they come.
type numbering struct {
	list  []string
	index map[string]int
}

func (n *numbering) put(e *encoder, texts ...string) {
	for _, s := range texts {
		i, ok := n.index[s]
		if !ok {
			i = len(n.list)
			n.index[s] = i
			n.list = append(n.list, s)
		}
		e.num(uint64(i))
	}
}

func (n *numbering) method(e *encoder, m *MethodRefs) {
	n.put(e, m.Name, m.Descriptor)
	e.num(uint64(len(m.Classes)))
	n.put(e, m.Classes...)
	e.num(uint64(len(m.Fields)))
	for _, f := range m.Fields {
		n.put(e, f.Owner, f.Name, f.Descriptor)
		e.num(bits(f.Static, f.Write, f.Handle))
	}
	e.num(uint64(len(m.Calls)))
	for _, c := range m.Calls {
		n.put(e, c.Owner, c.Name, c.Descriptor)
		e.num(uint64(c.Op))
		e.num(bits(c.Interface, c.Handle))
	}
}

func bits(flags ...bool) (n uint64) {
	for i, f := range flags {
		if f {
			n |= 1 << i
		}
	}
	return n
}

// DecodeRefs reads what Append wrote. Anything else is an error.
func DecodeRefs(data []byte) (*Refs, error) {
	r, err := decodeRefs(data)
	// A number can be written with needless zeros, so only the comparison shows that these are the bytes that encoding gives.
	if err == nil && string(r.Append(make([]byte, 0, len(data)))) != string(data) {
		return nil, malformedRefs(data)
	}
	return r, err
}

func malformedRefs(data []byte) error {
	return fmt.Errorf("%w: the %d bytes of the refs are malformed", ErrTable, len(data))
}

// decodeRefs reads bytes of which a digest shows that Append wrote them.
func decodeRefs(data []byte) (*Refs, error) {
	if len(data) == 0 || data[0] != refsFormat {
		return nil, fmt.Errorf("%w: the refs are not of format %d", ErrTable, refsFormat)
	}
	d := refsDecoder{decoder: decoder{data: data[1:]}}
	d.list = d.texts()
	r := &Refs{Class: d.get()}
	if n := d.count(5); n > 0 {
		r.Methods = make([]MethodRefs, n)
	}
	for i := range r.Methods {
		d.method(&r.Methods[i])
	}
	if d.bad || len(d.data) > 0 {
		return nil, malformedRefs(data)
	}
	return r, nil
}

type refsDecoder struct {
	decoder
	list []string
}

func (d *refsDecoder) get() string {
	i := d.num()
	if i >= uint64(len(d.list)) {
		d.fail()
		return ""
	}
	return d.list[i]
}

func (d *refsDecoder) method(m *MethodRefs) {
	m.Name, m.Descriptor = d.get(), d.get()
	if n := d.count(1); n > 0 {
		m.Classes = make([]string, n)
	}
	for i := range m.Classes {
		m.Classes[i] = d.get()
	}
	if n := d.count(4); n > 0 {
		m.Fields = make([]FieldUse, n)
	}
	for i := range m.Fields {
		f := &m.Fields[i]
		f.Owner, f.Name, f.Descriptor = d.get(), d.get(), d.get()
		b := d.upTo(7)
		f.Static, f.Write, f.Handle = b&1 != 0, b&2 != 0, b&4 != 0
	}
	if n := d.count(5); n > 0 {
		m.Calls = make([]Call, n)
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		c.Owner, c.Name, c.Descriptor = d.get(), d.get(), d.get()
		c.Op = bytecode.Op(d.upTo(255))
		b := d.upTo(3)
		c.Interface, c.Handle = b&1 != 0, b&2 != 0
	}
}
