package lower

import (
	"errors"
	"fmt"

	"winnow/internal/jvm/assemble"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/semantics/minijvm"
)

// ErrNotLowerable is wrapped by the error about a program that has no form on a real JVM.
var ErrNotLowerable = errors.New("the program cannot be lowered")

// A Form says how a program is lowered. The zero value makes programs that can agree with the semantics.
type Form struct {
	// Bare leaves out the calls that come before an instruction and do as the small JVM does: a null or a failed cast is then found by the instruction itself. It is for showing the
	// differences.
	Bare bool
}

// Classes writes a program out as class files, by name, in the package with the given name. The program must be well-formed in the strength Missing.
func (f Form) Classes(p *minijvm.Program, pkg string) (map[string][]byte, error) {
	typing, err := minijvm.Verify(p, minijvm.Missing)
	if err != nil {
		return nil, err
	}
	if err := lowerable(p); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotLowerable, err)
	}
	l := &lowering{p: p, typing: typing, prefix: pkg + "/", bare: f.Bare}
	out := map[string][]byte{}
	for _, c := range own(p).All() {
		if out[l.class(c)], err = l.classFile(p.Class(c)); err != nil {
			return nil, err
		}
	}
	out[l.prefix+"Start"], err = l.start()
	return out, err
}

// own are the classes of a program that get class files, but for Start.
func own(p *minijvm.Program) minijvm.Set {
	s := p.Present() &^ minijvm.SetOf(minijvm.Start)
	for c := range builtIn {
		s &^= minijvm.SetOf(c)
	}
	return s
}

// lowerable says why a program cannot be lowered.
func lowerable(p *minijvm.Program) error {
	library := minijvm.NewProgram(p.Names)
	for c := range builtIn {
		if !p.Class(c).Equal(library.Class(c)) {
			return fmt.Errorf("it redefines %s", p.Names.Class(c))
		}
	}
	if p.Class(minijvm.Test) == nil {
		return errors.New("it has no class Test")
	}
	for _, c := range own(p).All() {
		if err := lowerableClass(p, p.Class(c)); err != nil {
			return fmt.Errorf("class %s: %w", p.Names.Class(c), err)
		}
	}
	return nil
}

func lowerableClass(p *minijvm.Program, c *minijvm.Class) error {
	names := []string{p.Names.Class(c.Name)}
	for _, f := range c.Fields {
		names = append(names, p.Names.Member(f.Name))
	}
	for i := range c.Methods {
		m := &c.Methods[i]
		names = append(names, p.Names.Member(m.Name))
		for _, h := range m.Handlers {
			if h.Depth != 0 {
				return fmt.Errorf("method %s has an exception handler that keeps %d values of the stack; a JVM keeps none", p.Names.Member(m.Name), h.Depth)
			}
		}
		for _, in := range m.Code {
			if in.Op == minijvm.Checkcast && in.C == minijvm.IncompatibleClassChangeError {
				return fmt.Errorf("method %s casts to IncompatibleClassChangeError, which has other subclasses in java.lang", p.Names.Member(m.Name))
			}
		}
	}
	for _, name := range names {
		if !plainName(name) {
			return fmt.Errorf("%q is no name for a class file", name)
		}
	}
	if c.Super != minijvm.Object && builtIn[c.Super] != "" {
		return fmt.Errorf("it extends %s, a class of java.lang", p.Names.Class(c.Super))
	}
	return nil
}

// A lowering writes one program.
type lowering struct {
	p      *minijvm.Program
	typing *minijvm.Typing
	prefix string
	bare   bool
}

const public = classfile.Flags(classfile.Public)

func (l *lowering) classFile(c *minijvm.Class) ([]byte, error) {
	super := errorClass
	if c.Super != minijvm.Object {
		super = l.class(c.Super)
	}
	out := assemble.New(assemble.Header{Access: public | classfile.Super, Name: l.class(c.Name), Super: super})
	addConstructor(out, super)
	for _, f := range c.Fields {
		out.AddField(access(f.Static), l.member(f.Name), l.descriptor(f.Type))
	}
	for i := range c.Methods {
		m := &c.Methods[i]
		code, err := l.code(out, c, m)
		if err != nil {
			return nil, err
		}
		out.AddMethod(access(m.Static), l.member(m.Name), l.signature(m), code)
	}
	return out.Bytes()
}

func access(static bool) classfile.Flags {
	if static {
		return public | classfile.Static
	}
	return public
}

// addConstructor adds what every class has: New runs it, and there is nothing in it.
func addConstructor(c *assemble.Class, super string) {
	k := c.Code()
	k.Op(bytecode.Aload0)
	k.Invoke(bytecode.Invokespecial, method(super, "<init>", "()V"))
	k.Op(bytecode.Return)
	c.AddMethod(public, "<init>", "()V", k)
}

func method(class, name, descriptor string) classfile.Ref {
	return classfile.Ref{Tag: classfile.TagMethodref, Class: class, Name: name, Descriptor: descriptor}
}

// start is the class that runs the test. It names no class but Test, so that nothing is collected on its account.
func (l *lowering) start() ([]byte, error) {
	c := assemble.New(assemble.Header{Access: public | classfile.Super, Name: l.prefix + "Start", Super: testCase})
	addConstructor(c, testCase)
	k := c.Code()
	k.Invoke(bytecode.Invokestatic, method(l.class(minijvm.Test), l.member(minijvm.Main), "()V"))
	k.Op(bytecode.Return)
	c.AddMethod(public, startMethod, "()V", k)
	return c.Bytes()
}
