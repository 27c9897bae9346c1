package state

import (
	"fmt"
	"slices"
	"strings"

	"winnow/internal/jvm/classfile"
)

// A Declared is an annotation of a class or of one of its methods that there is at run time.
type Declared struct {
	On      string   // name and descriptor of the method; "" for the class
	Type    string   // descriptor of the annotation
	Text    string   // the annotation with its values
	Classes []string // descriptors of the classes among its values
}

// ReadDeclared lists the annotations in a class file.
func ReadDeclared(data []byte) ([]Declared, error) {
	class, err := classfile.Decode(data)
	if err != nil {
		return nil, err
	}
	var out []Declared
	add := func(on string, attributes []classfile.Attribute, in classfile.Place) error {
		v, err := classfile.ValueOf[*classfile.Annotations](class, attributes, "RuntimeVisibleAnnotations", in)
		if v == nil || err != nil {
			return err
		}
		for i := range v.List {
			typ, _ := class.Pool.UTF8(v.List[i].Type)
			d := Declared{On: on, Type: typ}
			d.Text = d.annotation(class, &v.List[i])
			out = append(out, d)
		}
		return nil
	}
	if err := add("", class.Attributes, classfile.InClass); err != nil {
		return nil, err
	}
	for i := range class.Methods {
		name, descriptor := class.MemberName(&class.Methods[i])
		if err := add(name+descriptor, class.Methods[i].Attributes, classfile.InMethod); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// annotation is an annotation in words.
func (d *Declared) annotation(class *classfile.Class, a *classfile.AnnotationUse) string {
	typ, _ := class.Pool.UTF8(a.Type)
	var pairs []string
	for i := range a.Pairs {
		name, _ := class.Pool.UTF8(a.Pairs[i].Name)
		pairs = append(pairs, name+"="+d.value(class, &a.Pairs[i].Value))
	}
	slices.Sort(pairs)
	return typ + "(" + strings.Join(pairs, ", ") + ")"
}

func (d *Declared) value(class *classfile.Class, v *classfile.ElementValue) string {
	text, _ := class.Pool.UTF8(v.Const)
	switch v.Tag {
	case 's':
		return fmt.Sprintf("%q", text)
	case 'c':
		d.Classes = append(d.Classes, text)
		return text
	case 'e':
		name, _ := class.Pool.UTF8(v.Name)
		return text + name
	case '@':
		return d.annotation(class, v.Annotation)
	case '[':
		var all []string
		for i := range v.Array {
			all = append(all, d.value(class, &v.Array[i]))
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	return fmt.Sprint(class.Pool.At(v.Const).Bits)
}
