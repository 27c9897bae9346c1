package canon

import (
	"fmt"
	"slices"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
)

// A Frame is what a test framework sees of a test class: apart from the test methods, and of each of them.
type Frame struct {
	// Rest is about the class without its test methods, its lambdas and the classes inside of it. A method that is added as a test, or is none any more, does not change it.
	Rest digest.Digest
	// Tests has what reflection shows of each test method, by name and descriptor in the file.
	Tests map[string]digest.Digest
}

// testAnnotations make a method a test of JUnit 4 or 5 that other tests of its class do not depend on. Those of TestNG do not: its tests name one another and their groups.
var testAnnotations = []string{"Lorg/junit/Test;", "Lorg/junit/jupiter/api/Test;", "Lorg/junit/jupiter/api/RepeatedTest;", "Lorg/junit/jupiter/api/TestFactory;", "Lorg/junit/jupiter/api/TestTemplate;",
	"Lorg/junit/jupiter/params/ParameterizedTest;"}

// otherAnnotations give a method a part in other tests, whatever else it is.
var otherAnnotations = []string{"Lorg/junit/Before;", "Lorg/junit/After;", "Lorg/junit/BeforeClass;", "Lorg/junit/AfterClass;", "Lorg/junit/Rule;", "Lorg/junit/ClassRule;", "Lorg/junit/runners/Parameterized$Parameters;",
	"Lorg/junit/jupiter/api/BeforeEach;", "Lorg/junit/jupiter/api/AfterEach;", "Lorg/junit/jupiter/api/BeforeAll;", "Lorg/junit/jupiter/api/AfterAll;"}

// Frame returns nil if the class has no test methods, or was not made by Set.Class.
func (c *Class) Frame() (*Frame, error) {
	if c.unit == nil {
		return nil, nil
	}
	bare, tests, err := c.unit.bared()
	if err != nil || len(tests) == 0 {
		return nil, err
	}
	f := newForm(c.unit, c.set)
	defer f.done()
	out := &Frame{Tests: map[string]digest.Digest{}}
	for _, part := range []func(*Unit, *form) error{(*Unit).methodsPart, (*Unit).orderPart, (*Unit).declarationsPart, (*Unit).fieldDeclarationsPart, (*Unit).methodDeclarationsPart, (*Unit).ownEntry} {
		if err := part(bare, f); err != nil {
			return nil, fmt.Errorf("class %s: %w", classfile.Text(c.File), err)
		}
		f.word("") // the end of the part
	}
	c.unit.cover(f)
	out.Rest = f.digest()
	for _, m := range tests {
		f.reset()
		f.num(c.unit.flags(f, m.member.Access, m.member.Attributes))
		if err := c.unit.declare(f, m.member.Attributes, classfile.InMethod); err != nil {
			return nil, fmt.Errorf("class %s: %w", classfile.Text(c.File), err)
		}
		c.unit.cover(f)
		out.Tests[m.name+m.desc] = f.digest()
	}
	return out, nil
}

// bared is the unit without its test methods and lambdas, and the test methods.
func (u *Unit) bared() (*Unit, []*methodUnit, error) {
	bare := *u
	bare.methods, bare.order, bare.bare = nil, nil, true
	var tests []*methodUnit
	at := make([]int, len(u.methods)) // the new place of a method, counted from 1
	for i := range u.methods {
		m := &u.methods[i]
		test, err := u.isTest(m)
		switch {
		case err != nil:
			return nil, nil, err
		case test:
			tests = append(tests, m)
		case numberedMethod(m.name) && m.member.Access&classfile.Synthetic != 0:
		default:
			bare.methods = append(bare.methods, *m)
			at[i] = len(bare.methods)
		}
	}
	for _, i := range u.order {
		if at[i] > 0 {
			bare.order = append(bare.order, uint16(at[i]-1))
		}
	}
	return &bare, tests, nil
}

func (u *Unit) isTest(m *methodUnit) (bool, error) {
	v, err := classfile.ValueOf[*classfile.Annotations](u.class, m.member.Attributes, "RuntimeVisibleAnnotations", classfile.InMethod)
	if v == nil || err != nil {
		return false, err
	}
	test := false
	for _, a := range v.List {
		typ, err := u.text(a.Type)
		if err != nil || slices.Contains(otherAnnotations, typ) {
			return false, err
		}
		test = test || slices.Contains(testAnnotations, typ)
	}
	return test, nil
}

// ownEntry writes what the table of inner classes says of the class itself, for example that it is private.
func (u *Unit) ownEntry(f *form) error {
	inner, err := value[*classfile.InnerClasses](u.class, "InnerClasses")
	if inner == nil || err != nil {
		return err
	}
	for _, e := range inner.Classes {
		if name, _ := u.class.Pool.Class(e.Inner); name == u.Name {
			f.num(uint64(e.Access))
		}
	}
	return nil
}
