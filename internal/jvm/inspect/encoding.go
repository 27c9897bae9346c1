package inspect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/internal/digest"
	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
)

// encodingDiff says in what two class files differ that have the same meaning.
func encodingDiff(o, n *file) ([]string, error) {
	x, err := o.class()
	if err != nil {
		return nil, err
	}
	y, err := n.class()
	if err != nil {
		return nil, err
	}
	out, err := leftOutDiff(x, y)
	if err != nil {
		return nil, err
	}
	switch before, after := constants(x), constants(y); {
	case slices.Equal(before, after):
	case slices.Equal(slices.Sorted(slices.Values(before)), slices.Sorted(slices.Values(after))):
		out = append(out, "order of constants")
	default:
		out = append(out, "constants")
	}
	if len(out) == 0 {
		out = []string{"layout of code or attributes"}
	}
	return out, nil
}

// leftOutDiff names the attributes that canon leaves out and whose contents differ.
func leftOutDiff(x, y *classfile.Class) ([]string, error) {
	before, err := leftOut(x)
	if err != nil {
		return nil, err
	}
	after, err := leftOut(y)
	if err != nil {
		return nil, err
	}
	names := maps.Clone(before)
	maps.Copy(names, after)
	var out []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if before[name] != after[name] {
			out = append(out, fmt.Sprintf("%s (%s)", name, canon.Attributes[name]))
		}
	}
	return out, nil
}

// leftOut digests, by name, the contents of all attributes that are not part of the meaning.
func leftOut(c *classfile.Class) (map[string]digest.Digest, error) {
	texts := map[string][]string{}
	err := eachAttribute(c, func(a *classfile.Attribute, where string) {
		name, _ := c.Pool.UTF8(a.Name)
		switch canon.Attributes[name] {
		case canon.Debug, canon.Derived, canon.Compiler:
			texts[name] = append(texts[name], where+"\x00"+contentText(c, a, where))
		}
	})
	out := map[string]digest.Digest{}
	for name, list := range texts {
		slices.Sort(list)
		out[name] = digest.OfString(strings.Join(list, "\x00"))
	}
	return out, err
}

// contentText is the content of an attribute without regard to where its constants are, as far as the attributes of javac go.
func contentText(c *classfile.Class, a *classfile.Attribute, where string) string {
	place := classfile.InCode
	if !strings.HasPrefix(where, "code ") {
		place = classfile.InClass
	}
	v, err := a.Value(&c.Pool, place)
	if err != nil {
		return string(a.Info) // canon does not read it either
	}
	switch v := v.(type) {
	case *classfile.SourceFile:
		s, _ := c.Pool.UTF8(v.Name)
		return s
	case *classfile.LocalVariableTable:
		return variablesText(c, v.Variables)
	case *classfile.LocalVariableTypeTable:
		return variablesText(c, v.Variables)
	}
	return string(a.Info)
}

func variablesText(c *classfile.Class, list []classfile.LocalVariable) string {
	var b strings.Builder
	for _, v := range list {
		name, _ := c.Pool.UTF8(v.Name)
		typ, _ := c.Pool.UTF8(v.Type)
		fmt.Fprintf(&b, "%d %d %d %q %q\n", v.Start, v.Length, v.Index, name, typ)
	}
	return b.String()
}

// constants are the constants of a pool, each written without indices.
func constants(c *classfile.Class) []string {
	p := &c.Pool
	out := make([]string, 0, p.Len())
	for i := 1; i < p.Len(); i++ {
		out = append(out, constantKey(p, uint16(i), 0))
	}
	return out
}

// constantKey writes a constant with what it refers to; constants refer to others a few steps deep at most.
func constantKey(p *classfile.Pool, i uint16, depth int) string {
	c := p.At(i)
	text := fmt.Sprintf("%s %q %x", c.Tag, c.Text, c.Bits)
	switch c.Tag {
	case classfile.TagMethodHandle:
		text += fmt.Sprint(" ", c.A, " ", constantKey(p, c.B, depth+1))
	case classfile.TagDynamic, classfile.TagInvokeDynamic:
		text += fmt.Sprint(" ", c.A, " ", constantKey(p, c.B, depth+1))
	default:
		for _, to := range [2]uint16{c.A, c.B} {
			if to != 0 && depth < 4 {
				text += " (" + constantKey(p, to, depth+1) + ")"
			}
		}
	}
	return text
}
