package callgraph

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/internal/digest"
	"winnow/internal/jvm/assemble"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/hierarchy"
	"winnow/internal/jvm/observed"
)

// A spec is a class as a generator thinks of it. Its text is a class per line: kind, name, supertypes; then methods with what their bodies do.
type spec struct {
	name       string
	access     classfile.Flags
	super      string
	interfaces []string
	methods    []methodSpec
}

type methodSpec struct {
	name   string
	access classfile.Flags
	does   []site
}

func (s *spec) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s extends %s implements %v\n", s.access.ClassText(), s.name, s.super, s.interfaces)
	for _, m := range s.methods {
		fmt.Fprintf(&b, "\t%s %s:", m.access.MethodText(), m.name)
		for _, d := range m.does {
			fmt.Fprintf(&b, " %s(%s.%s)", d.Op, d.Ref.Class, d.Ref.Name)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// assembled is the class file.
func (s *spec) assembled(t testing.TB) []byte {
	t.Helper()
	c := assemble.New(assemble.Header{Access: s.access, Name: s.name, Super: s.super, Interfaces: s.interfaces})
	c.AddField(classfile.Public|classfile.Static, "f", "I")
	for _, m := range s.methods {
		if m.access&classfile.Abstract != 0 {
			c.AddMethod(m.access, m.name, "()V", nil)
			continue
		}
		k := c.Code()
		for _, d := range m.does {
			emit(c, k, d)
		}
		k.Op(bytecode.Return)
		c.AddMethod(m.access, m.name, "()V", k)
	}
	data, err := c.Bytes()
	if err != nil {
		t.Fatalf("%v\n%s", err, s)
	}
	return data
}

// emit writes an instruction. Nothing is verified, so that null serves as every object.
func emit(c *assemble.Class, k *assemble.Code, d site) {
	switch d.Op {
	case bytecode.New:
		k.Class(bytecode.New, d.Ref.Class)
		k.Op(bytecode.Pop)
	case bytecode.Getstatic:
		k.Field(d.Op, d.Ref.Class, "f", "I")
		k.Op(bytecode.Pop)
	case bytecode.Invokestatic:
		k.Invoke(d.Op, d.Ref)
	case bytecode.Invokedynamic: // a lambda whose body is the method named
		metafactory := c.MethodHandle(6, classfile.Ref{Tag: classfile.TagMethodref, Class: "x/Base", Name: "s", Descriptor: "()V"})
		k.Dynamic(c.Bootstrap(metafactory, c.MethodHandle(6, d.Ref)), "m0", "()Lp/I0;")
		k.Op(bytecode.Pop)
	default:
		k.Op(bytecode.AconstNull)
		k.Invoke(d.Op, d.Ref)
	}
}

// An externals is a small library, in one of two versions.
type externals struct{ version int }

func (e externals) Lookup(name string) (*hierarchy.Class, error) {
	virtual, abstract := classfile.Public, classfile.Public|classfile.Abstract
	method := func(name string, access classfile.Flags) hierarchy.Member {
		return hierarchy.Member{Name: name, Descriptor: "()V", Access: access}
	}
	c := &hierarchy.Class{Name: name, Major: 52, Access: classfile.Public | classfile.Super, Super: "java/lang/Object"}
	switch name {
	case "java/lang/Object":
		c.Super = ""
		c.Methods = []hierarchy.Member{method("<init>", virtual), method("m0", virtual)}
	case "x/Base":
		c.Methods = []hierarchy.Member{method("<init>", virtual), method("m1", virtual), method("s", virtual|classfile.Static)}
		if e.version == 1 {
			c.Methods = append(c.Methods, method("m2", virtual))
			c.Interfaces = []string{"x/Face"}
		}
	case "x/Face":
		c.Access = classfile.Public | classfile.Interface | classfile.Abstract
		c.Methods = []hierarchy.Member{method("m2", abstract), method("m3", virtual)}
	default:
		return nil, hierarchy.ErrNotFound
	}
	return c, nil
}

func (e externals) Checksum(name string) digest.Digest {
	if _, err := e.Lookup(name); err != nil {
		return digest.Absent
	}
	if name == "x/Base" {
		return digest.OfString(fmt.Sprint(name, e.version))
	}
	return digest.OfString(name)
}

// A revision is the classes of a program by name, and the version of its library.
type revision struct {
	specs   map[string]*spec
	library int
}

func (r *revision) program(t testing.TB) *observed.Program {
	t.Helper()
	files := map[string][]byte{}
	for name, s := range r.specs {
		files[name] = s.assembled(t)
	}
	p, err := observed.NewProgram(files, externals{r.library})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (r *revision) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "library %d\n", r.library)
	for _, name := range slices.Sorted(maps.Keys(r.specs)) {
		b.WriteString(r.specs[name].String())
	}
	return b.String()
}

// clone is a copy whose classes can be replaced.
func (r *revision) clone() *revision { return &revision{maps.Clone(r.specs), r.library} }

// The names that a generator knows. Interfaces extend those with lower numbers, and so do classes.
const (
	interfaces = 3
	classes    = 6
)

func className(i int) string {
	if i < interfaces {
		return fmt.Sprintf("p/I%d", i)
	}
	return fmt.Sprintf("p/C%d", i-interfaces)
}

// A generator makes random classes.
type generator struct{ *rand.Rand }

func (g generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g generator) revision() *revision {
	r := &revision{specs: map[string]*spec{}}
	for i := range interfaces + classes {
		if g.chance(85) {
			s := g.class(i)
			r.specs[s.name] = s
		}
	}
	return r
}

// edit changes a revision: a class is another one, is gone, or the library is.
func (g generator) edit(r *revision) {
	if g.chance(10) {
		r.library = 1 - r.library
		return
	}
	i := g.IntN(interfaces + classes)
	if r.specs[className(i)] != nil && g.chance(20) {
		delete(r.specs, className(i))
		return
	}
	s := g.class(i)
	if was := r.specs[s.name]; was != nil && g.chance(50) { // only the bodies are others
		copied := *was
		copied.methods = slices.Clone(was.methods)
		for j := range copied.methods {
			copied.methods[j].does = g.does(s.name)
		}
		s = &copied
	}
	r.specs[s.name] = s
}

func (g generator) class(i int) *spec {
	s := &spec{name: className(i), access: classfile.Public | classfile.Super, super: "java/lang/Object"}
	if i < interfaces {
		s.access = classfile.Public | classfile.Interface | classfile.Abstract
	} else {
		if g.chance(25) {
			s.access |= classfile.Abstract
		}
		if above := i - interfaces; above > 0 && g.chance(70) {
			s.super = className(interfaces + g.IntN(above))
		} else if g.chance(40) {
			s.super = "x/Base"
		}
	}
	for j := range min(i, interfaces) {
		if g.chance(35) {
			s.interfaces = append(s.interfaces, className(j))
		}
	}
	if g.chance(20) {
		s.interfaces = append(s.interfaces, "x/Face")
	}
	s.methods = g.methods(s)
	return s
}

func (g generator) methods(s *spec) []methodSpec {
	var out []methodSpec
	for j := range 4 {
		m := methodSpec{name: fmt.Sprint("m", j), access: classfile.Public, does: g.does(s.name)}
		switch {
		case !g.chance(50):
			continue
		case s.access&classfile.Abstract != 0 && g.chance(50):
			m.access |= classfile.Abstract
		case g.chance(10):
			m.access = classfile.Private
		}
		out = append(out, m)
	}
	if g.chance(60) {
		out = append(out, methodSpec{name: "s", access: classfile.Public | classfile.Static, does: g.does(s.name)})
	}
	if g.chance(30) {
		out = append(out, methodSpec{name: "<clinit>", access: classfile.Static, does: g.does(s.name)})
	}
	if s.access&classfile.Interface == 0 {
		out = append(out, methodSpec{name: "<init>", access: classfile.Public, does: append(g.does(s.name),
			site{Op: bytecode.Invokespecial, Ref: classfile.Ref{Tag: classfile.TagMethodref, Class: s.super, Name: "<init>", Descriptor: "()V"}})})
	}
	return out
}

var ops = []bytecode.Op{bytecode.New, bytecode.Getstatic, bytecode.Invokestatic, bytecode.Invokespecial, bytecode.Invokedynamic, bytecode.Invokevirtual, bytecode.Invokevirtual,
	bytecode.Invokevirtual, bytecode.Invokeinterface, bytecode.Invokeinterface}

func (g generator) does(from string) []site {
	var out []site
	for range g.IntN(3) {
		i := g.IntN(interfaces + classes + 3)
		name := append([]string{"x/Base", "x/Face", "[Lp/C0;"}, from)[min(max(0, i-interfaces-classes), 3)]
		if i < interfaces+classes {
			name = className(i)
		}
		d := site{Op: ops[g.IntN(len(ops))], Ref: classfile.Ref{Tag: classfile.TagMethodref, Class: name, Name: fmt.Sprint("m", g.IntN(4)), Descriptor: "()V"}}
		switch d.Op {
		case bytecode.Invokestatic, bytecode.Invokedynamic:
			d.Ref.Name = "s"
		}
		if i < interfaces || name == "x/Face" {
			d.Ref.Tag = classfile.TagInterfaceMethodref
			if d.Op == bytecode.Invokevirtual {
				d.Op = bytecode.Invokeinterface
			}
		} else if d.Op == bytecode.Invokeinterface {
			d.Op = bytecode.Invokevirtual
		}
		out = append(out, d)
	}
	return out
}
