package starts

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/internal/jvm/classfile"
)

// references are the classes that a class refers to, sorted, itself left out.
func references(file *classfile.Class) ([]string, error) {
	n := namer{file: file, out: map[string]bool{}}
	n.pool()
	err := n.attributes(file.Attributes, classfile.InClass)
	for _, list := range [][]classfile.Member{file.Fields, file.Methods} {
		for i := range list {
			_, descriptor := file.MemberName(&list[i])
			n.types(descriptor)
			if err == nil {
				err = n.attributes(list[i].Attributes, classfile.InField|classfile.InMethod)
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("class %s: %w", classfile.Text(file.Name()), err)
	}
	delete(n.out, file.Name())
	return slices.Sorted(maps.Keys(n.out)), nil
}

// A namer collects the names of classes.
type namer struct {
	file *classfile.Class
	out  map[string]bool
}

// pool notes the classes of constants, and those in descriptors that they have.
func (n *namer) pool() {
	p := &n.file.Pool
	for i := range p.Len() {
		switch k := p.At(uint16(i)); k.Tag {
		case classfile.TagClass:
			name, _ := p.Class(uint16(i))
			n.class(name)
		case classfile.TagNameAndType:
			_, descriptor, _ := p.NameAndType(uint16(i))
			n.types(descriptor)
		case classfile.TagMethodType:
			descriptor, _ := p.UTF8(k.A)
			n.types(descriptor)
		}
	}
}

// class notes a class, of an array that of its elements.
func (n *namer) class(name string) {
	if strings.HasPrefix(name, "[") {
		n.types(name)
		return
	}
	n.out[name] = true
}

// types notes the classes in a descriptor or in a generic signature, of a member of a parameterized class the outer one.
func (n *namer) types(text string) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case 'L', 'T', '.': // a class, a type variable, a member of the class before
			end := strings.IndexAny(text[i:], ";<")
			if end < 0 {
				return
			}
			if text[i] == 'L' {
				n.out[text[i+1:i+end]] = true
			}
			i += end
		}
	}
}

// attributes notes the classes in the generic signature and in the types of visible annotations.
func (n *namer) attributes(list []classfile.Attribute, place classfile.Place) error {
	for i := range list {
		name, _ := n.file.Pool.UTF8(list[i].Name)
		switch name {
		case "Signature", "RuntimeVisibleAnnotations", "RuntimeVisibleParameterAnnotations":
		default:
			continue
		}
		v, err := list[i].Value(&n.file.Pool, place&classfile.Places(name))
		if err != nil {
			return err
		}
		n.value(v, place)
	}
	return nil
}

func (n *namer) value(v classfile.Value, place classfile.Place) {
	switch v := v.(type) {
	case *classfile.Signature:
		text, _ := n.file.Pool.UTF8(v.Text)
		if place == classfile.InClass {
			text = withoutParameters(text)
		}
		n.types(text)
	case *classfile.Annotations:
		n.annotations(v.List)
	case *classfile.ParameterAnnotations:
		for _, list := range v.Parameters {
			n.annotations(list)
		}
	}
}

func (n *namer) annotations(list []classfile.AnnotationUse) {
	for i := range list {
		descriptor, _ := n.file.Pool.UTF8(list[i].Type)
		n.types(descriptor)
	}
}

// withoutParameters cuts off the type parameters with which the generic signature of a class begins.
func withoutParameters(text string) string {
	if !strings.HasPrefix(text, "<") {
		return text
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '<':
			depth++
		case '>':
			depth--
		}
		if depth == 0 {
			return text[i+1:]
		}
	}
	return ""
}
