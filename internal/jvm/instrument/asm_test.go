package instrument

import (
	"strconv"
	"strings"
	"testing"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// An assembler makes class files that no compiler would.
type assembler struct {
	t testing.TB
	classfile.Class
}

// assemble starts a public class that extends Object.
func assemble(t testing.TB, major int, name string) *assembler {
	a := &assembler{t: t}
	a.Major, a.Access = uint16(major), classfile.Public|classfile.Super
	a.This, a.Super = a.class(name), a.class("java/lang/Object")
	return a
}

func (a *assembler) add(c classfile.Constant) uint16 {
	i, err := a.Pool.Add(c)
	if err != nil {
		a.t.Fatal(err)
	}
	return i
}

func (a *assembler) utf8(s string) uint16 {
	return a.add(classfile.Constant{Tag: classfile.TagUtf8, Text: s})
}

func (a *assembler) class(name string) uint16 {
	return a.add(classfile.Constant{Tag: classfile.TagClass, A: a.utf8(name)})
}

// ref adds a reference of the form "owner.name:descriptor"; one with parentheses is a method's.
func (a *assembler) ref(s string) uint16 {
	owner, rest, _ := strings.Cut(s, ".")
	name, descriptor, _ := strings.Cut(rest, ":")
	tag := classfile.TagFieldref
	if strings.HasPrefix(descriptor, "(") {
		tag = classfile.TagMethodref
	}
	both := a.add(classfile.Constant{Tag: classfile.TagNameAndType, A: a.utf8(name), B: a.utf8(descriptor)})
	return a.add(classfile.Constant{Tag: tag, A: a.class(owner), B: both})
}

// A handler is a row of an exception table, in labels.
type handler struct{ start, end, handler string }

// method adds a public static method. Its code is one instruction a line, labels in front with a colon. Frames are added as same_frame at the labels in
// frames, or as given in tables.
func (a *assembler) method(name, descriptor, code string, handlers []handler, frames ...string) *classfile.Code {
	a.t.Helper()
	bytes, labels := a.code(code)
	c := &classfile.Code{MaxStack: 4, MaxLocals: 4, Bytes: bytes}
	for _, h := range handlers {
		c.Exceptions = append(c.Exceptions, classfile.Exception{Start: uint16(labels[h.start]), End: uint16(labels[h.end]), Handler: uint16(labels[h.handler])})
	}
	if len(frames) > 0 {
		table := &classfile.StackMapTable{}
		before := -1
		for _, label := range frames {
			delta := labels[label] - before - 1
			before = labels[label]
			table.Frames = append(table.Frames, classfile.Frame{Kind: classfile.SameExtended, Delta: uint16(delta)})
		}
		a.attribute(c, "StackMapTable", table)
	}
	attr := classfile.Attribute{Name: a.utf8("Code")}
	attr.Set(c)
	a.Methods = append(a.Methods, classfile.Member{Access: classfile.Public | classfile.Static, Name: a.utf8(name), Descriptor: a.utf8(descriptor),
		Attributes: []classfile.Attribute{attr}})
	return c
}

func (a *assembler) attribute(c *classfile.Code, name string, v classfile.Value) {
	attr := classfile.Attribute{Name: a.utf8(name)}
	attr.Set(v)
	c.Attributes = append(c.Attributes, attr)
}

// run adds the method that the judge calls: it returns the text of what f() returns.
func (a *assembler) run() *assembler {
	a.t.Helper()
	a.method("run", "()Ljava/lang/String;", "invokestatic "+a.Name()+".f:()I\n invokestatic java/lang/String.valueOf:(I)Ljava/lang/String;\n areturn", nil)
	return a
}

// bytes is the class file.
func (a *assembler) bytes() []byte { return a.Append(nil) }

var mnemonics = func() map[string]bytecode.Op {
	m := map[string]bytecode.Op{}
	for i := range 256 {
		if op := bytecode.Op(i); op.Known() {
			m[op.String()] = op
		}
	}
	return m
}()

// code assembles instructions twice: the first time for the labels.
func (a *assembler) code(text string) ([]byte, map[string]int) {
	labels := map[string]int{}
	refs := map[string]uint16{}
	var out []byte
	for range 2 {
		out = nil
		for line := range strings.Lines(text) {
			fields := strings.Fields(line)
			for len(fields) > 0 && strings.HasSuffix(fields[0], ":") {
				labels[strings.TrimSuffix(fields[0], ":")] = len(out)
				fields = fields[1:]
			}
			if len(fields) > 0 {
				out = a.instruction(out, fields[0], fields[1:], labels, refs)
			}
		}
	}
	labels["end"] = len(out)
	return out, labels
}

func (a *assembler) instruction(out []byte, name string, args []string, labels map[string]int, refs map[string]uint16) []byte {
	pc := len(out)
	if name == "nops" {
		n, _ := strconv.Atoi(args[0])
		return append(out, make([]byte, n)...)
	}
	op, ok := mnemonics[name]
	if !ok {
		a.t.Fatalf("no instruction %q", name)
	}
	out = append(out, byte(op))
	switch op.Format() {
	case bytecode.None:
		return out
	case bytecode.Byte, bytecode.Local, bytecode.Short:
		n, err := strconv.Atoi(args[0])
		if err != nil {
			a.t.Fatal(err)
		}
		if op.Format() == bytecode.Short {
			return put2(out, n)
		}
		return append(out, byte(n))
	case bytecode.Pool2:
		if refs[args[0]] == 0 {
			refs[args[0]] = a.operand(args[0])
		}
		return put2(out, int(refs[args[0]]))
	case bytecode.Branch2:
		return put2(out, labels[args[0]]-pc)
	case bytecode.Branch4:
		return put4(out, labels[args[0]]-pc)
	case bytecode.TableSwitch: // low, default, cases
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
		low, _ := strconv.Atoi(args[0])
		out = put4(put4(put4(out, labels[args[1]]-pc), low), low+len(args)-3)
		for _, label := range args[2:] {
			out = put4(out, labels[label]-pc)
		}
		return out
	}
	a.t.Fatalf("%s is not supported", name)
	return nil
}

func (a *assembler) operand(s string) uint16 {
	if strings.Contains(s, ":") {
		return a.ref(s)
	}
	return a.class(s)
}
