package state

import "winnow/internal/jvm/classfile"

// Dependencies are what tests of a class depend on by TestNG's annotation, by the name of the method: names of methods, perhaps with that of their class, and AnyGroup. What all tests of the class depend on is under no name.
type Dependencies map[string][]string

// AnyGroup stands for the tests of a group.
const AnyGroup = "group"

// testngTest is the annotation that says what a test depends on.
const testngTest = "Lorg/testng/annotations/Test;"

// dependencies reads those of a class; nil if there are none.
func dependencies(c *classfile.Class) (Dependencies, error) {
	var out Dependencies
	add := func(name string, attributes []classfile.Attribute, in classfile.Place) error {
		on, err := dependsOn(c, attributes, in)
		if len(on) > 0 {
			if out == nil {
				out = Dependencies{}
			}
			out[name] = append(out[name], on...)
		}
		return err
	}
	if err := add("", c.Attributes, classfile.InClass); err != nil {
		return nil, err
	}
	for i := range c.Methods {
		name, _ := c.MemberName(&c.Methods[i])
		if err := add(name, c.Methods[i].Attributes, classfile.InMethod); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// dependsOn lists what TestNG's annotation in a list of attributes names.
func dependsOn(c *classfile.Class, attributes []classfile.Attribute, in classfile.Place) ([]string, error) {
	v, err := classfile.ValueOf[*classfile.Annotations](c, attributes, "RuntimeVisibleAnnotations", in)
	if v == nil || err != nil {
		return nil, err
	}
	var out []string
	for _, a := range v.List {
		if name, _ := c.Pool.UTF8(a.Type); name != testngTest {
			continue
		}
		for _, p := range a.Pairs {
			switch name, _ := c.Pool.UTF8(p.Name); name {
			case "dependsOnMethods":
				for _, e := range p.Value.Array {
					text, _ := c.Pool.UTF8(e.Const)
					out = append(out, text)
				}
			case "dependsOnGroups":
				if len(p.Value.Array) > 0 {
					out = append(out, AnyGroup)
				}
			}
		}
	}
	return out, nil
}
