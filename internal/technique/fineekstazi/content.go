package fineekstazi

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/observed"
)

// A content is what is compared of a class.
type content struct {
	name     string
	checksum digest.Digest
	fields   map[string]bool // name, descriptor and constant value
	// By name and descriptor, the digests of texts.
	constructors, instance, static map[string]digest.Digest
}

// contentOf takes what is compared from a class.
func contentOf(c *observed.Class) (*content, error) {
	out := &content{name: c.Name, checksum: c.Checksum, fields: map[string]bool{}}
	out.constructors, out.instance, out.static = map[string]digest.Digest{}, map[string]digest.Digest{}, map[string]digest.Digest{}
	for i := range c.File.Fields {
		text, err := fieldText(c.File, &c.File.Fields[i])
		if err != nil {
			return nil, fmt.Errorf("class %s: %w", c.Name, err)
		}
		out.fields[text] = true
	}
	for i := range c.File.Methods {
		m := &c.File.Methods[i]
		name, descriptor := c.File.MemberName(m)
		text, err := methodText(c.File, m)
		if err != nil {
			return nil, fmt.Errorf("class %s, method %s: %w", c.Name, name, err)
		}
		switch key := name + descriptor; {
		case name == "<init>" || name == "<clinit>":
			sorted := []byte(text)
			slices.Sort(sorted)
			out.constructors[key] = digest.Of(sorted)
		case m.Access&classfile.Static != 0:
			out.static[key] = digest.OfString(text)
		default:
			out.instance[key] = digest.OfString(text)
		}
	}
	return out, nil
}

func fieldText(file *classfile.Class, m *classfile.Member) (string, error) {
	name, descriptor := file.MemberName(m)
	v, err := classfile.ValueOf[*classfile.ConstantValue](file, m.Attributes, "ConstantValue", classfile.InField)
	if err != nil || v == nil {
		return name + descriptor, err
	}
	return name + descriptor + constantText(&file.Pool, v.Value), nil
}

// methodText writes down the instructions of a method with their constants; targets of branches as numbers of instructions.
func methodText(file *classfile.Class, m *classfile.Member) (string, error) {
	code, err := file.Code(m)
	if err != nil || code == nil {
		return "", err
	}
	ins, at, err := decode(code.Bytes)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i := range ins {
		writeInstruction(&b, &file.Pool, &ins[i], at)
	}
	for _, x := range code.Exceptions {
		catch, _ := file.Pool.Class(x.Catch)
		fmt.Fprintf(&b, "try %d %d %d %s\n", at[int(x.Start)], at[int(x.End)], at[int(x.Handler)], catch)
	}
	return b.String(), nil
}

// decode reads the instructions, and the number of each by its offset.
func decode(code []byte) ([]bytecode.Instruction, map[int]int, error) {
	var out []bytecode.Instruction
	at := map[int]int{}
	var in bytecode.Instruction
	for pc := 0; pc < len(code); pc += in.Len {
		if err := in.Decode(code, pc); err != nil {
			return nil, nil, err
		}
		at[pc] = len(out)
		out = append(out, in)
	}
	at[len(code)] = len(out)
	return out, at, nil
}

func writeInstruction(b *strings.Builder, pool *classfile.Pool, in *bytecode.Instruction, at map[int]int) {
	b.WriteString(in.Op.String())
	switch in.Op.Format() {
	case bytecode.Pool1, bytecode.Pool2, bytecode.Interface, bytecode.Dynamic, bytecode.MultiArray:
		fmt.Fprintf(b, " %s %d", constantText(pool, uint16(in.Index)), in.Value)
	case bytecode.Branch2, bytecode.Branch4:
		fmt.Fprintf(b, " %d", at[in.Target])
	case bytecode.TableSwitch, bytecode.LookupSwitch:
		for i := range in.Cases {
			key, target := in.Case(i)
			fmt.Fprintf(b, " %d:%d", key, at[target])
		}
		fmt.Fprintf(b, " %d", at[in.Target])
	default:
		fmt.Fprintf(b, " %d %d", in.Index, in.Value)
	}
	b.WriteByte('\n')
}

// constantText is what a constant says. Of dynamic ones it is name and type: the tool compares no more of them that numbers do not change.
func constantText(pool *classfile.Pool, index uint16) string {
	switch k := pool.At(index); k.Tag {
	case classfile.TagClass:
		name, _ := pool.Class(index)
		return name
	case classfile.TagString:
		text, _ := pool.String(index)
		return "\"" + text
	case classfile.TagFieldref, classfile.TagMethodref, classfile.TagInterfaceMethodref:
		r, _ := pool.Ref(index)
		return r.Class + "." + r.Name + r.Descriptor
	case classfile.TagDynamic, classfile.TagInvokeDynamic:
		name, descriptor, _ := pool.NameAndType(k.B)
		return name + descriptor
	case classfile.TagMethodHandle:
		return constantText(pool, k.B)
	case classfile.TagMethodType:
		text, _ := pool.UTF8(k.A)
		return text
	default:
		return fmt.Sprint(k.Bits)
	}
}

// differs tells whether a class counts as changed; related, whether it has a superclass other than Object, or a subclass.
func (c *content) differs(now *content, related bool) bool {
	return fieldsDiffer(c.fields, now.fields) || !maps.Equal(c.constructors, now.constructors) ||
		c.methodsDiffer(c.instance, now.instance, related) || c.methodsDiffer(c.static, now.static, related)
}

// fieldsDiffer tells whether a field is gone and another is new.
func fieldsDiffer(old, now map[string]bool) bool {
	lacks := func(a, b map[string]bool) bool {
		for f := range a {
			if !b[f] {
				return true
			}
		}
		return false
	}
	return lacks(old, now) && lacks(now, old)
}

// pair drops the methods that are the same in both, and those of which only the name or descriptor is another, and returns those with another body.
func pair(old, now map[string]digest.Digest) (changed, gone, added []string) {
	left, right := maps.Clone(old), maps.Clone(now)
	for _, key := range slices.Sorted(maps.Keys(old)) {
		if body, ok := right[key]; ok {
			if !body.Same(left[key]) {
				changed = append(changed, key)
			}
			delete(left, key)
			delete(right, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		for _, other := range slices.Sorted(maps.Keys(right)) {
			if left[key].Same(right[other]) {
				delete(left, key)
				delete(right, other)
				break
			}
		}
	}
	return changed, slices.Sorted(maps.Keys(left)), slices.Sorted(maps.Keys(right))
}

func (c *content) methodsDiffer(old, now map[string]digest.Digest, related bool) bool {
	changed, gone, added := pair(old, now)
	switch {
	case len(changed) > 0:
		return true
	case len(gone) == 0 && len(added) == 0:
		return false
	case !related && (len(gone) == 0 || len(added) == 0):
		return likeTest(c.name) && len(added) > 0
	}
	return true
}

// likeTest tells whether the tool takes a class for a test.
func likeTest(name string) bool { return strings.Contains(name, "Test") }

// changed are the methods that changed.
func (c *content) changed(now *content) []node {
	var out []node
	for _, of := range [][2]map[string]digest.Digest{{c.instance, now.instance}, {c.static, now.static}, {c.constructors, now.constructors}} {
		changed, _, added := pair(of[0], of[1])
		if top, _, _ := strings.Cut(c.name, "$"); likeTest(top) {
			changed = append(changed, added...)
		}
		for _, key := range changed {
			out = append(out, node{c.name, withoutResult(key)})
		}
	}
	return out
}

// withoutResult cuts a name with a descriptor behind the parameters.
func withoutResult(key string) string { return key[:strings.IndexByte(key, ')')+1] }
