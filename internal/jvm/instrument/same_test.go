package instrument

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

// differences tells in which way a rewritten class is not the original plus what its result says. It shares no code with the rewriter: both classes are
// decoded, and where an instruction went is found by walking both codes side by side. The input must be one that classfile.Decode accepts.
func differences(original []byte, r *Result, s Scheme) error {
	a, err := classfile.Decode(original)
	if err != nil {
		return err
	}
	b, err := classfile.Decode(r.Bytes)
	if err != nil {
		return fmt.Errorf("the result: %w", err)
	}
	if a.Major != b.Major || a.Minor != b.Minor || a.Access != b.Access || a.This != b.This || a.Super != b.Super || !reflect.DeepEqual(a.Interfaces, b.Interfaces) {
		return fmt.Errorf("the class's own line differs")
	}
	for i := 1; i < a.Pool.Len(); i++ {
		if a.Pool.At(uint16(i)) != b.Pool.At(uint16(i)) {
			return fmt.Errorf("constant %d differs", i)
		}
	}
	if len(a.Fields) != len(b.Fields) || len(a.Methods) != len(b.Methods) {
		return fmt.Errorf("%d fields, %d methods; were %d, %d", len(b.Fields), len(b.Methods), len(a.Fields), len(a.Methods))
	}
	if err := sameAttributes(a.Attributes, b.Attributes); err != nil {
		return fmt.Errorf("class: %w", err)
	}
	for i := range a.Fields {
		if err := sameMember(&a.Fields[i], &b.Fields[i]); err != nil {
			return fmt.Errorf("field %d: %w", i, err)
		}
	}
	return sameMethods(a, b, r, s.withDefaults())
}

func sameMember(a, b *classfile.Member) error {
	if a.Access != b.Access || a.Name != b.Name || a.Descriptor != b.Descriptor {
		return fmt.Errorf("flags, name or descriptor differ")
	}
	return sameAttributes(a.Attributes, b.Attributes)
}

// sameAttributes compares everything but code.
func sameAttributes(a, b []classfile.Attribute) error {
	if len(a) != len(b) {
		return fmt.Errorf("%d attributes, were %d", len(b), len(a))
	}
	for i := range a {
		_, code := value(&a[i]).(*classfile.Code)
		if a[i].Name != b[i].Name || !code && !bytes.Equal(a[i].Info, b[i].Info) {
			return fmt.Errorf("attribute %d differs", i)
		}
	}
	return nil
}

// value is the decoded content of an attribute of a decoded class.
func value(a *classfile.Attribute) classfile.Value {
	v, err := a.Value(nil, 0)
	if err != nil {
		panic(err) // Decode has decoded everything
	}
	return v
}

func sameMethods(a, b *classfile.Class, r *Result, s Scheme) error {
	probes := map[int]*Probe{}
	for i := range r.Probes {
		probes[r.Probes[i].Method] = &r.Probes[i]
	}
	unprobed := map[int]bool{}
	for _, u := range r.Unprobed {
		unprobed[u.Method] = true
	}
	hooked, left := map[int]bool{}, map[int]string{}
	for _, h := range r.Hooked {
		hooked[h.Method] = true
		if s.Hooks[h.Hook].Leaving {
			left[h.Method] = s.Hooks[h.Hook].Target
		}
	}
	for i := range a.Methods {
		if err := sameMember(&a.Methods[i], &b.Methods[i]); err != nil {
			return fmt.Errorf("method %d: %w", i, err)
		}
		code, err := a.Code(&a.Methods[i])
		if err != nil {
			return err
		}
		if code == nil {
			continue
		}
		if !s.HooksOnly && (probes[i] != nil) == unprobed[i] {
			return fmt.Errorf("method %d has code and must have a probe or a reason", i)
		}
		c := comparison{old: a, new: b, s: s, result: r, probe: probes[i], hooked: hooked[i], left: left[i]}
		if err := c.method(i); err != nil {
			name, descriptor := a.MemberName(&a.Methods[i])
			return fmt.Errorf("%s%s: %w", name, descriptor, err)
		}
	}
	return nil
}

// A comparison is about one method.
type comparison struct {
	old, new *classfile.Class
	s        Scheme
	result   *Result
	probe    *Probe
	hooked   bool
	left     string      // what is called before each return, if not ""
	to       map[int]int // where the instruction at an offset went, its snippet included
	prologue int
}

func (c *comparison) method(i int) error {
	a, err := c.old.Code(&c.old.Methods[i])
	if err != nil {
		return err
	}
	b, err := c.new.Code(&c.new.Methods[i])
	if err != nil {
		return err
	}
	if c.probe == nil && !c.hooked {
		if !bytes.Equal(a.Append(nil), b.Append(nil)) {
			return fmt.Errorf("changed without a probe or hook")
		}
		return nil
	}
	if err := c.instructions(a, b); err != nil {
		return err
	}
	return c.tables(a, b)
}

// walk lists the instructions of a code; nil if they cannot be read.
func walk(code []byte) []bytecode.Instruction {
	var out []bytecode.Instruction
	for pc := 0; pc < len(code); {
		var in bytecode.Instruction
		if in.Decode(code, pc) != nil {
			return nil
		}
		out = append(out, in)
		pc += in.Len
	}
	return out
}

// instructions checks the prologue and compares what follows it.
func (c *comparison) instructions(a, b *classfile.Code) error {
	if (len(b.Bytes)-len(a.Bytes))%4 != 0 {
		return fmt.Errorf("%d bytes were inserted", len(b.Bytes)-len(a.Bytes))
	}
	if b.MaxLocals != a.MaxLocals || b.MaxStack < a.MaxStack || int(b.MaxStack) > max(int(a.MaxStack)+1, 3) && !c.hooked {
		return fmt.Errorf("stack %d and locals %d, were %d and %d", b.MaxStack, b.MaxLocals, a.MaxStack, a.MaxLocals)
	}
	olds, news := walk(a.Bytes), walk(b.Bytes)
	if olds == nil {
		c.prologue = len(b.Bytes) - len(a.Bytes)
		if !bytes.Equal(a.Bytes, b.Bytes[c.prologue:]) {
			return fmt.Errorf("code that cannot be read was changed")
		}
		return nil
	}
	if news == nil {
		return fmt.Errorf("the code cannot be read")
	}
	at, err := c.skipPrologue(news)
	if err != nil {
		return err
	}
	return c.sideBySide(olds, news[at:])
}

// skipPrologue finds the end of the prologue: an opening call if this is the initializer of a window, the probe, hooks.
func (c *comparison) skipPrologue(news []bytecode.Instruction) (int, error) {
	at := 0
	if c.probe != nil {
		if c.probe.Name == "<clinit>" && c.probe.Descriptor == "()V" && c.result.Window != LostWindow {
			if !c.isWindowCall(news[at:], c.s.InitEnter) {
				return 0, fmt.Errorf("the window is not opened")
			}
			at += 4
		}
		p := news[at:]
		field, _ := c.new.Pool.Ref(uint16(p[0].Index))
		want := classfile.Ref{Tag: classfile.TagFieldref, Class: c.s.Class, Name: c.s.Array, Descriptor: "[B"}
		if p[0].Op != bytecode.Getstatic || field != want || !c.isID(&p[1], c.probe.ID) || p[2].Op != bytecode.Iconst1 || p[3].Op != bytecode.Bastore {
			return 0, fmt.Errorf("the probe is not there")
		}
		at += 4
	}
	for c.hooked && at < len(news) && c.isHook(news, &at) {
	}
	c.prologue = news[at].PC
	return at, nil
}

func (c *comparison) isID(in *bytecode.Instruction, id int) bool {
	k := c.new.Pool.At(uint16(in.Index))
	return in.Op == bytecode.LdcW && k.Tag == classfile.TagInteger && int(k.Bits) == id
}

func (c *comparison) isWindowCall(p []bytecode.Instruction, name string) bool {
	if len(p) < 4 || !c.isID(&p[0], c.result.WindowID) || p[1].Op != bytecode.Invokestatic || p[2].Op != bytecode.Nop || p[3].Op != bytecode.Nop {
		return false
	}
	ref, _ := c.new.Pool.Ref(uint16(p[1].Index))
	return ref == classfile.Ref{Tag: classfile.TagMethodref, Class: c.s.Class, Name: name, Descriptor: "(I)V"}
}

// isLeavingCall tells whether six instructions are a call without parameters and padding.
func (c *comparison) isLeavingCall(p []bytecode.Instruction) bool {
	if len(p) < 6 || p[0].Op != bytecode.Invokestatic || slices.ContainsFunc(p[1:6], func(in bytecode.Instruction) bool { return in.Op != bytecode.Nop }) {
		return false
	}
	ref, _ := c.new.Pool.Ref(uint16(p[0].Index))
	return ref == classfile.Ref{Tag: classfile.TagMethodref, Class: c.s.Class, Name: c.left, Descriptor: "()V"}
}

// isHook passes over loads, a call of the probe class and padding.
func (c *comparison) isHook(news []bytecode.Instruction, at *int) bool {
	i := *at
	for i < len(news) && news[i].Op >= bytecode.Iload && news[i].Op <= bytecode.Aload3 {
		i++
	}
	if i == len(news) || news[i].Op != bytecode.Invokestatic {
		return false
	}
	if ref, _ := c.new.Pool.Ref(uint16(news[i].Index)); ref.Class != c.s.Class {
		return false
	}
	for i++; i < len(news) && news[i].PC%4 != 0; i++ {
	}
	*at = i
	return true
}

// sideBySide compares instructions and notes where each went.
func (c *comparison) sideBySide(olds, news []bytecode.Instruction) error {
	c.to = map[int]int{}
	whole := c.probe != nil && c.probe.Name == "<clinit>" && c.probe.Descriptor == "()V" && c.result.Window == WholeWindow
	k := 0
	pair := make([]*bytecode.Instruction, len(olds))
	for i := range olds {
		if k >= len(news) {
			return fmt.Errorf("instructions are missing")
		}
		c.to[olds[i].PC] = news[k].PC
		if c.left != "" && olds[i].Op.IsReturn() {
			if !c.isLeavingCall(news[k:]) {
				return fmt.Errorf("nothing is called before the return at %d", olds[i].PC)
			}
			k += 6
		}
		if whole && olds[i].Op.IsReturn() {
			if !c.isWindowCall(news[k:], c.s.InitExit) {
				return fmt.Errorf("the window is not closed before %d", olds[i].PC)
			}
			k += 4
		}
		if k >= len(news) {
			return fmt.Errorf("instructions are missing")
		}
		pair[i] = &news[k]
		k++
	}
	if k != len(news) {
		return fmt.Errorf("there are too many instructions")
	}
	last := &olds[len(olds)-1]
	c.to[last.PC+last.Len] = pair[len(pair)-1].PC + pair[len(pair)-1].Len
	for i := range olds {
		if err := c.sameInstruction(&olds[i], pair[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparison) sameInstruction(a, b *bytecode.Instruction) error {
	same := a.Op == b.Op && a.Wide == b.Wide && a.Len == b.Len && a.Index == b.Index && a.Value == b.Value && a.Low == b.Low && a.Cases == b.Cases
	f := a.Op.Format()
	jumps := f == bytecode.Branch2 || f == bytecode.Branch4 || f == bytecode.TableSwitch || f == bytecode.LookupSwitch
	if jumps && !c.went(a.Target, b.Target) {
		same = false
	}
	for i := 0; same && i < a.Cases; i++ {
		k, t := a.Case(i)
		l, u := b.Case(i)
		same = k == l && c.went(t, u)
	}
	if !same {
		return fmt.Errorf("the instruction at %d differs: %s, was %s", a.PC, b.Op, a.Op)
	}
	return nil
}

// went tells whether an offset was moved rightly. One that is not at an instruction means nothing, and is right anywhere.
func (c *comparison) went(from, to int) bool {
	want, ok := c.to[from]
	return !ok || want == to
}

func methodRow(t testing.TB, c classFile, method int) string {
	t.Helper()
	class, err := classfile.Read(c.data)
	if err != nil {
		t.Fatal(err)
	}
	name, descriptor := class.MemberName(&class.Methods[method])
	return row(c.name, name, descriptor)
}
