package table

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// Refs is what the bodies of a class name, with the names of the file.
type Refs struct {
	Class   string
	Methods []MethodRefs // in the order of the file; methods without code have none of it
}

// MethodRefs is what the body of one method names. It holds everything that the instructions and the bootstrap methods they lead to can make a JVM look up.
type MethodRefs struct {
	Name, Descriptor string
	// Classes are the classes named, those of the types of dynamic call sites included; elements stand for arrays. Sorted. Classes below java/ are left out: no class path can have one.
	Classes []string
	// Fields and Calls are in the order of the code, each once.
	Fields []FieldUse
	Calls  []Call
}

// A FieldUse is a field that a body reads or writes.
type FieldUse struct {
	Owner, Name, Descriptor string
	Static, Write           bool
	Handle                  bool // through a method handle
}

// op is the instruction that uses the field, or that the handle stands for.
func (f *FieldUse) op() bytecode.Op {
	switch {
	case f.Static && f.Write:
		return bytecode.Putstatic
	case f.Static:
		return bytecode.Getstatic
	case f.Write:
		return bytecode.Putfield
	}
	return bytecode.Getfield
}

// A Call is a method that a body calls, or of which it makes a method handle: a lambda, a method reference, a bootstrap method.
type Call struct {
	Op                      bytecode.Op // the instruction that calls, or that the handle stands for
	Owner, Name, Descriptor string
	Interface               bool // Owner is named as an interface
	Handle                  bool
}

// Method finds what a method names.
func (r *Refs) Method(name, descriptor string) (*MethodRefs, bool) {
	i := slices.IndexFunc(r.Methods, func(m MethodRefs) bool { return m.Name == name && m.Descriptor == descriptor })
	if i < 0 {
		return nil, false
	}
	return &r.Methods[i], true
}

// collect reads what the bodies of a class name.
func collect(file *classfile.Class) (*Refs, error) {
	r := &Refs{Class: file.Name()}
	boot, err := classfile.ValueOf[*classfile.BootstrapMethods](file, file.Attributes, "BootstrapMethods", classfile.InClass)
	if err != nil {
		return nil, err
	}
	for i := range file.Methods {
		name, desc := file.MemberName(&file.Methods[i])
		c := collector{pool: &file.Pool, boot: boot, out: MethodRefs{Name: name, Descriptor: desc}}
		code, err := file.Code(&file.Methods[i])
		if err == nil && code != nil {
			err = c.code(code)
		}
		if err != nil {
			return nil, fmt.Errorf("method %s%s: %w", classfile.Text(name), classfile.Text(desc), err)
		}
		slices.Sort(c.out.Classes)
		c.out.Classes = slices.Compact(c.out.Classes)
		r.Methods = append(r.Methods, c.out)
	}
	return r, nil
}

// A collector goes through one body.
type collector struct {
	pool  *classfile.Pool
	boot  *classfile.BootstrapMethods
	out   MethodRefs
	seen  map[constantUse]bool
	known map[any]bool // fields and calls that out has
}

// A constantUse is a constant with the operation that uses it: the same pair names the same things.
type constantUse struct {
	index uint16
	op    bytecode.Op
}

func (c *collector) code(code *classfile.Code) error {
	c.seen, c.known = map[constantUse]bool{}, map[any]bool{}
	var in bytecode.Instruction
	for pc := 0; pc < len(code.Bytes); pc += in.Len {
		if err := in.Decode(code.Bytes, pc); err != nil {
			return err
		}
		if !namesConstant(in.Op) {
			continue
		}
		if err := c.constant(uint16(in.Index), in.Op); err != nil {
			return fmt.Errorf("code at %d: %w", pc, err)
		}
	}
	for _, e := range code.Exceptions {
		if e.Catch == 0 {
			continue
		}
		if err := c.constant(e.Catch, bytecode.Nop); err != nil {
			return fmt.Errorf("exception table: %w", err)
		}
	}
	return nil
}

// namesConstant tells whether the index of an instruction is one of the constant pool.
func namesConstant(op bytecode.Op) bool {
	switch op {
	case bytecode.Ldc, bytecode.LdcW, bytecode.Ldc2W, bytecode.New, bytecode.Anewarray, bytecode.Multianewarray, bytecode.Checkcast, bytecode.Instanceof:
		return true
	}
	return op >= bytecode.Getstatic && op <= bytecode.Invokedynamic
}

// constant notes what a constant names. Op is the instruction that uses it, for fields and methods.
func (c *collector) constant(i uint16, op bytecode.Op) error {
	if c.seen[constantUse{i, op}] {
		return nil
	}
	c.seen[constantUse{i, op}] = true
	k := c.pool.At(i)
	switch k.Tag {
	case classfile.TagClass:
		name, _ := c.pool.Class(i)
		c.class(name)
	case classfile.TagMethodType:
		desc, _ := c.pool.UTF8(k.A)
		c.types(desc)
	case classfile.TagFieldref, classfile.TagMethodref, classfile.TagInterfaceMethodref:
		ref, _ := c.pool.Ref(i)
		c.member(ref, op, false)
	case classfile.TagMethodHandle:
		return c.handle(k)
	case classfile.TagDynamic, classfile.TagInvokeDynamic:
		_, desc, _ := c.pool.NameAndType(k.B)
		c.types(desc)
		return c.bootstrap(k.A)
	case classfile.TagNone, classfile.TagUtf8, classfile.TagNameAndType:
		return fmt.Errorf("constant %d of kind %s cannot be used", i, k.Tag)
	}
	return nil
}

func (c *collector) bootstrap(index uint16) error {
	if c.boot == nil || int(index) >= len(c.boot.Methods) {
		return fmt.Errorf("there is no bootstrap method %d", index)
	}
	m := &c.boot.Methods[index]
	if err := c.constant(m.Handle, bytecode.Nop); err != nil {
		return err
	}
	for _, arg := range m.Arguments {
		if err := c.constant(arg, bytecode.Nop); err != nil {
			return err
		}
	}
	return nil
}

// handleOps are the instructions that method handles stand for, by kind (JVMS 4.4.8).
var handleOps = [...]bytecode.Op{1: bytecode.Getfield, bytecode.Getstatic, bytecode.Putfield, bytecode.Putstatic, bytecode.Invokevirtual, bytecode.Invokestatic,
	bytecode.Invokespecial, bytecode.Invokespecial, bytecode.Invokeinterface}

func (c *collector) handle(k classfile.Constant) error {
	if k.A == 0 || int(k.A) >= len(handleOps) {
		return fmt.Errorf("method handle of kind %d", k.A)
	}
	ref, ok := c.pool.Ref(k.B)
	if !ok {
		return fmt.Errorf("constant %d is not a member", k.B)
	}
	c.member(ref, handleOps[k.A], true)
	return nil
}

func (c *collector) member(ref classfile.Ref, op bytecode.Op, handle bool) {
	c.class(ref.Class)
	if ref.Tag == classfile.TagFieldref {
		f := FieldUse{Owner: ref.Class, Name: ref.Name, Descriptor: ref.Descriptor, Handle: handle,
			Static: op == bytecode.Getstatic || op == bytecode.Putstatic, Write: op == bytecode.Putfield || op == bytecode.Putstatic}
		if !c.known[f] {
			c.known[f] = true
			c.out.Fields = append(c.out.Fields, f)
		}
		return
	}
	call := Call{Op: op, Owner: ref.Class, Name: ref.Name, Descriptor: ref.Descriptor, Interface: ref.Tag == classfile.TagInterfaceMethodref, Handle: handle}
	if !c.known[call] {
		c.known[call] = true
		c.out.Calls = append(c.out.Calls, call)
	}
}

// class notes a class, of an array the class of its elements.
func (c *collector) class(name string) {
	if strings.HasPrefix(name, "[") {
		c.types(name)
		return
	}
	if !strings.HasPrefix(name, "java/") {
		c.out.Classes = append(c.out.Classes, name)
	}
}

func (c *collector) types(desc string) {
	for start, end := range classesIn(desc) {
		c.class(desc[start:end])
	}
}
