package canon

import (
	"testing"

	"winnow/internal/digest"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/jvmtest"
)

func compile(t *testing.T, source string, args ...string) map[string][]byte {
	t.Helper()
	return jvmtest.Javac(t, jvmtest.JDK(t, 17), map[string]string{"p/A.java": source}, args...)
}

func setOf(t *testing.T, files map[string][]byte) *Set {
	t.Helper()
	s, err := ReadAll(files)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func classOf(t *testing.T, s *Set, name string) *Class {
	t.Helper()
	c, err := s.Class(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func part(t *testing.T, c *Class, name string) digest.Digest {
	t.Helper()
	for _, p := range c.Parts() {
		if p.Name == name {
			return p.Digest
		}
	}
	t.Fatalf("no part %s", name)
	return digest.Unknown
}

// edit decodes a class, changes it and writes it again.
func edit(t *testing.T, data []byte, change func(*classfile.Class)) []byte {
	t.Helper()
	c, err := classfile.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	change(c)
	return c.Append(nil)
}

// addAttribute adds an attribute with some bytes.
func addAttribute(t *testing.T, c *classfile.Class, to *[]classfile.Attribute, name string, info []byte) {
	t.Helper()
	i, err := c.Pool.Add(classfile.Constant{Tag: classfile.TagUtf8, Text: name})
	if err != nil {
		t.Fatal(err)
	}
	*to = append(*to, classfile.Attribute{Name: i, Info: info})
}

// S6.2: whatever differs in a file with an attribute on no list, or out of place, or of an unknown version, every digest of the class differs.
func TestOpaque(t *testing.T) {
	plain := compile(t, "package p; public class A { int f; int m() { return 1; } }")["p/A"]
	variants := map[string]func(c *classfile.Class, mark byte){
		"on the class": func(c *classfile.Class, mark byte) { addAttribute(t, c, &c.Attributes, "Mystery", []byte{mark}) },
		"on a field": func(c *classfile.Class, mark byte) {
			addAttribute(t, c, &c.Fields[0].Attributes, "Mystery", []byte{mark})
		},
		"on a method": func(c *classfile.Class, mark byte) {
			addAttribute(t, c, &c.Methods[0].Attributes, "Mystery", []byte{mark})
		},
		"out of place": func(c *classfile.Class, mark byte) {
			addAttribute(t, c, &c.Fields[0].Attributes, "Record", []byte{mark})
		},
		"twice": func(c *classfile.Class, mark byte) {
			addAttribute(t, c, &c.Fields[0].Attributes, "Synthetic", nil)
			addAttribute(t, c, &c.Fields[0].Attributes, "Synthetic", nil)
			addAttribute(t, c, &c.Attributes, "SourceID", []byte{0, mark})
		},
		"constant before its time": func(c *classfile.Class, mark byte) {
			c.Major = 50
			if _, err := c.Pool.Add(classfile.Constant{Tag: classfile.TagMethodType, A: c.Methods[0].Descriptor}); err != nil {
				t.Fatal(err)
			}
			addAttribute(t, c, &c.Attributes, "SourceID", []byte{0, mark})
		},
		"in a record component": func(c *classfile.Class, mark byte) {
			addAttribute(t, c, &c.Attributes, "Record", append([]byte{0, 1, 0, byte(c.Fields[0].Name), 0, byte(c.Fields[0].Descriptor), 0, 1}, mystery(t, c, mark)...))
		},
		"in the code": func(c *classfile.Class, mark byte) { inCode(t, c, mark) },
		"newer version": func(c *classfile.Class, mark byte) {
			c.Major = classfile.Newest + 1
			addAttribute(t, c, &c.Attributes, "SourceID", []byte{0, mark})
		},
	}
	for name, change := range variants {
		t.Run(name, func(t *testing.T) {
			var classes [2]*Class
			for i := range classes {
				data := edit(t, plain, func(c *classfile.Class) { change(c, byte(i+1)) })
				classes[i] = classOf(t, setOf(t, map[string][]byte{"p/A": data}), "p/A")
				if classes[i].Opaque == "" {
					t.Fatal("not opaque")
				}
				if same := classOf(t, setOf(t, map[string][]byte{"p/A": data}), "p/A"); same.Shape != classes[i].Shape {
					t.Error("the same file gives two shapes")
				}
			}
			for i, p := range classes[0].Parts() {
				if p.Digest == classes[1].Parts()[i].Digest {
					t.Errorf("part %s is the same", p.Name)
				}
			}
			for i, m := range classes[0].Methods {
				if m.Body == classes[1].Methods[i].Body {
					t.Errorf("the body of %s is the same", m.Name)
				}
			}
		})
	}
}

// mystery is an attribute on no list, as bytes.
func mystery(t *testing.T, c *classfile.Class, mark byte) []byte {
	t.Helper()
	i, err := c.Pool.Add(classfile.Constant{Tag: classfile.TagUtf8, Text: "Mystery"})
	if err != nil {
		t.Fatal(err)
	}
	return []byte{0, byte(i), 0, 0, 0, 1, mark}
}

func inCode(t *testing.T, c *classfile.Class, mark byte) {
	t.Helper()
	code, err := c.Code(&c.Methods[0])
	if err != nil {
		t.Fatal(err)
	}
	addAttribute(t, c, &code.Attributes, "Mystery", []byte{mark})
}

// The part nest tells whether the host agrees: a member that the host drops may not use private members any more.
func TestNestAgreement(t *testing.T) {
	files := compile(t, "package p; class A { private int x; class B { int m() { return x; } } class C {} }")
	agreed := part(t, classOf(t, setOf(t, files), "p/A$B"), "nest")
	host := files["p/A"]
	files["p/A"] = edit(t, host, func(c *classfile.Class) {
		for i := range c.Attributes {
			if name, _ := c.Pool.UTF8(c.Attributes[i].Name); name == "NestMembers" {
				c.Attributes[i].Set(&classfile.NestMembers{})
			}
		}
	})
	refused := part(t, classOf(t, setOf(t, files), "p/A$B"), "nest")
	delete(files, "p/A")
	unknown := part(t, classOf(t, setOf(t, files), "p/A$B"), "nest")
	if agreed == refused || agreed == unknown || refused == unknown {
		t.Errorf("agreed %v, refused %v, host unknown %v", agreed, refused, unknown)
	}
}

// S6.1: what cannot be decoded has no digest.
func TestBrokenCode(t *testing.T) {
	data := compile(t, "package p; class A { int m(boolean b) { if (b) return 1; return 2; } }")["p/A"]
	for name, code := range map[string][]byte{
		"unknown operation":          {0xFD},
		"cut off":                    {0x11, 0x00},
		"branch into an operand":     {0xA7, 0x00, 0x01},
		"branch out of the code":     {0xA7, 0x00, 0x20},
		"no such constant":           {0x12, 0xF0, 0xAC},
		"constant of the wrong kind": {0xB6, 0x00, 0x07},
	} {
		t.Run(name, func(t *testing.T) {
			broken := edit(t, data, func(c *classfile.Class) {
				v, err := c.Code(&c.Methods[1])
				if err != nil {
					t.Fatal(err)
				}
				v.Bytes, v.Attributes = code, nil
			})
			if u, err := Read(broken); err == nil || u != nil {
				t.Errorf("Read gave %v, %v", u, err)
			}
		})
	}
}

// A class outside the group that names a numbered class is digested with what the name stands for.
func TestReferenceFromOutside(t *testing.T) {
	old := compile(t, "package p; class A { Object m() { return new Object() { int one() { return 1; } }; } }")
	new := compile(t, "package p; class A { Object a() { return new Object() { int zero() { return 0; } }; } Object m() { return new Object() { int one() { return 1; } }; } }")
	user := jvmtest.Javac(t, jvmtest.JDK(t, 17), map[string]string{"q/U.java": "package q; class U { Object u() throws Exception { return java.util.List.class; } }"})["q/U"]
	user = edit(t, user, func(c *classfile.Class) {
		for i := range c.Pool.Len() {
			if name, ok := c.Pool.Class(uint16(i)); ok && name == "java/util/List" {
				retarget(t, c, uint16(i), "p/A$1")
			}
		}
	})
	old["q/U"], new["q/U"] = user, user
	before, after := classOf(t, setOf(t, old), "q/U"), classOf(t, setOf(t, new), "q/U")
	if before.Methods[1].Body == after.Methods[1].Body {
		t.Error("p/A$1 is another class now, and q/U.u is the same")
	}
}

// retarget makes all code that loads a class constant load another class.
func retarget(t *testing.T, c *classfile.Class, from uint16, to string) {
	t.Helper()
	text, err := c.Pool.Add(classfile.Constant{Tag: classfile.TagUtf8, Text: to})
	if err != nil {
		t.Fatal(err)
	}
	class, err := c.Pool.Add(classfile.Constant{Tag: classfile.TagClass, A: text})
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Methods {
		code, err := c.Code(&c.Methods[i])
		if err != nil {
			t.Fatal(err)
		}
		if len(code.Bytes) > 2 && code.Bytes[0] == 0x12 && code.Bytes[1] == byte(from) {
			code.Bytes = append([]byte{0x12, byte(class)}, code.Bytes[2:]...)
		}
	}
}

// S6.3: a numbered method that is reached through a subclass has the name of the one that is inherited.
func TestInheritedNumber(t *testing.T) {
	s := setOf(t, compile(t, "package p; class A { private int x() { return 1; } private int y() { return 2; } class I { int f() { return x() + y(); } } } class B extends A {}", "--release", "8"))
	const desc = "(Lp/A;)I"
	own := s.MethodName("p/A", "access$000", desc)
	if own == "access$000" {
		t.Fatal("the accessor has no canonical name")
	}
	if got := s.MethodName("p/B", "access$000", desc); got != own {
		t.Errorf("through the subclass it is %s, not %s", got, own)
	}
	if other := s.MethodName("p/B", "access$100", desc); other == own || other == "access$100" {
		t.Errorf("the other accessor is %s", other)
	}
}

// What belongs to a body besides its instructions: the room that it asks for, and the flags of a method that is in no link part.
func TestBodyOfLambda(t *testing.T) {
	data := compile(t, "package p; class A { Runnable r() { return () -> System.gc(); } }")["p/A"]
	bodies := func(data []byte) map[string]digest.Digest {
		out := map[string]digest.Digest{}
		for _, m := range classOf(t, setOf(t, map[string][]byte{"p/A": data}), "p/A").Methods {
			out[m.FileName] = m.Body
		}
		return out
	}
	plain := bodies(data)
	for name, change := range map[string]func(m *classfile.Member, code *classfile.Code){
		"stack":  func(_ *classfile.Member, code *classfile.Code) { code.MaxStack++ },
		"locals": func(_ *classfile.Member, code *classfile.Code) { code.MaxLocals++ },
		"flags":  func(m *classfile.Member, _ *classfile.Code) { m.Access |= classfile.Synchronized },
	} {
		changed := bodies(edit(t, data, func(c *classfile.Class) {
			for i := range c.Methods {
				if n, _ := c.MemberName(&c.Methods[i]); n == "lambda$r$0" {
					code, err := c.Code(&c.Methods[i])
					if err != nil {
						t.Fatal(err)
					}
					change(&c.Methods[i], code)
				}
			}
		}))
		if changed["lambda$r$0"] == plain["lambda$r$0"] || changed["r"] != plain["r"] {
			t.Errorf("%s: the body of the lambda is the same, or its user is not", name)
		}
	}
}

// Two equal dynamic constants are two objects.
func TestEqualDynamicConstants(t *testing.T) {
	data := jvmtest.Javac(t, jvmtest.JDK(t, 25), map[string]string{"p/A.java": `package p;
		sealed interface I permits E, F {} enum E implements I { ONE } enum F implements I { TWO }
		class A { int m(I i) { return switch (i) { case E.ONE -> 1; case F.TWO -> 2; }; } }`})["p/A"]
	u, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	var dynamic []uint16
	for i := range u.equals {
		dynamic = append(dynamic, i)
	}
	if len(dynamic) == 0 {
		t.Fatal("no dynamic constant")
	}
	twin := edit(t, data, func(c *classfile.Class) {
		if _, err := c.Pool.Add(c.Pool.At(dynamic[0])); err != nil {
			t.Fatal(err)
		}
	})
	v, err := Read(twin)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(v.equals); n != len(dynamic)+1 || v.equals[uint16(v.class.Pool.Len()-1)] != 1 {
		t.Errorf("the twin is not the second of its kind: %v", v.equals)
	}
}
