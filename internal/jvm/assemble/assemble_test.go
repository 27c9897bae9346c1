package assemble

import (
	"errors"
	"strings"
	"testing"

	"winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
	"winnow/internal/jvm/jvmtest"
)

const (
	public = classfile.Public
	static = classfile.Static
)

func method(class, name, descriptor string) classfile.Ref {
	return classfile.Ref{Tag: classfile.TagMethodref, Class: class, Name: name, Descriptor: descriptor}
}

// A part is a static method ()String of the test program, and what it must return.
type part struct {
	name  string
	major uint16
	build func(c *Class, k *Code)
	want  string
}

var parts = []part{
	{"loop", 52, func(c *Class, k *Code) {
		// int i = 0, sum = 0; while (i < 300) { sum += i; i += 1 }
		head, out := k.Label(), k.Label()
		k.Op(bytecode.Iconst0, bytecode.Istore0, bytecode.Iconst0)
		k.Local(bytecode.Istore, 300)
		k.Mark(head)
		k.Frame(locals(Integer, 299, Integer), nil)
		k.Op(bytecode.Iload0)
		k.Push(300)
		k.Branch(bytecode.IfIcmpge, out)
		k.Local(bytecode.Iload, 300)
		k.Op(bytecode.Iload0, bytecode.Iadd)
		k.Local(bytecode.Istore, 300)
		k.Increment(0, 1)
		k.Branch(bytecode.Goto, head)
		k.Mark(out)
		k.Frame(locals(Integer, 299, Integer), nil)
		k.Increment(300, 1000)
		k.Local(bytecode.Iload, 300)
		returnText(k, "I")
	}, "45850"},
	{"wide", 52, func(c *Class, k *Code) {
		k.Constant(c.Long(1<<40), true)
		k.Op(bytecode.Lstore0)
		k.Constant(c.Double(2.5), true)
		k.Op(bytecode.D2l, bytecode.Lload0, bytecode.Ladd)
		returnText(k, "J")
	}, "1099511627778"},
	{"tableswitch", 52, func(c *Class, k *Code) { switching(k, true) }, "two"},
	{"lookupswitch", 52, func(c *Class, k *Code) { switching(k, false) }, "two"},
	{"catch", 52, func(c *Class, k *Code) {
		start, end, handler := k.Here(), k.Label(), k.Label()
		k.Op(bytecode.Iconst1, bytecode.Iconst0, bytecode.Idiv)
		returnText(k, "I")
		k.Mark(end)
		k.Mark(handler)
		k.Frame(nil, []Type{Object("java/lang/ArithmeticException")})
		k.Invoke(bytecode.Invokevirtual, method("java/lang/Throwable", "getMessage", "()Ljava/lang/String;"))
		k.Op(bytecode.Areturn)
		k.Try(start, end, handler, "java/lang/ArithmeticException")
	}, "/ by zero"},
	{"new", 52, func(c *Class, k *Code) {
		// new StringBuilder(cond ? "a" : "b"): the frames have uninitialized objects
		other, done := k.Label(), k.Label()
		at := k.Here()
		k.Class(bytecode.New, "java/lang/StringBuilder")
		k.Op(bytecode.Dup, bytecode.Iconst0)
		k.Branch(bytecode.Ifeq, other)
		k.String("a")
		k.Branch(bytecode.Goto, done)
		k.Mark(other)
		k.Frame(nil, []Type{Uninitialized(at), Uninitialized(at)})
		k.String("b")
		k.Mark(done)
		k.Frame(nil, []Type{Uninitialized(at), Uninitialized(at), Object("java/lang/String")})
		k.Invoke(bytecode.Invokespecial, method("java/lang/StringBuilder", "<init>", "(Ljava/lang/String;)V"))
		k.Invoke(bytecode.Invokevirtual, method("java/lang/StringBuilder", "toString", "()Ljava/lang/String;"))
		k.Op(bytecode.Areturn)
	}, "b"},
	{"arrays", 52, func(c *Class, k *Code) {
		k.Op(bytecode.Iconst2, bytecode.Iconst3)
		k.MultiArray("[[J", 2)
		k.Op(bytecode.Iconst1, bytecode.Aaload, bytecode.Dup, bytecode.Iconst2)
		k.Constant(c.Long(7), true)
		k.Op(bytecode.Lastore, bytecode.Arraylength)
		k.NewArray(10)
		k.Op(bytecode.Arraylength)
		returnText(k, "I")
	}, "3"},
	{"fields", 52, func(c *Class, k *Code) {
		k.Constant(c.Float(1.5), false)
		k.Field(bytecode.Putstatic, "p/Main", "f", "F")
		k.Field(bytecode.Getstatic, "p/Main", "f", "F")
		returnText(k, "F")
	}, "1.5"},
	{"dynamic", 52, func(c *Class, k *Code) {
		factory := method("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants",
			"(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;")
		site := c.Bootstrap(c.MethodHandle(6, factory), c.StringRef("<\x01>"))
		k.Push(-77)
		k.Dynamic(site, "text", "(I)Ljava/lang/String;")
		k.Op(bytecode.Areturn)
	}, "<-77>"},
	{"constantdynamic", 55, func(c *Class, k *Code) {
		null := method("java/lang/invoke/ConstantBootstraps", "enumConstant",
			"(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Enum;")
		k.Constant(c.Dynamic(c.Bootstrap(c.MethodHandle(6, null)), "SECONDS", "Ljava/util/concurrent/TimeUnit;"), false)
		k.Invoke(bytecode.Invokestatic, method("java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;"))
		k.Op(bytecode.Areturn)
	}, "SECONDS"},
	{"subroutine", 49, func(c *Class, k *Code) {
		sub := k.Label()
		k.Branch(bytecode.Jsr, sub)
		k.Branch(bytecode.JsrW, sub)
		k.String("came back twice")
		k.Op(bytecode.Areturn)
		k.Mark(sub)
		k.Op(bytecode.Astore0)
		k.Local(bytecode.Ret, 0)
	}, "came back twice"},
}

// locals are a type, a number of unused local variables, and another type.
func locals(first Type, unused int, last Type) []Type {
	out := []Type{first}
	for range unused {
		out = append(out, Top)
	}
	return append(out, last)
}

func returnText(k *Code, descriptor string) {
	k.Invoke(bytecode.Invokestatic, method("java/lang/String", "valueOf", "("+descriptor+")Ljava/lang/String;"))
	k.Op(bytecode.Areturn)
}

func switching(k *Code, table bool) {
	one, two, other := k.Label(), k.Label(), k.Label()
	k.Push(200)
	if table {
		k.Table(199, other, one, two)
	} else {
		k.Lookup(other, Case{-5, one}, Case{200, two})
	}
	for _, c := range []struct {
		at   Label
		text string
	}{{one, "one"}, {two, "two"}, {other, "other"}} {
		k.Mark(c.at)
		k.Frame(nil, nil)
		k.String(c.text)
		k.Op(bytecode.Areturn)
	}
}

// TestRuns assembles a program of many kinds of instructions and has JVMs verify and run it.
func TestRuns(t *testing.T) {
	dir := t.TempDir()
	jvmtest.WriteClasses(t, dir, testProgram(t))
	var want strings.Builder
	for _, p := range parts {
		want.WriteString(p.want + "\n")
	}
	for _, feature := range []int{17, 25} {
		out, err := jvmtest.Command(jvmtest.JDK(t, feature), "java", "-XX:TieredStopAtLevel=1", "-cp", dir, "-Xverify:all", "p.Main").Output()
		if err != nil {
			t.Fatalf("JDK %d: %v\n%s", feature, err, out)
		}
		if string(out) != want.String() {
			t.Errorf("JDK %d: got\n%s\nwant\n%s", feature, out, want.String())
		}
	}
}

// testProgram is a class for each part, because they need different versions, and one with a main method that prints their results.
func testProgram(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	main := New(Header{Access: public, Name: "p/Main", Super: "java/lang/Object"})
	main.AddField(public|static, "f", "F")
	k := main.Code()
	for _, p := range parts {
		c := New(Header{Major: p.major, Access: public, Name: "p/" + p.name, Super: "java/lang/Object", Interfaces: []string{"java/io/Serializable"}})
		code := c.Code()
		p.build(c, code)
		c.AddMethod(public|static, "run", "()Ljava/lang/String;", code)
		data, err := c.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		checkWritten(t, data)
		files["p/"+p.name] = data
		k.Field(bytecode.Getstatic, "java/lang/System", "out", "Ljava/io/PrintStream;")
		k.Invoke(bytecode.Invokestatic, method("p/"+p.name, "run", "()Ljava/lang/String;"))
		k.Invoke(bytecode.Invokevirtual, method("java/io/PrintStream", "println", "(Ljava/lang/String;)V"))
	}
	k.Op(bytecode.Return)
	main.AddMethod(public|static, "main", "([Ljava/lang/String;)V", k)
	data, err := main.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	files["p/Main"] = data
	return files
}

// checkWritten reads the class file back, which checks its structure, and writes it again.
func checkWritten(t *testing.T, data []byte) {
	t.Helper()
	c, err := classfile.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if again := c.Append(nil); string(again) != string(data) {
		t.Error("the class file reads back as another one")
	}
}

// TestSizes compares computed sizes with those that are needed.
func TestSizes(t *testing.T) {
	for _, tt := range []struct {
		name          string
		access        classfile.Flags
		descriptor    string
		build         func(k *Code)
		stack, locals uint16
	}{
		{"nothing", static, "()V", func(k *Code) { k.Op(bytecode.Return) }, 0, 0},
		{"arguments", 0, "(IJ[D)V", func(k *Code) { k.Op(bytecode.Return) }, 0, 5},
		{"two slots", static, "()V", func(k *Code) { k.Op(bytecode.Lconst0, bytecode.Lstore3, bytecode.Return) }, 2, 5},
		{"a call", static, "()V", func(k *Code) {
			k.Op(bytecode.AconstNull, bytecode.Dconst0, bytecode.Iconst0)
			k.Invoke(bytecode.Invokevirtual, method("p/A", "m", "(DI)J"))
			k.Op(bytecode.Pop2, bytecode.Return)
		}, 4, 0},
		{"fields", static, "()V", func(k *Code) {
			k.Op(bytecode.AconstNull, bytecode.Dup)
			k.Field(bytecode.Getfield, "p/A", "f", "J")
			k.Field(bytecode.Putfield, "p/A", "f", "J")
			k.Op(bytecode.Return)
		}, 3, 0},
		{"the deeper branch counts", static, "(I)V", func(k *Code) {
			deep := k.Label()
			k.Op(bytecode.Iload0)
			k.Branch(bytecode.Ifne, deep)
			k.Op(bytecode.Return)
			k.Mark(deep)
			k.Op(bytecode.Lconst0, bytecode.Lconst0, bytecode.Pop2, bytecode.Pop2, bytecode.Return)
		}, 4, 1},
		{"a handler has an exception", static, "()V", func(k *Code) {
			start := k.Here()
			k.Op(bytecode.Return)
			end := k.Here()
			k.Op(bytecode.Pop, bytecode.Return)
			k.Try(start, end, end, "")
		}, 1, 0},
		{"given", static, "()V", func(k *Code) { k.MaxStack, k.MaxLocals = 9, 8; k.Op(bytecode.Return) }, 9, 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := New(Header{Name: "p/A", Super: "java/lang/Object"})
			k := c.Code()
			tt.build(k)
			c.AddMethod(tt.access, "m", tt.descriptor, k)
			data, err := c.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			file, err := classfile.Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			code, err := file.Code(&file.Methods[0])
			if err != nil {
				t.Fatal(err)
			}
			if code.MaxStack != tt.stack || code.MaxLocals != tt.locals {
				t.Errorf("stack %d and locals %d, want %d and %d", code.MaxStack, code.MaxLocals, tt.stack, tt.locals)
			}
		})
	}
}

// TestMistakes checks that a mistake is returned and nothing is written.
func TestMistakes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		build func(c *Class, k *Code)
		want  string
	}{
		{"no code", func(c *Class, k *Code) {}, "0 bytes of code"},
		{"falls off", func(c *Class, k *Code) { k.Op(bytecode.Nop) }, "control leaves the code"},
		{"no place", func(c *Class, k *Code) { k.Branch(bytecode.Goto, k.Label()) }, "label 0 has no place"},
		{"two places", func(c *Class, k *Code) { l := k.Here(); k.Mark(l); k.Op(bytecode.Return) }, "has a place already"},
		{"at the end", func(c *Class, k *Code) { l := k.Label(); k.Branch(bytecode.Goto, l); k.Mark(l) }, "no instruction at label"},
		{"far", func(c *Class, k *Code) {
			l := k.Here()
			for range 40000 {
				k.Op(bytecode.Nop)
			}
			k.Branch(bytecode.Goto, l)
		}, "a branch over -40000 bytes"},
		{"long", func(c *Class, k *Code) {
			for range 70000 {
				k.Op(bytecode.Nop)
			}
		}, "70000 bytes of code"},
		{"underflow", func(c *Class, k *Code) { k.Op(bytecode.Pop, bytecode.Return) }, "takes more than the stack has"},
		{"operands", func(c *Class, k *Code) { k.Op(bytecode.Goto) }, "goto has other operands"},
		{"descriptor", func(c *Class, k *Code) {
			k.Invoke(bytecode.Invokestatic, method("p/A", "m", "(I"))
			k.Op(bytecode.Return)
		}, "is no descriptor of a method"},
		{"field", func(c *Class, k *Code) { k.Field(bytecode.Getstatic, "p/A", "f", "V"); k.Op(bytecode.Return) }, "is no descriptor of a field"},
		{"text", func(c *Class, k *Code) { k.String(strings.Repeat("x", 70000)); k.Op(bytecode.Areturn) }, "a text of 70000 bytes"},
		{"frames", func(c *Class, k *Code) { k.Frame(nil, nil); k.Frame(nil, nil); k.Op(bytecode.Return) }, "two frames"},
		{"full", func(c *Class, k *Code) {
			for i := range int32(70000) {
				c.Int(i)
			}
			k.Op(bytecode.Return)
		}, classfile.ErrFull.Error()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := New(Header{Name: "p/A", Super: "java/lang/Object"})
			k := c.Code()
			tt.build(c, k)
			c.AddMethod(static, "m", "()V", k)
			data, err := c.Bytes()
			if err == nil || !strings.Contains(err.Error(), tt.want) || data != nil {
				t.Errorf("got %v and %d bytes, want an error with %q", err, len(data), tt.want)
			}
			if tt.name == "full" && !errors.Is(err, classfile.ErrFull) {
				t.Errorf("%v is not ErrFull", err)
			}
		})
	}
}

// TestConstants checks that every constant is there once.
func TestConstants(t *testing.T) {
	c := New(Header{Name: "p/A", Super: "java/lang/Object"})
	for name, add := range map[string]func() uint16{
		"class":  func() uint16 { return c.ClassRef("p/B") },
		"string": func() uint16 { return c.StringRef("p/B") },
		"type":   func() uint16 { return c.MethodType("()V") },
		"int":    func() uint16 { return c.Int(-1) },
		"long":   func() uint16 { return c.Long(-1) },
		"float":  func() uint16 { return c.Float(1) },
		"double": func() uint16 { return c.Double(1) },
		"handle": func() uint16 { return c.MethodHandle(6, method("p/B", "m", "()V")) },
	} {
		if first, second := add(), add(); first != second || first == 0 {
			t.Errorf("%s: constants %d and %d", name, first, second)
		}
	}
	seen := map[classfile.Constant]uint16{}
	for i := range c.file.Pool.Len() {
		k := c.file.Pool.At(uint16(i))
		if first, ok := seen[k]; ok && k.Tag != classfile.TagNone {
			t.Errorf("constants %d and %d are both %+v", first, i, k)
		}
		seen[k] = uint16(i)
	}
}
