package collected

import (
	"errors"
	"fmt"
	"strings"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/cfg"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/observed"
)

// A Use is a place in a body that makes a JVM look at a class.
type Use struct {
	PC    int
	Op    bytecode.Op   // invokedynamic and ldc also for what their bootstrap methods and handles name
	Class string        // internal name; the element's for arrays; "" if the element is primitive
	Ref   classfile.Ref // the member; its Name is "" if the use names a class only
}

// A body is what is known of the code of a method.
type body struct {
	uses  []Use
	graph *cfg.Graph
	file  *classfile.Class
	code  *classfile.Code
}

// errNoMethod says that a program has no such method.
var errNoMethod = errors.New("there is no such method")

func (r *Reader) body(m observed.Method) (*body, error) {
	if b, ok := r.bodies[m]; ok {
		return b, nil
	}
	b, err := r.read(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m, err)
	}
	r.bodies[m] = b
	return b, nil
}

func (r *Reader) read(m observed.Method) (*body, error) {
	class := r.program.Class(m.Class)
	if class == nil {
		return nil, errNoMethod
	}
	for i := range class.File.Methods {
		member := &class.File.Methods[i]
		if name, descriptor := class.File.MemberName(member); name != m.Name || descriptor != m.Descriptor {
			continue
		}
		code, err := class.File.Code(member)
		if err != nil || code == nil {
			return &body{}, err
		}
		uses, err := usesOf(class.File, code)
		return &body{uses: uses, file: class.File, code: code}, err
	}
	return nil, errNoMethod
}

// usesOf reads the uses off a body, in the order of the code.
func usesOf(file *classfile.Class, code *classfile.Code) ([]Use, error) {
	c := collector{pool: &file.Pool}
	var err error
	if c.boot, err = classfile.ValueOf[*classfile.BootstrapMethods](file, file.Attributes, "BootstrapMethods", classfile.InClass); err != nil {
		return nil, err
	}
	var in bytecode.Instruction
	for pc := 0; pc < len(code.Bytes); pc += in.Len {
		if err := in.Decode(code.Bytes, pc); err != nil {
			return nil, err
		}
		switch in.Op.Format() {
		case bytecode.Pool1, bytecode.Pool2, bytecode.Interface, bytecode.Dynamic, bytecode.MultiArray:
			c.at = Use{PC: pc, Op: in.Op}
			c.constant(uint16(in.Index), 0)
		}
	}
	return c.uses, nil
}

// A collector goes through the constants that an instruction leads to.
type collector struct {
	pool *classfile.Pool
	boot *classfile.BootstrapMethods
	at   Use
	uses []Use
}

// deepest bounds how deep dynamic constants may be nested in arguments of others.
const deepest = 16

func (c *collector) constant(index uint16, depth int) {
	k := c.pool.At(index)
	switch k.Tag {
	case classfile.TagClass:
		name, _ := c.pool.Class(index)
		c.add(name, classfile.Ref{})
	case classfile.TagFieldref, classfile.TagMethodref, classfile.TagInterfaceMethodref:
		ref, _ := c.pool.Ref(index)
		c.add(ref.Class, ref)
	case classfile.TagMethodHandle:
		c.constant(k.B, depth)
	case classfile.TagDynamic, classfile.TagInvokeDynamic:
		if c.boot == nil || int(k.A) >= len(c.boot.Methods) || depth == deepest {
			return
		}
		method := &c.boot.Methods[k.A]
		c.constant(method.Handle, depth+1)
		for _, argument := range method.Arguments {
			c.constant(argument, depth+1)
		}
	}
}

func (c *collector) add(class string, ref classfile.Ref) {
	use := c.at
	use.Class, use.Ref = element(class), ref
	c.uses = append(c.uses, use)
}

// element is the class of the elements of an array, or the class itself.
func element(class string) string {
	if !strings.HasPrefix(class, "[") {
		return class
	}
	name, ok := strings.CutPrefix(strings.TrimLeft(class, "["), "L")
	if !ok {
		return ""
	}
	return strings.TrimSuffix(name, ";")
}

// Uses are the uses of a method that a trace covers: those in blocks that were run if the trace has the edges of the method, else all.
func (r *Reader) Uses(t *observed.Trace, m observed.Method) ([]Use, error) {
	b, err := r.body(m)
	if err != nil {
		return nil, err
	}
	edges, ok := t.Edges[m]
	if !t.Detailed || !ok || len(b.uses) == 0 {
		return b.uses, nil
	}
	if b.graph == nil {
		if b.graph, err = cfg.Of(b.file, b.code); err != nil {
			return nil, fmt.Errorf("%s: %w", m, err)
		}
	}
	return b.covered(m, edges)
}

// covered picks the uses in blocks that an edge leads to.
func (b *body) covered(m observed.Method, edges []int) ([]Use, error) {
	run := make([]bool, len(b.graph.Blocks))
	for _, e := range edges {
		if e < 0 || e >= len(b.graph.Edges) {
			return nil, fmt.Errorf("%s: edge %d was recorded, but it has %d", m, e, len(b.graph.Edges))
		}
		if to := b.graph.Edges[e].To; to >= 0 {
			run[to] = true
		}
	}
	var out []Use
	for _, u := range b.uses {
		if block := b.graph.Block(u.PC); block >= 0 && run[block] {
			out = append(out, u)
		}
	}
	return out, nil
}
