package mutate

import (
	"bytes"
	"errors"
	"testing"

	"winnow/internal/jvm/assemble"
	b "winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// FuzzList: an error comes with no result; what is listed prints, parses, applies, and can be read again.
func FuzzList(f *testing.F) {
	f.Add(built(f, "(I)I", func(c *assemble.Class, k *assemble.Code) {
		one := k.Label()
		k.Op(b.Iload0)
		k.Branch(b.Iflt, one)
		k.Constant(c.Double(1), true)
		k.Field(b.Putstatic, "p/A", "d", "D")
		k.Invoke(b.Invokestatic, classfile.Ref{Tag: classfile.TagMethodref, Class: "p/A", Name: "s", Descriptor: "()V"})
		k.Increment(0, 3)
		k.Mark(one)
		k.Frame([]assemble.Type{assemble.Integer}, nil)
		k.Op(b.Iload0)
		k.Table(1, one, one)
	}))
	f.Add(built(f, "()I", ops(b.Iconst1, b.Ireturn)))
	f.Fuzz(func(t *testing.T, class []byte) {
		copied := bytes.Clone(class)
		mutants, err := List(class)
		if err != nil {
			if mutants != nil {
				t.Errorf("error %v and %d mutants", err, len(mutants))
			}
			return
		}
		for _, m := range mutants[:min(20, len(mutants))] {
			if again, err := Parse(m.String()); err != nil || again != m {
				t.Errorf("%s came back as %+v, error %v", m, again, err)
			}
			data, err := m.Apply(class)
			if errors.Is(err, errSame) || errors.Is(err, ErrNoMutant) {
				t.Errorf("%s: %v", m, err)
			}
			if err != nil {
				continue // canon reads more of a class than List does
			}
			if _, err := classfile.Read(data); err != nil || bytes.Equal(data, class) {
				t.Errorf("%s: %v", m, err)
			}
		}
		if !bytes.Equal(class, copied) {
			t.Error("the class was changed")
		}
	})
}
