package canon

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
)

// loadable writes a constant that ldc or a bootstrap method takes, kind first.
func (u *Unit) loadable(f *form, i uint16) error {
	p := &u.class.Pool
	c := p.At(i)
	f.tag(byte(c.Tag))
	switch c.Tag {
	case classfile.TagInteger, classfile.TagFloat: // by their bits: 0.0 and -0.0 differ, and so do the kinds of not-a-number
		f.b = binary.BigEndian.AppendUint32(f.b, uint32(c.Bits))
	case classfile.TagLong, classfile.TagDouble:
		f.b = binary.BigEndian.AppendUint64(f.b, c.Bits)
	case classfile.TagString:
		s, _ := p.UTF8(c.A)
		f.word(s)
	case classfile.TagClass:
		s, _ := p.UTF8(c.A)
		f.class(s)
	case classfile.TagMethodType:
		s, _ := p.UTF8(c.A)
		f.types(s)
	case classfile.TagMethodHandle:
		u.handle(f, c)
	case classfile.TagDynamic:
		if !f.bare {
			f.num(uint64(u.equals[i]))
		}
		return u.dynamic(f, c)
	default:
		return fmt.Errorf("constant %d of kind %s cannot be loaded", i, c.Tag)
	}
	return nil
}

func (u *Unit) handle(f *form, c classfile.Constant) {
	f.tag(byte(c.A))
	ref, _ := u.class.Pool.Ref(c.B)
	u.member(f, ref)
}

// readDynamic numbers equal dynamic constants: each is resolved once, to an object of its own, so two of them are not one used twice.
func (u *Unit) readDynamic() error {
	p := &u.class.Pool
	var f *form
	seen := map[digest.Digest]int{}
	for i := range uint16(p.Len()) {
		if p.Tag(i) != classfile.TagDynamic {
			continue
		}
		if f == nil {
			f = newForm(u, nil)
			defer f.done()
			f.bare = true
			u.equals = map[uint16]int{}
		}
		f.reset()
		if err := u.dynamic(f, p.At(i)); err != nil {
			return fmt.Errorf("constant %d: %w", i, err)
		}
		d := f.digest()
		u.equals[i] = seen[d]
		seen[d]++
	}
	return nil
}

// dynamic writes a dynamic constant or call site with its bootstrap method.
func (u *Unit) dynamic(f *form, c classfile.Constant) error {
	name, desc, _ := u.class.Pool.NameAndType(c.B)
	f.word(name)
	f.types(desc)
	return u.bootstrap(f, c.A)
}

// A bootForm is the normal form of a bootstrap method: its digest, and the numbered names in it.
type bootForm struct {
	digest digest.Digest
	refs   []ref
	full   []byte // if expanded
	state  uint8
}

const (
	notSeen uint8 = iota
	isOpen
	isDone
)

// maxExpanded is the length up to which a bootstrap method is expanded for people.
const maxExpanded = 1 << 16

// bootstrap writes a bootstrap method with its arguments. Their form is computed once for each entry of the table and stands as its digest: entries may share arguments, and a file of a few kilobytes could otherwise have a form of any size.
func (u *Unit) bootstrap(f *form, index uint16) error {
	methods, err := u.bootstraps()
	if err != nil {
		return err
	}
	if int(index) >= len(methods) {
		return fmt.Errorf("bootstrap method %d of %d", index, len(methods))
	}
	if f.boots == nil {
		f.boots = make([]bootForm, len(methods))
	}
	b := &f.boots[index]
	switch b.state {
	case isOpen:
		return errors.New("bootstrap arguments go round in a circle")
	case notSeen:
		b.state = isOpen
		start, refs := len(f.b), len(f.refs)
		if err := u.bootstrapForm(f, methods[index]); err != nil {
			return fmt.Errorf("bootstrap method %d: %w", index, err)
		}
		written := f.b[start:]
		b.state, b.digest, b.refs = isDone, digest.Of(written), slices.Clone(f.refs[refs:])
		if f.expand && len(written) <= maxExpanded {
			b.full = slices.Clone(written)
		}
		f.b, f.refs = f.b[:start], f.refs[:refs]
	}
	if f.expand {
		f.expanded(b)
		return nil
	}
	f.add(b.digest[:])
	f.refs = append(f.refs, b.refs...)
	return nil
}

// expanded writes a bootstrap method in full, or its digest if it is too long for people; a byte tells which.
func (f *form) expanded(b *bootForm) {
	if b.full == nil {
		f.tag(0)
		f.add(b.digest[:])
		return
	}
	f.tag(1)
	f.add(b.full)
}

func (u *Unit) bootstrapForm(f *form, m classfile.BootstrapMethod) error {
	h := u.class.Pool.At(m.Handle)
	if h.Tag != classfile.TagMethodHandle {
		return fmt.Errorf("constant %d is not a method handle", m.Handle)
	}
	u.handle(f, h)
	f.num(uint64(len(m.Arguments)))
	for _, arg := range m.Arguments {
		if err := u.loadable(f, arg); err != nil {
			return err
		}
	}
	return nil
}

// bootstraps decodes the BootstrapMethods attribute once.
func (u *Unit) bootstraps() ([]classfile.BootstrapMethod, error) {
	if u.boot != nil {
		return u.boot, nil
	}
	v, err := value[*classfile.BootstrapMethods](u.class, "BootstrapMethods")
	if v == nil || err != nil {
		return nil, err
	}
	u.boot = v.Methods
	return u.boot, nil
}
