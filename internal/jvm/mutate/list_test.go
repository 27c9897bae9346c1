package mutate

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"winnow/internal/jvm/assemble"
	b "winnow/internal/jvm/bytecode"
	"winnow/internal/jvm/classfile"
)

const staticFlags = classfile.Public | classfile.Static

// built makes the class p/A with one static method.
func built(t testing.TB, descriptor string, body func(c *assemble.Class, k *assemble.Code)) []byte {
	t.Helper()
	c := assemble.New(assemble.Header{Access: classfile.Public | classfile.Super, Name: "p/A", Super: "java/lang/Object"})
	k := c.Code()
	body(c, k)
	c.AddMethod(staticFlags, "m", descriptor, k)
	data, err := c.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// ops is a body of operations without operands.
func ops(list ...b.Op) func(*assemble.Class, *assemble.Code) {
	return func(_ *assemble.Class, k *assemble.Code) { k.Op(list...) }
}

func list(t testing.TB, class []byte) []Mutant {
	t.Helper()
	mutants, err := List(class)
	if err != nil {
		t.Fatal(err)
	}
	return mutants
}

func TestList(t *testing.T) {
	method := func(owner, name, desc string) classfile.Ref {
		return classfile.Ref{Tag: classfile.TagMethodref, Class: owner, Name: name, Descriptor: desc}
	}
	for _, test := range []struct {
		name, descriptor string
		body             func(c *assemble.Class, k *assemble.Code)
		want             string // operator, where, what; without what every method has
	}{
		{"nothing to change", "()V", ops(b.Return), ""},
		{"a constant, also the one that return pushes", "()I", ops(b.Iconst1, b.Ireturn), "constant @0 iconst_1 -> iconst_0"},
		{"a constant that return would push", "()I", ops(b.Iconst0, b.Ireturn), "constant @0 iconst_0 -> iconst_1"},
		{"the last small constant", "()I", ops(b.Iconst5, b.Ireturn), "constant @0 iconst_5 -> iconst_4; return body -> iconst_0"},
		{"immediate values", "()V", func(_ *assemble.Class, k *assemble.Code) {
			k.Push(127)
			k.Push(-128)
			k.Push(32767)
			k.Push(200)
			k.Op(b.Return)
		}, "constant @0 bipush 127 -> 126; constant @2 bipush -128 -> -127; constant @4 sipush 32767 -> 32766; constant @7 sipush 200 -> 201; return body -> nothing"},
		{"numbers and texts", "()V", func(c *assemble.Class, k *assemble.Code) {
			k.Constant(c.Int(1<<31-1), false)
			k.Constant(c.Float(1e30), false)
			k.Constant(c.StringRef("é"), false)
			k.Constant(c.Long(-1), true)
			k.Constant(c.Double(0.5), true)
			k.Constant(c.ClassRef("p/A"), false)
			k.Op(b.Return)
		}, `constant @0 ldc 2147483647 -> 2147483646; constant @2 ldc 1e+30 -> 0; constant @4 ldc "é" -> "é!"; constant @6 ldc2_w -1 -> 0; constant @9 ldc2_w 0.5 -> 1.5; return body -> nothing`},
		{"a long text", "()V", func(_ *assemble.Class, k *assemble.Code) {
			k.String(strings.Repeat("long", 1000))
			k.Op(b.Return)
		}, `constant @0 ldc "longlonglonglonglong"..."longlonglonglonglong" -> "!"; return body -> nothing`},
		{"out of reach of ldc, with others in reach and without", "()V", func(c *assemble.Class, k *assemble.Code) {
			k.Constant(c.StringRef("one"), false)
			k.Constant(c.StringRef("two"), false)
			k.Constant(c.Int(70000), false)
			for i := range 256 {
				c.Long(int64(i))
			}
			k.Constant(c.Int(80000), false)
			k.Op(b.Return)
		}, `constant @0 ldc "one" -> "two"; constant @2 ldc "two" -> "one"; constant @6 ldc_w 80000 -> 80001; return body -> nothing`},
		{"branches", "(II)V", func(_ *assemble.Class, k *assemble.Code) {
			end := k.Label()
			k.Op(b.Iload0)
			k.Branch(b.Iflt, end)
			k.Op(b.Iload0, b.Iload1)
			k.Branch(b.IfIcmpeq, end)
			k.Op(b.AconstNull)
			k.Branch(b.Ifnull, end)
			k.Mark(end)
			k.Frame([]assemble.Type{assemble.Integer, assemble.Integer}, nil)
			k.Op(b.Return)
		}, "negate @1 iflt -> ifge; boundary @1 iflt -> ifle; negate @6 if_icmpeq -> if_icmpne; negate @10 ifnull -> ifnonnull; return body -> nothing"},
		{"arithmetic", "(IJ)J", ops(b.Lload1, b.Iload0, b.Ineg, b.Iload0, b.Irem, b.Lushr, b.Lreturn),
			"arithmetic @2 ineg -> nop; arithmetic @4 irem -> imul; arithmetic @5 lushr -> lshl; return body -> lconst_0"},
		{"increments", "(I)V", func(_ *assemble.Class, k *assemble.Code) {
			k.Increment(0, 1)
			k.Increment(0, -128)
			k.Increment(300, 1000)
			k.Increment(0, 0)
			k.Op(b.Return)
		}, "increment @0 iinc 1 -> -1; increment @3 iinc -128 -> -127; increment @6 iinc 1000 -> -1000; increment @12 iinc 0 -> 1; return body -> nothing"},
		{"switches", "(I)V", func(_ *assemble.Class, k *assemble.Code) {
			one, two := k.Label(), k.Label()
			k.Op(b.Iload0)
			k.Table(5, two, one, two, one)
			k.Mark(one)
			k.Frame([]assemble.Type{assemble.Integer}, nil)
			k.Op(b.Iload0)
			k.Lookup(one, assemble.Case{Key: -9, To: one}, assemble.Case{Key: 9, To: two})
			k.Mark(two)
			k.Frame([]assemble.Type{assemble.Integer}, nil)
			k.Op(b.Return)
		}, "switch @1/0 case 5 -> default; switch @1/2 case 7 -> default; switch @29/1 case 9 -> default; return body -> nothing"},
		{"fields", "()V", func(_ *assemble.Class, k *assemble.Code) {
			k.Op(b.AconstNull)
			k.Field(b.Getstatic, "p/B", "j", "J")
			k.Field(b.Putfield, "p/B", "j", "J")
			k.Op(b.AconstNull)
			k.Field(b.Getfield, "p/B", "z", "Z")
			k.Field(b.Putstatic, "p/B", "z", "Z")
			k.Op(b.Return)
		}, "result @1 getstatic p/B.j -> lconst_0; store @4 putfield p/B.j -> nothing; result @8 getfield p/B.z -> iconst_0; result @8 getfield p/B.z -> iconst_1; " +
			"store @11 putstatic p/B.z -> nothing; return body -> nothing"},
		{"calls, one with too many arguments and a constructor", "()V", func(c *assemble.Class, k *assemble.Code) {
			k.Op(b.AconstNull, b.Lconst0)
			k.Invoke(b.Invokevirtual, method("p/B", "v", "(J)V"))
			k.Invoke(b.Invokestatic, method("p/B", "s", "()Lp/B;"))
			k.Op(b.Lconst0, b.Iconst0, b.Lconst0, b.Iconst0)
			k.Invoke(b.Invokevirtual, method("p/B", "many", "(JIJI)V"))
			k.Class(b.New, "p/B")
			k.Invoke(b.Invokespecial, method("p/B", "<init>", "()V"))
			k.Op(b.Return)
		}, "constant @1 lconst_0 -> lconst_1; call @2 invokevirtual p/B.v -> nothing; result @5 invokestatic p/B.s -> aconst_null; constant @8 lconst_0 -> lconst_1; " +
			"constant @9 iconst_0 -> iconst_1; constant @10 lconst_0 -> lconst_1; constant @11 iconst_0 -> iconst_1; return body -> nothing"},
		{"an object", "()Ljava/lang/String;", func(_ *assemble.Class, k *assemble.Code) {
			k.String("text")
			k.Op(b.Areturn)
		}, `constant @0 ldc "text" -> "text!"; return body -> aconst_null`},
	} {
		var got []string
		for _, m := range list(t, built(t, test.descriptor, test.body)) {
			if m.Class != "p/A" || m.Method != "m"+test.descriptor {
				t.Errorf("%s: %s is about something else", test.name, m)
			}
			got = append(got, m.Operator+" "+m.Where+" "+m.What)
		}
		every := []string{"throw body -> null", "remove member -> nothing"}
		want := every
		if test.want != "" {
			want = slices.Concat(strings.Split(test.want, "; "), every)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", test.name, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
}

// Fields, methods that need no mutant, and methods that hide those of Object.
func TestListMembers(t *testing.T) {
	c := assemble.New(assemble.Header{Access: classfile.Public | classfile.Super | classfile.Abstract, Name: "p/A", Super: "java/lang/Object"})
	value := func(index uint16) classfile.Attribute {
		return c.Attribute("ConstantValue", &classfile.ConstantValue{Value: index})
	}
	c.AddField(classfile.Static, "on", "Z", value(c.Int(1)))
	c.AddField(classfile.Static, "text", "Ljava/lang/String;", value(c.StringRef("")))
	c.AddField(classfile.Public, "mine", "I", value(c.Int(1)))
	c.AddField(classfile.Static, "none", "I")
	add := func(access classfile.Flags, name, desc string, list ...b.Op) {
		k := c.Code()
		k.Op(list...)
		c.AddMethod(access, name, desc, k)
	}
	add(classfile.Public, "hashCode", "()I", b.Iconst0, b.Ireturn)
	add(classfile.Synthetic, "made", "()V", b.Return)
	add(classfile.Static, "<clinit>", "()V", b.Nop, b.Return)
	add(classfile.Public, "<init>", "()V", b.AconstNull, b.Athrow)
	c.AddMethod(classfile.Abstract, "abstract", "()V", nil)
	data, err := c.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	const want = `constant-value p/A.on:Z member 1 -> 0
constant-value p/A.text:Ljava/lang/String; member "" -> "!"
constant p/A.hashCode()I @0 iconst_0 -> iconst_1
throw p/A.hashCode()I body -> null
override p/A.hashCode()I member -> nothing
throw p/A.made()V body -> null
return p/A.<clinit>()V body -> nothing
throw p/A.<clinit>()V body -> null
`
	var got strings.Builder
	for _, m := range list(t, data) {
		got.WriteString(m.String() + "\n")
	}
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

func TestApplyErrors(t *testing.T) {
	class := built(t, "()I", ops(b.Iconst1, b.Ireturn))
	for _, text := range []string{
		"constant p/B.m()I @0 iconst_1 -> iconst_0",
		"constant p/A.n()I @0 iconst_1 -> iconst_0",
		"constant p/A.m()I @1 iconst_1 -> iconst_0",
		"constant p/A.m()I @0 iconst_0 -> iconst_1",
		"constant-value p/A.f:I member 1 -> 2",
	} {
		m, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		data, err := m.Apply(class)
		if data != nil || !errors.Is(err, ErrNoMutant) {
			t.Errorf("%s: %d bytes, %v", text, len(data), err)
		}
	}
}

// Classes that no JVM loads are errors, not shorter lists.
func TestListErrors(t *testing.T) {
	good := built(t, "()I", ops(b.Iconst1, b.Ireturn))
	twice := assemble.New(assemble.Header{Name: "p/A", Super: "java/lang/Object"})
	twice.AddMethod(classfile.Abstract, "m", "()V", nil)
	twice.AddMethod(classfile.Abstract, "m", "()V", nil)
	dotted := assemble.New(assemble.Header{Name: "p.A", Super: "java/lang/Object"})
	descriptor := assemble.New(assemble.Header{Name: "p/A", Super: "java/lang/Object"})
	descriptor.AddField(classfile.Static, "", "I")
	bytes := func(c *assemble.Class) []byte {
		data, err := c.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for what, test := range map[string]struct {
		data []byte
		says string
	}{
		"cut off":          {good[:len(good)-1], "class file"},
		"empty":            {nil, "class file"},
		"same method":      {bytes(twice), "two methods m()V"},
		"name with dot":    {bytes(dotted), `"p.A" is no name`},
		"nameless field":   {bytes(descriptor), "is no member"},
		"unknown op":       {replaced(good, []byte{byte(b.Iconst1), byte(b.Ireturn)}, []byte{0xf0, byte(b.Ireturn)}), "unknown operation code 240"},
		"getstatic beyond": {replaced(threeNops(t), []byte{0, 0, 0, byte(b.Return)}, []byte{byte(b.Getstatic), 9, 9, byte(b.Return)}), "is no field"},
		"call beyond":      {replaced(threeNops(t), []byte{0, 0, 0, byte(b.Return)}, []byte{byte(b.Invokestatic), 9, 9, byte(b.Return)}), "is no method"},
	} {
		mutants, err := List(test.data)
		if mutants != nil || err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %d mutants, %v; want an error with %q", what, len(mutants), err, test.says)
		}
	}
}

func threeNops(t *testing.T) []byte { return built(t, "()V", ops(b.Nop, b.Nop, b.Nop, b.Return)) }

// replaced is data with one piece of it replaced.
func replaced(data, old, new []byte) []byte {
	return []byte(strings.Replace(string(data), string(old), string(new), 1))
}
