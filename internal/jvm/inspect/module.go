package inspect

import (
	"fmt"
	"strings"

	"winnow/internal/jvm/classfile"
)

func (t *teller) module() error {
	for i := range t.c.Attributes {
		a := &t.c.Attributes[i]
		if !strings.HasPrefix(t.text(a.Name), "Module") {
			continue
		}
		v, err := a.Value(&t.c.Pool, classfile.InClass)
		if err != nil {
			return err
		}
		t.moduleAttribute(v)
	}
	return nil
}

func (t *teller) moduleAttribute(v classfile.Value) {
	switch v := v.(type) {
	case *classfile.ModuleDescriptor:
		t.descriptor(v)
	case *classfile.ModulePackages:
		names := t.constants(v.Packages)
		for _, name := range names {
			t.tell("package "+name, "")
		}
		t.orderOf("packages", names)
	case *classfile.ModuleMainClass:
		t.tell("main class", t.constant(v.Class))
	case *classfile.ModuleTarget:
		t.tell("platform", t.constant(v.Platform))
	case *classfile.ModuleResolution:
		t.tell("resolution", fmt.Sprintf("%#x", v.Access))
	case *classfile.ModuleHashes:
		for _, m := range v.Modules {
			t.tell("hash of "+t.constant(m.Module), fmt.Sprintf("%s %x", t.constant(v.Algorithm), m.Hash))
		}
	}
}

func (t *teller) descriptor(m *classfile.ModuleDescriptor) {
	t.tell("module "+t.constant(m.Name), join(moduleFlags(m.Access, "open"), t.constant(m.Version)))
	var order []string
	tell := func(what, value string) {
		t.tell(what, value)
		order = append(order, what)
	}
	for _, r := range m.Requires {
		tell("requires "+t.constant(r.Module), join(moduleFlags(r.Access, "transitive"), t.constant(r.Version)))
	}
	for _, o := range m.Exports {
		tell("exports "+t.constant(o.Package), join(moduleFlags(o.Access, "0x20"), t.to(o.To)))
	}
	for _, o := range m.Opens {
		tell("opens "+t.constant(o.Package), join(moduleFlags(o.Access, "0x20"), t.to(o.To)))
	}
	for _, u := range t.constants(m.Uses) {
		tell("uses "+u, "")
	}
	for _, p := range m.Provides {
		tell("provides "+t.constant(p.Service), "with "+strings.Join(t.constants(p.With), ", "))
	}
	t.orderOf("directives", order)
}

func (t *teller) to(modules []uint16) string {
	if len(modules) == 0 {
		return ""
	}
	return "to " + strings.Join(t.constants(modules), ", ")
}

// moduleFlags are the flags of a module, a dependence or an opening in words (JVMS 4.7.25); bit is what 0x0020 means there.
func moduleFlags(f classfile.Flags, bit string) string {
	var words []string
	for _, x := range []struct {
		bit  classfile.Flags
		word string
	}{{classfile.Open, bit}, {classfile.StaticPhase, "static"}, {classfile.Synthetic, "synthetic"}, {classfile.Mandated, "mandated"}} {
		if f&x.bit != 0 {
			words = append(words, x.word)
			f &^= x.bit
		}
	}
	if f != 0 {
		words = append(words, fmt.Sprintf("%#x", uint16(f)))
	}
	return strings.Join(words, " ")
}

// constant is the text of a constant that has a name: a module, a package, a class, a text; "" for none.
func (t *teller) constant(index uint16) string {
	c := t.c.Pool.At(index)
	switch c.Tag {
	case classfile.TagNone:
		return ""
	case classfile.TagUtf8:
		return classfile.Text(c.Text)
	}
	return dotted(t.text(c.A))
}

func (t *teller) constants(indices []uint16) []string {
	out := make([]string, len(indices))
	for i, index := range indices {
		out[i] = t.constant(index)
	}
	return out
}
