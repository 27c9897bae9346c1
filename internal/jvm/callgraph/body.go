package callgraph

import (
	"fmt"
	"strings"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/observed"
)

// A site is what a body does that can make other methods run. Equal sites have equal callees, so that From is there only where the calling class matters.
type site struct {
	Op   bytecode.Op // of handles, the instruction that they stand for; invokedynamic: an instance of Ref.Class is made
	Ref  classfile.Ref
	From string // of invokespecial
}

// A body is what one method does, each site once, in the order of the code.
type body struct {
	method observed.Method
	sites  []site
}

// read finds the bodies of a class.
func read(file *classfile.Class) ([]body, error) {
	boot, err := classfile.ValueOf[*classfile.BootstrapMethods](file, file.Attributes, "BootstrapMethods", classfile.InClass)
	if err != nil {
		return nil, err
	}
	var out []body
	for i := range file.Methods {
		name, descriptor := file.MemberName(&file.Methods[i])
		r := reader{file: file, boot: boot, seen: map[site]bool{}, busy: map[uint16]bool{}}
		code, err := file.Code(&file.Methods[i])
		if err == nil && code != nil {
			err = r.code(code.Bytes)
		}
		if err != nil {
			return nil, fmt.Errorf("class %s: method %s%s: %w", classfile.Text(file.Name()), classfile.Text(name), classfile.Text(descriptor), err)
		}
		out = append(out, body{observed.Method{Class: file.Name(), Name: name, Descriptor: descriptor}, r.sites})
	}
	return out, nil
}

// A reader goes through one body.
type reader struct {
	file  *classfile.Class
	boot  *classfile.BootstrapMethods
	sites []site
	seen  map[site]bool
	busy  map[uint16]bool // dynamic constants that were followed: they may refer to each other
}

func (r *reader) code(code []byte) error {
	var in bytecode.Instruction
	for pc := 0; pc < len(code); pc += in.Len {
		err := error(nil)
		if err = in.Decode(code, pc); err != nil {
			return err
		}
		switch in.Op {
		case bytecode.New:
			name, _ := r.file.Pool.Class(uint16(in.Index))
			r.add(site{Op: in.Op, Ref: classfile.Ref{Class: name}})
		case bytecode.Ldc, bytecode.LdcW, bytecode.Ldc2W, bytecode.Invokedynamic:
			err = r.constant(uint16(in.Index))
		case bytecode.Getstatic, bytecode.Putstatic, bytecode.Invokevirtual, bytecode.Invokespecial, bytecode.Invokestatic, bytecode.Invokeinterface:
			err = r.member(in.Op, uint16(in.Index))
		}
		if err != nil {
			return fmt.Errorf("code at %d: %w", pc, err)
		}
	}
	return nil
}

func (r *reader) add(s site) {
	if !r.seen[s] {
		r.seen[s] = true
		r.sites = append(r.sites, s)
	}
}

func (r *reader) member(op bytecode.Op, index uint16) error {
	ref, ok := r.file.Pool.Ref(index)
	if !ok {
		return fmt.Errorf("constant %d is not a member", index)
	}
	s := site{Op: op, Ref: ref}
	if op == bytecode.Invokespecial {
		s.From = r.file.Name()
	}
	r.add(s)
	return nil
}

// constant follows what loading a constant, or linking a dynamic call site, makes run.
func (r *reader) constant(index uint16) error {
	k := r.file.Pool.At(index)
	switch k.Tag {
	case classfile.TagMethodHandle:
		return r.handle(k)
	case classfile.TagDynamic, classfile.TagInvokeDynamic:
		if r.busy[index] {
			return nil
		}
		r.busy[index] = true
		_, descriptor, _ := r.file.Pool.NameAndType(k.B)
		r.made(descriptor)
		return r.bootstrap(k.A)
	}
	return nil
}

// made notes that a dynamic call site may give an instance of a class that is made at run time.
func (r *reader) made(descriptor string) {
	result := descriptor[strings.LastIndexByte(descriptor, ')')+1:]
	if name, ok := strings.CutPrefix(result, "L"); ok {
		r.add(site{Op: bytecode.Invokedynamic, Ref: classfile.Ref{Class: strings.TrimSuffix(name, ";")}})
	}
}

func (r *reader) bootstrap(index uint16) error {
	if r.boot == nil || int(index) >= len(r.boot.Methods) {
		return fmt.Errorf("there is no bootstrap method %d", index)
	}
	m := &r.boot.Methods[index]
	for _, i := range append([]uint16{m.Handle}, m.Arguments...) {
		if err := r.constant(i); err != nil {
			return err
		}
	}
	return nil
}

// handleOps are the instructions that method handles stand for, by kind (JVMS 4.4.8). Instance fields lead nowhere.
var handleOps = [...]bytecode.Op{2: bytecode.Getstatic, 4: bytecode.Putstatic, 5: bytecode.Invokevirtual, bytecode.Invokestatic, bytecode.Invokespecial,
	bytecode.New, bytecode.Invokeinterface}

func (r *reader) handle(k classfile.Constant) error {
	if int(k.A) >= len(handleOps) {
		return fmt.Errorf("method handle of kind %d", k.A)
	}
	op := handleOps[k.A]
	if op == bytecode.New { // an instance is made and its constructor called
		ref, _ := r.file.Pool.Ref(k.B)
		r.add(site{Op: bytecode.New, Ref: classfile.Ref{Class: ref.Class}})
		op = bytecode.Invokespecial
	}
	if op == bytecode.Nop {
		return nil
	}
	return r.member(op, k.B)
}
