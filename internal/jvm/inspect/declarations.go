package inspect

import (
	"fmt"
	"strings"

	"winnow/internal/jvm/canon"
	"winnow/internal/jvm/classfile"
)

func (t *teller) declarations() error {
	return t.declaration("", t.c.Attributes, classfile.InClass)
}

func (t *teller) fieldDeclarations() error {
	for i := range t.c.Fields {
		m := &t.c.Fields[i]
		t.owner = "field " + t.fieldKey(m)
		if err := t.declaration(" of field "+t.fieldKey(m), m.Attributes, classfile.InField); err != nil {
			return err
		}
	}
	return nil
}

func (t *teller) methodDeclarations() error {
	for i := range t.c.Methods {
		m := &t.c.Methods[i]
		c := t.canonicalMethod(m)
		t.owner = c.Name + c.Descriptor
		of := " of " + methodText(classfile.Text(c.Name), classfile.Text(c.Descriptor))
		t.tell(flagsPrefix+strings.TrimPrefix(of, " of "), t.flagsOf(m.Access, m.Attributes).MethodText())
		if err := t.declaration(of, m.Attributes, classfile.InMethod); err != nil {
			return err
		}
	}
	return nil
}

// declaration tells what reflection shows of one element; of says which.
func (t *teller) declaration(of string, attributes []classfile.Attribute, place classfile.Place) error {
	for i := range attributes {
		name := t.text(attributes[i].Name)
		if canon.Attributes[name] != canon.Reflect {
			continue
		}
		v, err := attributes[i].Value(&t.c.Pool, place)
		if err != nil {
			return err
		}
		if err := t.declared(of, name, v); err != nil {
			return err
		}
	}
	return nil
}

func (t *teller) declared(of, attribute string, v classfile.Value) error {
	switch v := v.(type) {
	case *classfile.Signature:
		t.tell("generic signature"+of, t.text(v.Text))
	case *classfile.Exceptions:
		t.tell("declared exceptions"+of, strings.Join(t.classNames(v.Classes), ", "))
	case *classfile.MethodParameters:
		t.parameters(of, v)
	case *classfile.Record:
		return t.record(v)
	case *classfile.AnnotationDefault:
		t.tell("default"+of, t.element(&v.Value))
	case *classfile.Annotations:
		t.annotations(retention(attribute)+"annotation", of, v.List)
	case *classfile.ParameterAnnotations:
		for i, list := range v.Parameters {
			t.annotations(retention(attribute)+"annotation", fmt.Sprintf(" on parameter %d", i)+of, list)
		}
	case *classfile.TypeAnnotations:
		for i := range v.List {
			a := &v.List[i]
			where := fmt.Sprintf(" on a type (target %#x, info %x, path %x)", a.Target, a.TargetInfo, a.Path)
			t.annotations(retention(attribute)+"annotation", where+of, []classfile.AnnotationUse{a.Annotation})
		}
	}
	return nil
}

// retention is the word for annotations that a JVM does not show.
func retention(attribute string) string {
	if strings.HasPrefix(attribute, "RuntimeInvisible") {
		return "class-file "
	}
	return ""
}

func (t *teller) parameters(of string, v *classfile.MethodParameters) {
	var names []string
	for _, p := range v.Parameters {
		name := t.text(p.Name)
		if p.Name == 0 {
			name = "unnamed"
		}
		flags := p.Access & (classfile.Final | classfile.Synthetic)
		if p.Access&classfile.Module != 0 {
			name += " (mandated)"
		}
		names = append(names, join(flags.MethodText(), name))
	}
	t.tell("parameters"+of, strings.Join(names, ", "))
}

func (t *teller) record(v *classfile.Record) error {
	var names []string
	for i := range v.Components {
		c := &v.Components[i]
		name := t.text(c.Name)
		t.tell("record component "+name, typeName(t.text(c.Descriptor)))
		if err := t.declaration(" of record component "+name, c.Attributes, classfile.InRecord); err != nil {
			return err
		}
		names = append(names, name)
	}
	t.orderOf("record components", names)
	return nil
}

// annotations tells each annotation by its type, those of one type one after the other, and their order.
func (t *teller) annotations(what, of string, list []classfile.AnnotationUse) {
	seen := map[string]int{}
	var names []string
	for i := range list {
		typ := t.text(list[i].Type)
		name := "@" + typeName(typ)
		seen[typ]++
		if seen[typ] > 1 {
			name += fmt.Sprintf(" number %d", seen[typ])
		}
		t.tell(what+" "+name+of, t.pairs(&list[i]))
		names = append(names, name)
	}
	t.orderOf("annotations"+of, names)
}

// pairs writes the values of an annotation: "a = 1, b = {2, 3}".
func (t *teller) pairs(a *classfile.AnnotationUse) string {
	var out []string
	for i := range a.Pairs {
		out = append(out, t.text(a.Pairs[i].Name)+" = "+t.element(&a.Pairs[i].Value))
	}
	return strings.Join(out, ", ")
}

// element writes the value of an annotation's element as Java does. The depth is bounded by the reader of the attribute.
func (t *teller) element(v *classfile.ElementValue) string {
	switch v.Tag {
	case '@':
		return fmt.Sprintf("@%s(%s)", typeName(t.text(v.Annotation.Type)), t.pairs(v.Annotation))
	case '[':
		var out []string
		for i := range v.Array {
			out = append(out, t.element(&v.Array[i]))
		}
		return "{" + strings.Join(out, ", ") + "}"
	case 'e':
		return typeName(t.text(v.Const)) + "." + t.text(v.Name)
	case 'c':
		return typeName(t.text(v.Const)) + ".class"
	}
	return t.constantText(v.Const, string(v.Tag))
}
