package canon

import (
	"fmt"

	"winnow/internal/jvm/classfile"
)

// What only reflection shows of a declaration: generic signature, annotations, declared exceptions, parameters, defaults, record components.

func (u *Unit) declarationsPart(f *form) error {
	return u.declare(f, u.class.Attributes, classfile.InClass)
}

func (u *Unit) fieldDeclarationsPart(f *form) error {
	for i := range u.class.Fields {
		m := &u.class.Fields[i]
		f.word(first(u.class.MemberName(m)))
		if err := u.declare(f, m.Attributes, classfile.InField); err != nil {
			return err
		}
	}
	return nil
}

// methodDeclarationsPart writes the methods in the order of the file; their names and flags are in other parts but for lambdas and accessors.
func (u *Unit) methodDeclarationsPart(f *form) error {
	for i := range u.methods {
		m := &u.methods[i]
		if numberedMethod(m.name) {
			f.method(u.Name, m.name, m.desc)
			f.num(u.flags(f, m.member.Access, m.member.Attributes))
		}
		if err := u.declare(f, m.member.Attributes, classfile.InMethod); err != nil {
			return err
		}
	}
	return nil
}

func first(name, _ string) string { return name }

// declare writes the reflective attributes of one element, in the order of the file: the order of annotations can be seen.
func (u *Unit) declare(f *form, attributes []classfile.Attribute, place classfile.Place) error {
	p := &u.class.Pool
	for i := range attributes {
		if a := u.attribute(f, attributes[i].Name); a.use != declaration || a.places&place == 0 {
			continue // out of place: the class is opaque
		}
		name, _ := p.UTF8(attributes[i].Name)
		v, err := attributes[i].Value(p, place)
		if err != nil {
			return err
		}
		f.word(name)
		if err := u.declared(f, v); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	f.word("") // the end: no attribute has an empty name that is on the list
	return nil
}

func (u *Unit) declared(f *form, v classfile.Value) error {
	switch v := v.(type) {
	case *classfile.Signature:
		s, err := u.text(v.Text)
		if err != nil {
			return err
		}
		f.types(s)
	case *classfile.Exceptions:
		return u.classList(f, v.Classes)
	case *classfile.MethodParameters:
		f.num(uint64(len(v.Parameters)))
		for _, parameter := range v.Parameters {
			name, err := u.text(parameter.Name)
			if err != nil {
				return err
			}
			f.num(uint64(parameter.Access))
			f.num(min(uint64(parameter.Name), 1)) // a parameter may have no name
			f.word(name)
		}
	case *classfile.Record:
		f.num(uint64(len(v.Components)))
		for i := range v.Components {
			c := &v.Components[i]
			name, err := u.text(c.Name)
			if err != nil {
				return err
			}
			desc, err := u.text(c.Descriptor)
			if err != nil {
				return err
			}
			f.word(name)
			f.types(desc)
			if err := u.declare(f, c.Attributes, classfile.InRecord); err != nil {
				return err
			}
		}
	case *classfile.AnnotationDefault:
		return u.element(f, &v.Value)
	case *classfile.Annotations:
		return u.annotations(f, v.List)
	case *classfile.ParameterAnnotations:
		f.num(uint64(len(v.Parameters)))
		for _, list := range v.Parameters {
			if err := u.annotations(f, list); err != nil {
				return err
			}
		}
	case *classfile.TypeAnnotations:
		f.num(uint64(len(v.List)))
		for i := range v.List {
			t := &v.List[i]
			f.tag(t.Target)
			f.add(t.TargetInfo) // its length follows from Target; outside of code it holds no index of a constant
			f.num(uint64(len(t.Path)))
			f.add(t.Path)
			if err := u.annotation(f, &t.Annotation); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("%T has no normal form", v)
	}
	return nil
}

// lineTable is the annotation in which the Kotlin compiler repeats the attribute SourceDebugExtension.
const lineTable = "Lkotlin/jvm/internal/SourceDebugExtension;"

func (u *Unit) annotations(f *form, list []classfile.AnnotationUse) error {
	for i := range list {
		if typ, _ := u.class.Pool.UTF8(list[i].Type); typ == lineTable || u.bare && typ == kotlinMetadata {
			continue
		}
		f.tag(1)
		if err := u.annotation(f, &list[i]); err != nil {
			return err
		}
	}
	f.tag(0)
	return nil
}

// kotlinMetadata lists all members of a class, the test methods among them, in a form that only Kotlin's own reflection reads.
const kotlinMetadata = "Lkotlin/Metadata;"

func (u *Unit) annotation(f *form, a *classfile.AnnotationUse) error {
	typ, err := u.text(a.Type)
	if err != nil {
		return err
	}
	f.types(typ)
	f.num(uint64(len(a.Pairs)))
	for i := range a.Pairs {
		name, err := u.text(a.Pairs[i].Name)
		if err != nil {
			return err
		}
		f.word(name)
		if err := u.element(f, &a.Pairs[i].Value); err != nil {
			return err
		}
	}
	return nil
}

func (u *Unit) element(f *form, v *classfile.ElementValue) error {
	f.tag(v.Tag)
	switch v.Tag {
	case '@':
		return u.annotation(f, v.Annotation)
	case '[':
		f.num(uint64(len(v.Array)))
		for i := range v.Array {
			if err := u.element(f, &v.Array[i]); err != nil {
				return err
			}
		}
	case 'e':
		typ, err := u.text(v.Const)
		if err != nil {
			return err
		}
		name, err := u.text(v.Name)
		if err != nil {
			return err
		}
		f.types(typ)
		f.word(name)
	case 'c', 's':
		s, err := u.text(v.Const)
		if err != nil {
			return err
		}
		if v.Tag == 'c' {
			f.types(s)
		} else {
			f.word(s)
		}
	default:
		return u.loadable(f, v.Const)
	}
	return nil
}

// modulePart writes the attributes of a module declaration with their constants resolved.
func (u *Unit) modulePart(f *form) error {
	for i := range u.class.Attributes {
		a := &u.class.Attributes[i]
		name, _ := u.class.Pool.UTF8(a.Name)
		if len(name) < 6 || name[:6] != "Module" {
			continue
		}
		v, err := a.Value(&u.class.Pool, classfile.InClass)
		if err != nil {
			return err
		}
		f.word(name)
		u.module(f, v)
	}
	return nil
}

func (u *Unit) module(f *form, v classfile.Value) {
	switch v := v.(type) {
	case *classfile.ModuleDescriptor:
		u.moduleDescriptor(f, v)
	case *classfile.ModulePackages:
		u.constants(f, v.Packages)
	case *classfile.ModuleMainClass:
		u.constants(f, []uint16{v.Class})
	case *classfile.ModuleTarget:
		u.constants(f, []uint16{v.Platform})
	case *classfile.ModuleResolution:
		f.num(uint64(v.Access))
	case *classfile.ModuleHashes:
		u.constants(f, []uint16{v.Algorithm})
		f.num(uint64(len(v.Modules)))
		for _, m := range v.Modules {
			u.constants(f, []uint16{m.Module})
			f.num(uint64(len(m.Hash)))
			f.add(m.Hash)
		}
	}
}

func (u *Unit) moduleDescriptor(f *form, m *classfile.ModuleDescriptor) {
	u.constants(f, []uint16{m.Name, m.Version})
	f.num(uint64(m.Access))
	f.num(uint64(len(m.Requires)))
	for _, r := range m.Requires {
		u.constants(f, []uint16{r.Module, r.Version})
		f.num(uint64(r.Access))
	}
	for _, openings := range [2][]classfile.ModuleOpening{m.Exports, m.Opens} {
		f.num(uint64(len(openings)))
		for _, o := range openings {
			u.constants(f, []uint16{o.Package})
			f.num(uint64(o.Access))
			u.constants(f, o.To)
		}
	}
	u.constants(f, m.Uses)
	f.num(uint64(len(m.Provides)))
	for _, s := range m.Provides {
		u.constants(f, []uint16{s.Service})
		u.constants(f, s.With)
	}
}

// constants writes the texts of constants that have a name: modules, packages, classes, texts. 0 stands for none.
func (u *Unit) constants(f *form, indices []uint16) {
	f.num(uint64(len(indices)))
	for _, i := range indices {
		c := u.class.Pool.At(i)
		f.tag(byte(c.Tag))
		text := c.Text
		if c.Tag != classfile.TagUtf8 {
			text, _ = u.class.Pool.UTF8(c.A)
		}
		f.word(text)
	}
}
