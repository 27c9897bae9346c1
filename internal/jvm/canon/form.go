package canon

import (
	"encoding/binary"
	"slices"
	"sync"

	"winnow/internal/digest"
)

// A form is the normal form of a piece of a class file under construction: a sequence of self-delimiting tokens, so that different sequences have
// different bytes.
//
// Without names, a form notes each numbered name that it meets and writes it as it is. With names, it writes canonical names.
type form struct {
	b      []byte
	names  *Set
	refs   []ref                    // numbered names met
	boots  []bootForm               // forms of bootstrap methods, by index
	long   map[string]digest.Digest // digests of long texts
	bare   bool                     // dynamic constants without their numbers, which are being found
	expand bool                     // for people: bootstrap methods in full

	// Forms of members and classes that code names, by index of the constant: code names the same ones again and again.
	memo   []memo
	arena  []byte
	named  uint32 // constants that were written in full
	before uint32 // named, when the body began

	attributes []attribute // by the index of their name

	starts []uint32 // scratch of body
	jumps  []int
}

// A memo is the form of a constant in the arena, and as the how manieth it was last written in full.
type memo struct{ start, end, named uint32 }

// forms keeps used forms for their memory.
var forms = sync.Pool{New: func() any { return &form{} }}

// newForm returns a form for one unit; without names if names is nil.
func newForm(u *Unit, names *Set) *form {
	f := forms.Get().(*form)
	n := u.class.Pool.Len()
	attributes := slices.Grow(f.attributes[:0], n)[:n]
	clear(attributes)
	*f = form{b: f.b[:0], names: names, memo: f.memo[:0], arena: f.arena[:0], attributes: attributes, starts: f.starts, jumps: f.jumps}
	return f
}

func (f *form) done() { forms.Put(f) }

// A ref is a numbered name that occurred: a class, or a method of a class.
type ref struct{ class, name, desc string }

func (f *form) reset() { f.b, f.refs = f.b[:0], nil }

func (f *form) digest() digest.Digest { return digest.Of(f.b) }

func (f *form) tag(t byte)       { f.b = append(f.b, t) }
func (f *form) num(n uint64)     { f.b = binary.AppendUvarint(f.b, n) }
func (f *form) signed(n int64)   { f.b = binary.AppendVarint(f.b, n) }
func (f *form) add(bytes []byte) { f.b = append(f.b, bytes...) }

// longText is the length from which a text stands as its digest: code can name a text of 64 KiB thousands of times.
const longText = 1024

// word writes a text that is not a name of a class or method.
func (f *form) word(s string) {
	if len(s) < 0x80 {
		f.b = append(f.b, byte(len(s)))
		f.b = append(f.b, s...)
		return
	}
	f.num(uint64(len(s)))
	if len(s) < longText {
		f.b = append(f.b, s...)
		return
	}
	if f.long == nil {
		f.long = map[string]digest.Digest{}
	}
	d, ok := f.long[s]
	if !ok {
		d = digest.OfString(s)
		f.long[s] = d
	}
	f.add(d[:])
}

// class writes an internal class name or array descriptor.
func (f *form) class(name string) {
	if !numbered(name) {
		f.word(name)
		return
	}
	if name[0] == '[' {
		f.types(name)
		return
	}
	if f.names == nil {
		f.refs = append(f.refs, ref{class: name})
	}
	f.word(f.className(name))
}

func (f *form) className(name string) string {
	if f.names == nil {
		return name
	}
	return f.names.ClassName(name)
}

// types writes a descriptor or generic signature, in which classes are named.
func (f *form) types(desc string) {
	if !numbered(desc) {
		f.word(desc)
		return
	}
	if f.names == nil {
		eachClass(desc, func(start, end int) { f.refs = append(f.refs, ref{class: desc[start:end]}) })
		f.word(desc)
		return
	}
	f.word(f.names.types(desc))
}

// method writes name and descriptor of a method of a class.
func (f *form) method(class, name, desc string) {
	if f.names == nil {
		if numberedMethod(name) {
			f.refs = append(f.refs, ref{class, name, desc})
		}
		f.word(name)
		f.types(desc)
		return
	}
	f.word(f.names.MethodName(class, name, desc))
	f.types(desc)
}
