package mutate

import (
	"errors"
	"fmt"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
)

// ErrNoMutant says that a class does not have a mutant: it is another class, or another version of it.
var ErrNoMutant = errors.New("the class has no such mutant")

// errSame says that an edit has no meaning, which List should have seen.
var errSame = errors.New("it means the same as the class")

// Apply makes the mutant of a class, which stays as it is.
func (m Mutant) Apply(class []byte) ([]byte, error) {
	out, err := m.apply(class)
	if err != nil {
		return nil, fmt.Errorf("mutant %q: %w", m, err)
	}
	return out, nil
}

func (m Mutant) apply(class []byte) ([]byte, error) {
	s, err := newScan(class)
	if err != nil {
		return nil, err
	}
	i, err := s.scanFor(m)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(s.found, func(c candidate) bool { return c.named() == m.named() })
	if at < 0 {
		return nil, ErrNoMutant
	}
	if err := s.make(i, s.found[at].edit); err != nil {
		return nil, err
	}
	out := s.class.Append(nil)
	if err := differs(class, out); err != nil {
		return nil, err
	}
	return out, nil
}

// named leaves out of a mutant what List and Sample may say differently of it.
func (m Mutant) named() Mutant {
	if m.Operator == Override {
		m.Operator = Remove
	}
	return m
}

// scanFor lists the mutants of the member that a mutant is about, and returns the number of the member.
func (s *scan) scanFor(m Mutant) (int, error) {
	if s.name != m.Class {
		return 0, fmt.Errorf("%w: it is %s", ErrNoMutant, classfile.Text(s.name))
	}
	if m.Operator == ConstantValue {
		for i := range s.class.Fields {
			if name, desc := s.class.MemberName(&s.class.Fields[i]); fieldName(name, desc) == m.Method {
				return i, s.field(i)
			}
		}
		return 0, fmt.Errorf("%w: no such field", ErrNoMutant)
	}
	for i := range s.class.Methods {
		if name, desc := s.class.MemberName(&s.class.Methods[i]); name+desc == m.Method {
			return i, s.method(i)
		}
	}
	return 0, fmt.Errorf("%w: no such method", ErrNoMutant)
}

// make changes the class.
func (s *scan) make(i int, e edit) error {
	index := uint16(s.class.Pool.Len())
	for _, k := range e.constants {
		if _, err := s.class.Pool.Add(k); err != nil {
			return err
		}
	}
	switch {
	case e.value:
		s.class.Find(s.class.Fields[i].Attributes, "ConstantValue").Set(&classfile.ConstantValue{Value: index})
	case e.remove:
		s.class.Methods = slices.Delete(s.class.Methods, i, i+1)
	case e.whole:
		*s.code = classfile.Code{MaxStack: max(s.code.MaxStack, 2), MaxLocals: s.code.MaxLocals, Bytes: e.code}
	default:
		s.code.Bytes = slices.Concat(s.code.Bytes[:e.at], e.code, s.code.Bytes[e.at+len(e.code):])
	}
	return nil
}

// differs makes sure that canon can tell two class files apart.
func differs(old, new []byte) error {
	a, err := meaning(old)
	if err != nil {
		return err
	}
	b, err := meaning(new)
	if err != nil {
		return err
	}
	if a == b {
		return errSame
	}
	return nil
}

// meaning is a digest of everything that canon says about a class alone.
func meaning(data []byte) (digest.Digest, error) {
	u, err := canon.Read(data)
	if err != nil {
		return digest.Unknown, err
	}
	c, err := canon.NewSet(u).Class(u.Name)
	if err != nil {
		return digest.Unknown, err
	}
	var b digest.Builder
	b.AddString(c.Name).Add(c.Shape[:])
	for _, m := range c.Methods {
		b.AddString(m.Name + m.Descriptor).Add(m.Body[:])
	}
	return b.Sum(), nil
}
